"""`aggregate`: shards to one file, figures per agent, and rows that state no index or the wrong one."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.errors import UnreadableRun, UsageError
from blade.gym.metrics.aggregate import aggregate
from blade.gym.metrics.counted import task_indices
from blade.gym.metrics.strict import NotStrict
from tests.gym.metrics.small_runs import Row, input_row, read_lines, rollout, write_lines, write_run


def keys(rows: list[Row]) -> list[tuple[int, int]]:
    return [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in rows]


def entry_of(path: Path) -> Row:
    [entry] = json.loads(path.read_bytes())
    assert list(entry) == ["agent_ref", "agent_metrics", "key_metrics", "group_level_metrics"]
    found: Row = entry
    return found


def test_shards_are_merged_in_order(tmp_path: Path) -> None:
    write_run(tmp_path, [rollout(3, 0, 0.0), rollout(2, 1)], [input_row(2, 1), input_row(3, 0)], "shard_b")
    write_run(tmp_path, [rollout(10, 0), rollout(2, 0, 0.0)], [input_row(2, 0), input_row(10, 0)], "shard_a")
    write_lines(tmp_path / "shard_a_failures.jsonl", [])
    output = tmp_path / "shard_merged.jsonl"
    for _ in range(2):  # the second time the glob catches the output, and the sidecars both times
        found = aggregate(f"{tmp_path}/shard_a*.jsonl, {tmp_path}/shard_*.jsonl", output)
        assert [Path(path).name for path in found.inputs] == ["shard_a.jsonl", "shard_b.jsonl"]
    assert keys(read_lines(output)) == [(2, 0), (2, 1), (3, 0), (10, 0)]
    assert read_lines(output)[0] == rollout(2, 0, 0.0)
    entry = entry_of(tmp_path / "shard_merged_aggregate_metrics.json")
    assert entry["agent_metrics"]["mean/reward"] == 0.5
    assert entry["agent_metrics"]["pass@1/accuracy"] == pytest.approx(100 * (0.5 + 0 + 1) / 3)
    assert entry["agent_metrics"]["pass@1"] == pytest.approx(0.5)
    assert entry["key_metrics"] == {"mean/reward": 0.5}
    assert [group["num_rollouts"] for group in entry["group_level_metrics"]] == [2, 1, 1]
    assert found.stamped == 0


def test_metrics_only(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [rollout(0, 0)])
    aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl", merge_shards=False)
    assert not (tmp_path / "m.jsonl").exists()
    assert (tmp_path / "m_aggregate_metrics.json").exists()


def test_rows_without_indices_do_not_collide(tmp_path: Path) -> None:
    bare = [
        {key: value for key, value in rollout(task, 0, float(task)).items() if not key.startswith("_ng")} for task in (0, 1, 1)
    ]
    bare[2]["response"] = {"id": "another", "output": []}
    write_lines(tmp_path / "a.jsonl", bare)
    found = aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl")
    assert found.stamped == 3
    assert keys(read_lines(tmp_path / "m.jsonl")) == [(0, 0), (1, 0), (1, 1)]
    again = aggregate(f"{tmp_path}/m.jsonl", tmp_path / "again.jsonl")
    assert again.stamped == 0
    assert (
        entry_of(tmp_path / "again_aggregate_metrics.json")["agent_metrics"]
        == entry_of(tmp_path / "m_aggregate_metrics.json")["agent_metrics"]
    )


@pytest.mark.parametrize("other_task", [False, True])
def test_shards_that_restart_their_indices(other_task: bool, tmp_path: Path) -> None:
    """Strictly an error; leniently further repeats of the same task, or other tasks under free indices."""
    write_lines(tmp_path / "a.jsonl", [rollout(0, 0, 1.0), rollout(1, 0, 1.0)])
    second = [rollout(0, 0, 0.0), rollout(1, 0, 0.0)]
    for row in second:
        row["response"]["id"] += "-b"
        if other_task:
            row["responses_create_params"] = {"input": f"something else {row['_ng_task_index']}"}
    write_lines(tmp_path / "b.jsonl", second)
    with pytest.raises(NotStrict) as caught:
        aggregate(f"{tmp_path}/?.jsonl", tmp_path / "merged.jsonl")
    assert [(fault.code, Path(fault.path or "").name, fault.line, fault.key) for fault in caught.value.problems] == [
        ("key_in_two_files", "b.jsonl", 1, "0:0"),
        ("key_in_two_files", "b.jsonl", 2, "1:0"),
    ]
    assert not list(tmp_path.glob("merged*"))
    found = aggregate(f"{tmp_path}/?.jsonl", tmp_path / "merged.jsonl", lenient=True)
    assert found.stamped == 2
    expected = [(0, 0), (1, 0), (2, 0), (3, 0)] if other_task else [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert keys(read_lines(tmp_path / "merged.jsonl")) == expected
    assert entry_of(tmp_path / "merged_aggregate_metrics.json")["agent_metrics"]["num_tasks"] == (4 if other_task else 2)


def test_strict_about_faults_and_missing_rows(tmp_path: Path) -> None:
    write_run(tmp_path, [rollout(0, 0), rollout(0, 0), "{torn"], [input_row(0, 0), input_row(1, 0)], "a")
    with pytest.raises(NotStrict) as caught:
        aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl")
    assert [fault.code for fault in caught.value.problems] == ["unreadable_line", "duplicate_row", "missing_rollout"]
    found = aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl", lenient=True)
    assert found.tasks_without_rollouts == ["1"]
    assert len(read_lines(tmp_path / "m.jsonl")) == 1
    groups = entry_of(tmp_path / "m_aggregate_metrics.json")["group_level_metrics"]
    assert [group["missing_num_rollouts"] for group in groups] == [0, 1]


def test_answers_and_further_scores(tmp_path: Path) -> None:
    said: list[Any] = ["4", "4", None, 4]
    rows = [rollout(0, number, float(number < 2), answer=answer, depth=number) for number, answer in enumerate(said)]
    write_lines(tmp_path / "a.jsonl", rows)
    aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl", answer_key="answer", score_fields=["depth"])
    metrics = entry_of(tmp_path / "m_aggregate_metrics.json")["agent_metrics"]
    assert metrics["pass@1/no_answer"] == 25.0
    assert metrics["majority@4/accuracy"] == 100.0
    assert metrics["pass@3/depth"] == 200.0
    assert metrics["per_sample_aggregate"]["depth"] == [0.0, 100.0, 200.0, 300.0]
    with pytest.raises(UsageError, match="deep"):
        aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl", score_fields=["deep"])


def test_nothing_matches(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRun, match="no rollout file"):
        aggregate(f"{tmp_path}/*.jsonl", tmp_path / "m.jsonl")


def test_a_crash_leaves_neither_file_nor_scraps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from blade.gym.metrics import aggregate as module

    def broken(self: Any) -> Any:
        yield b"half a line"
        raise RuntimeError("power cut")

    write_lines(tmp_path / "a.jsonl", [rollout(0, 0)])
    (tmp_path / "m_aggregate_metrics.json").write_text("[]")
    monkeypatch.setattr(module.Merger, "lines", broken)
    with pytest.raises(RuntimeError):
        aggregate(f"{tmp_path}/a.jsonl", tmp_path / "m.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "m_aggregate_metrics.json"]
    assert (tmp_path / "m_aggregate_metrics.json").read_text() == "[]"


@pytest.mark.parametrize(
    ("tasks", "agents", "stated", "expected"),
    [
        (["7", "2"], [None, None], True, [7, 2]),
        (["7", "abc", "7@bob", "7@shard"], ["alice", "alice", "bob", "alice"], True, [7, 8, 7, 9]),
        (["7", "abc"], [None, None], False, [0, 1]),
    ],
)
def test_task_indices(tasks: list[str], agents: list[str | None], stated: bool, expected: list[int]) -> None:
    assert task_indices(tasks, agents, stated) == expected
