"""Moves between the buckets always, sometimes and never, beside the moves that two runs of the same system would show.

A task that passes 2 of 4 times now and 4 of 4 the next may not have changed. If nothing did, which of a task's rollouts fell to run A
is a deal without replacement: given c_i passes in n_A + n_B rollouts, A's passes are hypergeometric. Summing the chances over tasks is
unbiased and needs no model of the rates. Buckets of unequal repeats do not compare, since more attempts find more tasks
"sometimes"; so both runs are thinned to the smaller number, the observed moves as well.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts
from .errors import ImpossibleCounts

BUCKETS: Final = ("always", "sometimes", "never")


@dataclass(frozen=True, slots=True)
class Transitions:
    """Tasks by bucket in A (rows) and B (columns), in the order of `BUCKETS`.

    observed: as booked. thinned: observed, with as many repeats of each task in both runs, on average over all ways to leave
    rollouts out; the same as observed where the repeats are equal. expected: if nothing had changed, to be held against `thinned`.
    """

    observed: IntArray
    thinned: FloatArray
    expected: FloatArray
    tasks: int


def transitions(successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike) -> Transitions:
    """Over the tasks that both runs scored."""
    (passed_a, tried_a), (passed_b, tried_b) = task_counts(successes_a, attempts_a), task_counts(successes_b, attempts_b)
    if tried_a.shape != tried_b.shape:
        raise ImpossibleCounts(f"{tried_a.size} tasks of one run against {tried_b.size} of the other")
    both = (tried_a > 0) & (tried_b > 0)
    passed_a, tried_a, passed_b, tried_b = passed_a[both], tried_a[both], passed_b[both], tried_b[both]
    kept = np.minimum(tried_a, tried_b)
    now = _chances(passed_a, tried_a, tried_a), _chances(passed_b, tried_b, tried_b)
    thin = _chances(passed_a, tried_a, kept), _chances(passed_b, tried_b, kept)
    return Transitions(
        observed=np.rint(now[0].T @ now[1]).astype(np.int64),
        thinned=thin[0].T @ thin[1],
        expected=_dealt(passed_a + passed_b, tried_a + tried_b, kept),
        tasks=int(kept.size),
    )


def _chances(passed: IntArray, tried: IntArray, kept: IntArray) -> FloatArray:
    """Chance of each bucket (columns) when `kept` of the rollouts of each task (rows) are drawn."""
    always, never = _all_of(passed, tried, kept), _all_of(tried - passed, tried, kept)
    return np.stack((always, np.maximum(1.0 - always - never, 0.0), never), axis=1)


def _dealt(passes: IntArray, size: IntArray, each: IntArray) -> FloatArray:
    """The 3×3 sums when `each` rollouts go to A and as many to B, from all rollouts of a task."""
    failures = size - passes
    always, never = _all_of(passes, size, each), _all_of(failures, size, each)
    both_always, both_never = _all_of(passes, size, 2 * each), _all_of(failures, size, 2 * each)
    apart = always * _all_of(failures, size - each, each)  # A takes passes only, then B failures only
    total = np.array([[both_always.sum(), 0.0, apart.sum()], [0.0, 0.0, 0.0], [apart.sum(), 0.0, both_never.sum()]])
    total[0, 1] = total[1, 0] = always.sum() - total[0, 0] - total[0, 2]
    total[2, 1] = total[1, 2] = never.sum() - total[2, 0] - total[2, 2]
    total[1, 1] = size.size - total.sum()
    return np.asarray(np.maximum(total, 0.0), dtype=np.float64)


def _all_of(wanted: IntArray, size: IntArray, drawn: IntArray) -> FloatArray:
    """C(wanted, drawn)/C(size, drawn): the chance that all rollouts drawn without replacement are wanted ones."""
    chance = np.ones(size.size)
    for place in range(int(drawn.max(initial=0))):
        left = np.maximum(wanted - place, 0) / np.maximum(size - place, 1)
        chance = np.where(place < drawn, chance * left, chance)
    return chance
