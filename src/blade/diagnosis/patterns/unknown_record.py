"""A request about a record that does not exist (DA): every repeat asks for it, and every time the tools know of none.

One repeat may mistype an id. Where all of them give the same one, in the first place and again, and no answer ever knows it, the id stands
in the request, and the request is wrong; the more so where the expected calls are about another id of the same form.
Reward-aware: found where every repeat fails.
"""

from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import leaf_values
from blade.diagnosis.patterns.habits import asked_for, same_form
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView

UNKNOWN_RECORD: Final = Pattern(
    "unknown_record", "DA", "every repeat asks for the record that the request names, the tools know of none, and another is expected", 0.9
)  # fmt: skip
PATTERNS: Final = (UNKNOWN_RECORD,)


def unknown_records(view: TaskView) -> Iterator[Finding]:
    if view.passing or len(view.failing) < 2:
        return
    known = {
        value for rollout in view.rollouts for call in rollout.calls if _answered(call) for value in asked_for(call.arguments)
    }
    wanted = {value for rollout in view.rollouts for row in rollout.expected for _, value in leaf_values(row.arguments)}
    shared: set[str] | None = None
    for rollout in view.failing:
        mine = {value for call in rollout.calls if not _answered(call) for value in asked_for(call.arguments)}
        shared = mine if shared is None else shared & mine
    for value in sorted((shared or set()) - known - wanted):
        instead = next(
            (other for other in sorted(wanted) if other != value and same_form(value, other) and not _shown(view, other)), None
        )
        if instead is not None:
            yield from (_found(rollout, value, instead, len(view.failing)) for rollout in view.failing)
            return


def _found(rollout: RolloutView, value: str, instead: str, repeats: int) -> Finding:
    call = next(call for call in rollout.calls if value in asked_for(call.arguments))
    return UNKNOWN_RECORD.found(
        rollout,
        subject=value,
        step=call.step,
        quote=(call.output or "")[:200],
        detail=f"all {repeats} repeats ask for {value} and are told that there is none; {instead} is expected, which nobody was shown",
    )


def _answered(call: CallRow) -> bool:
    return call.error_class is None and bool(call.output)


def _shown(view: TaskView, value: str) -> bool:
    return any(value in (call.output or "") or value in call.arguments for rollout in view.rollouts for call in rollout.calls)
