"""The bytes of an artifact, whatever it is compressed with, by offset.

A `Source` is small and picklable: workers open it themselves. Offsets are always those of the uncompressed text. A plain file
is read where it lies; a compressed one was spooled once into seekable frames (`spool`).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from blade.runs import spool

MAGICS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


class Reader(Protocol):
    """Random access to uncompressed bytes."""

    def read(self, offset: int, length: int) -> bytes: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Source:
    """Where an artifact's bytes can be read: the file itself, or its spooled frames."""

    path: str
    size: int
    frames: str | None = None

    def open(self) -> "Reader":
        return spool.FrameReader(self.frames) if self.frames else PlainReader(self.path)


@dataclass(frozen=True)
class ByteRange:
    """A stretch of a source; a line belongs to the range that its first byte lies in."""

    source: Source
    start: int
    end: int


class PlainReader:
    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)

    def read(self, offset: int, length: int) -> bytes:
        return os.pread(self._descriptor, length, offset)

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def compression(path: Path) -> str | None:
    """By its first bytes, never by its name."""
    with path.open("rb") as file:
        head = file.read(6)
    return next((name for magic, name in MAGICS.items() if head.startswith(magic)), None)


def first_bytes(path: Path, most: int) -> bytes:
    """The beginning of a file's text; what could be decompressed where the rest is damaged, empty where it cannot be read."""
    try:
        kind = compression(path)
        if kind is None:
            with path.open("rb") as file:
                return file.read(most)
        collected = bytearray()
        for chunk in spool.decompressed(path, kind):
            collected += chunk
            if len(collected) >= most:
                break
        return bytes(collected[:most])
    except (OSError, spool.DamagedArchive):
        return b""


def whole_text(path: Path) -> bytes:
    """All of a small file's text, decompressed; raises what reading it raises."""
    kind = compression(path)
    return path.read_bytes() if kind is None else b"".join(spool.decompressed(path, kind))


def split(source: Source, range_bytes: int) -> Iterator[ByteRange]:
    """Ranges that cover a source; results never depend on where they are cut."""
    for start in range(0, max(source.size, 1), range_bytes):
        yield ByteRange(source, start, min(start + range_bytes, source.size))
