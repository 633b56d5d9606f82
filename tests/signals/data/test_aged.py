"""Gold that was worked out on another day."""

import pytest

from blade.signals.example import Example, call
from tests.signals.support import found, steps


def booked(
    day="2026-10-03", wanted="2026-01-24", asked="A table, 19 days from today.", system="Today is 14 September 2026.", **fields
):
    expected = [{"name": "book_table", "arguments": {"day": wanted}}]
    return Example(
        (call("book_table", "ok", day=day),), asked=asked, system=system, fields={"expected_calls": expected, **fields}
    )


CASES = [
    ("gold_aged", booked(annotated_on="2026-01-05"), [0]),
    ("gold_aged", booked(meta={"created": "2026-01-05T10:00:00Z"}), [0]),
    ("gold_aged", booked(), [0]),  # long gone
    ("gold_aged", booked("2026-10-03T11:56", "2026-01-24T11:56"), [0]),
    ("gold_aged", booked(wanted="2026-10-04"), []),  # another day that lies ahead
    ("gold_aged", booked(asked="A table on 3 October 2026."), []),  # counts from nothing
    ("gold_aged", booked(system="You book tables."), []),  # no today
    ("gold_aged", booked(day="2026-08-01"), []),  # the given day has gone by as well
    ("gold_aged", booked("2026-10-03", "2026-10-03"), []),  # as expected
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_the_day_that_gold_counts_from(code, example, wanted):
    assert steps(code, example) == wanted


def test_the_day_beside_the_gold_is_named():
    (signal,) = found("gold_aged", booked(annotated_on="2026-01-05"))
    assert signal.detail == "counted from annotated_on = 2026-01-05, and not from the prompt's today, 2026-09-14"
    assert signal.subject == "book_table.day"
