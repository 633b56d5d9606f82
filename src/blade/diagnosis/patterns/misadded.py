"""Gold that follows from a mistake in its own working (DA): an equation of the row does not hold, and the repeats agree on another answer.

A worked solution that says 230 + 518 = 758 was written by somebody who miscalculated, and so is what follows from it. Repeats that agree
with each other and not with it have most likely calculated rightly; where any repeat passes, the working cannot be what decides.
Reward-aware: found where every repeat fails.
"""

from collections.abc import Iterator
from typing import Final

from blade.answers import compare
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.given import answer_groups, answer_row
from blade.diagnosis.patterns.gold import AGREED, constant_fields
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.signals.working import FalseEquation, false_equations

MISADDED: Final = Pattern(
    "working_does_not_hold",
    "DA",
    "an equation in the row's own working does not hold, and the repeats agree on another answer",
    0.85,
)
PATTERNS: Final = (MISADDED,)


def misadded(view: TaskView) -> Iterator[Finding]:
    if view.passing or len(view.failing) < 2:
        return
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    groups = sorted(answer_groups(view.failing), key=len, reverse=True) if row is not None else []
    if row is None or not groups or len(groups[0]) < AGREED * len(view.failing):
        return
    texts = {**constant_fields(view), row.expected_field or "expected": row.expected or ""}
    for field, text in texts.items():
        wrong = next((one for one in false_equations(text) if _decides(one, row.expected or "", groups[0][0][1].text)), None)
        if wrong is not None:
            said = f"{field} says {wrong.text}, which comes to {wrong.true:.10g}; {len(groups[0])} of {len(view.failing)} repeats answer {groups[0][0][1].text[:60]}"
            yield from (MISADDED.found(rollout, subject=field, quote=wrong.text, detail=said) for rollout in view.failing)
            return


def _decides(wrong: FalseEquation, gold: str, given: str) -> bool:
    """Whether the expected answer follows from a false equation: it is its result, and the repeats give the true one; or the working goes on with it."""
    if compare(gold, wrong.result).same:
        return compare(f"{wrong.true:.10g}", given).same
    return wrong.used
