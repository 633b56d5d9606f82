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
from contextlib import suppress
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
    stream = STREAMS[kind]()
    started = False
    with path.open("rb") as file:
        while chunk := file.read(stream.read_bytes):
            while chunk or stream.holds_more:
                if stream.eof:
                    chunk = chunk.lstrip(b"\0")  # gzip members may be padded
                    if not chunk:
                        break
                    stream, started = STREAMS[kind](), False
                try:
                    text, chunk = stream.feed(chunk)
                except stream.errors as error:
                    if saved := stream.salvaged(chunk):
                        yield saved
                    raise DamagedArchive(f"corrupt {kind} data: {error}") from error
                started = True
                if text:
                    yield text
    if started and not stream.eof:
        raise DamagedArchive(f"the {kind} stream ends early")


class _Gzip:
    """One decompressor behind one small interface: feed bytes, get at most about a frame of text and what was left over."""

    read_bytes = READ_BYTES
    errors: tuple[type[Exception], ...] = (zlib.error,)
    holds_more = False

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)
        self._before = self._inner
        self.eof = False

    def feed(self, chunk: bytes) -> tuple[bytes, bytes]:
        self._before = self._inner.copy()
        text = self._inner.decompress(chunk, FRAME_BYTES)
        self.eof = self._inner.eof
        return text, self._inner.unused_data or self._inner.unconsumed_tail

    def salvaged(self, chunk: bytes) -> bytes:
        """The text before the byte that broke the last feed, which would be lost with it."""
        text = bytearray()
        with suppress(zlib.error):
            for byte in chunk:
                text += self._before.decompress(bytes([byte]))
        return bytes(text)


class _Blocks:
    """bzip2 and xz: their decompressors keep what exceeds the bound."""

    read_bytes = READ_BYTES
    errors: tuple[type[Exception], ...] = (OSError, ValueError, EOFError, lzma.LZMAError)

    def __init__(self, inner: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._inner = inner
        self.eof = self.holds_more = False

    def feed(self, chunk: bytes) -> tuple[bytes, bytes]:
        text = self._inner.decompress(chunk, FRAME_BYTES)
        self.eof = self._inner.eof
        self.holds_more = not self.eof and not self._inner.needs_input
        return text, self._inner.unused_data

    def salvaged(self, chunk: bytes) -> bytes:
        return b""


class _Zstd:
    """Has no bound of its own: four bytes can stand for 128 KiB, so it is fed little by little."""

    read_bytes = 1 << 9
    holds_more = False

    def __init__(self) -> None:
        import zstandard

        self.errors: tuple[type[Exception], ...] = (zstandard.ZstdError,)
        self._inner = zstandard.ZstdDecompressor().decompressobj()
        self.eof = False

    def feed(self, chunk: bytes) -> tuple[bytes, bytes]:
        text = self._inner.decompress(chunk)
        self.eof = self._inner.eof
        return text, self._inner.unused_data

    def salvaged(self, chunk: bytes) -> bytes:
        return b""


STREAMS: dict[str, Callable[[], _Gzip | _Blocks | _Zstd]] = {
    "gzip": _Gzip,
    "bzip2": lambda: _Blocks(bz2.BZ2Decompressor()),
    "xz": lambda: _Blocks(lzma.LZMADecompressor()),
    "zstd": _Zstd,
}


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

    def read_into(self, buffer: memoryview, offset: int) -> int:
        content = self.read(offset, len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        os.close(self._descriptor)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
