"""The files of a run against the format and the formulas, both as the specification states them; `slow_metrics` is the oracle."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.offices import ROOT, rows_of
from tests.e2e.shelves import gym
from tests.e2e.slow_metrics import baseline, mean, numbers_of, pass_figures
from tests.gym.endpoints import ScriptedEndpoint

REPEATS = 5
Row = dict[str, Any]
ANSWERS: dict[str, tuple[str, list[str | None]]] = {
    "apples": ("12", ["12", "12", "12", "12", "12"]),
    "pears": ("7", ["8", "7", "7", "8", None]),
    "plums": ("30", ["31", "31", "30", None, "31"]),
    "figs": ("5", [None, "4", "6", "4", "6"]),
    "limes": ("2", ["1", "2", "3", "2", "4"]),
    "dates": ("9", ["9", "FAULT", "9", "8", "9"]),
}
"""Per task: what is expected, and what each repeat says; None is a message without an answer, FAULT no message at all."""
USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 2},
    "output_tokens": 5,
    "output_tokens_details": {"reasoning_tokens": None},
    "total_tokens": 15,
}


def reply_of(said: str | None) -> Row:
    if said == "FAULT":
        return {"status": 500, "body": {"error": {"message": "out of order"}}}
    return {"text": "I do not know." if said is None else f"Answer: {said}", "usage": USAGE}


MATH = {
    "rules": [
        {"when": {"contains": task}, "reply": {"each": [reply_of(one) for one in said]}} for task, (_, said) in ANSWERS.items()
    ]
}
RESPONSE_KEYS = {
    *("id", "created_at", "error", "incomplete_details", "instructions", "metadata", "model", "object", "output"),
    *("parallel_tool_calls", "temperature", "tool_choice", "tools", "top_p", "background", "conversation", "max_output_tokens"),
    *("max_tool_calls", "previous_response_id", "prompt", "prompt_cache_key", "reasoning", "safety_identifier", "service_tier"),
    *("status", "text", "top_logprobs", "truncation", "usage", "user"),
}
REQUEST_KEYS = {
    *("background", "include", "input", "instructions", "max_output_tokens", "max_tool_calls", "metadata", "model"),
    *("parallel_tool_calls", "previous_response_id", "prompt", "reasoning", "service_tier", "store", "temperature", "text"),
    *("tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user", "stream"),
}
OFFICE = {
    "rules": [
        {
            "when": {"turn": 0},
            "reply": {
                "reasoning": "I need the address first.",
                "calls": [{"name": "company_directory_find_email_address", "arguments": {"name": "Vera"}}],
                "usage": USAGE,
            },
        },
        {"when": {"turn": 1}, "reply": {"calls": [{"name": "no_such_tool", "arguments": {}}], "usage": USAGE}},
        {"reply": {"text": "done", "usage": USAGE}},
    ]
}


@dataclass(frozen=True)
class Files:
    """A finished run."""

    output: Path
    said: str

    def rows(self, suffix: str = "") -> list[Row]:
        return rows_of(self.output.with_name(f"run{suffix}.jsonl"))

    def document(self, suffix: str) -> Any:
        return json.loads(self.output.with_name(f"run{suffix}.json").read_text(encoding="utf-8"))


def evaluated(folder: Path, server: str, script: Row, rows: list[Row], *more: str, exit_code: int = 0) -> Files:
    folder.mkdir()
    source, output = folder / "in.jsonl", folder / "out" / "run.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    endpoint = ScriptedEndpoint(folder / "endpoint", script)
    try:
        model = ["--model-type", "openai_model", "--model", "m", "--model-url", endpoint.url, "--model-api-key", "none"]
        calm = "++policy_model.responses_api_models.openai_model.max_retries=0"
        paths = ["--input", str(source), "--output", str(output)]
        words = ("--resources-server", server, *model, *paths, "+num_repeats_add_seed=true", calm, *more)
        done = gym(folder, "eval", "run", *words, cwd=ROOT)
    finally:
        endpoint.stop()
    assert done.returncode == exit_code, done.stderr
    return Files(output, done.stdout)


@pytest.fixture(scope="module")
def maths(home: Path) -> Files:
    """Thirty rollouts of six tasks, one of which cannot be had: exit code 1 says so."""
    rows = [
        {"responses_create_params": {"input": [{"role": "user", "content": f"How many {task}?"}]}, "expected_answer": expected}
        for task, (expected, _) in ANSWERS.items()
    ]
    return evaluated(home / "maths", "math_with_judge", MATH, rows, "--num-repeats", str(REPEATS), exit_code=1)


@pytest.fixture(scope="module")
def office(home: Path) -> Files:
    (first, *_) = rows_of(ROOT / "resources_servers" / "workplace_assistant" / "data" / "example.jsonl")
    return evaluated(home / "office", "workplace_assistant", OFFICE, [first], "--max-output-tokens", "99")


@pytest.fixture(scope="module")
def profiled(maths: Files) -> Files:
    inputs = maths.output.with_name("run_materialized_inputs.jsonl")
    words = ("eval", "profile", "--inputs", str(inputs), "--rollouts", str(maths.output))
    refused = gym(maths.output.parents[1], *words, cwd=ROOT)
    assert refused.returncode == 2, "a rollout is missing"
    done = gym(maths.output.parents[1], *words, "++allow_partial_rollouts=True", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return Files(maths.output, done.stdout)


# ---------------------------------------------------------------- rows


def test_a_row_has_the_fields_of_the_format(maths: Files) -> None:
    rows = maths.rows()
    assert len(rows) == 29
    for row in rows:
        assert set(row["responses_create_params"]) >= REQUEST_KEYS
        assert set(row["response"]) >= RESPONSE_KEYS
        assert row["response"]["object"] == "response"
        assert row["response"]["usage"] == USAGE
        assert isinstance(row["reward"], float)
        assert type(row["_ng_task_index"]) is type(row["_ng_rollout_index"]) is int
        assert row["agent_ref"] == {"name": "math_with_judge_simple_agent"}
        assert {"expected_answer", "extracted_answer", "library_reward", "judge_evaluations"} <= set(row)
        absent = {"_ng_failure_class", "_ng_failure_terminal", "_ng_attempt_index", "_ng_no_persist", "skills_ref"}
        assert not absent & set(row)
    right = {
        (index, repeat): float(said == expected)
        for index, (expected, answers) in enumerate(ANSWERS.values())
        for repeat, said in enumerate(answers)
        if said != "FAULT"
    }
    assert {(row["_ng_task_index"], row["_ng_rollout_index"]): row["reward"] for row in rows} == right


def test_a_line_is_compact_and_ended(maths: Files) -> None:
    raw = maths.output.read_bytes()
    assert raw.endswith(b"\n")
    assert all(
        line == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode() for line in raw.splitlines()
    )


def test_a_workplace_row_has_the_skeleton_of_the_format(office: Files) -> None:
    (row,) = office.rows()
    asked, response = row["responses_create_params"], row["response"]
    assert [set(item) >= {"content", "role", "type"} for item in asked["input"]] == [True, True]
    assert len(asked["tools"]) == 27
    assert all(set(tool) == {"type", "name", "description", "parameters", "strict"} for tool in asked["tools"])
    assert (asked["temperature"], asked["max_output_tokens"], asked["top_p"], asked["stream"]) == (1.0, 99, None, None)
    assert {key for key in REQUEST_KEYS if asked[key] is None} >= {"background", "include", "instructions", "user", "text"}
    thought, looked_up, found, unknown, refused, said = response["output"]
    assert (thought["type"], thought["summary"][0]["type"]) == ("reasoning", "summary_text")
    for call in (looked_up, unknown):
        assert set(call) == {"type", "name", "arguments", "call_id", "id", "status"}
        assert {type(value) for value in call.values()} == {str}
    assert json.loads(looked_up["arguments"]) == {"name": "Vera"}
    for call, answer in ((looked_up, found), (unknown, refused)):
        assert (answer["type"], answer["call_id"]) == ("function_call_output", call["call_id"])
        assert isinstance(answer["output"], str)
    assert "no_such_tool" in refused["output"]
    assert (said["type"], said["role"], said["status"]) == ("message", "assistant", "completed")
    assert {"type", "text", "annotations"} <= set(said["content"][0])
    assert (response["incomplete_details"], response["error"], response["status"]) == (None, None, "completed")
    assert row["reward"] == 0.0


def test_usage_is_the_sum_over_calls_and_unknown_stays_unknown(office: Files) -> None:
    (row,) = office.rows()
    assert row["response"]["usage"] == {
        "input_tokens": 30,
        "input_tokens_details": {"cached_tokens": 6},
        "output_tokens": 15,
        "output_tokens_details": {"reasoning_tokens": None},
        "total_tokens": 45,
    }


def test_the_materialized_inputs_are_the_plan_in_order(maths: Files) -> None:
    plan = maths.rows("_materialized_inputs")
    assert [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in plan] == [
        (task, repeat) for task in range(len(ANSWERS)) for repeat in range(REPEATS)
    ]
    for row in plan:
        assert row["agent_ref"] == {"name": "math_with_judge_simple_agent"}
        assert json.loads(row["responses_create_params"]["metadata"]["extra_body"]) == {"seed": row["_ng_rollout_index"]}
        assert "response" not in row
        assert "reward" not in row


def test_a_failure_has_a_row_for_every_attempt(maths: Files) -> None:
    failures = maths.rows("_failures")
    assert [row.get("_ng_attempt_index") for row in failures] == [None, 1, 2]
    for row in failures:
        assert (row["_ng_task_index"], row["_ng_rollout_index"]) == (5, 1)
        assert row["_ng_failure_class"] == "model_upstream_error"
        assert row["agent_ref"] == {"name": "math_with_judge_simple_agent"}
        assert row["responses_create_params"]["input"][0]["content"] == "How many dates?"
        assert "out of order" in row["failure_message"]


def test_a_failed_judge_is_no_verdict(home: Path) -> None:
    """The response is kept, so that it can be judged again; the reward stands there and is not counted."""
    down = {"status": 500, "body": {"error": {"message": "the judge is away"}}}
    script = {"rules": [{"when": {"contains": "First answer:"}, "reply": down}, {"reply": "Answer: 3"}]}
    row = {"responses_create_params": {"input": [{"role": "user", "content": "How many?"}]}, "expected_answer": "12"}
    server = "++math_with_judge.resources_servers.math_with_judge"
    judge = (f"{server}.should_use_judge=true", f"{server}.judge_model_server={{name: policy_model}}", "--max-attempts", "1")
    files = evaluated(home / "judged", "math_with_judge", script, [row], *judge, exit_code=1)
    assert files.rows() == []
    (failure,) = files.rows("_failures")
    assert (failure["_ng_failure_class"], failure["reward"]) == ("judge_failed", 0.0)
    assert "the judge is away" in failure["_ng_failure_judge_error"]
    assert failure["response"]["output"][0]["content"][0]["text"] == "Answer: 3"


AGENT = "++workplace_assistant_simple_agent.responses_api_agents.simple_agent"


@pytest.mark.parametrize("setting", [f"{AGENT}.skip_verification=true", "+skip_verification=true"], ids=["one agent", "all"])
def test_a_skipped_verification_says_so_and_has_no_metrics(tmp_path: Path, setting: str) -> None:
    (first, *_) = rows_of(ROOT / "resources_servers" / "workplace_assistant" / "data" / "example.jsonl")
    files = evaluated(tmp_path / "unverified", "workplace_assistant", OFFICE, [first], setting)
    (row,) = files.rows()
    assert (row["verification_skipped"], row["reward"]) == (True, 0.0)
    (entry,) = files.document("_aggregate_metrics")
    assert (entry["agent_metrics"], entry["key_metrics"], entry["group_level_metrics"]) == ({}, {}, [])


# ---------------------------------------------------------------- figures, the slow way


def by_task(rows: list[Row]) -> list[list[Row]]:
    ordered = sorted(rows, key=lambda row: (row["_ng_task_index"], row["_ng_rollout_index"]))
    return [[row for row in ordered if row["_ng_task_index"] == task] for task in range(len(ANSWERS))]


def statistics_in(entry: Row) -> dict[str, float]:
    return {key: value for key, value in entry.items() if key.partition("/")[0] in ("mean", "max", "min", "median", "std")}


def test_the_metrics_of_an_agent_follow_the_formulas(maths: Files) -> None:
    rows = maths.rows()
    (entry,) = maths.document("_aggregate_metrics")
    assert set(entry) >= {"agent_ref", "agent_metrics", "key_metrics", "group_level_metrics"}
    assert entry["agent_ref"] == {"name": "math_with_judge_simple_agent"}
    metrics = entry["agent_metrics"]
    assert statistics_in(metrics) == pytest.approx(baseline(rows))
    expected = pass_figures(by_task(rows), REPEATS)
    assert {key: metrics.get(key) for key in expected} == pytest.approx(expected)
    at = {key for key in metrics if "@" in key.partition("/")[0] and key.partition("/")[2] in ("accuracy", "no_answer")}
    assert at <= set(expected)
    samples = [
        100 * mean([float(said == wanted) for wanted, answers in ANSWERS.values() if (said := of_repeat(answers, i)) != "FAULT"])
        for i in range(REPEATS)
    ]
    assert metrics["per_sample_aggregate"]["accuracy"] == pytest.approx(samples)


def of_repeat(answers: list[str | None], place: int) -> str | None:
    """The i-th answer that there is: a repeat that failed leaves no gap."""
    there = [said for said in answers if said != "FAULT"]
    return there[place] if place < len(there) else "FAULT"


def test_key_metrics_are_some_of_the_metrics(maths: Files, office: Files) -> None:
    (entry,) = maths.document("_aggregate_metrics")
    assert entry["key_metrics"].items() <= entry["agent_metrics"].items()
    assert {"mean/reward", f"pass@{REPEATS}/accuracy", f"majority@{REPEATS}/accuracy"} <= set(entry["key_metrics"])
    (entry,) = office.document("_aggregate_metrics")
    assert entry["key_metrics"].items() <= entry["agent_metrics"].items()
    assert all(key == "mean/reward" or key.endswith("/pass_rate") for key in entry["key_metrics"]), "what the server chose"
    assert "Key metrics for workplace_assistant_simple_agent:" in office.said


def check_tasks(entries: list[Row], rows: list[Row]) -> None:
    """Per task: statistics, how much of it is there, and every rollout's own numbers."""
    assert [entry["_ng_task_index"] for entry in entries] == list(range(len(ANSWERS)))
    for entry, task in zip(entries, by_task(rows), strict=True):
        assert statistics_in({key: entry[key] for key in entry if key in baseline(task)}) == pytest.approx(baseline(task))
        counts = (entry["num_rollouts"], entry["expected_num_rollouts"], entry["missing_num_rollouts"])
        assert counts == (len(task), REPEATS, REPEATS - len(task))
        assert entry["reward_profile_completion_pct"] == pytest.approx(100 * len(task) / REPEATS)
        for info, row in zip(entry["rollout_infos"], task, strict=True):
            index, repeat = row["_ng_task_index"], row["_ng_rollout_index"]
            named = {"rollout_id": f"{index}:{repeat}", "_ng_task_index": index, "_ng_rollout_index": repeat}
            assert info == named | numbers_of(row, usage_wins=False)


