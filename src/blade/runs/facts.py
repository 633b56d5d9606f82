"""The facts about rows, as columns.

Fixed columns hold what every rollout has; a run's own top-level fields become columns of their own (`own_columns`). Rows are
collected as they are decoded and cleaned a column at a time, because whole columns are nearly always of one kind.
"""

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest
from types import NoneType
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from blade.runs.definition import DefinitionReader
from blade.runs.own_columns import INT64, USAGE, Column, OwnColumns, clean_texts, cut
from blade.runs.rows import BadRow, Item, Row, RowDecoder, decode
from blade.runs.shapes import step_kind, text_of
from blade.untrusted.redaction import redact

FIXED_COLUMNS = {
    "line": "int64",
    "offset": "int64",
    "length": "int64",
    "repeat_field": "string",
    "repeat_value": "string",
    "attempt": "int64",
    "agent": "string",
    "model": "string",
    "reward": "double",
    "reward_kind": "string",
    "unscored": "string",
    "response_id": "string",
    "created_at": "double",
    "status": "string",
    "incomplete": "string",
    "error": "string",
    "input_tokens": "int64",
    "output_tokens": "int64",
    "total_tokens": "int64",
    "reasoning_tokens": "int64",
    "cached_tokens": "int64",
    "latency_ms": "double",
    "temperature": "double",
    "top_p": "double",
    "max_output_tokens": "int64",
    "max_tool_calls": "int64",
    "reasoning_effort": "string",
    "skills": "string",
    "steps": "int64",
    "messages": "int64",
    "reasoning_steps": "int64",
    "tool_calls": "int64",
    "tool_outputs": "int64",
    "user_turns": "int64",
    "last_step": "string",
    "prompt_hash": "string",
    "definition": "string",
}
REPEAT_FIELDS = ("_ng_rollout_index", "rollout_index", "repeat_index", "repeat", "trial", "trial_index", "epoch", "sample_index")
LAST_RESORT_ID_FIELDS = ("task_idx", "question_id", "sample_id", "doc_id", "example_id", "uid", "uuid", "idx", "index", "name")
ID_FIELDS = ("_ng_task_index", "task_id", "problem_id", "instance_id", "task_name", "id")
NOT_COLUMNS = frozenset(
    [
        "reward",
        "agent_ref",
        "skills_ref",
        "ng_trajectory",
        "ng_model_call_capture",
        "ng_agent_observations",
        "_ng_rollout_index",
        "_ng_attempt_index",
    ]
)
CONVERSATION_COLUMNS = frozenset(
    {"messages", "conversation", "trajectory", "completion", "output"}
)  # columns only where they hold a number
USAGE_COLUMNS = ("input_tokens", "output_tokens", "total_tokens")
USAGE_DETAILS = {"reasoning_tokens": "output_tokens_details", "cached_tokens": "input_tokens_details"}
CLEANED_COLUMNS = (
    "agent",
    "model",
    "unscored",
    "response_id",
    "status",
    "incomplete",
    "skills",
    "repeat_value",
    "reasoning_effort",
)
TOO_DEEP = "[nested too deeply to be shown]"
USUAL_TYPES = ("message", "reasoning", "function_call", "function_call_output")


