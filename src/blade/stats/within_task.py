"""Rollouts with a signal against rollouts of the same task without it.

The difficulty of a task cancels within it, so only tasks that have both kinds (mixed tasks) say what the signal costs. A run is a
`Split`: per task, how many scored rollouts carry the signal (affected, passing ones too) and how many do not, with the sums of
their rewards. That is all that lift and gain need, so a database can make it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import BoolArray, FloatArray, IntArray, whole_numbers
from .errors import ImpossibleCounts


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Counts and reward sums per task, arrays of equal length. Tasks without an affected rollout may be left out."""

    affected: IntArray
    affected_sum: FloatArray
    unaffected: IntArray
    unaffected_sum: FloatArray

    @property
    def size(self) -> IntArray:
        return self.affected + self.unaffected

    @property
    def mixed(self) -> BoolArray:
        return (self.affected > 0) & (self.unaffected > 0)

    @property
    def affected_mean(self) -> FloatArray:
        """a_i; 0 where no rollout is affected, and then nothing multiplies it but 0."""
        return self.affected_sum / np.maximum(self.affected, 1)

    @property
    def unaffected_mean(self) -> FloatArray:
        return self.unaffected_sum / np.maximum(self.unaffected, 1)

    def where(self, chosen: BoolArray) -> "Split":
        return Split(self.affected[chosen], self.affected_sum[chosen], self.unaffected[chosen], self.unaffected_sum[chosen])


def split(affected: ArrayLike, affected_sum: ArrayLike, unaffected: ArrayLike, unaffected_sum: ArrayLike) -> Split:
    """A `Split` from plain arrays, refused when they cannot belong to one run; tasks without any rollout are left out."""
    with_it, without = whole_numbers(affected, "affected rollouts"), whole_numbers(unaffected, "unaffected rollouts")
    sums = np.asarray(affected_sum, dtype=np.float64), np.asarray(unaffected_sum, dtype=np.float64)
    if not with_it.shape == without.shape == sums[0].shape == sums[1].shape:
        raise ImpossibleCounts("affected and unaffected rollouts must be given for the same tasks")
    if not all(bool(np.isfinite(each).all()) for each in sums):
        raise ImpossibleCounts("reward sums must be finite")
    return Split(with_it, sums[0], without, sums[1]).where(with_it + without > 0)


def split_rows(tasks: ArrayLike, affected: ArrayLike, rewards: ArrayLike) -> Split:
    """A `Split` from rollouts one by one, the tasks in the order of their ids."""
    names, place = np.unique(np.asarray(tasks), return_inverse=True)
    carries, values = np.asarray(affected, dtype=bool), np.asarray(rewards, dtype=np.float64)

    def summed(chosen: BoolArray, weights: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(place[chosen], weights[chosen], names.size), dtype=np.float64)

    one = np.ones(values.size)
    return split(summed(carries, one), summed(carries, values), summed(~carries, one), summed(~carries, values))


def mantel_haenszel(of: Split) -> float | None:
    """Σ h_i (b_i − a_i) / Σ h_i over mixed tasks, h_i = f_i u_i / n_i (Mantel and Haenszel 1959); None without a mixed task.

    The risk difference of Greenland and Robins (1985): what a rollout with the signal scores less than one without it, averaged
    over tasks by how much each can tell.
    """
    weight, weighted = haenszel_terms(of)
    total = float(weight.sum())
    return float(weighted.sum()) / total if total > 0 else None


def haenszel_terms(of: Split) -> tuple[FloatArray, FloatArray]:
    """h_i and h_i (b_i − a_i) of each task; both 0 where it is not mixed."""
    weight = of.affected * of.unaffected / of.size
    return weight, (of.affected * of.unaffected_sum - of.unaffected * of.affected_sum) / of.size


def patterns(of: Split) -> tuple[Split, IntArray]:
    """The distinct tasks, and how often each occurs: with 0/1 rewards and few repeats there are few, however long the run."""
    columns = (of.affected.astype(np.float64), of.affected_sum, of.unaffected.astype(np.float64), of.unaffected_sum)
    distinct, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    return (
        Split(distinct[:, 0].astype(np.int64), distinct[:, 1], distinct[:, 2].astype(np.int64), distinct[:, 3]),
        counts.astype(np.int64),
    )
