"""Who carries a failure mode in either run: per common task, how many of its failing rollouts do.

A mode of a diagnosis is a condition in SQL over `rollouts AS r`. Where it was made without looking at the reward it means the same in
any run, and is asked of both; where it lists rollouts one by one it means nothing elsewhere, and each run is asked for its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade.runs.run import Run
from blade.stats.counts import IntArray

LISTED: Final = "r.rollout IN ("
"""How a condition begins that names its rollouts."""


@dataclass(frozen=True)
class Signature:
    """A mode by what it is, wherever it occurs."""

    code: str
    subject: str
    label: str
    title: str
    conditions: tuple[str | None, str | None]
    """In the first and in the second run; None where it was not found there and cannot be asked for."""

    @property
    def same_question(self) -> bool:
        """Whether both runs are asked the same; else each counts what its own diagnosis put under this name, which a test must not compare."""
        a, b = self.conditions
        return a == b and a is not None and not a.startswith(LISTED)


def signatures(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[Signature]:
    """The modes of two diagnoses, those of the second first where they are met in both (its titles are the current ones)."""
    found: dict[tuple[str, str], Signature] = {}
    for modes, others in ((b, a), (a, b)):
        for mode in modes["modes"]:
            key = mode["code"], mode["subject"]
            if key not in found:
                twin = next((other for other in others["modes"] if (other["code"], other["subject"]) == key), None)
                here, there = mode["condition"], _elsewhere(mode, twin)
                pair = (there, here) if modes is b else (here, there)
                found[key] = Signature(*key, mode["label"], mode["title"], pair)
    return list(found.values())


def _elsewhere(mode: Mapping[str, Any], twin: Mapping[str, Any] | None) -> str | None:
    if twin is not None:
        return None if twin["condition"] is None else str(twin["condition"])
    condition = mode["condition"]
    return None if condition is None or str(condition).startswith(LISTED) else str(condition)


def failing_carriers(run: Run, condition: str | None, tasks: Sequence[str]) -> IntArray:
    """For each task the failing rollouts that meet the condition; without a pass rule, those below the full reward."""
    counts = np.zeros(len(tasks), dtype=np.int64)
    if condition is None or not tasks:
        return counts
    failed = (
        f"NOT {run.passes}" if run.pass_rule.decides else "r.reward < (SELECT max(reward) FROM rollouts WHERE class = 'scored')"
    )
    place = {task: number for number, task in enumerate(tasks)}
    rows = run.query(
        f"SELECT r.task, count(*) FROM rollouts AS r WHERE r.class = 'scored' AND {failed} AND ({condition}) GROUP BY 1"
    ).rows
    for task, count in rows:
        if task in place:
            counts[place[task]] = count
    return counts
