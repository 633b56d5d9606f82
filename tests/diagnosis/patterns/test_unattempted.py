"""Ends without an answer or without work, whatever the words; and what only looks like one."""

import pytest

from blade.diagnosis.patterns.unattempted import states_kind, unattempted
from tests.diagnosis.patterns.support import answer, call, check, repeat, signal, task_of, told


def wrote(step=3, error=None):
    return call(step, "shell", error=error, mutation="unknown", cmd="sort sizes.tsv > top.txt")


LOOKED = call(1, "shell", mutation="unknown", cmd="cat sizes.tsv")
FAILED = (check("exists", False), check("untouched", True))


@pytest.mark.parametrize(
    ("final", "expected", "states"),
    [
        ("That is not something for me.", "42", False),
        ("I would say forty-two.", "42", True),
        ("Between 3 and 4, I cannot tell.", "42", True),
        ("Nothing comes of this.", "B", False),
        ("I leave this to somebody else.", "B", False),
        ("It must be B, or not.", "C", True),
        ("Choice: A", "C", True),
        ("A difficult one.", "C", False),
        ("Nothing comes of this.", "Tungsten", None),
    ],
)
def test_whether_a_text_holds_what_is_asked_for(final, expected, states):
    assert states_kind(final, expected) is states


def test_a_final_message_without_any_answer():
    right, silent = (
        repeat(0, True, answers=[answer("42", "42", "It is 42.")]),
        repeat(1, False, answers=[answer("42", None, "No.")]),
    )
    assert told(unattempted(task_of(right, silent), work_usual=False)) == [("answer_withheld", "7:1", 3)]


@pytest.mark.parametrize(
    "rest",
    [
        {"answers": [answer("42", "41", "It is 41.")]},
        {"answers": [answer("42", None, "So it is 41.")]},
        {"answers": [answer("42", None, "All of us agree with what was found, so we can end it here. TERMINATE")]},
        {"answers": [answer("42", None, "TERMINATE")]},  # ends a conversation, and the answer may stand before it
        {"answers": [answer("42", None, "hm, " * 150)]},  # argues, or was cut off
        {"answers": [answer("42", None, "No.")], "signals": [signal("server_error", 1, label="IR")]},
        {"answers": [answer("Tungsten", None, "No.")]},
    ],
)
def test_what_is_no_end_without_an_answer(rest):
    assert told(unattempted(task_of(repeat(0, False, **rest)), work_usual=False)) == []


def test_who_says_that_it_could_not_be_done_gave_no_answer():
    said = answer("Tungsten", None, "I am sorry, but I was not able to find out which metal it is.")
    assert [code for code, *_ in told(unattempted(task_of(repeat(0, False, answers=[said])), work_usual=False))] == [
        "answer_withheld"
    ]


@pytest.mark.parametrize(
    ("others", "usual", "found"),
    [
        ([repeat(0, True, calls=[LOOKED, wrote()])], False, True),
        ([repeat(0, True, calls=[LOOKED])], True, False),  # one that passes left nothing either
        ([], True, True),
        ([], False, False),
    ],
)
def test_an_end_before_any_work(others, usual, found):
    idle = repeat(1, False, calls=[LOOKED], checks=FAILED)
    assert told(unattempted(task_of(*others, idle), usual)) == ([("stopped_before_work", "7:1", 11)] if found else [])


@pytest.mark.parametrize(
    "rest",
    [
        {"calls": [wrote()]},
        {"calls": [wrote(error="api_misuse")]},  # tried in vain
        {"signals": [signal("output_truncated", 9)]},
        {"signals": [signal("sandbox_failed", 1, label="IR")]},
    ],
)
def test_what_tried_or_was_ended_is_no_end_before_work(rest):
    assert told(unattempted(task_of(repeat(0, False, checks=FAILED, **rest)), work_usual=True)) == []


def test_without_checks_nothing_says_that_work_was_wanted():
    assert told(unattempted(task_of(repeat(0, False, calls=[LOOKED])), work_usual=True)) == []
