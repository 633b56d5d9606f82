"""The numbers of one run, from its task outcomes.

The task is the unit: repeats are averaged within a task, intervals are over tasks. Every rate has the number of tasks it is
about; what cannot be computed is None, never 0.
"""

import math
from typing import Any

import numpy as np

from blade import stats
from blade.runs.run import Outcomes, Run

USAGE = (
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "reasoning_tokens",
    "cached_tokens",
    "latency_ms",
    "steps",
    "tool_calls",
)
MOST_K = 64


@np.errstate(all="ignore")  # rewards may be beyond all range: what overflows is null, not a warning
def headline(run: Run) -> dict[str, Any]:
    """The booked score with its interval, the mean reward, and the buckets."""
    outcomes = run.outcomes
    return {"pass_at_1": pass_at_1(outcomes), "mean_reward": mean_reward(run), "buckets": bucket_counts(outcomes)}


@np.errstate(all="ignore")
def metrics(run: Run) -> dict[str, Any]:
    """All numbers of the contract's `metrics`."""
    outcomes = run.outcomes
    denominator = run.denominator
    scored = outcomes.scored > 0
    tried = outcomes.scored[scored]
    passed = None if outcomes.passed is None else outcomes.passed[scored]
    ks = _ks(tried)
    missing = _missing(run, outcomes)
    split = _variance_split(run, outcomes)
    detectable = _detectable(run, outcomes)
    found = {
        "pass_at_1": pass_at_1(outcomes),
        "pass_at_k": {} if passed is None else {str(k): _task_mean(stats.pass_at_k(passed, tried, k)) for k in ks},
        "pass_hat_k": {} if passed is None else {str(k): _task_mean(stats.pass_hat_k(passed, tried, k)) for k in ks},
        "mean_reward": mean_reward(run),
        "consistency": None if passed is None else stats.consistency(passed, tried),
        "coverage": stats.coverage(denominator.scored, denominator.expected),
        "retry_value": _retry_value(passed, tried),
        "oracle": stats.oracle(passed, tried) if passed is not None else stats.best_reward_oracle(outcomes.reward_best[scored]),
        "icc": None if split is None else split.icc,
        "variance": None if split is None else {"within": split.within, "between": split.between},
        "mde": _number(detectable.value),
        "mde_detail": {"low": _number(detectable.low), "high": _number(detectable.high), "method": detectable.method},
        "missing_as_failed": missing.missing_as_failed,
        "completed_only": missing.completed_only,
        "bounds": _bounds(missing),
        "usage": usage(run),
    }
    return {name: _finite(value) for name, value in found.items()}


def pass_at_1(outcomes: Outcomes) -> dict[str, Any]:
    """The booked pass rate; all null where there is no pass rule or nothing scored."""
    scored = outcomes.scored > 0
    if outcomes.passed is None or not scored.any():
        return {"value": None, "ci": None, "method": None, "tasks": int(scored.sum()), "se": None}
    passed, tried = outcomes.passed[scored], outcomes.scored[scored]
    means = stats.task_means(passed, tried)
    interval = stats.rate_interval(passed, tried)
    return {
        "value": float(np.mean(means)),
        "ci": None if interval is None else [interval.low, interval.high],
        "method": "none: one task" if interval is None else interval.method,
        "tasks": int(scored.sum()),
        "se": stats.clustered_standard_error(means),
    }


def mean_reward(run: Run) -> dict[str, Any]:
    """The booked mean reward. Two-valued rewards take the interval of a rate, on their own scale."""
    outcomes = run.outcomes
    scored = outcomes.scored > 0
    if not scored.any():
        return {"value": None, "ci": None, "method": None, "approximate": False}
    tried = outcomes.scored[scored]
    means = outcomes.reward_sum[scored] / tried
    value = _number(float(np.mean(means)))
    scale = _two_valued(run)
    interval = (
        stats.mean_interval(means) if scale is None else stats.two_valued_interval(outcomes.reward_sum[scored], tried, *scale)
    )
    ci = None if interval is None else [interval.low, interval.high]
    if ci is not None and not all(map(math.isfinite, ci)):
        ci = None
    method = "none: one task" if interval is None else interval.method
    return {"value": value, "ci": ci, "method": method, "approximate": interval is not None and interval.approximate}


