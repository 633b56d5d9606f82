"""The items that chat messages become: messages, calls and their outputs, as `shapes` reads them."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

_NAMES = ("name", "tool_name", "function", "tool")
_GIVEN = ("arguments", "args", "input", "parameters", "tool_input", "tool_args")
IDS = ("id", "tool_call_id", "tool_use_id", "toolUseId", "call_id")

Item = dict[str, Any]


def message(role: str, content: Any) -> Item:
    return {"type": "message", "role": role, "content": content}


def json_text(value: Any) -> str:
    """A value as JSON, also one with a number of more than 64 bits, or with half of a pair of surrogates, which becomes a question mark."""
    try:
        return msgspec.json.encode(value).decode()
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="replace").decode()


def call_item(call: Any) -> Item:
    made = call if isinstance(call, dict) else {}
    given = made["function"] if isinstance(made.get("function"), dict) else made
    name = next((given[key] for key in _NAMES if isinstance(given.get(key), str)), None)
    arguments = next((given[key] for key in _GIVEN if given.get(key) is not None), None)
    item = {"type": "function_call", "call_id": first_of(made, IDS), "name": name, "arguments": arguments}
    return {**item, "requestor": made["requestor"]} if "requestor" in made else item


def first_of(holder: Item, names: Sequence[str]) -> Any:
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def calls_among(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item["type"] == "function_call"]
