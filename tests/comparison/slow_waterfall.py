"""The waterfall written down row by row from its definition, as slow and plain as it reads: the oracle of the fast one."""

import math
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Any

import numpy as np

from blade.comparison.waterfall import BookedRows


@dataclass(frozen=True)
class Row:
    task: Hashable
    reward: float
    infrastructure: bool = False
    truncation: bool = False
    output: str | None = None
    regraded: float | None = None

    @property
    def kept(self) -> bool:
        return not (self.infrastructure or self.truncation)


@dataclass(frozen=True)
class Case:
    a: tuple[Row, ...]
    b: tuple[Row, ...]
    expected_a: frozenset[Hashable]
    expected_b: frozenset[Hashable]
    slices: dict[Hashable, int]

    @property
    def swapped(self) -> "Case":
        return Case(self.b, self.a, self.expected_b, self.expected_a, self.slices)

    @property
    def tasks(self) -> list[Hashable]:
        return sorted(self.expected_a | self.expected_b, key=repr)

    def arrays(self) -> tuple[BookedRows, BookedRows, Any, Any, Any]:
        """What `waterfall` takes."""
        tasks = self.tasks
        number = {task: index for index, task in enumerate(tasks)}
        codes = {output: code for code, output in enumerate(sorted({row.output for row in self.a + self.b if row.output}))}

        def booked(rows: Sequence[Row]) -> BookedRows:
            return BookedRows(
                np.array([number[row.task] for row in rows], dtype=np.int64),
                np.array([row.reward for row in rows], dtype=np.float64),
                np.array([row.infrastructure for row in rows], dtype=np.bool_),
                np.array([row.truncation for row in rows], dtype=np.bool_),
                np.array([-1 if row.output is None else codes[row.output] for row in rows], dtype=np.int64),
                np.array([math.nan if row.regraded is None else row.regraded for row in rows], dtype=np.float64),
            )

        return (
            booked(self.a),
            booked(self.b),
            np.array([task in self.expected_a for task in tasks], dtype=np.bool_),
            np.array([task in self.expected_b for task in tasks], dtype=np.bool_),
            np.array([self.slices[task] for task in tasks], dtype=np.int64),
        )


Terms = dict[str | tuple[str, int], float]


def slow_waterfall(case: Case) -> Terms:
    """Every term by name, a change by ("change", slice)."""
    runs = {"A": case.a, "B": case.b}
    rows = {name: {task: [row for row in run if row.task == task] for task in case.tasks} for name, run in runs.items()}
    scored = {name: [task for task in case.tasks if rows[name][task]] for name in runs}
    m = {name: {task: fmean(row.reward for row in rows[name][task]) for task in scored[name]} for name in runs}
    score = {name: fmean(m[name].values()) for name in runs}
    meant = case.expected_a & case.expected_b
    common = [task for task in case.tasks if task in meant and rows["A"][task] and rows["B"][task]]
    terms: Terms = dict.fromkeys(("task_set", "missing", "infrastructure", "verifier", "truncation", "remainder"), 0.0)
    if not common:
        return terms | {"task_set": score["B"] - score["A"]}
    w = 1 / len(common)
    on_meant = {name: fmean(m[name][task] for task in scored[name] if task in meant) for name in runs}
    on_common = {name: w * sum(m[name][task] for task in common) for name in runs}
    terms["task_set"] = (score["B"] - on_meant["B"]) - (score["A"] - on_meant["A"])
    terms["missing"] = (on_meant["B"] - on_common["B"]) - (on_meant["A"] - on_common["A"])

    def neutral(name: str, row: Row) -> float:
        if row.regraded is not None:
            return (row.reward + row.regraded) / 2
        same = {run: [other.reward for other in rows[run][row.task] if other.kept and other.output == row.output] for run in runs}
        if row.output is not None and same["A"] and same["B"]:
            return row.reward + (fmean(same["A"]) + fmean(same["B"])) / 2 - fmean(same[name])
        return row.reward

    c: dict[str, dict[Hashable, float]] = {
        name: {
            task: fmean(neutral(name, row) for row in rows[name][task] if row.kept)
            for task in common
            if any(row.kept for row in rows[name][task])
        }
        for name in runs
    }
    both = [task for task in common if task in c["A"] and task in c["B"]]
    neither = []
    deltas = {
        number: fmean(c["B"][task] - c["A"][task] for task in ([t for t in both if case.slices[t] == number] or both))
        for number in {case.slices[task] for task in common}
        if both
    }
    for task in common:
        in_a, in_b = task in c["A"], task in c["B"]
        if not both or not (in_a or in_b):
            neither.append(task)
        elif not in_b:
            c["B"][task] = c["A"][task] + deltas[case.slices[task]]
        elif not in_a:
            c["A"][task] = c["B"][task] - deltas[case.slices[task]]
    for task in common:
        if task in neither:
            terms["remainder"] += w * (m["B"][task] - m["A"][task])
            continue
        for name, sign in (("A", -1), ("B", 1)):
            for row in rows[name][task]:
                effect = sign * w / len(rows[name][task])
                if row.kept:
                    terms["verifier"] += effect * (row.reward - neutral(name, row))
                else:
                    effect *= row.reward - c[name][task]
                    terms["infrastructure"] += effect * row.infrastructure / (row.infrastructure + row.truncation)
                    terms["truncation"] += effect * row.truncation / (row.infrastructure + row.truncation)
        key = ("change", case.slices[task])
        terms[key] = terms.get(key, 0.0) + w * (c["B"][task] - c["A"][task])
    return terms


def slow_spread(case: Case, draws: int, seed: int) -> Terms:
    """The standard deviation of every term over runs whose tasks were drawn again: only A, only B, and the common ones by slice."""
    chance = random.Random(seed)
    of_a, of_b = {row.task for row in case.a}, {row.task for row in case.b}
    strata: dict[Hashable, list[Hashable]] = {}
    for task in case.tasks:
        if task in of_a or task in of_b:
            stratum: Hashable = case.slices[task] if task in of_a and task in of_b else (task in of_a, "only")
            strata.setdefault(stratum, []).append(task)
    drawn = [slow_waterfall(_drawn(case, strata, chance)) for _ in range(draws)]
    names = {name for terms in drawn for name in terms}
    return {name: stdev(terms.get(name, 0.0) for terms in drawn) for name in names}


def _drawn(case: Case, strata: dict[Hashable, list[Hashable]], chance: random.Random) -> Case:
    a: list[Row] = []
    b: list[Row] = []
    expected_a, expected_b, slices = set(), set(), {}
    for tasks in strata.values():
        for number, task in enumerate(chance.choices(tasks, k=len(tasks))):
            name = (task, number, tasks[0])
            a += [replace(row, task=name) for row in case.a if row.task == task]
            b += [replace(row, task=name) for row in case.b if row.task == task]
            slices[name] = case.slices[task]
            expected_a |= {name} if task in case.expected_a else set()
            expected_b |= {name} if task in case.expected_b else set()
    return Case(tuple(a), tuple(b), frozenset(expected_a), frozenset(expected_b), slices)
