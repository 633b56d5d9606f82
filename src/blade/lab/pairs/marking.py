"""A comparison held against the truth of its pair: right, or wrong and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from blade.lab.pairs.truth import NOT_TOLD_APART, Truth

ROUNDING = 1e-9


@dataclass(frozen=True)
class Mark:
    wrong: tuple[str, ...]
    """What the comparison got wrong, in words; empty where it is right."""
    verdict: str
    holds_size: bool | None
    """Whether the interval of the planted term holds the true size."""

    @property
    def right(self) -> bool:
        return not self.wrong


def mark(document: Mapping[str, Any], truth: Truth) -> Mark:
    """`document` is that of a single pair (`blade.comparison/1`)."""
    terms = {term["term"]: term for term in document["waterfall"]}
    planted = None if truth.term is None else terms[truth.term]
    wrong = [*_terms(terms, truth), *_changes(document, truth), *_verdicts(document, truth), *_told(document, truth)]
    return Mark(tuple(wrong), document["verdict"], None if planted is None else _holds(planted["ci"], truth.size))


def _terms(terms: Mapping[str, Mapping[str, Any]], truth: Truth) -> Iterator[str]:
    total = sum(term["delta"] for term in terms.values())
    if abs(total - truth.size) > ROUNDING:
        yield f"the terms sum to {total:+.4f} and the booked scores differ by {truth.size:+.4f}"
    own = {truth.term, "change"} if truth.term is None and not truth.quiet else {truth.term}
    if truth.term is not None:
        yield from _planted_term(terms, truth)
        own |= set() if truth.exact else {"change"}
    for name, term in terms.items():
        if name not in own and (abs(term["delta"]) > ROUNDING or any(map(_moved, term["ci"] or ()))):
            yield f"{name} is {term['delta']:+.4f}, and nothing of that was planted"


def _planted_term(terms: Mapping[str, Mapping[str, Any]], truth: Truth) -> Iterator[str]:
    planted = terms[str(truth.term)]
    delta, ci = planted["delta"], planted["ci"]
    if truth.exact and abs(delta - truth.size) > ROUNDING:
        yield f"{truth.term} is {delta:+.4f} and not {truth.size:+.4f}"
    if delta * truth.size < 0:
        yield f"{truth.term} is {delta:+.4f}, the wrong way"
    largest = max(terms, key=lambda name: abs(terms[name]["delta"]))
    if largest != truth.term:
        yield f"the largest term is {largest} ({terms[largest]['delta']:+.4f}) and not {truth.term} ({delta:+.4f})"
    if not _excludes_zero(ci):
        yield f"the interval of {truth.term}, {ci}, does not exclude 0"


def _changes(document: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    changed = {change["what"] for change in document["changed"]}
    if changed != truth.changed:
        yield f"changed is {sorted(changed)} and not {sorted(truth.changed)}"
    if document["single_change"] is not truth.single:
        yield f"single_change is {document['single_change']} and not {truth.single}"


def _verdicts(document: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    if document["verdict"] not in truth.verdicts:
        yield f"the verdict is {document['verdict']}, and {' or '.join(sorted(truth.verdicts))} would be right"
    rest = document["without_set_aside"]["verdict"]
    if truth.set_aside and rest not in NOT_TOLD_APART:
        yield f"without the rows set aside the verdict is {rest}"


def _told(document: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    if document["tasks"]["redefined"] != truth.redefined:
        yield f"{document['tasks']['redefined']} tasks count as redefined, and {truth.redefined} are"
    codes = [problem["code"] for problem in document["runs"][1]["problems"]]
    if truth.problem is not None and not any(truth.problem in code for code in codes):
        yield f"the inspection names no {truth.problem} rows, only {codes}"


def _excludes_zero(ci: Any) -> bool:
    return ci is not None and (ci[0] > 0 or ci[1] < 0)


def _holds(ci: Any, size: float) -> bool:
    return ci is not None and ci[0] - ROUNDING <= size <= ci[1] + ROUNDING


def _moved(end: float) -> bool:
    return abs(end) > ROUNDING
