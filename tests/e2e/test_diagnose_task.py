"""`blade diagnose --task T`: one task in depth, as text, as JSON and as a file."""

import json
from pathlib import Path

import pytest

from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.support import blade, sql

ONE_CACHE = True


@pytest.fixture(scope="module")
def example(home: Path) -> Path:
    return write_example(build(tasks=14), home / "example")


def test_every_task_is_told_in_both_forms(example: Path) -> None:
    whole = blade("diagnose", example, "--json").json
    rows = dict(sql(example, "SELECT rollout, steps FROM rollouts WHERE class = 'scored'"))
    for told in whole["tasks"]:
        found = blade("diagnose", example, "--task", told["task"], "--json").json
        assert found["schema"] == "blade.task/1"
        assert found["task"] == told
        assert {mode["id"] for mode in found["modes"]} == set(told["modes"])
        assert all(one["task"] == told["task"] for one in found["contrasts"] + found["luck"])
        views = {view["rollout"]: view["steps"] for view in found["task_view"]["rollouts"]}
        assert views == {rollout: steps for rollout, steps in rows.items() if rollout.rpartition(":")[0] == told["task"]}
    told = next(task for task in whole["tasks"] if task["bucket"] == "sometimes")
    text = blade("diagnose", example, "--task", told["task"]).out
    assert f"Task {told['task']} " in text
    for repeat in told["repeats"]:
        assert repeat["rollout"] in text


def test_out_with_a_task_writes_its_page_beside_the_report(example: Path, tmp_path: Path) -> None:
    task = blade("diagnose", example, "--json").json["buckets"]["never"][0]
    for form in ((), ("--json",)):
        result = blade("diagnose", example, "--task", task, "--out", tmp_path / "out", *form)
        assert result.code == 0
        assert f"task-{task}.md" in result.err
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["diagnosis.json", "ledger.jsonl", "report.md", f"task-{task}.md"]
    assert "task_view" not in json.loads((tmp_path / "out" / "diagnosis.json").read_text())
    blade("diagnose", example, "--out", tmp_path / "plain")
    for name in ("diagnosis.json", "report.md", "ledger.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes()


@pytest.mark.parametrize("task", ["nope", "", "3:0", "3 ", "'; DROP TABLE rollouts; --", "\x1b[31m", "../../x"])
def test_an_unknown_task_is_refused(example: Path, tmp_path: Path, task: str) -> None:
    for form in ((), ("--json",)):
        result = blade("diagnose", example, "--task", task, "--out", tmp_path / "out", *form)
        assert result.code == 2
        assert result.err.startswith("blade: ")
        assert not (tmp_path / "out").exists()
