"""Two runs on this very task set: would the same tasks, run again, still differ?

The paired interval and the sign-flip test speak of tasks like these, so tasks that truly moved apart count as doubt. Here the tasks
are fixed and only the repeats are chance: the test deals the rollouts of each task anew between the two runs, and the interval
knows the noise within tasks only. It is the narrower question, and its answer does not carry over to other tasks. It needs
repeats: with one rollout each, what a task would do again is not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts, whole_numbers
from .errors import ImpossibleCounts
from .intervals import LEVEL, Interval
from .paired import ADDED, pair_repeats
from .quantiles import student_quantile
from .variance import binary_variances, known_variances
from .within_task import split
from .within_task_test import MOST_TASKS_DRAWN as MOST_TASKS_DEALT
from .within_task_test import WithinTaskTest, within_task_test

DRAWS = 9_999
SEED = 12345
MOST_TASKS_DRAWN = 200
MOST_REWARDS_DEALT = 4_000  # in tasks whose rewards vary; two seconds of drawing, and beyond it the normal agrees
NEGLIGIBLE = 1e-20
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class OnThisBenchmark:
    """The noise-only interval of the mean difference, the p-value of dealing rollouts anew within tasks, and how it was found."""

    interval: Interval
    p_value: float
    test: str
    """exact, monte_carlo or normal."""


def rates_on_this_benchmark(
    successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike
) -> OnThisBenchmark | None:
    """For passes and failures; None where fewer than two tasks have two scored rollouts in each run."""
    (passed_a, tried_a), (passed_b, tried_b) = task_counts(successes_a, attempts_a), task_counts(successes_b, attempts_b)
    both = (tried_a > 0) & (tried_b > 0)
    passed_a, tried_a, passed_b, tried_b = passed_a[both], tried_a[both], passed_b[both], tried_b[both]
    differences = passed_b / np.maximum(tried_b, 1) - passed_a / np.maximum(tried_a, 1)
    variances = binary_variances(passed_a, tried_a), binary_variances(passed_b, tried_b)
    interval = noise_interval(differences, variances, (tried_a, tried_b))
    if interval is None:
        return None
    p_value, test = _deal_rates(passed_a, tried_a, passed_b, tried_b)
    return OnThisBenchmark(interval, p_value, test)


def means_on_this_benchmark(
    means: tuple[ArrayLike, ArrayLike],
    variances: tuple[ArrayLike, ArrayLike],
    attempts: tuple[ArrayLike, ArrayLike],
    span: float = 1.0,
    rewards: tuple[Sequence[ArrayLike], Sequence[ArrayLike]] | None = None,
) -> OnThisBenchmark | None:
    """For rewards, from each common task's mean, sample variance (ddof 1, NaN for one attempt) and attempts in A and in B.

    `rewards` holds those of every task in A and in B, which are dealt anew. Without them, or with very many, the deal is taken as normal
    with its exact variance, S_i² (1/n_A + 1/n_B) with S_i² the variance of the task's pooled rewards (Hoeffding 1951).
    """
    centres = [np.asarray(of_run, dtype=np.float64) for of_run in means]
    spreads = [np.asarray(of_run, dtype=np.float64) for of_run in variances]
    tried_a, tried_b = (whole_numbers(of_run, "attempts") for of_run in attempts)
    differences = centres[1] - centres[0]
    interval = noise_interval(differences, (spreads[0], spreads[1]), (tried_a, tried_b), span)
    if interval is None:
        return None
    if rewards is not None:
        dealt = _deal_rewards(*([np.asarray(task, dtype=np.float64) for task in of_run] for of_run in rewards))
        if dealt is not None:
            return OnThisBenchmark(interval, dealt.p_value, dealt.method)
    squares = [np.nan_to_num(spread) * (tried - 1) for spread, tried in zip(spreads, (tried_a, tried_b), strict=True)]
    size = tried_a + tried_b
    pooled = (squares[0] + squares[1] + tried_a * tried_b / size * np.square(differences)) / (size - 1)
    variance = float((pooled * size / (tried_a * tried_b)).sum())
    return OnThisBenchmark(interval, _normal(abs(float(differences.sum())), variance), "normal")


def noise_interval(
    differences: FloatArray,
    variances: tuple[FloatArray, FloatArray],
    attempts: tuple[IntArray, IntArray],
    span: float = 1.0,
    level: float = LEVEL,
) -> Interval | None:
    """m ± t_{T−1}·√(Σ (v_Ai/n_Ai + v_Bi/n_Bi) + 2c²)/n with n = T+2, m = Σd/n and c = span/√K, as the paired interval adds tasks.

    v_i is the variance within task i; one with a single attempt takes the mean of its run.
    """
    known = [known_variances(of_run) for of_run in variances]
    if not variances[0].shape == variances[1].shape == differences.shape:
        raise ImpossibleCounts("differences and variances must be given for the same tasks")
    if min(of_run.size for of_run in known) < 2:
        return None
    noise = ADDED * span**2 / pair_repeats(*attempts)
    for of_run, seen, tried in zip(variances, known, attempts, strict=True):
        noise += float((np.where(np.isnan(of_run), seen.mean(), of_run) / tried).sum())
    size = differences.size + ADDED
    centre = float(differences.sum()) / size
    half = student_quantile((1.0 + level) / 2, differences.size - 1) * sqrt(noise) / size
    return Interval(max(centre - half, -span), min(centre + half, span), method="within_task_noise")


def _deal_rates(passed_a: IntArray, tried_a: IntArray, passed_b: IntArray, tried_b: IntArray) -> tuple[float, str]:
    """Exact where the repeats do not vary between tasks, for then the mean difference goes with B's number of passes."""
    size, passes = tried_a + tried_b, passed_a + passed_b
    told = (passes > 0) & (passes < size)
    if not told.any():
        return 1.0, "exact"
    if np.unique(tried_a).size == 1 and np.unique(tried_b).size == 1:
        tested = within_task_test(split(tried_b, passed_b, tried_a, passed_a))
        assert tested is not None
        return tested.p_value, tested.method
    away = abs(float((passed_b / tried_b - passed_a / tried_a).sum()))
    size, passes, tried_a, tried_b = size[told], passes[told], tried_a[told], tried_b[told]
    if size.size > MOST_TASKS_DRAWN:
        variance = float((passes * (size - passes) / ((size - 1.0) * tried_a * tried_b)).sum())
        return _normal(away, variance), "normal"
    rows = np.lexsort((tried_a, tried_b, passes))  # the order of the tasks must not choose the draws
    passes, tried_a, tried_b, size = passes[rows], tried_a[rows], tried_b[rows], size[rows]
    dealt = np.random.default_rng(SEED).hypergeometric(passes, size - passes, tried_b, (DRAWS, size.size))
    sums = (dealt / tried_b - (passes - dealt) / tried_a).sum(axis=1)
    return (1 + int((np.abs(sums) >= away - ROUNDING).sum())) / (1 + DRAWS), "monte_carlo"


