"""Single figures that describe a run beside its score. Tasks are those with a scored rollout, as in the booked score."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .buckets import buckets
from .counts import scored_counts, whole_numbers
from .errors import ImpossibleCounts
from .repeats import pass_at_k


@dataclass(frozen=True, slots=True)
class RetryValue:
    """What `k` attempts instead of one would add to the pass rate of the tasks that have k of them.

    With k = 1 that is 0 by definition, not by observation.
    """

    value: float
    k: int
    tasks: int


def consistency(successes: ArrayLike, attempts: ArrayLike) -> float | None:
    """Share of the tasks that pass in every scored rollout."""
    passed, tried = scored_counts(successes, attempts)
    return float(buckets(passed, tried).always.mean()) if tried.size else None


def coverage(scored: int, expected: int) -> float | None:
    """Scored rollouts over expected rollouts."""
    if scored > expected:
        raise ImpossibleCounts(f"{scored} scored rollouts of {expected} expected")
    return scored / expected if expected else None


def modal_repeats(attempts: ArrayLike) -> int | None:
    """The number of scored rollouts that most tasks have; the smaller one on a tie, since more tasks reach it."""
    tried = whole_numbers(attempts, "attempts")
    counts, tasks = np.unique(tried[tried > 0], return_counts=True)
    return int(counts[np.argmax(tasks)]) if counts.size else None


def retry_value(successes: ArrayLike, attempts: ArrayLike) -> RetryValue | None:
    """pass@K - pass@1 over the tasks with at least K scored rollouts, K the modal repeat count."""
    passed, tried = scored_counts(successes, attempts)
    k = modal_repeats(tried)
    if k is None:
        return None
    enough = tried >= k
    with_retries, once = (pass_at_k(passed[enough], tried[enough], attempt) for attempt in (k, 1))
    return RetryValue(with_retries.value - once.value, k, with_retries.tasks)


def oracle(successes: ArrayLike, attempts: ArrayLike) -> float | None:
    """Share of the tasks that pass at least once: the score of someone who always picks the right rollout."""
    passed, tried = scored_counts(successes, attempts)
    return float((passed > 0).mean()) if tried.size else None


def best_reward_oracle(best: ArrayLike) -> float | None:
    """The oracle where there is no pass rule: the mean of each scored task's best reward."""
    rewards = np.asarray(best, dtype=np.float64)
    return float(rewards.mean()) if rewards.size else None
