"""A trajectory: the ordered, typed steps of one rollout.

Step numbers are indices in `response.output` (`shapes` tells what becomes of lists nested there); prompt items count backwards from −1, the newest. A tool output belongs to the
nearest preceding call with its id, because ids are reused within trajectories.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from blade.runs import shapes
from blade.runs.chat_items import json_text
from blade.runs.rows import BadRow, parse_leniently

CONVERSATION_FIELDS = frozenset({"responses_create_params", "response", "messages", "conversation", "trajectory", "completion"})


class Step(msgspec.Struct, frozen=True):
    """A struct and no dataclass because rows have many steps, and a struct is made in a tenth of the time."""

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
        for call, output in answered_calls(self.output).items():
            yield self.output[call], None if output is None else self.output[output]


def answered_calls(steps: Sequence[Step]) -> dict[int, int | None]:
    """The position of each tool call with that of its output, or None where none came."""
    latest: dict[str | None, int] = {}
    outputs: dict[int, int | None] = {}
    for position, step in enumerate(steps):
        kind = step.kind
        if kind == "tool_call":
            latest[step.call_id] = position
            outputs[position] = None
        elif kind == "tool_output":
            call = latest.get(step.call_id)
            if call is not None and outputs[call] is None:
                outputs[call] = position
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
    told = CONVERSATION_FIELDS if "response" in row else CONVERSATION_FIELDS | {shapes.conversation_field(row)}
    return Trajectory(
        prompt=tuple([_step(number - len(prompt), item) for number, item in enumerate(prompt)]),
        output=tuple([_step(number, item) for number, item in _output_items(row)]),
        fields={name: value for name, value in row.items() if name not in told},
    )


def _output_items(row: dict[str, Any]) -> Iterable[tuple[int, dict[str, Any]]]:
    """The same as `shapes.output_items`, sooner where every item already is what it should be."""
    response = row.get("response")
    output = response.get("output") if response.__class__ is dict else None
    if output.__class__ is list and all(item.__class__ is dict and item.get("type") is not None for item in output):
        return enumerate(output)
    return shapes.output_items(row)


_USUAL_KINDS = {
    "message": "message",
    "reasoning": "reasoning",
    "function_call": "tool_call",
    "function_call_output": "tool_output",
}
_USUAL_ROLES = {"reasoning": "assistant", "tool_call": "assistant", "tool_output": "tool"}


def _step(number: int, item: dict[str, Any]) -> Step:
    given, role, call_id, arguments = item.get("type"), item.get("role"), None, None
    kind = _USUAL_KINDS.get(given) if given.__class__ is str else None
    if kind is None:
        kind = shapes.step_kind(given, role)
    if kind == "tool_call":
        call_id, arguments = _text(item.get("call_id") or item.get("id")), _arguments(item)
        role = role or item.get("requestor")  # a simulated user may have tools of its own
    elif kind == "tool_output":
        call_id = _text(item.get("call_id") or item.get("id"))
    return Step(
        number,
        kind,
        _text(role) or _USUAL_ROLES.get(kind),
        _text(item.get("name")),
        call_id,
        _content(kind, item),
        arguments,
    )


def _content(kind: str, item: dict[str, Any]) -> str:
    if kind == "tool_call":
        return _text_of(item.get("content"))
    if kind == "tool_output":
        return _text_of(item.get("output", item.get("content")))
    if kind == "reasoning":
        content, summary = _text_of(item.get("content")), _text_of(item.get("summary"))
        whole = f"{content}\n{summary}" if content and summary else content or summary
        return whole or ("[encrypted]" if item.get("encrypted_content") else "")
    return _text_of(item.get("content", item.get("text")))


def _text_of(content: Any) -> str:
    """The same as `shapes.text_of`, sooner for a string and for one part with a text."""
    if content.__class__ is str:
        return content
    if content is None:
        return ""
    if content.__class__ is list and len(content) == 1 and content[0].__class__ is dict:
        text = content[0].get("text")
        if text.__class__ is str:
            return text
    return shapes.text_of(content)


def _arguments(item: dict[str, Any]) -> str | None:
    given = item.get("arguments")
    if given.__class__ is str:
        return given
    given = next((item[name] for name in ("arguments", "input", "action", "code", "query") if item.get(name) is not None), None)
    return given if given is None or isinstance(given, str) else json_text(given)


def _text(value: Any) -> str | None:
    return value if value is None or value.__class__ is str else str(value)
