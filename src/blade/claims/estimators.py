"""The estimators that a claim can name: pure functions from the result of its query to its value.

An estimator takes columns by their names and returns what JSON can hold. What else it needs to know (the number of tasks, the full
reward, a k) comes as a column too, so that the query says all there is. Names in the reference below are the columns.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from blade import stats
from blade.claims.columns import EstimatorError, NotFinite, cells, constant, counts, floats
from blade.runs.tables import Table

Estimator = Callable[[Table], Any]
REGISTRY: dict[str, Estimator] = {}


def estimator(function: Estimator) -> Estimator:
    """Enter a function into the registry under its name."""
    REGISTRY[function.__name__] = function
    return function


def estimate(name: str | None, table: Table) -> Any:
    """The value of a query's result by the estimator of this name (None: the plain result); None where sums overflow."""
    if name is None:
        return first(table) if len(table.columns) == 1 else row(table)
    if name not in REGISTRY:
        raise EstimatorError(f"there is no estimator {name!r}; there are {', '.join(sorted(REGISTRY))}")
    try:
        return REGISTRY[name](table)
    except NotFinite:
        return None


@estimator
def first(table: Table) -> Any:
    """The first cell."""
    return table.rows[0][0] if table.rows else None


@estimator
def row(table: Table) -> dict[str, Any] | None:
    """The first row as an object."""
    return dict(zip(table.columns, table.rows[0], strict=True)) if table.rows else None


@estimator
def column(table: Table) -> list[Any]:
    """The first column as a list."""
    return [cells[0] for cells in table.rows]


@estimator
def rows(table: Table) -> list[dict[str, Any]]:
    """All rows as objects."""
    return [dict(zip(table.columns, cells, strict=True)) for cells in table.rows]


@estimator
def rate_interval(table: Table) -> dict[str, Any]:
    """The booked rate with its interval, one row per task: passed, scored."""
    passed, scored = counts(table, "passed", "scored")
    interval = stats.rate_interval(passed, scored)
    means = stats.task_means(passed, scored)
    return {"value": _mean(means)} | _ci(interval) | {"tasks": int(means.size)}


@estimator
def mean_interval(table: Table) -> dict[str, Any]:
    """The mean of task means with Student's interval, one row per task: reward_sum, scored."""
    sums, scored = _rewards(table)
    return {"value": _mean(sums / scored)} | _ci(stats.mean_interval(sums / scored)) | {"tasks": int(sums.size)}


@estimator
def two_valued_interval(table: Table) -> dict[str, Any]:
    """The same for rewards of two values, with the interval of a rate: reward_sum, scored, low, high."""
    sums, scored = _rewards(table)
    if not sums.size:
        return {"value": None} | _ci(None) | {"tasks": 0}
    interval = stats.two_valued_interval(sums, scored, constant(table, "low"), constant(table, "high"))
    return {"value": _mean(sums / scored)} | _ci(interval) | {"tasks": int(sums.size)}


@estimator
def pass_at_k(table: Table) -> Any:
    """pass@k, one row per task: passed, scored, and k; without a column k for each k up to the most attempts."""
    return _over_k(table, stats.pass_at_k)


@estimator
def pass_hat_k(table: Table) -> Any:
    """pass^k, likewise."""
    return _over_k(table, stats.pass_hat_k)


@estimator
def retry_value(table: Table) -> float | None:
    """pass@K − pass@1 at the modal repeat count, one row per task: passed, scored."""
    passed, scored = counts(table, "passed", "scored")
    found = stats.retry_value(passed[scored > 0], scored[scored > 0]) if (scored > 0).any() else None
    return None if found is None else found.value


@estimator
def variance_split(table: Table) -> dict[str, Any] | None:
    """Variance within and between tasks and their ICC, one row per task: passed, scored."""
    found = stats.rate_variance_split(*counts(table, "passed", "scored"))
    return None if found is None else {"within": found.within, "between": found.between, "icc": found.icc}


@estimator
def detectable_rate(table: Table) -> dict[str, Any]:
    """The minimum detectable effect of a second run like this, one row per task: passed, scored."""
    found = stats.detectable_rate(*counts(table, "passed", "scored"))
    return {"value": found.value, "low": found.low, "high": found.high, "method": found.method}


@estimator
def missing_rows(table: Table) -> dict[str, Any]:
    """The score with missing rollouts counted as failed, left out, and bounded, one row per task: passed, scored, expected."""
    passed, scored, expected = counts(table, "passed", "scored", "expected")
    found = stats.missing_rows(passed, scored, np.maximum(expected, scored))
    bounds = None if found.bounds is None else list(found.bounds)
    return {"missing_as_failed": found.missing_as_failed, "completed_only": found.completed_only, "bounds": bounds}


