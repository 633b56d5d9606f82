"""A report against what it should say, line by line: our own reports can be written again from their document.

Lines are matched first, so that a passage which somebody added or moved does not put the rest out of step. Of two lines that belong
together, the words may differ, for prose is the writer's own; numbers, ids, labels, quotations and verdicts may not. A line that
belongs to none of ours is left to the reader of other people's reports.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from blade.claims.reading.tally import (
    QUOTE_NOT_FOUND,
    UNKNOWN_ROLLOUT,
    UNKNOWN_TASK,
    WRONG_DENOMINATOR,
    WRONG_LABEL,
    WRONG_NUMBER,
    Finding,
)
from blade.signals.labels import LABELS

ALIKE = 0.5
"""The share of their tokens that two lines have in common where one stands for the other."""
FOLLOWS = 0.8
"""The share of its lines that a report has in common with a text that it was made from."""
FOLLOWS_RECOMPUTED = 0.95
"""The same for a text computed anew: another version, or other options, would give another text, and prove nothing."""
_TOKEN = re.compile(r"[−+-]?\w+(?:[.,:/^@-]\w+)*|[“”`%]|[^\w\s]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_VERDICTS = re.compile(
    r"(?:pass|fail)(?:es|ed|ing)?|always|sometimes|never|missing|not|no|none|every|all|improved|regressed|equivalent|inconclusive|"
    r"better|worse|healthy|unhealthy|suspect|more|less|most|least",
    re.I,
)


@dataclass(frozen=True)
class Rendering:
    """What a report should say."""

    text: str
    by: str
    """What says so, for the evidence of a finding."""
    aside: tuple[str, ...] = ()
    """Texts that may differ for a good reason: the path by which the run was given."""
    recomputed: bool = False
    """Whether it was made from the run itself: then a line that is the same is true."""


@dataclass(frozen=True)
class Restated:
    same: frozenset[int]
    """Lines of the report that say what they should, from 1."""
    findings: tuple[Finding, ...]
    share: float
    """Of the lines of the rendering that the report has."""


def restated(report: str, rendering: Rendering) -> Restated:
    own, other = (_lines(text, rendering.aside) for text in (report, rendering.text))
    matcher = SequenceMatcher(None, [text for _, text in own], [text for _, text in other], autojunk=False)
    same: set[int] = set()
    findings: list[Finding] = []
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            same |= {line for line, _ in own[start:end]}
        elif tag == "replace":
            for line, said, should in _pairs(own[start:end], [text for _, text in other[other_start:other_end]]):
                findings += differences(line, said, should, rendering.by)
    return Restated(frozenset(same), tuple(findings), len(same) / max(len(other), 1))


def _lines(text: str, aside: Sequence[str]) -> list[tuple[int, str]]:
    """Lines that say something, as they compare: without the padding of tables. What is fenced is for machines."""
    found, fenced = [], False
    for path in sorted(filter(None, aside), key=len, reverse=True):
        text = text.replace(f"`{path}`", "`…`")
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and line.strip():
            found.append((number, re.sub(r"(?<=[|:\s])-{3,}", "---", " ".join(line.split()))))
    return found


def _pairs(own: Sequence[tuple[int, str]], other: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Each changed line with the line it stands for."""
    left = list(other)
    for line, said in own:
        rated = [(_alike(said, should), -place) for place, should in enumerate(left)]
        if rated and max(rated)[0] >= ALIKE:
            yield line, said, left.pop(-max(rated)[1])


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, _TOKEN.findall(one), _TOKEN.findall(other), autojunk=False).ratio()


def differences(line: int, said: str, should: str, by: str) -> Iterator[Finding]:
    """What of a line is not what it should be, as far as it is a statement."""
    own, other = _TOKEN.findall(said), _TOKEN.findall(should)
    quoted = _inside_quotes(own)
    for tag, start, end, other_start, other_end in SequenceMatcher(None, own, other, autojunk=False).get_opcodes():
        found, expected = own[start:end], other[other_start:other_end]
        if tag == "equal":
            continue
        kind = _kind(found, expected, quoted[start : end + 1], own[max(0, start - 2) : start])
        if kind is not None:
            yield Finding(line, said[:400], kind, " ".join(expected) or None, " ".join(found) or None, (by,))


def _inside_quotes(tokens: Sequence[str]) -> list[bool]:
    inside, found = False, []
    for mark in tokens:
        inside = mark == "“" or (inside and mark != "”")
        found.append(inside and mark != "“")
    return found


def _kind(found: Sequence[str], expected: Sequence[str], quoted: Sequence[bool], before: Sequence[str]) -> str | None:
    both = [*found, *expected]
    if any(quoted[: max(len(found), 1)]):
        return QUOTE_NOT_FOUND
    if any(token in LABELS for token in both):
        return WRONG_LABEL
    if any(re.fullmatch(r"[\w./-]+:\d+", token) for token in both):
        return UNKNOWN_ROLLOUT
    if any(re.search(r"\d", token) for token in both):
        lead = [token.lower() for token in before]
        if lead and lead[-1] in ("task", "tasks"):
            return UNKNOWN_TASK
        return WRONG_DENOMINATOR if lead and lead[-1] == "of" else WRONG_NUMBER
    return WRONG_LABEL if any(_VERDICTS.fullmatch(token) for token in both) else None