def _deal_rewards(rewards_a: Sequence[FloatArray], rewards_b: Sequence[FloatArray]) -> WithinTaskTest | None:
    """The test on the mean difference; None where there are more rewards than can be dealt.

    A task's difference is (1/n_A + 1/n_B) times B's sum less what B would have on average, so the test of B's sums within tasks, each
    reward so weighted, is that of Σd. Tasks and rewards are put in an order of their own, which no order of the rows changes.
    """
    if len(rewards_a) != len(rewards_b):
        raise ImpossibleCounts(f"rewards of {len(rewards_a)} tasks in A and of {len(rewards_b)} in B")
    if any(task.size == 0 for task in (*rewards_a, *rewards_b)):
        raise ImpossibleCounts("a common task has rewards in both runs")
    largest = max(float(np.abs(task).max()) for task in (*rewards_a, *rewards_b)) or 1.0
    told = []
    for a, b in ((of_a / largest, of_b / largest) for of_a, of_b in zip(rewards_a, rewards_b, strict=True)):
        pooled = np.concatenate((a, b))
        if pooled.min() < pooled.max():
            weight, centre = 1 / a.size + 1 / b.size, float(pooled.mean())
            every = weight * np.sort(pooled - centre)
            told.append((a.size, b.size, every, weight * float((a - centre).sum()), weight * float((b - centre).sum())))
    if not told:
        return WithinTaskTest(1.0, "exact")
    if sum(task[2].size for task in told) > MOST_REWARDS_DEALT or len(told) > MOST_TASKS_DEALT:
        return None
    told.sort(key=lambda task: (task[0], task[1], task[2].tolist()))
    scale = max(float(np.abs(task[2]).max()) for task in told)
    tried_a, tried_b = (np.array([task[run] for task in told], dtype=np.int64) for run in (0, 1))
    sum_a, sum_b = (np.array([task[run] for task in told]) / scale for run in (3, 4))
    return within_task_test(split(tried_b, sum_b, tried_a, sum_a), [task[2] / scale for task in told])


def _normal(away: float, variance: float) -> float:
    return max(erfc(away / sqrt(2 * variance)), NEGLIGIBLE) if variance > 0 else 1.0
