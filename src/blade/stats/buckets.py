"""Buckets: whether a task is solved always, sometimes or never, or has no scored rollout to tell."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from .counts import BoolArray, task_counts


@dataclass(frozen=True, slots=True)
class Buckets:
    """One mask over the tasks for each bucket; every task is in exactly one."""

    always: BoolArray
    sometimes: BoolArray
    never: BoolArray
    missing: BoolArray


def buckets(successes: ArrayLike, attempts: ArrayLike) -> Buckets:
    """Sort tasks by what their scored rollouts did."""
    passed, tried = task_counts(successes, attempts)
    seen = tried > 0
    return Buckets(
        always=seen & (passed == tried),
        sometimes=(passed > 0) & (passed < tried),
        never=seen & (passed == 0),
        missing=~seen,
    )
