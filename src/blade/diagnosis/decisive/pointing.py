"""Where to begin reading a failure that no finding places: the likeliest decisive step of its first failing rollout.

This is a guess from one trajectory alone, and is marked as one: it names a step to look at, never a cause.
"""

from collections.abc import Sequence
from typing import Any, Final

from blade.diagnosis.decisive.ranking import decisive_steps
from blade.diagnosis.packed import opened
from blade.runs.run import Run
from blade.signals.plugins import installed
from blade.signals.rollout import read_rollout
from blade.signals.signal import DetectorFailed, Signal, run_detector

MOST_READ: Final = 200
"""Tasks whose trajectories are read back."""
ONCE: Final = frozenset({"wrong_answer", "failed_checks"})
"""Codes that say that an attempt went wrong and nothing of where."""


def point_at_steps(run: Run, tasks: Sequence[dict[str, Any]]) -> None:
    """Give the unexplained tasks (the first of them) a step to look at: `cause.decisive` with its chance and `guess`."""
    unknown = [
        task
        for task in tasks
        if task["cause"] is not None and (task["cause"]["label"] == "unknown" or task["cause"]["code"] in ONCE)
    ]
    failing = [(task, _first_failing(task)) for task in unknown[:MOST_READ]]
    places = run.scored([rollout for _, rollout in failing if rollout is not None])
    for task, name in failing:
        place = None if name is None else places.get(name)
        if place is None:
            continue
        rollout = read_rollout(run.text(place))
        ranked = decisive_steps(rollout, [signal for detector in installed().detectors for signal in _signals(detector, rollout)])
        if len(ranked) > 1:  # a single turn needs no pointing at
            best = ranked[0]
            chance = round(best.score, 4)
            task["cause"]["decisive"] = {"rollout": place.rollout, "step": best.step, "chance": chance, "guess": best.why}


def _first_failing(task: dict[str, Any]) -> str | None:
    return next((repeat["rollout"] for repeat in opened(task.get("repeats")) or () if repeat["passed"] is False), None)


def _signals(detector: Any, rollout: Any) -> list[Signal]:
    try:
        return run_detector(detector, rollout)
    except DetectorFailed:  # told as a problem when the run was read
        return []
