"""A row of any run as something that can be worked on: its items, its calls, the values they carry."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from blade.lab.stage.script import Row
from blade.runs.definition import SYSTEM_ROLES
from blade.runs.shapes import text_of
from blade.signals.calls.mutation import CHANGE, classify

_CALLS = ("function_call", "tool_call", "mcp_call", "custom_tool_call")


@dataclass
class Rollout:
    """One repeat of a task; `row` is a copy that may be changed."""

    rollout: str
    row: Row

    @property
    def items(self) -> list[Row]:
        response = self.row.get("response")
        output = response.get("output") if isinstance(response, dict) else None
        return [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []

    @items.setter
    def items(self, items: list[Row]) -> None:
        self.row["response"]["output"] = items

    @property
    def calls(self) -> list[int]:
        return [number for number, item in enumerate(self.items) if item.get("type") in _CALLS]

    @property
    def changes(self) -> list[int]:
        """The calls that change something, by the name of their tool."""
        items = self.items
        return [number for number in self.calls if classify(str(items[number].get("name", ""))).kind == CHANGE]

    @property
    def lookups(self) -> list[int]:
        changes = set(self.changes)
        return [number for number in self.calls if number not in changes]

    def output_of(self, number: int) -> int | None:
        """Where the answer to a call stands."""
        items = self.items
        call_id = items[number].get("call_id")
        found = (
            at
            for at in range(number + 1, len(items))
            if str(items[at].get("type", "")).endswith("_output") and items[at].get("call_id") == call_id
        )
        return next(found, None)

    def arguments(self, number: int) -> dict[str, Any]:
        given = self.items[number].get("arguments")
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except ValueError:
                return {}
        return given if isinstance(given, dict) else {}

    def set_argument(self, number: int, name: str, value: Any) -> None:
        given = {**self.arguments(number), name: value}
        item = self.items[number]
        item["arguments"] = json.dumps(given, ensure_ascii=False) if isinstance(item.get("arguments"), str) else given

    def text(self, number: int) -> str:
        item = self.items[number]
        return text_of(item.get("output") if "output" in item else item.get("content", item.get("summary")))

    def asked(self) -> str:
        """All that was said to the agent: the prompt, and the user's turns."""
        prompt = (self.row.get("responses_create_params") or {}).get("input") or ""
        said = [text_of(item.get("content")) for item in self.items if item.get("role") == "user"]
        return "\n".join([prompt if isinstance(prompt, str) else json.dumps(prompt, ensure_ascii=False), *said])

    def request(self) -> str:
        """The prompt without the system's part."""
        prompt = (self.row.get("responses_create_params") or {}).get("input") or ""
        if isinstance(prompt, str):
            return prompt
        spoken = (item for item in prompt if isinstance(item, dict) and item.get("role") not in SYSTEM_ROLES)
        return "\n".join(text_of(item.get("content")) for item in spoken)

    @property
    def final(self) -> int | None:
        """The last message of the agent."""
        items = self.items
        spoken = [number for number, item in enumerate(items) if item.get("role") == "assistant" and self.text(number).strip()]
        return spoken[-1] if spoken else None

    def say(self, text: str) -> None:
        """Add a message of the agent at the end."""
        items = self.items
        content = [{"type": "output_text", "text": text, "annotations": []}]
        self.items = [*items, {"type": "message", "role": "assistant", "status": "completed", "content": content}]

    def rewrite(self, number: int, text: str) -> None:
        """Other words in a message."""
        item = self.items[number]
        item["content"] = (
            text if isinstance(item.get("content"), str) else [{"type": "output_text", "text": text, "annotations": []}]
        )
