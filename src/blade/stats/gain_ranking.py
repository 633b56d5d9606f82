"""In which order to fix: estimates that were not chosen for being large.

The largest of many noisy estimates is too large (the winner's curse). With enough tasks a mode is ranked by its estimate on the half
of them that did not serve to find it; with fewer, all estimates are drawn towards their mean as far as their own noise demands
(empirical Bayes, Morris 1983, with the variance of DerSimonian and Laird 1986).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray
from .errors import ImpossibleCounts
from .gain import Gain
from .quantiles import student_quantile

ENOUGH_TASKS_TO_HALVE = 100
LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Ranking:
    """The value to rank by, and whether it is the held-out estimate or a shrunken one; both None where nothing can be ranked."""

    value: float | None
    by: str | None


def shrunken(estimates: ArrayLike, deviations: ArrayLike) -> FloatArray:
    """Each estimate drawn towards their precision-weighted mean: mean + τ²/(τ² + sd²) (estimate − mean)."""
    given, variance = np.asarray(estimates, dtype=np.float64), np.square(np.asarray(deviations, dtype=np.float64))
    if given.shape != variance.shape:
        raise ImpossibleCounts(f"{given.size} estimates for {variance.size} deviations")
    if given.size < 2:
        return given.copy()
    variance = np.maximum(variance, LEAST_VARIANCE)
    between = _between(given, variance)
    weight = 1.0 / (variance + between)
    mean = np.average(given, weights=weight)
    drawn: FloatArray = mean + between / (between + variance) * (given - mean)
    return drawn


def rankings(whole: Sequence[Gain], mixed: Sequence[int], held_out: Sequence[Gain | None]) -> list[Ranking]:
    """How to rank modes by their gains on all tasks (with the number of mixed ones) and, where there are, on the held-out half.

    A mode whose held-out half has too few mixed tasks takes the shrunken value. A gain of 0 or less is not ranked.
    """
    if not len(whole) == len(mixed) == len(held_out):
        raise ImpossibleCounts("one gain on all tasks, one count and one held-out gain for each mode")
    known = [place for place, gain in enumerate(whole) if gain.estimate is not None]
    deviations = [_deviation(whole[place], mixed[place]) for place in known]
    drawn = dict(zip(known, shrunken([whole[place].estimate or 0.0 for place in known], deviations).tolist(), strict=True))
    found = []
    for place, apart in enumerate(held_out):
        if place not in drawn:
            found.append(Ranking(None, None))
            continue
        value, by = (apart.estimate, "held_out") if apart and apart.estimate is not None else (drawn[place], "shrunken")
        found.append(Ranking(value, by) if value > 0 else Ranking(None, None))
    return found


def _deviation(gain: Gain, mixed: int) -> float:
    if gain.interval is None:
        return 0.0
    return (gain.interval.high - gain.interval.low) / (2 * student_quantile(0.975, mixed - 1))


def _between(given: FloatArray, variance: FloatArray) -> float:
    weight = 1.0 / variance
    mean = np.average(given, weights=weight)
    excess = float((weight * np.square(given - mean)).sum()) - (given.size - 1)
    scale = float(weight.sum() - np.square(weight).sum() / weight.sum())
    return max(0.0, excess / scale) if scale > 0 else 0.0
