from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs import lines as module
from blade.runs.lines import Line, batches, lines
from blade.runs.sources import ByteRange, Source


class Memory:
    """A reader over bytes in memory."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self, offset: int, length: int) -> bytes:
        return self.content[offset : offset + length]

    def read_into(self, buffer: memoryview, offset: int) -> int:
        found = self.read(offset, len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None: ...


def lines_of(content: bytes, cuts: list[int], chunk: int, limit: int) -> list[Line]:
    source = Source("memory", len(content))
    edges = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    with mock.patch.object(module, "CHUNK_BYTES", chunk), mock.patch.object(module, "max_line_bytes", return_value=limit):
        pieces = [ByteRange(source, start, end) for start, end in pairwise(edges)]
        return [kept(line) for piece in pieces for line in lines(Memory(content), piece)]


def kept(line: Line) -> Line:
    """A line that outlives the next range: its text is a view into memory that is used again."""
    return line._replace(text=None if line.text is None else bytes(line.text))


def expected_lines(content: bytes, limit: int) -> list[Line]:
    """One character at a time: offset, text unless too long, length, and whether a newline ended it."""
    found: list[Line] = []
    start = 0
    for position, byte in enumerate(content):
        if byte == 10:
            text = content[start:position]
            found.append(Line(start, text if len(text) <= limit else None, len(text), True))
            start = position + 1
    if start < len(content):
        rest = content[start:]
        found.append(Line(start, rest if len(rest) <= limit else None, len(rest), False))
    return found


content = st.lists(st.sampled_from([b"\n", b"a", b"bc", b"\r\n", b"\x00", b"\xff\xfe", b"x" * 9]), max_size=30).map(b"".join)


@settings(max_examples=300)
@given(content=content, cuts=st.lists(st.integers(0, 120), max_size=6), chunk=st.integers(1, 40), limit=st.integers(1, 30))
def test_ranges_give_the_lines_of_the_whole_wherever_they_are_cut(
    content: bytes, cuts: list[int], chunk: int, limit: int
) -> None:
    assert lines_of(content, cuts, chunk, limit) == expected_lines(content, limit)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", [Line(0, b"", 0, True)]),
        (b"a", [Line(0, b"a", 1, False)]),
        (b"a\n", [Line(0, b"a", 1, True)]),
        (b"a\r\nb", [Line(0, b"a\r", 2, True), Line(3, b"b", 1, False)]),
        (b"\n\na", [Line(0, b"", 0, True), Line(1, b"", 0, True), Line(2, b"a", 1, False)]),
        (b"12345\n1234\n123456", [Line(0, None, 5, True), Line(6, b"1234", 4, True), Line(11, None, 6, False)]),
    ],
)
def test_lines_by_hand_with_a_limit_of_four(content: bytes, expected: list[Line]) -> None:
    assert lines_of(content, [], 3, 4) == expected


def test_a_line_far_over_the_limit_is_passed_over_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 100_000 + b"\n[]\n")
    source = Source(str(path), path.stat().st_size)
    with mock.patch.object(module, "CHUNK_BYTES", 1000), mock.patch.object(module, "max_line_bytes", return_value=5000):
        found = list(lines(source.open(), ByteRange(source, 0, source.size)))
    assert found == [Line(0, b"{}", 2, True), Line(3, None, 100_000, True), Line(100_004, b"[]", 2, True)]


@given(content, st.integers(1, 4), st.integers(1, 30))
def test_batches_are_the_lines_some_at_a_time_and_stay_as_they_are_while_others_are_read(
    content: bytes, rows: int, size: int
) -> None:
    piece = ByteRange(Source("memory", len(content)), 0, len(content))
    other = b"z" * max(len(content), 1)
    found: list[list[Line]] = []
    for batch in batches(Memory(content), piece, rows, size):
        assert list(lines(Memory(other), ByteRange(Source("other", len(other)), 0, len(other))))
        found.append([kept(line) for line in batch])
    assert [line for batch in found for line in batch] == lines_of(content, [], 100, 1_000)
    assert all(len(batch) <= rows and sum(line.length for line in batch[:-1]) < size for batch in found)
