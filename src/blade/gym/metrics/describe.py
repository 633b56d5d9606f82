"""Mean, maximum, minimum, median and sample standard deviation of every field of every group, all groups at once.

A group is a task, or all rollouts of an agent. A value that is missing (NaN) is skipped. The rule of the reference for a standard
deviation that does not exist: in a group where no field has one (a single rollout), fields without a missing value get 0;
elsewhere it is left out. What is left out is NaN here.
"""

from collections.abc import Sequence

import numpy as np

from blade.stats.counts import BoolArray, FloatArray, IntArray

STATS = ("mean", "max", "min", "median", "std")


def describe(columns: Sequence[FloatArray], group: IntArray, groups: int) -> FloatArray:
    """Values as [group, stat, field], in the order of `STATS` and `columns`; `group` says to which group each row belongs."""
    described = np.full((groups, len(STATS), len(columns)), np.nan)
    counts = np.zeros((groups, len(columns)), dtype=np.int64)
    for number, column in enumerate(columns):
        counts[:, number] = _describe_field(column, group, groups, described[:, :, number])
    rows = np.bincount(group, minlength=groups)
    no_spread = np.all(counts < 2, axis=1, keepdims=True)
    whole = no_spread & (counts == rows[:, None]) & (counts > 0)
    described[:, STATS.index("std"), :][whole] = 0.0
    return described


def _describe_field(column: FloatArray, group: IntArray, groups: int, out: FloatArray) -> IntArray:
    """Fill one field's five figures into `out` [group, stat]; returns the number of values per group."""
    known = np.isfinite(column)
    values, of = column[known], group[known]
    order = np.lexsort((values, of))
    values, of = values[order], of[order]
    counts = np.bincount(of, minlength=groups)
    present = counts > 0
    last = np.cumsum(counts)[present] - 1
    first = last - counts[present] + 1
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.bincount(of, weights=values, minlength=groups)[present] / counts[present]
        low, high = values[first], values[last]
        mean = np.clip(mean, low, high)  # rounding must not carry a mean of equal values beyond them
        out[present, 0], out[present, 1], out[present, 2] = mean, high, low
        out[present, 3] = (values[(first + last) // 2] + values[(first + last + 1) // 2]) / 2
        out[present, 4] = _deviation(values, of, counts, present, mean)
    return counts.astype(np.int64)


def _deviation(values: FloatArray, of: IntArray, counts: IntArray, present: BoolArray, mean: FloatArray) -> FloatArray:
    """Sample standard deviation (ddof 1); NaN below two values."""
    centre = np.zeros(counts.size)
    centre[present] = mean
    squares = np.bincount(of, weights=np.square(values - centre[of]), minlength=counts.size)[present]
    enough = counts[present] > 1
    return np.where(enough, np.sqrt(squares / np.maximum(counts[present] - 1, 1)), np.nan)
