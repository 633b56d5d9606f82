"""The interval of a mean reward whose scale has two values only: a pass rate in other units."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from .intervals import LEVEL, Interval, rate_interval


def two_valued_interval(
    reward_sums: ArrayLike, attempts: ArrayLike, low: float, high: float, level: float = LEVEL
) -> Interval | None:
    """Interval of the mean of task means of rewards that are all `low` or `high`; None below two tasks with a scored rollout.

    Such a mean is low + (high - low) · rate, so it takes the interval of the rate, moved to that scale: it stays within low and
    high, and says the same as the interval of pass@1. Student's t does neither near the ends. `reward_sums` and `attempts` have
    one entry per task; a sum that no such rewards can add up to raises `ImpossibleCounts`.
    """
    if not high > low:
        raise ValueError(f"{low:g} and {high:g} are no scale")
    tried = np.asarray(attempts, dtype=np.float64)
    successes = np.rint((np.asarray(reward_sums, dtype=np.float64) - low * tried) / (high - low))
    rate = rate_interval(successes, attempts, level)
    return None if rate is None else replace(rate, low=low + (high - low) * rate.low, high=low + (high - low) * rate.high)
