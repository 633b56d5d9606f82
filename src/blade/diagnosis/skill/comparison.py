"""Comparisons of one value: the same answer in Python, over a row that is being scanned, and in SQL, over its facts.

A value is compared as *text* (strings as they are, everything else as JSON) or as a *number* (numbers, and text that is written as
one). What is missing or null satisfies only `exists: false`. Patterns are RE2 on both sides (Arrow here, DuckDB there): their time is
linear in the text whatever the pattern, so a hostile rollout cannot stall a rule; look-around and back-references do not exist.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import msgspec

from blade.diagnosis.skill.document import Scalar
from blade.runs.quoting import literal

MAX_PATTERN: Final = 500
MAX_TEXT: Final = 1_000_000
"""Characters of one text that a rule looks at."""
OPERATORS: Final = ("exists", "equals", "in", "contains", "matches", "gt", "gte", "lt", "lte")
TEXT_OPERATORS: Final = ("equals", "contains", "matches")
ORDER: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
NUMBER: Final = r"[-+]?\d{1,40}(\.\d{0,40})?([eE][-+]?\d{1,3})?"
_NUMBER: Final = re.compile(NUMBER, re.ASCII)


@dataclass(frozen=True)
class Comparison:
    """All tests must hold: `(operator, operand)`; the operand of `in` is a tuple."""

    tests: tuple[tuple[str, Any], ...]
    ignore_case: bool = False

    def holds(self, value: Any) -> bool:
        return all(self._test(operator, operand, value) for operator, operand in self.tests)

    def _test(self, operator: str, operand: Any, value: Any) -> bool:
        if operator == "exists":
            return (value is not None) is operand
        if value is None:
            return False
        if operator in ("equals", "in"):
            return any(self._equal(one, value) for one in (operand if operator == "in" else (operand,)))
        if operator == "contains":
            return self._cased(operand) in self._cased(text_of(value))
        if operator == "matches":
            return find(self.pattern(operand), text_of(value)) is not None
        number = number_of(value)
        return number is not None and _ordered(operator, number, operand)

    def _equal(self, operand: Scalar, value: Any) -> bool:
        if isinstance(operand, bool):
            return text_of(value).lower() == str(operand).lower()
        if isinstance(operand, int | float):
            return number_of(value) == operand
        return self._cased(str(operand)) == self._cased(text_of(value))

    def _cased(self, text: str) -> str:
        return text.lower() if self.ignore_case else text

    def pattern(self, operand: str) -> str:
        return f"(?i){operand}" if self.ignore_case else operand

    def sql(self, text: str, number: str) -> str:
        """The same over SQL for the value's text and its number (both NULL where it is missing); never NULL itself."""
        return " AND ".join(f"coalesce({self._sql(operator, operand, text, number)}, false)" for operator, operand in self.tests)

    def _sql(self, operator: str, operand: Any, text: str, number: str) -> str:
        cased = f"lower({text})" if self.ignore_case else text
        if operator == "exists":
            return f"({text} IS NOT NULL)" if operand else f"({text} IS NULL)"
        if operator in ("equals", "in"):
            return f"({' OR '.join(self._sql_equal(one, text, cased, number) for one in (operand if operator == 'in' else (operand,)))})"
        if operator == "contains":
            return f"contains({cased}, {literal(self._cased(operand))})"
        if operator == "matches":
            return f"regexp_matches({text}, {literal(self.pattern(operand))})"
        return f"({number} {ORDER[operator]} {float(operand)!r})"

    def _sql_equal(self, operand: Scalar, text: str, cased: str, number: str) -> str:
        if isinstance(operand, bool):
            return f"lower({text}) = {literal(str(operand).lower())}"
        if isinstance(operand, int | float):
            return f"{number} = {float(operand)!r}"
        return f"{cased} = {literal(self._cased(str(operand)))}"

    def where(self, text: str) -> int | None:
        """Where in the text the comparison found what it looks for; 0 where it is about the whole, None where it does not hold."""
        if not self.holds(text):
            return None
        for operator, operand in self.tests:
            if operator == "contains":
                return self._cased(text_of(text)).find(self._cased(operand))
            if operator == "matches":
                return find(self.pattern(operand), text)
        return 0

    def words(self) -> str:
        names = {"equals": "is", "in": "is one of", "gt": ">", "gte": "≥", "lt": "<", "lte": "≤"}
        parts = [
            ("is present" if operand else "is missing")
            if operator == "exists"
            else f"{names.get(operator, operator)} {_operand_words(operand)}"
            for operator, operand in self.tests
        ]
        return " and ".join(parts)


def _operand_words(operand: Any) -> str:
    if isinstance(operand, tuple):
        return ", ".join(map(_operand_words, operand))
    return f"“{operand}”" if isinstance(operand, str) else text_of(operand)


def _ordered(operator: str, number: float, bound: float) -> bool:
    return {"gt": number > bound, "gte": number >= bound, "lt": number < bound, "lte": number <= bound}[operator]


def text_of(value: Any) -> str:
    """A value as the facts tables write it."""
    if isinstance(value, str):
        return value[:MAX_TEXT]
    return msgspec.json.encode(value, order="deterministic").decode()[:MAX_TEXT]


def number_of(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 10**300 else None
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def sql_number(text: str) -> str:
    """SQL for the number that a text is written as, by the rule of `number_of`."""
    return f"CASE WHEN regexp_full_match({text}, {literal(NUMBER)}) THEN try_cast({text} AS DOUBLE) END"


def pattern_fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, or None."""
    if len(pattern) > MAX_PATTERN:
        return f"longer than {MAX_PATTERN} characters"
    import pyarrow as pa

    try:
        find(pattern, "")
    except pa.ArrowInvalid as error:
        said = str(error).removeprefix("Invalid regular expression: ").splitlines()[0]
        what, _, where = said.partition(": ")
        return said if where in pattern else what  # Arrow puts the pattern in parentheses of its own
    return None


def find(pattern: str, text: str) -> int | None:
    """The character at which the pattern first matches, or None. RE2, through Arrow."""
    import pyarrow.compute as pc

    bytes_of = text[:MAX_TEXT].encode("utf-8", "replace")
    place = pc.find_substring_regex(_scalar(bytes_of.decode()), pattern=pattern).as_py()
    return None if place < 0 else len(bytes_of[:place].decode("utf-8", "replace"))


@lru_cache(maxsize=8)
def _scalar(text: str) -> Any:
    import pyarrow as pa

    return pa.scalar(text, pa.string())
