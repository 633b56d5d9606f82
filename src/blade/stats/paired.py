"""How far apart two runs are on the tasks they share: intervals of the mean difference d_i = m_Bi − m_Ai.

The task is the unit, and pairing takes its difficulty out. Differences of few tasks, or of tasks that hardly ever move, show too
little spread: so two tasks are added that nobody saw, one that moved by +c and one by −c (as Agresti and Min 2005 add to the
cells of a paired table). With c = 1/√K, what noise alone does to a task that could go either way, the interval of the difference is
honest; with c = 1, a task that flipped altogether, it is careful enough to call two runs equivalent. Rewards on a scale of
width `span` are differences in units of that width, so c becomes c·span.

The batch function takes one pair of runs per leading index with its tasks along the last axis; `evidence/pairs.py` simulates
coverage and verdicts with the very same code.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts, whole_numbers
from .errors import ImpossibleCounts
from .intervals import LEVEL, Interval
from .quantiles import student_quantile
from .variance import harmonic_repeats

ADDED = 2  # tasks that nobody saw, one each way
WHOLE_FLIP = 1.0  # c of the interval that decides equivalence
RULE_OF_THREE = 3  # equivalence needs 3/margin tasks (Hanley and Lippman-Hand 1983)
DRAWS = 10_000
SEED = 12345
MOST_CELLS = 2_000_000  # resampled differences held at once
MOST_TASKS_GATHERED = 5_000
MOST_VALUES = 2_000


def rate_differences(
    successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike
) -> tuple[FloatArray, IntArray, IntArray]:
    """d_i of the tasks that both runs scored, and the attempts of each run at them."""
    passed_a, tried_a = task_counts(successes_a, attempts_a)
    passed_b, tried_b = task_counts(successes_b, attempts_b)
    if tried_a.shape != tried_b.shape:
        raise ImpossibleCounts(f"{tried_a.size} tasks of one run against {tried_b.size} of the other")
    both = (tried_a > 0) & (tried_b > 0)
    tried_a, tried_b = tried_a[both], tried_b[both]
    return passed_b[both] / tried_b - passed_a[both] / tried_a, tried_a, tried_b


def pair_repeats(attempts_a: ArrayLike, attempts_b: ArrayLike) -> float:
    """K of a pair: the harmonic mean of all attempts of both runs, because d_i carries within-task noise/n_A + noise/n_B."""
    tried = [whole_numbers(attempts, "attempts") for attempts in (attempts_a, attempts_b)]
    return harmonic_repeats(np.concatenate(tried))


def paired_interval(
    differences: ArrayLike, repeats: float = 1.0, c: float | None = None, span: float = 1.0, level: float = LEVEL
) -> Interval | None:
    """m ± t·s/√n with the two added tasks; None below two tasks.

    c is 1/√`repeats` unless given, on a scale of width `span`. No difference is larger than the scale, so neither is the interval.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size < 2:
        return None
    low, high = added_tasks_interval(values, span * (1 / np.sqrt(repeats) if c is None else c), level)
    return Interval(max(low.item(), -span), min(high.item(), span), method="paired_t_added_tasks")


def equivalence_interval(differences: ArrayLike, span: float = 1.0, level: float = LEVEL) -> Interval | None:
    """The same interval with c = 1: two runs are equivalent when it lies within the margin."""
    return paired_interval(differences, c=WHOLE_FLIP, span=span, level=level)


def added_tasks_interval(differences: FloatArray, c: float, level: float = LEVEL) -> tuple[FloatArray, FloatArray]:
    """n = T+2; m = Σd/n; s² = (Σd² + 2c²)/n − m²; m ± t_{T−1}·s/√n, for pairs whose tasks lie along the last axis."""
    return interval_from_sums(differences.sum(axis=-1), np.square(differences).sum(axis=-1), differences.shape[-1], c, level)


def interval_from_sums(
    total: FloatArray, squares: FloatArray, tasks: int, c: float, level: float = LEVEL
) -> tuple[FloatArray, FloatArray]:
    """The same from Σd and Σd² of each pair."""
    size = tasks + ADDED
    mean = total / size
    variance = (squares + ADDED * c**2) / size - np.square(mean)
    half = student_quantile((1.0 + level) / 2, tasks - 1) * np.sqrt(np.maximum(variance, 0.0) / size)
    return mean - half, mean + half


def bootstrap_interval(differences: ArrayLike, draws: int = DRAWS, seed: int = SEED, level: float = LEVEL) -> Interval | None:
    """Percentile bootstrap over tasks (Efron 1979); None below two tasks.

    Known and familiar, and shown beside the default: with few tasks, or few that move, it is too short. The draws are those of one
    `default_rng(seed).integers(0, T, (draws, T))`, made a block of rows at a time, so that memory stays bounded. In a longer run whose
    differences take few values it is drawn how often each value occurs, which is the same bootstrap in a fraction of the time.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size < 2:
        return None
    rng = np.random.default_rng(seed)
    distinct, counts = np.unique(values, return_counts=True)
    if values.size > MOST_TASKS_GATHERED and distinct.size <= MOST_VALUES:
        means = rng.multinomial(values.size, counts / values.size, draws) @ distinct / values.size
    else:
        means = np.concatenate(list(_resampled_means(values, draws, rng)))
    low, high = np.percentile(means, [50 * (1 - level), 50 * (1 + level)])
    return Interval(float(low), float(high), method="task_bootstrap_percentile", approximate=True)


def _resampled_means(values: FloatArray, draws: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    rows = max(1, MOST_CELLS // values.size)
    rows += rows % 2  # the generator hands out numbers in pairs, so a block has an even number of them
    for start in range(0, draws, rows):
        yield values[rng.integers(0, values.size, (min(rows, draws - start), values.size))].mean(axis=1)
