"""The smallest change that this pair of runs could have found: the minimum detectable effect at 80 % power, from the d_i observed."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from .detectable import (
    ALPHA,
    FEWEST_MOVED,
    MOST_TASKS_FOR_EXACT,
    POWER,
    TOO_FEW_TASKS,
    Detectable,
    minimum_detectable_effect,
)
from .intervals import wilson
from .mcnemar import mcnemar_power
from .paired import ADDED, pair_repeats, rate_differences
from .quantiles import normal_quantile, student_quantile

PRECISION = 1e-6


def detectable_difference_of_rates(
    successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike
) -> Detectable:
    """The detectable difference of two pass rates, on the tasks that both runs scored.

    With one repeat each it is what the exact McNemar test finds where as many tasks flip as did here, and the range comes from
    Wilson's interval of that share; otherwise the formula for means.
    """
    differences, tried_a, tried_b = rate_differences(successes_a, attempts_a, successes_b, attempts_b)
    tasks = differences.size
    if tasks < FEWEST_MOVED:
        return TOO_FEW_TASKS
    if max(tried_a.max(), tried_b.max()) > 1 or tasks > MOST_TASKS_FOR_EXACT:
        return detectable_difference(differences, pair_repeats(tried_a, tried_b))
    flipped = np.array([float((differences != 0).mean())])
    fewest, most = wilson(flipped, np.array([float(tasks)]), normal_quantile(1 - ALPHA / 2))
    value, low, high = (mcnemar_effect(share.item(), tasks) for share in (flipped, fewest, most))
    return Detectable(value, low, high, method="exact_mcnemar")


def detectable_difference(differences: ArrayLike, repeats: float, span: float = 1.0) -> Detectable:
    """(t_{.975,T−1} + z_.80)·sd(d)/√T + 1/(T·K) on a scale of width `span`, with the range that the doubt about sd(d) leaves.

    At least `FEWEST_MOVED` steps of the lattice: fewer are never significant. The upper end is no lower than with the two added
    tasks of the paired interval, so tasks that happened to agree everywhere do not promise too much.
    """
    values = np.asarray(differences, dtype=np.float64) / span
    tasks = values.size
    if tasks < FEWEST_MOVED:
        return TOO_FEW_TASKS
    squares = np.square(values - values.mean())
    variance = float(squares.sum()) / (tasks - 1)
    doubt = student_quantile(1 - ALPHA / 2, tasks - 1) * float(squares.std(ddof=1)) / sqrt(tasks)
    with_added = (float(squares.sum()) + ADDED / repeats) / (tasks + ADDED)
    spreads = (variance, max(0.0, variance - doubt), max(variance + doubt, with_added))
    value, low, high = (_effect(sqrt(spread), tasks, repeats, span) for spread in spreads)
    return Detectable(value, low, high, method="paired_t")


def _effect(sd: float, tasks: int, repeats: float, span: float) -> float | None:
    effect = max(minimum_detectable_effect(sd, tasks, repeats), FEWEST_MOVED / (tasks * repeats))
    return span * effect if effect <= 1 else None


def mcnemar_effect(flipping: float, tasks: int, power: float = POWER) -> float | None:
    """The gain that exact McNemar finds with this power where a share of `flipping` tasks flips; None where not even a gain of
    every task would be.

    A gain δ makes (flipping + δ)/2 of the tasks flip to pass and (flipping − δ)/2 to fail, and with δ above `flipping` none to fail.
    """

    def found(effect: float) -> float:
        flips = max(flipping, effect)
        return mcnemar_power(tasks, (flips + effect) / 2, (flips - effect) / 2, ALPHA)

    return least_effect(found, 1.0, power)


def least_effect(
    found: Callable[[float], float], most: float, power: float = POWER, precision: float = PRECISION, low: float = 0.0
) -> float | None:
    """The least effect from `low` to `most` that is found with this power, by bisection; None where not even `most` is."""
    high = most
    if found(high) < power:
        return None
    while high - low > precision:
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) >= power else (middle, high)
    return high