@estimator
def oracle_gain(table: Table) -> dict[str, Any] | None:
    """What every task at its best would add, one row per task: best, mean, high."""
    best, means = floats(table, "best"), floats(table, "mean")
    found = stats.oracle_gain(best, means, constant(table, "high")) if best.size else None
    return None if found is None else {"oracle": found.oracle, "gain": found.gain, "perfect": found.perfect}


@estimator
def lift(table: Table) -> dict[str, Any] | None:
    """The within-task lift with interval and test, one row per task: affected, affected_sum, unaffected, unaffected_sum, tasks.

    For rewards other than 0 and 1 also `rewards`, the list of all rewards of the task.
    """
    if not table.rows:
        return None
    split = _split(table)
    rewards = cells(table, "rewards") if "rewards" in table.columns else None
    found = stats.lift(split, _tasks(table, split), rewards)
    return None if found is None else lift_json(found)


@estimator
def gain(table: Table) -> dict[str, Any]:
    """Bounds, estimate and interval of a mode's gain: as `lift`, and low, high."""
    return _gain(table, failing_only=False)


@estimator
def gain_bounds(table: Table) -> dict[str, Any]:
    """The same for a mode that exists on failing rows only: bounds, no estimate."""
    return _gain(table, failing_only=True)


@estimator
def slice_test(table: Table) -> dict[str, Any] | None:
    """A slice of the tasks against all others, one row per task: mean, inside."""
    means, inside = floats(table, "mean"), np.array([bool(value) for value in cells(table, "inside")], dtype=bool)
    found = stats.slice_test(means, inside)
    if found is None:
        return None
    tasks = int(inside.sum())
    return {"tasks": tasks, "mean": found.mean, "rest_tasks": means.size - tasks, "rest": found.rest, "p_value": found.p_value}


@estimator
def holm(table: Table) -> list[float]:
    """p-values of the column p, adjusted by Holm."""
    return [float(value) for value in stats.holm(floats(table, "p"))]


@estimator
def benjamini_hochberg(table: Table) -> list[float]:
    """p-values of the column p, adjusted by Benjamini and Hochberg."""
    return [float(value) for value in stats.benjamini_hochberg(floats(table, "p"))]


@estimator
def equivalent_answers(table: Table) -> int:
    """How many rows hold the same answer twice, by whatever notation: expected, answer."""
    from blade.answers import compare

    pairs = zip(cells(table, "expected"), cells(table, "answer"), strict=True)
    return sum(1 for expected, answer in pairs if None not in (expected, answer) and compare(str(expected), str(answer)).same)


def lift_json(found: stats.Lift) -> dict[str, Any]:
    ci = None if found.interval is None else [found.interval.low, found.interval.high]
    return {"value": found.value, "ci": ci, "tasks": found.tasks, "p_value": found.p_value, "test": found.test}


def gain_json(found: stats.Gain) -> dict[str, Any]:
    """The contract's keys."""
    ci = None if found.interval is None else [found.interval.low, found.interval.high]
    return {"lower": found.lower, "estimate": found.estimate, "upper": found.upper, "ci": ci}


def _gain(table: Table, failing_only: bool) -> dict[str, Any]:
    if not table.rows:
        return gain_json(stats.Gain(0.0, None, 0.0))
    split = _split(table)
    low, high = constant(table, "low"), constant(table, "high")
    return gain_json(stats.gain(split, low, high, _tasks(table, split), failing_only=failing_only))


def _over_k(table: Table, formula: Callable[[Any, Any, int], stats.TaskMean]) -> Any:
    passed, scored = counts(table, "passed", "scored")
    if "k" in table.columns:
        return None if not table.rows else formula(passed, scored, int(constant(table, "k"))).value
    most = int(scored.max(initial=0))
    means = {str(k): formula(passed, scored, k) for k in range(1, most + 1) if k <= 64 or k == most or k & (k - 1) == 0}
    return {k: {"value": mean.value, "tasks": mean.tasks} for k, mean in means.items()}


def _split(table: Table) -> stats.Split:
    affected, unaffected = counts(table, "affected", "unaffected")
    return stats.split(affected, floats(table, "affected_sum"), unaffected, floats(table, "unaffected_sum"))


def _tasks(table: Table, split: stats.Split) -> int:
    return int(constant(table, "tasks")) if "tasks" in table.columns else int(split.size.size)


def _rewards(table: Table) -> tuple[Any, Any]:
    (scored,) = counts(table, "scored")
    sums = floats(table, "reward_sum")
    return sums[scored > 0], scored[scored > 0]


def _mean(values: Any) -> float | None:
    return float(np.mean(values)) if values.size else None


def _ci(interval: stats.Interval | None) -> dict[str, Any]:
    if interval is None:
        return {"ci": None, "method": None}
    return {"ci": [interval.low, interval.high], "method": interval.method}
