"""A task again under another id, with the expected result of another task wherever the row states it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import deepcopy
from typing import Any

from blade.lab.stage.script import Row
from blade.lab.transplant.answers import predicted_fields
from blade.lab.transplant.rollout import Rollout
from blade.runs.definition import GOLD_FIELDS, sets_up, tells_a_user
from blade.signals.data.task import gold_answers

_NOT_THE_DATASET = frozenset(["responses_create_params", "response", "messages", "agent_ref", "reward"])
_WORDS = 20
"""A text that long which stands in the prompt is part of it, not of the expected result."""


def fixed_fields(tasks: Collection[Sequence[Row]]) -> frozenset[str]:
    """The fields that the dataset gives: equal in all rows of every task that has several."""
    several = [rows for rows in tasks if len(rows) > 1]
    names = {name for rows in several for row in rows for name in row} - _NOT_THE_DATASET
    return frozenset(
        name
        for name in names
        if not name.startswith("_ng_") and all(row.get(name) == rows[0].get(name) for rows in several for row in rows)
    )


def swapped_gold(repeats: Sequence[Rollout], other: Row, index: int, fields: Collection[str]) -> list[Row] | None:
    """The rows with the gold of another task; None where the two do not state their gold in the same fields, or state the same."""
    mine, prompt = repeats[0].row, repeats[0].asked()
    read = {name for row in (mine, other) for place, name in predicted_fields(row) if place is row}
    wanted = sorted((GOLD_FIELDS | set(fields)) - read - _NOT_THE_DATASET)
    answers = dict(gold_answers(mine))
    changed: Row = {}
    for name in wanted:
        if (name in mine) is not (name in other):
            return None
        if name not in mine or (name not in answers and _is_asked(mine[name], prompt)):
            continue
        new = _merged(mine[name], other[name])
        if new != mine[name]:
            changed[name] = new
    options = mine.get("options")
    letter = next((str(changed[name]) for name in answers if name in changed), None)
    if isinstance(options, dict) and "options" not in changed and letter is not None:
        if letter not in options:
            return None
        old = next(iter(answers.values()))
        changed |= {name: options[letter] for name in wanted if name in mine and mine[name] == options.get(old)}
    stated = [name for name in answers if name in wanted]
    if any(name not in changed for name in stated) or not any(name in GOLD_FIELDS for name in changed):
        return None
    return [{**deepcopy(one.row), **deepcopy(changed), "_ng_task_index": index} for one in repeats]


def _is_asked(value: Any, prompt: str) -> bool:
    """Whether the field repeats what the prompt says: the question, the options."""
    if isinstance(value, str):
        return len(value) >= _WORDS and value in prompt
    held = list(value.values()) if isinstance(value, dict) else value
    return isinstance(held, list) and len(held) > 1 and all(isinstance(one, str) and one in prompt for one in held)


def _merged(mine: Any, other: Any) -> Any:
    """The other's value; of an object only what it expects, its words and names stay, and so does what it sets up for a simulated user."""
    if not (isinstance(mine, dict) and isinstance(other, dict)):
        return other
    told = tells_a_user(mine)
    return {name: other[name] if name in other and _is_expected(name, value, told) else value for name, value in mine.items()}


def _is_expected(name: str, value: Any, told: bool) -> bool:
    return name in GOLD_FIELDS or not (isinstance(value, str) or (told and sets_up(name)))
