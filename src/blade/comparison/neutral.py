"""Neutral values: what each row would be worth under both verifiers alike, and without what was set aside.

A kept row that both verifiers graded is worth their mean. A kept row whose very output is kept in the other run of the task too is
moved halfway to what it gets there. Any other kept row is worth its reward. c is the mean of these over a task's kept rows, and a
row that was set aside is taken to be worth c. The difference between a reward and its neutral value is the row's effect: the
verifier's where the row is kept, else that of infrastructure or truncation (half each where both struck).
"""

from dataclasses import dataclass

import numpy as np

from blade.comparison.booked import BookedRows
from blade.stats.counts import BoolArray, FloatArray, IntArray

TINY = 1e-12
"""Differences of rewards below this are rounding."""


@dataclass(frozen=True)
class SetAside:
    """Per task: the rows of one cause as a share of all its rows (a row with two causes is half of each), and their rewards likewise."""

    share: FloatArray
    reward: FloatArray
    rows: IntArray


@dataclass(frozen=True)
class NeutralSide:
    """One run, per task; tasks without booked rows have zeros, and `neutral` is NaN where no row is kept."""

    rows: IntArray
    mean: FloatArray
    kept: IntArray
    neutral: FloatArray
    verifier: FloatArray
    infrastructure: SetAside
    truncation: SetAside
    regraded_otherwise: IntArray
    """Kept rows whose neutral value is not their reward."""
    matched: IntArray
    """Kept rows whose output both verifiers are known to have graded."""

    @property
    def known(self) -> BoolArray:
        return self.kept > 0


def sides(a: BookedRows, b: BookedRows, tasks: int) -> tuple[NeutralSide, NeutralSide]:
    """Both runs of a pair, per task."""
    of_a, of_b = _shifts(a, b)
    return _side(a, *of_a, tasks), _side(b, *of_b, tasks)


def _side(run: BookedRows, shift: FloatArray, seen: BoolArray, tasks: int) -> NeutralSide:
    kept = run.kept
    graded_twice = kept & np.isfinite(run.regraded)
    shift = np.where(graded_twice, (run.regraded - run.reward) / 2, shift)
    shift = np.where(kept & (np.abs(shift) > TINY), shift, 0.0)

    def summed(values: FloatArray) -> FloatArray:
        return np.bincount(run.task, weights=values, minlength=tasks).astype(np.float64)

    def counted(which: BoolArray) -> IntArray:
        return np.bincount(run.task[which], minlength=tasks)

    rows, kept_rows = counted(np.ones(len(run), dtype=np.bool_)), counted(kept)
    size = np.maximum(rows, 1)
    neutral = np.where(kept_rows > 0, summed(np.where(kept, run.reward + shift, 0.0)) / np.maximum(kept_rows, 1), np.nan)

    def set_aside(flag: BoolArray, other: BoolArray) -> SetAside:
        part = np.where(flag, np.where(other, 0.5, 1.0), 0.0)
        return SetAside(summed(part) / size, summed(part * run.reward) / size, counted(flag))

    return NeutralSide(
        rows=rows,
        mean=summed(run.reward) / size,
        kept=kept_rows,
        neutral=neutral,
        verifier=-summed(shift) / size,
        infrastructure=set_aside(run.infrastructure, run.truncation),
        truncation=set_aside(run.truncation, run.infrastructure),
        regraded_otherwise=counted(shift != 0),
        matched=counted(graded_twice | (kept & seen)),
    )


def _shifts(a: BookedRows, b: BookedRows) -> tuple[tuple[FloatArray, BoolArray], tuple[FloatArray, BoolArray]]:
    """For each row, (g_A + g_B)/2 - g of its run over the kept rows of the same task with the same output; and whether there is such."""
    width = 1 + max((int(run.output.max()) for run in (a, b) if len(run)), default=-1)
    keys, values, which = [], [], []
    for run in (a, b):
        told = np.flatnonzero(run.kept & (run.output >= 0))
        keys.append(run.task[told] * width + run.output[told])
        values.append(run.reward[told])
        which.append(told)
    groups, number = np.unique(np.concatenate(keys), return_inverse=True)
    of_a, of_b = number[: keys[0].size], number[keys[0].size :]
    count_a, count_b = np.bincount(of_a, minlength=groups.size), np.bincount(of_b, minlength=groups.size)
    mean_a = np.bincount(of_a, weights=values[0], minlength=groups.size) / np.maximum(count_a, 1)
    mean_b = np.bincount(of_b, weights=values[1], minlength=groups.size) / np.maximum(count_b, 1)
    both = (count_a > 0) & (count_b > 0)
    middle = (mean_a + mean_b) / 2

    def spread(rows: int, places: IntArray, group: IntArray, mean: FloatArray) -> tuple[FloatArray, BoolArray]:
        shift, seen = np.zeros(rows), np.zeros(rows, dtype=np.bool_)
        shift[places] = np.where(both, middle - mean, 0.0)[group]
        seen[places] = both[group]
        return shift, seen

    return spread(len(a), which[0], of_a, mean_a), spread(len(b), which[1], of_b, mean_b)
