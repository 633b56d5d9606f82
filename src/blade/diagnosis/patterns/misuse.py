"""The same misused interface in (nearly) every repeat (KG): what is not known, shown by the errors and not by the result.

One repeat that calls a method that does not exist may be a slip. Where (nearly) every repeat runs into the same kind of error and none
of those that pass does, the interface is not known, and a failed self-test or a failed check is its consequence. Reward-aware:
found on failing rollouts only.
"""

from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.work import leaves_something
from blade.diagnosis.views import RolloutView, SignalRow, TaskView

SAME_MISUSE: Final = Pattern(
    "same_misuse", "KG", "(nearly) every repeat misuses an interface in the same way, and none that passes does", 0.75
)
PATTERNS: Final = (SAME_MISUSE,)
NEARLY_EVERY: Final = 0.75


def same_misuse(view: TaskView) -> Iterator[Finding]:
    if len(view.failing) < 2:
        return
    passing = {signal.subject for rollout in view.passing for signal in _misused(rollout)}
    kinds = dict.fromkeys(signal.subject for rollout in view.failing for signal in _misused(rollout))
    for kind in kinds:
        hit = [
            (rollout, signal)
            for rollout in view.failing
            if (signal := next((each for each in _misused(rollout) if each.subject == kind), None)) is not None
        ]
        if kind in passing or len(hit) < 2 or len(hit) < NEARLY_EVERY * len(view.rollouts):
            continue
        for rollout, signal in hit:
            yield SAME_MISUSE.found(
                rollout,
                subject=kind,
                step=_written(rollout, signal),
                quote=signal.quote,
                detail=f"{kind} in {len(hit)} of {len(view.rollouts)} repeats, in no repeat that passes; {signal.detail}",
            )


def _misused(rollout: RolloutView) -> list[SignalRow]:
    return [signal for signal in rollout.signals if signal.code == "api_misused"]


def _written(rollout: RolloutView, signal: SignalRow) -> int | None:
    """Where the misuse was written: the last edit before the run that showed it; the run itself where nothing was edited."""
    edits = [
        call.step for call in rollout.calls if signal.step is not None and call.step < signal.step and leaves_something(call)
    ]
    return edits[-1] if edits else signal.step
