r"""Answers of several parts: `[1, 2, 3]`, `(1, 2)`, `{1, 2}`, `1, 2 and 3`, `[1, 2)`, and JSON values.

Brackets are kept, for `(1, 2)` and `[1, 2]` may be two intervals; braces are a set, where order and repetition do not count.
The parts stay as text and are compared like whole answers. JSON is read without ever building a huge number.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

MOST_PARTS: Final = 50

_BRACKETS: Final = {"[": "])", "(": ")]", "{": "}", "\\{": "\\}"}
_AND: Final = re.compile(r",?\s+and\s+|\s*&\s*")


@dataclass(frozen=True, slots=True)
class Group:
    """Parts in order, between brackets (`""` where there are none)."""

    parts: tuple[str, ...]
    opening: str = ""
    closing: str = ""

    @property
    def is_set(self) -> bool:
        return self.opening == "{"


def group(text: str) -> Group | None:
    """A text as a group of parts, or None."""
    for opening, closings in _BRACKETS.items():
        closing = "\\}" if opening == "\\{" else text[-1:]
        if text.startswith(opening) and text.endswith(closing) and closing in closings:
            inner = text[len(opening) : len(text) - len(closing)]
            parts = _split(inner) if inner.strip() else ()
            if parts is None or (len(parts) < 2 and (opening == "(" or ('"' in inner and ":" in inner))):
                return None
            return Group(parts, opening[-1], closing[-1])
    parts = _split(text)
    if parts is None or len(parts) < 2 or not all(parts):
        return None
    return Group(parts)


def _split(text: str) -> tuple[str, ...] | None:
    """The parts between separators at depth zero: semicolons if there are any, else commas, with `and` before the last."""
    parts = _at_depth_zero(text, ";" if ";" in text else ",")
    if not parts or len(parts) > MOST_PARTS:
        return None
    tail = _AND.split(parts[-1], maxsplit=1)
    if len(tail) == 2 and (len(parts) > 1 or all(len(half.split()) == 1 for half in tail)):
        parts[-1:] = [half for half in tail if half.strip()]
    return tuple(part.strip() for part in parts)


def _at_depth_zero(text: str, separator: str) -> list[str]:
    """The text cut at separators outside brackets; nothing if the brackets do not match up."""
    depth = start = 0
    parts = []
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return []
        if character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]] if depth == 0 else []


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A JSON number as written, so that no reader has to build `1e999999999`."""

    text: str


def json_value(text: str) -> dict[str, Any] | list[Any] | None:
    """The JSON object or array that a text is, or None; numbers stay as written, a repeated key makes it unreadable."""
    if text[:1] not in {"{", "["} or text[-1:] not in {"}", "]"}:
        return None
    try:
        value = json.loads(
            text, parse_int=JsonNumber, parse_float=JsonNumber, parse_constant=JsonNumber, object_pairs_hook=_object
        )
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is repeated")
    return found
