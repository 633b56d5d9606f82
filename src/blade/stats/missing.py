"""Rollouts that were planned and have no score, as three numbers instead of one silent choice.

Every mean is over tasks. The booked score leaves missing rollouts out (`completed_only`); counting them as failed weighs a
task by what was planned for it (`missing_as_failed`); and the truth, had they all run, lies between all of them failing and
all of them passing (`bounds`, Manski 1989).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import whole_numbers
from .errors import ImpossibleCounts


@dataclass(frozen=True, slots=True)
class MissingRows:
    """`missing_as_failed` is also the lower of the `bounds`: a mean over all expected tasks. None: nothing to average."""

    missing_as_failed: float | None
    completed_only: float | None
    bounds: tuple[float, float] | None


def missing_rows(sums: ArrayLike, scored: ArrayLike, expected: ArrayLike, worst: float = 0.0, best: float = 1.0) -> MissingRows:
    """The three numbers from each expected task's sum of scores, scored rollouts and expected rollouts.

    `sums` are passes, or rewards on a scale from `worst` (what a failed rollout gets) to `best`.
    """
    totals = np.asarray(sums, dtype=np.float64)
    done, planned = whole_numbers(scored, "scored"), whole_numbers(expected, "expected")
    if not totals.shape == done.shape == planned.shape:
        raise ImpossibleCounts(f"{totals.size} sums, {done.size} scored and {planned.size} expected counts")
    if bool((done > planned).any()):
        raise ImpossibleCounts("a task has more scored rollouts than expected ones")
    ran, wanted = done > 0, planned > 0
    completed = float(np.mean(totals[ran] / done[ran])) if bool(ran.any()) else None
    if not bool(wanted.any()):
        return MissingRows(None, completed, None)
    gone = (planned - done)[wanted]
    low, high = (float(np.mean((totals[wanted] + gone * score) / planned[wanted])) for score in (worst, best))
    return MissingRows(low, completed, (low, high))