def bucket_counts(outcomes: Outcomes) -> dict[str, int | None]:
    """Tasks that always, sometimes and never pass, and tasks without a scored rollout."""
    missing = int((outcomes.scored == 0).sum())
    if outcomes.passed is None:
        return {"always": None, "sometimes": None, "never": None, "missing": missing}
    found = stats.buckets(outcomes.passed, outcomes.scored)
    return {
        "always": int(found.always.sum()),
        "sometimes": int(found.sometimes.sum()),
        "never": int(found.never.sum()),
        "missing": int(found.missing.sum()),
    }


def usage(run: Run) -> dict[str, Any]:
    """Tokens, steps and latency over the rows that report them: mean, total, and how many rows that is about."""
    columns = ", ".join(f"avg({name}), sum({name})::DOUBLE, count({name})" for name in USAGE)
    row = run.query(f"SELECT {columns} FROM rollouts WHERE class IN ('scored', 'errored')").rows[0]
    found = {}
    for position, name in enumerate(USAGE):
        mean, total, count = row[3 * position : 3 * position + 3]
        if count:
            found[name] = {"mean": mean, "total": total, "rollouts": count}
    return found


def _ks(tried: Any) -> list[int]:
    """Every k up to the most attempts of a task; beyond 64 only powers of two and the last."""
    most = int(tried.max(initial=0))
    return [k for k in range(1, most + 1) if k <= MOST_K or k == most or k & (k - 1) == 0]


def _task_mean(mean: stats.TaskMean) -> dict[str, Any]:
    return {"value": mean.value, "tasks": mean.tasks}


def _retry_value(passed: Any, tried: Any) -> float | None:
    found = None if passed is None or not len(tried) else stats.retry_value(passed, tried)
    return None if found is None else found.value


def _bounds(missing: stats.MissingRows) -> list[float] | None:
    found = missing.bounds
    return None if found is None or not all(map(math.isfinite, found)) else list(found)


def _missing(run: Run, outcomes: Outcomes) -> stats.MissingRows:
    expected = np.maximum(outcomes.expected, outcomes.scored)
    if outcomes.passed is not None:
        return stats.missing_rows(outcomes.passed, outcomes.scored, expected)
    low, high = run.query("SELECT min(reward), max(reward) FROM rollouts WHERE class = 'scored'").rows[0]
    unseen = bool((expected > outcomes.scored).any())
    if low is None or (unseen and (low < 0 or high > 1)):  # how far an unseen reward could lie is not known
        scored = outcomes.scored > 0
        booked = float(np.mean(outcomes.reward_sum[scored] / outcomes.scored[scored])) if scored.any() else None
        return stats.MissingRows(None, _number(booked), None)
    return stats.missing_rows(outcomes.reward_sum, outcomes.scored, expected, worst=0.0, best=1.0)


def _task_variances(run: Run) -> tuple[Any, Any, Any]:
    found = run.db.execute("""
        SELECT avg(reward) AS mean, coalesce(var_samp(reward), 'nan'::DOUBLE) AS variance, count(*) AS n
        FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").fetchnumpy()
    return found["mean"], found["variance"], found["n"]


def _variance_split(run: Run, outcomes: Outcomes) -> stats.VarianceSplit | None:
    scored = outcomes.scored > 0
    if outcomes.passed is not None:
        return stats.rate_variance_split(outcomes.passed[scored], outcomes.scored[scored])
    return stats.variance_split(*_task_variances(run))


def _detectable(run: Run, outcomes: Outcomes) -> stats.Detectable:
    scored = outcomes.scored > 0
    if outcomes.passed is not None:
        return stats.detectable_rate(outcomes.passed[scored], outcomes.scored[scored])
    means, variances, tried = _task_variances(run)
    low, high = run.query("SELECT min(reward), max(reward) FROM rollouts WHERE class = 'scored'").rows[0]
    return stats.detectable_mean(means, variances, tried, span=(high - low if low is not None else 0.0) or 1.0)


def _two_valued(run: Run) -> tuple[float, float] | None:
    """The two rewards of a two-valued run (0/1 or −1/1), whatever the pass rule; None for any other."""
    shape = run.reward_shape
    return (0.0, 1.0) if shape.binary else (-1.0, 1.0) if shape.signed else None


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _finite(value: Any) -> Any:
    """The same with null for what overflowed: rewards may be beyond all range, JSON knows no infinity."""
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return _number(value) if isinstance(value, float) else value
