"""What every scripted environment offers: tasks, tools that answer, and a verifier that computes the reward from what was done."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from blade.lab.desk import Call
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task


class Environment(ABC):
    name: str
    held_out: bool = False
    """Never used for tuning, only for the published figures."""
    setting: Setting
    manner: Manner
    hosts: tuple[str, ...]

    @abstractmethod
    def tasks(self, seed: int, count: int) -> list[Task]:
        """So many tasks, drawn from the seed."""

    @abstractmethod
    def backend(self, task: Task) -> Backend:
        """The tools as one rollout meets them."""

    @abstractmethod
    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        """The verifier's fields with the reward; `flaw` is the way in which the verifier itself is broken."""

    def trouble_with(self, kind: str) -> tuple[frozenset[str] | None, frozenset[str] | None]:
        """The tools and the programs that a kind of trouble touches here; None for all."""
        return None, None


def function(name: str, description: str, /, required: Sequence[str] | None = None, **parameters: Any) -> Row:
    """A tool's schema; a parameter is a JSON type, or a whole schema."""
    properties = {key: {"type": kind} if isinstance(kind, str) else kind for key, kind in parameters.items()}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(parameters if required is None else required),
        "additionalProperties": False,
    }
    return {"type": "function", "name": name, "description": description, "parameters": schema, "strict": False}


@dataclass(frozen=True)
class Comparison:
    """The calls that were made against those expected, as multisets."""

    matched: int
    expected: int
    unexpected: int

    @property
    def equal(self) -> bool:
        return self.matched == self.expected and not self.unexpected


def compare(made: Iterable[Call], expected: Iterable[Call]) -> Comparison:
    done, wanted = Counter(call.key for call in made), Counter(call.key for call in expected)
    matched = (done & wanted).total()
    return Comparison(matched, wanted.total(), done.total() - matched)


def timed_out(rng: Random) -> str:
    """What a verifier reports when it ran out of time."""
    seconds = rng.choice((30, 60, 120, 300))
    return rng.choice(
        (
            f"TimeoutError: verification did not finish within {seconds}s",
            f"asyncio.exceptions.TimeoutError: grader exceeded {seconds} seconds",
            f"concurrent.futures._base.TimeoutError (limit {seconds}s)",
            f"verify() timed out after {seconds}.0 s",
        )
    )


_FIRST = (
    "Ngozi", "Tomas", "Priya", "Oskar", "Leila", "Hana", "Matteo", "Ines", "Dmitri", "Amara", "Yusuf", "Greta", "Kofi",
    "Saskia", "Rafael", "Mei", "Anders", "Noor", "Lucia", "Pavel", "Zanele", "Callum", "Aiko", "Birgit", "Emeka", "Farah",
)  # fmt: skip
_LAST = (
    "Okafor", "Lindqvist", "Raman", "Haugen", "Haddad", "Sato", "Bianchi", "Duarte", "Volkov", "Diallo", "Demir", "Keller",
    "Mensah", "de Vries", "Ortega", "Zhang", "Nygaard", "Aziz", "Moreau", "Novak", "Dlamini", "Fraser", "Tanaka", "Brandt",
    "Adeyemi", "Karimi", "Sorensen", "Petrov", "Iversen", "Castellano",
)  # fmt: skip


def people(rng: Random, count: int, first_names: int | None = None) -> list[tuple[str, str]]:
    """So many different people; with few first names, namesakes."""
    firsts = rng.sample(_FIRST, first_names or len(_FIRST))
    return rng.sample([(first, last) for first in firsts for last in _LAST], count)
