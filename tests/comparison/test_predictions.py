"""The predictions of a ledger against what happened."""

from typing import Any

import pytest

from blade.comparison.pairing import pair
from blade.comparison.predictions import predictions
from tests.comparison.support import both, rolled

TASKS = 60


def entry(tasks: list[str], estimate: float | None, condition: str | None = None) -> dict[str, Any]:
    return {
        "schema": "blade.ledger/1",
        "id": "e",
        "run": {"dataset": "another"},
        "intervention": {"title": "mend it", "family": "prompt"},
        "modes": [{"code": "loop", "subject": "", "condition": condition}],
        "tasks": tasks,
        "predicted": {"estimate": estimate, "ci": None, "lower": 0, "upper": 1},
    }


def runs(fixed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Tasks 0–29 fail in A; so many of them pass in B. The others pass in both."""
    before = [rolled(task, int(task >= 30), repeat) for task in range(TASKS) for repeat in range(2)]
    after = [rolled(task, int(task >= 30 or task < fixed), repeat) for task in range(TASKS) for repeat in range(2)]
    return before, after


@pytest.mark.parametrize(
    ("fixed", "estimate", "outcome"),
    [(30, 0.5, "confirmed"), (30, 0.2, "confirmed"), (10, 0.5, "partly"), (0, 0.5, "refuted"), (1, 0.03, "undecided")],
)
def test_the_part_of_the_change_on_the_affected_tasks_decides(fixed: int, estimate: float, outcome: str) -> None:
    with both(*runs(fixed)) as (a, b):
        (found,) = predictions([entry([str(task) for task in range(30)], estimate)], a, b, pair(a, b))
    assert found["outcome"] == outcome
    assert found["observed"]["delta"] == pytest.approx(fixed / TASKS)
    assert (found["observed"]["tasks"], found["observed"]["of_tasks"]) == (30, TASKS)


def test_what_cannot_be_tested_says_why() -> None:
    with both(*runs(30)) as (a, b):
        elsewhere, bounds = predictions([entry(["no such task"], 0.5), entry(["1"], None)], a, b, pair(a, b))
    assert (elsewhere["outcome"], elsewhere["why"]) == ("not_testable", "it is about another dataset")
    assert (bounds["outcome"], bounds["why"]) == ("not_testable", "it gave bounds and no estimate")


def test_modes_are_counted_by_their_condition_and_a_hostile_one_does_nothing() -> None:
    conditions = [
        "r.repeat = 0",
        "r.rollout IN ('0:0')",
        "1); DROP TABLE rollouts; --",
        "r.rollout IN (SELECT content FROM read_text('/etc/passwd'))",
    ]
    with both(*runs(10)) as (a, b):
        found = predictions([entry(["0"], 0.5, condition) for condition in conditions], a, b, pair(a, b))
        counts = [(one["modes"][0]["a_rollouts"], one["modes"][0]["b_rollouts"]) for one in found]
        assert a.denominator.scored == 2 * TASKS
    assert counts == [(30, 20), (None, None), (None, None), (None, None)]
