"""The tools that a rollout was given, as its row declares them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from blade.runs.chat_items import json_text

_SCHEMAS = ("parameters", "input_schema", "inputSchema")
_TOGETHER = ("function_declarations", "functionDeclarations")
_DECLARING = frozenset(["tools", "functions", "tool_definitions", "available_tools"])
"""Fields whose text lists tools, as tables keep it."""


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
    for entry in _single(listed) if isinstance(listed, list) else ():
        given = entry.get("function") if isinstance(entry, dict) and isinstance(entry.get("function"), dict) else entry
        if not isinstance(given, dict) or not isinstance(given.get("name"), str):
            unnamed = True
            continue
        schema = _schema(given)
        description = given.get("description")
        tools[given["name"]] = Tool(
            given["name"],
            description if isinstance(description, str) else "",
            schema if isinstance(schema, dict) else {},
            _read_only(entry) if _read_only(entry) is not None else _read_only(given),
        )
    return tools, unnamed


def _single(listed: list[Any]) -> Iterator[Any]:
    """The tools of a list, those that stand together under one entry too: Gemini's `function_declarations`, Bedrock's `toolSpec`."""
    for entry in listed:
        together = (
            next((entry[name] for name in _TOGETHER if isinstance(entry.get(name), list)), None)
            if isinstance(entry, dict)
            else None
        )
        if together is not None:
            yield from together
        else:
            yield entry["toolSpec"] if isinstance(entry, dict) and isinstance(entry.get("toolSpec"), dict) else entry


def declared_in(fields: dict[str, Any]) -> tuple[dict[str, Tool], bool]:
    """The tools that a row declares in a field of its own, as rows do that hold a conversation and no request: a list of nothing but schemas, or its text."""
    for name, value in fields.items():
        if isinstance(value, str) and name in _DECLARING and value[:1] == "[":
            return parse_tools(value.encode(errors="replace"))
        if isinstance(value, list) and value and all(map(_declares, singles := list(_single(value)))):
            return parse_tools(json_text(singles).encode())
    return {}, False


def _schema(given: dict[str, Any]) -> Any:
    schema = next((given[name] for name in _SCHEMAS if given.get(name)), None)
    return schema["json"] if isinstance(schema, dict) and isinstance(schema.get("json"), dict) else schema


def _declares(entry: Any) -> bool:
    """Whether an entry names a tool and has the schema of what it takes; a call has values there."""
    given = entry.get("function") if isinstance(entry, dict) and isinstance(entry.get("function"), dict) else entry
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        return False
    schema = _schema(given)
    return (
        isinstance(schema, dict)
        and str(schema.get("type")).lower() in ("object", "dict")
        and isinstance(schema.get("properties"), dict)
    )


def _read_only(entry: dict[str, Any]) -> bool | None:
    notes = entry.get("annotations")
    hint = notes.get("readOnlyHint") if isinstance(notes, dict) else None
    return hint if isinstance(hint, bool) else None
