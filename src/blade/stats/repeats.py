"""pass@k and pass^k: what repeats of the same task say about k attempts.

Both ask about k rollouts drawn without replacement from the n a task has, c of which passed: does one of them pass (pass@k),
do all of them pass (pass^k)? Averaging over every choice of k makes both unbiased for k independent attempts. A task with
fewer than k attempts cannot answer and is left out, so the number of tasks that do is part of the result.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts
from .errors import TooFewAttempts


@dataclass(frozen=True, slots=True)
class TaskMean:
    """A mean over tasks, with the number of tasks it speaks of."""

    value: float
    tasks: int


def pass_at_k(successes: ArrayLike, attempts: ArrayLike, k: int) -> TaskMean:
    """Probability that any of k attempts passes, 1 - C(n-c,k)/C(n,k) (Chen et al. 2021), over the tasks with at least k."""
    passed, tried, tasks = _kinds_of_task(successes, attempts, k)
    return _mean(1.0 - _all_k_from(tried - passed, tried, k), tasks)


def pass_hat_k(successes: ArrayLike, attempts: ArrayLike, k: int) -> TaskMean:
    """Probability that all of k attempts pass, C(c,k)/C(n,k) (Yao et al. 2024), over the tasks with at least k."""
    passed, tried, tasks = _kinds_of_task(successes, attempts, k)
    return _mean(_all_k_from(passed, tried, k), tasks)


def _kinds_of_task(successes: ArrayLike, attempts: ArrayLike, k: int) -> tuple[IntArray, IntArray, IntArray]:
    """The distinct (c, n) of the tasks with at least k attempts, and how many tasks have each: a million hold few kinds."""
    passed, tried = task_counts(successes, attempts)
    most = int(tried.max(initial=0))
    enough = tried >= k
    if k < 1 or not bool(enough.any()):
        raise TooFewAttempts(k, most=most)
    kinds, tasks = np.unique(tried[enough] * (most + 1) + passed[enough], return_counts=True)
    return kinds % (most + 1), kinds // (most + 1), tasks.astype(np.int64)


def _all_k_from(part: IntArray, whole: IntArray, k: int) -> FloatArray:
    """C(part,k)/C(whole,k) as a product of k ratios in [0, 1]: nothing overflows, and the error stays within k roundings."""
    share = np.ones(part.shape)
    for drawn in range(k):
        share *= np.maximum(part - drawn, 0) / (whole - drawn)
    return share


def _mean(values: FloatArray, tasks: IntArray) -> TaskMean:
    total = int(tasks.sum())
    return TaskMean(float(np.dot(values, tasks) / total), tasks=total)
