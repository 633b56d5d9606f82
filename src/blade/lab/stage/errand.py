"""An errand: lookups, changes, and a last word about them; and the ways in which it goes wrong in every environment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Self

from blade.lab.desk import Call
from blade.lab.stage.script import Move, Script, say


@dataclass(frozen=True)
class Errand:
    """What is looked up, what is changed, and what is said about it afterwards. Each environment has its own words."""

    closings: ClassVar[tuple[str, ...]]
    """Last words, with `{what}` or `{What}` where they say what was done."""
    skips: ClassVar[tuple[str, ...]] = ()
    """What an agent thinks that leaves a lookup out."""

    reads: Script
    changes: Script
    done: str

    @property
    def expected(self) -> list[Call]:
        return [made(move) for move in self.changes]

    @property
    def told(self) -> dict[str, str]:
        return {"what": self.done, "What": self.done[0].upper() + self.done[1:]}

    def closing(self, rng: Random) -> Move:
        return say(rng.choice(self.closings).format(**self.told))

    def script(self, rng: Random) -> Script:
        return (*self.reads, *self.changes, self.closing(rng))

    def but(self, at: int = 0, decisive: bool = True, **arguments: Any) -> Self:
        """The errand with other values in one of its changes."""
        changed = self.changes[at]
        wrong = replace(made(changed), arguments={**made(changed).arguments, **arguments})
        moves = (*self.changes[:at], replace(changed, call=wrong, decisive=decisive), *self.changes[at + 1 :])
        return replace(self, changes=moves)

    def unread(self, rng: Random, tool: str, /, **arguments: Any) -> Script:
        """The errand by an agent that never made one of the lookups and put something plausible in its place."""
        wrong = self.but(**arguments)
        reads = tuple(move for move in self.reads if made(move).name != tool)
        first = replace(wrong.changes[0], thought=rng.choice(self.skips))
        return replace(wrong, reads=reads, changes=(first, *wrong.changes[1:])).script(rng)

    def cut_short(self) -> Self:
        """The errand without its last change; the one before it decides."""
        *kept, last = self.changes[:-1]
        return replace(self, changes=(*kept, replace(last, decisive=True)))


@dataclass(frozen=True)
class NamedFirst(Errand):
    """An errand whose lookups by name come first, in any order."""

    def script(self, rng: Random) -> Script:
        named = [move for move in self.reads if "name" in made(move).arguments]
        others = [move for move in self.reads if "name" not in made(move).arguments]
        return (*rng.sample(named, len(named)), *others, *self.changes, self.closing(rng))

    def reordered(self, at: int, rng: Random) -> Self:
        """The errand with the arguments of one of its changes in another order."""
        move = self.changes[at]
        given = list(made(move).arguments.items())
        turned = rng.choice((given[::-1], [*given[1:], given[0]]))
        moves = (*self.changes[:at], replace(move, call=Call(made(move).name, dict(turned))), *self.changes[at + 1 :])
        return replace(self, changes=moves)


def made(move: Move) -> Call:
    assert move.call is not None
    return move.call


def scripts(errands: Iterable[Errand], rng: Random) -> tuple[Script, ...]:
    return tuple(errand.script(rng) for errand in errands)
