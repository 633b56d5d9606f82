import bz2
import gzip
import lzma
import pickle
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from blade.runs.sources import ByteRange, PlainReader, Source, compression, first_bytes, split

PACKERS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda text: zstandard.ZstdCompressor().compress(text),
}


@pytest.mark.parametrize("kind", PACKERS)
def test_compression_is_known_by_the_first_bytes_whatever_the_name(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_bytes(PACKERS[kind](b'{"a": 1}\n'))
    assert compression(path) == kind
    assert first_bytes(path, 100) == b'{"a": 1}\n'
    assert first_bytes(path, 3) == b'{"a'


@pytest.mark.parametrize("text", [b"", b"{", b"BZ", b"\x1f", b'{"reward": 1}'])
def test_anything_else_is_plain_even_under_a_compressed_name(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    path.write_bytes(text)
    assert compression(path) is None
    assert first_bytes(path, 100) == text


def test_first_bytes_of_what_cannot_be_read_are_none_at_all(tmp_path: Path) -> None:
    assert first_bytes(tmp_path / "absent.jsonl", 10) == b""
    assert first_bytes(tmp_path, 10) == b""


@pytest.mark.parametrize("kind", PACKERS)
def test_first_bytes_of_a_torn_archive_are_what_came_before_the_tear(tmp_path: Path, kind: str) -> None:
    text = b"".join(b'{"line": %d}\n' % (number * 7919 % 100_003) for number in range(60_000))
    packed = PACKERS[kind](text)
    path = tmp_path / "torn"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    found = first_bytes(path, len(text))
    assert text.startswith(found)


@given(size=st.integers(0, 1000), step=st.integers(1, 300))
def test_ranges_cover_a_source_without_gap_or_overlap(size: int, step: int) -> None:
    source = Source("x", size)
    pieces = list(split(source, step))
    assert pieces[0].start == 0
    assert pieces[-1].end == size
    assert all(before.end == after.start for before, after in pairwise(pieces))
    assert all(0 < piece.end - piece.start <= step for piece in pieces) or (size == 0 and pieces == [ByteRange(source, 0, 0)])


def test_a_source_travels_between_processes() -> None:
    piece = ByteRange(Source("/a", 10, "/frames"), 2, 7)
    assert pickle.loads(pickle.dumps(piece)) == piece


def test_a_plain_reader_reads_slices(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(bytes(range(200)))
    with PlainReader(str(path)) as reader:
        assert reader.read(0, 3) == bytes([0, 1, 2])
        assert reader.read(198, 10) == bytes([198, 199])
        assert reader.read(500, 10) == b""
