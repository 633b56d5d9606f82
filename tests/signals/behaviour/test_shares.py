"""What was to be shared, given to each in full."""

import pytest

from blade.signals.example import Example, call
from tests.signals.support import found, steps

SPLIT = "The prize of 90 euros is split between M-14 and M-20."


def paid(*given, wanted=(4500, 4500), asked=SPLIT):
    expected = [{"name": "pay_prize", "arguments": {"member": f"M-{at}", "cents": cents}} for at, cents in enumerate(wanted)]
    calls = tuple(call("pay_prize", "ok", member=f"M-{at}", cents=cents) for at, cents in enumerate(given))
    return Example(calls, asked=asked, fields={"expected_calls": expected})


CASES = [
    ("whole_for_each", paid(9000, 9000), [0]),
    ("whole_for_each", paid(9000, 9000, wanted=(3000, 6000)), [0]),
    ("whole_for_each", paid(9000, 9000, 9000, wanted=(3000, 3000, 3000)), [0]),
    ("whole_for_each", paid(4500, 4500), []),
    ("whole_for_each", paid(10**400, 10**400), []),
    ("whole_for_each", paid(9000, 9000, wanted=(3000, 3000)), []),  # more than the whole
    ("whole_for_each", paid(9000, 4500), []),  # one of them slipped
    (
        "whole_for_each",
        paid(4500, 4500, wanted=(2250, 2250), asked="Pay M-14 and M-20 their usual prizes."),
        [],
    ),  # nothing is shared
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_the_whole_in_place_of_shares(code, example, wanted):
    assert steps(code, example) == wanted


def test_the_shares_are_told():
    (signal,) = found("whole_for_each", paid(9000, 9000, wanted=(3000, 6000)))
    assert signal.subject == "pay_prize.cents"
    assert "expected with 3000 + 6000, and each was made with cents=9000" in signal.detail
