"""Where a dataset tells its answer a second time: a text that is the same in all repeats and holds the gold in (nearly) every task.

What the prompt shows tells nobody the answer, however often its words stand in it. Such a field explains nothing by itself; where it
does not hold the gold of one task and does hold what all its repeats answered, the gold is in doubt (`diagnosis.patterns.gold`).
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.sameness import same
from blade.signals.layout.columns import by_task, columns, constant, of_judge, places_of_calls
from blade.signals.layout.paths import OF_KIND, real, records
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field
from blade.signals.layout.support import CHANCE, MIN_TASKS, tail
from blade.signals.layout.texts import folded, plain_text, sentences
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.note_names import of_others, tells_answer

ASKS: Final = frozenset([
    "question", "problem", "problem_statement", "instruction", "instructions", "query", "task", "persona", "scenario",
    "user_scenario", "user_instruction", "request", "prompt",
])  # fmt: skip
"""Names of what asks; a simulated user's instruction says what is wanted and not what is right."""
MAX_TEXT: Final = 4_000
MOST_TASKS: Final = 60
MOST_FIELDS: Final = 2
HOLDING: Final = 0.3
"""Share of the tasks whose gold it holds. Less than elsewhere, since some families tell it in words of their own, and nothing is
concluded from a field that holds neither the gold nor what was answered."""
MIN_VALUE: Final = 4
MAX_VALUE: Final = 80
MOST_VALUES: Final = 6
MIN_ARGUMENTS: Final = 2
"""Tasks in which a field equals a value of an expected call, word by word, and does not stand in the prompt: twice is no chance."""
MIN_NAMED: Final = 2
"""Tasks whose gold a field holds, that are enough where it is named after telling it, or stands in the object of the gold."""
MIN_GOLD: Final = 2
"""Characters of a gold from which on its standing in a text means something."""


def learn_retold(
    rows: Sequence[Sampled], gold: Callable[[Sampled], str | None], golden: frozenset[tuple[str, ...]]
) -> tuple[Field, ...]:
    """The fields that tell the answer again; `golden` are those that hold the gold itself."""
    found: list[Field] = []
    tools, places = _tools(rows), places_of_calls(rows)
    for path, column in columns(rows, _text).items():
        if (
            path in golden
            or _asks(path, golden | places)
            or records(path)
            or (any(map(_several, column.values())) and not _beside_gold(path, golden | places))
            or _in_calls(path, tools)
            or real(path[:-1]) in places
            or _named_gold(rows, path, column)
            or not constant(rows, column)
            or _of_verdict(rows, path, column)
        ):
            continue
        tasks = list(by_task(rows, column).values())[:MOST_TASKS]
        told = holding = chance = 0
        previous: tuple[str, ...] = ()
        for numbers in tasks:
            row, text = rows[numbers[0]], plain_text(column[numbers[0]]) or ""
            values = () if _of_calls(row, path) else _told_nowhere(row, gold(row))
            if not values or folded(text) in row.prompt or _shown(row, column[numbers[0]]):
                continue
            told += 1
            holding += any(holds(text, value) for value in values)
            chance += any(holds(text, value) for value in previous)
            previous = values
        named = tells_answer(path[-1]) or _in_object_of_gold(path, golden | places)
        least = MIN_NAMED if named else max(MIN_TASKS, HOLDING * told)
        if told and holding >= least and tail(holding, told, chance / told) <= CHANCE:
            found.append(Field(path, told, holding))
    return tuple(sorted(found, key=lambda field: (-field.agreeing, len(field.path), field.path))[:MOST_FIELDS])


def _asks(path: tuple[str, ...], golden: Collection[tuple[str, ...]]) -> bool:
    """Whether a field asks, or tells a simulated user what to ask; what holds the gold as well is a row of the dataset, whatever it is called."""
    holders = {one[:depth] for one in golden for depth in range(1, len(one))}
    return path[-1] in ASKS or any(
        key in ASKS and key != "task" and path[: at + 1] not in holders for at, key in enumerate(path[:-1])
    )


def _tools(rows: Sequence[Sampled]) -> frozenset[str]:
    return frozenset(name for row in rows for name in (*row.rollout.tools, *(call[0] for call in row.calls)))


def _in_calls(path: tuple[str, ...], tools: frozenset[str]) -> bool:
    """Whether a path leads through a list by a place in it, or by the name of a tool: that may be the expected calls once more."""
    return any(key.isdigit() or key.partition(OF_KIND)[2] in tools for key in path)


