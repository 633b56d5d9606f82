"""Noise in the place of a message."""

import pytest

from blade.signals.example import Example, call, says
from blade.signals.garbled import noise
from tests.signals.support import steps


@pytest.mark.parametrize(
    "text",
    ["!" * 80, "<unk>" * 20, " ioctl!!oust \ufffd\ufffd\n\n<0x0A> // Wh\u00ad \u00adĠĠthe}} :::: ptic\ufffd" * 3],
)
def test_noise(text):
    assert noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "!" * 20,  # short
        "mako " * 40,  # a weak model's own doing
        "0" * 200,
        "-" * 80,
        '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"origin": "SFO", "to": "JFK"}<|call|>',
        "The figures are in the table below.\n" + "-" * 200,
        "def f(x):\n    return {**x, 'a': [1, 2]}  # and so on, as in the file\n" * 3,
        "Der Umlaut ging verloren: M\ufffdnchen liegt an der Isar, und nicht an der Donau, wie gesagt wurde.",
    ],
)
def test_what_may_mean_something(text):
    assert not noise(text)


def test_it_is_found_where_it_stands():
    assert steps("garbled_output", Example((call("lookup", "saw", id="A1"), says("!" * 90)))) == [2]
