"""The tools that a rollout was given, as its row declares them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec


@dataclass(frozen=True, eq=False)
class Tool:
    name: str
    description: str
    parameters: dict[str, Any]
    read_only: bool | None = None
    """What the tool's own annotations say (`readOnlyHint`), if they say it."""


@lru_cache(maxsize=256)
def parse_tools(token: bytes) -> tuple[dict[str, Tool], bool]:
    """The declared tools by name, and whether there are some without one (hosted tools, MCP servers). Equal tokens are read once."""
    try:
        listed = msgspec.json.decode(token)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}, True
    tools: dict[str, Tool] = {}
    unnamed = False
    for entry in listed if isinstance(listed, list) else ():
        given = entry.get("function") if isinstance(entry, dict) and isinstance(entry.get("function"), dict) else entry
        if not isinstance(given, dict) or not isinstance(given.get("name"), str):
            unnamed = True
            continue
        schema = given.get("parameters") or given.get("input_schema")
        description = given.get("description")
        tools[given["name"]] = Tool(
            given["name"],
            description if isinstance(description, str) else "",
            schema if isinstance(schema, dict) else {},
            _read_only(entry) if _read_only(entry) is not None else _read_only(given),
        )
    return tools, unnamed


def declared_in(fields: dict[str, Any]) -> tuple[dict[str, Tool], bool]:
    """The tools that a row declares in a field of its own, as rows do that hold a conversation and no request: a list of nothing but schemas."""
    for value in fields.values():
        if isinstance(value, list) and value and all(map(_declares, value)):
            return parse_tools(msgspec.json.encode(value))
    return {}, False


def _declares(entry: Any) -> bool:
    """Whether an entry names a tool and has the schema of what it takes; a call has values there."""
    given = entry.get("function") if isinstance(entry, dict) and isinstance(entry.get("function"), dict) else entry
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        return False
    schema = given.get("parameters") or given.get("input_schema")
    return isinstance(schema, dict) and schema.get("type") in ("object", "dict") and isinstance(schema.get("properties"), dict)


def _read_only(entry: dict[str, Any]) -> bool | None:
    notes = entry.get("annotations")
    hint = notes.get("readOnlyHint") if isinstance(notes, dict) else None
    return hint if isinstance(hint, bool) else None
