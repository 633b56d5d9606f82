"""The within-task lift of a signal: what a rollout that carries it scores less than a repeat of the same task that does not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from .intervals import LEVEL, Interval
from .quantiles import student_quantile
from .within_task import Split, mantel_haenszel
from .within_task_bootstrap import Resampled, resample
from .within_task_test import within_task_test

FEW_TASKS = 10
ENOUGH_TASKS = 30


@dataclass(frozen=True, slots=True)
class Lift:
    """`value` is positive where the signal goes with lower rewards. `tasks` are the mixed ones, the only ones that tell.

    The interval is over tasks, the p-value over deals of the signal within these very tasks. A handful of mixed tasks that agree
    would give an interval of no width, so it always reaches to 0 where the test does not reject; with few mixed tasks it is marked
    approximate.
    """

    value: float
    interval: Interval | None
    tasks: int
    p_value: float
    test: str


def lift(
    of: Split, tasks: int | None = None, rewards: Sequence[ArrayLike] | None = None, resampled: Resampled | None = None
) -> Lift | None:
    """The Mantel–Haenszel lift with its interval and test; None without a mixed task.

    `tasks` is the number of tasks of the run where the split leaves unaffected ones out; `rewards` as `within_task_test` takes
    them. `resampled` saves the bootstrap where it was done already.
    """
    value = mantel_haenszel(of)
    tested = within_task_test(of, rewards)
    if value is None or tested is None:
        return None
    mixed = int(of.mixed.sum())
    sd = (resampled or resample(of, _run_size(of, tasks), 0.0, 1.0)).lift_sd
    interval = _held_back(plus_minus(value, sd, mixed), tested.p_value)
    return Lift(value, _within(interval, _span(rewards)), mixed, tested.p_value, tested.method)


def plus_minus(value: float, sd: float | None, mixed: int, level: float = LEVEL) -> Interval | None:
    """value ± t·sd with the degrees of freedom of the mixed tasks; None below two of them."""
    if sd is None or mixed < 2:
        return None
    half = student_quantile((1.0 + level) / 2, mixed - 1) * sd
    return Interval(value - half, value + half, method="task_bootstrap_t", approximate=mixed < ENOUGH_TASKS or sd == 0)


def _held_back(interval: Interval | None, p_value: float) -> Interval | None:
    if interval is None or p_value <= 1.0 - LEVEL:
        return interval
    return replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))


def _span(rewards: Sequence[ArrayLike] | None) -> float:
    """How far two rewards can lie apart: no lift is larger."""
    if rewards is None:
        return 1.0
    every = [np.asarray(of_task, dtype=np.float64) for of_task in rewards]
    return max((float(of_task.max()) for of_task in every if of_task.size), default=0.0) - min(
        (float(of_task.min()) for of_task in every if of_task.size), default=0.0
    )


def _within(interval: Interval | None, span: float) -> Interval | None:
    if interval is None:
        return None
    return replace(interval, low=max(interval.low, -span), high=min(interval.high, span))


def _run_size(of: Split, tasks: int | None) -> int:
    return of.size.size if tasks is None else tasks
