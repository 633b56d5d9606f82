"""Gold that follows from a mistake in its own working."""

from dataclasses import replace

import pytest

from blade.diagnosis.patterns.misadded import misadded
from blade.diagnosis.views import RestatedRow
from tests.diagnosis.patterns.support import answer, repeat, signal, task_of, told


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


def entered(number, given, working, wanted="281"):
    wrong = signal(
        "action_wrong_argument", 4, f"minutes={given}", f"enter_time expects minutes={wanted}", subject="enter_time.minutes"
    )
    return replace(repeat(number, False, signals=[wrong]), restated=[RestatedRow("derivation", working)])


@pytest.mark.parametrize(
    ("working", "given", "wanted", "found"),
    [
        ("18.5 km are 222 min, 690 m are 69 min, 222 + 69 = 281 min", "291", "281", True),
        ("18.5 km are 222 min, 690 m are 69 min, 222 + 69 = 281 min", "300", "281", False),  # not what it comes to
        ("222 + 59 = 281 min", "291", "281", False),
        ("59 - 11 = 38 points, times 0.13125 makes 5.0 %", "6.3", "5.0", True),  # in the proportion of 38 and 48
        ("59 - 11 = 38 points, times 0.13125 makes 5.0 %", "7.1", "5.0", False),
        ("59 - 11 = 38 points", "6.3", "5.0", False),  # what is expected does not follow from it
        ("135 + 250 + 280 = 655 ft, which are 199.6 m", "202.7", "199.6", True),
    ],
)
def test_an_argument_that_follows_from_a_false_equation(working, given, wanted, found):
    view = task_of(*(entered(number, given, working, wanted) for number in range(3)))
    assert bool(list(misadded(view))) is found


def test_an_argument_on_which_the_repeats_do_not_agree():
    assert not list(misadded(task_of(*(entered(n, given, "222 + 69 = 281") for n, given in enumerate(("291", "12", "77"))))))
