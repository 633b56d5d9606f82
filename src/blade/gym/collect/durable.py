"""Files that survive: rows are appended whole, and what was written is there after a crash.

A row goes to the system in one write, so that a killed process loses nothing that it had written, and to the disk in batches. When the
disk is full, the half-written row is cut off again, and the run stops with every earlier row intact.
"""

import os
import time
from pathlib import Path
from typing import Any

import msgspec

from blade.errors import BladeError

ROWS_A_SYNC = 256
SECONDS_A_SYNC = 2.0


class RowFile:
    """A JSONL file that grows at its end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        self._length = os.fstat(self._descriptor).st_size
        self._unsynced = 0
        self._synced_at = time.monotonic()

    def append(self, row: Any) -> None:
        line = encoded(row) + b"\n"
        try:
            left = memoryview(line)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            os.ftruncate(self._descriptor, self._length)
            raise BladeError(
                f"cannot write: {error.strerror or error}",
                path=self.path,
                hint="make room, then run the same command with --resume: nothing that was finished is lost",
            ) from error
        self._length += len(line)
        self._unsynced += 1
        if self._unsynced >= ROWS_A_SYNC or time.monotonic() - self._synced_at > SECONDS_A_SYNC:
            self.sync()

    def sync(self) -> None:
        if self._unsynced:
            os.fsync(self._descriptor)
        self._unsynced = 0
        self._synced_at = time.monotonic()

    def close(self) -> None:
        try:
            self.sync()
        finally:
            os.close(self._descriptor)


def encoded(row: Any) -> bytes:
    """A row as JSON; text that is no valid Unicode (half of a surrogate pair) is written with replacement characters."""
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:
        return msgspec.json.encode(_valid(row))


def heal(path: Path) -> int:
    """Move a torn last line out of a JSONL file into `<name>.torn`, and say how many bytes that were. Nothing is thrown away."""
    if not path.exists():
        return 0
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        end = _end_of_last_line(file, size)
        if end == size:
            return 0
        file.seek(end)
        torn = file.read()
        try:
            msgspec.json.decode(torn)
        except (msgspec.DecodeError, UnicodeDecodeError):
            with path.with_name(path.name + ".torn").open("ab") as kept:
                kept.write(torn + b"\n")
            file.truncate(end)
        else:  # the row is whole: only its line end is missing
            file.seek(size)
            file.write(b"\n")
            torn = b""
        file.flush()
        os.fsync(file.fileno())
    return len(torn)


def _end_of_last_line(file: Any, size: int) -> int:
    """Where the last complete line ends."""
    block = 1 << 16
    position = size
    while position > 0:
        start = max(0, position - block)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            return int(start + found + 1)
        position = start
    return 0


def _valid(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_valid(key): _valid(inner) for key, inner in value.items()}
    return [_valid(inner) for inner in value] if isinstance(value, list) else value
