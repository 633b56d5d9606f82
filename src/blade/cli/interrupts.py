"""Ctrl-C takes effect between imports, never inside one: a library in native code that is cut short in the middle of its start
prints a complaint of its own, or ends the process with a code that says all is well.

A command that was interrupted winds up on its own: pools are closed, scratch directories removed. Threads that are in the middle of a
long question do not hear of it, and would be waited for; after a moment the process ends without them."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from blade.errors import Exit

LATER: Final = 0.02
"""Seconds after which an interrupt that came within an import is tried again."""
GRACE: Final = 1.0
"""Seconds that an interrupted command has to wind up."""
_IMPORTER: Final = "<frozen importlib._bootstrap>"
_running: list[Callable[[], object]] = []
"""What ends the command that is running now, where it may be ended so."""

_ending: Final = threading.Event()


def interrupt_between_imports() -> None:
    """Take over Ctrl-C, unless someone else has (a program that calls us, or a shell that had it ignored)."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


@contextmanager
def ended_when_interrupted(end: Callable[[], object]) -> Iterator[None]:
    """Should what runs within go on for more than a moment after Ctrl-C, `end` is called."""
    _running.append(end)
    try:
        yield
    finally:
        _running.remove(end)


def end_at_once(name: str) -> NoReturn:
    """End the process and its workers, and leave nothing half written behind.

    Once the workers are gone, who waited for them goes on: it has to `wait_for_the_end`.
    """
    _ending.set()
    if database := sys.modules.get("blade.runs.database"):
        database.remove_spill()
    if multiprocessing := sys.modules.get("multiprocessing"):
        for worker in multiprocessing.active_children():
            worker.kill()
        multiprocessing.util._run_finalizers(0)  # gives the system back what the pools share, or it is complained about
    if index := sys.modules.get("blade.runs.index"):
        index.remove_unfinished()
    os.write(2, f"\n{name}: interrupted\n".encode())
    os._exit(Exit.INTERRUPTED)


def wait_for_the_end() -> None:
    """Where another thread is ending the process, leave that and the last word to it."""
    if _ending.is_set():
        time.sleep(GRACE)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _within_import(frame):
        for end in _running:
            _after(GRACE, _end_if_running, end)
        raise KeyboardInterrupt
    _after(LATER, os.kill, os.getpid(), number)


def _after(seconds: float, call: Callable[..., object], *arguments: object) -> None:
    timer = threading.Timer(seconds, call, arguments)
    timer.daemon = True
    timer.start()


def _end_if_running(end: Callable[[], object]) -> None:
    if end in _running:
        end()


def _within_import(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTER:
            return True
        frame = frame.f_back
    return False