def test_the_figures_of_a_task_follow_the_formulas(maths: Files) -> None:
    (entry,) = maths.document("_aggregate_metrics")
    check_tasks(entry["group_level_metrics"], maths.rows())


def test_the_reward_profile_holds_the_same_and_the_task(profiled: Files) -> None:
    entries = profiled.rows("_reward_profiling")
    check_tasks(entries, profiled.rows())
    plan = {row["_ng_task_index"]: row for row in reversed(profiled.rows("_materialized_inputs"))}
    for entry in entries:
        given = plan[entry["_ng_task_index"]]
        assert entry["sample"] == {
            key: value for key, value in given.items() if key not in ("_ng_task_index", "_ng_rollout_index")
        }
    (agent,) = profiled.document("_agent_metrics")
    assert agent["agent_ref"] == {"name": "math_with_judge_simple_agent"}
    assert {key: agent[key] for key in baseline(profiled.rows())} == pytest.approx(baseline(profiled.rows()))


def test_a_profile_says_how_complete_the_run_is(profiled: Files) -> None:
    said = dict(line.split(": ") for line in profiled.said.splitlines() if line.count(": ") == 1)
    assert said["expected_rollout_rows"] == "30"
    assert (said["completed_rollout_rows"], said["missing_rollout_rows"], said["extra_rollout_rows"]) == ("29", "1", "0")
    assert (said["total_input_rows"], said["complete_input_rows"]) == ("6", "5")
    assert (said["partial_input_rows"], said["missing_input_rows"]) == ("1", "0")
    assert said["reward_profile_completion_pct"] == "96.6667"
