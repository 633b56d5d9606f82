"""Failed attempts: found by rollout, in their order, whatever the sidecar holds of them."""

from pathlib import Path

import pytest

from blade.runs.artifacts import locate
from blade.runs.failed_attempts import UNGRADED, failed_attempts, has_failed_attempts, is_ungraded
from tests.runs.support import column, opened, planned, row, states, write_jsonl


def failure(task: int, repeat: int, name: str | None, **fields: object) -> dict[str, object]:
    return row(task, repeat, 0.0, _ng_failure_class=name, **fields)


def test_attempts_of_a_rollout_come_in_the_order_of_the_file() -> None:
    files = {
        "r.jsonl": [row(0, 0)],
        "r_failures.jsonl": [
            failure(1, 0, "model_timeout", failure_message="first", _ng_attempt_index=0),
            failure(1, 1, "seed_error"),
            failure(1, 0, "judge_failed", _ng_failure_judge_error="second", _ng_attempt_index=1),
        ],
    }
    with opened(files) as run:
        found = failed_attempts(run, "1:0")
        assert [(one.attempt, one.failure, one.message) for one in found] == [
            (0, "model_timeout", "first"),
            (1, "judge_failed", "second"),
        ]
        assert [(one.place.state, one.place.reward, one.place.line) for one in found] == [
            ("errored", None, 1),
            ("errored", None, 3),
        ]
        assert run.trajectory(found[0].place).fields["failure_message"] == "first"
        assert [one.place.rollout for one in failed_attempts(run, "1")] == ["1:0", "1:0"]
        assert [failed_attempts(run, name) for name in ("0:0", "0", "9", "1:7", "1:x", "")] == [[]] * 6


def test_a_failure_without_a_class_or_a_message_is_unknown() -> None:
    files = {"r.jsonl": [row(0, 0)], "r_failures.jsonl": [failure(1, 0, None), failure(2, 0, "", failure_message="")]}
    with opened(files) as run:
        assert run.query("SELECT failure, message FROM failures").rows == [("unknown", "")] * 2


def test_a_response_error_stands_in_for_a_message() -> None:
    broken = {"output": [], "error": {"code": "reset", "message": "by peer"}}
    with opened({"r.jsonl": [row(0, 0)], "r_failures.jsonl": [failure(1, 0, "model_x", response=broken)]}) as run:
        assert column(run, "SELECT message FROM failures") == ["reset: by peer"]


def test_a_failure_that_was_not_planned_is_no_failed_attempt_of_the_run() -> None:
    files = {
        "r.jsonl": [row(0, 0)],
        "r_materialized_inputs.jsonl": [planned(0, 0)],
        "r_failures.jsonl": [failure(7, 0, "model_timeout")],
    }
    with opened(files) as run:
        assert not has_failed_attempts(run)
        assert column(run, "SELECT rollout FROM failures") == ["7:0"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("verifier_error", True),
        ("verifier_timeout", True),
        ("judge_failed", True),
        ("model_timeout", False),
        ("verifierx", False),
    ],
)
def test_what_the_verifier_failed_on_is_told_alike_in_both_languages(name: str, expected: bool) -> None:
    with opened({"r.jsonl": [row(0, 0)], "r_failures.jsonl": [failure(1, 0, name)]}) as run:
        assert column(run, f"SELECT {UNGRADED} FROM failures") == [expected]
    assert is_ungraded(name) is expected


def test_shards_without_a_row_are_found_by_their_sidecars(tmp_path: Path) -> None:
    for shard in ("a", "b"):
        write_jsonl(tmp_path / f"{shard}_materialized_inputs.jsonl", [planned(shard, 0)])
        write_jsonl(tmp_path / f"{shard}_failures.jsonl", [failure(0, 0, "x")])
    assert [path.name for path in locate(str(tmp_path)).rollouts] == ["a.jsonl", "b.jsonl"]


def test_the_plan_alone_says_what_a_task_is() -> None:
    with opened({"r_materialized_inputs.jsonl": [planned("x", 0), planned("x", 1), planned("y", 0)]}) as run:
        assert states(run) == {"x:0": "missing", "x:1": "missing", "y:0": "missing"}
        assert run.meta["identity"]["repeat_field"] == "_ng_rollout_index"


def test_a_message_that_begins_with_its_class_does_not_repeat_it() -> None:
    files = {
        "r.jsonl": [row(0, 0)],
        "r_failures.jsonl": [
            failure(1, 0, "reset", response={"output": [], "error": {"code": "reset", "message": "by peer"}}),
            failure(1, 1, "reset", failure_message="resets: twice"),
            failure(1, 2, None, failure_message="reset: by peer"),
        ],
    }
    with opened(files) as run:
        assert column(run, "SELECT message FROM failures") == ["by peer", "resets: twice", "reset: by peer"]
