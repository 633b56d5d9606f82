"""How sure one run is of its score: intervals over tasks.

The task is the unit. Repeats of a task are averaged first, and what is uncertain is which tasks were drawn; ignoring that repeats
of a task resemble each other gives intervals that are far too short. Pass rates get the effective-sample Wilson interval, which
stays honest with few tasks and near 0 and 1; rewards that are not 0/1 get Student's t over the task means. One task tells nothing
of other tasks, so below two tasks there is no interval (None).

The batch functions take one run per leading index with its tasks along the last axis; `evidence/intervals.py` simulates the
coverage with the very same code.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, scored_counts
from .quantiles import student_quantile

LEVEL = 0.95
ENOUGH_TASKS_FOR_T = 50
PRIOR_TASKS = 4  # tasks' worth of belief that repeats of a task agree fully


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds at the level asked for, how they were found, and whether the method is only approximate here."""

    low: float
    high: float
    method: str
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class RateStatistics:
    """All that the interval of a rate needs to know of the task means m_i of a run (or of many runs at once).

    rate: mean of the m_i. spread: sum of (m_i - rate)^2 over T^2, the variance of the rate as the tasks show it.
    repeats: harmonic mean of the attempts.
    informative: the number of m_i above 0 or of m_i below 1, whichever is smaller; a run near 0 or 1 has few.
    """

    rate: FloatArray
    spread: FloatArray
    tasks: int
    repeats: FloatArray
    informative: IntArray


def rate_interval(successes: ArrayLike, attempts: ArrayLike, level: float = LEVEL) -> Interval | None:
    """Effective-sample Wilson interval of the pass rate; None below two tasks with a scored rollout."""
    passed, tried = scored_counts(successes, attempts)
    if tried.size < 2:
        return None
    low, high = effective_wilson(rate_statistics(passed, tried), level)
    return Interval(low.item(), high.item(), method="effective_wilson")


def mean_interval(means: ArrayLike, level: float = LEVEL) -> Interval | None:
    """Student's t interval of the mean of task means; None below two tasks.

    It leans on the central limit theorem, so it is marked approximate below 50 tasks, and also when all tasks agree: its width is
    then 0, which says too much.
    """
    values = np.asarray(means, dtype=np.float64)
    error = clustered_standard_error(values)
    if error is None:
        return None
    low, high = student_t(values.mean(keepdims=True), np.array([error]), values.size, level)
    return Interval(low.item(), high.item(), method="student_t", approximate=values.size < ENOUGH_TASKS_FOR_T or error == 0)


def clustered_standard_error(means: ArrayLike) -> float | None:
    """sd(task means, ddof 1) / sqrt(T): the standard error clustered by task (Miller 2024); None below two tasks."""
    values = np.asarray(means, dtype=np.float64)
    if values.size < 2:
        return None
    if values.min() == values.max():  # rounding in the mean would show a spread that is not there
        return 0.0
    return float(values.std(ddof=1) / np.sqrt(values.size))


def task_means(successes: ArrayLike, attempts: ArrayLike) -> FloatArray:
    """m_i of the tasks with at least one scored rollout; their mean is the booked score."""
    passed, tried = scored_counts(successes, attempts)
    return passed / tried


def rate_statistics(successes: IntArray, attempts: IntArray) -> RateStatistics:
    """Sufficient statistics of runs whose tasks lie along the last axis, every task with at least one attempt."""
    means = successes / attempts
    tasks = means.shape[-1]
    rate = means.mean(axis=-1)
    return RateStatistics(
        rate=rate,
        spread=np.square(means - rate[..., None]).sum(axis=-1) / tasks**2,
        tasks=tasks,
        repeats=tasks / (1.0 / attempts).sum(axis=-1),
        informative=np.minimum((successes > 0).sum(axis=-1), (successes < attempts).sum(axis=-1)),
    )


def effective_wilson(run: RateStatistics, level: float = LEVEL) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval (1927) on the independent rollouts that T tasks of K repeats are worth (Kish 1965), with t for z.

    The correlation within tasks is read off the design effect and drawn towards 1 as if `PRIOR_TASKS` further tasks had shown
    full agreement: with few informative tasks the estimate is noise, and a correlation taken too low makes the interval too
    short.
    """
    repeats, most = run.repeats, run.tasks * run.repeats
    binomial = run.rate * (1.0 - run.rate)
    flat = binomial == 0
    effect = np.where(flat, repeats, np.clip(most * run.spread / np.where(flat, 1.0, binomial), 1.0, repeats))
    single = repeats <= 1
    correlation = np.where(single, 1.0, (effect - 1.0) / np.where(single, 1.0, repeats - 1.0))
    shrunken = (PRIOR_TASKS + run.informative * correlation) / (PRIOR_TASKS + run.informative)
    return wilson(run.rate, most / (1.0 + (repeats - 1.0) * shrunken), student_quantile((1.0 + level) / 2, run.tasks - 1))


def wilson(rate: FloatArray, size: FloatArray, z: float) -> tuple[FloatArray, FloatArray]:
    """Wilson's score interval (1927) of a rate seen in `size` independent trials, with z standard errors."""
    shrink = 1.0 + z**2 / size
    centre = (rate + z**2 / (2 * size)) / shrink
    half = z / shrink * np.sqrt(rate * (1.0 - rate) / size + z**2 / (4 * size**2))
    return np.clip(centre - half, 0.0, rate), np.clip(centre + half, rate, 1.0)


def student_t(mean: FloatArray, error: FloatArray, tasks: int, level: float = LEVEL) -> tuple[FloatArray, FloatArray]:
    """Student's interval of a mean over `tasks` task means with this standard error."""
    half = student_quantile((1.0 + level) / 2, tasks - 1) * error
    return mean - half, mean + half
