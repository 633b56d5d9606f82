"""`blade diagnose --json` on runs of every kind: all keys, right types, sums that add up, the exit codes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blade.cli.main import main
from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.desk_runs import diagnosed, grid, mixed, worked
from tests.e2e.support import BLADE, blade_process, lines_of, row, write
from tests.shared_data import needs_shared_data, shared_data


def test_the_example_run(tmp_path: Path) -> None:
    run = write_example(build(), tmp_path / "example")
    found = diagnosed(tmp_path / "example")
    assert found["denominator"]["failed"] == sum(row["reward"] == 0 for row in build().rollouts)
    assert found["modes"]
    assert found["interventions"]
    assert found["contrasts"]
    assert diagnosed(run)["denominator"] == found["denominator"]
    assert blade_process("diagnose", run, "--json").json == diagnosed(run)


def without_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if not name.startswith("_ng_")} for one in rows]


def signed(task: int, repeat: int) -> int:
    return 1 if mixed(task, repeat) else -1


def graded(task: int, repeat: int) -> float:
    return (task + repeat) / 9


RUNS: dict[str, tuple[list[object], dict[str, object]]] = {
    "mixed": (grid(6, 3, mixed), {"failed": 6, "kind": "binary"}),
    "graded": (grid(4, 3, graded), {"failed": None, "kind": "none"}),
    "one repeat": (grid(5, 1, lambda task, _: task % 2), {"failed": 3, "kind": "binary"}),
    "no ids": (without_ids(grid(6, 3, mixed)), {"failed": 6, "kind": "binary"}),
    "only failures": (grid(4, 3, lambda *_: 0), {"failed": 12, "kind": "binary"}),
    "only passes": (grid(4, 3, lambda *_: 1), {"failed": 0, "kind": "binary"}),
    "rewards of -1 and 1": (grid(6, 3, signed), {"failed": 6, "kind": "binary"}),
    "a torn last line": ([*grid(6, 3, mixed), lines_of([worked(7, 0)])[:200]], {"failed": 6, "malformed": 1}),
    "duplicates": ([*grid(6, 3, mixed), worked(1, 2, 0), worked(2, 2, 0)], {"failed": 6, "duplicate": 2}),
    "conflicting rows": ([*grid(6, 3, mixed), worked(1, 0, 0)], {"failed": 6, "conflicting": 1}),
    "errored rows": ([*grid(6, 3, mixed), worked(1, 3, None), worked(8, 0, None)], {"failed": 6, "errored_rows": 2, "errored": 2}),
    "no prompt": (
        [one | {"responses_create_params": {"input": []}} for one in grid(6, 3, mixed)],
        {"failed": 6, "kind": "binary"},
    ),
    "an empty prompt": (
        [one | {"responses_create_params": {"input": [{"role": "user", "content": ""}]}} for one in grid(3, 3, mixed)],
        {"failed": 3},
    ),
    "nothing but rewards": ([{"task_id": f"t{task}", "reward": task % 2} for task in range(4)], {"failed": 2}),
    "no output": ([row(task, 0, task % 2, response={"output": []}) for task in range(4)], {"failed": 2}),
    "one rollout": ([worked(0, 0, 0)], {"failed": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_the_contract_holds(tmp_path: Path, name: str) -> None:
    rows, expected = RUNS[name]
    found = diagnosed(write(tmp_path / "run.jsonl", rows))
    told = found["denominator"] | {"kind": found["pass_rule"]["kind"]}
    assert {key: told[key] for key in expected} == expected


def test_a_run_without_a_pass_rule_has_no_failures_and_no_modes(tmp_path: Path) -> None:
    run = write(tmp_path / "run.jsonl", RUNS["graded"][0])
    found = diagnosed(run)
    assert (found["modes"], found["interventions"], found["contrasts"]) == ([], [], [])
    assert found["metrics"]["pass_at_1"]["value"] is None
    assert found["metrics"]["mean_reward"]["value"] == pytest.approx(sum(graded(t, r) for t in range(4) for r in range(3)) / 12)
    assert any("--pass-threshold" in limit for limit in found["limits"])
    with_rule = diagnosed(run, "--pass-threshold", 0.3)
    assert with_rule["denominator"]["failed"] == sum(graded(t, r) < 0.3 for t in range(4) for r in range(3))


def test_without_a_pass_rule_there_are_no_buckets(tmp_path: Path) -> None:
    found = diagnosed(write(tmp_path / "run.jsonl", RUNS["graded"][0]))
    assert not found["buckets"]["never"]


def test_missing_rollouts_are_told_and_not_diagnosed(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", [worked(task, repeat) for task in range(7) for repeat in range(3)])
    run = write(tmp_path / "r.jsonl", grid(6, 2, mixed))
    found = diagnosed(run)
    assert found["denominator"]["missing"] == 7 * 3 - 6 * 2
    assert found["buckets"]["missing"] == ["6"]
    assert [task["task"] for task in found["tasks"]] == [str(task) for task in range(6)]


def test_two_files_are_one_run(tmp_path: Path) -> None:
    rows = grid(6, 3, mixed)
    write(tmp_path / "two" / "a.jsonl", rows[:9])
    write(tmp_path / "two" / "b.jsonl", rows[9:])
    one, two = diagnosed(write(tmp_path / "one.jsonl", rows)), diagnosed(tmp_path / "two")
    listed = tmp_path / "files.txt"
    listed.write_text("two/a.jsonl\ntwo/b.jsonl\n")
    for found in (two, diagnosed(f"{tmp_path}/two/*.jsonl"), diagnosed(f"@{listed}")):
        assert found["run"]["files"] == 2
        for key in ("metrics", "denominator", "buckets", "tasks", "modes", "contrasts", "funnel"):
            assert found[key] == one[key], key


def failing(arguments: list[object], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert json.loads(captured.out)["exit_code"] == left.value.code
    return int(left.value.code or 0), captured.err


def unusable(tmp_path: Path) -> Iterator[tuple[int, list[object]]]:
    yield 2, [tmp_path / "none.jsonl"]
    yield 2, [write(tmp_path / "bad.jsonl", [b"no json at all"])]
    yield 2, [write(tmp_path / "fine.jsonl", grid(2, 2, mixed)), "--task", "nope"]
    yield 2, [tmp_path / "fine.jsonl", "--task-field", "nope"]
    yield 2, [tmp_path / "fine.jsonl", "--out", write(tmp_path / "file", [])]
    yield 3, [write(tmp_path / "errored.jsonl", [worked(0, 0, None), worked(1, 0, None)])]


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for expected, arguments in unusable(tmp_path):
        code, err = failing(["diagnose", *arguments, "--json"], capsys)
        assert code == expected, (arguments, err)
        assert err.startswith(("blade: ", "Usage: ")), err


@needs_shared_data
def test_the_shared_contract_check(tmp_path: Path) -> None:
    folder = shared_data()
    assert folder is not None
    check = folder.parent / "check" / "contract"
    if not check.exists():
        pytest.skip("no check/contract beside the shared data")
    done = subprocess.run(
        [sys.executable, check, "--blade", BLADE], capture_output=True, text=True, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}
    )
    assert not [line for line in done.stdout.splitlines() if line.startswith(("inspect:", "diagnose:", "health:"))], done.stdout
