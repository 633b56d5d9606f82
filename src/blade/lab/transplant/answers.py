"""The fields of a row in which the verifier says what it read as the rollout's answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from blade.lab.stage.script import Row
from blade.runs.definition import GOLD_FIELDS
from blade.signals.data.task import gold_answers

_PREDICTED = re.compile(r"extract|predict|parsed|submitted|(model|final|given|generated)_?(answer|output|result)", re.IGNORECASE)
_NEVER = frozenset(["responses_create_params", "response", "messages", "agent_ref", *GOLD_FIELDS])
_DEPTH = 3


def predicted_fields(row: Row) -> Iterator[tuple[Row, str]]:
    """(the dictionary that holds it, its name): by name, or because it says what the expected answer says."""
    golds = dict(gold_answers(row))
    yield from _found(row, golds.keys(), set(golds.values()), 0)


def _found(place: Row, names: Any, texts: set[str], depth: int) -> Iterator[tuple[Row, str]]:
    for name, value in list(place.items()):
        if name in _NEVER or name in names or name.startswith("_ng_"):
            continue
        if isinstance(value, dict):
            if depth < _DEPTH:
                yield from _found(value, names, texts, depth + 1)
        elif _PREDICTED.search(name) or (isinstance(value, str) and not depth and value in texts):
            yield place, name


def forget_answer(row: Row) -> None:
    """No answer was given, so the verifier read none."""
    for place, name in predicted_fields(row):
        place[name] = [] if isinstance(place[name], list) else None


def change_answer(row: Row, old: str, new: str) -> None:
    """Another answer was given, so the verifier read that one."""
    for place, name in predicted_fields(row):
        if place[name] == old:
            place[name] = new
