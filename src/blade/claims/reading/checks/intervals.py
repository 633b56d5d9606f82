"""Is the interval beside pass@1 one that the run can have?

There are many ways to an interval, so one that differs from ours is not wrong for that. A bound is right where it is ours, and wrong
only where it is farther from the value than the widest of the usual ways puts it, or on the wrong side of it: the Wilson interval
(1927) over tasks, over rollouts, and our own over tasks with their repeats.
"""

import re
from collections.abc import Iterator

from blade.claims.reading.document import Span
from blade.claims.reading.facts import RUN, Facts
from blade.claims.reading.metrics import Statement, interval_after
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.tally import WRONG_NUMBER

SLACK = 0.25
"""What a bound may be farther out than the widest known one, as a share of that one's distance from the value."""
_Z = 1.96
_OTHER_LEVEL = re.compile(
    r"(?<![\d.])(?!95)\d\d(?:\.\d+)?\s?(?:%|percent)\s*(?:CI|interval|confidence)|±|\bstandard error|\bs\.?e\.?\b|\brange\b", re.I
)


def check_bounds(reading: Reading, read: Read, statement: Statement) -> None:
    bounds = interval_after(read.text, statement.number, read.numbers)
    if bounds is None or statement.measure not in ("pass_at_1", "rate"):
        return
    sides = list(_sides(reading.facts))
    between = Span(statement.number.span.end, bounds[1].span.end)
    other = _OTHER_LEVEL.search(read.text, between.start, between.end)
    if not sides or not statement.firm or other or not reading.tally.is_true(read.passage, statement.number.span):
        return
    for which, bound in zip(("low", "high"), bounds, strict=True):
        ours = reading.facts.values(RUN, f"pass_at_1_{which}")
        if any(bound.is_rate(value) for value in ours):
            reading.tally.hold(read.passage, bound.span)
        elif not any(_possible(bound, rate, low if which == "low" else high) for rate, low, high in sides):
            expected = f"{which} end of the interval: {' or '.join(f'{100 * value:.1f} %' for value in ours)}"
            reading.tally.judge(False, read.passage, bound.span, WRONG_NUMBER, expected)


def _possible(bound: Number, rate: float, widest: float) -> bool:
    """Whether a bound is between the value and the widest known one, or a little beyond that."""
    value = bound.value / 100 if bound.unit in ("%", "points") or bound.value > 1 else bound.value
    near, far = sorted((rate, widest + SLACK * (widest - rate)))
    return near <= value <= far


def _sides(facts: Facts) -> Iterator[tuple[float, float, float]]:
    """Each run's rate with the widest bounds below and above it."""
    for run in facts.runs:
        known = run.measures[RUN]
        lows, highs = list(known["pass_at_1_low"]), list(known["pass_at_1_high"])
        if not (lows and highs and known["pass_at_1"]):
            continue
        for rate in known["pass_at_1"]:
            for count in (count for count in (*known["tasks"], *known["scored"]) if count):
                low, high = _wilson(rate, count)
                lows.append(low)
                highs.append(high)
            yield rate, min(lows), max(highs)


def _wilson(rate: float, count: float) -> tuple[float, float]:
    centre = rate + _Z**2 / (2 * count)
    half = _Z * (rate * (1 - rate) / count + _Z**2 / (4 * count**2)) ** 0.5
    return (centre - half) / (1 + _Z**2 / count), (centre + half) / (1 + _Z**2 / count)
