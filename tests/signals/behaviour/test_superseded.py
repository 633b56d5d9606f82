"""Values that were asked for and taken back."""

from time import process_time

import pytest

from blade.signals.example import Example, call, user
from tests.signals.support import found, steps


def booked(asked, day="2026-06-06", wanted="2026-06-08", argument="day"):
    return Example(
        (call("book_table", "booked", **{argument: day, "guests": 40}),),
        asked=asked,
        fields={"expected_calls": [{"name": "book_table", "arguments": {argument: wanted, "guests": 40}}]},
    )


CASES = [
    ("superseded_value", booked("A table on 6 June, sorry, I mean 8 June."), [0]),
    ("superseded_value", booked("A table on 2026-06-06. Actually, make that 2026-06-08."), [0]),
    ("superseded_value", booked("A table in hall 3 - no, hall 5.", 3, 5, "hall"), [0]),
    ("superseded_value", booked("A table in hall 3 - scrap that, hall 5.", 3, 5, "hall"), [0]),
    ("superseded_value", booked("The Aurora room; correction: the Borealis room.", "Aurora", "Borealis", "room"), [0]),
    ("superseded_value", booked("On 6 June at 13:30, no, wait, 11:45.", "2026-06-06T13:30", "2026-06-06T11:45"), [0]),
    ("superseded_value", booked("Go live 10 - sorry, I meant 9 hours after it.", "2026-06-06T23:30Z", "2026-06-06T22:30Z"), [0]),
    ("superseded_value", booked("Go live 10 - sorry, I meant 9 hours after it.", "2026-06-06T23:30Z", "2026-06-06T21:30Z"), []),
    ("superseded_value", booked("A table on 6 June, sorry, I mean 8 June.", "2026-06-08"), []),  # as it is meant
    ("superseded_value", booked("I was there on 6 June and come again on 8 June."), []),  # nothing is put right
    ("superseded_value", booked("A table on 8 June, sorry that I did not come on 6 June."), []),  # the other way round
    ("superseded_value", booked("A table on the day we spoke of, sorry, one later."), []),
]


ABOVE = "These are the figures to go by. Book hall 5 for 12 June."
BELOW = "\n\nOn Monday you had:\n> Book hall 3 for 10 June."
CASES += [
    ("superseded_value", booked(ABOVE + BELOW, 3, 5, "hall"), [0]),
    ("superseded_value", booked(ABOVE + BELOW, "2026-06-10", "2026-06-12"), [0]),
    ("superseded_value", booked(ABOVE + BELOW.replace(">", "|"), 3, 5, "hall"), [0]),
    ("superseded_value", booked("Charge £4.50 for it.\n> Charge £3.20 for it.", 320, 450, "pence"), [0]),
    ("superseded_value", booked("Charge £4.50 for it.\n> Charge £3.20 for it.", 330, 450, "pence"), []),
    ("superseded_value", booked(ABOVE + BELOW, 5, 3, "hall"), []),  # the quotation is expected
    ("superseded_value", booked("Book hall 5.\n| hall | seats |\n| 3 | 40 |", 3, 5, "hall"), []),  # a table
    ("superseded_value", booked("> Book hall 3.\nNo such hall. Book hall 5?", 3, 5, "hall"), []),  # the answer stands below
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_what_was_taken_back(code, example, wanted):
    assert steps(code, example) == wanted


def test_a_later_turn_takes_back_what_was_said_before():
    example = Example(
        (user("No, better on 8 June."), call("book_table", "booked", day="2026-06-06")),
        asked="A table on 6 June, please.",
        fields={"expected_calls": [{"name": "book_table", "arguments": {"day": "2026-06-08"}}]},
    )
    (signal,) = found("superseded_value", example)
    assert signal.quote == "A table on 6 June, please. No, better on 8 June."
    assert signal.subject == "book_table.day"


@pytest.mark.parametrize(
    ("given", "wanted", "asked", "found_at"),
    [
        (135, 150, "Grow it by 55 (correction: 70) GiB.", [0]),  # 80 and so many more
        (330, 420, "6 boxes a day for 55, sorry, 70 days.", [0]),  # so many times 6
        (135, 140, "Grow it by 55 (correction: 70) GiB.", []),
        (150, 135, "Grow it by 55 (correction: 70) GiB.", []),
        (10**400, 150, "Grow it by 55 (correction: 70) GiB.", []),
    ],
)
def test_what_follows_from_a_figure_that_was_taken_back(given, wanted, asked, found_at):
    assert steps("superseded_value", booked(asked, given, wanted, "size")) == found_at


def test_figures_of_a_quotation_that_is_full_of_them():
    asked = " ".join(map(str, range(1000, 4000))) + "\n" + "\n".join(f"> {figure}" for figure in range(5000, 6000))
    started = process_time()
    assert steps("superseded_value", booked(asked, 7.7, 3, "size")) == []
    assert process_time() - started < 2


def test_figures_that_only_end_their_messages_have_nothing_in_common():
    assert steps("superseded_value", booked("Rooms needed:\n4\n> The budget: 8", 800, 400, "size")) == []


def test_days_from_today_are_counted():
    example = Example(
        (call("book_table", "booked", day="2026-06-20"),),
        asked="A table 19 (sorry, I meant 41) days from today.",
        system="Today is 1 June 2026.",
        fields={"expected_calls": [{"name": "book_table", "arguments": {"day": "2026-07-12"}}]},
    )
    assert steps("superseded_value", example) == [0]


def test_a_turn_after_the_call_takes_nothing_back():
    example = Example(
        (call("book_table", "booked", day="2026-06-06"), user("No, better on 8 June.")),
        asked="A table on 6 June, please.",
        fields={"expected_calls": [{"name": "book_table", "arguments": {"day": "2026-06-08"}}]},
    )
    assert found("superseded_value", example) == []
