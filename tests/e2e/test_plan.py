"""What was to be run, and what became of it: inputs, failures, declared repeats, and sidecars that are stale or unreadable."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, codes, counts, inspect, row, sql, write


def inputs(tasks: int, repeats: int, **fields: object) -> list[dict[str, Any]]:
    return [row(task, repeat, ..., response=..., **fields) for task in range(tasks) for repeat in range(repeats)]


def state(inspection: dict[str, Any], kind: str) -> str:
    [item] = [item for item in inspection["inventory"] if item["kind"] == kind]
    return str(item["state"])


def test_missing_unexpected_and_errored_rollouts_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", inputs(4, 2))
    failed = [
        row(1, 0, 0, _ng_failure_class="timeout_exceeded"),
        row(1, 0, 0, _ng_failure_class="timeout_exceeded", _ng_attempt_index=1),
    ]
    write(tmp_path / "r_failures.jsonl", [*failed, row(0, 0, 0, _ng_failure_class="transient")])
    rows = [row(0, 0, 1), row(0, 1, 0), row(1, 1, None), row(2, 0, 1), row(2, 7, 1), row(9, 0, 1)]
    found = inspect(write(tmp_path / "r.jsonl", rows))
    # Planned 8: 0:0 passed (2 attempts), 0:1 failed, 1:0 errored (2 attempts), 1:1 errored, 2:0 passed, 2:1 3:0 3:1 missing.
    assert counts(found) == {
        "lines": 6, "rows": 6, "scored": 3, "errored_rows": 1, "unexpected": 2,
        "expected": 8, "passed": 2, "failed": 1, "errored": 2, "missing": 3, "attempts": 7,
    }  # fmt: skip
    assert found["denominator"]["expected_source"] == "inputs"
    assert found["headline"]["buckets"] == {"always": 1, "sometimes": 1, "never": 0, "missing": 2}
    assert found["metrics"]["pass_at_1"]["value"] == 0.75
    assert found["metrics"]["coverage"] == 3 / 8
    assert found["metrics"]["completed_only"] == pytest.approx(0.75)
    assert found["metrics"]["missing_as_failed"] == pytest.approx((1 / 2 + 1 / 2 + 0 + 0) / 4)
    plan = dict(sql(tmp_path, "SELECT rollout, state FROM plan"))
    assert plan == {
        "0:0": "scored", "0:1": "scored", "1:0": "errored", "1:1": "errored", "2:0": "scored", "2:1": "missing", "3:0": "missing", "3:1": "missing",
    }  # fmt: skip


def test_rows_of_inputs_alone_are_missing_tasks(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", inputs(3, 1))
    found = inspect(write(tmp_path / "r.jsonl", [row(0)]))
    assert found["task_count"] == 3
    assert found["headline"]["buckets"]["missing"] == 2
    assert "2" in blade("inspect", tmp_path / "r.jsonl").out


def test_inputs_of_another_run_are_stale_and_not_the_plan(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", [row(task, 0, ..., response=...) for task in range(50, 60)])
    found = inspect(write(tmp_path / "r.jsonl", [row(0), row(1)]))
    assert found["denominator"]["expected_source"] == "observed"
    assert found["denominator"]["expected"] == 2
    assert state(found, "materialized_inputs") == "stale"
    assert "inputs_do_not_match" in codes(found)


def test_inputs_elsewhere_can_be_named(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    given = write(tmp_path / "plan" / "inputs.jsonl", inputs(2, 2))
    assert inspect(run)["denominator"]["expected_source"] == "observed"
    found = inspect(run, "--inputs", given)
    assert (found["denominator"]["expected"], found["denominator"]["missing"]) == (4, 3)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"not json\n", b"[1]\n", b"\0\0\0\n"])
def test_inputs_that_hold_no_row_are_no_plan(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r_materialized_inputs.jsonl").write_bytes(content)
    found = inspect(write(tmp_path / "r.jsonl", [row(0), row(1)]))
    assert found["denominator"]["expected_source"] == "observed"
    assert found["denominator"]["expected"] == 2


def test_damaged_lines_of_a_sidecar_are_said(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", [*inputs(2, 1), b"broken"])
    found = inspect(write(tmp_path / "r.jsonl", [row(0), row(1)]))
    assert found["denominator"]["malformed"] == 0, "the lines of the run are those of its rollouts"
    [problem] = found["problems"]
    assert (problem["code"], problem["path"], problem["line"]) == ("malformed", str(tmp_path / "r_materialized_inputs.jsonl"), 3)


def test_failures_without_inputs_are_expected_rollouts(tmp_path: Path) -> None:
    write(tmp_path / "r_failures.jsonl", [row(1, 0, 0, _ng_failure_class="x"), row(2, 0, 0, _ng_failure_class="y")])
    found = inspect(write(tmp_path / "r.jsonl", [row(0), row(1)]))
    assert counts(found) == {"lines": 2, "rows": 2, "scored": 2, "expected": 3, "passed": 2, "errored": 1, "attempts": 4}


def test_an_empty_failures_file_says_nothing_failed(tmp_path: Path) -> None:
    (tmp_path / "r_failures.jsonl").write_bytes(b"")
    found = inspect(write(tmp_path / "r.jsonl", [row(0)]))
    assert state(found, "failures") == "read"
    assert codes(found) == []


def test_compressed_sidecars_are_read(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    plan = write(tmp_path / "plain", inputs(2, 1))
    (tmp_path / "r_materialized_inputs.jsonl.gz").write_bytes(gzip.compress(plan.read_bytes()))
    (tmp_path / "r_aggregate_metrics.json.gz").write_bytes(gzip.compress(b'[{"agent_metrics": {"mean/reward": 1.0}}]'))
    found = inspect(run)
    assert found["denominator"]["expected_source"] == "inputs"
    assert found["denominator"]["missing"] == 1
    assert state(found, "aggregate_metrics") == "read"


@pytest.mark.parametrize(
    ("repeats", "expected", "missing"),
    [(1, 5, 0), (2, 5, 0), (3, 6, 1), (5, 10, 5)],
)
def test_declared_repeats_show_what_is_missing(tmp_path: Path, repeats: int, expected: int, missing: int) -> None:
    """Task 0 has three rollouts, task 1 has two."""
    run = write(tmp_path / "r.jsonl", [row(0, 0), row(0, 1), row(0, 4), row(1, 0), row(1, 2)])
    found = inspect(run, "--repeats", repeats)
    assert (found["denominator"]["expected"], found["denominator"]["missing"]) == (expected, missing)
    assert found["denominator"]["expected_source"] == "declared"
    assert inspect(run)["denominator"]["expected_source"] == "observed"


@pytest.mark.parametrize("repeats", ["0", "-1", "x", "1.5", "1000000000000", "9" * 40])
def test_repeats_that_make_no_sense_are_refused(tmp_path: Path, repeats: str) -> None:
    result = blade("inspect", write(tmp_path / "r.jsonl", [row(0)]), "--repeats", repeats, "--json")
    assert result.code == 2
    assert "--repeats" in result.json["error"]


@pytest.mark.parametrize("repeats", [3, 10**12, -1, "3", None, True, 2.5])
def test_a_manifest_states_the_repeats(tmp_path: Path, repeats: object) -> None:
    (tmp_path / "r_run.json").write_text(json.dumps({"repeats": repeats, "model": "stated"}))
    found = inspect(write(tmp_path / "r.jsonl", [row(0), row(1)]))
    assert found["denominator"]["expected"] == (6 if repeats == 3 else 2)
    assert found["denominator"]["expected_source"] == ("manifest" if repeats == 3 else "observed")
    assert found["provenance"]["model"] == "stated"
    assert found["provenance"]["source"]["model"] == "manifest"


BROKEN = {
    "nothing": b"",
    "torn": b'[{"agent_metrics": ',
    "binary": b"\xff\xfe\0\0",
    "deep": b"[" * 100_000,
    "huge": b"9" * 6_000,
    "nul": b"\0" * 10,
}


SIDECARS = {
    "aggregate_metrics": "r_aggregate_metrics.json",
    "agent_metrics": "r_agent_metrics.json",
    "reward_profile": "r_reward_profiling.jsonl",
    "manifest": "r_run.json",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_an_unreadable_sidecar_is_said_and_costs_nothing(tmp_path: Path, content: bytes) -> None:
    for name in SIDECARS.values():
        (tmp_path / name).write_bytes(content)
    run = write(tmp_path / "r.jsonl", [row(0), row(1)])
    found = inspect(run)
    assert found["denominator"]["scored"] == 2
    for kind in SIDECARS:
        assert state(found, kind) == ("read" if kind == "reward_profile" and not content else "unreadable")
    assert blade("inspect", run).code == 0


ODD = (
    "null", "{}", "[]", "5", '"x"', "[null, 5, []]", '[{"agent_metrics": 5}]', '[{"agent_metrics": {"mean/reward": "x"}}]', '[{"mean/reward": NaN}]',
    '[{"mean/reward": 1' + "0" * 400 + "}]",
)  # fmt: skip


@pytest.mark.parametrize("content", ODD)
def test_a_sidecar_of_an_odd_shape_is_no_obstacle(tmp_path: Path, content: str) -> None:
    for name in SIDECARS.values():
        (tmp_path / name).write_text(content)
    run = write(tmp_path / "r.jsonl", [row(0), row(1)])
    assert inspect(run)["denominator"]["scored"] == 2
    assert blade("inspect", run).code == 0


@pytest.mark.parametrize(("stated", "expected"), [(0.5, "read"), (0.75, "stale")])
def test_metrics_written_for_other_rows_are_stale(tmp_path: Path, stated: float, expected: str) -> None:
    (tmp_path / "r_aggregate_metrics.json").write_text(
        json.dumps([{"agent_ref": {"name": "a"}, "agent_metrics": {"mean/reward": stated}}])
    )
    found = inspect(write(tmp_path / "r.jsonl", [row(0, reward=1), row(1, reward=0)]))
    assert state(found, "aggregate_metrics") == expected


def test_every_kind_of_artifact_is_listed_present_or_missing(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    listed = {item["kind"]: item for item in inspect(run)["inventory"]}
    assert list(listed) == [
        "rollouts",
        "materialized_inputs",
        "failures",
        "aggregate_metrics",
        "reward_profile",
        "agent_metrics",
        "manifest",
    ]
    assert listed["rollouts"]["rows"] == 1
    assert {item["state"] for kind, item in listed.items() if kind != "rollouts"} == {"missing"}


def test_shards_with_inputs_of_their_own_keep_their_plans(tmp_path: Path) -> None:
    """Both shards count from zero: the second one's plan moves with its rows."""
    for name, done in (("a", [(0, 0), (0, 1), (1, 0)]), ("b", [(0, 0), (1, 1)])):
        write(tmp_path / f"{name}_materialized_inputs.jsonl", inputs(2, 2, expected_answer="x"))
        write(tmp_path / f"{name}.jsonl", [row(task, repeat, 1, expected_answer="x", note=name) for task, repeat in done])
    found = inspect(tmp_path)
    assert counts(found) == {"lines": 5, "rows": 5, "scored": 5, "expected": 8, "passed": 5, "missing": 3, "attempts": 5}
    assert found["task_count"] == 2


def test_duplicates_do_not_fill_missing_places(tmp_path: Path) -> None:
    write(tmp_path / "r_materialized_inputs.jsonl", inputs(2, 2))
    found = inspect(write(tmp_path / "r.jsonl", [row(0, 0), row(0, 0), row(0, 0), row(0, 0, 0)]))
    assert counts(found) == {
        "lines": 4, "rows": 4, "scored": 1, "duplicate": 2, "conflicting": 1, "expected": 4, "passed": 1, "missing": 3, "attempts": 2,
    }  # fmt: skip
