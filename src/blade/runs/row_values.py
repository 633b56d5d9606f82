"""What a row says, as values that a column can hold: rewards, repeats, names, texts and numbers, whatever JSON had in their place.

Whole columns are nearly always of one kind, so each is looked at as a whole first and value by value only where it is not.
"""

import math
from collections.abc import Callable
from types import NoneType
from typing import Any

import msgspec
from msgspec import Raw

from blade.runs.own_columns import INT64, Column, cut
from blade.runs.rows import decode
from blade.runs.shapes import text_of
from blade.untrusted.redaction import redact

REPEAT_FIELDS = ("_ng_rollout_index", "rollout_index", "repeat_index", "repeat", "trial", "trial_index", "epoch", "sample_index")
TOO_DEEP = "[nested too deeply to be shown]"


def reward_values(column: Column | None, count: int, odd: set[int], absent: set[int]) -> tuple[Column, Column]:
    """The rewards as finite numbers or None, and what was found: number, bool, null, missing, text, non_finite, nested."""
    if column is None:
        return [None] * count, ["missing"] * count
    if set(map(type, column)) <= {float, int} and all(map(math.isfinite, map(_as_float, column))):
        return floats(column), ["number"] * count
    pairs = [(None, "missing") if row in absent else _reward(value, row in odd) for row, value in enumerate(scalars(column))]
    return [value for value, _ in pairs], [kind for _, kind in pairs]


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _reward(value: Any, odd: bool) -> tuple[float | None, str]:
    if isinstance(value, bool):
        return float(value), "bool"
    if isinstance(value, int | float):
        number = _as_float(value)
        return (number, "number") if math.isfinite(number) else (None, "non_finite")
    if value is None:
        return None, "non_finite" if odd else "null"
    return None, "text" if isinstance(value, str) else "nested"


def repeats_of(top: dict[str, Column], count: int) -> tuple[Column, Column]:
    fields: list[str | None] = [None] * count
    values: list[str | None] = [None] * count
    for name in REPEAT_FIELDS:
        if name in top:
            for row, value in enumerate(scalars(top[name])):
                if fields[row] is None and (text := id_text(value)) is not None:
                    fields[row], values[row] = name, text
    return fields, values


def unscored_reasons(top: dict[str, Column], count: int) -> Column:
    """Why a row that holds a reward is marked as not scored: the reward is a filler."""
    why: list[str | None] = [None] * count
    for name in ("verification_skipped", "reward_missing"):
        for row, value in enumerate(top.get(name, ())):
            if value is True:
                why[row] = name
    for row, value in enumerate(scalars(top.get("_ng_failure_class", ()))):
        if value is not None:
            why[row] = f"failure class {value}"
    return why


def scalars(column: Column) -> Column:
    """A column with raw tokens decoded: fields that were nested in one row and are plain in another."""
    return [decode(value) if value.__class__ is Raw else value for value in column] if Raw in set(map(type, column)) else column


def each_known(function: Callable[[Any], Any], column: Column) -> Column:
    return [None if value is None else function(value) for value in column]


def reference_names(column: Column) -> Column:
    known: dict[bytes, str | None] = {}
    names = []
    for value in column:
        if value.__class__ is Raw:
            token = bytes(value)
            if token not in known:
                known[token] = _name(decode(token))
            names.append(known[token])
        else:
            names.append(_name(value))
    return names


def _name(reference: Any) -> str | None:
    return _text(reference.get("name")) if isinstance(reference, dict) else _text(reference)


def skills_hash(value: Any) -> str | None:
    reference = decode(value) if value.__class__ is Raw else value
    return _text(reference.get("hash")) if isinstance(reference, dict) else None


def effort(value: Any) -> str | None:
    return _text(value.get("effort")) if isinstance(value, dict) else _text(value)


class _Capture(msgspec.Struct):
    metrics: dict[str, Any] | None = None


_capture = msgspec.json.Decoder(_Capture)


def latency(value: Any) -> Any:
    try:
        metrics = _capture.decode(value).metrics if value.__class__ is Raw else None
    except msgspec.ValidationError:
        return None
    return metrics.get("latency_total_ms") if metrics else None


def model_name(*names: Any) -> str | None:
    return next((name for name in names if isinstance(name, str) and name and name.lower() != "unknown"), None)


def incomplete_reason(details: Any) -> str | None:
    return (_text(details.get("reason")) or "incomplete") if isinstance(details, dict) else _text(details)


def error_text(error: Any) -> str:
    code = error.get("code") if isinstance(error, dict) else None
    try:
        message = text_of(error.get("message")) if isinstance(error, dict) and error.get("message") else text_of(error)
        return cut(redact(f"{code}: {message}" if code else message))
    except RecursionError:
        return TOO_DEEP


def _text(value: Any) -> str | None:
    try:
        return None if value is None or value == "" else value if isinstance(value, str) else str(value)
    except RecursionError:
        return TOO_DEEP


def id_text(value: Any) -> str | None:
    """An id as a string; 3, 3.0 and "3" are one id."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None if value is None or isinstance(value, dict | list) else str(value)


def texts(column: Column) -> Column:
    return column if set(map(type, column)) <= {str} and "" not in column else [_text(value) for value in column]


def floats(column: Column) -> Column:
    return column if set(map(type, column)) <= {float, NoneType} else [_float(value) for value in column]


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1.7e308 else None


def ints(column: Column) -> Column:
    return (
        [_int(value) for value in column]
        if set(map(type, column)) - {int, NoneType} or any(value not in INT64 for value in column if value)
        else column
    )


def _int(value: Any) -> int | None:
    number = _float(value)
    return int(number) if number is not None and abs(number) < 2**62 else None
