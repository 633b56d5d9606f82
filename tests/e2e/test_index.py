"""The index: never trusted when anything has changed, never in the way when it cannot be kept."""

import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.support import blade, blade_process, counts, inspect, row, sql, without_root_powers, write


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run" / "r.jsonl", [row(task, repeat, repeat) for task in range(3) for repeat in range(2)])


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def entries(cache: Path) -> list[Path]:
    return sorted((cache / "runs").iterdir())


def test_the_second_look_gives_the_same_from_the_index(run: Path, cache: Path) -> None:
    first = inspect(run)
    before = {path: path.stat().st_ino for path in files_below(cache)}
    assert before
    assert inspect(run) == first
    assert {path: path.stat().st_ino for path in files_below(cache)} == before, "nothing is built twice"


def test_nothing_is_written_beside_the_run(run: Path) -> None:
    before = files_below(run.parent)
    for command in (("inspect", run), ("show", run, "0:0"), ("sql", run, "SELECT 1")):
        blade(*command)
    assert files_below(run.parent) == before


@pytest.mark.parametrize("how", ["appended", "rewritten", "same size", "same size and time", "replaced", "cut"])
def test_a_changed_file_is_read_again(run: Path, how: str) -> None:
    assert counts(inspect(run))["passed"] == 3
    text, stat = run.read_bytes(), run.stat()
    if how == "appended":
        with run.open("ab") as file:
            file.write(json.dumps(row(9)).encode() + b"\n")
    elif how == "cut":
        os.truncate(run, len(text) - 5)
    elif how == "replaced":
        other = write(run.parent.parent / "other.jsonl", [row(0, 0, 0)])
        os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        other.replace(run)
    else:
        changed = text.replace(b'"reward": 1', b'"reward": 0')
        run.write_bytes(changed if how != "rewritten" else changed + b"\n\n")
        assert how == "rewritten" or len(changed) == len(text)
        if how == "same size and time":
            os.utime(run, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    passed = {"appended": 4, "cut": 2}.get(how, 0)
    assert inspect(run)["denominator"]["passed"] == passed
    shown = blade("show", run, "0:0", "--json")
    assert shown.json["reward"] == 0.0


def test_a_sidecar_that_appears_changes_or_goes_is_noticed(run: Path) -> None:
    assert inspect(run)["denominator"]["missing"] == 0
    inputs = run.with_name("r_materialized_inputs.jsonl")
    write(inputs, [row(task, repeat, ..., response=...) for task in range(4) for repeat in range(2)])
    assert inspect(run)["denominator"]["missing"] == 2
    write(inputs, [row(task, repeat, ..., response=...) for task in range(5) for repeat in range(2)])
    assert inspect(run)["denominator"]["missing"] == 4
    failures = write(run.with_name("r_failures.jsonl"), [row(4, 0, 0, _ng_failure_class="x")])
    assert (inspect(run)["denominator"]["errored"], inspect(run)["denominator"]["missing"]) == (1, 3)
    failures.unlink()
    inputs.unlink()
    assert inspect(run)["denominator"]["missing"] == 0


def test_a_new_file_in_the_directory_is_noticed(run: Path) -> None:
    assert inspect(run.parent)["denominator"]["rows"] == 6
    write(run.with_name("s.jsonl"), [row(7)])
    assert inspect(run.parent)["denominator"]["rows"] == 7


def test_options_have_entries_of_their_own(run: Path) -> None:
    assert inspect(run)["denominator"]["expected"] == 6
    assert inspect(run, "--repeats", 5)["denominator"]["expected"] == 15
    assert inspect(run, "--task-field", "prompt")["identity"]["inferred"]
    assert inspect(run)["denominator"]["expected"] == 6


DAMAGE = (
    "truncated",
    "deleted",
    "emptied",
    "garbage",
    "flipped",
    "entry gone",
    "entry garbage",
    "entry odd",
    "a file in its place",
    "run.json garbage",
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_built_again(run: Path, cache: Path, damage: str) -> None:
    expected = inspect(run)
    [entry] = entries(cache)
    target = entry / "plan.parquet"
    content = target.read_bytes()
    if damage == "truncated":
        os.truncate(target, len(content) // 2)
    elif damage == "deleted":
        target.unlink()
    elif damage == "emptied":
        target.write_bytes(b"")
    elif damage == "garbage":
        target.write_bytes(b"\xa5" * len(content))
    elif damage == "flipped":
        middle = len(content) // 2
        target.write_bytes(
            content[: middle - 40] + bytes(byte ^ 0xFF for byte in content[middle - 40 : middle + 40]) + content[middle + 40 :]
        )
    elif damage == "entry gone":
        (entry / "entry.json").unlink()
    elif damage == "entry garbage":
        (entry / "entry.json").write_bytes(b"\xff{")
    elif damage == "entry odd":
        (entry / "entry.json").write_text("[1]")
    elif damage == "run.json garbage":
        meta = entry / "run.json"
        meta.write_bytes(b"x" * meta.stat().st_size)
    else:
        shutil.rmtree(entry)
        entry.write_bytes(b"")
    assert inspect(run) == expected
    assert inspect(run) == expected
    assert sql(run, "SELECT count(*) FROM rollouts") == [[6]]


def test_a_damaged_spool_is_built_again(tmp_path: Path, cache: Path) -> None:
    import gzip

    text = write(tmp_path / "plain", [row(number) for number in range(500)]).read_bytes()
    run = tmp_path / "r.jsonl.gz"
    run.write_bytes(gzip.compress(text))
    expected = inspect(run)
    [spool] = (cache / "spools").iterdir()
    for path in sorted(spool.iterdir()):
        os.truncate(path, path.stat().st_size // 2)
        assert blade("show", run, "499:0").code == 0, path.name
    shutil.rmtree(spool)
    assert "answer 499" in blade("show", run, "499:0").out
    assert inspect(run) == expected


def test_the_cache_can_be_a_file_or_missing_or_closed(run: Path, tmp_path: Path) -> None:
    expected = inspect(run, "--no-index")
    blocked = write(tmp_path / "blocked", [])
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    for place in (blocked, blocked / "below", Path("/proc/nowhere"), Path("/dev/null/x")):
        result = blade("inspect", run, "--json", "--index-dir", place)
        assert result.json == expected
        assert "cannot be written" in result.err
    result = blade_process("inspect", run, "--json", env={"XDG_CACHE_HOME": str(closed)}, preexec_fn=without_root_powers)
    assert result.json == expected
    assert "cannot be written" in result.err
    assert list(closed.iterdir()) == []


def test_a_closed_cache_is_still_good_to_read(run: Path, cache: Path) -> None:
    expected = inspect(run)
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        result = blade_process("inspect", run, "--json", preexec_fn=without_root_powers)
        assert result.json == expected
        assert result.err == ""
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_without_an_index_nothing_is_left_behind(run: Path, tmp_path: Path, cache: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for arguments in (
        ("inspect", run),
        ("show", run, "0:0"),
        ("sql", run, "SELEC"),
        ("inspect", run, "--task-field", "nope"),
    ):
        blade_process(*arguments, "--no-index", env={"TMPDIR": str(temporary)}, cwd=run.parent)
    assert list(temporary.iterdir()) == []
    assert not cache.exists() or files_below(cache) == []
    assert files_below(run.parent) == [run]


def test_a_refused_run_leaves_nothing_half_built(tmp_path: Path, cache: Path) -> None:
    blade("inspect", write(tmp_path / "r.jsonl", [b"bad"]))
    assert files_below(cache) == []
    assert list(cache.rglob(".building*")) == []


def test_the_index_can_be_kept_elsewhere(run: Path, tmp_path: Path, cache: Path) -> None:
    elsewhere = tmp_path / 'else where\'s "index"'
    expected = inspect(run, "--index-dir", elsewhere)
    assert list(elsewhere.rglob("rollouts.parquet"))
    assert not cache.exists()
    assert inspect(run, "--index-dir", elsewhere) == expected
    assert sql(run, "SELECT count(*) FROM rollouts", "--index-dir", elsewhere) == [[6]]


def test_a_machine_without_a_home_is_no_obstacle(run: Path) -> None:
    environment = {"XDG_CACHE_HOME": "", "HOME": "/proc/nowhere"}
    assert counts(inspect(run, call=partial(blade_process, env=environment)))["scored"] == 6


def test_the_temporary_directory_may_be_full_or_missing(run: Path, tmp_path: Path) -> None:
    result = blade_process("inspect", run, "--json", env={"TMPDIR": str(tmp_path / "gone")})
    assert result.code == 0
