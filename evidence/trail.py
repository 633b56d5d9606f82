"""TRAIL: traces in which people marked every error with its category and the span it stands in (Deshpande et al. 2025).

What the detectors and the cues find is put into TRAIL's categories by the fixed map below, written from the taxonomy. Three conventions
of the annotators were read off half 0 of the traces and can be left out: a failed execution is a formatting error; it stands in the span that
is shown the error, which is the agent's next; a trace that ends with a call without a result has lost its context there. The shared rows
hold the agents' messages and the errors of their code, not what code printed when it worked.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from blade.diagnosis.decisive.cues import cues
from blade.diagnosis.decisive.turns import Turn, turns_of
from blade.signals.plugins import load
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import run_detector

from .leaks import without_answers
from .whowhen import half_of

FORMATTING: Final = "Formatting Errors"
CONTEXT: Final = "Context Handling Failures"
TOOL: Final = "Tool-related"
HALLUCINATION: Final = "Language-only"

OF_SIGNALS: Final = {
    "wrong_format": "Instruction Non-compliance",
    "unparsable_arguments": FORMATTING,
    "schema_violation": TOOL,
    "unknown_tool": TOOL,
    "failed_call": TOOL,
    "api_misuse_repeated": TOOL,
    "repeated_call": "Resource Abuse",
    "thrashing": "Resource Abuse",
    "feedback_misread": "Tool Output Misinterpretation",
    "error_ignored": "Tool Output Misinterpretation",
    "ungrounded_argument": HALLUCINATION,
    "unbacked_claim": HALLUCINATION,
    "context_overflow": CONTEXT,
    "no_final_answer": CONTEXT,
    "steps_exhausted": "Resource Exhaustion",
    "output_truncated": "Resource Exhaustion",
    "out_of_memory": "Resource Exhaustion",
    "refusal": "Goal Deviation",
    "question_back": "Goal Deviation",
    "gave_up": "Goal Deviation",
    "rate_limited": "Rate Limiting",
    "quota_exhausted": "Rate Limiting",
    "access_denied": "Authentication Errors",
    "server_error": "Service Errors",
    "connection_failed": "Service Errors",
    "service_timeout": "Timeout Issues",
    "command_timed_out": "Timeout Issues",
    "missing_command": "Environment Setup Errors",
    "failed_install": "Environment Setup Errors",
    "sandbox_failed": "Environment Setup Errors",
}
OF_CUES: Final = {"made_up": HALLUCINATION, "first_unsupported": HALLUCINATION}
MISUSE: Final = frozenset({"api_misuse", "missing_module", "unknown_tool", "invalid_arguments"})
"""Classes of failed executions that say that a tool was used in a way it does not allow."""

_SPELLINGS: Final = re.compile(r"errors?$|[^a-z]")


@dataclass(frozen=True, slots=True)
class Mark:
    """An error of a trace: where, and of which category."""

    span: str
    category: str


@dataclass(frozen=True, eq=False)
class Trace:
    name: str
    half: int
    spans: tuple[str, ...]
    """The agent's own spans, in order."""
    found: frozenset[Mark]
    by_convention: frozenset[Mark]
    labels: frozenset[Mark]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many were marked by people, how many by us, how many by both."""

    labelled: int
    predicted: int
    both: int

    @property
    def precision(self) -> float | None:
        return self.both / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        return self.both / self.labelled if self.labelled else None

    @property
    def f1(self) -> float:
        return 2 * self.both / (self.labelled + self.predicted) if self.labelled + self.predicted else 0.0


def category(written: str) -> str:
    """A category as the taxonomy spells it; the labels misspell some."""
    folded = _folded(written)
    return _CATEGORIES.get(folded, written)


def _folded(text: str) -> str:
    return _SPELLINGS.sub("", _SPELLINGS.sub("", text.casefold().strip())).replace("complience", "compliance")


_CATEGORIES: Final = {
    _folded(name): name
    for name in (
        *OF_SIGNALS.values(),
        "Poor Information Retrieval",
        "Incorrect Memory Usage",
        "Incorrect Problem Identification",
        "Tool Selection Errors",
        "Task Orchestration",
        "Tool Definition Issues",
        "Resource Not Found",
    )
}


def in_order(items: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The items as they happened. They lie by the time their span began; the error of a span came after the spans inside it."""
    waiting: list[Mapping[str, Any]] = []
    ordered: list[Mapping[str, Any]] = []
    for place, item in enumerate(items):
        following = items[place + 1] if place + 1 < len(items) else {}
        if item.get("span_id") is not None and following.get("parent_span_id") == item["span_id"]:
            waiting.append(item)
        else:
            ordered += [item, *waiting]
            waiting = []
    return ordered + waiting


