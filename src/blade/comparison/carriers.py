"""Who carries a failure mode in either run: per common task, how many of its failing rollouts do.

A mode of a diagnosis is a condition in SQL over `rollouts AS r`. Where it was made without looking at the reward it means the same in
any run, and both are asked; where it lists rollouts one by one it means nothing elsewhere, and each run is asked for its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blade.runs.run import Run
from blade.stats.counts import IntArray


@dataclass(frozen=True)
class Signature:
    """A mode by what it is, wherever it occurs."""

    code: str
    subject: str
    label: str
    title: str
    votes: int
    conditions: tuple[str | None, str | None]
    """In the first and in the second run; None where it was not found there and cannot be asked for."""
    same_question: bool
    """Whether both runs are asked the same; else each counts what its own diagnosis put under this name, which no test may compare."""


def signatures(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[Signature]:
    """The modes of two diagnoses, those with the most votes in either first. Titles and conditions are the second's where it has them."""
    sides = [{(mode["code"], mode["subject"]): mode for mode in document["modes"]} for document in (a, b)]
    found = []
    for key in dict.fromkeys((*sides[1], *sides[0])):
        own = [side.get(key) for side in sides]
        latest = own[1] or own[0]
        assert latest is not None
        blind = next((mode["condition"] for mode in reversed(own) if mode is not None and mode["reward_blind"]), None)
        conditions = (blind, blind) if blind is not None else tuple(None if mode is None else mode["condition"] for mode in own)
        votes = max(mode["votes"] for mode in own if mode is not None)
        found.append(Signature(*key, latest["label"], latest["title"], votes, (conditions[0], conditions[1]), blind is not None))
    return sorted(found, key=lambda one: -one.votes)


def failing(run: Run, full: float | None) -> str:
    """SQL for a rollout that fails; without a pass rule, one below the full reward (of both runs, so that it means the same in both)."""
    return f"NOT {run.passes}" if run.pass_rule.decides else "false" if full is None else f"r.reward < {full!r}"


def full_reward(a: Run, b: Run) -> float | None:
    return max((high for run in (a, b) if (high := run.reward_shape.high) is not None), default=None)


def failing_carriers(run: Run, condition: str | None, tasks: Sequence[str], full: float | None) -> IntArray:
    """For each task the failing rollouts that meet the condition."""
    if condition is None or not tasks:
        return np.zeros(len(tasks), dtype=np.int64)
    return by_task(run.query(carriers_query(run, condition, full)).rows, tasks)


def carriers_query(run: Run, condition: str, full: float | None) -> str:
    return f"SELECT r.task, count(*) FROM rollouts AS r WHERE r.class = 'scored' AND {failing(run, full)} AND ({condition}) GROUP BY 1"


def by_task(rows: Sequence[tuple[Any, ...]], tasks: Sequence[str]) -> IntArray:
    """Counts in the order of the tasks."""
    counts = dict(rows)
    return np.array([counts.get(task, 0) for task in tasks], dtype=np.int64)
