"""The example run: the same bytes for the same seed, keys that join, parts that sum, and the causes it says it planted."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from blade.lab.behaviours import CAUSES
from blade.lab.example import Example, build, causes_by_task, main, write

Row = dict[str, Any]


@pytest.fixture(scope="module")
def example() -> Example:
    return build()


def key(row: Row) -> tuple[int, int]:
    return row["_ng_task_index"], row["_ng_rollout_index"]


def calls(row: Row) -> list[tuple[str, Row]]:
    return [
        (item["name"], json.loads(item["arguments"])) for item in row["response"]["output"] if item["type"] == "function_call"
    ]


def planted(example: Example, cause: str) -> list[Row]:
    return [row for row in example.rollouts if example.planted.get(key(row)) == cause]


def test_equal_seeds_give_equal_bytes_and_other_seeds_do_not(tmp_path: Path) -> None:
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        main([str(tmp_path / folder), "--tasks", "12", "--repeats", "3", "--seed", str(seed)])
    a, b, c = ({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in "abc")
    assert a == b
    assert a["example_rollouts.jsonl"] != c["example_rollouts.jsonl"]


def test_every_line_of_every_file_is_one_json_object(example: Example, tmp_path: Path) -> None:
    write(example, tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(files) == {f"example_rollouts{suffix}.jsonl" for suffix in ("", "_materialized_inputs", "_failures")}
    for content in files.values():
        assert content.endswith(b"\n")
        assert all(isinstance(json.loads(line), dict) for line in content.splitlines())


def test_keys_join_and_the_parts_sum(example: Example) -> None:
    planned, written = [key(row) for row in example.inputs], [key(row) for row in example.rollouts]
    attempted = {key(row) for row in example.failures}
    assert planned == [(task, repeat) for task in range(40) for repeat in range(4)]
    assert len(set(written)) == len(written) == 154
    missing = set(planned) - set(written)
    errored = missing & attempted
    passed = sum(row["reward"] == 1.0 for row in example.rollouts)
    failed = sum(row["reward"] == 0.0 for row in example.rollouts)
    assert (passed, failed, len(errored), len(missing - errored)) == (90, 64, 2, 4)
    assert passed + failed + len(missing) == len(planned)


def test_planted_counts_of_the_default_seed(example: Example) -> None:
    assert Counter(example.planted.values()) == {
        "skipped_lookup": 14,
        "knowledge_gap": 16,
        "outage": 17,
        "truncated": 5,
        "strict_verifier": 6,
        "unreliable": 4,
        "unbacked_claim": 2,
        "killed": 4,
        "timeout_exceeded": 2,
    }
    failing = {key(row) for row in example.rollouts if row["reward"] == 0.0}
    assert failing == {where for where, cause in example.planted.items() if cause in CAUSES}


def test_failures_sidecar_holds_each_attempt_and_one_that_later_succeeded(example: Example) -> None:
    classes = Counter((key(row), row["_ng_failure_class"]) for row in example.failures)
    assert sorted(classes.values()) == [1, 1, 2]
    retried = [row for row in example.rollouts if "_ng_attempt_index" in row]
    assert [(row["reward"], classes[key(row), "remote_agent_error"]) for row in retried] == [(1.0, 1)]


def test_rows_land_in_order_of_completion_not_of_keys(example: Example) -> None:
    ends = [row["response"]["created_at"] for row in example.rollouts]
    assert ends == sorted(ends)
    assert [key(row) for row in example.rollouts] != sorted(key(row) for row in example.rollouts)


def test_every_call_has_its_output_and_usage_adds_up(example: Example) -> None:
    for row in example.rollouts:
        output, usage = row["response"]["output"], row["response"]["usage"]
        made = [item["call_id"] for item in output if item["type"] == "function_call"]
        answered = [item["call_id"] for item in output if item["type"] == "function_call_output"]
        assert made == answered
        assert len(set(made)) == len(made) > 0
        assert usage["input_tokens"] + usage["output_tokens"] == usage["total_tokens"]
    ids = [item["id"] for row in example.rollouts for item in row["response"]["output"]]
    assert len(set(ids)) == len(ids)


def test_a_skipped_lookup_is_what_separates_failing_from_passing_repeats(example: Example) -> None:
    struck = planted(example, "skipped_lookup")
    tasks = {row["_ng_task_index"] for row in struck}
    passing = [row for row in example.rollouts if row["_ng_task_index"] in tasks and row["reward"] == 1.0]
    assert {row["_ng_task_index"] for row in passing} == tasks
    assert all("find_member" in dict(calls(row)) for row in passing)
    for row in struck:
        assert "find_member" not in dict(calls(row))
        guess = calls(row)[-1][1]["member_id"]
        outputs = [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]
        assert guess not in json.dumps([row["responses_create_params"], outputs[:-1]])


def test_a_knowledge_gap_is_the_same_wrong_argument_in_every_repeat(example: Example) -> None:
    arguments = defaultdict(list)
    for row in planted(example, "knowledge_gap"):
        arguments[row["_ng_task_index"]].append(calls(row)[-1])
        assert calls(row)[-1][1]["pieces"] != json.loads(row["ground_truth"][0]["arguments"])["pieces"]
    assert [len(made) for made in arguments.values()] == [4] * 4
    assert all(call == made[0] for made in arguments.values() for call in made)


def test_the_outage_is_a_cluster_in_time(example: Example) -> None:
    assert example.outage is not None
    hit = [row for row in example.rollouts if "503 Service Unavailable" in json.dumps(row["response"]["output"])]
    assert {key(row) for row in planted(example, "outage")} <= {key(row) for row in hit}
    ends = [row["response"]["created_at"] for row in hit]
    whole = [row["response"]["created_at"] for row in example.rollouts]
    assert max(ends) - min(ends) < 0.25 * (max(whole) - min(whole))
    assert example.outage.opens <= min(ends)


def test_truncation_leaves_its_mark_and_only_there(example: Example) -> None:
    cut = [row for row in example.rollouts if row["response"]["incomplete_details"]]
    assert {key(row) for row in cut} == {key(row) for row in planted(example, "truncated")}
    assert {row["response"]["incomplete_details"]["reason"] for row in cut} == {"max_output_tokens"}


def test_the_strict_verifier_rejects_equal_figures(example: Example) -> None:
    for row in planted(example, "strict_verifier"):
        assert row["extracted_answer"] != row["expected_answer"]
        assert float(row["extracted_answer"].strip("£").replace(",", "")) == float(row["expected_answer"])


def test_a_claim_without_the_action_says_done_and_writes_nothing(example: Example) -> None:
    for row in planted(example, "unbacked_claim"):
        assert (row["actions_expected"], row["actions_matched"], row["actions_unexpected"]) == (1, 0, 0)


@pytest.mark.parametrize(("tasks", "repeats"), [(1, 1), (5, 2), (7, 1), (23, 3), (120, 2)])
def test_any_size_sums(tasks: int, repeats: int) -> None:
    example = build(tasks, repeats, seed=11)
    lost = [cause for cause in example.planted.values() if cause not in CAUSES]
    assert len(example.inputs) == tasks * repeats == len(example.rollouts) + len(lost)
    assert len(causes_by_task(tasks, 11)) == tasks
