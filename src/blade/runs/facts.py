"""The facts about one row, as columns.

Fixed columns hold what every rollout has; a run's own top-level fields become columns of their own, found as they come.
Their values travel as text with the kinds seen, so that the type of a column is decided once, over the whole run, and never
depends on how the work was split. Text is cut and redacted here, before anything is written.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from blade.runs.definition import DefinitionReader
from blade.runs.rows import Params, Response, Row, cut_fields, decode
from blade.runs.shapes import step_kind, text_of
from blade.untrusted.limits import MAX_COLUMN_NAME, MAX_NESTED_FIELD_BYTES, MAX_TEXT_FIELD
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
ID_FIELDS = ("_ng_task_index", "task_id", "problem_id", "instance_id", "task_name", "id")
NOT_COLUMNS = frozenset(
    "responses_create_params response reward agent_ref skills_ref ng_trajectory ng_model_call_capture ng_agent_observations "
    "messages conversation trajectory completion output _ng_task_index _ng_rollout_index _ng_attempt_index".split()
)
USAGE_COLUMNS = frozenset({"input_tokens", "output_tokens", "total_tokens"})
MOST_FLATTENED_BYTES = 64_000
MOST_NAMES = 2_000
BOOL, INT, FLOAT, TEXT, NESTED = 1, 2, 4, 8, 16
INT64 = range(-(2**63), 2**63)


@dataclass
class OwnFields:
    """The run's own fields over a stretch of rows: name → (row numbers, values as text), and the kinds seen."""

    values: dict[str, tuple[list[int], list[str]]] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    dropped: int = 0

    def add(self, row: int, name: str, value: str, kind: int) -> None:
        column = self.values.get(name)
        if column is None:
            if len(self.values) >= MOST_NAMES:
                self.dropped += 1
                return
            column = self.values[name] = ([], [])
            self.kinds[name] = 0
        column[0].append(row)
        column[1].append(value)
        self.kinds[name] |= kind

    def add_token(self, row: int, name: str, token: bytes, flatten: bool = True) -> None:
        """A raw JSON value: a scalar as itself, an object one level deep as `name.child`, and small nested values as JSON."""
        if len(name) > MAX_COLUMN_NAME:
            self.dropped += 1
            return
        first = token[:1]
        if first == b'"':
            self.add(row, name, _own_text(decode(token), name), TEXT)
        elif first in b"tf":
            self.add(row, name, token.decode(), BOOL)
        elif first == b"n":
            return
        elif first in b"{[":
            if len(token) <= MAX_NESTED_FIELD_BYTES:
                self.add(row, name, redact(token.decode("utf-8", "replace")), NESTED)
            if flatten and first == b"{" and len(token) <= MOST_FLATTENED_BYTES:
                for child, raw in cut_fields(token).items():
                    inner = bytes(raw)
                    if inner[:1] not in b"{[":
                        self.add_token(row, f"{name}.{child}", inner, flatten=False)
        elif token.isdigit() and len(token) < 19:
            self.add(row, name, token.decode(), INT)
        else:
            self.add(row, name, token.decode(), INT if _is_int64(token) else FLOAT)


def _is_int64(token: bytes) -> bool:
    return not any(mark in token for mark in b".eE") and len(token) < 25 and int(token) in INT64


def _own_text(text: str, name: str) -> str:
    if name in ID_FIELDS:
        return text[:MAX_TEXT_FIELD]
    return redact(text if len(text) <= MAX_TEXT_FIELD else text[: MAX_TEXT_FIELD - 1] + "…")


class FactsReader:
    """Turns rows into fixed columns and own fields; one per stretch of rows."""

    def __init__(self, every_field_defines: bool = False) -> None:
        self.columns: dict[str, list[Any]] = {name: [] for name in FIXED_COLUMNS}
        self.own = OwnFields()
        self.rows = 0
        self._definition = DefinitionReader(every_field_defines)

    def add(self, row: Row, line: int, offset: int, length: int) -> None:
        facts = _facts(row)
        facts["definition"], facts["prompt_hash"] = self._definition.read(row.fields, row.params)
        facts["line"], facts["offset"], facts["length"] = line, offset, length
        for name, column in self.columns.items():
            column.append(facts.get(name))
        own = self.own
        number = self.rows
        for name, raw in row.fields.items():
            if name not in NOT_COLUMNS:
                own.add_token(number, name, bytes(raw))
        for name in ("_ng_task_index",):
            if name in row.fields:
                own.add_token(number, name, bytes(row.fields[name]), flatten=False)
        if isinstance(row.response.usage, dict):
            for name, value in row.response.usage.items():
                if name not in USAGE_COLUMNS and isinstance(value, int | float):
                    own.add(number, f"usage.{name}", str(value).lower(), BOOL if isinstance(value, bool) else INT if isinstance(value, int) else FLOAT)
        self.rows += 1


