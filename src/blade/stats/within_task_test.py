"""Does a signal go with lower rewards within tasks? A permutation test: the signal is dealt anew among the rollouts of each task.

Under the null any f_i of a task's n_i rollouts could have carried it. The lift's denominator stays the same, so the statistic is
the sum of the rewards of affected rollouts; for 0/1 rewards that is a sum of hypergeometric counts, whose distribution is exact by
convolution (the exact conditional test of Mehta, Patel and Gray 1985). Other rewards are enumerated where there are few ways to
deal, drawn at random where there are more, and beyond some hundred mixed tasks taken as normal with the exact variance (Hoeffding
1951). Two-sided: deals at least as far from the mean as the one seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import comb, erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray
from .errors import ImpossibleCounts
from .within_task import Split, patterns

DRAWS = 9_999
SEED = 12345
MOST_VARIANCE_EXACT = 2_500.0  # a standard deviation of 50 passes: beyond, the normal agrees to three digits
MOST_DEALS_EXACT = 20_000
MOST_DEALS_LISTED = 1_000
MOST_TASKS_DRAWN = 500
NEGLIGIBLE = 1e-20
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class WithinTaskTest:
    """The p-value and how it was found: exact, monte_carlo or normal."""

    p_value: float
    method: str


def within_task_test(of: Split, rewards: Sequence[ArrayLike] | None = None, seed: int = SEED) -> WithinTaskTest | None:
    """The test; None without a mixed task.

    `rewards` holds all rewards of each task of the split, in its order; without it the rewards are 0 and 1.
    """
    mixed = of.mixed
    if not mixed.any():
        return None
    told = of.where(mixed)
    if rewards is None:
        return _binary(told)
    if len(rewards) != mixed.size:
        raise ImpossibleCounts(f"rewards of {len(rewards)} tasks for a split of {mixed.size}")
    values = [np.asarray(rewards[int(place)], dtype=np.float64) for place in np.flatnonzero(mixed)]
    if any(value.size != size for value, size in zip(values, told.size, strict=True)):
        raise ImpossibleCounts("a task's rewards are not as many as its rollouts")
    return _general(told, values, seed)


def _tested(p_value: float, method: str) -> WithinTaskTest:
    """A p-value is never 0: below the least one that is told apart it is that one."""
    return WithinTaskTest(min(1.0, max(p_value, NEGLIGIBLE)), method)


def _binary(of: Split) -> WithinTaskTest:
    passes = np.rint(of.affected_sum + of.unaffected_sum)
    off = np.abs(of.affected_sum + of.unaffected_sum - passes) + np.abs(of.affected_sum - np.rint(of.affected_sum))
    if (off > ROUNDING).any() or (of.affected_sum > of.affected).any() or (of.unaffected_sum > of.unaffected).any():
        raise ImpossibleCounts("these are no sums of 0 and 1; give the rewards of each task")
    size = of.size
    expected = float((of.affected * passes / size).sum())
    away = abs(float(of.affected_sum.sum()) - expected)
    variance = float((of.affected * of.unaffected * passes * (size - passes) / (size**2.0 * (size - 1))).sum())
    if variance > MOST_VARIANCE_EXACT:
        return _tested(erfc(max(away - 0.5, 0.0) / sqrt(2 * variance)), "normal")
    distinct, counts = patterns(Split(of.affected, passes, of.unaffected, np.zeros(passes.size)))
    parts = [
        _power(_hypergeometric(int(affected + unaffected), int(passed), int(affected)), int(count))
        for affected, unaffected, passed, count in zip(
            distinct.affected, distinct.unaffected, distinct.affected_sum, counts, strict=True
        )
    ]
    least, chances = reduce(_convolve, sorted(parts, key=lambda part: part[1].size))
    far = np.abs(least + np.arange(chances.size) - expected) >= away - ROUNDING
    return _tested(1.0 if far.all() else float(chances[far].sum()), "exact")


Counted = tuple[int, FloatArray]
"""A distribution of a count: the least value and the chances from there on."""


def _hypergeometric(size: int, passes: int, drawn: int) -> Counted:
    least, most = max(0, drawn - (size - passes)), min(drawn, passes)
    ways = comb(size, drawn)
    return least, np.array([comb(passes, k) * comb(size - passes, drawn - k) / ways for k in range(least, most + 1)])


def _power(part: Counted, times: int) -> Counted:
    """The sum of so many independent counts, by squaring."""
    total: Counted | None = None
    while True:
        if times & 1:
            total = part if total is None else _convolve(total, part)
        times >>= 1
        if not times:
            return total if total is not None else (0, np.ones(1))
        part = _convolve(part, part)


def _convolve(one: Counted, other: Counted) -> Counted:
    chances = np.convolve(one[1], other[1])
    kept = np.flatnonzero(chances > NEGLIGIBLE)
    return one[0] + other[0] + int(kept[0]), chances[kept[0] : kept[-1] + 1]


def _general(of: Split, rewards: list[FloatArray], seed: int) -> WithinTaskTest:
    every, sizes = np.concatenate(rewards), of.size
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    means = np.add.reduceat(every, starts) / sizes
    away = abs(float((of.affected_sum - of.affected * means).sum()))
    if len(rewards) > MOST_TASKS_DRAWN:
        spread = np.add.reduceat(np.square(every - np.repeat(means, sizes)), starts) / (sizes - 1)
        variance = float((of.affected * of.unaffected / sizes * spread).sum())
        return _tested(erfc(away / sqrt(2 * variance)) if variance > 0 else 1.0, "normal")
    slack = ROUNDING * max(1.0, float(np.abs(every).max()))
    deals = [comb(int(n), int(f)) for n, f in zip(sizes, of.affected, strict=True)]
    centred = [value - mean for value, mean in zip(rewards, means, strict=True)]
    if _product_at_most(deals, MOST_DEALS_EXACT):
        sums = reduce(
            lambda total, task: np.add.outer(total, task).ravel(),
            (_dealt(value, int(f)) for value, f in zip(centred, of.affected, strict=True)),
        )
        return _tested(float((np.abs(sums) >= away - slack).mean()), "exact")
    rng = np.random.default_rng(seed)
    total = np.zeros(DRAWS)
    for value, f, ways in zip(centred, of.affected, deals, strict=True):
        if ways <= MOST_DEALS_LISTED:
            total += _dealt(value, int(f))[rng.integers(0, ways, DRAWS)]
        else:
            drawn = rng.random((DRAWS, value.size)).argpartition(int(f), axis=1)[:, : int(f)]
            total += value[drawn].sum(axis=1)
    as_far = int((np.abs(total) >= away - slack).sum())
    return _tested((1 + as_far) / (1 + DRAWS), "monte_carlo")


def _dealt(rewards: FloatArray, affected: int) -> FloatArray:
    """The sum of affected rewards in every way to deal the signal to so many of these rollouts."""
    return np.array([sum(chosen) for chosen in combinations(rewards.tolist(), affected)])


def _product_at_most(factors: Sequence[int], most: int) -> bool:
    product = 1
    for factor in factors:
        product *= factor
        if product > most:
            return False
    return True
