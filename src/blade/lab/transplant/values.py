"""Other values for an argument or an answer: wrong, of the same kind, and as well grounded as the right one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from blade.lab.transplant.rollout import Rollout, shape

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TOKEN = re.compile(r"[A-Za-z0-9_#@.+-]{4,}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Stock:
    """Values that the run itself has to offer."""

    answers: tuple[str, ...]
    """Expected answers."""
    categories: Mapping[tuple[str, str], tuple[str, ...]]
    """By (tool, argument) of a state-changing call: its words, where it knows only a few."""


MOST_CATEGORIES = 8


def stock_of(rollouts: Iterable[Rollout], answers: Iterable[str]) -> Stock:
    words: dict[tuple[str, str], set[str]] = {}
    for one in rollouts:
        items = one.items
        for number in one.changes:
            for name, value in one.arguments(number).items():
                if isinstance(value, str):
                    words.setdefault((str(items[number].get("name")), name), set()).add(value)
    few = {key: tuple(sorted(seen)) for key, seen in words.items() if 2 <= len(seen) <= MOST_CATEGORIES}
    return Stock(tuple(dict.fromkeys(answers)), few)


def shared_changes(repeats: Sequence[Rollout]) -> Iterator[tuple[str, str, Any]]:
    """(tool, argument, value) that a state-changing call of every repeat has."""
    found: list[set[tuple[str, str, str]]] = []
    for one in repeats:
        items = one.items
        found.append(
            {
                (str(items[number].get("name")), name, json.dumps(value, sort_keys=True))
                for number in one.changes
                for name, value in one.arguments(number).items()
                if isinstance(value, str | int | float)
            }
        )
    common = set.intersection(*found) if found else set()
    for tool, name, value in sorted(common):
        yield tool, name, json.loads(value)


def wrong_values(repeats: Sequence[Rollout], value: Any, categories: Sequence[str], rng: Random, count: int) -> list[Any]:
    """So many wrong values of the same kind; fewer where there are none that an agent could have had in good faith."""
    if isinstance(value, bool):
        return [not value][:count]
    if isinstance(value, int):
        return _drawn([value + shift for shift in (1, 2, 3, 5, 10)] + [value - 1] * (value > 1), rng, count)
    if isinstance(value, float):
        return _drawn([round(value + shift, 2) for shift in (1.0, 5.0, 10.0, 2.5, 20.0)], rng, count)
    if _DATE.fullmatch(str(value)):
        try:
            day = date.fromisoformat(str(value))
        except ValueError:
            return []
        return _drawn([(day + timedelta(days=shift)).isoformat() for shift in (1, -1, 7, -7, 2)], rng, count)
    return _drawn(_siblings(repeats, str(value)) or [other for other in categories if other != value], rng, count)


def _siblings(repeats: Sequence[Rollout], value: str) -> list[str]:
    """Values of the same shape that every repeat saw before its first change."""
    if len(value) < 4 or not any(mark.isdigit() for mark in value):
        return []
    wanted = shape(value)
    seen: list[set[str]] = []
    for one in repeats:
        first = one.changes[0] if one.changes else len(one.items)
        text = "\n".join(one.text(number) for number in range(first)) + one.asked()
        seen.append({token for token in _TOKEN.findall(text) if token != value and shape(token) == wanted})
    return sorted(set.intersection(*seen)) if seen else []


def _drawn(values: list[Any], rng: Random, count: int) -> list[Any]:
    unique = list(dict.fromkeys(values))
    return rng.sample(unique, min(count, len(unique)))


def wrong_answers(gold: str, others: Sequence[str], rng: Random, count: int) -> list[str]:
    """Wrong answers in the form of the right one: another number, another letter, another task's answer."""
    text = gold.strip()
    if _NUMBER.fullmatch(text):
        whole = "." not in text
        shifts = (1, 2, 10, -1, 5, 20)
        made = [str(int(text) + shift) if whole else f"{float(text) + shift:g}" for shift in shifts]
    elif len(text) == 1 and text.isalpha():
        made = [letter for letter in "ABCD" if letter != text.upper()]
    else:
        made = [other for other in others if other != text and len(other) < 3 * len(text) + 10]
    return _drawn(made, rng, count)
