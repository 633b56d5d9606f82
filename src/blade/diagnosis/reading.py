"""Reading the tasks: what each one's rollouts show, its cause, where its repeats part, and what its failing rollouts vote for.

`read_task` is pure over one task's view. Batches of tasks are read in worker processes, each from the tables' files; what comes back is
plain data in the order of the tasks, so nothing depends on the number of workers. What a worker knows of the run it opens once, not with
every batch.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from blade.diagnosis import patterns
from blade.diagnosis.catalogue import CONTEXT, entry
from blade.diagnosis.causes import Cause, cause
from blade.diagnosis.consequences import weighed
from blade.diagnosis.contrasts import contrast
from blade.diagnosis.findings import Finding, evidence
from blade.diagnosis.modes import Vote, votes
from blade.diagnosis.packed import Packed
from blade.diagnosis.patterns.luck import luck_entry, lucky_passes
from blade.diagnosis.patterns.unbound import bound_only
from blade.diagnosis.patterns.verifier import ABOUT_VERIFIER
from blade.diagnosis.views import RolloutView, TaskView, batches, views_of
from blade.diagnosis.weights import Weights
from blade.diagnosis.wording import why
from blade.engines.local import LocalEngine
from blade.runs.run import Run
from blade.runs.tables import Facts

MOST_DETAILED: Final = 2_000
"""Tasks whose repeats are told one by one in the document."""
MOST_FINDINGS: Final = 12
BATCH_ROLLOUTS: Final = 1_000
MANY_ROLLOUTS: Final = 6_000
"""From so many on, starting workers costs less than they save."""


@dataclass(frozen=True)
class Reading:
    """What one task leaves behind."""

    task: dict[str, Any]
    bucket: str | None
    """None where no rule says what passes."""
    repeats: int
    votes: tuple[Vote, ...]
    contrast: dict[str, Any] | None
    luck: tuple[dict[str, Any], ...]
    verifier: tuple[Finding, ...]


@dataclass(frozen=True)
class Known:
    """The facts of a run, and what its tasks are judged by."""

    facts: Facts
    weights: Weights
    context: patterns.Context


@dataclass(frozen=True)
class Batch:
    """Some tasks of a run."""

    run: Known | bytes
    """What is known of the run; pickled for a worker, which gets it again with every batch and opens it with the first."""
    tasks: Sequence[str]
    own: Mapping[str, Any]
    """The parts of the context that are kept by task, for these tasks."""
    detailed: int
    """How many of the tasks, from the first, are told repeat by repeat."""


def reading_engine(run: Run, workers: int | None = None) -> LocalEngine:
    """What the tasks of a run are read by; `workers` None: as many as there are CPUs. A short run is read in this process."""
    return LocalEngine(workers if run.denominator.scored >= MANY_ROLLOUTS else 1, preload=[__name__])


def read_run(run: Run, weights: Weights, context: patterns.Context, engine: LocalEngine) -> Iterator[Reading]:
    """All tasks with a scored rollout, in the order of the task table."""
    known: Known | bytes = Known(run, weights, context)
    if engine.workers > 1:
        known = pickle.dumps(Known(run.files, weights, context.of(())))
    for readings in engine.map(read_batch, _batches(run, known, context)):
        yield from readings


def _batches(run: Run, known: Known | bytes, context: patterns.Context) -> Iterator[Batch]:
    left = MOST_DETAILED
    for tasks in batches(run, BATCH_ROLLOUTS):
        yield Batch(known, tasks, context.by_task(tasks), max(left, 0))
        left -= len(tasks)


def read_batch(batch: Batch) -> list[Reading]:
    known = _opened(batch.run) if isinstance(batch.run, bytes) else batch.run
    context = replace(known.context, **batch.own)
    return [
        read_task(view, known.weights, context, detailed=place < batch.detailed)
        for place, view in enumerate(views_of(known.facts, batch.tasks))
    ]


@lru_cache(maxsize=1)
def _opened(known: bytes) -> Known:
    """What a worker was told of the run. It is the same for all batches, so the tables stay open and weights that were worked out are remembered."""
    opened: Known = pickle.loads(known)  # noqa: S301 (our own bytes)
    return opened


def read_task(view: TaskView, weights: Weights, context: patterns.Context, *, detailed: bool = True) -> Reading:
    view = bound_only(view, context.unbound)
    findings = {rollout.rollout: weights.read(rollout) for rollout in view.rollouts}
    for finding in patterns.task_findings(view, context):
        others = [other for other in findings[finding.rollout] if not _restates(finding, other)]
        findings[finding.rollout] = [*others, finding]
    findings = weighed(view, findings, context.procedures)
    found = cause(view, findings) if view.failing else None
    told = _task(view, found)
    if detailed:
        told["repeats"] = Packed.of([_repeat(rollout, findings[rollout.rollout]) for rollout in view.rollouts])
    return Reading(
        task=told,
        bucket=_bucket(view),
        repeats=len(view.rollouts),
        votes=() if found is None else tuple(votes(view, found, findings)),
        contrast=contrast(view, context),
        luck=tuple(luck_entry(finding) for finding in lucky_passes(view)),
        verifier=tuple(finding for shown in findings.values() for finding in shown if finding.code in ABOUT_VERIFIER),
    )


def _restates(finding: Finding, other: Finding) -> bool:
    """Whether a pattern's finding says more of what the other, of the same code, has only seen."""
    same = other.subject == finding.subject and other.step == finding.step
    return other.code == finding.code and (same or (not other.subject and bool(finding.subject)))


def _bucket(view: TaskView) -> str | None:
    return None if view.rollouts[0].passed is None else view.bucket


def _task(view: TaskView, found: Cause | None) -> dict[str, Any]:
    return {
        "task": view.task,
        "bucket": _bucket(view),
        "n": len(view.rollouts),
        "passed": len(view.passing) if view.rollouts[0].passed is not None else None,
        "mean_reward": sum(rollout.reward for rollout in view.rollouts) / len(view.rollouts),
        "cause": None if found is None else _cause(view, found),
        "modes": [],
    }


def _repeat(view: RolloutView, findings: Sequence[Finding]) -> dict[str, Any]:
    worth_telling = [finding for finding in findings if entry(finding.code).rank != CONTEXT]
    told = sorted(worth_telling, key=lambda finding: -finding.weight)
    return {
        "rollout": view.rollout,
        "reward": view.reward,
        "passed": view.passed,
        "steps": view.steps,
        "findings": [
            {
                "code": finding.code,
                "label": finding.label,
                "subject": finding.subject,
                "step": finding.step,
                "quote": finding.quote,
                "detail": finding.detail,
                "weight": round(finding.weight, 4),
            }
            for finding in told[:MOST_FINDINGS]
        ],
    }


def _cause(view: TaskView, found: Cause) -> dict[str, Any]:
    first = found.finding
    return {
        "label": found.label,
        "code": found.code,
        "subject": None if first is None else first.subject,
        "confidence": found.confidence,
        "alternative": found.alternative,
        "why": why(view, found),
        "detail": None if first is None else first.detail,
        "scores": {label: round(score, 4) for label, score in found.scores.items()},
        "coverage": round(found.coverage, 4),
        "decisive": None if first is None else {"rollout": first.rollout, "step": first.step},
        "evidence": [evidence(finding.rollout, finding.step, finding.quote) for finding in found.evidence],
    }
