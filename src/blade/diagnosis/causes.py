"""The root cause of a task's failures: one label, with the evidence for it, the strongest alternative and a confidence.

Every failing rollout brings its findings. A label's *score* on a task is the mean over its failing rollouts of the heaviest finding
that speaks for it, so a cause has to be there whenever the task fails. The plumbing is suspected first: data, infrastructure and
verifier in this order take the task when their score reaches `SUSPECTED`; otherwise the heaviest of behaviour, unreliable knowledge
and knowledge gap does. A symptom (a wrong argument, a missing call) speaks for behaviour only as far as nothing else explains it.
Two labels are given together only where each alone holds a good part of the failing rollouts. Below `LEAST` the cause is unknown.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from blade.diagnosis.catalogue import CAUSE, SYMPTOM, entry
from blade.diagnosis.confidence import confidence
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.data import took_the_equal_option
from blade.diagnosis.views import TaskView
from blade.signals.labels import LABELS, PLUMBING

SUSPECTED: Final = 0.45
"""The score from which on the plumbing takes a task."""
LEAST: Final = 0.2
SYMPTOM_SPEAKS: Final = 0.4
"""What a symptom of full weight is worth as evidence for behaviour, when no cause explains it."""
PRECEDENCE: Final = 0.03
"""A tie goes to the earlier in the order of suspicion."""
MIXED_SHARE: Final = 0.4
"""Part of the failing rollouts that each of two labels must hold alone to be named together."""
MIXED_WEIGHT: Final = 0.6
NEARLY_EVERY: Final = 0.75
ONE_SAMPLE: Final = 0.5
"""The most confidence that a cause in knowledge can have from a single repeat."""
MOST_EVIDENCE: Final = 4
EQUAL_OPTIONS: Final = "ambiguous_options"


@dataclass(frozen=True)
class Cause:
    label: str
    finding: Finding | None
    """The finding that stands for it: the heaviest of the label's leading code, in the first failing rollout that has it."""
    confidence: float
    alternative: str | None
    scores: dict[str, float]
    coverage: float
    """Share of the failing rollouts that carry the label's evidence."""
    evidence: tuple[Finding, ...] = ()
    shown_by: int = 0
    """Failing rollouts that show the leading signature itself."""

    @property
    def code(self) -> str | None:
        return None if self.finding is None else self.finding.code


def cause(view: TaskView, findings: Mapping[str, Sequence[Finding]]) -> Cause:
    """The cause of a task that does not always pass. `findings` are by rollout; those of passing rollouts are not looked at."""
    failing = [view_.rollout for view_ in view.failing]
    parting = _without_habits(view, findings, failing)
    held, scores = _scored(parting, failing)
    label = _choose(scores)
    if label is None:
        # What is wrong with the data stands in all repeats alike; where nothing parts them, it is what is known to be wrong.
        parting = {name: [found for found in findings.get(name, ()) if _of_the_task(found)] for name in failing}
        held, of_data = _scored(parting, failing)
        label = _choose(of_data)
        if label is None:
            return Cause("unknown", None, 0.0, _runner_up(scores, ""), scores, 0.0)
        scores = of_data
    findings = parting
    leading = _leading(label, findings, failing)
    carriers = [rollout for rollout in failing if label in held[rollout]]
    coverage = len(carriers) / len(failing)
    others = [score for other, score in scores.items() if other != label]
    margin = scores[label] - max(others)
    mixed = _mixed(label, held) if len(view.rollouts) > 1 else _knowledge_untold(label)
    shown = _evidence(leading, findings, failing)
    symptom = entry(leading[0]).rank == SYMPTOM
    sure = confidence(margin, symptom, label, leading[0])
    return Cause(
        label=f"{label}+{mixed}" if mixed else label,
        finding=shown[0] if shown else None,
        confidence=min(sure, ONE_SAMPLE) if len(view.rollouts) == 1 and mixed else sure,
        alternative=mixed or _runner_up(scores, label) or _unseen_alternative(view, label, symptom, len(shown)),
        scores=scores,
        coverage=coverage,
        evidence=tuple(shown[:MOST_EVIDENCE]),
        shown_by=len(shown),
    )


def _of_the_task(found: Finding) -> bool:
    """Whether a finding is about the data of a task, whatever a repeat did with them; equal options hurt only who took the other one."""
    return found.label == "DA" and found.code != EQUAL_OPTIONS


def _scored(
    findings: Mapping[str, Sequence[Finding]], failing: Sequence[str]
) -> tuple[dict[str, dict[str, tuple[float, Finding]]], dict[str, float]]:
    """By failing rollout the heaviest finding of each label, and each label's score."""
    held = {rollout: _by_label(findings.get(rollout, ())) for rollout in failing}
    scores = {label: sum(found.get(label, (0.0, None))[0] for found in held.values()) / max(len(failing), 1) for label in LABELS}
    return held, scores