def _facts(row: Row) -> dict[str, Any]:
    response, params, fields = row.response, row.params, row.fields
    reward, kind = reward_of(row)
    facts: dict[str, Any] = {
        "reward": reward,
        "reward_kind": kind,
        "unscored": _unscored(row),
        "agent": _named(row.value("agent_ref")),
        "model": _model(response, params),
        "response_id": _text(response.id),
        "created_at": _float(response.created_at),
        "status": _text(response.status),
        "incomplete": _reason(response.incomplete_details),
        "error": _error(response.error),
        "temperature": _float(params.temperature),
        "top_p": _float(params.top_p),
        "max_output_tokens": _int(params.max_output_tokens),
    }
    for name in REPEAT_FIELDS:
        if name in fields and (value := _id_text(row.value(name))) is not None:
            facts["repeat_field"], facts["repeat_value"] = name, value
            break
    if "_ng_attempt_index" in fields:
        facts["attempt"] = _int(row.value("_ng_attempt_index"))
    if "skills_ref" in fields:
        skills = row.value("skills_ref")
        facts["skills"] = _text(skills.get("hash")) if isinstance(skills, dict) else None
    if "ng_model_call_capture" in fields:
        capture = row.value("ng_model_call_capture")
        metrics = capture.get("metrics") if isinstance(capture, dict) else None
        facts["latency_ms"] = _float(metrics.get("latency_total_ms")) if isinstance(metrics, dict) else None
    _add_usage(facts, response.usage)
    _add_counts(facts, response)
    return facts


def _add_usage(facts: dict[str, Any], usage: Any) -> None:
    if not isinstance(usage, dict):
        return
    for name in USAGE_COLUMNS:
        facts[name] = _int(usage.get(name))
    for column, outer, inner in (
        ("reasoning_tokens", "output_tokens_details", "reasoning_tokens"),
        ("cached_tokens", "input_tokens_details", "cached_tokens"),
    ):
        details = usage.get(outer)
        facts[column] = _int(details.get(inner)) if isinstance(details, dict) else None


def _add_counts(facts: dict[str, Any], response: Response) -> None:
    messages = reasoning = calls = outputs = users = 0
    kind = None
    for item in response.output:
        kind = step_kind(item.type, item.role)
        if kind == "message":
            messages += 1
            users += item.role == "user"
        elif kind == "tool_call":
            calls += 1
        elif kind == "tool_output":
            outputs += 1
        elif kind == "reasoning":
            reasoning += 1
    facts.update(
        steps=len(response.output),
        messages=messages,
        reasoning_steps=reasoning,
        tool_calls=calls,
        tool_outputs=outputs,
        user_turns=users,
        last_step=kind,
    )


def reward_of(row: Row) -> tuple[float | None, str]:
    """The reward as a finite number or None, and what was found: number, bool, null, missing, text, non_finite, nested."""
    if "reward" not in row.fields:
        return None, "missing"
    value = row.value("reward")
    if isinstance(value, bool):
        return float(value), "bool"
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            return None, "non_finite"
        return (number, "number") if math.isfinite(number) else (None, "non_finite")
    if value is None:
        return None, "non_finite" if "non_finite_number" in row.oddities else "null"
    return None, "text" if isinstance(value, str) else "nested"


def _unscored(row: Row) -> str | None:
    """Why a row that holds a reward is marked as not scored: the reward is a filler."""
    failure = row.value("_ng_failure_class")
    if failure is not None:
        return f"failure class {_text(failure)}"
    for name in ("reward_missing", "verification_skipped"):
        if row.value(name) is True:
            return name
    return None


def _named(reference: Any) -> str | None:
    return _text(reference.get("name")) if isinstance(reference, dict) else _text(reference)


def _model(response: Response, params: Params) -> str | None:
    for name in (response.model, params.model):
        if isinstance(name, str) and name and name.lower() != "unknown":
            return name
    return None


def _reason(details: Any) -> str | None:
    if isinstance(details, dict):
        return _text(details.get("reason")) or "incomplete"
    return _text(details)


def _error(error: Any) -> str | None:
    if error is None:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    message = text_of(error.get("message")) if isinstance(error, dict) and error.get("message") else text_of(error)
    return redact(f"{code}: {message}" if code else message)[:MAX_TEXT_FIELD]


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else value if isinstance(value, str) else str(value)


def _id_text(value: Any) -> str | None:
    """An id as a string; 3, 3.0 and "3" are one id."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None if value is None or isinstance(value, dict | list) else str(value)


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 else None


def _int(value: Any) -> int | None:
    number = _float(value)
    return int(number) if number is not None and abs(number) < 2**62 else None
