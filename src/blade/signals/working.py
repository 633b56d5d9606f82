"""Equations that people write down when they work something out, and whether they hold.

Only what can be read without doubt is an equation: numbers with signs between them, a unit after a number at the most, an equals sign, a number.
A result may be rounded to the places that it is written with. Each sign is applied in order of precedence, as one writes it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MAX_TEXT: Final = 2_000
MAX_TERMS: Final = 20
_UNIT: Final = r"(?:\s?(?!x\b)[A-Za-zµ€$£%°]{1,10})?"
_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SIGN: Final = r"\s*(?:[-+*/×÷−·]|\bx\b)\s*"
_EQUATION: Final = re.compile(
    rf"(?<![\w.,:/^(-])(?P<terms>[$€£]?{_NUMBER}{_UNIT}(?:{_SIGN}[$€£]?{_NUMBER}{_UNIT}){{1,{MAX_TERMS}}})\s*=\s*[$€£]?(?P<result>-?{_NUMBER})(?![\d/:^]|[.,]\d|\s?[-+*/×÷^])"
)
_TERM: Final = re.compile(rf"(?P<sign>[-+*/×÷−·x]?)\s*[$€£]?(?P<number>{_NUMBER}){_UNIT}\s*")
_PERCENT: Final = "%"


class FalseEquation(NamedTuple):
    text: str
    result: float
    """What stands behind the equals sign."""
    true: float
    """What it comes to."""


def false_equations(text: str) -> Iterator[FalseEquation]:
    """The equations of a text that do not hold, in order."""
    if "=" not in text:
        return
    for found in _EQUATION.finditer(text[:MAX_TEXT]):
        if _PERCENT in found["terms"]:
            continue  # what a percentage is taken of is said in words
        true, result = _value(found["terms"]), float(found["result"].replace(",", ""))
        places = len(found["result"].partition(".")[2])
        if true is not None and abs(abs(true) - abs(result)) > 0.51 * 10**-places + 0.005 * abs(true) * _divides(found["terms"]):
            yield FalseEquation(found[0].strip(), result, true)


def _divides(terms: str) -> bool:
    """Whether something is divided: quotients are written down rounded, and worked on with."""
    return any(sign in terms for sign in "/÷")


def _value(terms: str) -> float | None:
    """What the terms come to; None where something is divided by nought."""
    total, product = 0.0, 0.0
    for term in _TERM.finditer(terms):
        number = float(term["number"].replace(",", ""))
        match term["sign"]:
            case "*" | "×" | "·" | "x":
                product *= number
            case "/" | "÷":
                if not number:
                    return None
                product /= number
            case sign:
                total, product = total + product, -number if sign in ("-", "−") else number
    return total + product
