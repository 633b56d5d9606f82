"""Estimators over tables, against the formulas called directly or values worked out by hand."""

from typing import Any

import pytest

from blade import stats
from blade.claims.columns import EstimatorError
from blade.claims.estimators import REGISTRY, estimate
from blade.claims.values import difference
from blade.runs.tables import Table

PASSES = Table(["task", "passed", "scored"], [("a", 2, 4), ("b", 4, 4), ("c", 0, 2), ("d", 0, 0)])
MODE = Table(
    ["task", "affected", "affected_sum", "unaffected", "unaffected_sum", "tasks", "low", "high"],
    [(str(task), 1, 0.0, 1, 1.0, 24, 0, 1) for task in range(11)] + [("all", 2, 1.0, 0, 0.0, 24, 0, 1)],
)


@pytest.mark.parametrize(
    ("name", "table", "value"),
    [
        (None, Table(["n"], [(3,), (4,)]), 3),
        (None, Table(["a", "b"], [(1, "x")]), {"a": 1, "b": "x"}),
        (None, Table(["n"], []), None),
        ("first", Table(["a", "b"], [(1, 2)]), 1),
        ("row", Table(["a", "b"], []), None),
        ("column", Table(["a", "b"], [(1, 2), (3, 4)]), [1, 3]),
        ("rows", Table(["a"], [(1,), (2,)]), [{"a": 1}, {"a": 2}]),
        ("pass_at_k", Table(["passed", "scored", "k"], [(1, 4, 2), (2, 2, 2), (1, 1, 2)]), 0.75),
        ("pass_hat_k", Table(["passed", "scored"], [(1, 2), (2, 2)]), {"1": {"value": 0.75, "tasks": 2}, "2": {"value": 0.5, "tasks": 2}}),
        ("retry_value", Table(["passed", "scored"], [(1, 2), (0, 2)]), 0.25),
        ("missing_rows", Table(["passed", "scored", "expected"], [(1, 1, 2)]), {"missing_as_failed": 0.5, "completed_only": 1.0, "bounds": [0.5, 1.0]}),
        ("oracle_gain", Table(["best", "mean", "high"], [(1, 0.5, 1), (0, 0, 1)]), {"oracle": 0.5, "gain": 0.25, "perfect": 0.75}),
        ("holm", Table(["p"], [(0.01,), (0.04,)]), [0.02, 0.04]),
        ("benjamini_hochberg", Table(["p"], [(0.01,), (0.04,)]), [0.02, 0.04]),
        ("slice_test", Table(["mean", "inside"], [(1.0, True), (0.5, False)]), {"tasks": 1, "mean": 1.0, "rest_tasks": 1, "rest": 0.5, "p_value": 1.0}),
        ("slice_test", Table(["mean", "inside"], [(1.0, True)]), None),
        ("equivalent_answers", Table(["expected", "answer"], [("1,000", "1000"), ("1/2", "0.5"), ("a", "b"), (None, "x"), ("x", None)]), 2),
        ("lift", Table(MODE.columns, []), None),
        ("gain", Table(MODE.columns, []), {"lower": 0.0, "estimate": None, "upper": 0.0, "ci": None}),
    ],
)  # fmt: skip
def test_values_worked_out_by_hand(name: str | None, table: Table, value: Any) -> None:
    assert difference(value, estimate(name, table), 1e-12) is None


def test_the_rate_is_the_booked_one_with_its_interval() -> None:
    interval = stats.rate_interval([2, 4, 0], [4, 4, 2])
    assert interval is not None
    expected = {"value": 0.5, "ci": [interval.low, interval.high], "method": "effective_wilson", "tasks": 3}
    assert estimate("rate_interval", PASSES) == expected


def test_rewards_have_students_interval_or_that_of_a_rate() -> None:
    student, rate = stats.mean_interval([0.5, 1.0]), stats.two_valued_interval([0, 2], [2, 2], -1, 1)
    assert student is not None
    assert rate is not None
    graded = estimate("mean_interval", Table(["reward_sum", "scored"], [(1.0, 2), (1.0, 1), (0, 0)]))
    signed = estimate("two_valued_interval", Table(["reward_sum", "scored", "low", "high"], [(0, 2, -1, 1), (2, 2, -1, 1)]))
    assert graded == {"value": 0.75, "ci": [student.low, student.high], "method": "student_t", "tasks": 2}
    assert signed == {"value": 0.5, "ci": [rate.low, rate.high], "method": "effective_wilson", "tasks": 2}


def test_lift_and_gain_of_a_mode() -> None:
    lift, gain, bounds = estimate("lift", MODE), estimate("gain", MODE), estimate("gain_bounds", MODE)
    assert (lift["value"], lift["tasks"], lift["p_value"]) == (1.0, 11, pytest.approx(2 / 2**11))
    assert gain["estimate"] == pytest.approx((11 * 0.5 + 0.5) / 24)
    assert (bounds["estimate"], bounds["ci"], bounds["upper"]) == (None, None, gain["upper"])


def test_graded_rewards_bring_their_lists() -> None:
    columns = ["affected", "affected_sum", "unaffected", "unaffected_sum", "rewards"]
    found = estimate("lift", Table(columns, [(1, 0.25, 1, 0.75, [0.25, 0.75]), (1, 0.5, 1, 1.0, [0.5, 1.0])]))
    assert (found["value"], found["p_value"]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("no_such", PASSES),
        ("__import__", PASSES),
        ("rate_interval", Table(["passed"], [(1,)])),
        ("rate_interval", Table(["passed", "scored"], [("x", 1)])),
        ("rate_interval", Table(["passed", "scored"], [([1, 2], 1)])),
        ("pass_at_k", Table(["passed", "scored", "k"], [(1, 2, 1), (1, 2, 2)])),
        ("gain", Table(MODE.columns, [("a", 10**12, 0.0, 1, 1.0, 24, 0, 1)])),
    ],
)
def test_what_an_estimator_cannot_take_is_refused(name: str, table: Table) -> None:
    with pytest.raises(EstimatorError):
        estimate(name, table)


def test_sums_beyond_all_range_have_no_value() -> None:
    assert estimate("mean_interval", Table(["reward_sum", "scored"], [(float("inf"), 2), (1.0, 1)])) is None


def test_every_estimator_says_what_it_takes() -> None:
    assert all(function.__doc__ for function in REGISTRY.values())
