"""What a verifier wrote down that it compared, and the reference outputs of a dataset's example."""

import pytest

from blade.signals.example import Example
from blade.signals.options import Options
from blade.signals.rollout import read_rollout
from blade.signals.verifier.compared import compared_answer
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.expectation import find_expectation
from tests.signals.test_answer_rows import CALL, answer, says

ANSWER = {"role": "assistant", "content": "rum"}
MADE = {"role": "assistant", "content": "", "tool_calls": [CALL]}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"checks": [{"name": "exact", "passed": False, "expected": "rum", "actual": "Rum"}]}, ("rum", "Rum")),
        ({"feedback": [{"key": "exact", "score": 0, "extra": {"outputs": "Rum", "reference_outputs": "rum"}}]}, ("rum", "Rum")),
        ({"grading": {"correct": False, "want": "rum", "got": None}}, ("rum", None)),
        ({"grading": {"want": "rum", "got": "Rum"}}, None),  # no verdict: nobody says that it was compared
        ({"checks": [{"name": "exact", "passed": False, "expected": "rum", "actual": "gin"}]}, None),  # nobody said gin
        ({"checks": [{"name": "tool_calls", "passed": False, "expected": "rum", "actual": "Rum"}]}, None),
        ({"checks": [{"field": "spirit", "passed": False, "expected": "rum", "actual": "Rum"}]}, None),
        (
            {"checks": [{"name": name, "passed": False, "expected": "rum", "actual": "Rum"} for name in ("first", "second")]},
            None,  # a comparison part by part
        ),
        ({"checks": [{"name": "exact", "passed": True, "expected": [CALL], "actual": []}]}, None),
        ({"checks": [{"name": "exact", "failed": True, "expected": "rum", "actual": "Rum"}]}, ("rum", "Rum")),
        ({"checks": [{"name": "exact", "failed": False, "expected": "rum", "actual": "Rum"}]}, None),  # in order
        ({"checks": [{"name": "exact", "passed": True, "expected": "rum", "actual": "Rum"}]}, None),
        (
            {
                "checks": [
                    {"name": name, "passed": name == "first", "expected": "rum", "actual": "Rum"} for name in ("first", "second")
                ]
            },
            None,  # a comparison part by part, of which one is in order
        ),
        ({"feedback": [{"key": "exact", "score": 1, "extra": {"outputs": "Rum", "reference_outputs": "rum"}}]}, None),
        ({"format_check": {"passed": False, "expected": "rum", "got": "Rum"}}, None),
        ({"grading": {"correct": False, "expected_turns": "rum", "actual_turns": "Rum"}}, None),
        ({"checks": [{"name": "answer language", "passed": False, "expected": "rum", "actual": "Rum"}]}, None),
        ({"checks": [{"name": "exact", "passed": False, "expected": "Ru", "actual": "Ru"}]}, None),  # a part of a word
        ({"checks": [{"name": "exact", "passed": False, "expected": 10**5000, "actual": 10**5000}]}, None),
    ],
)
def test_the_one_pair_that_was_compared(fields, told):
    found = compared_answer(fields, "Rum\n\nAs the recipe has it.")
    assert (None if found is None else (found.wanted, found.found)) == told


@pytest.mark.parametrize(
    ("said", "held"),
    [("13 apples", False), ("3.5 apples", False), ("2.3", False), ("-3", False), ("3 apples", True), ("It is **3**.", True)],
)
def test_a_number_is_said_whole(said, held):
    pair = {"grading": {"correct": False, "expected": 4, "actual": 3}}
    assert (compared_answer(pair, said) is not None) is held


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"example": {"inputs": {}, "outputs": {"messages": [ANSWER]}}}, ("example.outputs.messages.0.content", "rum")),
        ({"reference_outputs": {"messages": [MADE, ANSWER]}}, ("reference_outputs.messages.1.content", "rum")),
        ({"dataset_item": {"input": "?", "output": {"answer": "rum"}}}, ("dataset_item.output.answer", "rum")),
        ({"test_case": {"input": "?", "expected_output": "rum"}}, ("test_case.expected_output", "rum")),
        ({"run": {"inputs": {}, "outputs": {"messages": [ANSWER]}}}, None),  # what was returned, and nothing that was wanted
        ({"example": {"inputs": {}, "outputs": {"messages": [MADE]}}}, None),
        ({"record": {"input": "?", "output": "rum"}}, None),  # may be the run's own
        ({"test_case": {"input": "?", "output": "rum"}}, None),
        ({"record": {"input": "?", "expected_output": "rum"}}, ("record.expected_output", "rum")),
    ],
)
def test_reference_outputs_of_an_example(fields, expected):
    row = answer(says("rum"), **fields)
    assert (None if row is None else row[:2]) == expected


def test_calls_among_reference_messages():
    found = find_expectation({"example": {"inputs": {}, "outputs": {"messages": [MADE, ANSWER]}}})
    assert found is not None
    assert (found.place, [call.name for call in found.calls]) == ("example.outputs.messages.0.tool_calls", ["book"])
    assert (
        find_expectation({"example": {"inputs": {}, "outputs": {"messages": [ANSWER]}}}) is None
    )  # many give the last words alone


def test_what_was_taken_is_not_what_was_wanted():
    text = Example((says("rum"),), fields={"dataset_item": {"input": "?", "output": "rum"}}).text()
    assert expected_answer(read_rollout(text)) == ("dataset_item.output", "rum")
    assert expected_answer(read_rollout(text, Options(extracted_fields=("dataset_item.output",)))) is None


def test_what_was_compared_is_gold_and_taken():
    row = answer(says("Rum\n\nSo it is."), checks=[{"name": "exact", "passed": False, "expected": "rum", "actual": "Rum"}])
    assert row[:4] == ("checks.0.expected", "rum", "checks.0.actual", "Rum")
