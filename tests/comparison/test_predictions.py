"""The predictions of a ledger against what happened, freed of what chance gives to tasks that were picked by their failures."""

from typing import Any

import numpy as np
import pytest

from blade.comparison.pairing import pair
from blade.comparison.predictions import predictions
from blade.diagnosis.diagnose import extractors
from blade.diagnosis.modes import signal_condition
from tests.comparison.support import both, rolled

TASKS = 60
MARKED = "r.note = 'loop'"


def entry(estimate: float | None, condition: str | None = MARKED, blind: bool = True, upper: float | None = 1) -> dict[str, Any]:
    return {
        "schema": "blade.ledger/1",
        "id": "e",
        "run": {"dataset": None},
        "intervention": {"title": "mend it", "family": "prompt"},
        "modes": [{"code": "loop", "subject": "", "condition": condition, "reward_blind": blind}],
        "tasks": ["0"],
        "predicted": {"estimate": estimate, "ci": None, "lower": 0, "upper": upper},
    }


def run(rates: Any, seed: int, repeats: int = 4) -> list[dict[str, Any]]:
    """Rollouts of tasks with these rates; every failure carries the mode."""
    passes = np.random.default_rng(seed).random((len(rates), repeats)) < np.asarray(rates)[:, None]
    return [
        rolled(task, int(won), repeat, note="" if won else "loop")
        for task, row in enumerate(passes)
        for repeat, won in enumerate(row)
    ]


def outcome(before: Any, after: Any, estimate: float | None, **options: Any) -> dict[str, Any]:
    with both(run(before, 1), run(after, 2)) as (a, b):
        (found,) = predictions([entry(estimate, **options)], a, b, pair(a, b))
    return found


FAILING, MENDED = [0.1] * 30 + [1.0] * 30, [0.9] * 30 + [1.0] * 30


@pytest.mark.parametrize(
    ("after", "estimate", "expected"),
    [(MENDED, 0.3, "confirmed"), ([0.4] * 30 + [1.0] * 30, 0.5, "partly"), (FAILING, 0.3, "refuted")],
)
def test_what_happened_decides(after: list[float], estimate: float, expected: str) -> None:
    found = outcome(FAILING, after, estimate)
    assert found["outcome"] == expected, found
    assert found["observed"]["tasks"] == 30
    assert found["modes"][0]["a_rollouts"] > 80


def test_two_runs_of_one_system_confirm_nothing() -> None:
    """Every task half right: those that failed more in A do better in B, by chance."""
    found = outcome([0.5] * TASKS, [0.5] * TASKS, 0.05)
    assert found["observed"]["by_chance"] > 0
    assert found["observed"]["with_chance"] > found["observed"]["delta"]
    assert found["outcome"] in ("undecided", "refuted")


def test_what_cannot_be_tested_says_why() -> None:
    assert outcome(FAILING, MENDED, None, upper=None)["why"] == "it gave neither an estimate nor an upper bound"
    listed = outcome(FAILING, MENDED, 0.3, condition="r.rollout IN ('0:0')", blind=False)
    assert (listed["outcome"], listed["why"]) == ("not_testable", "its modes cannot be asked for in another run")


@pytest.mark.parametrize(
    "condition", ["1); DROP TABLE rollouts; --", "r.rollout IN (SELECT content FROM read_text('/etc/passwd'))", "no_such_column"]
)
def test_a_hostile_condition_does_nothing(condition: str) -> None:
    found = outcome(FAILING, MENDED, 0.3, condition=condition)
    assert found["outcome"] == "not_testable"
    assert found["observed"] is None


def test_the_condition_of_a_signal_is_asked_of_both_runs() -> None:
    with both(run(FAILING, 1), run(MENDED, 2), extractors=extractors()) as (a, b):
        (found,) = predictions([entry(0.3, signal_condition("gave_up", ""))], a, b, pair(a, b))
    assert found["modes"] == [{"code": "loop", "subject": "", "a_rollouts": 0, "b_rollouts": 0}]
    assert found["why"] == "no rollout of A fails with its modes"


@pytest.mark.parametrize(
    ("after", "upper", "expected", "why"),
    [
        (MENDED, 0.45, "confirmed", "the affected tasks gained, within its bounds"),
        (MENDED, 0.1, "refuted", "the affected tasks gained more than its upper bound"),
        (FAILING, 0.45, "undecided", "a gain within its bounds is possible, and so is none"),
    ],
)
def test_bounds_alone_are_held_against_what_happened(after: list[float], upper: float, expected: str, why: str) -> None:
    found = outcome(FAILING, after, None, upper=upper)
    assert (found["outcome"], found["why"]) == (expected, why), found["observed"]


def test_tasks_that_a_fix_made_worse_refute_its_bounds() -> None:
    found = outcome([0.6] * TASKS, [0.0] * TASKS, None, upper=0.4)
    assert (found["outcome"], found["why"]) == ("refuted", "the affected tasks lost")
