"""The checks of verifiers that have several, in the shapes in which they are written down."""

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.signals.example import Example
from blade.signals.wanted.checks import MAX_CHECKS, ChecksExtractor, find_checks
from tests.shared_data import needs_shared_data, shared_rows


def told(fields):
    return [(check.field, check.name, check.passed) for check in find_checks(fields)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"reward_components": {"format": 0.0, "answer": 1.0, "style": 0.5}},
            [("reward_components", "format", False), ("reward_components", "answer", True), ("reward_components", "style", None)],
        ),
        # points of an unknown scale pass and fail nothing
        (
            {"reward_components": {"speed": 0.0, "score": 7.5}},
            [("reward_components", "speed", None), ("reward_components", "score", None)],
        ),
        ({"checks": {"compiles": True, "runs": False}}, [("checks", "compiles", True), ("checks", "runs", False)]),
        (
            {"test_results": {"test_a": "PASSED", "test_b": "FAILED"}},
            [("test_results", "test_a", True), ("test_results", "test_b", False)],
        ),
        ({"tests": [{"name": "test_a", "passed": True}]}, [("tests", "test_a", True)]),
        ({"checks": [{"name": "exists", "passed": False, "detail": "no such file"}]}, [("checks", "exists", False)]),
        ({"rubric": [{"criterion": "Names the town.", "score": 0}]}, [("rubric", "Names the town.", False)]),
        (
            {"rubric_evaluations": [{"criterion_id": "C1", "criteria": "…", "verdict": "PASS", "score": 1}]},
            [("rubric_evaluations", "C1", True)],
        ),
        (
            {"validation_results": [{"instruction": "length:words", "status": "Failed"}]},
            [("validation_results", "length:words", False)],
        ),
        (
            {"follow_instruction_list": [True, False], "instruction_id_list": ["length", "title"]},
            [("follow_instruction_list", "length", True), ("follow_instruction_list", "title", False)],
        ),
        # one boolean and one text that tells the entries apart, in whatever object
        (
            {
                "marking": {
                    "assertions": [
                        {"assertion": "sum", "ok": False, "detail": "off by 2"},
                        {"assertion": "log", "ok": True, "detail": ""},
                    ]
                }
            },
            [("marking.assertions", "sum", False), ("marking.assertions", "log", True)],
        ),
        (
            {"review": {"points": [{"rule": "is polite", "holds": True}, {"rule": "names the town", "holds": False}]}},
            [("review.points", "is polite", True), ("review.points", "names the town", False)],
        ),
        (
            {
                "criteria_seen": [
                    {"text": "short", "yes": True, "required": False},
                    {"text": "dated", "yes": False, "required": True},
                ]
            },
            [("criteria_seen", "short", True), ("criteria_seen", "dated", False)],
        ),
        ({"guards": [{"guard": "no deletion", "violation": False}]}, [("guards", "no deletion", True)]),
        ({"step_results": [False, True]}, [("step_results", "0", False), ("step_results", "1", True)]),
        (
            {
                "report": {
                    "FAIL_TO_PASS": {"success": ["t1"], "failure": ["t2"]},
                    "PASS_TO_PASS": {"success": ["t3"], "failure": []},
                }
            },
            [("report.FAIL_TO_PASS", "t1", True), ("report.FAIL_TO_PASS", "t2", False), ("report.PASS_TO_PASS", "t3", True)],
        ),
        ({"f2p_passed": 3, "f2p_total": 4, "p2p_passed": 2, "p2p_total": 2}, [("", "f2p", False), ("", "p2p", True)]),
        (
            {"schema_check_passed": True, "judge_passed": False, "apply_failed": False, "agent_timed_out": True},
            [("", "schema_check_passed", True), ("", "judge_passed", False), ("", "apply_failed", True)],
        ),
        ({"base_status": "pass", "plus_status": "fail"}, [("", "base_status", True), ("", "plus_status", False)]),
        (
            {
                "result": {
                    "reward_info": {
                        "db_check": {"db_match": False, "db_reward": 0.0},
                        "action_checks": [
                            {"action": {"action_id": "0_0", "name": "book"}, "action_match": True, "action_reward": 1.0},
                            {"action": {"action_id": "0_1", "name": "book"}, "action_match": False, "action_reward": 0.0},
                        ],
                        "env_assertions": [{"env_assertion": {"func_name": "assert_paid"}, "met": True, "reward": 1.0}],
                        "nl_assertions": [{"nl_assertion": "Agent refuses.", "met": False, "justification": "It did not."}],
                        "reward_breakdown": {"DB": 0.0, "COMMUNICATE": 1.0},
                    }
                }
            },
            [
                ("result.reward_info.db_check", "db_match", False),
                ("result.reward_info.db_check", "db_reward", False),
                ("result.reward_info.action_checks", "book", True),
                ("result.reward_info.action_checks", "book #2", False),
                ("result.reward_info.env_assertions", "assert_paid", True),
                ("result.reward_info.nl_assertions", "Agent refuses.", False),
                ("result.reward_info.reward_breakdown", "DB", False),
                ("result.reward_info.reward_breakdown", "COMMUNICATE", True),
            ],
        ),
    ],
)
def test_checks_are_found_by_shape(fields, expected):
    assert told({"reward": 0.0, **fields}) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"correct": True},
        {"resolved": False, "evaluation_completed": False},
        {"verdict_ab": "A>B", "invalid_ab": False, "invalid_ba": True},
        {"terminated": True, "truncated": False, "mask_sample": False},
        {"config": {"verbose_logs": False, "auto_review": True}},
        {"tests": ["assert f(1) == 2"]},
        {"rubric": [{"criterion": "Names the town.", "weight": 2.5}]},
        {"task": {"checks": {"a": True, "b": False}}},
        {"predicted_calls": [{"name": "book", "arguments": {}}]},
        {"logprobs": [0, 1, 0]},
        {"reward_components": {}},
        {"scores": {"a": float("nan"), "b": "high"}},
        {"checks": [{"text": "short", "required": True}]},
        {"tool_log": [{"tool": "search", "ok": True}, {"tool": "book", "ok": False}]},
        {"entries": [{"title": "Orchard", "on_loan": True}, {"title": "Ferry", "on_loan": False}]},
        {"assertions": [{"left": "a", "right_hand": "b", "ok": True}]},
    ],
)
def test_what_is_no_check(fields):
    assert told({"reward": 0.0, **fields}) == []


