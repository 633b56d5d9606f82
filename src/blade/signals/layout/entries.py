"""The entries of a list of expected calls, by the keys that were learned."""

from typing import Any, Final

from blade.signals.expectation import ExpectedCall
from blade.signals.layout.notations import call_entries, noted_call
from blade.signals.layout.paths import opened

MOST_ENTRIES: Final = 50


def given_arguments(value: Any) -> dict[str, Any] | None:
    """What is given to a call: an object, its JSON text, nothing, or a list of names with their values."""
    value = opened(value)
    if value is None or value in ("", []):
        return {}
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(entry, dict) and len(entry) == 2 for entry in value):
        keys = list(value[0])
        return {str(entry.get(keys[0])): entry.get(keys[1]) for entry in value} if all(list(e) == keys for e in value) else None
    return None


def flat(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry that wraps its call in one object (`{"type": "function", "function": {"name": …}}`) with the keys of both, as a path each."""
    wrapped = [key for key, value in entry.items() if isinstance(value, dict)]
    if len(wrapped) != 1:
        return entry
    return entry | {f"{wrapped[0]}.{key}": value for key, value in entry[wrapped[0]].items()}


def beside(entry: dict[str, Any], name: str) -> list[str]:
    """The other keys of the object in which the tool is named."""
    holder = name.rpartition(".")[0]
    return [key for key in entry if key != name and key.rpartition(".")[0] == holder]


def read_calls(value: Any, name: str | None, arguments: str | None) -> tuple[ExpectedCall, ...] | None:
    """The calls of a list by the keys that were learned; None where it holds anything else."""
    value = opened(value)
    if not isinstance(value, list | str | dict):
        return None
    calls = [read_call(entry, name, arguments) for entry in list(call_entries(value))[:MOST_ENTRIES]]
    return None if any(call is None for call in calls) else tuple(call for call in calls if call is not None)


def read_call(entry: Any, name: str | None, arguments: str | None) -> ExpectedCall | None:
    if isinstance(entry, str | list):
        return noted_call(entry)
    if not isinstance(entry, dict):
        return None
    if name is None:
        tool, given = next(iter(entry.items()), (None, None))
        read = given_arguments(given)
        return ExpectedCall(tool, read) if isinstance(tool, str) and read is not None and len(entry) == 1 else None
    entry = flat(entry)
    tool = entry.get(name)
    read = (
        {key.rpartition(".")[2]: entry[key] for key in beside(entry, name)}
        if arguments is None
        else given_arguments(entry.get(arguments))
    )
    return ExpectedCall(tool, read) if isinstance(tool, str) and read is not None else None
