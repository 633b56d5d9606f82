"""Tiny rollouts, written down in a line or two: the example that each detector carries, and the rows of its tests.

An example is what the reference page shows and what a test runs the detector on, so that neither can go stale.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

Item = dict[str, Any]


def says(text: str) -> Item:
    """The assistant speaks."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def user(text: str) -> Item:
    """A (simulated) user answers, inside the output."""
    return {"type": "message", "role": "user", "content": text}


def thinks(text: str) -> Item:
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}


def call(tool: str, /, output: str | None = None, *, raw: str | None = None, **arguments: Any) -> list[Item]:
    """A tool call with its output; without one where `output` is None. `raw` gives the argument text as it stands."""
    text = msgspec.json.encode(arguments).decode() if raw is None else raw
    made: Item = {"type": "function_call", "call_id": "call_1", "name": tool, "arguments": text}
    return [made] if output is None else [made, {"type": "function_call_output", "call_id": "call_1", "output": output}]


def tool(name: str, description: str = "", required: tuple[str, ...] = (), **properties: Any) -> Item:
    """The schema of a tool, as it stands in `responses_create_params.tools`; a property is a JSON type or a whole schema."""
    schemas = {key: {"type": value} if isinstance(value, str) else value for key, value in properties.items()}
    parameters = {"type": "object", "properties": schemas, "required": list(required)}
    return {"type": "function", "name": name, "description": description, "parameters": parameters}


@dataclass(frozen=True)
class Example:
    """A rollout in short: what was asked, what happened (items, or lists of them), the tools, and the row's own fields."""

    happened: tuple[Item | list[Item], ...] = ()
    asked: str = "Please help."
    system: str = ""
    tools: tuple[Item, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    response: dict[str, Any] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def items(self) -> list[Item]:
        return [item for part in self.happened for item in (part if isinstance(part, list) else [part])]

    def row(self) -> dict[str, Any]:
        """The row of a rollout file."""
        prompt = [user(self.asked)] if self.asked else []
        if self.system:
            prompt.insert(0, {"type": "message", "role": "system", "content": self.system})
        params = {"input": prompt, **({"tools": list(self.tools)} if self.tools else {}), **self.params}
        return {"responses_create_params": params, "response": {"output": self.items, **self.response}, **self.fields}

    def text(self) -> bytes:
        return msgspec.json.encode(self.row())
