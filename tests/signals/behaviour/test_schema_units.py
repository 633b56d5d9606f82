"""Figures in the unit of the request, where the tool names another."""

import pytest

from blade.signals.example import Example, call, tool
from tests.signals.support import found, steps


def given(value, wanted, asked, described, argument="amount", kind="number"):
    schema = {argument: {"type": kind, **({"description": described} if described else {})}}
    expected = [{"name": "issue", "arguments": {"item": "A-7", argument: wanted}}]
    made = call("issue", "ok", item="A-7", **{argument: value})
    return Example((made,), asked=asked, tools=(tool("issue", **schema),), fields={"expected_calls": expected})


POUNDS = "Credit £4.50 to A-7."


CASES = [
    ("unit_not_converted", given(4.5, 450, POUNDS, "Amount in pence"), [0]),
    ("unit_not_converted", given(4.5, 450, "Credit 4.50 euros to A-7.", "In cents, without a point"), [0]),
    ("unit_not_converted", given(3.2, 320, "The shelf A-7 is 3.2 metres long.", "Length in centimetres", "length"), [0]),
    ("unit_not_converted", given(3.2, 320, "The shelf A-7 is 3.2 m long.", None, "length_cm"), [0]),
    ("unit_not_converted", given(90, 1.5, "The talk A-7 lasts 90 minutes.", "How long it takes (hours)", "length"), [0]),
    ("unit_not_converted", given(450, 450, POUNDS, "Amount in pence"), []),
    ("unit_not_converted", given(45, 450, POUNDS, "Amount in pence"), []),  # converted, and wrongly: that may not be known
    ("unit_not_converted", given(4.5, 450, POUNDS, "The amount"), []),  # nobody says so
    ("unit_not_converted", given(4.5, 450, "Credit 4.50 to A-7.", "Amount in pence"), []),  # nor in which unit it was meant
    ("unit_not_converted", given(3.2, 320, "The shelf A-7 is 3.2 metres long.", "Length in metres", "length"), []),
    ("unit_not_converted", given(3.2, 330, "The shelf A-7 is 3.2 metres long.", "Length in centimetres", "length"), []),
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_a_figure_that_was_left_as_it_is(code, example, wanted):
    assert steps(code, example) == wanted


def test_both_units_are_told():
    (signal,) = found("unit_not_converted", given(4.5, 450, POUNDS, "Amount in pence"))
    assert (signal.subject, signal.quote) == ("issue.amount", "amount=4.5")
    assert "in pence" in signal.detail
