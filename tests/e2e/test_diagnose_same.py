"""The same run gives the same bytes: twice, cold and warm, without an index, and whatever the number of processes."""

from pathlib import Path

import pytest

from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.support import blade, blade_process

FILES = ("report.md", "diagnosis.json", "ledger.jsonl")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return write_example(build(tasks=14), tmp_path / "example")


def written(run: Path, folder: Path, *options: object) -> dict[str, bytes]:
    result = blade("diagnose", run, "--out", folder, *options)
    assert result.code == 0, result.err
    return {name: (folder / name).read_bytes() for name in FILES}


def test_whatever_way_it_was_read(example: Path, tmp_path: Path, cache: Path) -> None:
    cold = written(example, tmp_path / "cold")
    assert list(cache.rglob("diagnosis.json"))
    ways: dict[str, tuple[object, ...]] = {
        "warm": (),
        "no index": ("--no-index",),
        "one worker": ("--workers", 1, "--no-index"),
        "two workers": ("--workers", 2, "--index-dir", tmp_path / "other"),
    }
    for number, (way, options) in enumerate(ways.items()):
        assert written(example, tmp_path / str(number), *options) == cold, way


def test_tasks_read_in_worker_processes_are_the_same(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only long runs are worth workers: here a run is long from ten rollouts on, and a batch has eight."""
    alone = written(example, tmp_path / "alone", "--workers", 1, "--no-index")
    monkeypatch.setattr("blade.diagnosis.reading.MANY_ROLLOUTS", 10)
    monkeypatch.setattr("blade.diagnosis.reading.BATCH_ROLLOUTS", 8)
    assert written(example, tmp_path / "together", "--workers", 2, "--no-index") == alone


def test_another_process_with_another_hash_seed_prints_the_same(example: Path) -> None:
    printed = [
        blade_process("diagnose", example, "--json", "--workers", 1, "--no-index", env={"PYTHONHASHSEED": seed}).out
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] == blade("diagnose", example, "--json").out


def test_the_order_of_the_rows_changes_no_cause(example: Path, tmp_path: Path) -> None:
    first = blade("diagnose", example, "--json").json
    lines = example.read_bytes().splitlines(keepends=True)
    turned = tmp_path / "turned" / example.name
    turned.parent.mkdir()
    turned.write_bytes(b"".join(reversed(lines)))
    second = blade("diagnose", turned, "--json").json
    assert {task["task"]: task["cause"]["label"] for task in first["tasks"] if task["cause"]} == {
        task["task"]: task["cause"]["label"] for task in second["tasks"] if task["cause"]
    }
    assert {mode["id"]: mode["rollouts"] for mode in first["modes"]} == {mode["id"]: mode["rollouts"] for mode in second["modes"]}
    assert first["metrics"]["pass_at_1"]["value"] == pytest.approx(second["metrics"]["pass_at_1"]["value"])


def test_a_second_diagnosis_adds_nothing_to_the_ledger(example: Path, tmp_path: Path) -> None:
    first = written(example, tmp_path / "out")
    assert first["ledger.jsonl"]
    assert written(example, tmp_path / "out") == first


@pytest.mark.parametrize("broken", [b"{torn\n", b'{"schema": "other"}\n', b"3\n"])
def test_a_ledger_with_a_broken_line_stops_it_before_anything_is_written(example: Path, tmp_path: Path, broken: bytes) -> None:
    folder = tmp_path / "out"
    first = written(example, folder)
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(broken + first["ledger.jsonl"])
    for name in ("report.md", "diagnosis.json"):
        (folder / name).write_text("as it was")
    result = blade("diagnose", example, "--out", folder)
    assert result.code == 2
    assert f"{ledger}, line 1" in result.err or f"{ledger}:1" in result.err, result.err
    assert ledger.read_bytes() == broken + first["ledger.jsonl"]
    assert {(folder / name).read_text() for name in ("report.md", "diagnosis.json")} == {"as it was"}


def test_another_threshold_is_another_diagnosis(example: Path, tmp_path: Path) -> None:
    first = written(example, tmp_path / "a")
    assert written(example, tmp_path / "b", "--pass-threshold", 2) != first
    assert written(example, tmp_path / "c") == first


def test_a_changed_run_is_diagnosed_anew(example: Path) -> None:
    before = blade("diagnose", example, "--json").json["denominator"]
    text = example.read_bytes()
    example.write_bytes(text.replace(b'"reward":1.0', b'"reward":0.0', 1))
    after = blade("diagnose", example, "--json").json["denominator"]
    assert (after["passed"], after["failed"]) == (before["passed"] - 1, before["failed"] + 1)
