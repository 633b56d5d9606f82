"""Assertions that cannot all hold: one value of one record asserted to be two, or more or fewer changes asserted than are allowed."""

from typing import Any, Final

from blade.signals.calls.sameness import same
from blade.signals.layout.assertions import ABSENT, HOLDS, RECORDS, UNREAD
from blade.signals.layout.counted import asserted_records
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import written
from blade.signals.layout.state import entries
from blade.signals.rollout import Rollout
from blade.signals.texts.origins import shown

NAME: Final = ("id",)


def clash_of_assertions(rollout: Rollout) -> tuple[str, str] | None:
    """(what clashes, the field it stands in)."""
    for state in rollout.options.layout.state:
        if state.path[-1] == RECORDS:
            records = value_at(rollout.fields, state.path)
            told = None if isinstance(records, dict) and UNREAD in records else _two_values(records)
            if told is not None:
                return told, written(state.path[:-1])
    for count in rollout.options.layout.counted:
        allowed = value_at(rollout.fields, count.path)
        asserted = asserted_records(rollout.fields, count.path)
        if type(allowed) is int and asserted is not None and asserted != allowed:
            return f"{count.path[-1]} is to be {allowed}, and {asserted} changes are asserted", written(count.path[:-2])
    return None


def _two_values(records: Any) -> str | None:
    """A value of one record that is asserted to be two."""
    met: dict[tuple[Any, ...], Any] = {}
    for context, entry in entries(records):
        last = (context[-1],) if context else ()
        if NAME not in entry or last not in entry or ABSENT in context or HOLDS in context:
            continue
        named = (*context, *sorted((path, str(value)) for path, value in entry.items() if path != last))
        if not same(met.setdefault(named, entry[last]), entry[last]):
            return f"{'.'.join(context)} of {shown(entry[NAME])} is to be {shown(met[named])} and {shown(entry[last])}"
    return None
