"""Gold that follows from a mistake in its own working (DA): an equation of the row does not hold, and the repeats agree on another answer.

A worked solution that says 230 + 518 = 758 was written by somebody who miscalculated, and so is what follows from it. Repeats that agree
with each other and not with it have most likely calculated rightly; where any repeat passes, the working cannot be what decides.
Reward-aware: found where every repeat fails.
"""

from collections.abc import Iterator
from typing import Final

from blade.answers import compare
from blade.answers.rounding import becomes, last_place
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.agreed import agreed
from blade.diagnosis.patterns.given import figure
from blade.diagnosis.patterns.gold import constant_fields
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.row_texts import holds
from blade.diagnosis.views import TaskView
from blade.signals.data.working import FalseEquation, false_equations

MISADDED: Final = Pattern(
    "working_does_not_hold",
    "DA",
    "an equation in the row's own working does not hold, and the repeats agree on another answer or argument",
    0.85,
)
PATTERNS: Final = (MISADDED,)


def misadded(view: TaskView) -> Iterator[Finding]:
    for one in agreed(view):
        texts = constant_fields(view) if one.row is None else {**constant_fields(view), one.subject: one.gold}
        for field, text in texts.items():
            wrong = next((found for found in false_equations(text) if _decides(found, one.gold, one.given)), None)
            if wrong is not None:
                said = f"{field} says {wrong.text}, which comes to {wrong.true:.10g}; {one.times} of {len(view.failing)} repeats give {one.given[:60]}"
                yield from (MISADDED.found(rollout, subject=field, quote=wrong.text, detail=said) for rollout in view.failing)
                return


def _decides(wrong: FalseEquation, gold: str, given: str) -> bool:
    """Whether what is expected follows from a false equation: it is its result, and the repeats give the true one; or the working goes on with it.

    What it goes on to may be told by the figures alone: the two results are in the proportion of the false and the true one, or as far apart.
    """
    if compare(gold, wrong.result).same:
        return compare(f"{wrong.true:.10g}", given).same
    return wrong.used or (holds(wrong.after, gold) and _follows(wrong, gold, given))


def _follows(wrong: FalseEquation, gold: str, given: str) -> bool:
    expected, actual, result = figure(gold), figure(given), float(wrong.result.replace(",", ""))
    if expected is None or actual is None or not result or expected == actual:
        return False
    if abs((actual - expected) - (wrong.true - result)) <= 1e-6 * max(1.0, abs(actual)):
        return True
    return becomes(expected, actual, wrong.true / result, (last_place(gold), last_place(given)))
