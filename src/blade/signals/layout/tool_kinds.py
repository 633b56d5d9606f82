"""Tools of which neither name nor description nor schema tells whether they change something: what their answers in the sample say.

The same votes as `learned` takes over the whole run for the report, counted here before the scan, so that calls are compared by them. Before
them come the expected calls, where they are known: a tool that passing rollouts of several tasks call although their tasks list the calls
they expect, and never this one, does no harm and is a lookup; and where no lookup is ever expected, what is expected changes something.
An envelope (`{"ok": true, "result": …}`) acknowledges nothing where tools that only look answer in it too. Answers that something was saved
outweigh a name that may be of looking (`check_schedule`), though none of the plainest (`get`, `list`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from blade.signals.calls.learned import ACKNOWLEDGES, MIN_CALLS, SHARE_ACKNOWLEDGED, Votes, learn
from blade.signals.calls.matcher import find_errors
from blade.signals.calls.mutation import BY_DESCRIPTION, CHANGE, PLAIN_LOOKUPS, READ, UNKNOWN, hands_over, words_of
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import ToolKind

_ACKNOWLEDGES = re.compile(ACKNOWLEDGES)
_SAVED = re.compile(r"\b(?:saved|recorded|stored|persisted)\W{1,4}true\b", re.IGNORECASE)
WITHIN_ANSWER = 120
"""Characters from the beginning of an answer in which it says that something was saved."""
MAX_READ = 2_000
MOST_CALLS = 200
"""Calls of one tool that are looked at."""
MIN_HARMLESS = 2
"""Tasks in which a passing rollout makes a call that no task expects, from which on its tool is a lookup, whatever its name says."""
ALL_OF_THEM = 0.9
MAX_TERSE = 80
MIN_LOOKUPS = 2
"""Lookups that are made and never expected, from which on what is expected is no lookup."""
MIN_WANTED = 5
"""Tasks that expect calls, none of them a lookup, from which on a call that one of them expects changes something."""


@dataclass
class _Counts:
    """By tool, over the sample."""

    calls: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    alike: Counter[str] = field(default_factory=Counter)
    otherwise: Counter[str] = field(default_factory=Counter)
    harmless: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The tasks that a passing rollout called it in, although they expect other calls."""
    wanted: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The tasks that expect it."""
    answered: Counter[str] = field(default_factory=Counter)
    terse: Counter[str] = field(default_factory=Counter)
    """Answers, and those of them that are one short line, as one who only looks gets none."""
    saved: Counter[str] = field(default_factory=Counter)
    """Answers that say that something was saved."""
    looked: int = 0
    enveloped: int = 0
    """Answers of tools that only look, and those of them that read like an acknowledgement."""

    def acknowledges(self, name: str) -> bool:
        return self.acknowledged[name] >= SHARE_ACKNOWLEDGED * (self.calls[name] - self.errors[name]) > 0

    def saves(self, name: str) -> bool:
        return self.answered[name] >= MIN_CALLS and self.saved[name] >= ALL_OF_THEM * self.answered[name]

    def is_terse(self, name: str) -> bool:
        return self.terse[name] >= ALL_OF_THEM * self.answered[name] > 0


def learn_tools(rows: Sequence[Sampled]) -> tuple[ToolKind, ...]:
    counts, kinds = _Counts(), {name: _kind(row, name) for row in rows for name in _names(row)}
    for row in rows:
        _count(row, kinds, counts)
    told = not _envelope(counts)
    described = {name for row in rows for name in _names(row) if _by_description(row, name)}
    votes = [
        Votes(name, UNKNOWN, calls, counts.errors[name], counts.acknowledged[name] if told else 0, counts.alike[name], counts.otherwise[name])
        for name, calls in sorted(counts.calls.items())
    ]  # fmt: skip
    found = {
        name: ToolKind(name, kind.kind, kind.reason)
        for name, kind in learn(votes).items()
        if kind.kind != UNKNOWN and kinds[name] == UNKNOWN and (name not in described or (told and counts.acknowledges(name)))
    }
    for name, kind in kinds.items():
        if kind == READ and counts.saves(name) and not PLAIN_LOOKUPS.intersection(words_of(name)):
            said = f"{counts.saved[name]} of {counts.answered[name]} answers say that something was saved"
            found[name] = ToolKind(name, CHANGE, said)
    if _expects_changes_only(counts, kinds):
        for name, mine in counts.wanted.items():
            if kinds.get(name) != CHANGE and not hands_over(name):
                found[name] = ToolKind(name, CHANGE, f"{len(mine)} tasks expect it, and no task expects a lookup")
    for name, mine in counts.harmless.items():
        acknowledges = told and counts.acknowledged[name]
        if name in _passed_over(counts) and kinds[name] != READ and not acknowledges and not hands_over(name):
            found[name] = ToolKind(name, READ, f"passing rollouts of {len(mine)} tasks call it and no task expects it")
    return tuple(found[name] for name in sorted(found))


def _passed_over(counts: _Counts) -> set[str]:
    """Tools that passing rollouts of several tasks call and no task expects."""
    return {name for name, mine in counts.harmless.items() if name not in counts.wanted and len(mine) >= MIN_HARMLESS}


def _expects_changes_only(counts: _Counts, kinds: dict[str, str]) -> bool:
    """Whether the expected calls are those that change something: lookups are made and not expected.

    Tools that only look by their names may be among them (`open_work_order`, `compute-resize`), where several others are not: one of any
    name, or more of them where those that look by the plainest names (`get`, `list`) are made and never expected. Whatever they are called:
    where several tools are passed over and each that is expected is called by nobody who passes without its being expected, and tells
    no more than a line (`showMove` of a radio show).
    """
    tasks = set().union(*counts.wanted.values())
    reads = {name for name, kind in kinds.items() if kind == READ}
    wanted = reads & counts.wanted.keys()
    plain = {name for name in reads if PLAIN_LOOKUPS.intersection(words_of(name))}
    return len(tasks) >= MIN_WANTED and (
        not wanted
        or (len(wanted) == 1 < len(counts.wanted) and len(reads - wanted) >= MIN_LOOKUPS)
        or (not plain & wanted and len(plain) >= MIN_LOOKUPS)
        or (
            all(map(counts.is_terse, plain & wanted))
            and len(_passed_over(counts)) >= MIN_LOOKUPS
            and not counts.harmless.keys() & counts.wanted.keys()
        )
    )


def _envelope(counts: _Counts) -> bool:
    """Whether answers read like acknowledgements whatever was asked: those of tools that only look, or of all tools there are."""
    if counts.looked:
        return counts.enveloped >= SHARE_ACKNOWLEDGED * counts.looked
    answered = [name for name in counts.calls if counts.calls[name] > counts.errors[name]]
    return len(answered) > 1 and all(
        counts.acknowledged[name] >= ALL_OF_THEM * (counts.calls[name] - counts.errors[name]) for name in answered
    )


def _names(row: Sampled) -> set[str]:
    expected = row.rollout.expectation
    return {name for name, _, _ in row.calls if name} | (expected.names if expected is not None else frozenset())


def _kind(row: Sampled, name: str) -> str:
    return UNKNOWN if _by_description(row, name) else row.rollout.mutation_of(name).kind


def _by_description(row: Sampled, name: str) -> bool:
    """Whether only its description makes a lookup of a tool: answers that say that something was done outweigh it, and nothing else does."""
    return row.rollout.mutation_of(name).reason.startswith(BY_DESCRIPTION)


def _count(row: Sampled, kinds: dict[str, str], counts: _Counts) -> None:
    expected = row.rollout.expectation
    for name in expected.names if expected is not None else ():
        counts.wanted[name].add(row.task)
    answers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, given, output in row.calls:
        if not name or output is None or counts.calls[name] >= MOST_CALLS:
            continue
        text = output.text[:MAX_READ]
        acknowledges = _ACKNOWLEDGES.search(text) is not None
        failed = any(error.decides for error in find_errors(text))
        if row.passed and not failed and expected is not None and name not in expected.names:
            counts.harmless[name].add(row.task)
        if not failed:
            counts.answered[name] += 1
            counts.saved[name] += _SAVED.search(text[:WITHIN_ANSWER]) is not None
            counts.terse[name] += len(text) <= MAX_TERSE and "\n" not in text.strip()
        if kinds[name] == READ:
            counts.looked += not failed
            counts.enveloped += acknowledges and not failed
            continue
        counts.calls[name] += 1
        if failed:
            counts.errors[name] += 1
            continue
        counts.acknowledged[name] += acknowledges
        answers[name, repr(given)].append(text)
    for (name, _), texts in answers.items():
        if len(texts) > 1:
            counts.alike[name] += len(set(texts)) == 1
            counts.otherwise[name] += len(set(texts)) > 1