@pytest.mark.parametrize("key", ["message", "reason", "detail", "traceback"])
def test_what_a_check_says_of_itself(key):
    (check,) = find_checks({"checks": [{"name": "exists", "passed": False, key: "no such file"}]})
    assert check.detail == "no such file"


def test_the_one_case_that_a_runner_reports():
    report = {"output": "25", "inputs": "[[24, 9], 1]", "expected": "30", "error_code": -2, "error_message": "Wrong Answer"}
    (check,) = find_checks({"verifier_metadata": report})
    assert (check.field, check.name, check.passed) == ("verifier_metadata", "wrong output", False)
    assert check.detail == "Wrong Answer; expected 30, got 25; for [[24, 9], 1]"
    assert find_checks({"verifier_metadata": {"execution time": 0.01}}) == []


def test_their_number_is_bounded_and_their_words_are_cleaned():
    secret = "sk-abcdefghij1234567890abcdefghij"
    entries = [{"name": f"test {number}", "passed": False, "message": f"\x1b[31m{secret}"} for number in range(500)]
    text = Example(fields={"test_results": entries}).text()
    rows = list(ChecksExtractor().extract(RowView(RowDecoder().decode(text), text)))
    assert len(rows) == MAX_CHECKS
    assert rows[0][:4] == ("test_results", "test 0", 0.0, False)
    assert secret not in str(rows)
    assert "\x1b" not in str(rows)


@needs_shared_data
@pytest.mark.parametrize(
    ("run", "field", "least"),
    [
        ("gym/example_tool_call_multireward/example_rollouts", "reward_components", 3),
        ("gym/inverse_if/example_rollouts", "rubric_evaluations", 3),
        ("gym/verifif/example_rollouts", "validation_results", 9),
        ("gym/ifbench/example_rollouts", "follow_instruction_list", 1),
        ("gym/terminus_judge/example_rollouts", "", 4),
        ("gym/deepswe/example_rollouts", "", 2),
        ("tau2_sft_pair/airline__gpt-4.1__base", "result.reward_info.reward_breakdown", 2),
    ],
)
def test_checks_of_real_rows(run, field, least):
    for row in shared_rows(run):
        assert sum(check.field == field for check in find_checks(row)) >= least


def test_a_failed_check_is_told_by_a_voter_who_failed_it_and_by_what_depends_on_it():
    entry = {"criteria": "names the town", "score": 0, "votes": [1, 0, 0], "reasons": ["It does.", "It does not.", "No."]}
    assert [check.detail for check in find_checks({"rubric_judgements": [entry]})] == ["It does not."]
    held = entry | {"score": 1, "votes": [0, 1, 1], "reasons": ["No.", "It does.", "Yes."]}
    assert [check.detail for check in find_checks({"rubric_judgements": [held]})] == ["It does."]
    without = {name: value for name, value in entry.items() if name != "votes"}
    assert [check.detail for check in find_checks({"rubric_judgements": [without]})] == ["It does."]
    deciding = entry | {"must_pass": True}
    assert [check.detail for check in find_checks({"rubric_judgements": [deciding]})] == ["must pass: It does not."]
