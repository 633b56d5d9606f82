"""Numbers as people write them: `1,234`, `42.0 %`, `−3.5`, `0.42`, `3.4k`; with the digits that were printed, which bound its value.

What only looks like a number is none: parts of names and ids (`M-0640`, `v1.2`, `26:1`), dates and times, citations (`[c12]`), and
whatever stands in code or in a quotation, which speaks of the transcript and not of the run.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from blade.claims.reading.document import Span

_NUMBER = re.compile(
    r"""
    (?<![\w.:@^\\#-]) (?<!\d,) (?<![^\d\s]/)
    (?P<sign> [−+±-] (?=\d) )?
    (?P<digits> \d{1,3}(?:,\d{3})+(?:\.\d+)? | \d+(?:\.\d+)? | (?<!\d)\.\d+ )
    (?: (?P<percent> \s?% | \s?percent\b ) | (?P<points> \s?(?:points?|pp|percentage\ points?)\b ) | (?P<scale> [kKM] )\b )?
    (?! [\w@^] | :\d | /[^\d\s] | \.\d | ,\d{3}(?!\d) | -\w )
    """,
    re.VERBOSE,
)
_DATE = re.compile(
    r"\b\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?)?\b|\b\d{1,4}/\d{1,2}/\d{1,4}\b|\b\d{1,2}:\d\d:\d\d\b|\b\d{1,2}:\d\d\s?(?:[ap]m|UTC)\b",
    re.I,
)
_CITATION = re.compile(r"\[c\d+\]|\[\d+\]")
_ABOUT = re.compile(r"(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|~|≈)\s*$", re.I)
_BOUND = re.compile(
    r"(?:at (?:most|least)|more than|less than|fewer than|up to|over|under|below|above|≤|≥|<|>|within|±)\s*(?:about\s*)?$", re.I
)
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6}
_EPSILON = 1e-12


@dataclass(frozen=True)
class Number:
    """One printed number. `unit` is what stands behind it; `ulp` the worth of its last digit."""

    span: Span
    text: str
    value: float
    ulp: float
    unit: str = ""
    hedge: str = ""
    """`about` where the text says so, `bound` where it is only a limit; a plain number says what it means."""

    @property
    def whole(self) -> bool:
        return self.unit == "" and self.ulp == 1 and self.value >= 0

    def equals(self, expected: float) -> bool:
        """Whether it is `expected`, printed with these digits. A whole percentage may have been cut rather than rounded."""
        slack = 0.5 * self.ulp + _EPSILON * max(1.0, abs(expected))
        if self.hedge == "about":
            slack = max(slack, 0.1 * abs(expected))
        if abs(self.value - expected) <= slack:
            return True
        return self.unit == "%" and self.ulp == 1 and self.value <= expected < self.value + 1

    def is_rate(self, rate: float) -> bool:
        """Whether it is this rate, as a percentage, as points or as a fraction; a bare number may be any of these."""
        if self.unit in ("%", "points"):
            return self.equals(100 * rate)
        return self.equals(rate) or (self.value > 1 and self.equals(100 * rate))


def place_of(found: Sequence[Number], offset: int) -> int:
    """Where, among numbers in the order of the text, those begin that stand at the offset or behind it."""
    return bisect_left(found, offset, key=lambda number: number.span.start)


def within(found: Sequence[Number], span: Span) -> Sequence[Number]:
    """Those of the numbers that begin in the span."""
    return found[place_of(found, span.start) : place_of(found, span.end)]


def numbers(text: str, masked: Iterable[Span] = ()) -> Iterator[Number]:
    """The numbers of a text, outside what is masked."""
    hidden = [*masked, *(Span(*found.span()) for pattern in (_DATE, _CITATION) for found in pattern.finditer(text))]
    for found in _NUMBER.finditer(text):
        span = Span(*found.span())
        if not any(span.overlaps(other) for other in hidden):
            yield _number(found, text)


def _number(found: re.Match[str], text: str) -> Number:
    digits = found["digits"].replace(",", "")
    decimals = len(digits.partition(".")[2])
    scale = _SCALES.get(found["scale"] or "", 1.0)
    sign = -1 if found["sign"] in ("−", "-") else 1
    before = text[max(0, found.start() - 24) : found.start()]
    hedge = "about" if _ABOUT.search(before) else "bound" if _BOUND.search(before) or found["sign"] == "±" else ""
    unit = "%" if found["percent"] else "points" if found["points"] else ""
    return Number(Span(*found.span()), found[0].strip(), sign * float(digits) * scale, 10.0**-decimals * scale, unit, hedge)
