"""Fractions with their parts: `21/50 (42 %)`, `3 of 4 repeats`, `37 out of 116 failed rollouts (31.9 %)`, `42 % (21/50)`.

A share that stands beside its fraction must be that fraction, whatever the run says.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from blade.claims.reading.document import Span
from blade.claims.reading.numbers import Number

_BETWEEN = re.compile(r"\s*(?:/|of|out of)\s*(?:the|all|its|their)?\s*", re.I)
_SHARE_BEHIND = re.compile(r"[^\d.;:()\[\]|\n]{0,120}\(\s*(?:=|≈|about|~)?\s*$")
_SHARE_CLOSES = re.compile(r"\s*(?:\)|[,;][^)]*\))")
_SHARE_BEFORE = re.compile(r"\s*\(\s*(?:=|i\.e\.,?)?\s*$")
_EQUALS = re.compile(r"\s*(?:=|≈|:)\s*$")
_TERM = re.compile(r"\)?\s{0,3}(?:[*×+]\s{0,3}\(?\d|=\s{0,3}(?:<<|(?!0\.|[01](?![\d.,]))\d[\d.,]{0,20}+(?!\s{0,3}%)))")
"""What follows a division in somebody's working (`16/2=8`, `20+(80/2)=60`, `11/18*162`, `60/3=<<60/3=20>>`): its result is no share."""
_COMMA = re.compile(r"\s*,\s*")
_NOUN = re.compile(
    r"\s+((?:[A-Za-z][\w-]*\s+){0,3}?(?:tasks?|rollouts?|repeats?|rows?|runs?|problems?|attempts?|ones|passes|pass|fail|failures?)\b)"
)


@dataclass(frozen=True)
class Fraction:
    part: Number
    whole: Number
    noun: str
    """What it is a share of, as far as the words behind it say (`failed rollouts`)."""
    share: Number | None = None
    """The percentage that stands with it."""

    @property
    def span(self) -> Span:
        return Span(self.part.span.start, self.whole.span.end)


def fractions(text: str, found: Sequence[Number]) -> Iterator[Fraction]:
    """The fractions among the numbers of a text."""
    for place, (part, whole) in enumerate(pairwise(found)):
        between = text[part.span.end : whole.span.start]
        if (
            part.whole
            and whole.whole
            and _BETWEEN.fullmatch(between)
            and not ("/" in between and _TERM.match(text, whole.span.end))
        ):
            noun = _NOUN.match(text, whole.span.end)
            yield Fraction(part, whole, noun[1].lower() if noun else "", _share(text, found, place))


def _share(text: str, found: Sequence[Number], place: int) -> Number | None:
    part, whole = found[place], found[place + 1]
    if place + 2 < len(found) and found[place + 2].unit == "%":
        behind = found[place + 2]
        between = text[whole.span.end : behind.span.start]
        if (
            _EQUALS.fullmatch(between)
            or (_COMMA.fullmatch(between) and text[behind.span.end : behind.span.end + 1] == ")")
            or (_SHARE_BEHIND.fullmatch(between) and _SHARE_CLOSES.match(text, behind.span.end))
        ):
            return behind
    if place > 0 and found[place - 1].unit == "%" and _SHARE_BEFORE.fullmatch(text[found[place - 1].span.end : part.span.start]):
        return found[place - 1]
    return None