class FactsReader:
    """Collects rows and gives their facts as columns; one per stretch of rows."""

    def __init__(self, decoder: RowDecoder, every_field_defines: bool = False, task_field: str | None = None) -> None:
        self._decoder = decoder
        self._ids = {*ID_FIELDS, *LAST_RESORT_ID_FIELDS, task_field}
        self._only_ids = every_field_defines  # of the inputs only keys and definitions are asked for, and nothing else is written
        self._definition = DefinitionReader(every_field_defines)
        self._places: list[tuple[int, int, int]] = []
        self._rows: list[tuple[Any, ...]] = []
        self._values: list[Sequence[Any]] = []
        self._odd_rewards: set[int] = set()
        self._without_reward: set[int] = set()

    def __len__(self) -> int:
        return len(self._places)

    def add(self, row: Row, line: int, offset: int, length: int) -> None:
        response, params = row.response, row.params
        try:
            definition = self._definition.read(params, row.values, self._decoder.names)
        except RecursionError:
            raise BadRow("too_deep", "nested too deeply to be read") from None
        counts = _counts(response.output or ())
        if "non_finite_number" in row.oddities:
            self._odd_rewards.add(len(self._places))
        self._places.append((line, offset, length))
        self._values.append(row.values)
        self._rows.append(
            (
                response.id,
                response.model,
                response.created_at,
                response.status,
                response.incomplete_details,
                response.error,
                response.usage,
                params.model,
                params.temperature,
                params.top_p,
                params.max_output_tokens,
                params.max_tool_calls,
                params.reasoning,
                *definition,
                *counts,
            )
        )

    def columns(self) -> tuple[dict[str, Column], dict[str, tuple[int, Column]], int]:
        """Fixed columns, own columns with the kinds of their values, and how many fields were left without one."""
        own = OwnColumns(len(self._places), self._ids)
        top: dict[str, Column] = {}
        self._without_reward = set(range(len(self._places)))
        for name, given in zip(self._decoder.names, zip_longest(*self._values, fillvalue=UNSET), strict=False):
            top[name] = [None if value is UNSET else value for value in given] if UNSET in given else given
            if name == "reward":
                self._without_reward = {row for row, value in enumerate(given) if value is UNSET} if UNSET in given else set()
        fixed = self._fixed(top, own)
        for name, column in top.items():
            if self._only_ids:
                if set(map(type, column)) <= {bool, int, float, str, NoneType}:
                    own.add(name, column, 0, keep_text=True)
            elif name in CONVERSATION_COLUMNS:
                own.add(name, [value if isinstance(value, int | float) else None for value in _scalars(column)], 0)
            elif name not in NOT_COLUMNS:
                own.add_field(name, column)
        return fixed, own.columns, own.dropped + self._decoder.unnamed

    def _fixed(self, top: dict[str, Column], own: "OwnColumns") -> dict[str, Column]:
        count = len(self._places)
        nothing: Column = [None] * count
        (
            ids,
            models,
            created,
            statuses,
            incomplete,
            errors,
            usages,
            asked,
            temperature,
            top_p,
            most_tokens,
            most_calls,
            reasoning,
            definitions,
            prompts,
            *counts,
        ) = zip(*self._rows, strict=True)
        lines, offsets, lengths = zip(*self._places, strict=True)
        rewards, kinds = _rewards(top.get("reward"), count, self._odd_rewards, self._without_reward)
        repeat_fields, repeat_values = _repeats(top, count)
        fixed: dict[str, Column] = {
            "line": lines,
            "offset": offsets,
            "length": lengths,
            "repeat_field": repeat_fields,
            "repeat_value": repeat_values,
            "attempt": _ints(_scalars(top.get("_ng_attempt_index", nothing))),
            "agent": _names(top.get("agent_ref", nothing)),
            "model": [_model(first, second) for first, second in zip(models, asked, strict=True)],
            "reward": rewards,
            "reward_kind": kinds,
            "unscored": _unscored(top, count),
            "response_id": _texts(ids),
            "created_at": _floats(created),
            "status": _texts(statuses),
            "incomplete": _each(_reason, incomplete),
            "error": _each(_error, errors),
            "latency_ms": _floats(_each(_latency, top.get("ng_model_call_capture", nothing))),
            "temperature": _floats(temperature),
            "top_p": _floats(top_p),
            "max_output_tokens": _ints(most_tokens),
            "max_tool_calls": _ints(most_calls),
            "reasoning_effort": _each(_effort, reasoning),
            "skills": _each(_skills, top.get("skills_ref", nothing)),
            "definition": definitions,
            "prompt_hash": prompts,
        }
        fixed.update(
            zip(
                ("steps", "messages", "reasoning_steps", "tool_calls", "tool_outputs", "user_turns", "last_step"),
                counts,
                strict=True,
            )
        )
        fixed.update(_usage(usages, own))
        fixed.update((name, clean_texts(fixed[name])) for name in CLEANED_COLUMNS)
        return {name: fixed[name] for name in FIXED_COLUMNS}


def _counts(output: Sequence[Item]) -> tuple[int, int, int, int, int, int, str | None]:
    """Steps, messages, reasoning, tool calls, tool outputs, user turns, and the kind of the last step."""
    if not output:
        return 0, 0, 0, 0, 0, 0, None
    types = [item.type for item in output]
    messages, reasoning, calls, outputs = map(types.count, USUAL_TYPES)
    users = sum([item.role == "user" for item in output]) if messages else 0
    last = step_kind(types[-1], output[-1].role)
    if messages + reasoning + calls + outputs == len(types):
        return len(types), messages, reasoning, calls, outputs, users, last
    kinds = [step_kind(item.type, item.role) for item in output]
    users = sum(kind == "message" and item.role == "user" for kind, item in zip(kinds, output, strict=True))
    return len(types), *map(kinds.count, ("message", "reasoning", "tool_call", "tool_output")), users, last


