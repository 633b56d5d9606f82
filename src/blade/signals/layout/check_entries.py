"""The entries of a field that holds checks, by the keys that were learned; later ones of a name are numbered."""

from collections import Counter
from typing import Any, Final

import msgspec

INSIDE: Final = "."
Entry = tuple[str, Any]
"""The name of a check, and its verdict."""


def entries_at(value: Any, name: str | None, verdict: str | None) -> list[Entry]:
    """The checks in a field by the keys that were learned: their names and verdicts."""
    if name is None:
        pairs = value.items() if isinstance(value, dict) else ()
        return [(str(key), inner if verdict is None else member(inner, verdict)) for key, inner in pairs]
    met: Counter[str] = Counter()
    found: list[Entry] = []
    for entry in value if isinstance(value, list) else ():
        if isinstance(entry, dict):
            called = str(entry.get(name))
            met[called] += 1
            found.append((called if met[called] == 1 else f"{called} ({met[called]})", member(entry, verdict or "")))
    return found


def member(entry: Any, key: str) -> Any:
    """What an entry has under a key, or under one of an object in it: `result.score`."""
    for part in key.split(INSIDE):
        entry = entry.get(part) if isinstance(entry, dict) else None
    return entry


def encoded(verdict: Any) -> str:
    return msgspec.json.encode(verdict.strip().lower() if isinstance(verdict, str) else verdict).decode()
