"""The entries of a field that holds checks, by the keys that were learned."""

from typing import Any

import msgspec

Entry = tuple[str, Any]
"""The name of a check, and its verdict."""


def entries_at(value: Any, name: str | None, verdict: str | None) -> list[Entry]:
    """The checks in a field by the keys that were learned: their names and verdicts."""
    if name is None:
        pairs = value.items() if isinstance(value, dict) else ()
        return [
            (str(key), inner if verdict is None else inner.get(verdict) if isinstance(inner, dict) else None)
            for key, inner in pairs
        ]
    return (
        [(str(entry.get(name)), entry.get(verdict or "")) for entry in value if isinstance(entry, dict)]
        if isinstance(value, list)
        else []
    )


def encoded(verdict: Any) -> str:
    return msgspec.json.encode(verdict.strip().lower() if isinstance(verdict, str) else verdict).decode()
