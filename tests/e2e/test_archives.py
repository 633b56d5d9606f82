"""Compressed runs, whole and damaged: the kind is seen from the first bytes, and what came before the damage is read."""

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.e2e.support import blade, blade_peak, codes, counts, inspect, lines_of, refused, row

NOISE = random.Random(7)
ROWS = [row(number // 2, number % 2, number % 3 == 0, note=NOISE.randbytes(200).hex()) for number in range(1_500)]
TEXT = lines_of(ROWS)
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda text: gzip.compress(text, 1),
    ".zst": zstandard.ZstdCompressor(level=1, write_checksum=True).compress,
    ".bz2": lambda text: bz2.compress(text, 1),
    ".xz": lambda text: lzma.compress(text, preset=0),
}
kinds = pytest.mark.parametrize("kind", COMPRESS)
PASSED = sum(number % 3 == 0 for number in range(1_500))
WHOLE = {
    "lines": 1_500,
    "rows": 1_500,
    "scored": 1_500,
    "expected": 1_500,
    "passed": PASSED,
    "failed": 1_500 - PASSED,
    "attempts": 1_500,
}


@kinds
def test_a_compressed_run_equals_the_plain_one(tmp_path: Path, kind: str) -> None:
    packed, plain = tmp_path / f"r.jsonl{kind}", tmp_path / "plain" / "r.jsonl"
    packed.write_bytes(COMPRESS[kind](TEXT))
    plain.parent.mkdir()
    plain.write_bytes(TEXT)
    a, b = inspect(packed), inspect(plain)
    assert counts(a) == counts(b) == WHOLE
    assert a["metrics"] == b["metrics"]
    assert a["run"]["bytes"] == b["run"]["bytes"] == len(TEXT)
    assert "answer 749 1" in blade("show", packed, "749:1").out


@kinds
def test_the_name_does_not_decide_what_a_file_is(tmp_path: Path, kind: str) -> None:
    (tmp_path / "r.jsonl").write_bytes(COMPRESS[kind](TEXT))
    assert counts(inspect(tmp_path / "r.jsonl")) == WHOLE
    (tmp_path / f"plain.jsonl{kind}").write_bytes(TEXT)
    assert counts(inspect(tmp_path / f"plain.jsonl{kind}")) == WHOLE


@kinds
def test_a_truncated_archive_gives_what_came_before_and_says_so(tmp_path: Path, kind: str) -> None:
    packed = COMPRESS[kind](TEXT)
    (tmp_path / f"r.jsonl{kind}").write_bytes(packed[: len(packed) * 2 // 3])
    found = inspect(tmp_path / f"r.jsonl{kind}")
    assert 0 < found["denominator"]["rows"] < 1_500
    assert "damaged_archive" in codes(found)
    assert found["denominator"]["malformed"] <= 1
    [rollouts] = [item for item in found["inventory"] if item["kind"] == "rollouts"]
    assert rollouts["note"]
    assert codes(inspect(tmp_path / f"r.jsonl{kind}")) == codes(found), "the second look says it too"


@kinds
def test_a_corrupt_archive_gives_what_came_before_and_says_so(tmp_path: Path, kind: str) -> None:
    packed = COMPRESS[kind](TEXT)
    middle = len(packed) // 2
    (tmp_path / "r.jsonl").write_bytes(
        packed[:middle] + bytes(byte ^ 0x5A for byte in packed[middle : middle + 5_000]) + packed[middle + 5_000 :]
    )
    result = blade("inspect", tmp_path / "r.jsonl", "--json")
    assert result.code in (0, 2)
    assert "damaged_archive" in [problem["code"] for problem in result.json["problems"]]


@kinds
@pytest.mark.parametrize("size", [6, 12, 20])
def test_an_archive_of_a_few_bytes_is_refused(tmp_path: Path, kind: str, size: int) -> None:
    (tmp_path / "r.jsonl").write_bytes(COMPRESS[kind](TEXT)[:size])
    assert str(tmp_path / "r.jsonl") in refused(tmp_path / "r.jsonl")


@kinds
def test_an_archive_of_nothing_is_empty(tmp_path: Path, kind: str) -> None:
    (tmp_path / "r.jsonl").write_bytes(COMPRESS[kind](b""))
    assert "empty" in refused(tmp_path / "r.jsonl")


@kinds
def test_members_one_after_another_are_one_text(tmp_path: Path, kind: str) -> None:
    """Cut inside a row, as a rotating or appending writer leaves it."""
    cut = len(TEXT) // 2 + 17
    (tmp_path / "r.jsonl").write_bytes(COMPRESS[kind](TEXT[:cut]) + COMPRESS[kind](TEXT[cut:]))
    assert counts(inspect(tmp_path / "r.jsonl")) == WHOLE


@kinds
def test_garbage_after_an_archive_costs_no_row(tmp_path: Path, kind: str) -> None:
    (tmp_path / "r.jsonl").write_bytes(COMPRESS[kind](TEXT) + b"garbage, and more of it")
    found = inspect(tmp_path / "r.jsonl")
    assert counts(found) == WHOLE
    assert codes(found) == ["damaged_archive"]


def test_zero_padding_after_gzip_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(TEXT, 1) + b"\0" * 4_096)
    found = inspect(tmp_path / "r.jsonl.gz")
    assert counts(found) == WHOLE
    assert codes(found) == []


@kinds
def test_a_bomb_is_unpacked_in_bounded_memory(tmp_path: Path, kind: str) -> None:
    """Little in the archive, 192 MiB out of it: one endless line, passed over; the rows around it are read."""
    bomb = tmp_path / f"r.jsonl{kind}"
    zeros = COMPRESS[kind](b"0" * (16 << 20))
    bomb.write_bytes(COMPRESS[kind](lines_of([row(0)])) + zeros * 12 + COMPRESS[kind](b"\n" + lines_of([row(1)])))
    result, peak = blade_peak("inspect", bomb, "--json")
    found = result.json
    assert counts(found)["scored"] == 2
    assert codes(found) == ["line_too_long"]
    assert peak < 300, peak
