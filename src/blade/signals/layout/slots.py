"""Fields whose value the request names: what a template was filled with.

Many datasets are made from templates and keep beside the request what was put into it. Where a field's value stands in the request of
every task that passes, and differs from task to task, it is such a slot. A task whose slot is not in its request was filled twice, and its
gold may belong to the other filling (`signals.slots`).
"""

from collections.abc import Sequence
from typing import Any, Final

from blade.signals.layout.columns import Column, by_task, columns, constant
from blade.signals.layout.retold import holds
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field
from blade.signals.layout.support import CHANCE, MIN_TASKS, tail
from blade.signals.layout.texts import folded

MAX_VALUE: Final = 80
MOST_TASKS: Final = 100
MOST_FIELDS: Final = 12
MIN_BESIDE: Final = 2
"""Tasks that are enough in an object that holds a slot: what stands beside one filling is another."""
SPREAD: Final = 0.5
"""Different values for each task: below it a field is a category, whose word may well be missing."""


def learn_slots(rows: Sequence[Sampled]) -> tuple[Field, ...]:
    """The slots, judged by the tasks that pass: theirs is a request that fits the gold. Beside a slot, fewer tasks make another."""
    found: list[Field] = []
    few: list[Field] = []
    for path, column in columns(rows, fills).items():
        if any(key.isdigit() for key in path) or not constant(rows, column):
            continue
        passing = [numbers[0] for numbers in by_task(rows, column).values() if any(rows[number].passed for number in numbers)]
        told = passing[:MOST_TASKS]
        if len(told) >= MIN_BESIDE and _named(rows, column, told):
            slot = Field(path, len(told), len(told))
            (found if len(told) >= MIN_TASKS and _by_chance(rows, column, told) <= CHANCE else few).append(slot)
    holders = {slot.path[:-1] for slot in found if len(slot.path) > 1}
    found += [slot for slot in few if slot.path[:-1] in holders]
    return tuple(sorted(found, key=lambda field: (-field.agreeing, len(field.path), field.path))[:MOST_FIELDS])


def _named(rows: Sequence[Sampled], column: Column, told: Sequence[int]) -> bool:
    """Whether all requests name the value of their task, and the values differ from task to task."""
    values = {number: folded(str(column[number])) for number in told}
    return len(set(values.values())) >= SPREAD * len(told) and all(holds(rows[number].prompt, values[number]) for number in told)


def _by_chance(rows: Sequence[Sampled], column: Column, told: Sequence[int]) -> float:
    """How probable it is that all requests name it, as often as they name the value of the next task."""
    neighbours = zip(told, (*told[1:], told[0]), strict=True)
    hits = sum(holds(rows[one].prompt, folded(str(column[other]))) for one, other in neighbours)
    return tail(len(told), len(told), hits / len(told))


def fills(value: Any) -> bool:
    """Whether a value could fill a gap: something short and plain, and no single figure, which stands everywhere."""
    return isinstance(value, str | int) and not isinstance(value, bool) and 2 <= len(str(value).strip()) <= MAX_VALUE
