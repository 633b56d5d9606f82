"""Where the assistant of a dialogue said that it would not do what a tool is for: there an expected call that was never made was decided."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.calls.mutation import CHANGE, VERBS, own_words
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts.denials import READ, Denial, Verb, denials, offers, verb_of
from blade.signals.texts.schemes import of_one_scheme
from blade.signals.wanted.comparison import target_of
from blade.signals.wanted.expectation import ExpectedCall

_WORD: Final = re.compile(r"\w[\w#@/-]*\w")
MIN_THING: Final = 3
"""Letters of the word for a thing that a tool works on."""


class Declined(NamedTuple):
    step: int
    sentence: str


def declined(rollout: Rollout, expected: ExpectedCall, before: int | None = None) -> Declined | None:
    """The message, of those `before` a step, in which the assistant first says that what an expected call does cannot be done.

    What it changed of the same record after saying so, or offered to do after all, it had not declined for good; and what it says of other
    records, or of what another tool works on, it does not say of this one.
    """
    name = next((word for word in own_words(expected.name) if word in VERBS), None)
    if name is None or expected.by_user or not rollout.has_dialogue:
        return None
    target = target_of(expected.name, expected.arguments)
    record = None if target is None else str(expected.arguments[target])
    verb, first = verb_of(name), None
    after = _changed_last(rollout, verb, record)
    for _, item in rollout.assistant_messages():
        if before is not None and item.step >= before:
            break
        if item.step <= after:
            continue
        said = next(
            (denial for denial in denials(item.text) if _declines(rollout, expected, verb, record, denial, item.text)), None
        )
        if first is not None and said is None and _takes_up(rollout, expected, verb, record, item.text):
            first = None
        elif first is None and said is not None:
            first = Declined(item.step, said.sentence)
    return first


def said_of_another(expected: ExpectedCall, sentence: str) -> bool:
    """Whether a sentence names records, and not the one that an expected call is about."""
    target = target_of(expected.name, expected.arguments)
    return _of_another(None if target is None else str(expected.arguments[target]), 0, READ, sentence)


def _declines(rollout: Rollout, expected: ExpectedCall, verb: Verb, record: str | None, denial: Denial, message: str) -> bool:
    return (
        denial.denies(verb)
        and not _allows(denial.sentence, verb)
        and not _of_another(record, denial.start, denial.end, message)
        and not _of_another_tool(rollout, expected.name, denial.about)
    )


def _allows(sentence: str, verb: Verb) -> bool:
    """Whether a sentence says of the same verb what can be done: `You can change the name, but the number of guests cannot be changed.`"""
    return (
        re.search(rf"(?i)\b(?:you|we|I) (?:can|may|could)\s+(?!not\b|only\b)(?:\w+ly\s+|still\s+)?{verb.form.pattern}", sentence)
        is not None
    )


def _takes_up(rollout: Rollout, expected: ExpectedCall, verb: Verb, record: str | None, message: str) -> bool:
    """Whether a message offers after all what was declined before."""
    offered = (sentence for sentence in offers(message, verb) if not _of_another_tool(rollout, expected.name, sentence))
    return not _of_another(record, 0, READ, message) and next(offered, None) is not None


def _of_another(record: str | None, start: int, end: int, message: str) -> bool:
    """Whether what stands there in a message is said of other records than this one: its own words name them, or those before it do, or the message and not this one."""
    if record is None:
        return False
    named = list(_records(record, message[:READ]))
    within = [one for one in named if start <= one.place < end]
    if within:
        return not any(one.is_own for one in within)
    before = [one for one in named if one.place < start and one.is_like]
    if before:
        return not before[-1].is_own
    return bool(named) and not any(one.is_own for one in named)


class _Record(NamedTuple):
    """A name of one scheme with that of a record, where a message has it."""

    place: int
    is_own: bool
    is_like: bool
    """Whether its figures stand in the same places: of codes that were drawn, others are too easily taken for them."""


def _records(record: str, message: str) -> Iterator[_Record]:
    own = record.lstrip("#")
    figures = list(map(str.isdigit, own))
    for found in _WORD.finditer(message):
        word = found[0]
        if len(word) == len(own) and (word.lower() == own.lower() or of_one_scheme(own, word)):
            yield _Record(found.start(), word.lower() == own.lower(), list(map(str.isdigit, word)) == figures)


def _of_another_tool(rollout: Rollout, name: str, text: str) -> bool:
    """Whether a text names what another tool works on, and this one does not: `I cannot change the address` says nothing of the items."""
    things = _things(rollout)
    words = tuple(_WORD.findall(text[:READ].lower()))
    named = {thing for thing in frozenset().union(*things) if any(word.startswith(thing) for word in words)}
    return not named <= things_of(name) and any(named <= others for others in things)


@once_for_each
def _things(rollout: Rollout) -> frozenset[frozenset[str]]:
    """What each tool that changes something works on, by its name."""
    expected = () if rollout.expectation is None else rollout.expectation.calls
    names = {*rollout.tools, *(made.name for made in rollout.own_calls), *(one.name for one in expected)}
    return frozenset(things_of(name) for name in names if rollout.mutation_of(name).kind == CHANGE)


def speaks_of(things: frozenset[str], sentence: str) -> bool:
    """Whether a sentence has a word that begins as one of these does: `bags` where a tool works on `baggage`."""
    begins = {thing[:MIN_THING] for thing in things}
    return any(word[:MIN_THING] in begins for word in _WORD.findall(sentence.lower()))


def things_of(name: str) -> frozenset[str]:
    """What a tool works on, by its name."""
    words = (word if word.endswith("ss") else word.removesuffix("s") for word in own_words(name) if word not in VERBS)
    return frozenset(word for word in words if len(word) >= MIN_THING)


def _changed_last(rollout: Rollout, verb: Verb, record: str | None) -> int:
    """The step of the last such change that was made to the record, -1 where there is none."""
    return max(
        (
            made.step
            for made in rollout.own_calls
            if made.changes
            and made.error is None
            and any(verb.form.match(word) for word in own_words(made.name))
            and (record is None or record in made.raw)
        ),
        default=-1,
    )
