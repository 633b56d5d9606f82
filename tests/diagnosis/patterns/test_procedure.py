"""What passing rollouts of the whole run look up before a change."""

import json

import pytest

from blade.diagnosis.patterns.arguments import repeated_arguments
from blade.diagnosis.patterns.procedure import STRONG, WEAK, Usual, learn_procedures, skipped_procedures
from blade.diagnosis.views import ExpectedRow
from blade.engines.local import LocalEngine
from blade.runs.run import open_run
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told
from tests.runs.support import write_jsonl

PROCEDURES = {"pay_back": (Usual("get_profile", 16, 16, 4),)}
WANTED = ExpectedRow(0, "pay_back", '{"amount":64}', "change", "wrong_argument", 8, "")
WRONG = signal("action_wrong_argument", 8, "amount=40", "pay_back expects amount=64", subject="pay_back.amount")
ASKED_FOR = signal(
    "action_wrong_argument",
    8,
    "amount=40",
    "pay_back expects amount=64; 64 stood in the user's part of the prompt",
    subject="pay_back.amount",
)
PROFILE = call(4, "get_profile", '{"tier": "basic"}', id="u1")


def paid(number, *before, signals=(WRONG,), expected=(WANTED,)):
    return repeat(number, False, calls=[*before, call(8, "pay_back", amount=40)], signals=signals, expected=expected)


def test_a_wrong_change_without_the_usual_lookup():
    (found,) = skipped_procedures(task_of(paid(0)), PROCEDURES)
    assert (found.code, found.label, found.subject, found.step, found.weight) == (
        "skipped_lookup",
        "BI",
        "get_profile",
        8,
        STRONG,
    )
    assert "16 of 16 passing rollouts that call pay_back, over 4 tasks" in found.detail


@pytest.mark.parametrize(
    ("rollout", "known"),
    [
        (paid(0, PROFILE), ()),
        (paid(0, signals=()), ()),
        (paid(0, signals=(signal("action_extra", 9, subject="cancel_trip"),)), ()),
        (paid(0), ("get_profile",)),
        (paid(0, signals=(ASKED_FOR,)), ()),
    ],
    ids=["looked up", "nothing wrong", "another tool went wrong", "told by the siblings", "named by the request"],
)
def test_nothing_is_said_where_it_explains_nothing(rollout, known):
    assert list(skipped_procedures(task_of(rollout), PROCEDURES, known)) == []


def test_without_an_expectation_any_change_may_be_the_wrong_one():
    assert told(skipped_procedures(task_of(paid(0, signals=(), expected=())), PROCEDURES)) == [("skipped_lookup", "7:0", 8)]


def test_a_few_rollouts_are_little():
    assert Usual("get_profile", 8, 8, 2).weight == WEAK


def test_the_same_wrong_value_is_no_gap_where_the_procedure_was_left_out():
    view = task_of(*(paid(number) for number in range(4)))
    assert {finding.weight for finding in repeated_arguments(view)} == {0.7}
    assert {finding.weight for finding in repeated_arguments(view, PROCEDURES)} == {0.35}


def row(task, reward, *calls):
    output = []
    for number, (name, arguments) in enumerate(calls):
        output.append({"type": "function_call", "call_id": f"c{number}", "name": name, "arguments": json.dumps(arguments)})
        output.append({"type": "function_call_output", "call_id": f"c{number}", "output": "{}"})
    prompt = [{"type": "message", "role": "user", "content": f"Task {task}"}]
    keys = {"_ng_task_index": task, "_ng_rollout_index": 0, "reward": reward}
    return {**keys, "responses_create_params": {"input": prompt}, "response": {"output": output}}


def test_the_database_counts_what_goes_before_the_first_change(tmp_path):
    look, bills, pay = ("get_profile", {"id": "u"}), ("list_bills", {"id": "u"}), ("update_balance", {"amount": 5})
    rows = [row(task, 1.0, look, pay) for task in range(5)] + [row(5, 1.0, look, bills, pay), row(6, 1.0, look, pay, bills)]
    path = write_jsonl(tmp_path / "rollouts.jsonl", [*rows, row(7, 0.0, pay)])
    extractors = (SignalsExtractor(), CallsExtractor(), ExpectedExtractor())
    with LocalEngine(1) as engine, open_run(path, engine=engine, use_index=False, extractors=extractors) as run:
        assert learn_procedures(run) == {"update_balance": (Usual("get_profile", 7, 7, 7),)}


def test_repeats_of_a_few_tasks_are_no_more_than_these_tasks(tmp_path):
    """Two tasks are about an order, and three about something else that needs none."""
    order, pay = ("get_order", {"id": "W1"}), ("update_ticket", {"note": "x"})
    passing = [{**row(task, 1.0, order, pay), "_ng_rollout_index": repeat} for task in range(2) for repeat in range(2)]
    failing = [{**row(task, 0.0, pay), "_ng_rollout_index": repeat} for task in range(2, 5) for repeat in range(3)]
    path = write_jsonl(tmp_path / "rollouts.jsonl", [*passing, *failing])
    extractors = (SignalsExtractor(), CallsExtractor(), ExpectedExtractor())
    with LocalEngine(1) as engine, open_run(path, engine=engine, use_index=False, extractors=extractors) as run:
        assert learn_procedures(run) == {}


@pytest.mark.parametrize(
    ("rewards", "known"),
    [
        ({"looked": (1, 1, 1), "blind": (0,) * 13}, True),  # 1 of 560 by chance
        ({"looked": (1, 1, 1), "blind": (0,) * 5}, False),  # 1 of 56
        ({"looked": (1, 1, 1, 0, 0, 0), "blind": (0,) * 13}, False),  # 20 of 969
        ({"looked": (1, 1), "blind": (0,) * 30}, False),  # two that pass are too few
        ({"looked": (1, 1, 1), "blind": (1, *(0,) * 13)}, False),  # somebody passes without it
    ],
)
def test_where_few_pass_those_who_fail_without_a_lookup_tell_that_it_is_usual(tmp_path, rewards, known):
    look, pay = ("get_profile", {"id": "u"}), ("update_balance", {"amount": 5})
    looked = [row(task, float(reward), look, pay) for task, reward in enumerate(rewards["looked"])]
    blind = [row(100 + task, float(reward), pay) for task, reward in enumerate(rewards["blind"])]
    path = write_jsonl(tmp_path / "rollouts.jsonl", [*looked, *blind])
    extractors = (SignalsExtractor(), CallsExtractor(), ExpectedExtractor())
    with LocalEngine(1) as engine, open_run(path, engine=engine, use_index=False, extractors=extractors) as run:
        expected = {"update_balance": (Usual("get_profile", 3, 3, 3),)}
        assert learn_procedures(run) == (expected if known else {})
