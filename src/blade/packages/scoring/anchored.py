"""Which anchor facts a report states: found, contradicted or missing, each with the line that says so.

A fact is found where its sentence stands with the same numbers, ids, names and polarity, or where all that it states is stated, in
whatever words. It is contradicted where the report says otherwise, even if it also says it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from blade.claims.reading.facts import RunFacts
from blade.packages.anchors.anchor import Anchor
from blade.packages.scoring.reported import Reported, read
from blade.packages.scoring.restating import Golden, Same, Wording, wording
from blade.packages.scoring.sentences import sentences
from blade.packages.scoring.stated import ONE_VALUED, Stated, stated

Status = Literal["found", "contradicted", "missing"]
TELLING = ("at", "call", "value", "cause", "outcome")


@dataclass(frozen=True)
class Anchored:
    anchor: Anchor
    status: Status
    line: int | None = None
    """Of the report that was scored."""
    says: str = ""
    expected: str = ""


@dataclass(frozen=True)
class Fact:
    """An anchor taken apart."""

    anchor: Anchor
    wordings: tuple[Wording, ...]
    states: tuple[Stated, ...]


def fact(anchor: Anchor, facts: Sequence[RunFacts] = ()) -> Fact:
    """What an anchor's own words state; nothing else about it is believed. The runs tell what a name of a task looks like."""
    own = [sentence for sentence in sentences(read(anchor.fact, facts).reading) if sentence.passage.kind != "heading"]
    found = tuple(dict.fromkeys(one for sentence in own for one in stated(sentence)))
    return Fact(anchor, tuple(wording(sentence) for sentence in own), found)


def anchored(facts: Sequence[Fact], report: Reported, golden: Golden) -> list[Anchored]:
    stands = {one.same: one.sentence.line for one in reversed(report.wordings)}
    return [_status(one, report, stands, golden) for one in facts]


def _status(one: Fact, report: Reported, stands: dict[Same, int], golden: Golden) -> Anchored:
    against = _against(one, report, golden)
    if against is not None:
        return against
    if report.disavowed:
        return Anchored(one.anchor, "contradicted", report.disavowed[0], "takes back what the report says")
    lines = [stands.get(wording.same) for wording in one.wordings]
    if lines and None not in lines:
        return Anchored(one.anchor, "found", lines[0])
    points = _points(one.states)
    telling = [point for point in points if point[0].kind in TELLING]
    if len(telling) > 1 and all(any(map(report.book.has, point)) for point in points):
        shown = next(state for state in telling[0] if report.book.has(state))
        return Anchored(one.anchor, "found", report.book.lines(shown)[0])
    return Anchored(one.anchor, "missing")


def _points(states: Sequence[Stated]) -> list[list[Stated]]:
    """What an anchor says, where the same of several repeats of a task is one point: a report may show it in one of them."""
    points: dict[tuple[str, str, str, str], list[Stated]] = {}
    for state in states:
        value = "" if state.kind == "at" else state.value
        points.setdefault((state.kind, state.task, state.aspect, value), []).append(state)
    return list(points.values())


def _against(one: Fact, report: Reported, golden: Golden) -> Anchored | None:
    for state in one.states:
        if state.kind in ONE_VALUED and (wrong := report.book.against(state)):
            line, value = wrong[0]
            return Anchored(one.anchor, "contradicted", line, f"{state.of} {value}", str(state))
    for own in one.wordings:
        follows = Golden([own.sentence])
        for other in report.wordings:
            if other.same != own.same and not golden.restates(other) and (apart := follows.difference(other)):
                return Anchored(one.anchor, "contradicted", apart.line, apart.found, apart.expected)
    return None
