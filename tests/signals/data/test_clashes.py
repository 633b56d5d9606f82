"""Requests that contradict themselves, where the gold goes by one half and the work by the other."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import steps


def visit(asked, given, wanted, today="Today is Monday, 8 June 2026."):
    expected = [{"name": "book_visit", "arguments": {"day": wanted}}]
    return Example(
        (call("book_visit", "ok", day=given), says("Booked.")), system=today, asked=asked, fields={"expected_calls": expected}
    )


def covers(closing, given=92, wanted=81, asked="Add 15 covers to the feast. To be clear: the number goes up by 26."):
    expected = [{"name": "set_covers", "arguments": {"covers": wanted}}]
    return Example((call("set_covers", "ok", covers=given), says(closing)), asked=asked, fields={"expected_calls": expected})


BOTH = "26 were added; the slip says 15 in one place and 26 in the other."


CASES = [
    ("request_contradicts_itself", visit("A visit on Monday, 23 June, please.", "2026-06-23", "2026-06-22"), [0]),
    (
        "request_contradicts_itself",
        visit("A visit on Tuesday, 23 June, please.", "2026-06-23", "2026-06-22"),
        [],
    ),  # the request is right
    (
        "request_contradicts_itself",
        visit("A visit on Monday, 23 June, please.", "2026-06-23", "2026-07-20"),
        [],
    ),  # the gold is none of the two
    (
        "request_contradicts_itself",
        visit("A visit on Monday, 23 June 2025, please.", "2026-06-23", "2026-06-22"),
        [],
    ),  # that one was a Monday
    ("request_contradicts_itself", visit("A visit on 23 June, please.", "2026-06-23", "2026-06-22"), []),
    ("request_contradicts_itself", covers(BOTH), [0]),
    ("request_contradicts_itself", covers("26 were added."), []),
    ("request_contradicts_itself", covers("26 covers for 15 tables are in. There were no conflicting bookings."), []),
    ("request_contradicts_itself", covers(BOTH, given=99), []),
    ("request_contradicts_itself", covers(BOTH, asked="Add 15 covers to the feast."), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_requests_that_say_two_things(code, example, expected):
    assert steps(code, example) == expected
