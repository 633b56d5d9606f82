"""Counts as prose has them, in digits or in words up to twelve, and the words that open a sentence to another reading."""

import re

from blade.claims.reading.document import Passage, Span, leading_up
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Read

_UP_TO_TWELVE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {word: value for value, word in enumerate(_UP_TO_TWELVE, 1)} | {"no": 0, "none": 0, "once": 1, "twice": 2, "thrice": 3}
COUNT = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}}|{'|'.join(_UP_TO_TWELVE)})"
"""A count, as part of a pattern that ignores case."""
REPEATS = r"(?:repeats?|rollouts?|attempts?|tries|try|trials?|runs?|samples?|episodes?)"
CLAUSE_END = r"(?=[\s*_]*(?:[.,;:)(]|—|–|and\b|but\b|while\b|whereas\b|$))"
"""Behind a statement that is over: what goes on could give it another sense (`passes 3 of 4 checks`)."""
_DOUBT = re.compile(
    r"\b(?:would|could|should|might|may|must|if|unless|when|whenever|until|without|after|before|except|excluding|instead|rather|"
    r"target|goal|expect(?:ed|s)? to|baseline|candidate|previous(?:ly)?|earlier|another|other|rerun|re-run|published|reported|claim(?:s|ed)?|"
    r"than|slice|category|split|subset|group|first|last|per|each of|these|those|such|where|whose|which of|not true|wrong(?:ly)?|"
    r"false(?:ly)?|suppose|assum\w+|at least|at most|or|nearly|almost|about|roughly)\b|\?",
    re.I,
)
_BOUNDED = re.compile(r"(?:more|less|fewer) than\s*$|\b(?:over|under|up to)\s*$", re.I)


def value_of(count: str) -> int:
    """What a count says, in digits or in a word."""
    return _WORDS[count.lower()] if count.lower() in _WORDS else int(count.replace(",", ""))


def is_limit(text: str, offset: int) -> bool:
    """Whether the words before a count make it a limit and no count."""
    return leading_up(_BOUNDED, text, offset) is not None


def in_doubt(passage: Passage, sentence: Span) -> bool:
    """Whether a sentence, or a heading above it, has a word that may make it speak of something else than what the run did."""
    return bool(_DOUBT.search(passage.text, sentence.start, sentence.end)) or any(_DOUBT.search(head) for head in passage.section)


def number_at(read: Read, offset: int) -> Number | None:
    return next((number for number in read.within(Span(offset, offset + 1))), None)
