"""The index: facts tables kept in the user's cache, so that the second look is quick.

An entry is a directory named by a key of everything its content depends on: the files (path, size, times, first and last
bytes), their sidecars, the options and the schema's version. A changed file has another key, so nothing old is ever trusted.
Entries are built beside their place and moved into it in one step: a killed command leaves no half entry, and two commands that
build the same entry at once both end with a whole one. A cache that cannot be written is no obstacle: the tables then live in
a temporary directory for as long as the run is open.
"""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 6
META = "entry.json"
EDGE_BYTES = 4096
MOST_HASHED_BYTES = 8 << 20
UNUSED_DAYS = 30
MOST_TRIES = 20
_unfinished: set[Path] = set()
"""Directories of this process that are no entries, or not yet."""


def default_cache() -> Path:
    if given := os.environ.get("BLADE_CACHE_DIR"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "blade"


def file_key(path: Path) -> list[Any]:
    """What stands for a file's content: where it is, how large, when it was written, and its edges."""
    stat = path.stat()
    with path.open("rb") as file:
        head = file.read(EDGE_BYTES)
        file.seek(max(stat.st_size - EDGE_BYTES, 0))
        tail = file.read(EDGE_BYTES)
    edges = hashlib.blake2b(head + tail, digest_size=16).hexdigest()
    return [str(path.resolve()), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, edges]


def make_key(paths: Iterable[Path], *extra: Any) -> str:
    content = json.dumps([SCHEMA_VERSION, [file_key(path) for path in paths], *extra], sort_keys=True)
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


class Index:
    """A cache directory of entries. `root` None keeps everything temporary."""

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self.why_temporary: str | None = None
        self._temporary: list[Path] = []

    def entry(self, kind: str, key: str, build: Callable[[Path], None]) -> Path:
        """The directory of an entry, built if it is not there or not whole."""
        place = self.root / kind / key if self.root else None
        if place is not None and _is_whole(place):
            _touch(place)
            return place
        scratch = self._scratch(kind, key)
        try:
            build(scratch)
            _seal(scratch)
            found = self._publish(scratch, place)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        finally:
            if scratch not in self._temporary:
                _unfinished.discard(scratch)
        return found

    def _scratch(self, kind: str, key: str) -> Path:
        scratch = self._made(kind, key)
        _unfinished.add(scratch)
        return scratch

    def _made(self, kind: str, key: str) -> Path:
        if self.root is not None:
            try:
                (self.root / kind).mkdir(parents=True, exist_ok=True, mode=0o700)
                _sweep(self.root / kind)
                return Path(tempfile.mkdtemp(prefix=f".building-{key[:8]}-", dir=self.root / kind))
            except OSError as error:
                self.why_temporary = f"the cache {self.root} cannot be written ({error.strerror or error})"
        return Path(tempfile.mkdtemp(prefix="blade-"))

    def _publish(self, scratch: Path, place: Path | None) -> Path:
        if place is None or place.parent != scratch.parent:
            self._temporary.append(scratch)
            return scratch
        for _ in range(3):
            try:
                scratch.rename(place)
                return place
            except OSError:  # someone else was first, or a damaged entry is in the way
                if _is_whole(place):
                    shutil.rmtree(scratch, ignore_errors=True)
                    return place
                _set_aside(place)
        self._temporary.append(scratch)
        return scratch

    def close(self) -> None:
        """Remove what was only temporary."""
        for directory in self._temporary:
            shutil.rmtree(directory, ignore_errors=True)
            _unfinished.discard(directory)
        self._temporary.clear()


def remove_unfinished() -> None:
    """Remove what this process is building, and what it keeps for a while: it is about to end. Threads may still write there."""
    for directory in list(_unfinished):
        for _ in range(MOST_TRIES):
            shutil.rmtree(directory, ignore_errors=True)
            if not directory.exists():
                break


def _seal(directory: Path) -> None:
    marks = {path.name: _mark(path) for path in sorted(directory.iterdir()) if path.is_file()}
    (directory / META).write_text(json.dumps({"schema": SCHEMA_VERSION, "files": marks}))


def _is_whole(directory: Path) -> bool:
    try:
        meta = json.loads((directory / META).read_text())
        return meta["schema"] == SCHEMA_VERSION and all(_mark(directory / name) == mark for name, mark in meta["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _mark(path: Path) -> list[Any]:
    """What a file of an entry is known by: its size and a hash of its content, for a large one of its beginning and end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        content = file.read(MOST_HASHED_BYTES)
        if size > MOST_HASHED_BYTES:
            file.seek(-MOST_HASHED_BYTES, os.SEEK_END)
            content += file.read()
    return [size, hashlib.blake2b(content, digest_size=16).hexdigest()]


def _touch(directory: Path) -> None:
    try:
        os.utime(directory / META)
    except OSError:
        return  # a read-only cache is still good to read


def _set_aside(place: Path) -> None:
    aside = place.with_name(f".broken-{place.name[:8]}-{os.getpid()}-{time.monotonic_ns()}")
    try:
        place.rename(aside)
    except OSError:
        return
    shutil.rmtree(aside, ignore_errors=True)


def _sweep(directory: Path) -> None:
    """Remove what killed commands left behind, and entries nobody has used for a month."""
    now = time.time()
    for path in directory.iterdir():
        try:
            unfinished = path.name.startswith(".") and now - path.stat().st_mtime > 86_400
            unused = not path.name.startswith(".") and now - (path / META).stat().st_mtime > UNUSED_DAYS * 86_400
        except OSError:
            continue
        if unfinished or unused:
            shutil.rmtree(path, ignore_errors=True)
