"""A byte range as lines, with their offsets.

A line belongs to the range in which its first byte lies, so ranges can be cut anywhere. The range is read at once and its lines
are views into it; only a line that runs on past its end is read further. Memory is bounded: a line over the limit is not
kept, it is passed over and reported with its length.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from blade.runs.sources import ByteRange, Reader
from blade.untrusted.limits import max_line_bytes

CHUNK_BYTES = 1 << 20
BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    offset: int
    text: bytes | memoryview | None  # None: longer than the limit
    length: int
    terminated: bool  # False: the file ends here without a newline


_buffer = bytearray()


def lines(reader: Reader, piece: ByteRange) -> Iterator[Line]:
    """The lines whose first byte lies in the range. They are views into memory that the next call uses again."""
    with _read(reader, piece) as (content, length_read):
        yield from _lines(reader, piece, content, length_read, max_line_bytes())


def batches(reader: Reader, piece: ByteRange, rows: int, size: int) -> Iterator[list[Line]]:
    """The same lines, so many at a time, or fewer of so many bytes. The memory is held until the last of them have been looked at."""
    with _read(reader, piece) as (content, length_read):
        batch: list[Line] = []
        held = 0
        for line in _lines(reader, piece, content, length_read, max_line_bytes()):
            batch.append(line)
            held += line.length
            if len(batch) >= rows or held >= size:
                yield batch
                batch, held = [], 0
        if batch:
            yield batch


@contextmanager
def _read(reader: Reader, piece: ByteRange) -> Iterator[tuple[bytearray, int]]:
    """The bytes of a range, in memory that nobody else has while it is in use, and how many there are."""
    global _buffer  # one per process: fresh memory for each range costs as much as decoding it
    content, _buffer = _buffer, bytearray()
    if len(content) < piece.end - piece.start:
        content = bytearray(piece.end - piece.start)
    length_read = reader.read_into(memoryview(content)[: piece.end - piece.start], piece.start)
    try:
        yield content, length_read
    finally:
        _buffer = content


def _lines(reader: Reader, piece: ByteRange, content: bytearray, end: int, limit: int) -> Iterator[Line]:
    view = memoryview(content)
    position = _first_line_start(reader, piece, content, end)
    while 0 <= position < end:
        newline = content.find(b"\n", position, end)
        if newline < 0:
            yield _line_past_the_end(reader, piece.start + position, bytes(view[position:end]), limit)
            return
        length = newline - position
        yield Line(piece.start + position, view[position:newline] if length <= limit else None, length, True)
        position = newline + 1


def _first_line_start(reader: Reader, piece: ByteRange, content: bytearray, end: int) -> int:
    """Where in the content the first line that begins in the range begins; its length when no line does."""
    if piece.start == 0 or reader.read(piece.start - 1, 1) == b"\n":
        return 0
    newline = content.find(b"\n", 0, end)
    return end if newline < 0 else newline + 1


def _line_past_the_end(reader: Reader, offset: int, beginning: bytes, limit: int) -> Line:
    """A line whose end lies beyond the range, or that the file ends in."""
    pieces: list[bytes] | None = [beginning]
    length = len(beginning)
    while chunk := reader.read(offset + length, CHUNK_BYTES):
        newline = chunk.find(b"\n")
        part = chunk if newline < 0 else chunk[:newline]
        length += len(part)
        if length > limit:
            pieces = None
        elif pieces is not None:
            pieces.append(part)
        if newline >= 0:
            return Line(offset, _joined(pieces), length, True)
    return Line(offset, _joined(pieces) if length <= limit else None, length, False)


def _joined(pieces: list[bytes] | None) -> bytes | None:
    return None if pieces is None else b"".join(pieces)
