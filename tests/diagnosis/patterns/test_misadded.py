"""Gold that follows from a mistake in its own working."""

from dataclasses import replace

import pytest

from blade.diagnosis.patterns.misadded import misadded
from blade.diagnosis.views import RestatedRow
from tests.diagnosis.patterns.support import answer, repeat, task_of, told


def answered(number, given, working, passed=False):
    made = repeat(number, passed, answers=[answer("758", given, f"Answer: {given}")])
    return replace(made, restated=[RestatedRow("explanation", working)])


@pytest.mark.parametrize(
    ("working", "answers", "found"),
    [
        ("230 + 518 = 758", ("748", "748", "748"), True),
        ("230 + 528 = 758", ("748", "748", "748"), False),  # it holds
        ("230 + 518 = 758", ("748", "12", "900"), False),  # nobody agrees on anything
        ("230 + 518 = 758", ("12", "12", "12"), False),  # agreed, and not on what it comes to
        ("20 + 20 = 50; 50 x 15.16 = 758", ("606.4", "606.4", "606.4"), True),  # worked on
        ("20 + 20 = 50", ("606.4", "606.4", "606.4"), False),  # beside the point
    ],
)
def test_working_that_does_not_hold(working, answers, found):
    view = task_of(*(answered(number, given, working) for number, given in enumerate(answers)))
    assert told(misadded(view)) == ([("working_does_not_hold", f"7:{number}", None) for number in range(3)] if found else [])


def test_where_a_repeat_passes_the_working_does_not_decide():
    failing = [answered(number, "748", "230 + 518 = 758") for number in range(3)]
    assert not list(misadded(task_of(*failing, answered(3, "758", "230 + 518 = 758", passed=True))))
