"""Standard output that is closed, full, or that nobody reads any more."""

import os
import sys
from io import TextIOWrapper
from typing import IO


def prepare_streams() -> None:
    """A closed stream takes what is written and keeps nothing; a character that a stream cannot print becomes an escape."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def abandon(stream: IO[str]) -> None:
    """What was not printed never will be, nor what is printed from here on; Python's own flush at exit succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def flush_stdout() -> None:
    """Print what is still waiting; a reader that has gone is no error, and no verdict."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