def _usage(usages: Column, own: OwnColumns) -> dict[str, Column]:
    dicts = [usage if usage.__class__ is dict else {} for usage in usages]
    fixed: dict[str, Column] = {name: _ints([usage.get(name) for usage in dicts]) for name in USAGE_COLUMNS}
    for name, outer in USAGE_DETAILS.items():
        details = [usage.get(outer) for usage in dicts]
        fixed[name] = _ints([detail.get(name) if detail.__class__ is dict else None for detail in details])
    for name in sorted({name for usage in dicts for name in usage}):
        column = [value if isinstance(value := usage.get(name), int | float) else None for usage in dicts]
        if name not in USAGE_COLUMNS or not set(map(type, column)) <= {int, NoneType}:
            own.add(f"usage.{name}", column, USAGE)
    return fixed


def _rewards(column: Column | None, count: int, odd: set[int], absent: set[int]) -> tuple[Column, Column]:
    """The rewards as finite numbers or None, and what was found: number, bool, null, missing, text, non_finite, nested."""
    if column is None:
        return [None] * count, ["missing"] * count
    if set(map(type, column)) <= {float, int} and all(map(math.isfinite, map(_as_float, column))):
        return _floats(column), ["number"] * count
    pairs = [(None, "missing") if row in absent else _reward(value, row in odd) for row, value in enumerate(_scalars(column))]
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


def _repeats(top: dict[str, Column], count: int) -> tuple[Column, Column]:
    fields: list[str | None] = [None] * count
    values: list[str | None] = [None] * count
    for name in REPEAT_FIELDS:
        if name in top:
            for row, value in enumerate(_scalars(top[name])):
                if fields[row] is None and (text := id_text(value)) is not None:
                    fields[row], values[row] = name, text
    return fields, values


def _unscored(top: dict[str, Column], count: int) -> Column:
    """Why a row that holds a reward is marked as not scored: the reward is a filler."""
    why: list[str | None] = [None] * count
    for name in ("verification_skipped", "reward_missing"):
        for row, value in enumerate(top.get(name, ())):
            if value is True:
                why[row] = name
    for row, value in enumerate(_scalars(top.get("_ng_failure_class", ()))):
        if value is not None:
            why[row] = f"failure class {value}"
    return why


def _scalars(column: Column) -> Column:
    """A column with raw tokens decoded: fields that were nested in one row and are plain in another."""
    return [decode(value) if value.__class__ is Raw else value for value in column] if Raw in set(map(type, column)) else column


def _each(function: Callable[[Any], Any], column: Column) -> Column:
    return [None if value is None else function(value) for value in column]


def _names(column: Column) -> Column:
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


def _skills(value: Any) -> str | None:
    reference = decode(value) if value.__class__ is Raw else value
    return _text(reference.get("hash")) if isinstance(reference, dict) else None


def _effort(value: Any) -> str | None:
    return _text(value.get("effort")) if isinstance(value, dict) else _text(value)


class _Capture(msgspec.Struct):
    metrics: dict[str, Any] | None = None


_capture = msgspec.json.Decoder(_Capture)


def _latency(value: Any) -> Any:
    try:
        metrics = _capture.decode(value).metrics if value.__class__ is Raw else None
    except msgspec.ValidationError:
        return None
    return metrics.get("latency_total_ms") if metrics else None


def _model(*names: Any) -> str | None:
    return next((name for name in names if isinstance(name, str) and name and name.lower() != "unknown"), None)


def _reason(details: Any) -> str | None:
    return (_text(details.get("reason")) or "incomplete") if isinstance(details, dict) else _text(details)


def _error(error: Any) -> str:
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


def _texts(column: Column) -> Column:
    return column if set(map(type, column)) <= {str} and "" not in column else [_text(value) for value in column]


def _floats(column: Column) -> Column:
    return column if set(map(type, column)) <= {float, NoneType} else [_float(value) for value in column]


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1.7e308 else None


def _ints(column: Column) -> Column:
    return (
        [_int(value) for value in column]
        if set(map(type, column)) - {int, NoneType} or any(value not in INT64 for value in column if value)
        else column
    )


def _int(value: Any) -> int | None:
    number = _float(value)
    return int(number) if number is not None and abs(number) < 2**62 else None
