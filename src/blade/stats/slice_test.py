"""Is one slice of the tasks harder than the rest? A permutation test over tasks, because the task is what was drawn.

The statistic is the difference of the mean task scores. Task means of few repeats take few values, so a deal of tasks to the slice
is a draw from a multivariate hypergeometric; means without such structure are shuffled. With many tasks the difference is normal
with the variance of sampling without replacement (Hoeffding 1951). Two-sided.
"""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .counts import BoolArray, FloatArray
from .errors import ImpossibleCounts

DRAWS = 9_999
SEED = 12345
MOST_TASKS_DRAWN = 2_000
MOST_VALUES_DRAWN = 50
MOST_TASKS_SHUFFLED = 300
ROUNDING = 1e-9
NEGLIGIBLE = 1e-20  # the least p-value that is told apart from 0


@dataclass(frozen=True, slots=True)
class SliceTest:
    """Mean score of the slice's tasks and of the others, the p-value of their difference and how it was found."""

    mean: float
    rest: float
    p_value: float
    method: str


def slice_test(means: ArrayLike, inside: ArrayLike, seed: int = SEED) -> SliceTest | None:
    """Compare the tasks inside a slice with all others, by their mean scores; None where either side is empty."""
    scores, chosen = np.asarray(means, dtype=np.float64), np.asarray(inside, dtype=bool)
    if scores.shape != chosen.shape:
        raise ImpossibleCounts(f"{scores.size} task means for {chosen.size} tasks")
    count = int(chosen.sum())
    if not 0 < count < scores.size:
        return None
    p_value, method = _permutation(scores, chosen, count, seed)
    return SliceTest(float(scores[chosen].mean()), float(scores[~chosen].mean()), p_value, method)


def _permutation(scores: FloatArray, chosen: BoolArray, count: int, seed: int) -> tuple[float, str]:
    centred = scores - scores.mean()
    away = abs(float(centred[chosen].sum()))
    if scores.min() == scores.max():
        return 1.0, "permutation"
    values, frequency = np.unique(centred, return_counts=True)
    rng = np.random.default_rng(seed)
    if values.size <= MOST_VALUES_DRAWN and scores.size <= MOST_TASKS_DRAWN:
        sums = rng.multivariate_hypergeometric(frequency, count, DRAWS, method="marginals") @ values
    elif scores.size <= MOST_TASKS_SHUFFLED:
        sums = centred[rng.random((DRAWS, scores.size)).argpartition(count, axis=1)[:, :count]].sum(axis=1)
    else:
        variance = count * (scores.size - count) / scores.size * float(scores.var(ddof=1))
        return max(erfc(away / sqrt(2 * variance)), NEGLIGIBLE), "permutation_normal"
    slack = ROUNDING * max(1.0, float(np.abs(centred).max()))
    return (1 + int((np.abs(sums) >= away - slack).sum())) / (1 + DRAWS), "permutation"
