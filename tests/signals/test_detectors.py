"""Each detector on what it must find and on the look-alike that it must not: a few steps in, the steps of the evidence out."""

import json

import pytest

from blade.signals import read_rollout, run_detector
from blade.signals.example import Example, call, tool, user
from tests.signals import behaviour_cases, plumbing_cases
from tests.signals.behaviour import (
    test_merged_entries,
    test_misspelt,
    test_older_entries,
    test_schema_units,
    test_shares,
    test_superseded,
    test_tongues,
)
from tests.signals.data import (
    test_aged,
    test_already,
    test_clashes,
    test_conditions,
    test_damaged_gold,
    test_gold_calls,
    test_gold_records,
    test_gold_shape,
    test_premises,
    test_refusing_gold,
    test_unconverted,
    test_unnamed_gold,
)
from tests.signals.support import DETECTORS, found, steps
from tests.signals.verifier import test_accepted, test_attributed, test_off_script, test_portions, test_twins, test_withheld

CASES = [*plumbing_cases.CASES, *behaviour_cases.CASES]


@pytest.mark.parametrize("code", DETECTORS)
def test_every_detector_fires_on_its_own_example(code):
    example = DETECTORS[code].example
    assert example is not None, "a detector without an example cannot be shown"
    assert found(code, example)


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected


def test_every_detector_has_a_case_that_must_not_fire():
    by_class = {
        "rate_limited",
        "access_denied",
        "sandbox_failed",
        "out_of_memory",
        "disk_full",
        "store_failed",
        "session_lost",
        "failed_install",
    }  # test_matcher has theirs
    own = (
        test_accepted,
        test_damaged_gold,
        test_unnamed_gold,
        test_refusing_gold,
        test_gold_calls,
        test_gold_records,
        test_gold_shape,
        test_aged,
        test_already,
        test_attributed,
        test_off_script,
        test_withheld,
        test_portions,
        test_premises,
        test_unconverted,
        test_conditions,
        test_superseded,
        test_older_entries,
        test_merged_entries,
        test_misspelt,
        test_shares,
        test_schema_units,
        test_twins,
        test_clashes,
        test_tongues,
    )
    quiet = {code for code, _, expected in (*CASES, *(case for one in own for case in one.CASES)) if not expected}
    assert set(DETECTORS) - quiet - by_class == {"ungrounded_argument"}  # test_grounding has its own


def test_an_error_in_a_simulated_terminal_is_met():
    assert steps(
        "missing_command", Example((user("exitcode: 127 (execution failed)\nCode output: bash: jq: command not found"),))
    ) == [0]


def test_evidence_names_what_it_saw():
    (signal,) = found("schema_violation", Example((call("book", "ok", seat=12),), tools=(tool("book", seat="string"),)))
    assert (signal.quote, signal.detail) == ('book({"seat":12})', "seat should be string and is integer")


SUBJECTS = {
    "gold_in_prompt": "expected_answer",
    "server_error": "server_error",
    "rollout_error": "RuntimeError",
    "judge_failed": "_ng_failure_judge_error",
    "verifier_error": "verifier_error",
    "answer_not_extracted": "extracted_answer",
    "repeated_call": "get_order",
    "schema_violation": "book.seat",
    "unknown_tool": "fly",
    "failed_call": "pay",
    "feedback_misread": "pay.payment_method_id",
    "command_timed_out": "bash",
    "api_misused": "unknown option",
    "api_misuse_repeated": "AttributeError",
    "handed_over": "transfer_to_human_agents",
    "no_self_check": "edit",
    "ungrounded_argument": "update_booking.payment_id",
    "action_missing": "cancel_order",
    "action_partial": "refund_order",
    "action_wrong_argument": "refund_order.amount",
    "lookup_skipped": "get_user",
    "record_left_out": "extend_loan",
    "unresolved_name": "reassign_customer.assigned_to_email",
    "gave_up": "",
}


@pytest.mark.parametrize(("code", "subject"), SUBJECTS.items())
def test_the_subject_is_what_a_signal_is_about(code, subject):
    assert found(code, DETECTORS[code].example)[0].subject == subject


def test_figures_beyond_the_range_of_floats_end_no_detector():
    huge = 10**400
    wanted = [{"name": "pay", "arguments": {"cents": 5}}, {"name": "pay", "arguments": {"cents": huge - 1}}]
    example = Example(
        (call("pay", "ok", raw=f'{{"cents": {huge}}}'), call("pay", "ok", raw=f'{{"cents": {-huge}}}')),
        asked="Split 10, sorry, 5 between them.",
        fields={"expected_calls": wanted, "expected_answer": huge},
    )
    rollout = read_rollout(json.dumps(example.row()).encode())
    assert all(isinstance(run_detector(detector, rollout), list) for detector in DETECTORS.values())
