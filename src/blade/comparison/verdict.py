"""The verdict on two runs, with its reason as a sentence: improved, regressed, equivalent, inconclusive or not comparable.

`rules` decides; here it is put into words, in points and tasks.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal

import numpy as np

from blade.stats import Detectable, Interval

from .rules import decide, smallest_margins

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
    redefined: int = 0,
) -> Verdict:
    """The verdict on `tasks` common tasks, from their mean difference, its intervals and its sign-flip p-value.

    `margin` is in units of the score, whose scale is `span` wide (1 for pass rates, which the reason then tells in points).
    `redefined` counts tasks that carry one id and two definitions, to say why nothing is common.
    """
    if not (isfinite(margin) and margin > 0):
        raise ValueError(f"a margin is a positive number, not {margin}")
    words = _Words(points=span == 1.0)
    if tasks == 0 or delta is None:
        why = (
            f"all {redefined} tasks that share an id are defined otherwise in the two runs"
            if redefined
            else "the runs share no scored task"
        )
        return Verdict("not_comparable", f"Not comparable: {why}.", margin, None)
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
    seen = f"B scores {words.change(delta)} on {_tasks(tasks)} (95 % interval {words.range(interval.low, interval.high)}; sign-flip {p_text(p_value)})"
    if found.equivalent[0]:
        within = f"any difference is within ±{words.size(margin)} ({words.range(equivalence.low, equivalence.high)} at the most careful)"
        return Verdict("equivalent", f"Equivalent: {seen}, and {within}.", margin, least)
    if found.improved[0]:
        return Verdict("improved", f"Improved: {seen}.", margin, least)
    if found.regressed[0]:
        return Verdict("regressed", f"Regressed: {seen}.", margin, least)
    parts = [
        f"Inconclusive: {seen}",
        _found(detectable, words),
        "" if least is None else f"the smallest margin within which they are equivalent is ±{words.size(least)}",
    ]
    return Verdict("inconclusive", "; ".join(part for part in parts if part) + ".", margin, least)


def p_text(p_value: float) -> str:
    """A p-value as it is printed: two digits, and no more zeros than help."""
    if p_value < 1e-4:
        return "p < .0001"
    return "p = 1" if p_value > 0.995 else f"p = {p_value:.2g}".replace("= 0.", "= .")


def _found(detectable: Detectable | None, words: "_Words") -> str:
    if detectable is None:
        return ""
    if detectable.value is None:
        return "so few tasks could show no change at all"
    return f"only a change of about {words.size(detectable.value)} or more would probably be found"


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count:,} tasks"


@dataclass(frozen=True, slots=True)
class _Words:
    """Scores in words: points for pass rates, plain numbers for rewards."""

    points: bool

    def size(self, value: float) -> str:
        return (
            f"{self._number(abs(value))} {'point' if self._number(abs(value)) == '1' else 'points'}"
            if self.points
            else f"{abs(value):.3g}"
        )

    def change(self, delta: float) -> str:
        if self._number(abs(delta)) == "0":
            return "the same"
        return f"{self.size(delta)} {'higher' if delta > 0 else 'lower'}"

    def range(self, low: float, high: float) -> str:
        return f"{self._signed(low)} to {self._signed(high)}"

    def _signed(self, value: float) -> str:
        number = self._number(abs(value))
        return number if number == "0" else f"{'−' if value < 0 else '+'}{number}"

    def _number(self, value: float) -> str:
        return f"{100 * value:.1f}".removesuffix(".0") if self.points else f"{value:.3g}"
