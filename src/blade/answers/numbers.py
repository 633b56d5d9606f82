r"""Numerals: the exact value of `1,234.5`, `1 234,5`, `1_234`, `1e3`, `1.5*10^{3}`, `3/4`, `1 1/2`, `\frac{1}{2}`, `twenty-one`.

A numeral can be read in more than one way: `1,234` is a thousand to one reader and a little over one to another, `1,5` may be a
pair. Each reading is kept, and `sure` marks the ones that need no guess about the writer's country; a comparison that only holds
for an unsure reading is left undecided. Values are exact fractions, so `0.1` is a tenth. Length and exponent are bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

LARGEST_EXPONENT: Final = 400
MOST_DIGITS: Final = 400

PLAIN_FORMS: Final = frozenset({"fraction", "scientific notation"})
"""Notations that any programmer's language reads alike: two numbers that differ only in these are equal, not just equivalent."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """One reading of a numeral: its exact value, the notations used, and whether it needs no guess."""

    value: Fraction
    forms: frozenset[str] = frozenset()
    sure: bool = True
    places: int | None = 0
    """Digits after the point; None for a fraction, which is exact."""


_PLAIN: Final = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_COMMA_GROUPS: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_OTHER_GROUPS: Final = re.compile(r"[1-9]\d{0,2}(?:([ '])\d{3})(?:\1\d{3})*(?:[.,]\d+)?|\d+(?:_\d+)+(?:\.\d+)?")
_DOT_GROUPS: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)|[1-9]\d{0,2}(?:\.\d{3}){2,}")
_INDIAN_GROUPS: Final = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d+")
_ONE_GROUP: Final = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")

_EXPONENT: Final = re.compile(
    r"(?P<body>.*?)(?:[eE](?P<e>[+-]?\d{1,4})|(?:(?:^|\s*[x*]\s*)10\s*(?:\^|\*\*)\s*)(?:\{(?P<b>[+-]?\d{1,4})\}|\((?P<p>[+-]?\d{1,4})\)|(?P<n>[+-]?\d{1,4})))"
)
_FRACTION: Final = re.compile(r"(?:(\d+)\s+)?(\d+)\s*/\s*(\d+)")
_LATEX_FRACTION: Final = re.compile(r"(\d+)?\s*\\frac\s*(?:\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}|(\d)\s*(\d))")


def numerals(text: str) -> Iterator[Numeral]:
    """Every reading of an unsigned numeral; none if the text is not one."""
    if sum(map(str.isdigit, text)) > MOST_DIGITS:
        return
    if text.isascii() and any(map(str.isdigit, text)):
        yield from _fractions(text)
        yield from _scientific(text)
        yield from _decimals(text)
    elif (spoken := spelled(text)) is not None:
        yield Numeral(spoken, frozenset({"number word"}), places=None)


def _fractions(text: str) -> Iterator[Numeral]:
    if plain := _FRACTION.fullmatch(text):
        whole, top, bottom, forms = plain[1], plain[2], plain[3], {"fraction"}
    elif latex := _LATEX_FRACTION.fullmatch(text):
        whole, top, bottom, forms = latex[1], latex[2] or latex[4], latex[3] or latex[5], {"LaTeX fraction"}
    else:
        return
    if int(bottom) == 0:
        return
    part = Fraction(int(top), int(bottom))
    if not whole:
        yield Numeral(part, frozenset(forms), places=None)
    elif part < 1:
        yield Numeral(int(whole) + part, frozenset(forms | {"mixed number"}), places=None)


def _scientific(text: str) -> Iterator[Numeral]:
    found = _EXPONENT.fullmatch(text)
    if not found:
        return
    exponent = int(found["e"] or found["b"] or found["p"] or found["n"])
    if abs(exponent) > LARGEST_EXPONENT:
        return
    for body in _decimals(found["body"]) if found["body"] else [Numeral(Fraction(1))]:
        places = max(0, (body.places or 0) - exponent)
        forms = body.forms | ({"scientific notation"} if found["e"] else {"power of ten"})
        yield Numeral(body.value * Fraction(10) ** exponent, forms, body.sure, places)


