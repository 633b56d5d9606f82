"""What to run next: how many tasks and repeats find a change of a given size, and which tasks deserve the next rollouts.

Repeats and tasks are not the same money. Repeats only quieten the noise within tasks; once that is small against the spread of the
true changes, more tasks are all that helps. And not every task needs repeats: one that passes 2 of 4 times leaves four times the
doubt of one that hardly ever fails.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts, whole_numbers
from .detectable import FEWEST_MOVED, POWER
from .power import PRECISION, Benchmark, equivalence_chance, paired_effect, paired_power
from .shrinkage import mean_rate, rate_prior

REPEATS: Final = (1, 2, 4, 8, 16)
MOST_TASKS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Option:
    """So many tasks and repeats in each of two runs, and the least change that they would probably find.

    `mde` is None where not even the largest change would be. `equivalent` is the chance that two runs of the same system would be
    called equivalent within the target. `rollouts` counts both runs.
    """

    tasks: int
    repeats: int
    mde: float | None
    rollouts: int
    equivalent: float

    def finds(self, target: float) -> bool:
        return self.mde is not None and self.mde <= target + PRECISION


def benchmark_like(successes: ArrayLike, attempts: ArrayLike) -> Benchmark:
    """Mean and correlation of a run's tasks; with one repeat the correlation cannot be seen, and is what the prior of all leaves."""
    passed, tried = task_counts(successes, attempts)
    scored = tried > 0
    return Benchmark(mean_rate(passed[scored] / tried[scored]), rate_prior(passed, tried).correlation)


def option(of: Benchmark, tasks: int, repeats: int, margin: float) -> Option:
    mde = paired_effect(of, tasks, repeats) if of.mean <= 0.5 else paired_effect(of.mirrored(), tasks, repeats)
    return Option(tasks, repeats, mde, 2 * tasks * repeats, equivalence_chance(of, tasks, repeats, margin))


def options(of: Benchmark, target: float, tasks: int, repeats: Iterable[int] = REPEATS) -> list[Option]:
    """Ways to find a change of `target`: with today's tasks and more repeats, and with as many tasks as each number of repeats needs.

    The change is taken towards 1/2, the noisier way. Sorted by rollouts; those that do not find the target are kept, for it should be seen
    that repeats alone may not do.
    """
    found: dict[tuple[int, int], Option] = {}
    for each in repeats:
        needed = tasks_needed(of, target, each)
        for size in (tasks, needed):
            if size is not None and size >= FEWEST_MOVED:
                found[size, each] = option(of, size, each, target)
    return sorted(found.values(), key=lambda one: (one.rollouts, one.tasks))


def tasks_needed(of: Benchmark, target: float, repeats: int, power: float = POWER) -> int | None:
    """The fewest tasks with which a change of `target` is found with this power; None beyond `MOST_TASKS`.

    By bisection; the power of a lattice test wobbles by a task or two on its way up.
    """
    noisier = of if of.mean <= 0.5 else of.mirrored()
    if target > noisier.room:
        return None
    low, high = FEWEST_MOVED - 1, FEWEST_MOVED
    while paired_power(noisier, high, repeats, target) < power:
        if high >= MOST_TASKS:
            return None
        low, high = high, min(2 * high, MOST_TASKS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if paired_power(noisier, middle, repeats, target) >= power else (middle, high)
    return high


def greedy_allocation(variances: FloatArray, attempts: ArrayLike, rollouts: int) -> IntArray:
    """Extra attempts that minimise the noise of the score, Σ v_i/n_i (Neyman 1934, one rollout at a time).

    One more rollout of task i takes v_i/(n_i(n_i+1)) off the sum; taking the largest each time is optimal, because what a task gives only
    falls. A task without an attempt comes first, and of equals the earlier.
    """
    tried = whole_numbers(attempts, "attempts")
    extra = np.zeros(tried.size, dtype=np.int64)
    if not tried.size:
        return extra
    queue = [(-_taken_off(float(v), int(n)), place) for place, (v, n) in enumerate(zip(variances, tried, strict=True))]
    heapify(queue)
    for _ in range(rollouts):
        place = queue[0][1]
        extra[place] += 1
        heapreplace(queue, (-_taken_off(float(variances[place]), int(tried[place] + extra[place])), place))
    return extra


def _taken_off(variance: float, tried: int) -> float:
    return float("inf") if tried == 0 else variance / (tried * (tried + 1))
