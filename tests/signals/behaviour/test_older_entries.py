"""Entries of another day than the one that is asked for."""

import json

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import found, steps

WEIGHINGS = [
    {"weighed": "2026-03-02", "stone": 31.0, "vet": "Bo"},
    {"weighed": "2026-05-20", "stone": 35.5, "vet": "Cy"},
    {"weighed": "2025-11-11", "stone": 28.5, "vet": "Di"},
]
LAST = "What did the latest weighing of A-7 give?"


def answered(given, gold="35.5", asked=LAST, listed=WEIGHINGS, text=None):
    looked = call("list_weighings", text or json.dumps(listed), animal="A-7")
    return Example((looked, says(f"It is {given}.")), asked=asked, fields={"expected_answer": gold, "extracted_answer": given})


def entered(given, gold, asked="Enter the most recent weight of A-7, in kg with one decimal."):
    wanted = [{"name": "set_weight", "arguments": {"animal": "A-7", "kg": gold}}]
    looked = call("list_weighings", json.dumps(WEIGHINGS), animal="A-7")
    return Example((looked, call("set_weight", "ok", animal="A-7", kg=given)), asked=asked, fields={"expected_calls": wanted})


CASES = [
    ("older_entry_taken", answered("31.0"), [2]),
    ("older_entry_taken", answered("Bo", "Cy", "Who did the newest weighing of A-7?"), [2]),
    ("older_entry_taken", answered("31.0", "28.5", "What did the oldest weighing of A-7 give?"), [2]),
    (
        "older_entry_taken",
        answered("31.0", text="weighings: 2\n- weighed: 2026-03-02\n  stone: 31.0\n- weighed: 2026-05-20\n  stone: 35.5"),
        [2],
    ),
    ("older_entry_taken", entered(196.9, 225.4), [2]),  # 31 and 35.5 stone in kilograms
    ("older_entry_taken", answered("35.5"), []),
    ("older_entry_taken", answered("33.0"), []),  # that of no entry
    (
        "older_entry_taken",
        answered("31.0", asked="What did the weighing of A-7 in spring give?"),
        [],
    ),  # no end of the list is asked for
    ("older_entry_taken", answered("31.0", asked="How far apart are the latest and the earliest weighing of A-7?"), []),
    ("older_entry_taken", answered("31.0", "28.5"), []),  # what is expected is not of the latest
    ("older_entry_taken", answered("31.0", listed=[{"stone": 31.0}, {"stone": 35.5}]), []),  # nothing tells the days
    ("older_entry_taken", entered(196.9, 225.4, "Enter the weight of A-7."), []),
    ("older_entry_taken", entered(210.0, 225.4), []),  # worked out otherwise
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_which_entry_was_taken(code, example, wanted):
    assert steps(code, example) == wanted


TRAINS = [{"day": "2026-05-05", "train": "T-1", "changes": 2}, {"day": "2026-05-06", "train": "T-2", "changes": 1}]


@pytest.mark.parametrize(("argument", "wanted"), [("seats", []), ("changes", [2])])
def test_a_small_figure_tells_under_the_name_of_the_argument(argument, wanted):
    expected = [{"name": "book", "arguments": {argument: 2}}]
    made = (call("list_trains", json.dumps(TRAINS)), call("book", "ok", **{argument: 1}))
    example = Example(made, asked="Book the earliest train.", fields={"expected_calls": expected})
    assert steps("older_entry_taken", example) == wanted


def test_a_time_limit_wants_no_entry():
    assert steps("older_entry_taken", answered("31.0", asked="By noon at the latest: what did the weighing in May give?")) == []
    assert steps("older_entry_taken", answered("31.0", asked="What was it, by the most recent weighing?")) == [2]


def test_both_entries_are_told():
    (signal,) = found("older_entry_taken", answered("31.0"))
    assert "stone = 35.5 for it; 31.0 is that of another" in signal.detail
