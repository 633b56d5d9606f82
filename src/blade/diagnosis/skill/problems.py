"""What is wrong with a `blade.yaml`: every problem at once, each with its line, its place and, where one is near, the right word."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from blade.errors import UsageError
from blade.sentences import plural
from blade.untrusted.escapes import one_line

MOST_LISTED = 50


@dataclass(frozen=True, order=True)
class Problem:
    line: int
    place: str  # `stages[2].when`; empty for the whole file
    message: str


class InvalidSkill(UsageError):
    """A `blade.yaml` that cannot be used; `str` lists all its problems, a line each."""

    def __init__(self, path: str, problems: Iterable[Problem]) -> None:
        self.mistakes = sorted(problems)
        super().__init__("\n".join(self._lines(path)), path=path)

    def _lines(self, path: str) -> list[str]:
        listed = [
            ": ".join(filter(None, (f"{path}:{problem.line}", one_line(problem.place, 200), problem.message)))
            for problem in self.mistakes[:MOST_LISTED]
        ]
        more = len(self.mistakes) - len(listed)
        return [*listed, f"and {plural(more, 'more problem')}"] if more else listed

    def __str__(self) -> str:
        return self.message


@dataclass
class Notes:
    """Collects problems while a file is read, so that one run tells them all."""

    path: Path
    problems: list[Problem] = field(default_factory=list)

    def add(self, line: int, place: str, message: str) -> None:
        self.problems.append(Problem(line, place, message))

    def unknown(
        self, line: int, place: str, what: str, given: str, known: Iterable[str], synonyms: dict[str, str] | None = None
    ) -> None:
        """An unknown word, with the known one that was probably meant."""
        listed = sorted(set(known))
        meant = (synonyms or {}).get(given) or next(iter(get_close_matches(given, listed, 1, 0.6)), None)
        hint = f", did you mean {meant!r}?" if meant else f"; known: {', '.join(listed)}" if len(listed) <= 20 else ""
        self.add(line, place, f"unknown {what} {shown(given)}{hint}")

    def raise_if_any(self) -> None:
        if self.problems:
            raise InvalidSkill(str(self.path), self.problems)


def shown(value: object) -> str:
    """A value of the file as it may stand in a message."""
    return one_line(repr(value), 60)
