"""What a verifier wrote down that it compared, and the reference outputs of a dataset's example."""

import pytest

from blade.signals.compared import compared_answer
from blade.signals.expectation import find_expectation
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
    ],
)
def test_the_one_pair_that_was_compared(fields, told):
    found = compared_answer(fields, "Rum\n\nAs the recipe has it.")
    assert (None if found is None else (found.wanted, found.found)) == told


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"example": {"inputs": {}, "outputs": {"messages": [ANSWER]}}}, ("example.outputs.messages.0.content", "rum")),
        ({"reference_outputs": {"messages": [MADE, ANSWER]}}, ("reference_outputs.messages.1.content", "rum")),
        ({"dataset_item": {"input": "?", "output": {"answer": "rum"}}}, ("dataset_item.output.answer", "rum")),
        ({"test_case": {"input": "?", "expected_output": "rum"}}, ("test_case.expected_output", "rum")),
        ({"run": {"inputs": {}, "outputs": {"messages": [ANSWER]}}}, None),  # what was returned, and nothing that was wanted
        ({"example": {"inputs": {}, "outputs": {"messages": [MADE]}}}, None),
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


def test_what_was_compared_is_gold_and_taken():
    row = answer(says("Rum\n\nSo it is."), checks=[{"name": "exact", "passed": False, "expected": "rum", "actual": "Rum"}])
    assert row[:4] == ("checks.0.expected", "rum", "checks.0.actual", "Rum")
