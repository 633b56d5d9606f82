"""Gold in another form than that of the tasks that pass."""

import pytest

from blade.diagnosis.patterns.gold_forms import Usual, form, gold_in_other_form
from tests.diagnosis.patterns.support import repeat, signal, task_of


def paid(number, given, expected, passed=False):
    wrong = signal(
        "action_wrong_argument",
        4,
        f"euros={given}",
        f"pay_back expects euros={expected}; {given} was seen",
        subject="pay_back.euros",
    )
    return repeat(number, passed, signals=() if passed else (wrong,))


def found(given, expected, tasks, *, example="80.8", passing=False):
    view = task_of(
        *(paid(number, given, expected) for number in range(3)), *([paid(3, given, expected, True)] if passing else [])
    )
    usual = {"pay_back.euros": Usual(form(example), example, tasks)}
    return [(one.code, one.rollout) for one in gold_in_other_form(view, usual)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("98.3", "9"),
        ("-98.3", "-9"),
        ("2026-06-19", "9-9-9"),
        ("19/06/2026", "9/9/9"),
        ("pupils/26078", "a/9"),
        ("Ann Lee", "words"),
        ("x" * 41, "words"),
    ],
)
def test_form(value, expected):
    assert form(value) == expected


def test_the_sign_of_an_amount_turned_round():
    assert found("98.3", "-98.3", tasks=1) == [("gold_other_form", f"7:{number}") for number in range(3)]


@pytest.mark.parametrize(
    ("given", "expected", "tasks", "passing"),
    [
        ("98.3", "-12", 5, False),
        ("economy", "basic_economy", 5, False),
        ("98.3", "-98.3", 1, True),
        ("-98.3", "-12", 3, False),
        ("98.3", "12.5", 9, False),
    ],
    ids=["another amount", "another word", "somebody passes", "the repeats do not keep to the form", "the usual form"],
)
def test_nothing_is_said_of(given, expected, tasks, passing):
    assert found(given, expected, tasks, passing=passing) == []
