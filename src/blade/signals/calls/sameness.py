"""When two argument values are the same, and where two argument objects differ, leaf by leaf.

Spelling does not count: `1`, `1.0` and `"1"` are one number, case and spacing of a text are its writer's, the order of a list is
nobody's promise, an object written as JSON text is that object, and what is null, empty or left out is not given. Which of two
lists' entries belong together is settled by what differs least.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

MAX_DEPTH: Final = 8
MAX_ALIGNED: Final = 40
"""Entries of a list up to which those of two lists are paired by likeness; beyond it, by their place."""

SHORT: Final = 200
"""Characters up to which the normal form of a text is remembered."""


LONGEST_NUMBER: Final = 15
"""Signs of a text up to which it may be a number."""


class _NotGiven:
    def __repr__(self) -> str:
        return "nothing"


NOT_GIVEN: Final = _NotGiven()
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")
_MOMENT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(?::00(?:\.0+)?)?(?:z|\+00:00)?")


class Difference(NamedTuple):
    """`path` as in `payments[0].amount`, where the actual value stands; a side that says nothing is NOT_GIVEN.

    `expected_path` is where the expected one stands. The two have other numbers where a list has its entries in another order; an
    entry that one side lacks has there the number after that side's last one.
    """

    path: str
    expected_path: str
    expected: Any
    actual: Any


def normal(value: Any, depth: int = 0) -> Any:
    """One value for all spellings of it: something that can be compared and sorted by its `repr`."""
    if value is None or value is NOT_GIVEN or (isinstance(value, str | list | dict) and not value):
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _number(float(value)) if abs(value) < 1e15 else value
    if isinstance(value, str):
        return _text(value, depth) if len(value) > SHORT else _short_text(value, depth)
    if depth > MAX_DEPTH:
        return repr(value)
    if isinstance(value, list):
        return tuple(sorted((normal(inner, depth + 1) for inner in value), key=repr))
    if isinstance(value, dict):
        pairs = ((str(key), normal(inner, depth + 1)) for key, inner in value.items())
        return tuple(sorted((pair for pair in pairs if pair[1] is not None), key=repr)) or None
    return repr(value)


def _number(value: float) -> float:
    return round(value, 6)


@lru_cache(maxsize=2048)
def _short_text(value: str, depth: int) -> Any:
    """What is expected comes again with every repeat, and so do names and codes."""
    return _text(value, depth)


def _text(value: str, depth: int) -> Any:
    text = " ".join(value.split()).casefold()
    if len(text) <= LONGEST_NUMBER and _NUMBER.fullmatch(text):
        # A number with leading zeros is a code (a postal code, say), not a quantity.
        return text if text.lstrip("+-").startswith("0") and text.lstrip("+-")[1:2].isdigit() else _number(float(text))
    if text[:1] in ("{", "[") and depth <= MAX_DEPTH:
        decoded = _decoded(value)
        if not isinstance(decoded, str):
            return normal(decoded, depth + 1)
    moment = _MOMENT.fullmatch(text)
    if moment is not None:
        return f"{moment[1]} {moment[2]}"
    return text or None


def _decoded(value: Any) -> Any:
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError):
        return value


def same(first: Any, second: Any) -> bool:
    if type(first) is type(second) and first == second:
        return True
    if isinstance(first, list) and isinstance(second, list) and first and second and len(first) != len(second):
        return False
    if isinstance(first, int | float) and isinstance(second, str) and len(second.strip()) > LONGEST_NUMBER:
        return False  # as is most of what a number is held against
    if isinstance(first, str) and isinstance(second, str) and len(first) > SHORT and _begin_otherwise(first, second):
        return False
    return bool(normal(first) == normal(second))


def _begin_otherwise(first: str, second: str) -> bool:
    """Whether two texts that begin with a letter, as no number, moment or object does, differ in their first words already."""
    one, other = first.split(None, 1)[:1], second.split(None, 1)[:1]
    return bool(one and other and one[0][0].isalpha() and other[0][0].isalpha()) and one[0].casefold() != other[0].casefold()


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[Difference]:
    """Where `actual` is not what was expected."""
    return _differences(expected, actual, path, path, 0)


def _differences(expected: Any, actual: Any, path: str, expected_path: str, depth: int) -> Iterator[Difference]:
    if same(expected, actual):
        return
    if isinstance(expected, dict | list) and isinstance(actual, str):
        actual = _decoded(actual)
    elif isinstance(actual, dict | list) and isinstance(expected, str):
        expected = _decoded(expected)
    if depth <= MAX_DEPTH and isinstance(expected, dict) and isinstance(actual, dict):
        # More than was expected inside an object (the airports beside a flight number) says nothing else.
        for key, wanted in expected.items():
            inner, expected_inner = (f"{outer}.{key}" if outer else str(key) for outer in (path, expected_path))
            yield from _differences(wanted, actual.get(key, NOT_GIVEN), inner, expected_inner, depth + 1)
    elif depth <= MAX_DEPTH and isinstance(expected, list) and isinstance(actual, list):
        for first, second in _aligned(expected, actual, depth):
            wanted = expected[first] if first < len(expected) else NOT_GIVEN
            given = actual[second] if second < len(actual) else NOT_GIVEN
            yield from _differences(wanted, given, f"{path}[{second}]", f"{expected_path}[{first}]", depth + 1)
    else:
        yield Difference(path, expected_path, expected, actual)


def _aligned(expected: list[Any], actual: list[Any], depth: int) -> list[tuple[int, int]]:
    """The entries of two lists that are not equal in pairs, by their numbers: those that differ least, then those with no counterpart.

    An entry with no counterpart is paired with a number behind the other list's last.
    """
    left, right = list(range(len(expected))), list(range(len(actual)))
    pairs: list[tuple[int, int]] = []
    forms = [normal(entry) for entry in actual]
    for first in tuple(left):
        wanted, form = expected[first], normal(expected[first])
        match = next(
            (
                second
                for second in right
                if forms[second] == form or (type(wanted) is type(actual[second]) and wanted == actual[second])
            ),
            None,
        )
        if match is not None:
            left.remove(first)
            right.remove(match)
    if len(left) <= MAX_ALIGNED and len(right) <= MAX_ALIGNED:
        costs = sorted(
            (sum(1 for _ in _differences(expected[first], actual[second], "", "", depth + 1)), abs(first - second), first, second)
            for first in left
            for second in right
        )
        for _, _, first, second in costs:
            if first in left and second in right:
                left.remove(first)
                right.remove(second)
                pairs.append((first, second))
    pairs += [(first, len(actual) + place) for place, first in enumerate(left)]
    return pairs + [(len(expected) + place, second) for place, second in enumerate(right)]
