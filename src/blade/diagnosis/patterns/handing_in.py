"""Answers that were never handed in (BI): every rollout of the run that passes ends its work with one and the same tool for that, and this one never calls it.

Where an answer counts only once a tool has taken it, a message that says it is worth nothing. The tool is known by its name and by
what those who pass do; nothing is said where any passing rollout does without it, nor of a rollout that a limit or the
machinery ended. Reward-aware: learnt from passing rollouts, found on failing ones.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.unattempted import MIN_PASSING, cut, machinery_ended
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

NOT_HANDED_IN: Final = Pattern(
    "not_handed_in", "BI", "the tool that every passing rollout hands its work in with is never called", 0.75
)
FEW: Final = 0.55
"""The weight where only a few rollouts pass, and the name of the tool says most."""
PATTERNS: Final = (NOT_HANDED_IN,)
_OBJECT: Final = (
    r"(?:_?(?:final|the|my|your))*(?:_?(?:answers?|solutions?|results?|responses?|report|flag|patch|task|work|code|episode))?"
)
_HANDS_IN: Final = re.compile(
    rf"(?i)(?:submit|finish|finali[sz]e|terminate|done|complete_task|task_complete|hand_?in|final_?answer){_OBJECT}"
)


class HandingIn(NamedTuple):
    tool: str
    passing: int
    """How many rollouts pass, each of which calls it."""


def hands_in(tool: str) -> bool:
    """Whether a tool's name says that it takes the finished work, and nothing else (`submit_order` is work of its own)."""
    return _HANDS_IN.fullmatch(tool.rpartition(".")[2]) is not None


def learn_handing_in(run: Run) -> HandingIn | None:
    """The tool with which all passing rollouts hand their work in; None where there is none."""
    if not run.pass_rule.decides or "calls" not in run.meta["tables"]:
        return None
    rows = run.query(f"""
        WITH passing AS (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes})
        SELECT name, count(DISTINCT rollout) FROM calls SEMI JOIN passing USING (rollout) WHERE class = 'scored' AND error_class IS NULL AND name <> ''
        GROUP BY name HAVING count(DISTINCT rollout) = (SELECT count(*) FROM passing) ORDER BY name""").rows
    return next((HandingIn(name, passing) for name, passing in rows if hands_in(name)), None)


def not_handed_in(view: TaskView, usual: HandingIn | None) -> Iterator[Finding]:
    """The failing repeats that never call the tool with which work is handed in."""
    if usual is None:
        return
    for rollout in view.failing:
        # Who calls nothing at all may have been offered no tools.
        if rollout.calls and all(call.name != usual.tool for call in rollout.calls) and not machinery_ended(rollout):
            final = next((row for row in rollout.answers if row.final), None)
            yield NOT_HANDED_IN.found(
                rollout,
                subject=usual.tool,
                step=rollout.steps - 1 if final is None else final.final_step,
                quote=cut(final.final or "") if final is not None else "",
                detail=f"every passing rollout of the run ({usual.passing}) calls {usual.tool}, and this one never does",
                weight=NOT_HANDED_IN.weight if usual.passing >= MIN_PASSING else FEW,
            )
