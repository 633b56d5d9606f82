"""How far the work is, on stderr: only when that is a terminal and the work is long enough to be worth a bar."""

import sys
from typing import Any, Final, Literal

from blade.runs.build import Progress

LONG_READING: Final = 64 << 20
"""Bytes from which on reading a run is worth a bar."""
LONG_DIAGNOSIS: Final = 2_000
"""Tasks from which on the diagnosis itself is."""


class Bar(Progress):
    """A bar over bytes (with their speed) or over things that are counted; none for less than `least` of them."""

    def __init__(self, unit: Literal["bytes", "things"] = "bytes", *, least: int = LONG_READING) -> None:
        self.unit = unit
        self.least = least
        self._shown: Any = None
        self._task: Any = None

    def start(self, what: str, total: int | None) -> None:
        if not sys.stderr.isatty() or (total is not None and total < self.least):
            return
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )
        from rich.progress import Progress as RichProgress

        from blade.cli.terminal import clean_line, console

        done = (DownloadColumn(), TransferSpeedColumn()) if self.unit == "bytes" else (MofNCompleteColumn(),)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), *done, TimeRemainingColumn())
        self._shown = RichProgress(*columns, console=console(sys.stderr), transient=True)
        self._shown.start()
        self._task = self._shown.add_task(clean_line(what), total=total)

    def advance(self, amount: int) -> None:
        if self._shown is not None:
            self._shown.advance(self._task, amount)

    def finish(self) -> None:
        if self._shown is not None:
            self._shown.stop()
            self._shown = None
