"""Can a score be trusted: each check fires on what it is for, says what it counted, and never moves the booked score."""

from pathlib import Path
from typing import Any

import pytest

from blade.diagnosis.diagnose import diagnose, extractors
from blade.errors import NotDecidable
from blade.runs.run import open_run
from tests.runs.support import planned, row, write_jsonl
from tests.shared_data import needs_shared_data, shared_data

NOT_THERE = '{"detail":"Not Found"}'
RESET = "litellm.APIConnectionError: [Errno 54] Connection reset by peer"


def said(text: str) -> dict[str, Any]:
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {"response": {"id": f"r-{text}", "output": [message]}}


Health = dict[str, Any]


def checked(folder: Path, files: dict[str, list[Any]]) -> Health:
    for name, rows in files.items():
        write_jsonl(folder / name, rows)
    with open_run(folder / "r.jsonl", extractors=extractors(), index_dir=folder / "index") as run:
        return dict(diagnose(run, workers=1)["health"])


def check_of(found: Health, code: str) -> dict[str, Any]:
    return next(check for check in found["checks"] if check["code"] == code)


def status(found: Health, code: str) -> str:
    return str(check_of(found, code)["status"])


def clean_run(tasks: int = 40, repeats: int = 4) -> list[dict[str, Any]]:
    return [
        row(task, repeat, float((task + repeat) % 2), **said(f"answer {task} {repeat}"))
        | {"responses_create_params": {"input": [{"role": "user", "content": f"question {task}"}]}}
        for task in range(tasks)
        for repeat in range(repeats)
    ]


def test_a_clean_run_fails_nothing(tmp_path: Path) -> None:
    found = checked(tmp_path, {"r.jsonl": clean_run()})
    assert [check["code"] for check in found["checks"] if check["status"] == "fail"] == []
    assert found["verdict"] in ("healthy", "suspect")


def test_connection_failures_that_were_scored_make_a_run_unhealthy_and_both_figures_are_shown(tmp_path: Path) -> None:
    rows = clean_run()
    for number in range(0, len(rows), 8):
        rows[number] |= {"reward": 0.0, "response": {"id": "x", "output": [], "error": {"code": "connection", "message": RESET}}}
    found = checked(tmp_path, {"r.jsonl": rows})
    check = check_of(found, "infrastructure")
    assert (found["verdict"], check["status"], check["value"], check["denominator"]) == ("unhealthy", "fail", 20 / 160, 160)
    booked = sum(float(row["reward"]) for row in rows) / 160
    left: dict[int, list[float]] = {}
    for one in rows:
        if "error" not in one["response"]:
            left.setdefault(one["_ng_task_index"], []).append(float(one["reward"]))
    rest = sum(sum(of_task) / len(of_task) for of_task in left.values()) / 40
    assert rest != sum(map(sum, left.values())) / 140
    told = f"booked score {booked:.4f} (mean of 40 tasks, 160 rollouts), without them {rest:.4f} (40 tasks, 140)"
    assert told in check["message"]
    assert all(item["rollout"] and "reset" in item["quote"].lower() for item in check["evidence"])


