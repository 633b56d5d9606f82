"""What had to be told, and the forms in which it counts as told."""

import pytest

from blade.signals.behaviour import reported
from blade.signals.behaviour.reported import MAX_REMEMBERED, OTHERWISE, said_as, wanted_pieces
from blade.signals.example import Example, says, user
from tests.signals.support import found


@pytest.mark.parametrize(
    ("piece", "text", "form"),
    [
        ("1342.91", "In total 1342.91 euros.", "1342.91"),
        ("1342.91", "In total 1 342.91 euros.", "1 342.91"),
        ("1342.91", "In total 1,342.91 euros.", "1,342.91"),
        ("1342.91", "In total 1.342,91 euros.", "1.342,91"),
        ("1342.91", "In total 1342.19 euros.", None),
        ("1286", "It comes to $1,286.00.", "1,286.00"),
        ("$1,286", "It comes to 1286.", "1286"),
        ("4", "You may take four bags.", "four"),
        ("4", "You may take six bags.", None),
        ("12.5", "12,5 per cent", "12,5"),
        ("1.5", "15 of them", None),
        ("2026-03-04", "It ends on March 4, 2026.", "03-04"),
        ("2026-03-04", "It ends on the 4th of March.", "03-04"),
        ("2026-03-04", "It ends on March 5, 2026.", None),
        ("St. John's, NL", "to st johns? No: St John's NL", "st john s nl"),
        ("gold", "You are a Gold member.", "gold"),
        ("gold", "You are a silver member.", None),
    ],
)
def test_a_piece_is_told_as_written_or_in_a_form_that_says_the_same(piece, text, form):
    assert said_as(piece, text) == form


def test_the_form_is_told_with_the_message_that_has_it():
    example = Example((says("It is 1 286 euros."), user("Thanks."), says("Bye.")), fields={"task": {"outputs": ["1286"]}})
    (told,) = found("answer_told", example)
    assert (told.step, told.subject) == (0, "task.outputs")
    assert told.detail == f"{OTHERWISE}1 286 for 1286 of task.outputs"


def test_a_message_that_has_it_as_written_counts_before_one_that_says_the_same():
    example = Example((says("It is 1 286 euros."), user("In figures?"), says("1286")), fields={"task": {"outputs": ["1286"]}})
    (told,) = found("answer_told", example)
    assert (told.step, told.detail) == (2, "as written in task.outputs")


def test_the_first_place_that_lists_something_counts():
    assert wanted_pieces({"task": {"outputs": [4, "", "x "]}, "expected_outputs": ["y"]}) == ("task.outputs", ["4", "x"])
    assert wanted_pieces({"task": {"outputs": [{"a": 1}]}}) is None


def test_nothing_of_a_long_message_is_remembered():
    reported._figures.cache_clear()
    assert said_as("1200", f"It costs 1,200. {'7 ' * MAX_REMEMBERED}") == "1,200"
    assert reported._figures.cache_info().currsize == 0
    assert said_as("1200", "It costs 1,200.") == "1,200"
    assert reported._figures.cache_info().currsize == 1
