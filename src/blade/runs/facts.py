"""The facts about rows, as columns.

Fixed columns hold what every rollout has; a run's own top-level fields become columns of their own (`own_columns`). Rows are
collected as they are decoded and cleaned a column at a time, because whole columns are nearly always of one kind.
"""

from collections.abc import Sequence
from itertools import zip_longest
from types import NoneType
from typing import Any

from msgspec import UNSET

from blade.runs.definition import DefinitionReader
from blade.runs.own_columns import USAGE, Column, OwnColumns, clean_texts
from blade.runs.row_values import (
    each_known,
    effort,
    error_text,
    floats,
    incomplete_reason,
    ints,
    latency,
    model_name,
    reference_names,
    repeats_of,
    reward_values,
    scalars,
    skills_hash,
    texts,
    unscored_reasons,
)
from blade.runs.rows import BadRow, Item, Row, RowDecoder
from blade.runs.shapes import step_kind

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
                own.add(name, [value if isinstance(value, int | float) else None for value in scalars(column)], 0)
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
        rewards, kinds = reward_values(top.get("reward"), count, self._odd_rewards, self._without_reward)
        repeat_fields, repeat_values = repeats_of(top, count)
        fixed: dict[str, Column] = {
            "line": lines,
            "offset": offsets,
            "length": lengths,
            "repeat_field": repeat_fields,
            "repeat_value": repeat_values,
            "attempt": ints(scalars(top.get("_ng_attempt_index", nothing))),
            "agent": reference_names(top.get("agent_ref", nothing)),
            "model": [model_name(first, second) for first, second in zip(models, asked, strict=True)],
            "reward": rewards,
            "reward_kind": kinds,
            "unscored": unscored_reasons(top, count),
            "response_id": texts(ids),
            "created_at": floats(created),
            "status": texts(statuses),
            "incomplete": each_known(incomplete_reason, incomplete),
            "error": each_known(error_text, errors),
            "latency_ms": floats(each_known(latency, top.get("ng_model_call_capture", nothing))),
            "temperature": floats(temperature),
            "top_p": floats(top_p),
            "max_output_tokens": ints(most_tokens),
            "max_tool_calls": ints(most_calls),
            "reasoning_effort": each_known(effort, reasoning),
            "skills": each_known(skills_hash, top.get("skills_ref", nothing)),
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
    fixed: dict[str, Column] = {name: ints([usage.get(name) for usage in dicts]) for name in USAGE_COLUMNS}
    for name, outer in USAGE_DETAILS.items():
        details = [usage.get(outer) for usage in dicts]
        fixed[name] = ints([detail.get(name) if detail.__class__ is dict else None for detail in details])
    for name in sorted({name for usage in dicts for name in usage}):
        column = [value if isinstance(value := usage.get(name), int | float) else None for usage in dicts]
        if name not in USAGE_COLUMNS or not set(map(type, column)) <= {int, NoneType}:
            own.add(f"usage.{name}", column, USAGE)
    return fixed
