"""What a message says cannot be done: the sentence, and the words in it that say what.

A sentence that asks, sets a condition that can still be met, repeats what somebody else said, or goes on to do it all the same denies nothing.
Who asks brings the verb (`Verb`): it must be what cannot be done, and not just stand in the sentence, for `I cannot waive the cancellation fee`
cancels as before.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from blade.signals.texts.speech import caseless

READ: Final = 8_000
"""Characters of a message that are read."""
_CANNOT: Final = re.compile(
    r"(?i)\b(?:cannot|can['’]t|can not|(?:am|is|are|be|['’]m|['’]re) (?:not able|unable) to|won['’]t be able to)\s++(?P<what>[^.;:]{0,60})"
)
_NOT_ALLOWED: Final = re.compile(
    r"(?i)\b(?:(?:is|are|was|were)(?: not|n['’]t) (?:possible|allowed|permitted|eligible|an option)|not (?:eligible|possible|permitted|allowed)|ineligible"
    r"|(?:do(?:es)? not|(?:doesn|don)['’]t) (?:qualify|allow|permit|meet))\b"
)
_WORDS: Final = (
    "cannot", "can't", "can’t", "can not", "able to", "possible", "allow", "permit", "eligible", "an option", "qualify", "meet",
)  # fmt: skip
"""One of these stands in every sentence that denies something, which is found sooner than by the expressions."""
_CONDITION: Final = re.compile(
    r"(?i)\b(?:if|in case|should you|whether|without|once|after|until|till|yet|(?:unless|before) (?:you|your|I|we|my|our))\b"
)
"""A sentence with one of these before what it denies, or asks for something to go on with, denies nothing yet."""
_FURTHER: Final = re.compile(r"(?i)\b(?:where|wh(?:ich|o|en)|that|because|since|due|with|for|as)\b")
"""What begins what is said of a thing, beyond naming it."""
_WHEN: Final = re.compile(r"(?i)\bwhen(?:ever)?\b")
_OF_OTHERS: Final = re.compile(
    r"(?i)(?:\b(?:said|mentioned|told me|see|understand|know|heard?|sorry|read)(?: that)? you|\bno reason why [^,;]{0,40}|(?:\bnot|n['’]t) mean (?:that )?[^,;]{0,40}"
    r"|\bnothing (?:that )?(?:says|means|stops)\b[^,;]{0,40})\s?$"
)
"""What leads to words that are not the speaker's own: what somebody was told elsewhere, or what is not so."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE: Final = re.compile(r"(?i)[,;]?(?<!\s)\s++(?:so|but|however|and|then)\b|;")
_MARKUP: Final = " \t*_"
_DOES_IT: Final = r"\b(?:I|we)(?: can| will| could|['’]ll)\s+(?:\w+ly\s+|still\s+)?(?:do (?:it|so|this|that)\b|{form})"
_OFFERS: Final = (
    r"(?:\b(?:I|we)(?: can| will| could| would|['’]ll|['’]d)\b(?!\s+(?:not|only|never)\b)|\b(?:shall|should|may) I\b|\b(?:would|do) you (?:still )?(?:like|want|wish)(?: me)? to\b)"
    r"[^.;:?!\n]{{0,40}}?{form}"
)
_BEFORE_HEAD: Final = r"\s*(?:(?:be|just|also|now|even|still|further|\w+ly|at (?:this|the) (?:time|point|moment),?)\s+){0,4}(?:\w+(?:,|\s+or|\s+and|\s?/)\s+){0,3}?"
"""What stands before the verb of what cannot be done, other such verbs among it."""
_LIGHT: Final = (
    r"(?:process|offer|provide|issue|make|do|complete|perform|grant|approve|accept|accommodate|arrange|allow|permit|authori[sz]e|support|honou?r|initiate"
    r"|submit|proceed|go ahead|help|assist|carry out|have|fulfil+|execute|finali[sz]e|apply|start|facilitate)\b"
)
"""Verbs that say no more than the noun behind them: `process the cancellation`."""
_NO_ACT: Final = r"(?!\s+(?:fees?|charges?|costs?|polic(?:y|ies)|insurance|numbers?|confirmations?|e-?mails?|details|history|status|dates?|windows?|periods?)\b)"
"""What is called after an act and is none."""
_ENDINGS: Final = r"(?:e|y|s|es|ies|ied|ed|ing|ings|ying|ations?|ications?|ions?|itions?|als?|ments?|able)?"
_ALTERS: Final = ("modify", "update", "change", "edit", "alter", "adjust")
"""Verbs that say the same of a record."""


