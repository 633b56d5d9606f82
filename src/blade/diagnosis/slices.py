"""Slices: do some kinds of tasks fare worse than the rest?

Every value of every slice field is compared with all other tasks by a permutation test over tasks (the task is what was drawn, so
repeats of one task count once), and the p-values are adjusted by Holm for the number of tests: looking at many slices, the worst one
always looks bad. The two values of a field that has only two make one test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade import stats
from blade.diagnosis.slice_fields import FEWEST_TASKS, SliceField, field_expression, slice_fields
from blade.runs.quoting import literal
from blade.runs.run import Run

CORRECTION: Final = "holm"


@dataclass(frozen=True)
class Slices:
    slices: list[dict[str, Any]]
    """The contract's keys, most striking first: by, value, tasks, pass_at_1, ci, p_adjusted, and more beside them."""
    tests: int
    refused: dict[str, str]


def slices(run: Run, named: Sequence[str] = ()) -> Slices:
    """All slices with at least five tasks, over the fields that were found and those `named` by the benchmark."""
    chosen = slice_fields(run, named)
    found: list[dict[str, Any]] = []
    tests: list[int] = []  # for each slice, the number of its test
    p_values: list[float] = []
    scores = _Scores(run)
    with np.errstate(all="ignore"):
        for field in chosen.fields:
            made = _slices_of(field, scores)
            paired = len(made) == 2 and made[0]["tasks"] + made[1]["tasks"] == made[0]["tasks"] + made[0]["rest_tasks"]
            for place, slice_ in enumerate(made):
                if place == 0 or not paired:
                    p_values.append(slice_["p_value"])
                else:
                    slice_["p_value"] = p_values[-1]
                tests.append(len(p_values) - 1)
            found += made
    adjusted = stats.holm(p_values)
    for slice_, test in zip(found, tests, strict=True):
        slice_ |= {"p_adjusted": float(adjusted[test]), "tests": len(p_values), "correction": CORRECTION}
    found.sort(key=lambda slice_: (slice_["p_adjusted"], slice_["p_value"]))
    return Slices(found, len(p_values), chosen.refused)


def slice_query(run: Run, by: str, value: str) -> str:
    """Mean score per task and whether it is in the slice, for the estimator `slice_test` of a claim."""
    return (
        f"SELECT task, avg({_score(run)}) AS mean, coalesce(min({field_expression(run, by)}) = {literal(value)}, false) AS inside "
        "FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task"
    )


def slice_rate_query(run: Run, by: str, value: str) -> str:
    """The tasks of a slice, for the estimators `rate_interval` (with a pass rule) and `mean_interval` of a claim."""
    counts = f"count(*) FILTER ({run.passes}) AS passed" if run.pass_rule.decides else "sum(reward) AS reward_sum"
    return (
        f"SELECT task, {counts}, count(*) AS scored FROM rollouts "
        f"WHERE class = 'scored' AND {field_expression(run, by)} = {literal(value)} GROUP BY task ORDER BY task"
    )


class _Scores:
    """Per scored task, in the order of the ids: mean score, passes and scored rollouts."""

    def __init__(self, run: Run) -> None:
        self.binary = run.pass_rule.decides
        found = run.db.execute(f"""
            SELECT avg({_score(run)})::DOUBLE AS mean, count(*) FILTER ({run.passes}) AS passed, count(*) AS scored
            FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").fetchnumpy()
        self.means, self.passed, self.scored = (np.asarray(found[name]) for name in ("mean", "passed", "scored"))

    def interval(self, inside: Any) -> stats.Interval | None:
        if self.binary:
            return stats.rate_interval(self.passed[inside], self.scored[inside])
        return stats.mean_interval(self.means[inside])


def _slices_of(field: SliceField, scores: _Scores) -> list[dict[str, Any]]:
    made = []
    for value in sorted({value for value in field.values if value is not None}):
        inside = field.values == value
        count, rest = int(inside.sum()), int((~inside).sum())
        if min(count, rest) < FEWEST_TASKS:
            continue
        tested = stats.slice_test(scores.means, inside)
        if tested is None or not np.isfinite([tested.mean, tested.rest, tested.p_value]).all():
            continue
        interval = scores.interval(inside)
        made.append(
            {
                "by": field.name,
                "value": value,
                "tasks": count,
                "pass_at_1": tested.mean if scores.binary else None,
                "ci": None if interval is None else [interval.low, interval.high],
                "p_adjusted": None,
                "p_value": tested.p_value,
                "test": tested.method,
                "rest_tasks": rest,
                "rest_pass_at_1": tested.rest if scores.binary else None,
                "mean_reward": None if scores.binary else tested.mean,
                "rest_mean_reward": None if scores.binary else tested.rest,
            }
        )
    return made


def _score(run: Run) -> str:
    return f"CAST({run.passes} AS INTEGER)" if run.pass_rule.decides else "reward"
