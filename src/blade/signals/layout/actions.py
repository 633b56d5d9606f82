"""The expected calls: a list that is the same in all repeats of a task, names tools of the run, and is what passing rollouts do.

Which key of an entry holds the tool and which its arguments is read off the entries: the tool is a name that was declared or called, the
arguments are the one object beside it, or all other keys. Lookups on the way are not compared: rollouts take different ways to one end.
A verifier's record of what it saw looks the same where repeats agree; of several lists the one is taken that stands beside nothing that
varies from repeat to repeat, and then the one that failing rollouts did not do. Names tell before that: those of the list, and what every entry says it is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from blade.signals.calls.mutation import READ, words_of
from blade.signals.calls.sameness import same
from blade.signals.layout.columns import MOST_KEYS, by_task, columns, constant, of_judge
from blade.signals.layout.entries import beside, flat, given_arguments, named_tool, only_speaks, read_calls, two_names
from blade.signals.layout.notations import call_entries, noted_call
from blade.signals.layout.paths import EACH, JOINED, KIND_KEYS, records, value_at, wanted
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import CallsField, Path, written
from blade.signals.layout.support import AGREEING, MIN_ROWS, hopeless, supported
from blade.signals.layout.texts import plain_text
from blade.signals.wanted.counted_keys import counts, numbered
from blade.signals.wanted.expectation import ExpectedCall

MOST_TASKS: Final = 60
NAMED: Final = ("name", "arguments")
"""The keys of the entries that two lists side by side make."""
MAX_TEXT: Final = 8_000
"""Characters of a text that may list calls line by line."""
MIN_FEW: Final = 2
"""Tasks that pass and agree that are enough where all that is listed are calls of declared tools."""
MOSTLY: Final = 0.5
"""Share of the failing rollouts that did something else, from which on a list is no record of what was done."""
MAX_KEYS: Final = 4
"""Keys of an object that may be the only call of a task, where others have several."""
_KIND: Final = re.compile(r"[A-Za-z][A-Za-z_]{2,40}")
"""A word that can tell what an entry is."""
_SHOWN: Final = 40
"""Entries by which keys are chosen."""


def learn_calls(rows: Sequence[Sampled]) -> tuple[CallsField, ...]:
    """The field that holds the expected calls of rows in which no name tells them; at most one.

    Where a list is understood as a whole, neither one of its turns nor the object that holds it is looked at.
    """
    tools = frozenset(name for row in rows for name in (*row.rollout.tools, *(call[0] for call in row.calls))) - {""}
    free = {number for number, row in enumerate(rows) if row.rollout.expectation is None or not row.rollout.expectation.calls}
    found: dict[Path, tuple[tuple[Any, ...], CallsField]] = {}
    wholes: set[Path] = set()
    for path, column in columns(rows, _listed).items() if tools else ():
        if records(path) or _in_a_list(path, column) or any(path[: len(whole)] == whole for whole in wholes):
            continue
        mine = {number: value for number, value in column.items() if number in free}
        keys = entry_keys([entry for value in mine.values() for entry in call_entries(value)], tools)
        if keys is None or not constant(rows, mine) or (JOINED in path[-1] and keys != NAMED):
            continue  # of lists side by side, one has to name the tools
        if any(map(counts, (keys[0] or "").split("."))):
            continue  # the first of several that stand under keys that count
        field = _field(rows, path, mine, keys)
        if field is not None and not _is_record(rows, mine, field):
            if _is_whole(mine, keys[0] or ""):
                wholes.add(path)
            found[path] = _preference(rows, mine, field), field
    told = [one for one in found.values() if not any(_leads_into(one[1], whole) for whole in wholes)]
    return (min(told, key=lambda one: one[0])[1],) if told else ()


def _is_record(rows: Sequence[Sampled], column: dict[int, Any], field: CallsField) -> bool:
    """Whether a field of another name lists just what failing rollouts did, beside what they said: it varies between repeats only if these do."""
    named = wanted((*field.path, *(field.name or "").split(".")))
    return (
        not named
        and _goes(rows, column, (field.name, field.arguments), exactly=True) == 0.0
        and _told_beside(rows, field.path, column)
    )


def _is_whole(column: dict[int, Any], name: str) -> bool:
    """Whether all that a list holds is read as calls, or is to be said: neither its turns nor its entries of one kind say more."""
    if any(isinstance(value, dict) and not numbered(value) for value in column.values()):
        return False
    entries = [entry for value in column.values() for entry in call_entries(value) if isinstance(entry, dict)]
    return not name.startswith(EACH) or all(named_tool(flat(entry), name.removeprefix(EACH)) is not None for entry in entries)


def _leads_into(field: CallsField, whole: Path) -> bool:
    """Whether the calls of an object are the first of a list in it that is understood as a whole."""
    inside = whole[len(field.path) :] if whole[: len(field.path)] == field.path else ()
    return bool(inside) and (field.name or "").removeprefix(EACH).startswith(f"{written(inside)}.")


def _preference(rows: Sequence[Sampled], column: dict[int, Any], field: CallsField) -> tuple[Any, ...]:
    """What comes first of several fields that list what passing rollouts do."""
    path, keys = field.path, (field.name, field.arguments)
    return (
        not wanted((*path, *(keys[0] or "").split("."), *_own_kind(column))),
        of_judge(rows, path, column),
        -_goes(rows, column, keys, exactly=True),
        -field.agreeing,
        _told_beside(rows, path, column),
        (keys[0] or "").startswith(EACH),
        len(path),
        path,
    )


def _own_kind(column: dict[int, Any]) -> Path:
    """What all entries of a list say that they are: `OracleEvent` in each tells as much as a name of the list would."""
    entries = [entry for value in list(column.values())[:MOST_TASKS] for entry in call_entries(value)]
    objects = [entry for entry in entries if isinstance(entry, dict)]
    if not objects or len(objects) < len(entries):
        return ()
    return tuple(
        str(value) for key, value in list(objects[0].items())[:MOST_KEYS]
        if _says_a_kind(key, value) and all(other.get(key) == value for other in objects)
    )  # fmt: skip


def _says_a_kind(key: str, value: Any) -> bool:
    """Whether a value names a kind: a name of several words, or any under a key for kinds; `true` or `correct` alone is somebody's verdict."""
    return isinstance(value, str) and _KIND.fullmatch(value) is not None and (len(words_of(value)) > 1 or key in KIND_KEYS)


