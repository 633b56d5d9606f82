"""The bytes of an artifact, whatever it is compressed with, by offset.

A `Source` is small and picklable: workers open it themselves. Offsets are always those of the uncompressed text. A plain file
is read where it lies; a compressed one was spooled once into seekable frames (`spool`).
"""

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from blade.runs import spool

MAGICS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


class Reader(Protocol):
    """Random access to uncompressed bytes."""

    def read(self, offset: int, length: int) -> bytes: ...
    def read_into(self, buffer: memoryview, offset: int) -> int: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Source:
    """Where an artifact's bytes can be read: the file itself, or its spooled frames."""

    path: str
    size: int
    frames: str | None = None

    def open(self) -> "Reader":
        if self.frames:
            return spool.FrameReader(self.frames)
        return PlainReader(self.path if self.size else os.devnull)  # a file that is not there reads like an empty one


@dataclass(frozen=True)
class ByteRange:
    """A stretch of a source; a line belongs to the range that its first byte lies in."""

    source: Source
    start: int
    end: int


class PlainReader:
    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fill the buffer from the offset on, and say how far: fresh memory costs more than the reading."""
        filled = 0
        while filled < len(buffer) and (count := os.preadv(self._descriptor, [buffer[filled:]], offset + filled)):
            filled += count
        return filled

    def read(self, offset: int, length: int) -> bytes:
        return os.pread(self._descriptor, length, offset)

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Readers:
    """Open readers of many sources, the most recently used ones only: a run may have more shards than a process may open files."""

    def __init__(self, sources: dict[Any, Source], most: int = 32) -> None:
        self.sources = sources
        self._most = most
        self._open: OrderedDict[Any, Reader] = OrderedDict()

    def read(self, source: Any, offset: int, length: int) -> bytes:
        if source in self._open:
            self._open.move_to_end(source)
        else:
            self._open[source] = self.sources[source].open()
            if len(self._open) > self._most:
                self._open.popitem(last=False)[1].close()
        return self._open[source].read(offset, length)

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()


def compression(path: Path) -> str | None:
    """By its first bytes, never by its name."""
    with path.open("rb") as file:
        head = file.read(6)
    return next((name for magic, name in MAGICS.items() if head.startswith(magic)), None)


def text_chunks(path: Path) -> Iterator[bytes]:
    """A file's text in pieces, decompressed where it has to be."""
    kind = compression(path)
    if kind is not None:
        yield from spool.decompressed(path, kind)
        return
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            yield chunk


def first_bytes(path: Path, most: int) -> bytes:
    """The beginning of a file's text; what could be decompressed where the rest is damaged, empty where it cannot be read."""
    collected = bytearray()
    with suppress(OSError, spool.DamagedArchive):
        for chunk in text_chunks(path):
            collected += chunk
            if len(collected) >= most:
                break
    return bytes(collected[:most])


def whole_text(path: Path) -> bytes:
    """All of a small file's text; raises what reading it raises."""
    return b"".join(text_chunks(path))


def split(source: Source, range_bytes: int) -> Iterator[ByteRange]:
    """Ranges that cover a source; results never depend on where they are cut."""
    for start in range(0, max(source.size, 1), range_bytes):
        yield ByteRange(source, start, min(start + range_bytes, source.size))
