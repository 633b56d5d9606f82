"""Sizes of a change as people give them: below 1 in units of the score, from 1 up in points of a rate.

`0.02` and `2` are both two percentage points of a pass rate. Rewards that are no rates have no points, and a size is in their units.
"""

from math import isfinite
from typing import Final

from blade.comparison.judging import PASS_AT_1, Judging
from blade.comparison.verdict import DEFAULT_MARGIN
from blade.errors import UsageError

POINTS: Final = 100.0


def in_score_units(given: float | None, judging: Judging, option: str = "--margin") -> float:
    """The size in units of the score; without one, two hundredths of the scale."""
    if given is None:
        return DEFAULT_MARGIN * judging.span
    rate = judging.metric == PASS_AT_1
    if not isfinite(given) or given <= 0 or (rate and given > POINTS):
        scale = "between 0 and 1, or in points from 1 to 100" if rate else "above 0, in units of the reward"
        raise UsageError(f"{option} {given:g} is no size of a change", hint=f"give a number {scale}")
    return given / POINTS if rate and given >= 1 else given
