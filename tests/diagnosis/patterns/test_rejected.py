"""Work that is what was expected, and failed."""

import pytest

from blade.diagnosis.patterns.rejected import ALONE, AS_EXPECTED, rejected_work
from blade.diagnosis.views import ExpectedRow
from blade.signals.behaviour.reported import OTHERWISE
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told

WANTED = ExpectedRow(0, "book_trip", '{"bags":0}', "change", "made", 8, "")
BOOKED = call(8, "book_trip", bags=0)
SAID = signal("answer_told", 10, "It is 1286.", "as written in task.outputs", subject="task.outputs")
OTHER_FORM = signal("answer_told", 10, "It is 1 286.", f"{OTHERWISE}1 286 for 1286 of task.outputs", subject="task.outputs")
PASSED = repeat(9, True, calls=[BOOKED], expected=[WANTED])


def failed(*signals, expected=(WANTED,)):
    return repeat(0, False, calls=[BOOKED], signals=signals, expected=expected)


def test_all_that_was_expected_and_a_failing_reward_speak_against_the_verifier():
    (alone,) = rejected_work(task_of(failed()))
    (beside,) = rejected_work(task_of(failed(), PASSED))
    assert told([alone]) == told([beside]) == [("expected_work_rejected", "7:0", 8)]
    assert (alone.label, alone.weight, beside.weight) == ("TI", ALONE, AS_EXPECTED.weight)
    assert "7:9, which did the same, gets 1" in beside.detail


@pytest.mark.parametrize(
    "other",
    [
        signal("action_extra", 9, subject="cancel_trip"),
        signal("action_wrong_argument", 8, subject="book_trip.bags"),
        signal("answer_untold", 10, subject="task.outputs"),
        signal("steps_exhausted", 10),
        signal("server_error", 5, label="IR"),
        signal("verifier_error", None, label="TI"),
    ],
    ids=lambda other: other.code,
)
def test_what_explains_the_failure_otherwise_silences_it(other):
    assert list(rejected_work(task_of(failed(other), PASSED))) == []


def test_a_breakdown_that_passing_repeats_share_is_none():
    shared = repeat(9, True, calls=[BOOKED], expected=[WANTED], signals=[signal("schema_violation", 3)])
    assert told(rejected_work(task_of(failed(signal("schema_violation", 3)), shared))) == [("expected_work_rejected", "7:0", 8)]


REFUSED = call(3, "book_lounge", "Not done: closed.", error="tool_error")


@pytest.mark.parametrize(
    ("slip", "calls", "found"),
    [
        (signal("error_not_retried", 3), [REFUSED, BOOKED], True),  # what was expected was done after it
        (signal("error_not_retried", 10), [BOOKED, call(10, "book_lounge", "Not done.", error="tool_error")], False),
        (signal("schema_violation", 8), [BOOKED], True),  # as the expected call has it, and the tool took it
        (signal("schema_violation", 3), [call(3, "find_trip"), BOOKED], False),
    ],
)
def test_a_slip_that_spoilt_nothing_is_no_breakdown(slip, calls, found):
    made = repeat(0, False, calls=calls, signals=[slip], expected=[WANTED])
    assert bool(list(rejected_work(task_of(made)))) is found


def test_without_an_expectation_nothing_is_said():
    assert list(rejected_work(task_of(failed(expected=()), PASSED))) == []


def test_what_siblings_have_shown_is_not_said_again():
    assert list(rejected_work(task_of(failed(), PASSED), {"7:0"})) == []


def test_a_question_that_was_answered_as_written():
    view = task_of(repeat(0, False, signals=[SAID]), repeat(1, True, signals=[SAID]))
    assert told(rejected_work(view)) == [("expected_work_rejected", "7:0", 10)]


def test_another_form_is_the_reason_unless_the_verifier_reads_it_elsewhere():
    view = task_of(repeat(0, False, signals=[OTHER_FORM]))
    (found,) = rejected_work(view)
    assert (found.code, found.label, found.step, found.weight) == ("correct_answer_rejected", "TI", 10, 0.9)
    assert "1 286 for 1286" in found.detail
    assert told(rejected_work(view, accepted={"9 9"})) == [("expected_work_rejected", "7:0", 10)]


def test_a_call_that_nobody_expected_of_a_tool_that_nobody_knows():
    odd = call(6, "offset_pointing", mutation="unknown", block="B-1")
    wanted = ExpectedRow(0, "book_block", '{"block":"B-1"}', "change", "made", 4, "")
    booked = call(4, "book_block", block="B-1")
    failing = repeat(0, False, calls=[booked, odd], expected=[wanted])
    assert told(rejected_work(task_of(failing))) == [("unasked_call", "7:0", 6)]
    passing = repeat(1, True, calls=[booked, odd], expected=[wanted])
    assert [finding.code for finding in rejected_work(task_of(failing, passing))] == ["expected_work_rejected"]


def test_a_free_text_that_no_passing_repeat_gives_leaves_open_what_the_verifier_saw():
    def noted(number, passed, text):
        return repeat(number, passed, calls=[call(8, "book_trip", bags=0, note=text)], expected=[WANTED])

    passing = noted(9, True, "Leave it at the gate, please.")
    (same,) = rejected_work(task_of(noted(0, False, "Leave it at the gate, please."), passing))
    (other,) = rejected_work(task_of(noted(0, False, "Put it behind the house."), passing))
    assert (same.weight, other.weight) == (AS_EXPECTED.weight, ALONE)
