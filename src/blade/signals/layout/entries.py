"""The entries of a list of expected calls, by the keys that were learned."""

from collections.abc import Collection, Sequence
from itertools import permutations
from typing import Any, Final

from blade.signals.calls.arguments import paired
from blade.signals.calls.mutation import words_of
from blade.signals.layout.notations import call_entries, noted_call
from blade.signals.layout.paths import EACH, JOINED, opened
from blade.signals.wanted.expectation import ExpectedCall

MOST_ENTRIES: Final = 50
MOST_KEYS: Final = 8
DEEPEST: Final = 3
"""Objects around a call."""
_OF_SPEECH: Final = frozenset(["message", "reply", "respond", "answer", "tell", "say", "talk"])
_LAST_WORDS: Final = (("final", "answer"), ("final", "response"), ("give", "answer"))
SEPARATORS: Final = ("__", ".", "-", "/", ":", "_", "")
"""What stands between a server and its tool where both are one name."""


def given_arguments(value: Any) -> dict[str, Any] | None:
    """What is given to a call: an object, its JSON text, nothing, or a list of names with their values."""
    value = opened(value)
    if value is None or value in ("", []):
        return {}
    if isinstance(value, dict) or isinstance(value := paired(value), dict):
        return value
    if isinstance(value, list) and all(isinstance(entry, dict) and len(entry) == 2 for entry in value):
        keys = list(value[0])
        return {str(entry.get(keys[0])): entry.get(keys[1]) for entry in value} if all(list(e) == keys for e in value) else None
    return None


def flat(entry: dict[str, Any], depth: int = DEEPEST) -> dict[str, Any]:
    """An entry that wraps its call in one object, or in its text, or in one inside of that (`{"type": "function", "function": {"name": …}}`), with the keys of all, as a path each."""
    held = {key: opened(value) for key, value in entry.items() if isinstance(value, dict) or _is_object(value)}
    wrapped = [key for key, value in held.items() if isinstance(value, dict)]
    if len(wrapped) != 1:
        return entry
    inner = flat(held[wrapped[0]], depth - 1) if depth > 1 else held[wrapped[0]]
    return entry | {f"{wrapped[0]}.{key}": value for key, value in inner.items()}


def _is_object(value: Any) -> bool:
    return isinstance(value, str) and value[:1] == "{"


def named_tool(entry: dict[str, Any], name: str) -> Any:
    """The tool of an entry by the key that names it, or by the two (with what stands between) that name its server and it."""
    server, _, rest = name.partition(JOINED)
    if not rest or name in entry:
        return entry.get(name)
    separator, _, tool = rest.partition(JOINED)
    first, second = entry.get(server), entry.get(tool)
    return f"{first}{separator}{second}" if isinstance(first, str) and isinstance(second, str) else None


def two_names(entries: Sequence[dict[str, Any]], keys: Sequence[str], tools: Collection[str]) -> str | None:
    """The keys of a server and a tool that name a tool together, with what stands between the two; None where no two do."""
    texts = [key for key in keys if all(isinstance(entry.get(key), str) for entry in entries)][:MOST_KEYS]
    for server, tool in permutations(texts, 2):
        for separator in SEPARATORS:
            if all(f"{entry[server]}{separator}{entry[tool]}" in tools for entry in entries):
                return f"{server}{JOINED}{separator}{JOINED}{tool}"
    return None


def beside(entry: dict[str, Any], name: str) -> list[str]:
    """The other keys of the object in which the tool is named."""
    own = [name] if JOINED not in name else [name.partition(JOINED)[0], name.rpartition(JOINED)[2]]
    holder = own[0].rpartition(".")[0]
    return [key for key in entry if key not in own and key.rpartition(".")[0] == holder]


def read_calls(value: Any, name: str | None, arguments: str | None) -> tuple[ExpectedCall, ...] | None:
    """The calls of a list by the keys that were learned; None where it holds anything else."""
    value = opened(value)
    if not isinstance(value, list | str | dict):
        return None
    entries = list(call_entries(value))[:MOST_ENTRIES]
    if name is not None and name.startswith(EACH):  # the others say something else
        name = name.removeprefix(EACH)
        entries = [entry for entry in entries if not isinstance(entry, dict) or _names_a_tool(flat(entry), name)]
    calls = [read_call(entry, name, arguments) for entry in entries]
    return None if any(call is None for call in calls) else tuple(call for call in calls if call is not None)


def _names_a_tool(entry: dict[str, Any], name: str) -> bool:
    tool = named_tool(entry, name)
    return tool is not None and not (isinstance(tool, str) and only_speaks(tool))


def only_speaks(tool: str) -> bool:
    """Whether what is listed among calls is what the agent is to say: `send_message_to_user`, `final_answer`."""
    words = words_of(tool)
    return ("user" in words and not _OF_SPEECH.isdisjoint(words)) or words[-2:] in _LAST_WORDS


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
    tool = named_tool(entry, name)
    read = (
        {key.rpartition(".")[2]: entry[key] for key in beside(entry, name)}
        if arguments is None
        else given_arguments(entry.get(arguments))
    )
    return ExpectedCall(tool, read) if isinstance(tool, str) and read is not None else None
