"""What environments of one world share: tasks that are drawn family by family, and what their verifiers find of changes and answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from re import Pattern
from typing import Final, TypeVar

from blade.lab.desk import Call, dice
from blade.lab.stage.play import Backend, Episode
from blade.lab.stage.script import Row, Task

World = TypeVar("World")
Weighed = TypeVar("Weighed")
_OTHER_VOWEL: Final = {"a": "e", "e": "a", "i": "e", "o": "u", "u": "o"}


def drawn(
    name: str,
    kept: str,
    build: Callable[[Random], World],
    families: Sequence[Callable[[int, World, Random], Task]],
    seed: int,
    count: int,
) -> list[Task]:
    """So many tasks of an environment over one world, families in turn; each has the world among its facts, under the name `kept`."""
    world = build(dice(seed, name, kept))
    tasks = (
        families[(number + seed) % len(families)](number, world, dice(seed, name, "task", number)) for number in range(count)
    )
    return [replace(task, facts={**task.facts, kept: world}) for task in tasks]


def changes_found(
    episode: Episode, desk: Backend, writes: frozenset[str], refused: Callable[[str], bool], flaw: str | None
) -> list[Call]:
    """The changes that a verifier finds: those which the tools took, as far as its own way of looking (`flaw`) keeps them."""
    made = [one for one in episode.accepted if one.name in writes and not refused(desk(one))]
    if flaw == "same_tool_overwritten":
        made = list({one.name: one for one in made}.values())
    if flaw == "late_snapshot":
        made = made[:-1]
    return made


def unmatched(
    found: Iterable[Row], wanted: Iterable[Row], key: Callable[[Row], Hashable]
) -> tuple[list[Row], list[Row]]:  # fmt: skip
    """What was wanted and not found, and what was found and not wanted; each entry serves once."""
    left, absent = list(found), []
    for one in wanted:
        at = next((at for at, mine in enumerate(left) if key(mine) == key(one)), None)
        if at is None:
            absent.append(one)
        else:
            left.pop(at)
    return absent, left


def last_match(pattern: Pattern[str], text: str) -> str | None:
    """What the last match of a pattern holds."""
    return next(iter(pattern.findall(text)[-1:]), None)


def misspelt(name: str, rng: Random) -> str:
    """A name with one letter too many, too few, or wrong."""
    spots = [at for at in range(1, len(name) - 1) if name[at - 1 : at + 2].isalpha() and name[at] in _OTHER_VOWEL]
    at = rng.choice(spots)
    return name[:at] + rng.choice(("", 2 * name[at], _OTHER_VOWEL[name[at]])) + name[at + 1 :]


def misread(text: str) -> str:
    """UTF-8 that was read as Windows-1252."""
    return text.encode().decode("cp1252")


def is_day(given: object) -> bool:
    """Whether something is a day as ISO 8601 writes it."""
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def turned(text: str) -> str:
    """A day whose number and month changed places, where its number can be a month; any other text as it is."""
    year, _, rest = text.partition("-")
    month, _, number = rest.partition("-")
    return f"{year}-{number}-{month}" if is_day(text) and int(number) <= 12 else text


def clear(number: float) -> bool:
    """Whether a number lies well away from the middle between two whole ones, and is none itself."""
    return abs(number % 1 - 0.5) > 0.05 and 0.02 < number % 1 < 0.98


def mostly_upwards(ones: Sequence[Weighed], figure: Callable[[Weighed], float], rng: Random) -> Weighed:
    """One of these records, mostly one whose figure has more than a half beyond the whole number, so that it is rounded upwards."""
    upwards = [one for one in ones if figure(one) % 1 > 0.5]
    return rng.choice(upwards) if upwards and rng.random() < 0.8 else rng.choice(ones)
