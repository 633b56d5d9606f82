"""The rows' own fields as columns: scalars as they are, objects one level deep as `name.child`, small nested values as JSON.

The type of such a column is decided once, over the whole run (`column_type`), so it never depends on how the work was split.
Text is cut and redacted here, before anything is written.
"""

from collections.abc import Collection, Sequence
from types import NoneType
from typing import Any

import msgspec
from msgspec import Raw

from blade.runs.definition import digest
from blade.runs.rows import cut_fields, decode
from blade.untrusted.escapes import strip_escapes
from blade.untrusted.limits import MAX_COLUMN_NAME, MAX_NESTED_FIELD_BYTES, MAX_TEXT_FIELD
from blade.untrusted.redaction import redact, redact_value

MOST_FLATTENED_BYTES = 64_000
MOST_CHILDREN = 200
REACH = MAX_TEXT_FIELD + 200  # cut after redaction: half a secret no longer looks like one
BOOL, INT, FLOAT, TEXT, NESTED = 1, 2, 4, 8, 16
CHILD, USAGE = 32, 64  # not the kind of a value but where it stood: inside a top-level object, or in response.usage
VALUE_KINDS = BOOL | INT | FLOAT | TEXT | NESTED
KIND_OF_TYPE = {bool: BOOL, int: INT, float: FLOAT, str: TEXT, dict: NESTED, list: NESTED}
INT64 = range(-(2**63), 2**63)
Column = Sequence[Any]


def column_type(kinds: int) -> str:
    """The SQL type of an own column, by the kinds of its values over the whole run."""
    kinds &= VALUE_KINDS
    if kinds == BOOL:
        return "BOOLEAN"
    if kinds == INT:
        return "BIGINT"
    return "DOUBLE" if kinds and not kinds & ~(INT | FLOAT) else "VARCHAR"


def as_text(value: Any) -> str | None:
    """A value of a column that holds several kinds: strings as they are, all else as JSON."""
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


class OwnColumns:
    """The run's own fields as columns: scalars as they are, objects one level deep as `name.child`, small nested values as JSON."""

    def __init__(self, rows: int, ids: Collection[str | None]) -> None:
        self.rows = rows
        self.ids = ids
        self.columns: dict[str, tuple[int, Column]] = {}
        self.dropped = 0

    def add_field(self, name: str, column: Column) -> None:
        if set(map(type, column)) <= {bool, int, float, str, NoneType}:
            self.add(name, column, 0)
            return
        whole: list[Any] = [None] * self.rows
        children: dict[str, list[Any]] = {}
        for row, value in enumerate(column):
            if value is None:
                continue
            token = value if value.__class__ is Raw else msgspec.json.encode(value) if isinstance(value, dict | list) else None
            if token is None or bytes(memoryview(token)[:1]) not in (b"{", b"["):
                whole[row] = value if token is None else decode(token)
                continue
            size = len(memoryview(token))
            if size <= 2 * MAX_NESTED_FIELD_BYTES:
                inner = msgspec.json.encode(decode(token), order="deterministic")
                whole[row] = Raw(inner) if len(inner) <= MAX_NESTED_FIELD_BYTES else None
            if size <= MOST_FLATTENED_BYTES and bytes(memoryview(token)[:1]) == b"{":
                for child, raw in cut_fields(token).items():
                    if bytes(memoryview(raw)[:1]) not in (b"{", b"[", b"n"):
                        values = children.get(child)
                        if values is None:
                            if len(children) >= MOST_CHILDREN:
                                self.dropped += 1
                                continue
                            values = children[child] = [None] * self.rows
                        values[row] = decode(raw)
        self.add(name, whole, 0)
        for child, values in children.items():
            self.add(f"{name}.{child}", values, CHILD)

    def add(self, name: str, column: Column, place: int, keep_text: bool = False) -> None:
        """A column of scalars and, as raw JSON, small nested values."""
        name = name.replace("\0", "␀")  # a column's name ends at a NUL
        if len(name) > MAX_COLUMN_NAME or name in self.columns:
            self.dropped += 1
            return
        types = set(map(type, column)) - {NoneType}
        if not types:
            return
        kinds = place
        for kind in types:
            kinds |= NESTED if kind is Raw else KIND_OF_TYPE[kind]
        large = int in types and not all(value in INT64 for value in column if type(value) is int)
        if name in self.ids and (large or str in types):
            column = [_id(str(value)) if value.__class__ in (str, int) else value for value in column]
            kinds |= TEXT
        elif large:
            kinds |= FLOAT
            column = [
                float(value) if type(value) is int and value not in INT64 and abs(value) < 10**300 else value for value in column
            ]
            column = [value if type(value) is not int or value in INT64 else None for value in column]
        elif str in types and not keep_text:
            column = _own_texts(column, name)
        if Raw in types:
            column = [redact(bytes(value).decode("utf-8", "replace")) if value.__class__ is Raw else value for value in column]
        self.columns[name] = (kinds, column)


def _own_texts(column: Column, name: str) -> Column:
    distinct = {value for value in column if value.__class__ is str}
    clean = {value: cut(redact_value(name, value[:REACH])) for value in distinct}
    return [clean[value] if value.__class__ is str else value for value in column]


def _id(text: str) -> str:
    """An id as it is; one that is too long or holds a secret as its clean beginning and a hash of the whole, so that ids stay apart."""
    clean = redact(text[:REACH])
    if len(text) <= MAX_TEXT_FIELD and clean in (text, strip_escapes(text)):
        return text
    return f"{clean[: MAX_TEXT_FIELD - 20]}…{digest(text.encode('utf-8', 'replace'))}"


def clean_texts(column: Column) -> Column:
    """A fixed column of text, cut and redacted; each distinct value once."""
    clean = {value: cut(redact(value[:REACH])) for value in set(column) if value is not None}
    return [None if value is None else clean[value] for value in column]


def cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT_FIELD else text[: MAX_TEXT_FIELD - 1] + "…"