def trace_of(row: Mapping[str, Any], labels: Sequence[Mapping[str, Any]]) -> Trace:
    output = in_order(row["response"]["output"])
    rollout = read_rollout(msgspec.json.encode(without_answers({**row, "response": {**row["response"], "output": output}})))
    spans = {place: item["span_id"] for place, item in enumerate(output) if item.get("span_id")}
    turns = turns_of(rollout)
    return Trace(
        name=row["task_id"],
        half=half_of(row["task_id"]),
        spans=tuple(spans[turn.step] for turn in turns if turn.step in spans),
        found=_marks(spans, errors_of(rollout, turns)),
        by_convention=_marks(spans, conventional_errors(turns)),
        labels=frozenset(Mark(label["span_id"], category(label["category"])) for label in labels),
    )


def _marks(spans: Mapping[int, str], errors: Iterable[tuple[int, str]]) -> frozenset[Mark]:
    return frozenset(Mark(spans[step], name) for step, name in errors if step in spans)


def errors_of(rollout: Rollout, turns: Sequence[Turn]) -> Iterator[tuple[int, str]]:
    """Step and category of each error that the detectors and the cues find."""
    for detector in load(()).detectors:
        if (name := OF_SIGNALS.get(detector.code)) is not None:
            yield from ((found.step, name) for found in run_detector(detector, rollout) if found.step is not None)
    for turn, shown in zip(turns, cues(turns, rollout.fields), strict=True):
        yield from ((turn.step, OF_CUES[cue]) for cue in shown if cue in OF_CUES)
        if turn.error is not None and turn.error.kind in MISUSE:
            yield turn.step, TOOL


def conventional_errors(turns: Sequence[Turn]) -> Iterator[tuple[int, str]]:
    """What the annotators mark in their own way: failed executions, and an end without a result."""
    for turn, following in zip(turns, (*turns[1:], None), strict=True):
        if turn.error is not None:
            yield (following or turn).step, FORMATTING
        if turn.call and following is None and not (turn.result or "").strip():
            yield turn.step, CONTEXT


def everywhere(trace: Trace, others: Sequence[Trace]) -> frozenset[Mark]:
    """The baseline: the category that is most frequent in the other half, at every span of the agent."""
    counted = Counter(mark.category for other in others for mark in other.labels)
    most = max(sorted(counted), key=lambda name: counted[name])
    return frozenset(Mark(span, most) for span in trace.spans)


def overlaps(pairs: Sequence[tuple[str, Set[Mark], Set[Mark]]]) -> dict[str, Overlap]:
    """Over all traces (name, labels, predictions): which categories a trace has, which spans, and both together."""
    views: dict[str, Callable[[str, Mark], tuple[str, ...]]] = {
        "category": lambda name, mark: (name, mark.category),
        "location": lambda name, mark: (name, mark.span),
        "joint": lambda name, mark: (name, mark.span, mark.category),
    }
    found = {}
    for what, view in views.items():
        labelled = {view(name, mark) for name, labels, _ in pairs for mark in labels}
        predicted = {view(name, mark) for name, _, marks in pairs for mark in marks}
        found[what] = Overlap(len(labelled), len(predicted), len(labelled & predicted))
    return found


def weighted_category_f1(pairs: Sequence[tuple[str, Set[Mark], Set[Mark]]]) -> float:
    """TRAIL's own figure: the F1 of each category over traces, weighted by the number of traces that have it."""
    counted = Counter(name for _, labels, _ in pairs for name in {mark.category for mark in labels})
    total = 0.0
    for name, weight in sorted(counted.items()):
        sides = [({m.category for m in labels}, {m.category for m in marks}) for _, labels, marks in pairs]
        total += (
            weight
            * Overlap(
                weight, sum(name in marks for _, marks in sides), sum(name in labels and name in marks for labels, marks in sides)
            ).f1
        )
    return total / sum(counted.values())
