"""What fixing a failure mode could add to the score.

The bounds hold whatever the mode does: at least nothing, at most that every affected rollout gets full reward. The estimate asks
what the affected rollouts would score without it: in a mixed task as the task's other rollouts do, in a wholly affected one its own
mean and the run's lift; never the mean of a slice, whose tasks may be easier. Difficulty cancels within tasks, reverse causation
does not, so it is "at most about", and only a re-run with the fix settles it. Gains of several modes do not add up: take the gain
of their union, the mode of rollouts that carry any of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .errors import ImpossibleCounts
from .intervals import Interval
from .lift import FEW_TASKS, plus_minus
from .within_task import Split, mantel_haenszel
from .within_task_bootstrap import Resampled, expected_gain, resample


@dataclass(frozen=True, slots=True)
class Gain:
    """In units of the score. `estimate` and `interval` are None where only the bounds can be told.

    An estimate below 0 is left as it is (the signal goes with success) and not ranked.
    """

    lower: float
    estimate: float | None
    upper: float
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class OracleGain:
    """The ceiling of reliability: every task at its best rollout. `perfect` is the ceiling of all, full reward everywhere."""

    oracle: float
    gain: float
    perfect: float


def gain(
    of: Split,
    low: float = 0.0,
    high: float = 1.0,
    tasks: int | None = None,
    *,
    failing_only: bool = False,
    resampled: Resampled | None = None,
) -> Gain:
    """Bounds, estimate and interval, every task of the run weighing the same.

    `low` and `high` are the least and the full reward; `tasks` the number of tasks with a scored rollout, where the split leaves
    unaffected ones out. `failing_only` says that the mode exists on failing rows by construction, so that its absence from
    passing ones tells nothing: bounds only, as below ten mixed tasks.
    """
    size = of.size.size if tasks is None else tasks
    if size < int((of.affected > 0).sum()):
        raise ImpossibleCounts(f"more affected tasks than the {size} of the run")
    if size == 0:
        return Gain(0.0, None, 0.0)
    upper = float((of.affected / of.size * (high - of.affected_mean)).sum()) / size
    lift, mixed = mantel_haenszel(of), int(of.mixed.sum())
    if lift is None or mixed < FEW_TASKS or failing_only:
        return Gain(0.0, None, upper)
    estimate = float(expected_gain(of, lift, low, high).sum()) / size
    sd = (resampled or resample(of, size, low, high)).gain_sd
    return Gain(0.0, estimate, upper, plus_minus(estimate, sd, mixed))


def oracle_gain(best: ArrayLike, means: ArrayLike, high: float = 1.0) -> OracleGain | None:
    """From each scored task's best reward and mean; None without tasks."""
    tops, centres = np.asarray(best, dtype=np.float64), np.asarray(means, dtype=np.float64)
    if not tops.size:
        return None
    oracle, score = float(tops.mean()), float(centres.mean())
    return OracleGain(oracle, oracle - score, high - score)