def _without_habits(
    view: TaskView, findings: Mapping[str, Sequence[Finding]], failing: Sequence[str]
) -> Mapping[str, Sequence[Finding]]:
    """The findings without what the passing repeats of the same task have as well, every one of them: it does not part them.

    Two options that say the same stand in the passing repeats too, and part them from those that took the other one.
    """
    passing = [{(found.code, found.subject) for found in findings.get(view_.rollout, ())} for view_ in view.passing]
    habits = set.intersection(*passing) if len(passing) > 1 else set()
    by_name = {view_.rollout: view_ for view_ in view.failing}
    return {
        rollout: [
            found
            for found in findings.get(rollout, ())
            if (found.code, found.subject) not in habits or took_the_equal_option(by_name[rollout], found)
        ]
        for rollout in failing
    }


def _knowledge_untold(label: str) -> str | None:
    """One repeat cannot tell what is never known from what is known unreliably: both are named."""
    return {"KG": "UK", "UK": "KG"}.get(label)


def _unseen_alternative(view: TaskView, label: str, symptom: bool, shown_by: int) -> str | None:
    """Where only a symptom speaks for behaviour, knowledge may be what lacks: a gap if every repeat shows it, shaky if some pass."""
    if label != "BI" or not symptom or len(view.rollouts) < 2:
        return None
    if not view.passing:
        return "KG" if shown_by >= NEARLY_EVERY * len(view.failing) else None
    return "UK"


def worth(finding: Finding) -> float:
    """What a finding counts for its label."""
    rank = entry(finding.code).rank
    return finding.weight if rank == CAUSE else SYMPTOM_SPEAKS * finding.weight if rank == SYMPTOM else 0.0


def _by_label(findings: Sequence[Finding]) -> dict[str, tuple[float, Finding]]:
    best: dict[str, tuple[float, Finding]] = {}
    for finding in findings:
        value = worth(finding)
        if value > best.get(finding.label, (0.0, finding))[0]:
            best[finding.label] = (value, finding)
    return best


def _choose(scores: Mapping[str, float]) -> str | None:
    for label in PLUMBING:
        if scores[label] >= SUSPECTED:
            return label
    ranked = {label: score - PRECEDENCE * LABELS.index(label) for label, score in scores.items() if score >= LEAST}
    return max(ranked, key=lambda label: ranked[label]) if ranked else None


def _runner_up(scores: Mapping[str, float], label: str) -> str | None:
    others = {other: score for other, score in scores.items() if other != label and score > 0.1}
    return max(others, key=lambda other: (others[other], -LABELS.index(other))) if others else None


def _mixed(label: str, held: Mapping[str, Mapping[str, tuple[float, Finding]]]) -> str | None:
    """Another label that holds a good part of the failing rollouts alone, while this one holds the rest alone."""
    alone: dict[str, int] = defaultdict(int)
    for found in held.values():
        strong = [name for name, (value, _) in found.items() if value >= MIXED_WEIGHT]
        if len(strong) == 1:
            alone[strong[0]] += 1
    enough = MIXED_SHARE * len(held)
    others = [name for name in LABELS if name != label and alone[name] >= max(enough, 1)]
    return others[0] if others and alone[label] >= max(enough, 1) else None


def _leading(label: str, findings: Mapping[str, Sequence[Finding]], failing: Sequence[str]) -> tuple[str, str]:
    """The signature that carries the label over the failing rollouts: each rollout votes with its heaviest finding of a signature.

    Where several of one code get as many votes, it is the one found first: a pattern names first what comes first or tells most.
    """
    votes: dict[tuple[str, str], float] = defaultdict(float)
    for rollout in failing:
        best: dict[tuple[str, str], float] = {}
        for finding in findings.get(rollout, ()):
            if finding.label == label:
                best[finding.signature] = max(best.get(finding.signature, 0.0), worth(finding))
        for signature, value in best.items():
            votes[signature] += value
    return max(sorted(votes, key=lambda signature: signature[0]), key=lambda signature: votes[signature])


def _evidence(leading: tuple[str, str], findings: Mapping[str, Sequence[Finding]], failing: Sequence[str]) -> list[Finding]:
    """The leading signature in each failing rollout, its first occurrence; then the heaviest other finding of the rest."""
    shown = []
    for rollout in failing:
        same = [finding for finding in findings.get(rollout, ()) if finding.signature == leading]
        if same:
            shown.append(min(same, key=lambda finding: (-finding.weight, finding.step is None, finding.step or 0)))
    return shown
