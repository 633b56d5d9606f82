"""Days in the form that a prompt, a schema or the answers write them in."""

import pytest

from blade.signals import read_rollout
from blade.signals.example import Example, call, says, tool
from blade.signals.texts.days import counted_to, day_in_request, plain_day
from tests.signals.support import found, steps


def rollout(*items, asked="Book it.", **more):
    return read_rollout(Example(items or (says("Done."),), asked=asked, **more).text())


@pytest.mark.parametrize(
    ("more", "plain"),
    [
        ({"system": "Days are written DD/MM/YYYY."}, "2026-11-06"),
        ({"system": "Use dd.mm.yy for days."}, "2026-11-06"),
        ({"system": "Days are written MM/DD/YYYY."}, "2026-06-11"),
        ({"system": "strptime with %d/%m/%Y."}, "2026-11-06"),
        ({"tools": (tool("book", day={"type": "string", "description": "Day, mm/dd/yyyy"}),)}, "2026-06-11"),
        ({"system": "The house opened on 31/01/2009."}, "2026-11-06"),  # reads one way only
        ({"system": "The house opened on 01/31/2009."}, "2026-06-11"),
        ({"system": "The house opened on 01/02/2009."}, "06/11/2026"),
        ({"system": "Opened on 31/01/2009, closed on 01/31/2010."}, "06/11/2026"),
        ({"system": "DD/MM/YYYY here, MM/DD/YYYY there."}, "06/11/2026"),
        ({}, "06/11/2026"),
    ],
)
def test_the_form_is_said_or_shown(more, plain):
    assert plain_day(rollout(**more), "06/11/2026") == plain


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ("6.11.2026 14:30", "2026-11-06 14:30"),
        ("2026/11/06", "2026-11-06"),
        ("2026-11-06", "2026-11-06"),
        ("11/24/2026", "2026-24-11"),  # no day of this form, and none afterwards
        ("1/2/3", "1/2/3"),
        ("06/11/2026 / 07/11/2026", "06/11/2026 / 07/11/2026"),
        (6, 6),
        (None, None),
    ],
)
def test_only_days_change(value, plain):
    assert plain_day(rollout(system="Days are written DD/MM/YYYY."), value) == plain


@pytest.mark.parametrize(
    ("asked", "year", "named"),
    [
        ("born on 16 July 1957", 1957, True),
        ("born on 16 July 1957", 2057, False),
        ("born on 16 July", 2057, True),
        ("born on 16/07/57", 1957, True),
        ("born on 16/07/57", 2057, True),
        ("born on 16/07/57", 1958, False),
    ],
)
def test_a_year_that_is_named_counts(asked, year, named):
    assert day_in_request(rollout(asked=asked), f"{year}-07-16") is named


def test_the_request_names_and_counts_to_days_of_this_form():
    said = rollout(system="Today is 20 October 2026. Days are written DD/MM/YYYY.", asked="On 6 November, or 24 days from today.")
    assert day_in_request(said, "06/11/2026")
    assert not day_in_request(said, "11/06/2026")
    assert counted_to(said, "13/11/2026")
    assert counted_to(said, "08/11/2026")  # the Sunday after the one that is named
    assert not counted_to(said, "11/06/2026")


def booked(given, wanted, asked="Book it for Friday 6 November.", form="DD/MM/YYYY"):
    return Example(
        (call("book_slot", "ok", day=given), says("Booked.")),
        system=f"Today is Tuesday, 20 October 2026. Days are written {form}.",
        asked=asked,
        fields={"expected_calls": [{"name": "book_slot", "arguments": {"day": wanted}}]},
    )


@pytest.mark.parametrize(
    ("example", "how"),
    [
        (booked("06/11/2026", "11/06/2026"), "with day and month swapped"),
        (booked("11/06/2026", "06/11/2026", form="MM/DD/YYYY"), "with day and month swapped"),
        (booked("06/11/2026", "2026-11-05T23:00:00.000Z"), "the day as it began in another zone"),
        (booked("06/11/2026", "06/11/2026 / 13/11/2026"), "joined with another one"),
        (booked("03/11/2026", "11/03/2026", "A slot on Monday 2 November."), "with day and month swapped"),  # the day after
        (booked("13/11/2026", "11/13/2026", "It is due 24 days from today."), "with day and month swapped"),
    ],
)
def test_damaged_days(example, how):
    (told,) = found("gold_damaged", example)
    assert told.detail.endswith(how)


@pytest.mark.parametrize(
    "example",
    [
        booked("11/06/2026", "06/11/2026"),  # whoever worked has swapped them
        booked("11/03/2026", "03/11/2026", "A slot on Monday 2 November."),
        booked("06/11/2026", "06/11/2026 / 13/11/2026", "Book it for 6 November and 13 November."),
        booked("06/11/2026", "07/11/2026"),
        booked("10/12/2026", "12/10/2026", "Book it for the day that was a week ago last Monday."),  # the nearer one is expected
        booked("06/11/2026", "06/11/2026 / 13/11/2026", "Book two Fridays in a row, from 6 November on."),
    ],
)
def test_days_that_are_right_as_expected(example):
    assert steps("gold_damaged", example) == []


def test_other_detectors_read_the_form_as_well():
    clash = booked("06/11/2026", "05/11/2026", "Book it for Thursday 6 November.")
    assert steps("request_contradicts_itself", clash) == [0]
    taken_back = booked("06/11/2026", "09/11/2026", "Book it for 6 November - I mean 9 November.")
    assert steps("superseded_value", taken_back) == [0]
    aged = booked("13/11/2026", "29/01/2026", "It is due 24 days from today.")
    assert steps("gold_aged", aged) == [0]
