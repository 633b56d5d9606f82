"""What the formulas take: one entry per task, in the same order in every array.

A run with T tasks is `successes` and `attempts`, two arrays of T whole numbers; `attempts` counts scored rollouts only.
A task without a scored rollout may be there (attempts 0): it is missing, and has no mean.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ImpossibleCounts

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]


def whole_numbers(values: ArrayLike, what: str) -> IntArray:
    """Counts as int64. Whole floats are taken too, since databases sum integers into floats."""
    given: NDArray[Any] = np.asarray(values)
    if given.size == 0:
        return np.zeros(given.shape, dtype=np.int64)
    if given.dtype.kind not in "biuf" or not bool(np.all(np.isfinite(given) & (given == np.floor(given)))):
        raise ImpossibleCounts(f"{what} must be whole numbers")
    counts: IntArray = given.astype(np.int64)
    if bool((counts < 0).any()):
        raise ImpossibleCounts(f"{what} must not be negative")
    return counts


def task_counts(successes: ArrayLike, attempts: ArrayLike) -> tuple[IntArray, IntArray]:
    """Successes and attempts per task, refused when they cannot belong to one run."""
    passed, tried = whole_numbers(successes, "successes"), whole_numbers(attempts, "attempts")
    if passed.shape != tried.shape:
        raise ImpossibleCounts(f"{passed.size} success counts for {tried.size} attempt counts")
    if bool((passed > tried).any()):
        raise ImpossibleCounts("a task has more successes than attempts")
    return passed, tried


def scored_counts(successes: ArrayLike, attempts: ArrayLike) -> tuple[IntArray, IntArray]:
    """The counts of the tasks with at least one scored rollout: those that the booked score is about."""
    passed, tried = task_counts(successes, attempts)
    scored = tried > 0
    return passed[scored], tried[scored]
