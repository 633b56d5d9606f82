r"""Which answer a response gives, and whether the library takes it for the expected one.

The answer is chosen by how it is marked and by the *kind* of the expected answer (a number, a formula, words), never by its value:
a verifier that looks for the expected answer in a text finds it in many wrong ones. A box, an answer tag, `####` or a JSON field is
taken as it stands; "the answer is …" only if what follows can be an answer of that kind; where nothing is marked, what the last line
comes to, the result of the last equation, or the last number of the text.

The library (`blade.answers`: exact numbers, units, LaTeX, then math-verify in a process of its own) says `same` only on good grounds.
What it cannot decide scores 0, and may be put to a judge.
"""

import re
from fractions import Fraction
from typing import Any, Final

from blade.answers import Candidate, Kind, Quantity, compare, extract, readings
from blade.answers.extraction import READ
from blade.answers.symbolic import expression
from blade.answers.units import PERCENT

AS_IT_STANDS: Final = frozenset({"boxed", "answer tag", "####", "JSON field"})
_FORMULA: Final = re.compile(r"\$([^$\n]{1,160})\$|\\\(([^\n]{1,160}?)\\\)")
_DIGITS_WORTH_WRITING: Final = 40
_SUBJECT: Final = re.compile(
    r"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)\s+(?:is|are|comes)\s+(?:\w+\s+){0,6}?(?:than|after|before)\s+(?:\w+\s+){0,2}?\d",
    re.IGNORECASE,
)
"""`76 is larger than 67`, `7 comes after 6`: the answer is what the sentence is about, not the number it ends with."""
_RESULT: Final = re.compile(
    r"(?:=|\bequals?\b|\bequal to\b|(?<=\d) is\b)\s{0,4}[$€£]?(-?\d[\d,]*(?:\.\d+)?)(?![\w.]*\d|\s*[-+*/×÷])", re.IGNORECASE
)
"""What an equation comes to, in signs or in words: `3 * 4 = 12`, `30 divided by 2 equals 15`, `8 - 6 is 2`."""
_WORD: Final = re.compile(r"(?<![\\a-zA-Z])(?:am|an|as|at|be|by|do|he|if|in|is|it|my|no|of|on|or|so|to|up|us|we)(?![a-zA-Z])")
"""Two letters side by side may be a product (`xy`); these are words: `5 - 1 is 4` is a sentence."""


def final_text(response: dict[str, Any]) -> str:
    """The text of the last assistant message, without thoughts in `<think>` tags; thoughts that never end have no answer after them."""
    for item in reversed(response.get("output") or []):
        if isinstance(item, dict) and item.get("type", "message") == "message" and item.get("role", "assistant") == "assistant":
            text = _text_of(item.get("content")).rpartition("</think>")[2]
            return "" if text.lstrip().startswith("<think>") else text
    return ""


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def given_answer(text: str, expected: str) -> Candidate | None:
    """The answer that a text gives to a question whose answer is of the same kind as `expected`."""
    number = reads_as_number(expected)
    find = number_in if number else formula_in if is_formula(expected) else _whole
    for candidate in extract(text):
        if candidate.how in AS_IT_STANDS:
            return Candidate(find(candidate.text) or candidate.text, candidate.how)
        if number and candidate.how == "last number" and (results := _RESULT.findall(text[-READ:])):
            return Candidate(results[-1].rstrip(","), "last equation")
        if candidate.how != "last option letter" and (found := find(candidate.text)):
            return Candidate(found, candidate.how)
    return None


def reads_as_number(text: str) -> bool:
    return bool(_numbers(text))


def is_formula(text: str) -> bool:
    return expression(text) is not None and _WORD.search(text) is None


def _numbers(text: str) -> list[Quantity]:
    found = [reading.value for reading in readings(text) if reading.kind is Kind.NUMBER and reading.sure]
    return [number for number in found if isinstance(number, Quantity)]


def number_in(text: str) -> str | None:
    """A number, what is compared with another, what comes after the last `=`, a formula, or the only number of a sentence."""
    if reads_as_number(text):
        return text
    if about := _SUBJECT.findall(text):
        return str(about[-1]).rstrip(",")
    right = text.rpartition("=")[2].strip(" .$*\\)]")
    if "=" in text and reads_as_number(right):
        return right
    if is_formula(text):
        return text
    numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", text)
    return next((found.text for found in extract(text) if found.how == "last number"), None) if len(numbers) == 1 else None


def formula_in(text: str) -> str | None:
    """A formula, or the last one between dollar signs."""
    if is_formula(text) or reads_as_number(text):
        return text
    found = _FORMULA.findall(text)
    return "".join(found[-1]).strip() if found else None


def _whole(text: str) -> str | None:
    return text


def plain(answer: str, expected: str) -> str:
    """An answer in the form in which repeats can be counted: `1,200`, `$1200.00` and `1200 apples` are all `1200`.

    The unit is left off only where the expected answer is a number without one; a percent sign always stays.
    """
    numbers, wanted = _numbers(answer), _numbers(expected)
    match numbers, wanted:
        case [Quantity() as number, *_], [Quantity(unit=None), *_]:
            sign = "%" if number.unit is not None and number.unit.name == PERCENT else ""
            return f"{written}{sign}" if (written := _written(number.value)) else answer.strip()
    return answer.strip()


def _written(value: Fraction) -> str | None:
    """A whole number, an exact decimal, or a fraction; None if it would fill lines."""
    if max(abs(value.numerator), value.denominator) >= 10**_DIGITS_WORTH_WRITING:
        return None
    scaled, places = value, 0
    while scaled.denominator != 1 and places < 12:
        scaled, places = scaled * 10, places + 1
    if scaled.denominator != 1:
        return str(value)
    digits = f"{abs(scaled.numerator):0{places + 1}d}"
    whole = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    return f"-{whole}" if value < 0 else whole


def library_verdict(text: str, expected: str) -> dict[str, Any]:
    """The answer found, how it was found, and what the library says about it; `library_reward` is 1.0 or 0.0."""
    given = given_answer(text, expected)
    if given is None:
        return {"extracted_answer": None, "extracted_by": None, "library_reward": 0.0, "library_verdict": "no answer"}
    verdict = compare(expected, given.text)
    return {
        "extracted_answer": plain(given.text, expected),
        "extracted_by": given.how,
        "library_reward": float(verdict.same),
        "library_verdict": f"{verdict.relation}: {verdict.how}",
    }