def _in_a_list(path: Path, column: dict[int, Any]) -> bool:
    """Whether these are objects inside of a list: a part of what the list says, or what a check found."""
    return any(key.isdigit() for key in path) and any(isinstance(value, dict) for value in column.values())


def _listed(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= MAX_TEXT
    if isinstance(value, dict):
        return 0 < len(value) <= MAX_KEYS or bool(numbered(value))
    return isinstance(value, list) and (not value or isinstance(value[0], dict | str | list))


def entry_keys(entries: Iterable[Any], tools: frozenset[str]) -> tuple[str | None, str | None] | None:
    """The keys of the tool and of its arguments; None where (nearly) all entries do not name a tool in one way."""
    seen = list(entries)[:_SHOWN]
    if not seen:
        return None
    objects = [entry for entry in seen if isinstance(entry, dict)]
    if not objects:
        texts = [call for entry in seen if (call := noted_call(entry)) is not None]
        return (None, None) if texts and all(call.name in tools for call in texts) and len(texts) == len(seen) else None
    if all(len(entry) == 1 and next(iter(entry)) in tools for entry in objects):
        return None, None
    objects = [flat(entry) for entry in objects]
    keys = sorted({key for entry in objects for key in entry})
    names = [key for key in keys if all(isinstance(entry.get(key), str) and entry[key] in tools for entry in objects)]
    if not names and (two := two_names(objects, keys, tools)) is not None:
        names = [two]
    if not names and (acting := _acting(objects, tools)):
        name, arguments = entry_keys(acting, tools) or (None, None)
        return (f"{EACH}{name}", arguments) if name is not None else None
    if not names and (some := _of_some(objects, keys, tools)) is not None:
        name, arguments = entry_keys([entry for entry in objects if some in entry], tools) or (None, None)
        return (f"{EACH}{name}", arguments) if name is not None else None
    if len(names) != 1:
        return None
    others = {key for entry in objects for key in beside(entry, names[0])}
    given = [
        key for key in sorted(others)
        if all(given_arguments(entry.get(key)) is not None for entry in objects) and any(entry.get(key) for entry in objects)
    ]  # fmt: skip
    return names[0], given[0] if len(given) == 1 else None


def _acting(entries: Sequence[dict[str, Any]], tools: frozenset[str]) -> list[dict[str, Any]]:
    """The entries without those that list what is to be said as if it were a call of a tool, which nobody has; empty where there are none of these."""
    spoken = [
        any(isinstance(value, str) and value not in tools and only_speaks(value) for value in entry.values()) for entry in entries
    ]
    return [entry for entry, says in zip(entries, spoken, strict=True) if not says] if any(spoken) else []


def _told_beside(rows: Sequence[Sampled], path: Path, column: dict[int, Any]) -> bool:
    """Whether beside the calls stands what failing rollouts gave as their answer: then the object is a record of what was found."""
    holders = {
        number: value_at(rows[number].rollout.fields, path[:-1])
        for number in list(column)[: 10 * MOST_TASKS]
        if len(path) > 1 and not rows[number].passed and rows[number].stated
    }
    names = {name for holder in holders.values() if isinstance(holder, dict) for name in list(holder)[:MOST_KEYS]}
    for name in names:
        values = {number: holder.get(name) for number, holder in holders.items() if isinstance(holder, dict)}
        told = [
            plain_text(value) in rows[number].stated for number, value in values.items() if isinstance(value, str | int | float)
        ]
        if len(told) >= MIN_ROWS and sum(told) >= AGREEING * len(told):
            return True
    return False


def _of_some(entries: Sequence[dict[str, Any]], keys: Iterable[str], tools: frozenset[str]) -> str | None:
    """The one key that names a tool in all entries that have it, where others say something else: what is to be said, what must not change."""
    found = [
        key
        for key in keys
        if (named := [entry[key] for entry in entries if key in entry])
        and len(named) < len(entries)
        and all(isinstance(name, str) and name in tools for name in named)
    ]
    return found[0] if len(found) == 1 else None


def _field(rows: Sequence[Sampled], path: Path, column: dict[int, Any], keys: tuple[str | None, str | None]) -> CallsField | None:
    tasks = {task: numbers for task, numbers in by_task(rows, column).items() if any(rows[n].passed for n in numbers)}
    told = agreeing = unread = 0
    different: set[str] = set()
    for numbers in list(tasks.values())[:MOST_TASKS]:
        number = next(number for number in numbers if rows[number].passed)
        calls = read_calls(column[number], *keys)
        if calls is None:
            unread += keys[0] is None or not isinstance(column[number], str)  # calls in some tasks, a plain answer in others
        elif counted := [call for call in calls if rows[number].rollout.mutation_of(call.name).kind != "read"] or calls:
            told += 1
            different.add(repr([(call.name, call.arguments) for call in counted]))
            agreeing += all(_made(rows[number], call) for call in counted)
        if hopeless(told - agreeing + unread, min(len(tasks), MOST_TASKS)):
            return None
    if unread > (1 - AGREEING) * (told + unread):
        return None
    few = MIN_FEW <= agreeing == told and _goes(rows, column, keys) >= MOSTLY and _declared(rows, column, keys)
    return CallsField(path, told, agreeing, *keys) if few or supported(agreeing, told, specific=len(different) == told) else None


def _declared(rows: Sequence[Sampled], column: dict[int, Any], keys: tuple[str | None, str | None]) -> bool:
    """Whether all that is listed are calls of declared tools, with arguments that they take, and changes among them: then two tasks that pass are enough."""
    changes = False
    for numbers in list(by_task(rows, column).values())[:MOST_TASKS]:
        tools = rows[numbers[0]].rollout.tools
        for call in read_calls(column[numbers[0]], *keys) or ():
            properties = tools[call.name].parameters.get("properties") if call.name in tools else None
            if not isinstance(properties, dict) or not call.arguments.keys() <= properties.keys():
                return False
            changes = changes or rows[numbers[0]].rollout.mutation_of(call.name).kind != "read"
    return changes


def _goes(
    rows: Sequence[Sampled], column: dict[int, Any], keys: tuple[str | None, str | None], *, exactly: bool = False
) -> float:
    """Share of the failing rollouts that did not do what the field lists, or did not do just that: a record of what was done lists all of it and nothing else."""
    failing = [number for number in column if not rows[number].passed and rows[number].calls][:MOST_TASKS]
    other = 0
    for number in failing:
        calls = read_calls(column[number], *keys)
        other += (
            calls is None or not all(_made(rows[number], call) for call in calls) or (exactly and _otherwise(rows[number], calls))
        )
    return round(other / len(failing), 1) if failing else 0.0


def _otherwise(row: Sampled, listed: Sequence[ExpectedCall]) -> bool:
    """Whether a rollout changed something with other tools than are listed, or more or less often."""
    made = Counter(name for name, _, _ in row.calls if name and row.rollout.mutation_of(name).kind != READ)
    return made != Counter(call.name for call in listed if row.rollout.mutation_of(call.name).kind != READ)


def _made(row: Sampled, expected: ExpectedCall) -> bool:
    """Whether a rollout made a call: this tool with these arguments (those given by place in any of its own), and perhaps more."""
    for name, given, _ in row.calls:
        if name != expected.name:
            continue
        if all(
            any(same(value, other) for other in given.values())
            if key.startswith("arg") and key not in given
            else same(value, given.get(key))
            for key, value in expected.arguments.items()
        ):
            return True
    return False
