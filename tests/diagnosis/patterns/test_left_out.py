"""Figures and names that passing repeats put into a free text."""

import pytest

from blade.diagnosis.patterns.left_out import pieces_left_out
from blade.diagnosis.views import ExpectedRow
from tests.diagnosis.patterns.support import call, repeat, task_of, told

WANTED = ExpectedRow(0, "send_note", '{"to":"u7"}', "change", "made", 4, "")


def noted(number, passed, text, **more):
    return repeat(number, passed, calls=[call(4, "send_note", to="u7", text=text, **more)], expected=[WANTED])


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("The bus leaves from stop 12.", "16:10"),
        ("Departure at 16:10 from the yard.", "12"),
        ("It goes from 12 at 16:10 today.", None),
        ("no", None),  # no text at all
    ],
)
def test_a_text_without_a_figure_that_all_passing_repeats_give(text, lacks):
    passing = [noted(8, True, "Departure is at 16:10, stop 12."), noted(9, True, "From stop 12 it leaves at 16:10, late.")]
    found = list(pieces_left_out(task_of(noted(0, False, text), *passing)))
    assert told(found) == ([("piece_left_out", "7:0", 4)] if lacks else [])
    assert all(lacks in finding.detail and finding.subject == "send_note.text" for finding in found)


def test_nothing_is_said_without_a_passing_repeat_or_where_one_gives_no_text():
    failing = noted(0, False, "The bus leaves now.")
    assert not list(pieces_left_out(task_of(failing)))
    assert not list(pieces_left_out(task_of(failing, noted(9, True, "Departure is at 16:10, stop 12."))))
    assert not list(pieces_left_out(task_of(failing, repeat(9, True, calls=[call(4, "send_note", to="u7")], expected=[WANTED]))))
