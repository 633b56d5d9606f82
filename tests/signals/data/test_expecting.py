"""What is expected, written down as the text of an object."""

import json

import pytest

from blade.signals.data.task import answer_inside, expecting, gold_anywhere, of_calls

BOOK = {"name": "book", "arguments": {"seat": "12A"}}


@pytest.mark.parametrize(
    "held",
    [
        {"calls": [BOOK], "answer": None},
        {"steps": [BOOK]},
        {"calls": [], "text": "12A"},
        {"toolCalls": [BOOK], "finalAnswer": "12A", "more": {"a": 1}},
    ],
)
def test_an_object_that_expects(held):
    assert expecting(json.dumps(held)) == held


@pytest.mark.parametrize(
    "held",
    [
        {"seat": "12A", "row": 12},
        {"answer": "12A"},
        {"steps": [], "text": "12A"},
        {"answer": "12A", "row": 12},  # an answer of several parts
        {"value": 12, "text": "twelve"},
        {"answer": {"seat": "12A"}},
        {"seats": [{"row": 12}]},
    ],
)
def test_an_object_that_may_be_the_answer_itself(held):
    assert expecting(json.dumps(held)) is None


@pytest.mark.parametrize(
    ("name", "gold", "answer", "calls"),
    [
        ("expectedAnswer", True, False, False),
        ("desired_answer", True, False, False),
        ("expected_reply", True, False, False),
        ("expected_output_path", False, False, False),
        ("modelAnswer", False, False, False),
        ("finalAnswer", False, True, False),
        ("answerSheet", False, False, False),
        ("toolCalls", False, False, True),
        ("recall", False, False, False),
    ],
)
def test_names_in_any_spelling(name, gold, answer, calls):
    assert (gold_anywhere(name), answer_inside(name), of_calls(name)) == (gold, answer, calls)
