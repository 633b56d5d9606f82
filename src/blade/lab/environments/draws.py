"""What environments of one world share: tasks that are drawn family by family, and what their verifiers find of changes and answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from random import Random
from re import Pattern
from typing import TypeVar

from blade.lab.desk import Call, dice
from blade.lab.stage.play import Backend, Episode
from blade.lab.stage.script import Row, Task

World = TypeVar("World")


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
