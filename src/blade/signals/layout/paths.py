"""The values inside a row by their paths: through objects, short lists of objects, and text that holds JSON."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.runs.definition import BOOKKEEPING
from blade.signals.layout.shape import Path

MAX_DEPTH: Final = 5
MAX_NODES: Final = 300
"""Values of one row that are looked at."""
MAX_JSON: Final = 100_000
"""Characters of a text up to which it is tried as JSON."""
MAX_LISTED: Final = 4
"""Entries of a list up to which each is a place of its own."""
_ELSEWHERE: Final = BOOKKEEPING - {"reward_components"} | frozenset(
    ["usage", "messages", "trajectory", "tools", "declared_tools", "delegated_response", "judge_response", "judge_responses_create_params", "agent_ref", "spans"]
)  # fmt: skip
"""Fields that book a rollout or hold a conversation."""


def opened(value: Any) -> Any:
    """An object or a list that was written down as text, read back; everything else as it is."""
    if not isinstance(value, str) or value[:1] not in ("{", "[") or len(value) > MAX_JSON:
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return value


def nodes(fields: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Every value inside a row with its path, outermost first within each field, objects and lists too."""
    left = MAX_NODES
    for path, value in _nodes(fields, (), 0):
        yield path, value
        left -= 1
        if left <= 0:
            return


def _nodes(holder: Any, path: Path, depth: int) -> Iterator[tuple[Path, Any]]:
    if isinstance(holder, dict):
        inner = ((str(key), value) for key, value in holder.items())
    elif isinstance(holder, list) and len(holder) <= MAX_LISTED and all(isinstance(entry, dict) for entry in holder):
        inner = ((str(number), value) for number, value in enumerate(holder))
    else:
        return
    for key, value in inner:
        if key.startswith("_ng_") or (depth == 0 and key in _ELSEWHERE):
            continue
        value = opened(value)
        yield (*path, key), value
        if depth < MAX_DEPTH and isinstance(value, dict | list):
            yield from _nodes(value, (*path, key), depth + 1)


def value_at(fields: Any, path: Path) -> Any:
    """What stands at a path; None where nothing does."""
    value = fields
    for key in path:
        value = opened(value)
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return opened(value)
