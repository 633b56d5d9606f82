"""A trajectory: the ordered, typed steps of one rollout.

Step numbers are indices in `response.output`; prompt items count backwards from −1, the newest. A tool output belongs to the
nearest preceding call with its id, because ids are reused within trajectories.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from blade.runs import shapes
from blade.runs.rows import BadRow, parse_leniently

CONVERSATION_FIELDS = frozenset({"responses_create_params", "response", "messages", "conversation", "trajectory", "completion"})


@dataclass(frozen=True, slots=True)
class Step:
    step: int
    kind: str  # message, reasoning, tool_call, tool_output, other
    role: str | None
    name: str | None
    call_id: str | None
    text: str
    arguments: str | None = None


@dataclass(frozen=True)
class Trajectory:
    """What was asked, what happened, and what the verifier and the evaluation wrote beside it."""

    prompt: tuple[Step, ...]
    output: tuple[Step, ...]
    fields: dict[str, Any]

    def calls_with_outputs(self) -> Iterator[tuple[Step, Step | None]]:
        """Each tool call with its output, or None where none came."""
        outputs = _outputs_by_call(self.output)
        for position, step in enumerate(self.output):
            if step.kind == "tool_call":
                yield step, outputs.get(position)


def _outputs_by_call(steps: tuple[Step, ...]) -> dict[int, Step]:
    latest: dict[str | None, int] = {}
    outputs: dict[int, Step] = {}
    for position, step in enumerate(steps):
        if step.kind == "tool_call":
            latest[step.call_id] = position
        elif step.kind == "tool_output" and step.call_id in latest:
            outputs.setdefault(latest[step.call_id], step)
    return outputs


def read_row(text: bytes) -> dict[str, Any]:
    """The whole row, forgiving what the scan forgave; raises BadRow where the scan counted a bad line."""
    try:
        row = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        row = parse_leniently(text, [])
    if not isinstance(row, dict):
        raise BadRow("not_an_object", "not a JSON object")
    return row


def trajectory(text: bytes) -> Trajectory:
    """The trajectory on one line of a rollout file."""
    row = read_row(text)
    prompt = shapes.prompt_items(row)
    return Trajectory(
        prompt=tuple(_step(number - len(prompt), item) for number, item in enumerate(prompt)),
        output=tuple(_step(number, item) for number, item in shapes.output_items(row)),
        fields={name: value for name, value in row.items() if name not in CONVERSATION_FIELDS},
    )


def _step(number: int, item: dict[str, Any]) -> Step:
    kind = shapes.step_kind(item.get("type"), item.get("role"))
    return Step(
        step=number,
        kind=kind,
        role=_text(item.get("role"))
        or ("assistant" if kind in ("reasoning", "tool_call") else "tool" if kind == "tool_output" else None),
        name=_text(item.get("name")),
        call_id=_text(item.get("call_id") or item.get("id") if kind in ("tool_call", "tool_output") else None),
        text=_content(kind, item),
        arguments=_arguments(item) if kind == "tool_call" else None,
    )


def _content(kind: str, item: dict[str, Any]) -> str:
    if kind == "tool_call":
        return shapes.text_of(item.get("content"))
    if kind == "tool_output":
        return shapes.text_of(item.get("output", item.get("content")))
    if kind == "reasoning":
        parts = (shapes.text_of(item.get("content")), shapes.text_of(item.get("summary")))
        return "\n".join(part for part in parts if part) or ("[encrypted]" if item.get("encrypted_content") else "")
    return shapes.text_of(item.get("content", item.get("text")))


def _arguments(item: dict[str, Any]) -> str | None:
    given = next((item[name] for name in ("arguments", "input", "action", "code", "query") if item.get(name) is not None), None)
    return given if given is None or isinstance(given, str) else msgspec.json.encode(given).decode()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None if value is None else str(value)
