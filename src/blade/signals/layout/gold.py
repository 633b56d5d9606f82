"""The expected answer: a field that is the same in all repeats of a task, differs between tasks, and that passing rollouts answer.

What restates the gold behaves like it in passing rollouts, and what a verifier read does so too where it never varies. Failing rollouts
tell them apart: they do not give the gold (unless their verifier is at fault), while what was read from them is what they say. Of several
fields one comes first that stands beside nothing that varies from repeat to repeat, then the one that goes best with the reward.

A name is no proof, but it is a hint: where it says answer or gold, fewer tasks are enough.

Gold may name one of the options by its number or its words where rollouts answer with its letter; each way of naming is tried.
"""

from collections.abc import Sequence
from typing import Any, Final

from blade.signals.calls.mutation import words_of
from blade.signals.layout.columns import Column, by_task, columns, constant, of_judge, places_of_calls
from blade.signals.layout.paths import real, records
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import AS_IS, BY_TEXT, FROM_ONE, FROM_ZERO, Field, Path
from blade.signals.layout.support import MIN_SPECIFIC, hopeless, supported
from blade.signals.layout.texts import folded, named_option, plain_text

MAX_GOLD: Final = 200
"""Characters of an answer up to which it can be recognised in a message."""
MOST_TASKS: Final = 60
MOST_FAILING: Final = 60
MOST_FIELDS: Final = 3
MIN_TOLD: Final = 2
"""Characters of a value from which on it is told apart from what happens to be written."""
_SAID: Final = frozenset(["generated", "predicted", "prediction", "extracted", "parsed"])
"""Words in the name of a field that holds what a model said, whatever else it is called."""
MIN_BESIDE: Final = 2
"""Tasks that pass and agree that are enough for a field beside the expected calls."""
MIN_NAMED: Final = 2
"""The same for a field whose name says what it is, where all agree."""
_NAMES: Final = frozenset(
    ["answer", "answers", "gold", "golden", "target", "reference", "ideal", "solution", "truth", "label", "expected", "correct"]
)
"""Words that the name of a field with the expected answer begins or ends with. A model's own words may be called so too: the rollouts tell."""
LETTERS: Final = 0.25
"""How often two answers of one letter or digit are taken to agree by chance, at least: four options are usual."""
SAID_TOO: Final = 0.9
"""Share of the failing rollouts that say the very words of a field, from which on it holds what they said."""

Choices = dict[int, dict[str, str]]
"""By row: the texts of its options by letter."""


def learn_gold(rows: Sequence[Sampled], choices: Choices) -> tuple[Field, ...]:
    """The fields that hold the expected answer of rows in which no name tells it."""
    free = [number for number, row in enumerate(rows) if row.known_gold is None and not row.rollout.expected_calls]
    if not any(rows[number].passed for number in free):
        return ()
    unknown = set(free)
    found: list[tuple[bool, float, tuple[bool, bool, int], str, Field]] = []
    held: dict[Path, set[int]] = {}
    for path, column in columns(rows, _answer_or_none).items():
        mine = {number: value for number, value in column.items() if number in unknown}
        if _SAID & set(words_of(path[-1])):
            continue
        if not constant(rows, mine):  # a field that is empty in one repeat and not in another is no gold
            continue
        mine = {number: value for number, value in mine.items() if value not in (None, "", [])}
        for names in _ways(mine, choices):
            field = _field(rows, path, mine, names, choices)
            if field is not None:
                held[path] = set(mine)
                goes = -_goes(rows, mine, names, choices)
                found.append((of_judge(rows, path, mine), goes, _standing(rows, path), ".".join(path), field))
                break
    chosen: list[Field] = []
    covered: set[int] = set()
    for *_, field in sorted(found, key=lambda one: one[:4]):
        least = MIN_NAMED if _is_named(field.path) and not covered else MIN_SPECIFIC
        if len(by_task(rows, held[field.path] - covered)) >= least:  # else it tells again what a better one told
            chosen.append(field)
            covered |= held[field.path]
    return tuple(chosen[:MOST_FIELDS])


def _answer_or_none(value: Any) -> bool:
    return value is None or value in ("", []) or _answer(value)


def _answer(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, list):
        return len(value) == 1 and _answer(value[0])
    return (isinstance(value, str) and 0 < len(value.strip()) <= MAX_GOLD) or (isinstance(value, int | float) and value == value)


def _ways(column: Column, choices: Choices) -> tuple[str, ...]:
    listed = [number for number in column if number in choices]
    if len(listed) < 0.5 * len(column):
        return (AS_IS,)
    if all(str(plain_text(column[number])).isdigit() for number in listed):
        return AS_IS, FROM_ZERO, FROM_ONE
    return AS_IS, BY_TEXT


