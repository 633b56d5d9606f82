"""The values of overrides: `4`, `0.7`, `true`, `null`, `'text'`, `[a,b]`, `{a:1,b:{c:2}}`; anything else is a text as it stands.

The notation is Hydra's, without sweeps: a comma outside brackets is part of the text, and a mapping needs no space after its
colon (which is why YAML's own flow notation would not do). `${…}` is left for the configuration to resolve.
"""

import math
import re
from typing import Any

_INT = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9])*)")
_DIGITS = "[0-9](?:_?[0-9])*"
_EXPONENT = "[eE][+-]?[0-9]+"
_FLOAT = re.compile(rf"[+-]?(?:(?:(?:{_DIGITS})?\.{_DIGITS}|{_DIGITS}\.)(?:{_EXPONENT})?|{_DIGITS}{_EXPONENT})")
_SPECIAL = re.compile(r"[+-]?(?:inf|nan)", re.IGNORECASE)
_WORDS = {"true": True, "false": False, "null": None}
_BARE = re.compile(r"[A-Za-z_./@+-][\w./@+ -]*(?<! )")
DEEPEST = 40
QUOTES = "'\""


class NotAValue(ValueError):
    """The text begins a list, mapping or quoted text and does not end it well."""


def parse_value(text: str) -> Any:
    """The value that a text stands for."""
    text = text.strip()
    if text[:1] in (*QUOTES, "[", "{"):
        reader = _Reader(text)
        value = reader.value("")
        if reader.rest().strip():
            raise NotAValue(f"there is more after the {_kind(text)}: {reader.rest().strip()[:40]!r}")
        return value
    return scalar(text)


def scalar(bare: str) -> Any:
    if bare.lower() in _WORDS:
        return _WORDS[bare.lower()]
    if _INT.fullmatch(bare):
        return int(bare)
    if _FLOAT.fullmatch(bare) or _SPECIAL.fullmatch(bare):
        return float(bare)
    return bare


def format_value(value: Any) -> str:
    """A value in the notation that `parse_value` reads back."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value) if not isinstance(value, float) or math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_format_text(str(key))}:{format_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(format_value(inner) for inner in value) + "]"
    return _format_text(str(value))


def _format_text(text: str) -> str:
    if _BARE.fullmatch(text) and isinstance(scalar(text), str):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _kind(text: str) -> str:
    return {"[": "list", "{": "mapping"}.get(text[0], "quoted text")


class _Reader:
    """A place in a text that only moves forward."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    def rest(self) -> str:
        return self.text[self.at :]

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def value(self, ends: str) -> Any:
        first = self.peek()
        if first and first in "[{":
            self.depth += 1
            if self.depth > DEEPEST:
                raise NotAValue(f"it is nested more than {DEEPEST} levels deep")
            found = self.sequence() if first == "[" else self.mapping()
            self.depth -= 1
            return found
        if first and first in QUOTES:
            return self.quoted()
        return scalar(self.bare(ends))

    def sequence(self) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        if self.peek() == "]":
            self.at += 1
            return items
        while True:
            items.append(self.value(",]"))
            if self.closed("]", "list"):
                return items

    def mapping(self) -> dict[str, Any]:
        self.at += 1
        items: dict[str, Any] = {}
        if self.peek() == "}":
            self.at += 1
            return items
        while True:
            first = self.peek()
            key = self.quoted() if first and first in QUOTES else self.bare(":,}")
            if self.peek() != ":":
                raise NotAValue(f"the key {key!r} of a mapping has no value")
            self.at += 1
            if key in items:
                raise NotAValue(f"the key {key!r} is given twice")
            items[key] = self.value(",}")
            if self.closed("}", "mapping"):
                return items

    def closed(self, end: str, kind: str) -> bool:
        mark = self.peek()
        if mark not in (",", end):
            raise NotAValue(f"the {kind} does not end with {end}" if not mark else f"a comma or {end} is missing before {mark!r}")
        self.at += 1
        return mark == end

    def quoted(self) -> str:
        quote = self.text[self.at]
        read: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            following = self.text[self.at + 1 : self.at + 2]
            if char == "\\" and following in (quote, "\\") and following:
                read.append(following)
                self.at += 2
                continue
            self.at += 1
            if char == quote:
                return "".join(read)
            read.append(char)
        raise NotAValue(f"the quoted text does not end with {quote}")

    def bare(self, ends: str) -> str:
        start, depth = self.at, 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if self.text.startswith("${", self.at):
                depth += 1
            elif depth and char == "}":
                depth -= 1
                self.at += 1
                continue
            elif not depth and char in ends:
                break
            self.at += 1
        text = self.text[start : self.at].strip()
        if not text:
            raise NotAValue("a value is missing" if self.at < len(self.text) else "it ends too early")
        return text
