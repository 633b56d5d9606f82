"""Facts for anchors, from a golden report: sentences about a task or a rollout that nobody could know without reading the data.

What a sentence states says how much reading it needs: words at a step, and calls made or not made, need a trajectory; values and causes
need a few; an outcome or a count of passes can be read off a table. Figures of the whole run are left out. One fact of each task and of
each way of putting it comes before a second.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

from blade.claims.reading.facts import RunFacts
from blade.packages.anchors.anchor import Anchor
from blade.packages.anchors.checks import PASSES, Checker, check_of
from blade.packages.scoring.polarity import negators
from blade.packages.scoring.reported import Reported, read
from blade.packages.scoring.restating import wording
from blade.packages.scoring.sentences import Sentence
from blade.packages.scoring.stated import Stated, stated

NEEDS = {"at": 3.0, "call": 3.0, "value": 2.0, "cause": 1.5, "outcome": 1.0, "rate": 0.5, "bucket": 0.5}
"""How much reading a statement of a kind needs."""
LEAST = 2.5
ALIKE = 0.6
"""The share of their words from which two facts are put the same way."""
CRAMMED = 6
"""Statements from which on a sentence says too much at once for one fact."""
SHORTEST, LONGEST = 30, 420
_REASON = re.compile(
    r"\b(?:because|since|so that|therefore|instead|rather than|although|whereas|where|until|before|after)\b", re.I
)
_MARKUP = re.compile(r"[\\*<]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|\[(?=[^\]]*\]\()")
_LEAD = re.compile(r"^(?:[-+>#]|(?<=\d)[.)](?=\s))")
_TASK = re.compile(r"\btasks?\b", re.I)


@dataclass(frozen=True)
class Candidate:
    sentence: Sentence
    states: tuple[Stated, ...]
    need: float

    @cached_property
    def shape(self) -> frozenset[str]:
        return frozenset(wording(self.sentence).words)

    @property
    def difficulty(self) -> str:
        kinds = {one.kind for one in self.states}
        reading = len(kinds & {"at", "call"}) + len(kinds & {"value", "cause"})
        return "high" if kinds & {"at", "call"} and reading > 1 else "medium" if kinds & {"at", "call", "value"} else "low"


def candidates(report: Reported) -> list[Candidate]:
    """The sentences that may become anchors, in the report's order."""
    found = []
    for sentence in report.sentences:
        states = tuple(stated(sentence))
        need = _need(sentence, states)
        if (
            sentence.passage.kind in ("text", "item")
            and sentence.about
            and need >= LEAST
            and SHORTEST <= len(sentence.plain) <= LONGEST
        ):
            found.append(Candidate(sentence, states, need))
    return found


def _need(sentence: Sentence, states: Iterable[Stated]) -> float:
    kinds = Counter(one.kind for one in states)
    need = sum(NEEDS[kind] for kind in kinds) - 0.1 * max(0, sum(kinds.values()) - CRAMMED)
    outcomes = {one.value for one in states if one.kind == "outcome"}
    reasoned = bool(_REASON.search(sentence.text)) or bool(negators(sentence.text))
    return need + (len(outcomes) > 1) + 0.5 * reasoned


def chosen(found: Sequence[Candidate], count: int) -> list[Candidate]:
    """The best of each task and each way of putting it first."""
    left, taken = list(found), list[Candidate]()
    tasks: Counter[str] = Counter()
    while left and len(taken) < count:
        best = max(
            left, key=lambda one: one.need - 2.0 * max(tasks[task] for task in one.sentence.about) - 1.5 * _times(one, taken)
        )
        left = [one for one in left if one is not best and _text(one.sentence) != _text(best.sentence)]
        taken.append(best)
        tasks.update(best.sentence.about)
    return taken


def _times(one: Candidate, taken: Sequence[Candidate]) -> int:
    """How many facts are put the same way already, or show the same words."""
    shown = {state.aspect for state in one.states if state.kind == "at"}
    alike = (len(one.shape & other.shape) >= ALIKE * len(one.shape | other.shape) for other in taken)
    again = (any(state.aspect in shown for state in other.states) for other in taken)
    return sum(alike) + sum(again)


def anchors(golden: str, facts: RunFacts | None, count: int) -> tuple[list[Anchor], list[tuple[int, str]]]:
    """Drafted anchors, the one that needs most reading first; and the sentences that the run speaks against, with their lines."""
    report = read(golden, [facts] if facts is not None else [])
    passes = PASSES if facts is None else f"({facts.run.passes})"
    sound, against = [], []
    with nullcontext() if facts is None else Checker(facts) as checker:
        for one in candidates(report):
            checks = [check for state in one.states if (check := check_of(state, passes)) is not None]
            holds = None if checker is None else checker.verified(checks)
            if holds is False or one.sentence.line in report.false_lines:
                against.append((one.sentence.line, _text(one.sentence)))
            else:
                sound.append((one, checks, holds))
    by_place = {id(one): (checks, holds) for one, checks, holds in sound}
    ranked = sorted(chosen([one for one, _, _ in sound], count), key=lambda one: (-one.need, one.sentence.line))
    made = [
        Anchor(f"B{place}", _text(one.sentence), one.difficulty, one.sentence.line, *by_place[id(one)])
        for place, one in enumerate(ranked, 1)
    ]
    return made, against


def _text(sentence: Sentence) -> str:
    """The sentence as Markdown, with the task it is about where it does not name it."""
    plain = re.sub(r"^\[c\d+\]\s*|\s*\[c\d+\]", "", sentence.plain).rstrip(";")
    named = sentence.rollouts or (sentence.tasks and _TASK.search(plain))
    return as_markdown(plain if named or sentence.task is None else f"Task {sentence.task}: {plain}")


def as_markdown(plain: str) -> str:
    """Words that read as themselves when they are read as Markdown; code is left as code."""
    parts = re.split(r"(`[^`]*`)", plain)
    escaped = "".join(part if place % 2 else _MARKUP.sub(r"\\\g<0>", part) for place, part in enumerate(parts))
    return _LEAD.sub(r"\\\g<0>", escaped)
