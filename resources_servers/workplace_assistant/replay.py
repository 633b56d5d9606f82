"""Verification by state: what the predicted calls did, against what the expected calls do, each replayed on fresh databases.

Both replays take every call in order and skip what cannot run: unknown tools, arguments that are no JSON object or do not fit, calls that
raise. Two replays agree when their five databases are equal. Text is compared in lower case, except `status`, `list_name` and `board`.
Databases are sets of records: the order of rows means nothing in any of them, and records created in a session are compared without
their ids, so that the same actions in another order end in the same state.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .state import DATABASES, Kind, Row, Workplace, base

Arguments = dict[str, Any]
Use = Callable[[Workplace, str, Arguments], Any]
"""Runs a tool on the databases; raises when there is no such tool or it refuses."""

Record = tuple[str, ...]
Net = dict[str, Counter[Record]]
"""By database: the records that differ from the base data, each as (`new`, `now` or `gone`, id, values …)."""

NEW = "(new)"


@dataclass
class Watched(Workplace):
    """Databases that note what each call did: the record and its new values, whatever its other columns hold by then."""

    effects: list[Record] = field(default_factory=list)

    def put(self, kind: Kind, row: Row) -> None:
        before = self.find(kind, row[kind.key])
        columns = [column for column in kind.columns if column != kind.key]
        now = _compared(kind, row)
        then: tuple[str | None, ...] = _compared(kind, before) if before else (None,) * len(now)
        changed = [f"{column}={new}" for column, new, old in zip(columns, now, then, strict=True) if new != old]
        if changed:
            self.effects.append((kind.name, _shared_id(kind, row[kind.key]), *changed))
        super().put(kind, row)

    def delete(self, kind: Kind, key: str) -> None:
        gone = self.get(kind, key)[kind.key]
        super().delete(kind, gone)
        self.effects.append((kind.name, _shared_id(kind, gone), "gone"))


@dataclass(frozen=True)
class Replay:
    """The databases after the calls, and which calls could not run, with the reason."""

    workplace: Watched
    failed: tuple[str, ...]


def replay(use: Use, calls: Iterable[Any]) -> Replay:
    """Run calls (`name`, and `arguments` as JSON text or an object) on fresh databases."""
    workplace = Watched()
    failed: list[str] = []
    for call in calls:
        try:
            name, arguments = _parsed(call)
            use(workplace, name, arguments)
        except Exception as error:  # noqa: BLE001  # whatever a call raises, the model was told, and nothing changed
            failed.append(f"{call!r:.200}: {error}")
    return Replay(workplace, tuple(failed))


def predicted_calls(response: Any) -> list[Any]:
    """The function calls of a response, in order."""
    output = response.get("output") if isinstance(response, dict) else None
    items = output if isinstance(output, list) else []
    return [item for item in items if isinstance(item, dict) and item.get("type") == "function_call"]


def net_changes(workplace: Workplace) -> Net:
    """How the databases differ from the base data. Equal changes are equal databases."""
    found: Net = {}
    for kind in DATABASES:
        changes = workplace.changes.get(kind.name)
        records: Counter[Record] = Counter()
        for key, row in changes.written.items() if changes else ():
            original = base(kind).get(key)
            if original is None:
                records["new", NEW, *_compared(kind, row)] += 1
            elif _compared(kind, row) != _compared(kind, original):
                records["now", key, *_compared(kind, row)] += 1
        for key in changes.deleted if changes else ():
            records["gone", key] += 1
        if records:
            found[kind.name] = records
    return found


def differing(found: Net, wanted: Net) -> list[str]:
    """The databases that are not equal."""
    return [kind.name for kind in DATABASES if found.get(kind.name) != wanted.get(kind.name)]


def told(found: Net, wanted: Net) -> list[str]:
    """The differences in words: what should have happened and did not, then what happened and should not."""
    missing = [f"{name}: missing: {_sentence(name, record)}" for name, record in _left(wanted, found)]
    extra = [f"{name}: unexpected: {_sentence(name, record)}" for name, record in _left(found, wanted)]
    return missing + extra


def _left(ours: Net, theirs: Net) -> list[tuple[str, Record]]:
    """Records of ours that theirs lack, in a fixed order."""
    return [(name, record) for name in ours for record in sorted((ours[name] - theirs.get(name, Counter())).elements())]


def _sentence(name: str, record: Record) -> str:
    kind = next(kind for kind in DATABASES if kind.name == name)
    what, key, *values = record
    if what == "gone":
        return f"{key} deleted"
    columns = [column for column in kind.columns if column != kind.key]
    original = base(kind).get(key)
    then = _compared(kind, original) if original else ("",) * len(columns)
    shown = [f"{column}={value[:80]!r}" for column, value, old in zip(columns, values, then, strict=True) if value != old]
    return f"{kind.called} created with {', '.join(shown)}" if what == "new" else f"{key} changed to {', '.join(shown)}"


def _compared(kind: Kind, row: Row) -> Record:
    return tuple(row[column] if column in kind.exact else row[column].lower() for column in kind.columns if column != kind.key)


def _shared_id(kind: Kind, key: str) -> str:
    """The id of a record that every session has; new records have none to compare."""
    return key if key in base(kind) else NEW


def _parsed(call: Any) -> tuple[str, Arguments]:
    name, arguments = call["name"], call["arguments"]
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise TypeError("a call has a name and an object of arguments")
    return name, arguments
