"""Lift and gain of resampled runs: tasks drawn with replacement, everything computed anew from each draw.

A draw is told by how often each pattern of task occurs in it, and those counts are multinomial: so a run of any length costs no more
than its distinct tasks, and nothing is approximated. Graded rewards in a run of more than 5,000 tasks are the exception, where nearly
every task is a pattern of its own: there the means of wholly affected tasks are rounded to 1/256 of the scale, and where many
patterns are left the standard deviation is the linear one that the bootstrap tends to (infinitesimal jackknife, Jaeckel 1972).
"""

import math
from dataclasses import dataclass

import numpy as np

from .counts import BoolArray, FloatArray, IntArray
from .within_task import Split, haenszel_terms, mantel_haenszel, patterns

DRAWS = 2_000
SEED = 12345
MOST_TASKS_DRAWN = 5_000
MOST_PATTERNS = 500  # in a longer run; so many distinct mixed tasks are enough for the linear deviation
MOST_CELLS = 4_000_000
LEVELS = 256


@dataclass(frozen=True, slots=True)
class Resampled:
    """Standard deviations over resampled runs; None without a mixed task, and where rewards are beyond all range."""

    lift_sd: float | None
    gain_sd: float | None


def expected_gain(of: Split, lift: float, low: float, high: float) -> FloatArray:
    """Per task, how much more its mean would be with the signal gone: (f_i/n_i)(target_i − a_i).

    The target of a mixed task is what its other rollouts reach; of a wholly affected one, its own mean and the lift.
    """
    present = of.affected_mean
    target = np.where(of.mixed, of.unaffected_mean, np.clip(present + lift, low, high))
    gained: FloatArray = of.affected / of.size * (target - present)
    return gained


def resample(of: Split, tasks: int, low: float, high: float, draws: int = DRAWS, seed: int = SEED) -> Resampled:
    """Resample the `tasks` of a run, of which the split holds at least the affected ones."""
    told = of.where(of.affected > 0)
    distinct, counts = patterns(told)
    if not distinct.mixed.any():
        return Resampled(None, None)
    if tasks > MOST_TASKS_DRAWN and counts.size > MOST_PATTERNS:
        distinct, counts = patterns(_rounded(told, low, high))
        if counts.size > MOST_PATTERNS + LEVELS:
            return _linear(told, tasks, low, high)
    lifts, gains = _draw(distinct, counts, tasks, low, high, draws, seed)
    return Resampled(_deviation(lifts), _deviation(gains))


def _deviation(draws: FloatArray) -> float | None:
    found = float(np.nanstd(draws, ddof=1)) if np.count_nonzero(~np.isnan(draws)) > 1 else math.nan
    return found if math.isfinite(found) else None


def _draw(
    distinct: Split, counts: IntArray, tasks: int, low: float, high: float, draws: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Lift and gain of each draw; NaN where no mixed task was drawn."""
    rng = np.random.default_rng(seed)
    chances = np.append(counts, tasks - counts.sum()) / tasks
    mixed = distinct.mixed
    weight, weighted = haenszel_terms(distinct)
    own_gain = expected_gain(distinct, 0.0, low, high)[mixed]
    whole_mean = distinct.affected_mean[~mixed]
    lifts, gains = np.empty(draws), np.empty(draws)
    step = max(1, MOST_CELLS // chances.size)
    for start in range(0, draws, step):
        stop = min(start + step, draws)
        drawn = rng.multinomial(tasks, chances, stop - start)[:, :-1].astype(np.float64)
        total = drawn @ weight
        lift = np.divide(drawn @ weighted, total, out=np.full(stop - start, np.nan), where=total > 0)
        lifts[start:stop] = lift
        moved = np.clip(whole_mean + lift[:, None], low, high) - whole_mean
        gains[start:stop] = (drawn[:, mixed] @ own_gain + (drawn[:, ~mixed] * moved).sum(axis=1)) / tasks
    return lifts, gains


def _rounded(of: Split, low: float, high: float) -> Split:
    """The same run with the means of wholly affected tasks on a grid, and those tasks of one rollout each: nothing else of them counts."""
    whole: BoolArray = ~of.mixed
    width = (high - low) / LEVELS or 1.0
    mean = low + np.rint((of.affected_mean - low) / width) * width
    return Split(
        np.where(whole, 1, of.affected),
        np.where(whole, mean, of.affected_sum),
        of.unaffected,
        of.unaffected_sum,
    )


def _linear(of: Split, tasks: int, low: float, high: float) -> Resampled:
    lift = mantel_haenszel(of)
    assert lift is not None
    weight, weighted = haenszel_terms(of)
    share = weight.sum() / tasks
    pull = (weighted - lift * weight) / share
    free = ~of.mixed & (of.affected_mean + lift > low) & (of.affected_mean + lift < high)
    gained = expected_gain(of, lift, low, high)
    mean = gained.sum() / tasks
    pulled = gained - mean + free.sum() / tasks * pull
    unseen = (tasks - gained.size) * mean**2
    return Resampled(float(np.sqrt(np.square(pull).sum()) / tasks), float(np.sqrt(np.square(pulled).sum() + unseen) / tasks))
