"""One case against its diagnosis: for every task, what was planted, what was said, and how well it was placed.

The unit is a task. A planted task has one true label; its prediction is the label of the document's cause for it (the first one where
two are given). A task without a planted fault should have none, unless chance failed one of its rollouts (`noise`): such tasks
are left out of the labels, since whatever failed there is real. Rollouts are compared as (rollout, label) pairs, failing ones only:
a finding on a passing rollout accuses nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from blade.lab.cases import Case, Fault
from blade.signals.labels import PLUMBING


@dataclass(frozen=True)
class Judged:
    """One task of one case."""

    environment: str
    kind: str
    """Empty where nothing was planted."""
    severity: str
    seed: int
    task: str
    truth: str
    """Empty where nothing was planted, `noise` where chance failed it."""
    predicted: str
    """Empty where no cause was claimed."""
    bucket: str
    confidence: float = 0.0
    code: str = ""
    planted: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """Failing rollouts that the cause's findings name."""
    off_by: int | None = None
    """Steps between where the cause points and the nearest place where the fault acts; None where the fault has no step."""
    pointed: bool = False
    """Whether the cause points at a step of a planted rollout at all."""
    features: Mapping[str, float] = field(default_factory=dict)
    """What the confidence was computed from."""

    @property
    def right(self) -> bool:
        return self.truth == self.predicted

    @property
    def has_step(self) -> bool:
        return self.pointed or self.off_by is not None


@dataclass(frozen=True)
class FalseFindings:
    """What a clean run was accused of."""

    rollouts: int
    accused: dict[str, int]
    """By label of the plumbing: rollouts with such a finding."""
    causes: dict[str, int]
    codes: dict[str, int]


def judge(case: Case, document: Mapping[str, Any]) -> list[Judged]:
    noise = {rollout.rpartition(":")[0] for rollout in case.noise}
    labels = case.tasks
    judged = []
    for told in document["tasks"]:
        task = str(told["task"])
        planted = {rollout: fault for rollout, fault in case.planted.items() if rollout.rpartition(":")[0] == task}
        truth = labels.get(task) or ("noise" if task in noise else "")
        judged.append(_judged(case, told, truth, planted))
    return judged


def _judged(case: Case, told: Mapping[str, Any], truth: str, planted: Mapping[str, Fault]) -> Judged:
    cause = told.get("cause")
    kind = next((fault.kind for fault in planted.values()), "")
    task, bucket = str(told["task"]), str(told["bucket"])
    if not cause:
        return Judged(case.environment, kind, case.severity, case.seed, task, truth, "", bucket, planted=tuple(sorted(planted)))
    predicted = str(cause["label"]).partition("+")[0]
    off_by, pointed = _placed(cause, planted)
    return Judged(
        case.environment,
        kind,
        case.severity,
        case.seed,
        task,
        truth,
        predicted,
        bucket,
        float(cause.get("confidence") or 0.0),
        str(cause.get("code") or ""),
        tuple(sorted(planted)),
        _named(told, predicted),
        off_by,
        pointed,
        _features(cause, predicted),
    )


def _named(told: Mapping[str, Any], label: str) -> tuple[str, ...]:
    """The failing rollouts that carry a finding of the cause's label, or that the cause cites."""
    repeats = told.get("repeats") or ()
    failing = {repeat["rollout"] for repeat in repeats if repeat.get("passed") is False}
    cited = {piece["rollout"] for piece in told["cause"].get("evidence") or ()}
    carrying = {
        repeat["rollout"] for repeat in repeats if any(finding["label"] == label for finding in repeat.get("findings") or ())
    }
    named = cited | carrying
    return tuple(sorted(named & failing if failing else named))


def _placed(cause: Mapping[str, Any], planted: Mapping[str, Fault]) -> tuple[int | None, bool]:
    """How far the cause's decisive step is from the nearest step at which the fault of that rollout acts."""
    if not any(fault.steps for fault in planted.values()):
        return None, False
    pieces = [cause.get("decisive"), *(cause.get("evidence") or ())]
    place = next((piece for piece in pieces if piece and piece.get("step") is not None), None)
    if place is None:
        return None, True
    fault = planted.get(str(place["rollout"]))
    if fault is None or not fault.steps:
        return None, True
    return min(abs(int(place["step"]) - step) for step in fault.steps), True


def _features(cause: Mapping[str, Any], label: str) -> dict[str, float]:
    scores = cause.get("scores")
    if not scores or label not in scores:
        return {}
    others = [score for other, score in scores.items() if other != label]
    from blade.diagnosis.catalogue import SYMPTOM, entry
    from blade.diagnosis.confidence import features

    code = str(cause.get("code"))
    return features(scores[label] - max(others, default=0.0), entry(code).rank == SYMPTOM, label, code)


def false_findings(document: Mapping[str, Any]) -> FalseFindings:
    """The plumbing that a clean run was said to have trouble with."""
    accused: dict[str, int] = dict.fromkeys(PLUMBING, 0)
    causes: dict[str, int] = dict.fromkeys(PLUMBING, 0)
    codes: dict[str, int] = {}
    rollouts = 0
    for told in document["tasks"]:
        rollouts += int(told["n"])
        label = str((told.get("cause") or {}).get("label", "")).partition("+")[0]
        if label in causes:
            causes[label] += 1
        for repeat in told.get("repeats") or ():
            found = {finding["label"]: finding["code"] for finding in repeat.get("findings") or () if finding["label"] in accused}
            for name, code in found.items():
                accused[name] += 1
                codes[code] = codes.get(code, 0) + 1
    return FalseFindings(rollouts, accused, causes, codes)
