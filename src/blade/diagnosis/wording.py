"""Causes in words: who shows it, where, and what was concluded from it."""

from blade.diagnosis.catalogue import title
from blade.diagnosis.causes import Cause
from blade.diagnosis.views import TaskView


def why(view: TaskView, found: Cause) -> str:
    """One or two sentences for a task's cause."""
    failing = len(view.failing)
    if found.finding is None:
        return f"No finding explains the {failing} failing {'repeat' if failing == 1 else 'repeats'}."
    carriers = round(found.coverage * failing)
    first = found.finding
    where = first.rollout if first.step is None else f"{first.rollout} step {first.step}"
    text = title(first.code, first.subject)
    said = f"{text[:1].upper()}{text[1:]} in {len(found.evidence) if failing <= 4 else carriers} of {failing} failing repeats"
    return f"{said} ({where}: {first.detail})." if first.detail else f"{said} (first in {where})."
