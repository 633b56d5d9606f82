r"""What an answer can mean: every reading of a text, each in one canonical form per kind.

`12`, `twelve`, `12.0` and `\boxed{12}` are one number; `(B)` and `Answer: B` one option; `Jan 5, 2024` and `2024-01-05` one
day. A text often has several readings (`10:30` is a time, and might be a ratio), so `readings` returns them all, and says of
each which notations it went through (`forms`, the words a verdict is explained with), whether it needs a guess (`sure`) and
whether something was left off that may matter (`assumed`: the variable in `x = 5`, leading zeros).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from blade.answers.choices import Letter, option_letter, yes_or_no
from blade.answers.dates import dates, ratios, times
from blade.answers.groups import Group, group, json_value
from blade.answers.markup import unwrapped
from blade.answers.numbers import SCALES, Numeral, numerals
from blade.answers.text import LONGEST
from blade.answers.units import CURRENCY_SIGNS, PERCENT, Unit, is_known, unit_named


class Kind(StrEnum):
    """The kinds of answer; only two of one kind can be told to be different."""

    NUMBER = "number"
    LETTER = "option letter"
    YES_NO = "yes or no"
    DATE = "date"
    TIME = "time"
    RATIO = "ratio"
    GROUP = "list"
    JSON = "JSON"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number with the unit it was written with, if any."""

    value: Fraction
    unit: Unit | None = None
    places: int | None = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand an answer."""

    kind: Kind
    value: Quantity | Letter | Fraction | Group | bool | str | dict[str, Any] | list[Any]
    forms: frozenset[str] = frozenset()
    sure: bool = True
    assumed: bool = False
    variable: str = ""


_VARIABLE: Final = re.compile(r"([a-zA-Z]) ?= ?([^=]+)")
_SIGN: Final = re.compile(r"([+-]|negative |minus )\s*", re.IGNORECASE)
_ROUGHLY: Final = re.compile(r"(?:≈|~|\\approx|approximately|about|roughly|around)\s*(?=\S)", re.IGNORECASE)
_SCALE: Final = re.compile(rf"({'|'.join(SCALES)})(?:\s+|$)", re.IGNORECASE)
_DIGITS_THEN_UNIT: Final = re.compile(
    r"(?=[\d.\\])((?:[\d.][\d.,_' /]*)?(?:\\frac ?\{ ?\d+ ?\} ?\{ ?\d+ ?\} ?|\\frac ?\d ?\d ?)?"
    r"(?:[eE][+-]?\d+(?![\w^]) ?| ?[x*]? ?10\^(?:\{[+-]?\d+\}|[+-]?\d+) ?)?)([^\d\s.,].*)"
)
_MOST_WORDS: Final = 8


@lru_cache(maxsize=1024)
def readings(text: str) -> tuple[Reading, ...]:
    """Every reading of an answer, the plain text last; none for an empty text or one too long to be an answer."""
    if len(text) > LONGEST:
        return ()
    bare, forms = unwrapped(text)
    if not bare or len(bare) > LONGEST:
        return ()
    named = _VARIABLE.fullmatch(bare)
    if named and (found := tuple(_meanings(named[2].strip()))):
        marked = (replace(one, forms=one.forms | forms | {"variable name"}, variable=named[1]) for one in found)
        return (*marked, Reading(Kind.TEXT, bare, forms))
    return (*(replace(one, forms=one.forms | forms) for one in _meanings(bare)), Reading(Kind.TEXT, bare, forms))


def bare_text(text: str) -> str:
    """The answer without its wrappings, as the symbolic comparison takes it; empty if it is too long."""
    return unwrapped(text)[0] if len(text) <= LONGEST else ""


def _meanings(text: str) -> Iterator[Reading]:
    numbers = list(_quantities(text))
    yield from numbers
    if letter := option_letter(text):
        yield Reading(Kind.LETTER, letter, frozenset({"option letter"} if text != letter.letter else ()))
    if answer := yes_or_no(text):
        forms = {answer.spelling} | ({"explanation"} if answer.explained else set())
        yield Reading(Kind.YES_NO, answer.value, frozenset(forms), answer.sure)
    for found in (*dates(text), *times(text), *ratios(text)):
        yield Reading(Kind(found.kind), found.value, frozenset({found.form} - {""}), found.sure)
    if (parts := group(text)) is not None:
        yield Reading(Kind.GROUP, parts, frozenset({"list notation"}), sure=not numbers)
    if (value := json_value(text)) is not None:
        yield Reading(Kind.JSON, value, frozenset({"JSON notation"}))


def _quantities(text: str) -> Iterator[Reading]:
    roughly = _ROUGHLY.match(text)
    body = text[roughly.end() :] if roughly else text
    sign = 1
    forms: set[str] = {"approximate"} if roughly else set()
    if signed := _SIGN.match(body):
        sign = -1 if signed[1] != "+" else 1
        body = body[signed.end() :]
    body, currency = _without_currency(body)
    if currency and sign == 1 and body[:1] == "-":
        sign, body = -1, body[1:].lstrip()
    for number, unit, unit_forms in _with_unit(body):
        both = currency is not None and unit is not None and unit.name != currency.name
        if both:
            continue
        chosen = currency or unit
        sure = number.sure or (chosen is not None and number.forms == {"decimal comma"} and (number.places or 0) != 3)
        yield Reading(
            Kind.NUMBER,
            Quantity(sign * number.value, chosen, number.places),
            number.forms | unit_forms | forms | ({"currency sign"} if currency else set()),
            sure,
            assumed="leading zeros" in number.forms or "approximate" in forms,
        )


def _without_currency(text: str) -> tuple[str, Unit | None]:
    for sign in CURRENCY_SIGNS:
        if text.startswith(sign) and len(text) > len(sign):
            return text[len(sign) :].lstrip(), unit_named(sign)
    return text, None


def _with_unit(text: str) -> Iterator[tuple[Numeral, Unit | None, frozenset[str]]]:
    for head, tail, attached in _splits(text):
        factor, forms = 1, set[str]()
        if scale := _SCALE.match(tail):
            factor, tail = SCALES[scale[1].casefold()], tail[scale.end() :]
            forms.add("number word")
        unit = unit_named(tail) if tail else None
        if tail and (unit is None or (attached and not is_known(unit))):
            continue
        if unit and tail != unit.name:
            forms.add("percent sign" if unit.name == PERCENT else "unit name")
        if found := [(replace(number, value=number.value * factor), unit, frozenset(forms)) for number in numerals(head)]:
            yield from found
            return


def _splits(text: str) -> Iterator[tuple[str, str, bool]]:
    """A text as numeral and unit, longest numeral first, and whether the two touch."""
    yield text, "", False
    if digits := _DIGITS_THEN_UNIT.fullmatch(text):
        yield digits[1].rstrip(), digits[2], not digits[1].endswith(" ")
    elif text[:1].isalpha():
        words = text.split(" ")
        for index in range(min(len(words) - 1, _MOST_WORDS), 0, -1):
            yield " ".join(words[:index]), " ".join(words[index:]), False
