"""The options of a question: a list or an object of short texts that is the same in all repeats, and all of which the prompt shows.

That the gold names one of them is asked where it is known; a list of words of the prompt that are no options is told apart by that.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from blade.signals.layout.columns import by_task, columns, constant
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field
from blade.signals.layout.support import AGREEING, MIN_TASKS
from blade.signals.layout.texts import folded
from blade.signals.wanted.option_lists import options_of, read_options

MIN_OPTIONS: Final = 3
MAX_TEXT: Final = 200
MOST_TASKS: Final = 60


def shown_options(rows: Sequence[Sampled]) -> dict[tuple[str, ...], dict[int, dict[str, str]]]:
    """By path: the option lists of rows in which no name tells them, that (nearly) all stand in their prompts."""
    free = {number for number, row in enumerate(rows) if not options_of(row.rollout)}
    found: dict[tuple[str, ...], dict[int, dict[str, str]]] = {}
    for path, column in columns(rows, _listed).items():
        mine = {number: value for number, value in column.items() if number in free}
        read = {number: options for number, value in mine.items() if (options := read_options(value))}
        if len(by_task(rows, read)) < MIN_TASKS or not constant(rows, mine):
            continue
        looked = list(read)[:MOST_TASKS]
        shown = sum(_shows(rows[number], read[number]) for number in looked)
        if shown >= AGREEING * len(looked):
            found[path] = read
    return found


def _listed(value: Any) -> bool:
    return isinstance(value, dict | list) and MIN_OPTIONS <= len(value) <= 26


def _shows(row: Sampled, options: dict[str, str]) -> bool:
    return all(0 < len(text) <= MAX_TEXT and folded(text) in row.prompt for text in options.values())


def learn_choices(
    rows: Sequence[Sampled],
    shown: dict[tuple[str, ...], dict[int, dict[str, str]]],
    gold: Callable[[Sampled], str | None],
) -> tuple[Field, ...]:
    """The lists of which the gold names an entry, by its letter or its words, in enough tasks."""
    found: list[tuple[int, Field]] = []
    for path, lists in shown.items():
        tasks = by_task(rows, lists)
        named = told = 0
        for numbers in tasks.values():
            answer, options = gold(rows[numbers[0]]), lists[numbers[0]]
            if answer is not None:
                told += 1
                named += answer.strip("(). ") in options or folded(answer) in {folded(text) for text in options.values()}
        if named >= MIN_TASKS and named >= AGREEING * told:
            found.append((named, Field(path, told, named)))
    return tuple(field for _, field in sorted(found, key=lambda one: (-one[0], len(one[1].path), one[1].path)))
