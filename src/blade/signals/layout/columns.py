"""The fields of the sampled rows as columns: which value stands at a path in which rollout, and whether repeats agree on it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from blade.signals.calls.sameness import normal
from blade.signals.layout.paths import real, value_at
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Path

CONSTANT: Final = 0.95
"""Share of the tasks with repeats in which a field of the dataset has one value; a row written twice may differ."""

MOST_KEYS: Final = 40
"""Keys of an object that are looked at."""

Column = dict[int, Any]
"""The values at one path by the number of the row."""


def columns(rows: Sequence[Sampled], wanted: Callable[[Any], bool]) -> dict[Path, Column]:
    """By path, in the order in which paths are met, the values that are wanted."""
    found: dict[Path, Column] = defaultdict(dict)
    for number, row in enumerate(rows):
        for path, value in row.places.items():
            if wanted(value):
                found[path][number] = value
    return dict(found)


def places_of_calls(rows: Sequence[Sampled]) -> set[Path]:
    """Where the rows keep their expected calls."""
    return {real(tuple(row.rollout.expectation.place.split("."))) for row in rows if row.rollout.expectation is not None}


def by_task(rows: Sequence[Sampled], numbers: Iterable[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number in numbers:
        found[rows[number].task].append(number)
    return dict(found)


def of_judge(rows: Sequence[Sampled], path: Path, column: Column) -> bool:
    """Whether the object that holds a field was written by who judged, and not by who asked: it varies from repeat to repeat, or holds the verdict."""
    if len(path) < 2:
        return False
    holders = {number: value_at(rows[number].rollout.fields, path[:-1]) for number in column}
    written = {number: repr(holder) for number, holder in holders.items()}
    if any(len({written[number] for number in numbers}) > 1 for numbers in by_task(rows, column).values()):
        return True
    objects = {number: holder for number, holder in holders.items() if isinstance(holder, dict)}
    first = next(iter(objects.values()), {})
    return any(
        _is_verdict(rows, {number: holder.get(name) for number, holder in objects.items()}) for name in list(first)[:MOST_KEYS]
    )


def _is_verdict(rows: Sequence[Sampled], column: Column) -> bool:
    """Whether a field says of every rollout whether it passes."""
    told = {number: value for number, value in column.items() if isinstance(value, bool) or value in (0, 1)}
    outcomes = {rows[number].passed for number in told}
    return (
        len(outcomes) == 2
        and len(told) == len(column)
        and all(bool(value) is rows[number].passed for number, value in told.items())
    )


def constant(rows: Sequence[Sampled], column: Column) -> bool:
    """Whether a column has one value in all repeats of (nearly) every task, and not the same in all tasks.

    A run with one repeat of each task cannot contradict it.
    """
    tasks = by_task(rows, column)
    kept: list[str] = []
    repeated = varying = 0
    for numbers in tasks.values():
        values = {repr(normal(column[number])) for number in numbers}
        repeated += len(numbers) > 1
        varying += len(values) > 1
        kept += values if len(values) == 1 else ()
    return len(set(kept)) > 1 and varying <= (1 - CONSTANT) * repeated
