"""What the verifier took for the answer: a field that varies with the message, stands in it, and is the gold where the rollout passes.

A field that copies the whole message, or that a judge wrote, is none: it is short, and its words (or what they come to) stand in the
message in nearly all rollouts. Then either whether it equals the gold goes with the reward, which a mere quotation does not; or it is
what the message states as its answer, in nearly all rollouts of tasks whose repeats answer differently (a faulty verifier may reward
what it likes).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from blade.answers import compare
from blade.signals.calls.sameness import normal
from blade.signals.layout.columns import Column, by_task, columns
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field, Path
from blade.signals.layout.support import AGREEING, MIN_TASKS, goes_with
from blade.signals.layout.texts import folded, plain_text
from blade.signals.wanted.answer_fields import taken_answer

MAX_TAKEN: Final = 200
MOST_ROWS: Final = 240
LEAST: Final = 0.85
"""Share of the rollouts in which the field against the gold says whether it passes; a strict or faulty verifier spoils some."""
STATED: Final = 0.95
MIN_VARYING: Final = 2
"""Tasks whose repeats differ in a field that is nearly always what the message states."""

Gold = Callable[[Sampled], str | None]


def learn_taken(rows: Sequence[Sampled], gold: Gold) -> tuple[Field, ...]:
    """The field that holds what was read, in rows in which no name tells it and a gold is known; at most one."""
    free = {number for number, row in enumerate(rows) if taken_answer(row.rollout) is None and gold(row) is not None}
    best: tuple[float, int, str, Field] | None = None
    for path, column in columns(rows, _short).items():
        mine = {number: value for number, value in column.items() if number in free}
        varying = _varying(mine, by_task(rows, mine))
        mine = {number: value for number, value in mine.items() if value not in (None, "", [])}
        if len(by_task(rows, mine)) < MIN_TASKS or not varying:
            continue
        told = _field(rows, path, mine, gold, varying)
        if told is not None:
            key = (-told[0], len(path), ".".join(path), told[1])
            best = key if best is None or key[:3] < best[:3] else best
    return () if best is None else (best[3],)


def _short(value: Any) -> bool:
    """A short plain value, or none: nothing was found."""
    if isinstance(value, bool | dict) or (isinstance(value, list) and len(value) > 1):
        return False
    text = plain_text(value)
    return text is None or len(text) <= MAX_TAKEN


def _varying(column: Column, tasks: dict[str, list[int]]) -> int:
    """Tasks whose repeats differ; what was not found differs from what was."""
    return sum(len({repr(normal(column[number])) for number in numbers}) > 1 for numbers in tasks.values())


def _field(rows: Sequence[Sampled], path: Path, column: Column, gold: Gold, varying: int) -> tuple[float, Field] | None:
    numbers = [number for number in column if rows[number].final.strip()][:MOST_ROWS]
    texts = {number: plain_text(column[number]) or "" for number in numbers}
    stands = [_stands(rows[number], texts[number]) for number in numbers]
    if not numbers or sum(stands) < AGREEING * len(stands):
        return None
    pairs = [(_same(gold(rows[number]) or "", texts[number]), rows[number].passed) for number in numbers]
    answered = sum(any(_same(stated, texts[number]) for stated in rows[number].stated) for number in numbers)
    if not goes_with(pairs, LEAST) and not (answered >= STATED * len(numbers) and varying >= MIN_VARYING):
        return None
    tasks = by_task(rows, numbers)
    right = {number for number, (said, passed) in zip(numbers, pairs, strict=True) if said == passed}
    agreeing = sum(all(number in right for number in mine) for mine in tasks.values())
    return len(right) / len(numbers), Field(path, len(tasks), agreeing)


def _stands(row: Sampled, text: str) -> bool:
    """Whether a message says it, as part of more or in another notation; a copy of a whole long message was not read from it."""
    final = folded(row.final)
    if folded(text) == final:
        return len(final) <= 60
    return folded(text) in final or any(_same(stated, text) for stated in row.stated)


def _same(one: str, other: str) -> bool:
    return folded(one) == folded(other) or compare(one, other).same
