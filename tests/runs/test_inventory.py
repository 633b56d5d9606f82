import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from blade.runs.artifacts import SIDECAR_SUFFIXES
from blade.runs.run import open_run

from .support import planned, row, write_jsonl


def listed(directory: Path) -> dict[str, tuple[str, int | None, str]]:
    with open_run(directory, use_index=False) as run:
        return {item.kind: (item.state, item.rows, item.note) for item in run.inventory}


def test_every_kind_of_sidecar_is_listed_present_or_missing(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0), row(1, 0)])
    write_jsonl(tmp_path / "r_failures.jsonl", [row(0, 0, 0, _ng_failure_class="x")] * 3)
    found = listed(tmp_path)
    assert found["rollouts"][:2] == ("read", 2)
    assert found["failures"][:2] == ("read", 3)
    assert {kind for kind, (state, *_) in found.items() if state == "missing"} == set(SIDECAR_SUFFIXES) - {"failures", "attempts"}


def test_missing_sidecars_are_named_as_they_would_be(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    with open_run(tmp_path, use_index=False) as run:
        paths = {item.kind: item.path for item in run.inventory if item.state == "missing"}
    assert paths["materialized_inputs"] == str(tmp_path / "r_materialized_inputs.jsonl")
    assert paths["manifest"] == str(tmp_path / "r_run.json")


def test_inputs_are_counted_and_stale_when_no_rollout_is_theirs(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    write_jsonl(tmp_path / "r_materialized_inputs.jsonl", [planned(0, 0), planned(1, 0)])
    assert listed(tmp_path)["materialized_inputs"] == ("read", 2, "")
    write_jsonl(tmp_path / "r_materialized_inputs.jsonl", [planned(5, 0)])
    assert listed(tmp_path)["materialized_inputs"][0] == "stale"


def aggregate(mean: Any) -> list[dict[str, Any]]:
    return [{"agent_ref": {"name": "a"}, "agent_metrics": {"mean/reward": mean}}]


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (aggregate(0.75), "read"),
        (aggregate(0.75 + 1e-12), "read"),
        (aggregate(0.5), "stale"),
        (aggregate("0.5"), "read"),
        (aggregate(0.5) * 2, "read"),
        ([], "read"),
        ({"mean/reward": 0.5}, "read"),
        ([{"mean/reward": 0.5}], "stale"),
    ],
)
def test_an_aggregate_is_stale_when_its_mean_is_not_that_of_the_rows(tmp_path: Path, content: Any, state: str) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 0.5), row(1, 0, 1), row(2, 0, None)])
    (tmp_path / "r_aggregate_metrics.json").write_text(json.dumps(content))
    assert listed(tmp_path)["aggregate_metrics"][0] == state


def test_a_sidecar_that_cannot_be_read_is_said_to_be_unreadable(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    (tmp_path / "r_aggregate_metrics.json").write_text("[torn")
    (tmp_path / "r_reward_profiling.jsonl").write_bytes(b"{}\n{}\n")
    (tmp_path / "r_agent_metrics.json").write_bytes(b"\xff\xfe\x00")
    found = listed(tmp_path)
    assert (found["aggregate_metrics"][0], found["agent_metrics"][0]) == ("unreadable", "unreadable")
    assert found["reward_profile"][:2] == ("read", 2)


def test_a_compressed_profile_is_read(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    (tmp_path / "r_reward_profiling.jsonl.gz").write_bytes(gzip.compress(b"{}\n{}\n{}\n"))
    assert listed(tmp_path)["reward_profile"][:2] == ("read", 3)


def test_a_damaged_archive_is_noted_where_it_is_listed(tmp_path: Path) -> None:
    text = b"".join(json.dumps(row(task, 0, 1, note=str(task * 7919))).encode() + b"\n" for task in range(2000))
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(text)[:-3000])
    state, rows, note = listed(tmp_path)["rollouts"]
    assert state == "read"
    assert rows is not None
    assert 0 < rows < 2000
    assert "ends early" in note


def test_one_unreadable_file_among_others_is_listed_as_such(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [row(0)])
    (tmp_path / "b.jsonl").write_text("{torn\n")
    with open_run(tmp_path, use_index=False) as run:
        assert [(Path(item.path).name, item.state) for item in run.inventory if item.kind == "rollouts"] == [
            ("a.jsonl", "read"),
            ("b.jsonl", "unreadable"),
        ]
