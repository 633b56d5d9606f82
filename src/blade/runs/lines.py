"""A byte range as lines, with their offsets.

A line belongs to the range in which its first byte lies, so ranges can be cut anywhere. Memory is bounded: a line over the
limit is not kept, it is passed over and reported with its length.
"""

from collections.abc import Iterator
from typing import NamedTuple

from blade.runs.sources import ByteRange, Reader
from blade.untrusted.limits import max_line_bytes

CHUNK_BYTES = 1 << 21
BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    offset: int
    text: bytes | None  # None: longer than the limit
    length: int
    terminated: bool  # False: the file ends here without a newline


def lines(reader: Reader, piece: ByteRange) -> Iterator[Line]:
    """The lines whose first byte lies in the range."""
    limit = max_line_bytes()
    first = _first_line_start(reader, piece)
    if first is None:
        return
    position = first
    carry = b""
    start = position  # where the line in `carry` begins
    skipping = 0  # bytes of an oversized line passed over so far
    while start < piece.end or carry or skipping:
        chunk = reader.read(position, CHUNK_BYTES)
        if not chunk:
            break
        position += len(chunk)
        parts = chunk.split(b"\n")
        tail = parts.pop()
        for part in parts:
            if skipping:
                skipping += len(part)
                yield Line(start, None, skipping, True)
                start += skipping + 1
                skipping = 0
            else:
                text = carry + part if carry else part
                yield Line(start, text if len(text) <= limit else None, len(text), True)
                start += len(text) + 1
                carry = b""
            if start >= piece.end:
                return
        if skipping:
            skipping += len(tail)
        elif len(carry) + len(tail) > limit:
            skipping = len(carry) + len(tail)
            carry = b""
        else:
            carry = carry + tail if carry else tail
    if skipping:
        yield Line(start, None, skipping, False)
    elif carry and start < piece.end:
        yield Line(start, carry, len(carry), False)


def _first_line_start(reader: Reader, piece: ByteRange) -> int | None:
    """Where the first line that begins in the range begins; None when no line does."""
    if piece.start == 0 or reader.read(piece.start - 1, 1) == b"\n":
        return piece.start
    position = piece.start
    while position < piece.end:
        chunk = reader.read(position, min(CHUNK_BYTES, piece.end - position))
        if not chunk:
            return None
        found = chunk.find(b"\n")
        if found >= 0:
            after = position + found + 1
            return after if after < piece.end else None
        position += len(chunk)
    return None
