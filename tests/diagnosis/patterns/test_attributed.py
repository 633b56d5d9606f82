"""What the row itself says of a failure is its cause, and of a pass it says nothing."""

from blade.diagnosis.patterns.attributed import attributed
from tests.diagnosis.patterns.support import repeat, signal, task_of

USER = signal("environment_blamed", 2, "The customer left.", "turns[2] lays it on", label="IR", subject="the simulated user")
AGENT = signal("agent_blamed", 3, "It guessed.", "turns[3] lays it on", label="BI", subject="the assistant")


def test_a_failure_goes_to_whom_the_row_blames():
    view = task_of(repeat(0, False, signals=(USER,)), repeat(1, False, signals=(AGENT,)), repeat(2, True, signals=(AGENT,)))
    assert [(one.rollout, one.code, one.label, one.step) for one in attributed(view)] == [
        ("7:0", "laid_on_environment", "IR", 2),
        ("7:1", "laid_on_agent", "BI", 3),
    ]


def test_nobody_is_blamed_where_the_row_says_nothing():
    assert not list(attributed(task_of(repeat(0, False), repeat(1, True))))
