"""Where a row says its answer again, and what only looks like it."""

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.signals.example import Example, says
from blade.signals.wanted.restated import MAX_FIELDS, MAX_TEXT, RestatedExtractor


def told(**fields):
    text = Example((says("12"),), fields=fields).text()
    return list(RestatedExtractor().extract(RowView(RowDecoder().decode(text), text)))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"solution": "3 times 4 is 12."}, [("solution", "3 times 4 is 12.")]),
        (
            {"answer_text": "Tungsten", "rationale": "W is wolfram."},
            [("answer_text", "Tungsten"), ("rationale", "W is wolfram.")],
        ),
        ({"correctOption": "C", "answer_index": 2}, [("correctOption", "C"), ("answer_index", "2")]),
        ({"metadata": {"answer_date": "2026-03-27", "source": "x"}}, [("metadata.answer_date", "2026-03-27")]),
        ({"computation": "5 + 7 = 12"}, [("computation", "5 + 7 = 12")]),
        ({"derived": "3 boxes of 4 = 12 pieces."}, [("derived", "3 boxes of 4 = 12 pieces.")]),
        ({"solution_steps": ["3 times 4", "is 12"]}, [("solution_steps", "3 times 4\nis 12")]),
        (
            {"notes": [{"id": "n1", "body": "Seen twice."}, {"id": "n2", "body": "3 times 4 is 12"}]},
            [("notes", "Seen twice.\n3 times 4 is 12")],
        ),
        ({"judge_notes": [{"id": "n1", "body": "12 is said"}]}, []),
        (
            {"evidence": [{"claim": "3 times 4 is 12", "source": "sum"}, {"claim": "12 it is"}]},
            [("evidence", "3 times 4 is 12\n12 it is")],
        ),
        ({"facts": [{"fact": "12"}, {"fact": "3 x 4"}]}, [("facts", "12\n3 x 4")]),
        ({"judged": {"passed": False, "evidence": [{"claim": "14 was said"}]}}, []),
        ({"solution": [{"id": 7}, {"kwargs": {"a": 1}}]}, []),
        ({"answer": {"value": 12, "unit": "kg", "id": "x"}}, [("answer.value", "12"), ("answer.unit", "kg")]),
        ({"extra_info": {"reference_solution": "12"}}, [("extra_info.reference_solution", "12")]),
        ({"answer_choices": {"A": "red", "B": "green"}}, []),
        (
            {"sample": {"expected_answer": "12", "more": {"rationale": "3 times 4"}}},
            [("sample.more.rationale", "3 times 4")],
        ),
        ({"judged": {"expected_answer": "12", "passed": False, "more": {"rationale": "14 was said"}}}, []),
        ({"scores": {"expected_answer": "12", "more": {"rationale": "14 was said"}}}, []),
        ({"sample": {"more": {"rationale": "3 times 4"}}}, []),  # nothing says who wrote it
        ({"answer_read": "12", "expected_answer": "14"}, [("expected_answer", "14")]),
    ],
)
def test_fields_that_tell_the_answer(fields, expected):
    assert told(**fields) == expected


@pytest.mark.parametrize(
    "name",
    ["model_answer", "extracted_answer", "judge_explanation", "is_correct", "answer_type", "num_correct", "question", "wrong_answer", "reward"],
)  # fmt: skip
def test_what_others_wrote_or_what_tells_something_else(name):
    assert told(**{name: "12"}) == []


@pytest.mark.parametrize("value", [None, "", "  ", True, ["12"], {"id": 1}, {"a": {"b": "12"}}])
def test_only_plain_values(value):
    assert told(solution=value) == []


def test_a_long_text_keeps_its_end_and_the_fields_are_few():
    ((_, text),) = told(solution="x " * 5_000 + "so it is 12")
    assert len(text) <= MAX_TEXT
    assert text.endswith("so it is 12")
    assert len(told(**{f"answer_{letter}": letter for letter in "bcdefghijk"})) == MAX_FIELDS


@pytest.mark.parametrize(
    "fields", [{"question": "What is 3 * 4 = 12?"}, {"question": "Is 3 * 4 = 12"}, {"caption": "a = b"}, {"query": "x = 12"}]
)
def test_an_equation_in_the_question_tells_nothing(fields):
    assert told(**fields) == []


@pytest.mark.parametrize("fields", [{"provenance": {"author_note": "It is a Thursday."}}, {"curator_notes": "It is a Thursday."}])
def test_what_the_author_of_a_task_noted_is_told(fields):
    assert [text for _, text in told(**fields)] == ["It is a Thursday."]
