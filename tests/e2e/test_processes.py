"""Commands as processes: at once, interrupted, killed, and with nobody reading what they print."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.e2e.support import BLADE, blade_process, check_identities, checked, counts, inspect, row, write


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long enough to be caught in the middle: 30,000 rows, 20 MB."""
    run = tmp_path_factory.mktemp("large") / "r.jsonl"
    template = json.dumps(row(11111, 22222, 1, note="x" * 200, meta={"a": 1, "b": "text", "c": [1, 2]}))
    with run.open("w") as file:
        for number in range(30_000):
            file.write(template.replace("11111", str(number // 4)).replace("22222", str(number % 4)) + "\n")
    return run


EXPECTED = {"lines": 30_000, "rows": 30_000, "scored": 30_000, "expected": 30_000, "passed": 30_000, "attempts": 30_000}


def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
    command = [os.fspath(BLADE), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options)  # type: ignore[call-overload, no-any-return]


def wait_until_building(process: subprocess.Popen[bytes], cache: Path) -> list[Path]:
    while process.poll() is None:
        if found := list(cache.rglob(".building-*")):
            time.sleep(0.05)
            return found
        time.sleep(0.01)
    raise AssertionError(f"it ended before it could be caught: {process.communicate()}")


def group_members(group: int) -> list[int]:
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                members.append(int(entry.name))
    return members


def all_gone(group: int, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not group_members(group):
            return True
        time.sleep(0.05)
    return False


def test_commands_that_build_the_same_run_at_once_agree(tmp_path: Path, cache: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(number // 4, number % 4, number % 3 == 0, note="x" * 100) for number in range(8_000)])
    processes = [start("inspect", run, "--json") for _ in range(6)]
    results = [
        checked(process.wait(120) if not ended else process.returncode, *ended)
        for process in processes
        if (ended := process.communicate())
    ]
    assert [result.code for result in results] == [0] * 6
    assert len({result.out for result in results}) == 1
    check_identities(results[0].json)
    assert results[0].json["denominator"]["passed"] == sum(number % 3 == 0 for number in range(8_000))
    assert len(list((cache / "runs").iterdir())) == 1, "one entry, and nothing half built"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_kill_in_the_middle_leaves_nothing_that_is_trusted(large: Path, cache: Path, workers: int) -> None:
    process = start("inspect", large, "--workers", workers)
    wait_until_building(process, cache)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert all_gone(process.pid), "workers outlive the command that was killed"
    assert [path for path in (cache / "runs").iterdir() if not path.name.startswith(".")] == []
    assert counts(inspect(large, "--workers", workers, call=blade_process)) == EXPECTED


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_ends_with_130_and_leaves_nothing(large: Path, cache: Path, workers: int) -> None:
    process = start("inspect", large, "--workers", workers)
    wait_until_building(process, cache)
    os.killpg(process.pid, signal.SIGINT)
    result = checked(0, *process.communicate(timeout=60))
    assert process.returncode == 130
    assert result.out == ""
    assert result.err.strip() == "blade: interrupted"
    assert all_gone(process.pid)
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_a_termination_leaves_no_workers(large: Path, cache: Path) -> None:
    process = start("inspect", large, "--workers", 2)
    wait_until_building(process, cache)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert all_gone(process.pid)


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect",),
        ("inspect", "--json"),
        ("sql", "SELECT * FROM rollouts", "--csv"),
        ("sql", "SELECT * FROM rollouts"),
        ("show", "0:0", "--full"),
    ],
)
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    run = write(
        tmp_path / "r.jsonl", [row(number, note="x" * 300, response={"output": ["line\n" * 3_000]}) for number in range(60)]
    )
    command, *rest = arguments
    process = start(command, run, *rest)
    assert process.stdout is not None
    assert process.stderr is not None
    if "--csv" in arguments or "--full" in arguments:
        assert process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    checked(process.returncode, b"", err)
    assert process.returncode == 0
    assert b"rror" not in err


@pytest.mark.parametrize("lines", [0, 1])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_goes_away_does_not_change_the_verdict(tmp_path: Path, options: tuple[str, ...], lines: int) -> None:
    silent = write(tmp_path / "r.jsonl", [row(number, response={"output": []}) for number in range(20)])
    assert blade_process("health", silent, *options).code == 1
    process = start("health", silent, *options)
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 1
    assert process.stderr is not None
    with process.stderr as stream:
        assert checked(1, b"", stream.read()).err == ""


def test_a_full_disk_or_a_closed_stdout_is_said_in_a_sentence(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    for arguments in (("inspect", run), ("inspect", run, "--json")):
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([BLADE, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE)
        assert ended.returncode == 2
        said = checked(ended.returncode, b"", ended.stderr).err
        assert said.startswith("blade: the output could not be written: No space")
        closed = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", BLADE, *map(str, arguments)], stderr=subprocess.PIPE)
        checked(closed.returncode, b"", closed.stderr)
        silent = subprocess.run(["sh", "-c", 'exec "$@" 2>&-', "sh", BLADE, *map(str, arguments)], stdout=subprocess.PIPE)
        assert silent.returncode == 0
        assert silent.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_of_any_encoding_can_be_printed_to(tmp_path: Path, encoding: str) -> None:
    run = write(tmp_path / "r.jsonl", [row("日本語 é", note="ü → 🙂"), row(1)])
    for arguments in (
        ("inspect", run),
        ("inspect", run, "--json"),
        ("show", run, "日本語 é:0"),
        ("sql", run, "SELECT note, NULL FROM rollouts"),
        ("sql", run, "SELECT note FROM rollouts", "--csv"),
        ("show", run, "nope"),
    ):
        ended = subprocess.run(
            [BLADE, *map(str, arguments)], capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding}
        )
        assert ended.returncode == (2 if "nope" in arguments else 0), (arguments, ended.stderr)
        assert b"Traceback" not in ended.stderr
        ended.stdout.decode(encoding)
        if "--json" in arguments:
            assert json.loads(ended.stdout.decode(encoding))["denominator"]["rows"] == 2


def test_results_are_the_same_whoever_asks(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, note=f"n{number}") for number in range(20)])
    here, there = inspect(run), inspect(run, call=blade_process)
    assert here == there
    assert blade_process("inspect", run, env={"LC_ALL": "C", "TERM": "dumb", "COLUMNS": "20", "NO_COLOR": "1"}).code == 0


def test_debug_shows_what_a_sentence_hides(tmp_path: Path) -> None:
    ended = subprocess.run([BLADE, "inspect", tmp_path / "gone", "--debug"], capture_output=True)
    assert b"Traceback" in ended.stderr


SLOW = """
import sys, time
from pathlib import Path
from blade.cli.main import main
from blade.diagnosis import patterns
from blade.engines.local import LocalEngine

def slow(run):
    engine = LocalEngine(2)
    found = engine.map(time.sleep, [0, 0, 60, 60])
    next(found)
    Path(sys.argv[1]).touch()
    list(found)

patterns.LEARNERS["slow"] = slow
main(["diagnose", sys.argv[2], *sys.argv[3:]])
"""


@pytest.mark.parametrize("options", [(), ("--no-index",)])
def test_an_interrupt_does_not_wait_for_threads_and_workers_at_work(
    tmp_path: Path, cache: Path, options: tuple[str, ...]
) -> None:
    run = write(tmp_path / "r.jsonl", [row(number // 4, number % 4, number % 2) for number in range(8)])
    scratch = Path(mkdtemp(prefix="s-"))  # a socket's path has room for little more than 100 characters
    command = [sys.executable, "-c", SLOW, tmp_path / "begun", run, *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(scratch)},
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "begun").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    asked = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    result = checked(0, *process.communicate(timeout=20))
    assert time.monotonic() - asked < 5, "an idle machine needs little more than a second"
    assert (process.returncode, result.out, result.err.strip()) == (130, "", "blade: interrupted")
    assert all_gone(process.pid)
    assert [path for path in cache.rglob(".*") if not options] == []
    assert [path for path in scratch.iterdir() if path.name.startswith("blade-")] == []
    shutil.rmtree(scratch)
