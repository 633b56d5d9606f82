"""Runs of which some or all attempts failed: they open, say what failed and how often, and what to do about it.

The files are those of `gym eval run`: a row per failed attempt in the failures sidecar, mostly with the response as far as it came.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, check_identities, counts, inspect, refused, row, sql, write

TASKS, REPEATS = 4, 2
KEYS = [(task, repeat) for task in range(TASKS) for repeat in range(REPEATS)]
SECRET = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
BROKEN = f"KeyError: 'gold' \x1b[31m(with {SECRET})\x1b[0m"
REFUSED = "Cannot connect to host 127.0.0.1:9"


def plan(folder: Path) -> Path:
    write(folder / "r_materialized_inputs.jsonl", [row(*key, reward=..., response=...) for key in KEYS])
    return folder / "r.jsonl"


def failed(key: tuple[int, int], failure: str, message: str, attempt: int = 0, **fields: object) -> dict[str, Any]:
    return row(*key, 0.0, _ng_failure_class=failure, _ng_attempt_index=attempt, failure_message=message, **fields)


def all_failed_in_the_verifier(folder: Path) -> Path:
    """Every rollout was tried three times, answered, and not graded."""
    write(folder / "r_failures.jsonl", [failed(key, "verifier_error", BROKEN, attempt) for attempt in range(3) for key in KEYS])
    return write(plan(folder), [])


def nothing_answered(folder: Path) -> Path:
    """The endpoint was down: there is not even a rollout file."""
    write(folder / "r_failures.jsonl", [failed(key, "model_connection", REFUSED, response=...) for key in KEYS])
    return plan(folder)


def half_graded(folder: Path) -> Path:
    """Tasks 0 and 1 are scored, 0:0 and 1:1 at the second attempt; 2:0 was tried a third time, and the model did not answer."""
    late = [
        failed((0, 0), "verifier_error", "boom"),
        row(1, 1, 0.0, _ng_failure_class="judge_failed", _ng_failure_judge_error="judge 500"),
    ]
    lost = [failed(key, "verifier_timeout", "longer than 30 s", attempt) for attempt in range(2) for key in KEYS if key[0] > 1]
    write(folder / "r_failures.jsonl", [*late, *lost, failed((2, 0), "model_timeout", "no answer", 2, response=...)])
    return write(plan(folder), [row(*key, sum(key) % 2) for key in KEYS if key[0] < 2])


def document(command: str, run: Path, code: int = 0) -> dict[str, Any]:
    result = blade(command, run, "--json")
    assert result.code == code, result.err
    return result.json


def check(health: dict[str, Any], code: str) -> dict[str, Any]:
    return next(one for one in health["checks"] if one["code"] == code)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (all_failed_in_the_verifier, {"expected": 8, "errored": 8, "attempts": 24}),
        (nothing_answered, {"expected": 8, "errored": 8, "attempts": 8}),
        (plan, {"expected": 8, "missing": 8}),
    ],
)
def test_a_run_without_a_row_opens_with_its_plan(tmp_path: Path, made: Any, expected: dict[str, int]) -> None:
    run = made(tmp_path)
    for spec in (run, tmp_path, tmp_path / "*.jsonl"):
        found = inspect(spec)
        assert counts(found) == expected
        assert found["denominator"]["expected_source"] == "inputs"
        assert found["identity"]["task_field"] == "_ng_task_index"
        assert found["task_count"] == TASKS
    assert "nothing scored" in blade("inspect", run).out


def test_failures_alone_are_a_run_too(tmp_path: Path) -> None:
    run = nothing_answered(tmp_path)
    (tmp_path / "r_materialized_inputs.jsonl").unlink()
    assert counts(inspect(run)) == {"expected": 8, "errored": 8, "attempts": 8}


def test_a_torn_first_row_is_counted_and_the_plan_is_read(tmp_path: Path) -> None:
    run = plan(tmp_path)
    run.write_bytes(b'{"_ng_task_index": 0, "_ng_rollout_index": 0, "rew')
    assert counts(inspect(run)) == {"lines": 1, "malformed": 1, "expected": 8, "missing": 8}


def test_nothing_beside_an_empty_file_stays_an_error(tmp_path: Path) -> None:
    assert "it is empty" in refused(write(tmp_path / "r.jsonl", []))
    write(tmp_path / "r_failures.jsonl", [])
    assert "it is empty" in refused(tmp_path / "r.jsonl")
    (tmp_path / "other_run.json").write_text("{}")
    assert "does not exist" in refused(tmp_path / "other.jsonl")


def test_failed_attempts_are_told_by_class_with_a_clean_message(tmp_path: Path) -> None:
    run = all_failed_in_the_verifier(tmp_path)
    told = inspect(run)["failed_attempts"]
    assert {name: told[name] for name in ("attempts", "of", "rollouts", "unscored", "scored_after_verifier_failure")} == {
        "attempts": 24,
        "of": 24,
        "rollouts": 8,
        "unscored": 8,
        "scored_after_verifier_failure": 0,
    }
    [one] = told["classes"]
    assert (one["class"], one["family"], one["attempts"], one["rollouts"], one["unscored"], one["with_output"]) == (
        *("verifier_error", "verifier"),
        *(24, 8, 8, 24),
    )
    assert one["message"] == "KeyError: 'gold' (with [redacted:api_key])"
    for command in ("inspect", "health", "diagnose"):
        result = blade(command, run)
        assert SECRET not in result.out
        assert "verifier_error ×" in result.out


def test_a_rollout_without_a_score_counts_under_its_last_failure(tmp_path: Path) -> None:
    told = inspect(half_graded(tmp_path))["failed_attempts"]
    assert {one["class"]: (one["attempts"], one["unscored"], one["message"]) for one in told["classes"]} == {
        "verifier_timeout": (8, 3, "longer than 30 s"),
        "model_timeout": (1, 1, "no answer"),
        "verifier_error": (1, 0, "boom"),
        "judge_failed": (1, 0, "judge 500"),
    }
    assert sum(one["unscored"] for one in told["classes"]) == told["unscored"] == 4
    assert told["scored_after_verifier_failure"] == 2


def test_health_says_what_left_rollouts_without_a_score(tmp_path: Path) -> None:
    found = document("health", half_graded(tmp_path), code=1)
    assert found["verdict"] == "unhealthy"
    coverage, late = check(found, "coverage"), check(found, "verifier_retries")
    assert (coverage["status"], coverage["value"]) == ("fail", 0.5)
    assert "verifier_timeout ×3: longer than 30 s; model_timeout ×1: no answer" in coverage["message"]
    assert [item["rollout"] for item in coverage["evidence"]] == ["2:0", "2:1", "3:0", "3:1"]
    assert (late["status"], late["value"], late["denominator"]) == ("fail", 0.5, 4)
    assert [item["quote"] for item in late["evidence"]] == ["verifier_error: boom", "judge_failed: judge 500"]


@pytest.mark.parametrize("made", [all_failed_in_the_verifier, nothing_answered, plan])
def test_health_fails_a_run_without_a_score(tmp_path: Path, made: Any) -> None:
    found = document("health", made(tmp_path), code=1)
    assert (found["verdict"], check(found, "coverage")["value"]) == ("unhealthy", 1.0)


@pytest.mark.parametrize(
    ("made", "family", "does", "about"),
    [
        (all_failed_in_the_verifier, "verifier", "gym eval reverify", "unscored.verifier_error"),
        (nothing_answered, "infrastructure", "--resume", "unscored.model_connection"),
        (plan, "infrastructure", "--resume", "unscored.missing"),
        (half_graded, "verifier", "gym eval reverify", "unscored.verifier_timeout"),
    ],
)
def test_a_diagnosis_says_what_to_do_first(tmp_path: Path, made: Any, family: str, does: str, about: str) -> None:
    run = made(tmp_path / "run")
    found = document("diagnose", run)
    check_identities(found)
    first = found["interventions"][0]
    assert (first["id"], first["family"], first["doubt"]) == (about, family, True)
    screen = blade("diagnose", run)
    assert screen.code == 0
    assert does in screen.out
    assert len(screen.out.splitlines()) <= 40


@pytest.mark.parametrize("made", [all_failed_in_the_verifier, nothing_answered, plan, half_graded])
def test_the_report_is_whole_and_its_claims_hold(tmp_path: Path, made: Any) -> None:
    run, out = made(tmp_path / "run"), tmp_path / "out"
    assert blade("diagnose", run, "--out", out).code == 0
    text = (out / "report.md").read_text()
    assert text.count("\n## ") == 11
    assert SECRET not in text
    assert ("### Attempts that failed" in text) == (made is not plan)
    result = blade("verify", out / "report.md", "--run", run, "--json")
    assert (result.code, result.json["false"]) == (0, 0), result.json["findings"]


def test_the_funnel_counts_the_output_of_failed_attempts_and_loses_them_at_the_verifier(tmp_path: Path) -> None:
    stages = document("diagnose", half_graded(tmp_path))["funnel"]
    assert [(stage["stage"], stage["count"]) for stage in stages] == [
        *(("planned", 8), ("started", 8), ("produced output", 8), ("finished", 8)),
        *(("graded", 4), ("scored", 4), ("passed", 2)),
    ]
    for stage in stages:
        assert sql(tmp_path / "r.jsonl", stage["query"]) == [[stage["count"]]]


def test_a_comparison_with_a_run_without_a_score_says_why_there_is_none(tmp_path: Path) -> None:
    scored = write(tmp_path / "a.jsonl", [row(*key, sum(key) % 2) for key in KEYS])
    run = all_failed_in_the_verifier(tmp_path / "b")
    result = blade("compare", scored, run, "--json", "--out", tmp_path / "out")
    assert result.code == 0, result.err
    found = result.json
    assert (found["verdict"], found["a_value"], found["b_value"]) == ("not_comparable", 0.5, None)
    assert "B has no scored rollout" in found["reason"]
    assert "verifier_error ×8: KeyError: 'gold'" in found["reason"]
    assert blade("compare", scored, run, "--gate", "regressed").code == 3
    assert "A has no scored rollout" in blade("compare", plan(tmp_path / "c"), scored).out


def test_show_has_the_last_failed_attempt_of_a_rollout_that_was_never_scored(tmp_path: Path) -> None:
    run = half_graded(tmp_path)
    found = blade("show", run, "3:1", "--json").json
    assert (found["rollout"], found["status"], found["reward"]) == ("3:1", "errored", None)
    assert [step["text"] for step in found["steps"]] == ["question 3", "answer 3 1"]
    assert [(one["attempt"], one["class"]) for one in found["failed_attempts"]] == [
        (0, "verifier_timeout"),
        (1, "verifier_timeout"),
    ]
    screen = blade("show", run, "3:1").out
    assert "3:1 · no score · errored" in screen
    assert "2 attempts failed; this is the last one" in screen
    assert "verifier_timeout: longer than 30 s" in screen
    without = blade("show", run, "2:0", "--json").json
    assert [step["step"] for step in without["steps"]] == [-1]
    assert without["failed_attempts"][-1]["class"] == "model_timeout"
    assert blade("show", run, "3", "--json").json["rollout"] == "3:0"


def test_show_tells_of_the_attempts_before_a_score(tmp_path: Path) -> None:
    run = half_graded(tmp_path)
    found = blade("show", run, "1:1", "--json").json
    assert (found["status"], found["reward"]) == ("scored", 0.0)
    assert [(one["class"], one["message"]) for one in found["failed_attempts"]] == [("judge_failed", "judge 500")]
    assert "1 attempt failed before this row" in blade("show", run, "1:1").out
    assert "failed_attempts" not in blade("show", run, "0:1", "--json").json


def test_show_of_a_rollout_that_was_never_tried_says_so(tmp_path: Path) -> None:
    result = blade("show", plan(tmp_path), "2:0")
    assert (result.code, "it was expected and is missing" in result.err) == (2, True)


def test_secrets_of_a_failure_are_hidden_unless_asked_for(tmp_path: Path) -> None:
    run = all_failed_in_the_verifier(tmp_path)
    assert SECRET not in blade("show", run, "0:0").out
    assert SECRET not in blade("sql", run, "SELECT message FROM failures", "--json").out


def test_runs_without_failures_have_no_word_of_them(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(*key, sum(key) % 2) for key in KEYS])
    found = document("diagnose", run)
    assert "failed_attempts" not in found
    assert "graded" not in [stage["stage"] for stage in found["funnel"]]
    assert "verifier_retries" not in [one["code"] for one in found["health"]["checks"]]
    assert sql(run, "SELECT count(*) FROM failures") == [[0]]


def test_a_file_that_is_written_later_is_read_then(tmp_path: Path) -> None:
    run = plan(tmp_path)
    assert counts(inspect(run)) == {"expected": 8, "missing": 8}
    write(run, [row(0, 0)])
    assert counts(inspect(run)) == {"lines": 1, "rows": 1, "scored": 1, "expected": 8, "passed": 1, "missing": 7, "attempts": 1}
