"""Expected records instead of expected calls: a state, a delta, a list of rows that should be there when the work is done.

An entry is one record: an object in a list, or under its id, under the name of its collection or of nothing. Which tool makes such an
entry, and which of its arguments hold what, is learned (`learn_state`); by those rules an entry reads as the call that makes it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from blade.signals.calls.sameness import same
from blade.signals.layout.paths import opened
from blade.signals.layout.shape import Path, StateRule
from blade.signals.wanted.expectation import ExpectedCall

MOST_ENTRIES: Final = 30
MOST_LEAVES: Final = 40
MAX_DEPTH: Final = 4
ANYTHING: Final = ("*", "<any>", "ANY")
"""What stands for a value that nobody can know before, such as the id of a new record."""
KEY: Final[Path] = ("(key)",)
"""The place of the id that an entry stands under."""

Leaves = dict[Path, Any]


def leaves(value: Any) -> Leaves:
    """The values of an object by their paths, nested objects opened; lists count as one value."""
    found: Leaves = {}
    _add_leaves(found, value, (), 0)
    return found


def _add_leaves(found: Leaves, value: Any, path: Path, depth: int) -> None:
    if isinstance(value, dict) and depth <= MAX_DEPTH:
        for key, inner in value.items():
            _add_leaves(found, inner, (*path, str(key)), depth + 1)
    elif value is not None and value not in ANYTHING and path and len(found) < MOST_LEAVES:
        found[path] = value


def entries(value: Any) -> list[tuple[Path, Leaves]]:
    """The records of a state, each with the keys that lead to it and its values."""
    found = []
    for context, entry in _entries(opened(value), (), 0):
        found.append((context, entry))
        if len(found) >= MOST_ENTRIES:
            break
    return found


def _entries(value: Any, context: Path, depth: int) -> Iterator[tuple[Path, Leaves]]:
    if isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict) and inner:
                yield context, leaves(inner)
    elif isinstance(value, dict) and value:
        if depth < MAX_DEPTH and all(isinstance(inner, list | dict) for inner in value.values()):
            for key, inner in value.items():
                if isinstance(inner, dict) and is_id(str(key)):
                    yield context, {KEY: str(key)} | leaves(inner)
                else:
                    yield from _entries(inner, (*context, str(key)), depth + 1)
        elif context or any(isinstance(inner, str | int | float) for inner in value.values()):
            yield context, leaves(value)


def is_id(key: str) -> bool:
    """Whether a key is a record's own name, and not that of a collection."""
    return any(letter.isdigit() for letter in key) or "@" in key


def fits(rule: StateRule, context: Path, entry: Leaves) -> bool:
    return (
        rule.context == context
        and all(same(value, entry.get(place)) for place, value in rule.marks)
        and (not rule.holds or any(place in entry for place in rule.holds))
    )


def state_calls(value: Any, rules: Sequence[StateRule]) -> tuple[ExpectedCall, ...] | None:
    """The calls that make the records of a state; None where it holds anything that no rule is for."""
    found: list[tuple[StateRule, Leaves]] = []
    for context, entry in entries(value):
        rule = next((rule for rule in rules if fits(rule, context, entry)), None)
        if rule is None:
            return None
        found.append((rule, entry))
    calls: dict[int, ExpectedCall] = {}
    for number, (rule, entry) in sorted(enumerate(found), key=lambda one: (bool(one[1][0].follows), one[1][0].shares)):
        if any(call.name in rule.follows and _of_one_thing(entry, call) for call in calls.values()):
            continue
        if not rule.tool:
            return None
        arguments = _arguments(rule, entry)
        at = next((at for at, call in calls.items() if rule.shares and _joins(call, rule.tool, arguments)), number)
        if at in calls:
            arguments = calls[at].arguments | arguments
        calls[at] = ExpectedCall(rule.tool, arguments, frozenset(arguments) | frozenset(target[0] for _, target in rule.places))
    return tuple(calls[number] for number in sorted(calls))


def _of_one_thing(entry: Leaves, call: ExpectedCall) -> bool:
    """Whether a call is given anything that names a record."""
    named = [value for value in entry.values() if isinstance(value, str) and is_id(value)]
    return any(same(value, given) for value in named for given in leaves(call.arguments).values())


def _joins(call: ExpectedCall, tool: str, arguments: dict[str, Any]) -> bool:
    """Whether a call may be the one that these arguments are given to as well: it names the same thing, and says nothing else of it."""
    common = call.arguments.keys() & arguments.keys()
    return call.name == tool and bool(common) and all(same(call.arguments[key], arguments[key]) for key in common)


def _arguments(rule: StateRule, entry: Leaves) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for source, target in rule.places:
        if source in entry:
            holder = arguments
            for key in target[:-1]:
                holder = holder.setdefault(key, {})
            holder[target[-1]] = entry[source]
    return arguments
