"""Causes in words: who shows it, where, and what was concluded from it."""

from blade.diagnosis.catalogue import title
from blade.diagnosis.causes import Cause
from blade.diagnosis.views import TaskView
from blade.sentences import capital


def why(view: TaskView, found: Cause) -> str:
    """One or two sentences for a task's cause: `In 2 of 2 failing repeats: …`; a task that was tried once has nothing to count."""
    failing = len(view.failing)
    repeats = "repeat" if failing == 1 else "repeats"
    if found.finding is None:
        return f"No finding explains the {failing} failing {repeats}.{_broken_off(view)}"
    first = found.finding
    where = first.rollout if first.step is None else f"{first.rollout} step {first.step}"
    what = title(first.code, first.subject)
    once = len(view.rollouts) == 1
    said = f"{capital(what)}." if once else f"In {found.shown_by} of {failing} failing {repeats}: {what}."
    if first.detail:
        return f"{said} {where}: {first.detail}."
    return said if once else f"{said} First in {where}."


def _broken_off(view: TaskView) -> str:
    """What the harness itself says of an end that nothing else explains."""
    said = [
        (rollout.rollout, signal) for rollout in view.failing for signal in rollout.signals if signal.code == "ended_as_error"
    ]
    if not said:
        return ""
    rollout, first = said[0]
    where = rollout if first.step is None else f"{rollout} step {first.step}"
    return f" The harness ended {len(said)} of {len(view.failing)}: {where}: {first.quote}; {first.detail}."
