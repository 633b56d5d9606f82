"""Causes in words: a count only where there is something to count."""

import pytest

from blade.diagnosis.causes import Cause
from blade.diagnosis.findings import Finding
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.diagnosis.wording import why

ENDED = SignalRow("ended_as_error", "BI", "agent_error", 5, "ended by agent_error", "no error of the agent is to be seen")


def task(*passed, signals=()):
    return TaskView(
        "t", tuple(RolloutView(f"t:{at}", "t", at, float(ok), ok, 6, signals, (), (), (), ()) for at, ok in enumerate(passed))
    )


def cause(detail="", shown_by=1):
    found = Finding("refusal", "BI", "", "t", "t:0", 3, "no", detail, 0.8)
    return Cause("BI", found, 0.9, None, {}, 1.0, (found,), shown_by)


@pytest.mark.parametrize(
    ("view", "of", "said"),
    [
        (task(False, False), cause("it is late", 2), "In 2 of 2 failing repeats: refused the request. t:0 step 3: it is late."),
        (task(False, True), cause(), "In 1 of 1 failing repeat: refused the request. First in t:0 step 3."),
        (task(False), cause("it is late"), "Refused the request. t:0 step 3: it is late."),
        (task(False), cause(), "Refused the request."),
    ],
)
def test_a_task_that_was_tried_once_has_nothing_to_count(view, of, said):
    assert why(view, of) == said


def test_what_the_harness_says_of_an_unexplained_end_is_told():
    unknown = Cause("unknown", None, 0.0, None, {}, 0.0)
    assert why(task(False), unknown) == "No finding explains the 1 failing repeat."
    told = why(task(False, signals=(ENDED,)), unknown)
    assert told.endswith("The harness ended 1 of 1: t:0 step 5: ended by agent_error; no error of the agent is to be seen.")
