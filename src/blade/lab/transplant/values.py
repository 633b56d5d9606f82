"""Other values for an argument or an answer: wrong, plausible and of the same kind.

Only what is known or not known is changed: a quantity, an amount, a date, a flag, an option. Another identifier would be a matter of
behaviour, a record that was not looked up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from blade.lab.transplant.rollout import Rollout

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})((?:[T ]\d{2}:\d{2}.{0,12})?)")
_OPTION = re.compile(r"[A-Za-z][A-Za-z -]{0,29}")
"""A word or two, as options have."""
_WORDS = re.compile(r"[A-Za-z][a-z]*|[A-Z]+(?![a-z])")
_NAMES_A_RECORD = frozenset(
    ["id", "ids", "uid", "uuid", "no", "nr", "number", "code", "key", "email", "mail", "recipient", "phone", "zip", "address", "account",
     "iban", "sku", "token", "hash", "name", "user", "username", "url", "path", "file", "origin", "destination", "city"]
)  # fmt: skip
"""Words in the name of an argument that says which record, person or place is meant."""
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


def is_identifier(name: str, value: Any) -> bool:
    """Whether an argument says which record is meant: a wrong one is a matter of looking up, not of knowing."""
    if isinstance(value, bool):
        return False
    if _NAMES_A_RECORD & {word.lower() for word in _WORDS.findall(name)}:
        return True
    if not isinstance(value, str) or _MOMENT.fullmatch(value) or _NUMBER.fullmatch(value):
        return False
    return any(mark.isdigit() or mark in "@/\\#" for mark in value)


def wrong_values(name: str, value: Any, categories: Sequence[str], rng: Random, count: int) -> list[Any]:
    """So many plausible wrong values of the same kind; none for an identifier or a free text."""
    if is_identifier(name, value):
        return []
    if isinstance(value, bool):
        return [not value][:count]
    if isinstance(value, int | float):
        return _drawn(_other_numbers(value), rng, count)
    text = str(value)
    if _NUMBER.fullmatch(text):
        whole = "." not in text
        return _drawn([str(other) for other in _other_numbers(int(text) if whole else float(text))], rng, count)
    if moment := _MOMENT.fullmatch(text):
        try:
            day = date.fromisoformat(moment[1])
        except ValueError:
            return []
        return _drawn([f"{day + timedelta(days=shift)}{moment[2]}" for shift in (1, -1, 7, -7, 2)], rng, count)
    if text not in categories or any(not _OPTION.fullmatch(other) for other in categories):
        return []
    return _drawn([other for other in categories if other != text], rng, count)


def _other_numbers(value: float) -> list[Any]:
    """Numbers near by: a few more or less, or some tenths of it."""
    if isinstance(value, int):
        near = (1, 2, 3, -1, -2) if abs(value) < 20 else (value // 10, -(value // 10), value // 5, -(value // 5), value // 2)
        return [value + shift for shift in near if (value + shift > 0) is (value > 0) and shift]
    return [other for factor in (0.5, 0.9, 1.1, 1.2, 2.0) if (other := round(value * factor, 2)) != value]


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
