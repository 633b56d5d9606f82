"""Where to begin reading a failure that no finding places: the likeliest decisive step of its first failing rollout.

This is a guess from one trajectory alone, and is marked as one: it names a step to look at, never a cause.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from blade.diagnosis.decisive.ranking import decisive_steps
from blade.diagnosis.packed import opened
from blade.engines import Engine
from blade.runs.run import Run
from blade.signals.plugins import installed
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Detector, DetectorFailed, Signal, run_detector

MOST_READ: Final = 200
"""Tasks whose trajectories are read back."""
ONCE: Final = frozenset({"wrong_answer", "failed_checks"})
"""Codes that say that an attempt went wrong and nothing of where."""
MOST_AT_ONCE: Final = 8
MOST_BYTES: Final = 1 << 20
"""Trajectories that are looked at in one go, unless a few are as large as that."""


def point_at_steps(run: Run, tasks: Sequence[dict[str, Any]], engine: Engine) -> None:
    """Give the unexplained tasks (the first of them) a step to look at: `cause.decisive` with its chance and `guess`."""
    unknown = [
        task
        for task in tasks
        if task["cause"] is not None and (task["cause"]["label"] == "unknown" or task["cause"]["code"] in ONCE)
    ]
    failing = [(task, _first_failing(task)) for task in unknown[:MOST_READ]]
    places = run.scored([rollout for _, rollout in failing if rollout is not None])
    placed = [(task, places[name]) for task, name in failing if name in places]
    texts = (run.text(place) for _, place in placed)
    steps = (step for pointed in engine.map(_pointed, _parts(texts)) for step in pointed)
    for (task, place), step in zip(placed, steps, strict=True):
        if step is not None:
            task["cause"]["decisive"] = {"rollout": place.rollout, **step}


def _parts(texts: Iterator[bytes]) -> Iterator[list[bytes]]:
    part: list[bytes] = []
    for text in texts:
        part.append(text)
        if len(part) == MOST_AT_ONCE or sum(map(len, part)) >= MOST_BYTES:
            yield part
            part = []
    if part:
        yield part


def _pointed(texts: Sequence[bytes]) -> list[dict[str, Any] | None]:
    return [_step(read_rollout(text)) for text in texts]


def _step(rollout: Rollout) -> dict[str, Any] | None:
    """The likeliest step of a rollout; a single turn needs no pointing at."""
    ranked = decisive_steps(rollout, [signal for detector in installed().detectors for signal in _signals(detector, rollout)])
    if len(ranked) < 2:
        return None
    return {"step": ranked[0].step, "chance": round(ranked[0].score, 4), "guess": ranked[0].why}


def _first_failing(task: dict[str, Any]) -> str | None:
    return next((repeat["rollout"] for repeat in opened(task.get("repeats")) or () if repeat["passed"] is False), None)


def _signals(detector: Detector, rollout: Rollout) -> list[Signal]:
    try:
        return run_detector(detector, rollout)
    except DetectorFailed:  # told as a problem when the run was read
        return []