class Verb(NamedTuple):
    """A verb in the forms that a sentence has it in: `cancelled` and `cancellation` of `cancel`."""

    form: re.Pattern[str]
    head: re.Pattern[str]
    """A form where the verb of what cannot be done stands, or behind one that says nothing without it."""
    near: re.Pattern[str]
    """A form behind a few words, as it stands after what says that something is not allowed."""
    ends: re.Pattern[str]
    """A form before a few words, as it stands before that."""
    does_it: re.Pattern[str]
    offers: re.Pattern[str]


@lru_cache(maxsize=256)
def verb_of(verb: str) -> Verb:
    family = _ALTERS if verb in _ALTERS else (verb,)
    stems = "|".join(rf"{re.escape(stem)}{re.escape(stem[-1])}?" for stem in map(_stem, family))
    form = rf"\b(?:{stems}){_ENDINGS}\b{_NO_ACT}"
    patterns = (
        form,
        rf"{_BEFORE_HEAD}(?:{form}|{_LIGHT}.*?{form})",
        rf"(?:\W+\w+){{0,4}}?\W+{form}",
        rf"{form}(?:\W+\w+){{0,5}}\W*$",
        _DOES_IT.format(form=form),
        _OFFERS.format(form=form),
    )
    return Verb(*(re.compile(pattern, re.IGNORECASE) for pattern in patterns))


def _stem(verb: str) -> str:
    return verb[:-1] if verb.endswith("e") or (verb.endswith("y") and verb[-2:-1] not in "aeou") else verb


class Denial(NamedTuple):
    """A sentence that says that something cannot be done."""

    sentence: str
    start: int
    end: int
    """Where the sentence stands in the message."""
    before: str
    """The clause up to what denies it."""
    what: str | None
    """What cannot be done; None where the clause says that something is not allowed."""
    behind: str
    """The sentence from there on."""

    @property
    def about(self) -> str:
        """The words that name what it is about: those of the subject as well where that is what something cannot be done with."""
        if self.what is None:
            return f"{self.before} {self.behind}"
        return f"{self.before} {self.what}" if self.what.startswith("be ") else _FURTHER.split(self.what)[0]

    def denies(self, verb: Verb) -> bool:
        if verb.does_it.search(self.behind):
            return False
        if self.what is None:
            return verb.near.match(self.behind) is not None or verb.ends.search(self.before) is not None
        return verb.head.match(self.what) is not None


def denials(text: str) -> tuple[Denial, ...]:
    return _read(text[:READ])


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Denial, ...]:
    return tuple(_denials(text)) if may_deny(text) else ()


def may_deny(text: str) -> bool:
    return any(map(caseless(text).__contains__, _WORDS))


def offers(text: str, verb: Verb) -> Iterator[str]:
    """The sentences that say that the speaker can or will do it, and set no condition."""
    for sentence in _SENTENCE.split(text[:READ]):
        found = verb.offers.search(sentence)
        if found is not None and not _CONDITION.search(sentence, 0, found.start()) and not _WHEN.search(sentence):
            yield sentence


def _denials(text: str) -> Iterator[Denial]:
    end = 0
    for sentence in _SENTENCE.split(text):
        start = text.index(sentence, end)
        end = start + len(sentence)
        if not sentence.rstrip(_MARKUP).endswith(("?", ":")) and may_deny(
            sentence
        ):  # a question, or of records that a list names
            yield from _of_sentence(sentence, start)


def _of_sentence(sentence: str, start: int) -> Iterator[Denial]:
    said = 0
    for clause in _CLAUSE.split(sentence):
        at = sentence.index(clause, said)
        said = at + len(clause)
        cannot = _CANNOT.search(clause)
        found = cannot or _NOT_ALLOWED.search(clause)
        if found is None or _CONDITION.search(sentence, 0, at + found.start()) or _CONDITION.search(clause):
            continue
        before, behind = clause[: found.start()], sentence[at + (found.start("what") if cannot else found.end()) :]
        if not _OF_OTHERS.search(sentence[: at + found.start()][-80:]):
            what = cannot["what"] if cannot else None
            yield Denial(sentence.strip(" *-"), start, start + len(sentence), before, what, behind)
