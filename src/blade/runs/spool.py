"""Compressed artifacts as seekable frames.

A gzip stream can only be read from its beginning. It is read once, cut into frames of equal uncompressed size, and each frame
is compressed on its own (zstd), so that any row can be read back, and ranges can be scanned side by side. A damaged or torn
archive gives what could be read before the damage, and says so.
"""

import bz2
import json
import lzma
import os
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FRAME_BYTES = 1 << 20
READ_BYTES = 1 << 18
CACHED_FRAMES = 4


class DamagedArchive(Exception):
    """The compressed stream ends early or is corrupt; what came before it was delivered."""


@dataclass(frozen=True)
class Spooled:
    """The outcome of spooling: the uncompressed size, and what was wrong with the archive."""

    size: int
    damage: str | None


def decompressed(path: Path, kind: str) -> Iterator[bytes]:
    """The text of an archive in pieces of bounded size; raises DamagedArchive after the last good byte."""
    new = _decompressor(kind)
    decompressor = new()
    started = False
    with path.open("rb") as file:
        while chunk := file.read(READ_BYTES):
            while chunk:
                if decompressor.eof:
                    chunk = chunk.lstrip(b"\0")  # gzip members may be padded
                    if not chunk:
                        break
                    decompressor, started = new(), False
                try:
                    text, chunk = decompressor.feed(chunk)
                except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError) as error:
                    raise DamagedArchive(f"corrupt {kind} data: {error}") from error
                started = True
                if text:
                    yield text
    if started and not decompressor.eof:
        raise DamagedArchive(f"the {kind} stream ends early")


class _Stream:
    """One decompressor behind one small interface: feed bytes, get text and what was left over."""

    def __init__(self, make: Callable[[], object], bounded: bool) -> None:
        self._inner = make()
        self._bounded = bounded
        self.eof = False

    def feed(self, chunk: bytes) -> tuple[bytes, bytes]:
        inner = self._inner
        if self._bounded:  # zlib hands back what exceeds the bound
            text = inner.decompress(chunk, FRAME_BYTES)  # type: ignore[attr-defined]
            rest = inner.unused_data or inner.unconsumed_tail  # type: ignore[attr-defined]
        else:
            text = inner.decompress(chunk)  # type: ignore[attr-defined]
            rest = inner.unused_data  # type: ignore[attr-defined]
        self.eof = bool(inner.eof)  # type: ignore[attr-defined]
        return text, rest


def _decompressor(kind: str) -> Callable[[], _Stream]:
    if kind == "gzip":
        return lambda: _Stream(lambda: zlib.decompressobj(31), bounded=True)
    if kind == "bzip2":
        return lambda: _Stream(bz2.BZ2Decompressor, bounded=False)
    if kind == "xz":
        return lambda: _Stream(lzma.LZMADecompressor, bounded=False)
    import zstandard

    return lambda: _Stream(lambda: zstandard.ZstdDecompressor().decompressobj(), bounded=False)


def spool(path: Path, kind: str, target: Path, advance: Callable[[int], None] = lambda _: None) -> Spooled:
    """Write `path` as frames into the directory `target` (made by the caller, moved into place by the caller)."""
    import zstandard

    compressor = zstandard.ZstdCompressor(level=1)
    starts = array("Q")
    size = 0
    damage: str | None = None
    buffer = bytearray()
    with open(target / "frames.zst", "wb", opener=_private) as out:

        def write(frame: bytes) -> None:
            starts.append(out.tell())
            out.write(compressor.compress(frame))

        try:
            for text in decompressed(path, kind):
                buffer += text
                size += len(text)
                advance(len(text))
                while len(buffer) >= FRAME_BYTES:
                    write(bytes(buffer[:FRAME_BYTES]))
                    del buffer[:FRAME_BYTES]
        except DamagedArchive as error:
            damage = str(error)
        if buffer:
            write(bytes(buffer))
        starts.append(out.tell())
    (target / "frames.idx").write_bytes(starts.tobytes())
    (target / "spool.json").write_text(json.dumps({"size": size, "damage": damage}))
    return Spooled(size, damage)


def read_spooled(directory: Path) -> Spooled | None:
    """The spool in this directory, or None where it is missing or incomplete."""
    try:
        meta = json.loads((directory / "spool.json").read_text())
        starts = array("Q")
        starts.frombytes((directory / "frames.idx").read_bytes())
        whole = (directory / "frames.zst").stat().st_size == starts[-1]
    except (OSError, ValueError, IndexError):
        return None
    return Spooled(meta["size"], meta["damage"]) if whole else None


class FrameReader:
    """Random access to spooled text; keeps the last few frames, so that reading in order decompresses each once."""

    def __init__(self, directory: str) -> None:
        import zstandard

        self._starts = array("Q")
        self._starts.frombytes((Path(directory) / "frames.idx").read_bytes())
        self._descriptor = os.open(Path(directory) / "frames.zst", os.O_RDONLY)
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._cache: OrderedDict[int, bytes] = OrderedDict()

    def _frame(self, number: int) -> bytes:
        if number not in self._cache:
            start, end = self._starts[number], self._starts[number + 1]
            self._cache[number] = self._decompress(os.pread(self._descriptor, end - start, start), max_output_size=FRAME_BYTES)
            if len(self._cache) > CACHED_FRAMES:
                self._cache.popitem(last=False)
        return self._cache[number]

    def read(self, offset: int, length: int) -> bytes:
        first, skip = divmod(offset, FRAME_BYTES)
        last = min((offset + length - 1) // FRAME_BYTES, len(self._starts) - 2)
        if length <= 0 or first > last:
            return b""
        if first == last:
            return self._frame(first)[skip : skip + length]
        return b"".join(self._frame(number) for number in range(first, last + 1))[skip : skip + length]

    def close(self) -> None:
        os.close(self._descriptor)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
