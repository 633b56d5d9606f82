"""Where the noise of a run comes from: repeats of one task (within) or the choice of tasks (between).

The split tells whether more repeats or more tasks buy precision: the variance of the score is between/T + within/(T K). With
unequal repeats, `within` is the plain mean of the tasks' own variances (over the tasks with at least two attempts) and K is
the harmonic mean of the attempts, because a task mean carries within/n_i and the mean of 1/n_i is 1/K. This is unbiased as
long as noisy tasks are not repeated more often than quiet ones.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, scored_counts, whole_numbers
from .errors import ImpossibleCounts


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Variance of the scores within a task, and of the tasks' true means.

    `between` is an estimate that can fall below 0 by chance; it is then 0. The share `icc` is None when nothing varies at all.
    """

    within: float
    between: float
    icc: float | None


def binary_variances(successes: ArrayLike, attempts: ArrayLike) -> FloatArray:
    """Unbiased variance p(1-p) n/(n-1) of the 0/1 outcomes of each scored task; NaN where there is one attempt."""
    passed, tried = scored_counts(successes, attempts)
    rate = passed / tried
    return np.where(tried > 1, rate * (1.0 - rate) * tried / np.maximum(tried - 1, 1), np.nan)


def within_variance(variances: ArrayLike) -> float | None:
    """Mean of the per-task variances that exist; None when no task has two attempts."""
    known = known_variances(variances)
    return float(known.mean()) if known.size else None


def known_variances(variances: ArrayLike) -> FloatArray:
    """The per-task variances of the tasks with at least two attempts, marked by not being NaN."""
    values = np.asarray(variances, dtype=np.float64)
    known: FloatArray = values[~np.isnan(values)]
    return known


def harmonic_repeats(attempts: ArrayLike) -> float:
    """K: the harmonic mean of the attempts, the number of repeats that the average task mean is worth."""
    tried = whole_numbers(attempts, "attempts")
    return float(tried.size / (1.0 / tried).sum())


def variance_split(means: ArrayLike, variances: ArrayLike, attempts: ArrayLike) -> VarianceSplit | None:
    """Split of the variance from each scored task's mean, sample variance (ddof 1, NaN for one attempt) and attempts.

    s_w^2 = mean of the variances; s_b^2 = Var(m_i) - s_w^2/K; ICC = s_b^2/(s_b^2 + s_w^2) (Fisher 1925).
    None when no task has two attempts, or below two tasks.
    """
    centres, tried = np.asarray(means, dtype=np.float64), whole_numbers(attempts, "attempts")
    if centres.shape != tried.shape:
        raise ImpossibleCounts(f"{centres.size} means for {tried.size} attempt counts")
    within = within_variance(variances)
    if within is None or centres.size < 2:
        return None
    observed = 0.0 if centres.min() == centres.max() else float(centres.var(ddof=1))
    between = max(0.0, observed - within / harmonic_repeats(tried))
    total = between + within
    return VarianceSplit(within, between, icc=between / total if total > 0 else None)


def rate_variance_split(successes: ArrayLike, attempts: ArrayLike) -> VarianceSplit | None:
    """The split for passes and failures, over the tasks with a scored rollout."""
    passed, tried = scored_counts(successes, attempts)
    return variance_split(passed / tried, binary_variances(passed, tried), tried)
