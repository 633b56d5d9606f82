"""Files that survive: rows are appended whole, and what was written is there after a crash.

A row goes to the system in one write, so that a killed process loses nothing that it had written, and to the disk in batches (`sync`,
called every moment while a run is under way). When the disk is full, the half-written row is cut off again, and the run stops with
every earlier row intact.
"""

import fcntl
import os
from pathlib import Path
from typing import IO, Any

import msgspec

from blade.errors import BladeError, UsageError
from blade.gym.files import sync_folder


class RowFile:
    """A JSONL file that grows at its end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        new = not path.exists()
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        if new:
            sync_folder(path.parent)
        self._length = os.fstat(self._descriptor).st_size
        self._synced = self._length
        self._error: BladeError | None = None

    def append(self, row: Any) -> None:
        """Write a row; raises what a value that is no JSON raises, before anything is written."""
        line = encoded(row) + b"\n"
        if self._error is not None:
            raise self._error
        try:
            left = memoryview(line)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            os.ftruncate(self._descriptor, self._length)
            raise self._cannot(error) from error
        self._length += len(line)

    def sync(self) -> None:
        """What was appended so far is on the disk; safe to call from another thread. A failure is told by the next `append`."""
        length = self._length
        if length == self._synced:
            return
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._error = self._cannot(error)
        else:
            self._synced = length

    def close(self) -> None:
        self.sync()
        os.close(self._descriptor)
        if self._error is not None:
            raise self._error

    def _cannot(self, error: OSError) -> BladeError:
        return BladeError(
            f"cannot write: {error.strerror or error}",
            path=self.path,
            hint="make room, then run the same command with --resume: nothing that was finished is lost",
        )


def encoded(row: Any) -> bytes:
    """A row as JSON; text that is no valid Unicode (half of a surrogate pair) is written with replacement characters."""
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:
        return msgspec.json.encode(_valid(row))


def hold(output: Path) -> IO[bytes]:
    """The only right to write a run at this output, until it is closed; the file it hangs on stays, so that nobody is fooled."""
    lock = output.with_name(f".{output.name}.lock").open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise UsageError(f"another run is writing to {output}", hint="wait for it, or name another --output") from None
    return lock


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
                kept.flush()
                os.fsync(kept.fileno())
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
