"""Equations that people write down when they work something out, and whether they hold.

Only what can be read without doubt is an equation: numbers with signs between them (or `plus`, `less`), one unit at the most, an equals sign or a word for it, a
number; behind a word a result in another unit is a conversion, and none. A result may be rounded to the places that it is written with. Each sign is applied in order of precedence, as one writes it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.texts.speech import caseless

MAX_TEXT: Final = 2_000
MAX_TERMS: Final = 20
_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SIGN_WORDS: Final = {"plus": "+", "minus": "-", "less": "-", "times": "*"}
_IS: Final = r"(?:are|is|makes?|gives?|equals?|totals?|comes? to|adds? up to)"
_NO_UNIT: Final = rf"(?!(?:x|{'|'.join(_SIGN_WORDS)}|{_IS})\b)"
_TERM: Final = rf"[$€£]?{_NUMBER}(?:[ \t]?{_NO_UNIT}[A-Za-z]{{2,10}})?"
_SIGN: Final = rf"[ \t]*(?:[-+*/×÷−·]|\b(?:x|{'|'.join(_SIGN_WORDS)})\b)[ \t]*"
_EQUATION: Final = re.compile(
    rf"(?:^|[;=<]|(?<!\d):|[:,.](?!\d))[ \t]*(?P<terms>{_TERM}(?:{_SIGN}{_TERM}){{1,{MAX_TERMS}}})[ \t]*(?:=|(?P<word>\b{_IS}\b))[ \t]*[$€£]?(?P<result>-?{_NUMBER})(?![\d/:^%]|[.,]\d|[ \t]?[-+*/×÷−^(])(?:[ \t]?(?P<unit>[A-Za-z]{{1,10}}))?",
    re.MULTILINE,
)
"""It begins where something begins: what stands before a number may belong to it (`x + 3 + 5 = 11`)."""
_PART: Final = re.compile(
    rf"(?P<sign>[-+*/×÷−·x]|{'|'.join(_SIGN_WORDS)}|)[ \t]*[$€£]?(?P<number>{_NUMBER})[ \t]*(?P<unit>(?:{_NO_UNIT}[A-Za-z]{{0,10}})?)[ \t]*"
)
_JOINED: Final = re.compile(r"(?<![ \t])[-/]|[-/](?![ \t])")
_LEADING: Final = re.compile(r"(?<![\d.,])0\d")
_THOUSANDS: Final = re.compile(r"\d{1,3}\.\d{3}")
_OTHER_NUMBERS: Final = re.compile(r"\bmod\b|\bmodulo\b|\bbase\b|\bbinary\b|\bhex|\boctal\b", re.IGNORECASE)
"""Words that speak of numbers that are added otherwise."""
_OTHER_MARKS: Final = ("mod", "base", "binary", "hex", "octal")
"""One of these stands in every such word, and looking for them is quick."""


class FalseEquation(NamedTuple):
    text: str
    result: str
    """What stands behind the equals sign."""
    true: float
    """What it comes to."""
    used: bool
    """Whether the text goes on with the result."""
    after: str
    """What the text says behind it."""


def false_equations(text: str) -> Iterator[FalseEquation]:
    """The equations of a text that do not hold, in order."""
    text = text[:MAX_TEXT]
    folded = caseless(text)
    if any(mark in folded for mark in _OTHER_MARKS) and _OTHER_NUMBERS.search(text):
        return
    for found in _EQUATION.finditer(text):
        parts = [
            (_SIGN_WORDS.get(part["sign"], part["sign"]), part["number"], part["unit"]) for part in _PART.finditer(found["terms"])
        ]
        true, result = _value(parts), float(found["result"].replace(",", ""))
        places = len(found["result"].partition(".")[2])
        divides = any(sign in ("/", "÷") for sign, _, _ in parts)  # quotients are written down rounded, and worked on with
        if true is None or not abs(abs(true) - abs(result)) > 0.51 * 10**-places + 0.005 * abs(true) * divides:
            continue  # it holds, or says nothing
        if _span_or_id(found["terms"], said_in_words=bool(found["word"])):
            continue
        numbers = [number for _, number, _ in parts] + [found["result"]]
        if found["word"] and any(unit and unit != found["unit"] for _, _, unit in parts):
            continue
        if not _one_unit(parts) or any(map(_THOUSANDS.fullmatch, numbers)) or all(set(number) <= set("01") for number in numbers):
            continue
        used = re.search(rf"(?<![\w.,]){re.escape(found['result'])}(?![\w]|[.,]\d)", text[found.end() :]) is not None
        said = text[found.start() : found.end("result")].lstrip(";:,=<. \t").strip()
        yield FalseEquation(said, found["result"], true, used, text[found.end() :])


def _span_or_id(terms: str, said_in_words: bool) -> bool:
    """Whether the hyphens and strokes of some terms may join what belongs together: `3-5 are 3 nights`, `12-34-56 = 8`, a day, an id.

    Who says `are` for `=` writes a minus with blanks around it; a number that begins with a nought is part of a day or an id.
    """
    joined = _JOINED.findall(terms)
    return bool(joined) and (said_in_words or len(joined) > 1 or _LEADING.search(terms) is not None)


def _one_unit(parts: list[tuple[str, str, str]]) -> bool:
    """Whether what is added up is of one kind: all terms of a sum bear the same unit, the last one, or none; factors may bear one."""
    summed = all(sign in ("", "+", "-", "−") for sign, _, _ in parts)
    units = {unit for _, _, unit in parts}
    if summed and not any(unit for _, _, unit in parts[:-1]):
        return True
    return len(units) == 1 if summed else len(units - {""}) <= 1


def _value(parts: list[tuple[str, str, str]]) -> float | None:
    """What the terms come to; None where something is divided by nought."""
    total, product = 0.0, 0.0
    for sign, written, _ in parts:
        number = float(written.replace(",", ""))
        match sign:
            case "*" | "×" | "·" | "x":
                product *= number
            case "/" | "÷":
                if not number:
                    return None
                product /= number
            case _:
                total, product = total + product, -number if sign in ("-", "−") else number
    return total + product
