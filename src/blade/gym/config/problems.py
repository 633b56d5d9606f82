"""What is wrong with a configuration, as data: everything is collected first and reported together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from blade.errors import BladeError, Exit


class Place(NamedTuple):
    """Where something was written: a file and a line, or the command line."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}, line {self.line}"


@dataclass(frozen=True)
class Problem:
    """One thing that must change before the configuration can run.

    `code`: missing_value (somebody has to give it), interpolation, directive, override, server, reference, dataset, implementation.
    `key` is what it is about, as a dotted path; `place` says where that was written (file and line), where it is known.
    """

    code: str
    key: str
    message: str
    place: str | None = None

    def sentence(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ConfigError(BladeError):
    """The files were read, but what they say together cannot run. `problems` holds all of it."""

    exit_code = Exit.FELL_SHORT

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].sentence() if len(problems) == 1 else f"the configuration has {len(problems)} problems")
        shown = [Problem(one.code, one.key, one.sentence(), one.place) for one in problems]
        self.problems: list[Problem] = shown if len(problems) > 1 else []


def problem(code: str, key: str, message: str, place: Place | None = None) -> Problem:
    return Problem(code, key, message, None if place is None else str(place))


def nearest(wanted: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that a mistaken one most likely stands for."""
    spelt = {name.lower(): name for name in known}
    return next((spelt[name] for name in get_close_matches(wanted.lower(), spelt, n=1, cutoff=cutoff)), None)


def did_you_mean(wanted: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """`; did you mean x?`, or nothing where nothing is near."""
    close = nearest(wanted, known, cutoff)
    return f"; did you mean {close}?" if close else ""