@pytest.mark.parametrize(
    ("change", "code", "expected"),
    [
        (lambda rows: [*rows, rows[0]], "duplicates", "warn"),
        (lambda rows: [*rows, *rows[:10]], "duplicates", "fail"),
        (lambda rows: [{**one, "response": {**one["response"], "incomplete_details": {"reason": "max_output_tokens"}}} for one in rows], "truncation", "fail"),
        (lambda rows: [{**one, "reward": 1.0, "response": {"id": None, "output": []}} for one in rows], "suspicious_passes", "fail"),
        (lambda rows: [{**one, "reward": 1.0} for one in rows], "saturation", "warn"),
        (lambda rows: [{**one, "extracted_answer": "7"} for one in rows], "verifier_consistency", "fail"),
        (lambda rows: [{**one, "responses_create_params": rows[0]["responses_create_params"]} for one in rows], "shared_prompts", "fail"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(tmp_path: Path, change: Any, code: str, expected: str) -> None:
    before = checked(tmp_path / "clean", {"r.jsonl": clean_run()})
    after = checked(tmp_path / "changed", {"r.jsonl": change(clean_run())})
    assert status(before, code) in ("ok", "unknown")
    assert status(after, code) == expected


@pytest.mark.parametrize(
    ("passing", "status", "said"),
    [
        (0, "warn", "pass@1 is 0.0 %: no pass to set beside the failures, and nothing that could get worse"),
        (2, "warn", "pass@1 is 1.2 %: hardly a pass to set beside the failures, and little that could get worse"),
        (80, "ok", "pass@1 is 50.0 %: there is room for a difference in both directions"),
        (158, "warn", "pass@1 is 98.8 %: hardly a failure to learn from, and little that could get better"),
        (160, "warn", "pass@1 is 100.0 %: no failure to learn from, and nothing that could get better"),
    ],
)
def test_what_a_pass_rate_at_either_end_leaves_to_be_seen(tmp_path: Path, passing: int, status: str, said: str) -> None:
    rows = [{**one, "reward": float(number < passing)} for number, one in enumerate(clean_run())]
    check = check_of(checked(tmp_path, {"r.jsonl": rows}), "saturation")
    assert (check["status"], check["message"]) == (status, said)


def test_lost_rollouts_are_counted_against_the_plan(tmp_path: Path) -> None:
    plan = [planned(task, repeat) for task in range(40) for repeat in range(5)]
    found = checked(tmp_path, {"r.jsonl": clean_run(), "r_materialized_inputs.jsonl": plan})
    check = check_of(found, "coverage")
    assert (check["status"], check["value"], check["denominator"]) == ("fail", 0.2, 200)


@needs_shared_data
def test_the_gemini_retail_runs(real_index: Path) -> None:
    data = shared_data()
    assert data is not None
    found = {}
    for name in ("run1", "run3"):
        path = data / "taubench" / f"retail__gemini-2.0-flash__tool-calling__1t_{name}.jsonl.gz"
        with open_run(path, extractors=extractors(), index_dir=real_index) as run:
            found[name] = diagnose(run)["health"]
    check = check_of(found["run1"], "infrastructure")
    assert (check["status"], check["value"], check["denominator"]) == ("fail", 35 / 115, 115)
    assert "0.2870 (mean of 115 tasks, 115 rollouts)" in check["message"]
    assert "0.4125 (80 tasks, 80)" in check["message"]
    assert status(found["run3"], "infrastructure") == "ok"
    assert found["run3"]["verdict"] != "unhealthy"


def answered(task: int, repeat: int, answer: str, reward: float) -> dict[str, Any]:
    return row(task, repeat, reward, **said(f"The answer is {answer}.")) | {
        "responses_create_params": {"input": [{"role": "user", "content": f"question {task}"}]},
        "expected_answer": f"{1200 + task}",
        "extracted_answer": answer,
    }


def test_what_the_diagnosis_finds_against_the_verifier_is_in_the_checks(tmp_path: Path) -> None:
    """In tasks 0 to 2 the second repeat gives the right answer with a comma, which is another string and scored 0."""
    rows = [
        answered(task, repeat, f"1,2{task:02}" if repeat == 1 and task < 3 else f"{1200 + task}", float(repeat != 1 or task >= 3))
        for task in range(20)
        for repeat in range(3)
    ]
    found = checked(tmp_path, {"r.jsonl": rows})
    consistency, verdicts = check_of(found, "verifier_consistency"), check_of(found, "wrong_verdicts")
    assert (consistency["status"], consistency["value"], consistency["denominator"]) == ("fail", 3 / 60, 60)
    assert (verdicts["status"], verdicts["value"]) == ("warn", 3 / 60)
    assert {item["rollout"] for item in verdicts["evidence"]} == {"0:1", "1:1", "2:1"}
    assert status(found, "verifier_fidelity") == "fail"
    sound = [one | {"extracted_answer": "1200", "reward": 1.0} for one in rows]
    assert status(checked(tmp_path / "sound", {"r.jsonl": sound}), "verifier_consistency") == "ok"


def test_equal_answers_are_compared_without_a_pass_rule_too(tmp_path: Path) -> None:
    rows = [answered(task, repeat, "7", 3.0 if repeat and task == 4 else 2.0) for task in range(20) for repeat in range(2)]
    found = checked(tmp_path, {"r.jsonl": rows})
    check = check_of(found, "verifier_consistency")
    assert (check["status"], check["value"], check["evidence"][0]["rollout"]) == ("fail", 1 / 40, "4:0")
    assert status(found, "wrong_verdicts") == "unknown"


def test_what_cannot_be_decided_is_named_beside_the_verdict(tmp_path: Path) -> None:
    """One task, tried twice: nothing speaks against the run, and little for it."""
    found = checked(tmp_path, {"r.jsonl": clean_run(1, 2)})
    assert found["verdict"] == "healthy"
    assert {"noise", "coverage", "task_fit"} <= set(found["undecided"])
    assert "variance" not in found["undecided"], "it only sums up others"
    assert found["undecided"] == [code for code in found["undecided"] if status(found, code) == "unknown"]


def test_nothing_scored_is_not_decidable(tmp_path: Path) -> None:
    from blade.cli.health import health as command

    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, None)])
    with pytest.raises(NotDecidable):
        command.main([str(tmp_path / "r.jsonl"), "--no-index"], standalone_mode=False)


def test_samples_that_their_own_rows_mask_are_told_where_they_count(tmp_path: Path) -> None:
    rows = [one | {"instance_config": {"mask_sample": number < 3}} for number, one in enumerate(clean_run(10, 2))]
    check = check_of(checked(tmp_path / "masked", {"r.jsonl": rows}), "masked_samples")
    assert (check["status"], check["value"], len(check["evidence"])) == ("fail", 3 / 20, 3)
    plain = checked(tmp_path / "plain", {"r.jsonl": clean_run(10, 2)})
    assert "masked_samples" not in {check["code"] for check in plain["checks"]}


@pytest.mark.parametrize(
    ("kept", "counted"),
    [
        (said(""), True),
        ({"response": {"id": "x", "output": []}}, True),
        (said("7"), False),
        ({"response": {"id": "x", "output": []}, "model_patch": "diff --git a/a.py b/a.py"}, False),
    ],
)
def test_an_empty_message_is_no_output_and_a_patch_beside_the_response_is_one(
    tmp_path: Path, kept: dict[str, Any], counted: bool
) -> None:
    rows = clean_run()
    rows[1] |= kept  # this one passes
    found = checked(tmp_path, {"r.jsonl": rows})
    for code in ("empty_output", "suspicious_passes"):
        assert (check_of(found, code)["value"] > 0) is counted


@pytest.mark.parametrize(
    ("answers", "told"), [((NOT_THERE,) * 6, True), ((NOT_THERE,) * 5 + ('{"id": 7}',), False), ((NOT_THERE,) * 4, False)]
)
def test_tools_of_which_none_ever_answers_are_told(tmp_path: Path, answers: tuple[str, ...], told: bool) -> None:
    rows = clean_run()
    for number, answer in enumerate(answers):
        rows[4 * number]["response"]["output"] = [
            {"type": "function_call", "call_id": "c", "name": "look_up", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": answer},
            *rows[4 * number]["response"]["output"],
        ]
    found = checked(tmp_path, {"r.jsonl": rows})
    assert any(check["code"] == "tool_answers" for check in found["checks"]) is told
