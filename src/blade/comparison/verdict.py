"""The verdict on two runs, with its reason as a sentence: improved, regressed, equivalent, inconclusive or not comparable.

`rules` decides; here it is put into words, in the units of the metric and in tasks.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal

import numpy as np

from blade.stats import Detectable, Interval

from .letters import SECOND
from .rules import decide, smallest_margins
from .units import POINTS, Units, p_text

Name = Literal["improved", "regressed", "equivalent", "inconclusive", "not_comparable"]
DEFAULT_MARGIN: Final = 0.02


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict with its reason as a sentence; margins in units of the score.

    `smallest_margin` is the least margin at which these two runs would be equivalent; None where no margin within the scale is.
    """

    verdict: Name
    reason: str
    margin: float
    smallest_margin: float | None


def verdict(
    tasks: int,
    delta: float | None,
    interval: Interval | None,
    equivalence: Interval | None,
    p_value: float | None,
    detectable: Detectable | None = None,
    margin: float = DEFAULT_MARGIN,
    *,
    span: float = 1.0,
    units: Units = POINTS,
    letter: str = SECOND,
    common: int = 0,
    redefined: int = 0,
) -> Verdict:
    """The verdict on `tasks` tasks that both runs scored, from their mean difference, its intervals and its sign-flip p-value.

    `margin` is in units of the score, whose scale is `span` wide; `units` writes them. `letter` is what the second run is called. `common` counts the tasks that both runs were to
    run, `redefined` those that carry one id and two definitions, to say why nothing can be compared.
    """
    if not (isfinite(margin) and margin > 0):
        raise ValueError(f"a margin is a positive number, not {margin}")
    if tasks == 0 or delta is None:
        return Verdict("not_comparable", f"Not comparable: {_nothing_shared(common, redefined)}.", margin, None)
    if interval is None or equivalence is None or p_value is None:
        return Verdict(
            "inconclusive",
            f"Inconclusive: {_tasks(tasks)} in common {'tells' if tasks == 1 else 'tell'} nothing of other tasks.",
            margin,
            None,
        )
    low, high, strict_low, strict_high = (
        np.array([end / span]) for end in (interval.low, interval.high, equivalence.low, equivalence.high)
    )
    found = decide((low, high), (strict_low, strict_high), np.array([p_value]), tasks, margin / span)
    share = float(smallest_margins((strict_low, strict_high), tasks)[0])
    least = span * share if share <= 1 else None
    seen = f"{letter} scores {units.compared(delta)} on {_tasks(tasks)} (95 % interval {units.span((interval.low, interval.high))}; sign-flip {p_text(p_value)})"
    if found.equivalent[0]:
        within = f"any difference is within ±{units.size(margin)} ({units.span((equivalence.low, equivalence.high))} at the most careful)"
        return Verdict("equivalent", f"Equivalent: {seen}, and {within}.", margin, least)
    if found.improved[0]:
        return Verdict("improved", f"Improved: {seen}.", margin, least)
    if found.regressed[0]:
        return Verdict("regressed", f"Regressed: {seen}.", margin, least)
    parts = [
        f"Inconclusive: {seen}",
        _found(detectable, units),
        "" if least is None else f"the smallest margin within which they are equivalent is ±{units.size(least)}",
    ]
    return Verdict("inconclusive", "; ".join(part for part in parts if part) + ".", margin, least)


def _nothing_shared(common: int, redefined: int) -> str:
    if common:
        also = f"; {redefined:,} more {'carries' if redefined == 1 else 'carry'} one id and two definitions" if redefined else ""
        return f"the runs share {_tasks(common)}, of which none was scored in both{also}"
    if redefined == 1:
        return "the only task that shares an id is defined otherwise in the two runs"
    return (
        f"all {redefined:,} tasks that share an id are defined otherwise in the two runs"
        if redefined
        else "the runs share no scored task"
    )


def _found(detectable: Detectable | None, units: Units) -> str:
    if detectable is None:
        return ""
    if detectable.value is None:
        return "so few tasks could show no change at all"
    return f"only a change of about {units.size(detectable.value)} or more would probably be found"


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count:,} tasks"
