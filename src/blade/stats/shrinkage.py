"""What the tasks of a run tell of one task with few repeats: empirical Bayes for pass rates.

Task rates are drawn from a beta distribution with the mean of the run and a correlation ρ between the repeats of a task: a + b =
1/ρ − 1 (Skellam 1948). How well each ρ of a grid fits the counts weighs it; nothing is maximised, so one repeat, few tasks or tasks
that all agree need no special care: where the counts say little, many ρ stay in play.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts

CORRELATIONS: FloatArray = np.linspace(0.025, 0.975, 20)
HALF_A_TASK = 0.5  # keeps the mean of a run that always or never passes off the ends


@dataclass(frozen=True, slots=True)
class RatePrior:
    """Beta distributions a, b of the task rates, one for each correlation, with the weight that the counts give to it."""

    a: FloatArray
    b: FloatArray
    weights: FloatArray

    @property
    def correlation(self) -> float:
        return float(self.weights @ CORRELATIONS)


def rate_prior(successes: ArrayLike, attempts: ArrayLike) -> RatePrior:
    """The prior of a run's task rates, from its scored tasks."""
    passed, tried = task_counts(successes, attempts)
    seen = tried > 0
    passed, tried = passed[seen], tried[seen]
    a, b = betas(mean_rate(passed / tried))
    (c, n), counts = distinct(passed, tried)
    fit = log_beta_binomial(c[:, None], n[:, None], a, b)
    return RatePrior(a, b, normalised(counts @ fit))


def mean_rate(means: FloatArray) -> float:
    """Mean of the task means, with half a task that passes and half a task that fails added."""
    return (float(means.sum()) + HALF_A_TASK) / (means.size + 2 * HALF_A_TASK)


def betas(mean: float) -> tuple[FloatArray, FloatArray]:
    """a and b of the beta distributions with this mean, one for each correlation of the grid."""
    strength = 1.0 / CORRELATIONS - 1.0
    return mean * strength, (1.0 - mean) * strength


def within_variances(successes: ArrayLike, attempts: ArrayLike, prior: RatePrior | None = None) -> FloatArray:
    """E[p(1−p)] of each task given its counts: the variance within it, never 0 however its few repeats agree.

    A task without a scored rollout takes what the prior expects.
    """
    passed, tried = task_counts(successes, attempts)
    known = prior or rate_prior(passed, tried)
    a, b = known.a + passed[:, None], known.b + (tried - passed)[:, None]
    variances: FloatArray = (a * b / ((a + b) * (a + b + 1))) @ known.weights
    return variances


def log_beta_binomial(passed: IntArray, tried: IntArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Log chance of these very passes and failures, in their order, under a beta-distributed rate."""
    from scipy.special import betaln

    chance: FloatArray = betaln(a + passed, b + tried - passed) - betaln(a, b)
    return chance


def normalised(logs: FloatArray) -> FloatArray:
    """Weights that sum to 1 from their logarithms."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def distinct(*columns: IntArray) -> tuple[tuple[IntArray, ...], IntArray]:
    """The different tasks, and how often each occurs."""
    rows, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    return tuple(rows.T), counts
