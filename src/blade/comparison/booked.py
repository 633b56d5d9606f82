"""The booked rows of a run, as arrays: what the waterfall takes.

A booked row is a scored row (the first of duplicates). Whether it is *set aside* is told without its reward: infrastructure ended
the rollout, or a limit cut it off. Rows that are not set aside are *kept*.
"""

from dataclasses import dataclass

import numpy as np

from blade.stats.counts import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class BookedRows:
    """One entry per booked row; tasks and outputs are numbered alike in both runs of a pair.

    task: index in the list of all task keys (id, definition) of both runs. reward: 0/1 by the pass rule, or the reward itself.
    output: the code of what the rollout put out, -1 where there is nothing to compare. regraded: the grade by the other run's
    verifier, NaN where it is not known.
    """

    task: IntArray
    reward: FloatArray
    infrastructure: BoolArray
    truncation: BoolArray
    output: IntArray
    regraded: FloatArray

    def __len__(self) -> int:
        return int(self.task.size)

    @property
    def kept(self) -> BoolArray:
        return ~(self.infrastructure | self.truncation)


@dataclass(frozen=True)
class KeptMeans:
    """The comparison without the rows that were set aside: the tasks that have kept rows in both runs, by their own verifiers."""

    task: IntArray
    a: FloatArray
    b: FloatArray
    rows_a: IntArray
    rows_b: IntArray


def without_set_aside(a: BookedRows, b: BookedRows, tasks: int) -> KeptMeans:
    """The task means of the kept rows, over the tasks that have some in both runs."""
    sums, counts = [], []
    for run in (a, b):
        kept = run.kept
        counts.append(np.bincount(run.task[kept], minlength=tasks))
        sums.append(np.bincount(run.task[kept], weights=run.reward[kept], minlength=tasks))
    both = np.flatnonzero((counts[0] > 0) & (counts[1] > 0))
    rows_a, rows_b = counts[0][both], counts[1][both]
    return KeptMeans(both, sums[0][both] / rows_a, sums[1][both] / rows_b, rows_a, rows_b)
