"""The rules of the verdict, in their order, for many pairs of runs at once.

1. not_comparable: no common task.
2. equivalent: the equivalence interval (c = 1, `stats.paired`) lies within ±margin, and there are at least 3/margin tasks, for
   fewer could all agree although one in a margin's worth of tasks flips (the rule of three, Hanley and Lippman-Hand 1983).
3. improved or regressed: the sign-flip test has p ≤ .05 and the paired interval lies on one side of 0.
4. inconclusive, with the change that this pair could have found.

So a change that is certain but smaller than the margin is equivalent, and a run against itself never improves. How often the rules
err is simulated by `evidence/pairs.py`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from blade.stats.counts import BoolArray, FloatArray
from blade.stats.paired import RULE_OF_THREE

ALPHA: Final = 0.05
ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Decisions:
    """The rules on many pairs at once, one mask each; a pair in none of them is inconclusive."""

    equivalent: BoolArray
    improved: BoolArray
    regressed: BoolArray


def decide(
    interval: tuple[FloatArray, FloatArray],
    equivalence: tuple[FloatArray, FloatArray],
    p_values: FloatArray,
    tasks: int,
    margin: float,
) -> Decisions:
    """Rules 2 to 4 for pairs of so many common tasks, differences and margin as shares of the scale."""
    least = smallest_margins(equivalence, tasks)
    equivalent = least <= margin + ROUNDING
    told = (p_values <= ALPHA) & ~equivalent
    return Decisions(equivalent, told & (interval[0] > 0), told & (interval[1] < 0))


def smallest_margins(equivalence: tuple[FloatArray, FloatArray], tasks: int) -> FloatArray:
    """The least margin that holds: the interval within it, and three tasks' worth of the run."""
    least: FloatArray = np.maximum(np.maximum(np.abs(equivalence[0]), np.abs(equivalence[1])), RULE_OF_THREE / tasks)
    return least