def _of_calls(row: Sampled, path: tuple[str, ...]) -> bool:
    """Whether a path lies inside the expected calls themselves."""
    place = tuple(row.rollout.expectation.place.split(".")) if row.rollout.expectation is not None else ()
    return bool(place) and path[: len(place)] == place


def _told_nowhere(row: Sampled, answer: str | None) -> tuple[str, ...]:
    """What a task expects: its answer, or the values of its expected calls that the prompt does not show."""
    if answer is not None:
        return (answer,) if len(answer) >= MIN_GOLD else ()
    expected = row.rollout.expectation
    values = [str(value) for call in (expected.calls if expected else ()) for _, value in leaves(call.arguments)]
    return tuple(value for value in values if MIN_VALUE <= len(value) <= MAX_VALUE and folded(value) not in row.prompt)[
        :MOST_VALUES
    ]


def _named_gold(rows: Sequence[Sampled], path: tuple[str, ...], column: dict[int, Any]) -> bool:
    found = expected_answer(rows[next(iter(column))].rollout)
    return found is not None and real(tuple(found[0].split("."))) == real(path)


def _of_verdict(rows: Sequence[Sampled], path: tuple[str, ...], column: dict[int, Any]) -> bool:
    """Whether a field was written by who judged: it stands beside what varies from repeat to repeat, is there only where a rollout fails, or is what failing rollouts say."""
    if of_judge(rows, path, column) or not any(rows[number].passed for number in column):
        return True
    failing = [number for number in column if not rows[number].passed and rows[number].stated][:MOST_TASKS]
    said = sum(any(folded(plain_text(column[n]) or "") == folded(stated) for stated in rows[n].stated) for n in failing)
    return len(failing) > 0 and said > 0.5 * len(failing)


def learn_retold_arguments(rows: Sequence[Sampled]) -> tuple[Field, ...]:
    """The fields that tell a value of the expected calls again, besides those that hold the calls."""
    found: list[Field] = []
    tools, places = _tools(rows), places_of_calls(rows)
    for path, column in columns(rows, _value).items():
        if (
            _asks(path, places)
            or records(path)
            or _in_calls(path, tools)
            or real(path[:-1]) in places
            or not constant(rows, column)
            or _of_verdict(rows, path, column)
        ):
            continue
        told = holding = 0
        for numbers in list(by_task(rows, column).values())[:MOST_TASKS]:
            row = rows[numbers[0]]
            expected = row.rollout.expectation
            if expected is None or not expected.calls or _of_calls(row, path):
                continue
            text = str(column[numbers[0]]).strip()
            if folded(text) in row.prompt:
                continue
            told += 1
            holding += any(same(text, value) for call in expected.calls for _, value in leaves(call.arguments))
        if holding >= MIN_ARGUMENTS and holding > HOLDING * told:
            found.append(Field(path, told, holding))
    return tuple(sorted(found, key=lambda field: (-field.agreeing, len(field.path), field.path))[:MOST_FIELDS])


def _value(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and MIN_VALUE <= len(str(value).strip()) <= MAX_VALUE


def _several(value: Any) -> bool:
    return isinstance(value, list) and (len(value) > 1 or isinstance(value[0], dict))


def _beside_gold(path: tuple[str, ...], golden: Collection[tuple[str, ...]]) -> bool:
    """Whether a list of sentences stands in the object of the gold, where whoever wrote that writes: who judges lists sentences as well."""
    return not of_others(path[-1]) and (
        tells_answer(path[-1]) or any(len(path) > 1 and real(path[:-1]) == one[:-1] for one in golden)
    )


def _in_object_of_gold(path: tuple[str, ...], golden: Collection[tuple[str, ...]]) -> bool:
    """Whether a field stands somewhere in the field that holds the gold or the expected calls inside: whoever wrote these wrote it."""
    return len(path) > 1 and any(len(one) > 1 and path[0] == one[0] for one in golden)


def _shown(row: Sampled, value: Any) -> bool:
    """Whether the prompt shows every one of several texts, as it shows options."""
    return _several(value) and all(folded(part) in row.prompt for part in sentences(value))


def _text(value: Any) -> bool:
    """A text, or a list of one or of several that are sentences, or of remarks that hold some."""
    if isinstance(value, list):
        told = sentences(value)
        return bool(told) and all(map(_text, told))
    return isinstance(value, str) and 0 < len(value) <= MAX_TEXT


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text by itself, not inside a longer word or number."""
    return re.search(rf"(?<![\w.,]){re.escape(value.strip())}(?!\w|[.,]\d)", text, re.IGNORECASE) is not None
