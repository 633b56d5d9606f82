"""Where the assistant of a dialogue said that it would not do what a tool is for: there an expected call that was never made was decided."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from blade.signals.calls.mutation import VERBS, own_words
from blade.signals.rollout import Rollout
from blade.signals.texts.schemes import of_one_scheme
from blade.signals.texts.speech import caseless
from blade.signals.wanted.comparison import target_of
from blade.signals.wanted.expectation import ExpectedCall

_CANNOT: Final = re.compile(
    r"(?i)\b(?:cannot|can['’]t|can not|(?:am|is|are|be|['’]m|['’]re) (?:not able|unable) to|won['’]t be able to)\s+"
    r"(?!(?:access|calculate|guarantee|find|locate|see|undo|be undone|search|determine|verify|tell|look)\b)(?P<what>[^.;:]{0,60})"
)
"""What somebody is unable to do; finding something out is not what a change is declined for."""
_NOT_ALLOWED: Final = re.compile(
    r"(?i)\b(?:(?:is|are|was|were)(?: not|n['’]t) (?:possible|allowed|permitted|eligible|an option)|not (?:eligible|possible|permitted|allowed)|ineligible"
    r"|(?:do(?:es)? not|(?:doesn|don)['’]t) (?:qualify|allow|permit|meet))\b"
)
_MARKS: Final = ("can", "not ", "n't", "n’t", "able", "ineligible")
"""One of these stands in every sentence that declines."""
_WORDS: Final = (
    "cannot",
    "can't",
    "can’t",
    "can not",
    "able to",
    "possible",
    "allow",
    "permit",
    "eligible",
    "an option",
    "qualify",
    "meet",
)
"""The same of the sentence without its case, and closer."""
_CONDITION: Final = re.compile(r"(?i)\b(?:if|in case|should you|whether|without|once|after)\b")
"""A sentence with one of these before what it declines, or asks for something to go on with, declines nothing yet."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE: Final = re.compile(r"(?i)[,;]?\s+(?:so|but|however|and|then)\b|;")
_WORD: Final = re.compile(r"#?\w[\w#@/-]*\w")
_ALTERS: Final = ("modify", "update", "change", "edit", "alter", "adjust")
"""Verbs that say the same of a record."""


class Declined(NamedTuple):
    step: int
    sentence: str


class _Denial(NamedTuple):
    """A sentence that says that something cannot be done, and the part of it that says what."""

    sentence: str
    what: str


def declined(rollout: Rollout, expected: ExpectedCall, before: int | None = None) -> Declined | None:
    """The message, of those `before` a step, in which the assistant first says that what an expected call does cannot be done.

    What it changed of the same record after saying so, it had not declined for good; and what it says of other records it does not say of this one.
    """
    verb = next((word for word in own_words(expected.name) if word in VERBS), None)
    if verb is None or expected.by_user or not rollout.has_dialogue:
        return None
    target = target_of(expected.name, expected.arguments)
    record = None if target is None else str(expected.arguments[target])
    spoken = _verb(verb)
    after = _changed_last(rollout, spoken, record)
    for _, item in rollout.assistant_messages():
        if before is not None and item.step >= before:
            return None
        for denial in _denials(item.text) if item.step > after else ():
            if spoken.search(denial.what) and not _of_another(record, denial.sentence, item.text):
                return Declined(item.step, denial.sentence)
    return None


def _of_another(record: str | None, sentence: str, message: str) -> bool:
    """Whether what is said names other records than this one: the sentence itself, or the message that has it."""
    if record is None:
        return False
    text = sentence if _others(record, sentence) else message
    return record.lower() not in text.lower() and _others(record, text)


def _others(record: str, text: str) -> bool:
    return any(of_one_scheme(record, word) for word in _WORD.findall(text) if len(word) == len(record))


def _changed_last(rollout: Rollout, spoken: re.Pattern[str], record: str | None) -> int:
    """The step of the last such change that was made to the record, -1 where there is none."""
    return max(
        (
            made.step
            for made in rollout.own_calls
            if made.changes
            and made.error is None
            and any(spoken.match(word) for word in own_words(made.name))
            and (record is None or record in made.raw)
        ),
        default=-1,
    )


@lru_cache(maxsize=64)
def _denials(text: str) -> tuple[_Denial, ...]:
    return tuple(_read(text)) if any(mark in text for mark in _MARKS) and _may_decline(text) else ()


def _may_decline(text: str) -> bool:
    return any(map(caseless(text).__contains__, _WORDS))


def _read(text: str) -> Iterator[_Denial]:
    for sentence in _SENTENCE.split(text):
        if sentence.rstrip().endswith(("?", ":")) or not _may_decline(sentence):  # a question, or of records that a list names
            continue
        said = 0
        for clause in _CLAUSE.split(sentence):
            start = sentence.index(clause, said)
            said = start + len(clause)
            found = _CANNOT.search(clause)
            denied = found or _NOT_ALLOWED.search(clause)
            if denied and not _CONDITION.search(sentence, 0, start + denied.start()) and not _CONDITION.search(clause):
                yield _Denial(sentence.strip(" *-"), found["what"] if found else clause)


@lru_cache(maxsize=256)
def _verb(verb: str) -> re.Pattern[str]:
    """A verb in the forms that a sentence has it in: `cancelled` and `cancellation` of `cancel`."""
    family = _ALTERS if verb in _ALTERS else (verb,)
    return re.compile(rf"(?i)\b(?:{'|'.join(re.escape(_stem(one)) for one in family)})")


def _stem(verb: str) -> str:
    return verb[:-1] if verb.endswith(("e", "y")) else verb
