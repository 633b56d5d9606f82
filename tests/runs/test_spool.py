import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs import spool as module
from blade.runs.spool import DamagedArchive, FrameReader, Spooled, decompressed, read_spooled, spool

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda text: zstandard.ZstdCompressor(write_checksum=True).compress(text),
}
TEXT = b"".join(b'{"line": %d, "reward": 1}\n' % (number * 7919 % 100_003) for number in range(20_000))


def spooled(packed: bytes, kind: str, directory: Path) -> Spooled:
    (directory / "archive").write_bytes(packed)
    target = directory / "frames"
    target.mkdir()
    made = spool(directory / "archive", kind, target)
    assert read_spooled(target) == made
    return made


def read_all(directory: Path, size: int) -> bytes:
    reader = FrameReader(str(directory / "frames"))
    try:
        return reader.read(0, size)
    finally:
        reader.close()


@settings(max_examples=60)
@given(
    text=st.binary(max_size=300),
    kind=st.sampled_from(sorted(PACKERS)),
    frame=st.integers(1, 64),
    slices=st.lists(st.tuples(st.integers(0, 320), st.integers(0, 320)), max_size=12),
)
def test_any_slice_of_a_spooled_archive_is_that_slice_of_its_text(
    text: bytes, kind: str, frame: int, slices: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as name, mock.patch.object(module, "FRAME_BYTES", frame):
        directory = Path(name)
        assert spooled(PACKERS[kind](text), kind, directory) == Spooled(len(text), None)
        reader = FrameReader(str(directory / "frames"))
        for offset, length in slices:
            assert reader.read(offset, length) == text[offset : offset + length]
        reader.close()


@pytest.mark.parametrize("kind", PACKERS)
def test_members_that_follow_each_other_are_one_text(tmp_path: Path, kind: str) -> None:
    """What `cat a.gz b.gz` gives."""
    packed = PACKERS[kind](b"first\n") + PACKERS[kind](b"") + PACKERS[kind](b"second\n")
    assert spooled(packed, kind, tmp_path) == Spooled(13, None)
    assert read_all(tmp_path, 99) == b"first\nsecond\n"


def test_gzip_members_may_be_padded_with_zeros(tmp_path: Path) -> None:
    assert spooled(gzip.compress(b"a\n") + b"\0" * 512, "gzip", tmp_path) == Spooled(2, None)


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("kept", [0.5, 0.9])
def test_a_torn_archive_gives_the_text_before_the_tear_and_says_so(tmp_path: Path, kind: str, kept: float) -> None:
    packed = PACKERS[kind](TEXT)
    made = spooled(packed[: int(len(packed) * kept)], kind, tmp_path)
    assert made.damage is not None
    assert "ends early" in made.damage
    assert read_all(tmp_path, len(TEXT)) == TEXT[: made.size]
    least = 0 if kind == "bzip2" else 0.6 * kept * len(TEXT)  # bzip2 gives whole blocks of 900 kB only
    assert made.size >= least


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("where", [0.3, 0.7, 0.98])
def test_a_corrupt_archive_never_gives_a_text_that_was_not_there_before_the_damage(
    tmp_path: Path, kind: str, where: float
) -> None:
    packed = bytearray(PACKERS[kind](TEXT))
    place = int(len(packed) * where)
    packed[place : place + 8] = b"\xff\x00\xff\x00\xff\x00\xff\x00"
    made = spooled(bytes(packed), kind, tmp_path)
    assert made.damage is not None
    assert kind in made.damage
    found = read_all(tmp_path, made.size)
    before = int(len(TEXT) * where * 0.9)  # what stood well before the damage is as it was
    assert found[:before] == TEXT[: min(before, made.size)]


def test_a_wrong_checksum_at_the_end_of_gzip_costs_no_text(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-6] ^= 0xFF
    made = spooled(bytes(packed), "gzip", tmp_path)
    assert made.damage is not None
    assert read_all(tmp_path, made.size) == TEXT


def test_rubbish_after_a_member_costs_nothing_of_the_member(tmp_path: Path) -> None:
    made = spooled(gzip.compress(b"row\n") + b"rubbish", "gzip", tmp_path)
    assert (made.size, made.damage is not None) == (4, True)
    assert read_all(tmp_path, 10) == b"row\n"


@pytest.mark.parametrize("kind", PACKERS)
def test_pieces_stay_small_however_much_an_archive_swells(tmp_path: Path, kind: str) -> None:
    """A few kilobytes that unpack to 24 MB must not be held in memory at once."""
    path = tmp_path / "bomb"
    path.write_bytes(PACKERS[kind](b"\n" * (24 << 20)))
    assert max(len(piece) for piece in decompressed(path, kind)) <= 16 << 20


def test_damage_is_raised_after_the_last_good_piece(tmp_path: Path) -> None:
    path = tmp_path / "torn.gz"
    path.write_bytes(gzip.compress(TEXT)[:-2000])
    pieces: list[bytes] = []
    with pytest.raises(DamagedArchive):
        pieces.extend(decompressed(path, "gzip"))
    assert len(b"".join(pieces)) > len(TEXT) // 2
    assert TEXT.startswith(b"".join(pieces))


@pytest.mark.parametrize("missing", ["spool.json", "frames.idx", "frames.zst"])
def test_an_incomplete_spool_is_no_spool(tmp_path: Path, missing: str) -> None:
    spooled(gzip.compress(TEXT), "gzip", tmp_path)
    (tmp_path / "frames" / missing).unlink()
    assert read_spooled(tmp_path / "frames") is None


def test_a_cut_spool_is_no_spool(tmp_path: Path) -> None:
    spooled(gzip.compress(TEXT), "gzip", tmp_path)
    frames = tmp_path / "frames" / "frames.zst"
    frames.write_bytes(frames.read_bytes()[:-1])
    assert read_spooled(tmp_path / "frames") is None


def test_progress_counts_the_unpacked_bytes(tmp_path: Path) -> None:
    told: list[int] = []
    (tmp_path / "archive").write_bytes(gzip.compress(TEXT))
    spool(tmp_path / "archive", "gzip", tmp_path, told.append)
    assert sum(told) == len(TEXT)