def _gold(column: Column, number: int, names: str, choices: Choices) -> str | None:
    return named_option(column[number], names, choices.get(number, {}))


def _field(rows: Sequence[Sampled], path: Path, column: Column, names: str, choices: Choices) -> Field | None:
    passing = {task: numbers for task, numbers in by_task(rows, column).items() if any(rows[n].passed for n in numbers)}
    agreeing = told = 0
    for numbers in list(passing.values())[:MOST_TASKS]:
        number = next(number for number in numbers if rows[number].passed)
        gold = _gold(column, number, names, choices)
        if gold is None or not rows[number].final.strip():
            continue
        told += 1
        agreeing += rows[number].answers(gold)
        if hopeless(told - agreeing, min(len(passing), MOST_TASKS)):
            return None
    chance, specific = _by_chance(rows, column, names, choices), _specific(rows, column, names, choices)
    beside = _beside_calls(rows, path)
    hinted = (beside and agreeing == told >= MIN_BESIDE) or (_is_named(path) and agreeing == told >= MIN_NAMED)
    if not supported(agreeing, told, chance, specific) and not hinted:
        return None
    if not beside and _said(rows, column, names, choices):
        return None
    return Field(path, told, agreeing, names)


def _is_named(path: Path) -> bool:
    words = words_of(path[-1])
    return bool(words) and bool(_NAMES & {words[0], words[-1]})


def _by_chance(rows: Sequence[Sampled], column: Column, names: str, choices: Choices) -> float:
    """How often the gold of one task is what a passing rollout of another one answers; letters and digits meet often whatever a few tasks show."""
    one_each = [numbers[0] for numbers in by_task(rows, [n for n in column if rows[n].passed]).values()][:MOST_TASKS]
    tried = agreeing = 0
    for shift in (1, 2, 3):
        for place, number in enumerate(one_each):
            other = one_each[(place + shift) % len(one_each)]
            if rows[other].task != rows[number].task:
                gold = folded(_gold(column, number, names, choices) or "")
                tried += 1
                agreeing += any(gold == folded(stated) for stated in rows[other].stated)
    short = all(len(_gold(column, number, names, choices) or "") <= 1 for number in one_each)
    return max(agreeing / tried if tried else 0.0, LETTERS if short else 0.0)


def _specific(rows: Sequence[Sampled], column: Column, names: str, choices: Choices) -> bool:
    """Whether every task has a value of its own that the prompt does not show: then few agreeing tasks are no chance."""
    golds = [_gold(column, numbers[0], names, choices) or "" for numbers in by_task(rows, column).values()]
    shown = any(folded(_gold(column, number, names, choices) or "") in rows[number].prompt for number in column)
    return len(set(golds)) == len(golds) and all(len(gold) >= MIN_TOLD for gold in golds) and not shown


def _failing(rows: Sequence[Sampled], column: Column) -> list[int]:
    return [number for number in column if not rows[number].passed and rows[number].final.strip()][:MOST_FAILING]


def _said(rows: Sequence[Sampled], column: Column, names: str, choices: Choices) -> bool:
    """Whether failing rollouts say the very words of the field: then it holds what they said."""
    failing = _failing(rows, column)
    repeated = any(len(numbers) > 1 for numbers in by_task(rows, column).values())
    said = [_is_said(_gold(column, number, names, choices) or "", rows[number], exactly=repeated) for number in failing]
    return len(said) >= 3 and sum(said) > SAID_TOO * len(said)


def _is_said(gold: str, row: Sampled, exactly: bool) -> bool:
    """Whether a rollout says the words of a field; where no repeat could differ from another, a tidied copy of them counts as well."""
    return gold in row.stated if exactly else any(folded(gold) == folded(stated) for stated in row.stated)


def _standing(rows: Sequence[Sampled], path: Path) -> tuple[bool, bool, int]:
    """What comes first of several fields that tell the same: one beside the expected calls, one that is named as no record of what was seen, the outermost."""
    by_place = any(key.isdigit() for key in path)
    return not _beside_calls(rows, path), records(path) or by_place, len(path)


def _beside_calls(rows: Sequence[Sampled], path: Path) -> bool:
    """Whether a field stands where the expected calls stand: it was written by who expects something, whatever failing rollouts say."""
    holder = real(path[:-1])
    return bool(holder) and any(
        place and (holder == place[:-1] or holder[: len(place)] == place) for place in places_of_calls(rows)
    )


def _goes(rows: Sequence[Sampled], column: Column, names: str, choices: Choices) -> float:
    """Share of the failing rollouts that do not answer what the field says."""
    failing = _failing(rows, column)
    other = sum(not rows[number].answers(_gold(column, number, names, choices) or "") for number in failing)
    return other / len(failing) if failing else 0.0