def _decimals(text: str) -> Iterator[Numeral]:
    if _PLAIN.fullmatch(text):
        padded = len(text) > 1 and text[0] == "0" and text[1].isdigit()
        yield _decimal(text, {"leading zeros"} if padded else set())
        if _ONE_GROUP.fullmatch(text):
            yield _decimal(text.replace(".", ""), {"thousands separator"}, sure=False)
    elif _COMMA_GROUPS.fullmatch(text):
        yield _decimal(text.replace(",", ""), {"thousands separator"})
        if _ONE_GROUP.fullmatch(text):
            yield _decimal(text.replace(",", "."), {"decimal comma"}, sure=False)
    elif _OTHER_GROUPS.fullmatch(text):
        comma = {"decimal comma"} if "," in text else set()
        yield _decimal(re.sub("[ '_]", "", text).replace(",", "."), {"thousands separator"} | comma)
    elif _DOT_GROUPS.fullmatch(text):
        comma = {"decimal comma"} if "," in text else set()
        yield _decimal(text.replace(".", "").replace(",", "."), {"thousands separator"} | comma)
    elif _INDIAN_GROUPS.fullmatch(text):
        yield _decimal(text.replace(",", ""), {"thousands separator"}, sure=False)
    elif _DECIMAL_COMMA.fullmatch(text):
        yield _decimal(text.replace(",", "."), {"decimal comma"}, sure=text.startswith("0,"))


def _decimal(text: str, forms: set[str], *, sure: bool = True) -> Numeral:
    whole, _, part = text.partition(".")
    return Numeral(Fraction(int((whole + part) or "0"), 10 ** len(part)), frozenset(forms), sure, len(part))


_SMALL_WORDS: Final = (
    "zero one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_PART_WORDS: Final = "half halves 2 third thirds 3 quarter quarters fourth fourths 4 fifth fifths 5"
_SMALL: Final = {word: number for number, word in enumerate(_SMALL_WORDS.split())}
_TENS: Final = {word: 10 * number for number, word in enumerate(_TENS_WORDS.split(), 2)}
_PARTS: Final = {word: int(size) for words, size in re.findall(r"([a-z ]+)(\d)", _PART_WORDS) for word in words.split()}
SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def spelled(text: str) -> Fraction | None:
    """The value of number words up to the trillions (`one hundred and five`, `three quarters`), or None."""
    words = text.casefold().replace("-", " ").split()
    if not words or len(words) > 16:
        return None
    if words[-1] in _PARTS:
        top = 1 if words[:-1] in ([], ["a"], ["one"]) else spelled(" ".join(words[:-1]))
        return None if top is None or (words[:-1] == [] and words[-1] != "half") else Fraction(top) / _PARTS[words[-1]]
    return _whole(words)


def _whole(words: list[str]) -> Fraction | None:
    total = current = 0
    room = 10**15
    last = "start"
    for word in words:
        if word in _SMALL and last in ({"start", "hundred", "and", "scale"} | ({"tens"} if 0 < _SMALL[word] < 10 else set())):
            current, last = current + _SMALL[word], "small"
        elif word in _TENS and last in {"start", "hundred", "and", "scale"}:
            current, last = current + _TENS[word], "tens"
        elif word == "hundred" and last == "small" and 0 < current < 10:
            current, last = current * 100, "hundred"
        elif word in SCALES and last in {"small", "tens", "hundred"} and SCALES[word] < room:
            total, current, room, last = total + current * SCALES[word], 0, SCALES[word], "scale"
        elif word == "and" and last in {"hundred", "scale"}:
            last = "and"
        else:
            return None
    return Fraction(total + current) if last not in {"start", "and"} else None
