"""Ctrl-C takes effect between imports, never inside one: a library in native code that is cut short in the middle of its start
prints a complaint of its own, or ends the process with a code that says all is well."""

import os
import signal
import threading
from types import FrameType
from typing import Final

LATER: Final = 0.02
"""Seconds after which an interrupt that came within an import is tried again."""
_IMPORTER: Final = "<frozen importlib._bootstrap>"


def interrupt_between_imports() -> None:
    """Take over Ctrl-C, unless someone else has (a program that calls us, or a shell that had it ignored)."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _within_import(frame):
        raise KeyboardInterrupt
    again = threading.Timer(LATER, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


def _within_import(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTER:
            return True
        frame = frame.f_back
    return False
