"""When a run supports that a field means something.

Five tasks, because fewer could be chance or one family's habit; nine in ten of those that could say otherwise, because verifiers err, a
final message may word its answer in a way that nobody recognises, and a planted or real fault may sit in a few tasks. And so many must not
agree by chance: where answers are letters, two unrelated fields agree in every fourth task, so there more tasks are needed.
"""

from math import comb
from typing import Final

MIN_TASKS: Final = 5
MIN_SPECIFIC: Final = 3
"""Tasks that are enough where values are such that no two tasks share one: a figure of several digits, a name."""
AGREEING: Final = 0.9
CHANCE: Final = 1e-4
MIN_ROWS: Final = 3
"""Rollouts that pass, and that fail, from which on a field can be said to go with the reward."""


def supported(agreeing: int, tasks: int, by_chance: float = 0.0, specific: bool = False) -> bool:
    """Whether so many tasks of those that could tell are enough; `by_chance` is how often unrelated tasks agree."""
    least = MIN_SPECIFIC if specific else MIN_TASKS
    return agreeing >= least and agreeing >= AGREEING * tasks and tail(agreeing, tasks, min(by_chance, 1.0)) <= CHANCE


def tail(agreeing: int, tasks: int, rate: float) -> float:
    """Probability of at least so many successes (binomial)."""
    return sum(comb(tasks, k) * rate**k * (1 - rate) ** (tasks - k) for k in range(agreeing, tasks + 1))


def hopeless(disagreeing: int, most_tasks: int) -> bool:
    """Whether a field cannot be supported any more, however the tasks that are left turn out."""
    return disagreeing > (1 - AGREEING) * most_tasks


def goes_with(pairs: list[tuple[bool, bool]], least: float = AGREEING) -> bool:
    """Whether something (first of each pair) has to hold for a rollout to pass (second): it does where they pass, and where it does not they fail.

    Rollouts may fail although it holds: there is more to passing, or the verifier contradicts itself.
    """
    passing = [said for said, passed in pairs if passed]
    lacking = [passed for said, passed in pairs if not said]
    if len(passing) < MIN_ROWS or len(lacking) < MIN_ROWS:
        return False
    return sum(passing) >= least * len(passing) and sum(not passed for passed in lacking) >= least * len(lacking)
