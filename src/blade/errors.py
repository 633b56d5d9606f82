"""The errors a user can meet, and the exit code each one ends a command with.

A `BladeError` is a message, not a crash: the command line prints `str(error)` (one sentence that names the file, the line and
the next step) and leaves with `error.exit_code`. Whatever is not a `BladeError` is a bug of ours and deserves its traceback.

Errors travel between processes, so every subclass must survive pickling with its attributes, whatever its constructor looks like.
"""

from collections.abc import Sequence
from enum import IntEnum
from os import PathLike, fspath
from typing import Any, ClassVar


class Exit(IntEnum):
    """What a command says to the shell. Shared by `blade` and `gym`."""

    FINE = 0
    FELL_SHORT = 1
    """The thing checked fell short: a regression under `--gate`, an unhealthy run, a failed validation, a false claim."""
    BAD_INPUT = 2
    """Bad usage or unreadable input."""
    NOT_DECIDABLE = 3
    """Not comparable, nothing checkable, or too little data to say."""
    INTERRUPTED = 130


class BladeError(Exception):
    """Something the user can act on: what happened (`message`), where (`path`, `line`), and the next step (`hint`)."""

    exit_code: ClassVar[Exit] = Exit.BAD_INPUT

    def __init__(
        self, message: str, *, path: str | PathLike[str] | None = None, line: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = None if path is None else fspath(path)
        self.line = line
        self.hint = hint

    def __str__(self) -> str:
        place = ", line ".join(str(part) for part in (self.path, self.line) if part is not None)
        if self.path is None and self.line is not None:
            place = f"line {self.line}"
        sentence = "; ".join(part.rstrip(".") for part in (self.message, self.hint) if part)
        ended = sentence if sentence.endswith("?") else f"{sentence}."
        return f"{place}: {ended}" if place else ended

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[BladeError], args: tuple[Any, ...], attributes: dict[str, Any]) -> BladeError:
    """Rebuild an error from its parts; calling the constructor again would tie every subclass to one signature."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class UsageError(BladeError):
    """The command, an option or a setting does not make sense as given."""


class UnreadableRun(BladeError):
    """A run that cannot be read at all. A run with some bad lines is read, and the lines are counted."""

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        hint: str | None = None,
        problems: Sequence[object] = (),
    ) -> None:
        super().__init__(message, path=path, line=line, hint=hint)
        self.problems = list(problems)


class NotDecidable(BladeError):
    """The question is well put, but the data cannot answer it."""

    exit_code = Exit.NOT_DECIDABLE


class FellShort(BladeError):
    """The thing checked was read and found wanting."""

    exit_code = Exit.FELL_SHORT
