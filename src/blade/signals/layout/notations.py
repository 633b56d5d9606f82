"""Calls as people write them down: a name and what it is given, in one line of text or one short list.

Besides `book(seat="12A")` there are `book {"seat": "12A"}`, `book: {…}`, `book({seat: "12A"})`, `book --seat 12A`, `book seat=12A`, and
`["book", "12A"]`, whose values come in the order of the tool's own arguments. Any prose can look like one of them, so they are read only
where the name is a tool of the run, which whoever asks has to see to.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.signals.expectation import ExpectedCall, entries_of, written_call
from blade.signals.layout.paths import opened

MAX_TEXT: Final = 4_000
_LISTED: Final = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+")
_NAME: Final = r"[A-Za-z_][\w.:/-]{0,120}?"
_OBJECT: Final = re.compile(rf"({_NAME})\s*(?::|=>|->|\()?\s*(\{{.*\}})\s*\)?", re.DOTALL)
_BARE_KEY: Final = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")
_OPTIONS: Final = re.compile(rf"({_NAME})\s+(--[A-Za-z].*)", re.DOTALL)
_OPTION: Final = re.compile(r"(?:^|\s)--([A-Za-z][\w-]*)(?:=|\s+|$)")
_PAIRS: Final = re.compile(rf"({_NAME})(?:\s*\(|\s+|:\s+)(?=[A-Za-z_][\w.]*\s*[=:])(.*?)\)?", re.DOTALL)
_EQUALS: Final = re.compile(r"(?:^|[,;\s])\s*([A-Za-z_][\w.]*)\s*=\s*")
_COLON: Final = re.compile(r"(?:^|[,;])\s*([A-Za-z_][\w.]*)\s*:\s*")


def call_entries(value: Any) -> Iterator[Any]:
    """The single calls of a value: entries of lists, lines of a text; a list that begins with a plain word stays whole."""
    value = opened(value)
    if isinstance(value, str):
        yield from (opened(line.strip()) for line in value[: 50 * MAX_TEXT].splitlines() if line.strip())
    elif isinstance(value, list) and value and all(map(_by_place, value)):
        yield from value
    else:
        yield from entries_of(value)


def _by_place(entry: Any) -> bool:
    return (
        isinstance(entry, list)
        and len(entry) > 1
        and isinstance(entry[0], str)
        and re.fullmatch(_NAME, entry[0]) is not None
        and not (len(entry) == 2 and isinstance(entry[1], dict))
    )


def noted_call(entry: Any) -> ExpectedCall | None:
    """A call in one of the notations; None where it is none of them."""
    if isinstance(entry, list) and _by_place(entry):
        return ExpectedCall(entry[0], {f"arg{number}": value for number, value in enumerate(entry[1:])})
    if not isinstance(entry, str) or len(entry) > MAX_TEXT:
        return None
    text = _LISTED.sub("", entry, count=1).strip().rstrip(";").strip()
    return written_call(text) or _with_object(text) or _with_options(text) or _with_pairs(text)


def _with_object(text: str) -> ExpectedCall | None:
    found = _OBJECT.fullmatch(text)
    for written in (found[2], _BARE_KEY.sub(r'\1"\2":', found[2])) if found else ():
        given = opened(written)
        if found and isinstance(given, dict):
            return ExpectedCall(found[1], given)
    return None


def _with_options(text: str) -> ExpectedCall | None:
    found = _OPTIONS.fullmatch(text)
    parts = _OPTION.split(found[2]) if found else []
    given = {key.replace("-", "_"): _value(value.strip() or "true") for key, value in zip(parts[1::2], parts[2::2], strict=True)}
    return ExpectedCall(found[1], given) if found and given else None


def _with_pairs(text: str) -> ExpectedCall | None:
    found = _PAIRS.fullmatch(text)
    if found is None:
        return None
    parts = _EQUALS.split(found[2])
    if len(parts) < 3:
        parts = _COLON.split(found[2])
    if len(parts) < 3 or parts[0].strip():
        return None
    return ExpectedCall(
        found[1], {key: _value(value.strip().rstrip(",;").strip()) for key, value in zip(parts[1::2], parts[2::2], strict=True)}
    )


def _value(text: str) -> Any:
    """A value as it is written: JSON, a literal of Python, or plain words."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return text
