"""How many changes a list of assertions allows: a figure among them that is the number of its records in all tasks that pass."""

from collections.abc import Sequence
from typing import Any, Final

from blade.signals.layout.assertions import RECORDS, UNREAD, VALUES
from blade.signals.layout.columns import by_task, columns
from blade.signals.layout.paths import value_at
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field, Path, StateField
from blade.signals.layout.state import entries
from blade.signals.layout.support import supported

MIN_FIGURES: Final = 2
"""Different figures that a count has to have: one that is always the same counts nothing."""


def learn_counted(rows: Sequence[Sampled], state: Sequence[StateField]) -> tuple[Field, ...]:
    """The figures that count the asserted records."""
    found = []
    places = [field.path for field in state if field.path[-1] == RECORDS]
    for path, column in columns(rows, lambda value: type(value) is int).items() if places else ():
        if len(path) < 2 or path[-2] != VALUES or not any(place[:-1] == path[:-2] for place in places):
            continue
        passing = [numbers[0] for numbers in by_task(rows, [number for number in column if rows[number].passed]).values()]
        agreeing = sum(asserted_records(rows[number].rollout.fields, path) == column[number] for number in passing)
        figures = {column[number] for number in passing}
        if agreeing == len(passing) and len(figures) >= MIN_FIGURES and supported(agreeing, len(passing)):
            found.append(Field(path, len(passing), agreeing))
    return tuple(found)


def asserted_records(fields: dict[str, Any], count: Path) -> int | None:
    """How many records are asserted beside a count; None where a line of them could not be read."""
    records = value_at(fields, (*count[:-2], RECORDS))
    return None if not isinstance(records, dict) or UNREAD in records else len(entries(records))
