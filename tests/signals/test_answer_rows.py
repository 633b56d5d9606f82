"""What a row holds of answers: gold, what the verifier took, and the end of the rollout."""

import json

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.run import open_run
from blade.runs.scan import RowView
from blade.signals.answer_rows import AnswersExtractor
from blade.signals.example import Example, call, says
from blade.signals.wanted.answer_fields import MAX_ANSWER
from tests.shared_data import needs_shared_data, shared_data

CALL = {"name": "book", "arguments": {"seat": "12A"}}


def answer(*happened, asked=None, **fields):
    text = (Example(happened, fields=fields) if asked is None else Example(happened, asked=asked, fields=fields)).text()
    rows = list(AnswersExtractor().extract(RowView(RowDecoder().decode(text), text)))
    return rows[0] if rows else None


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"expected_answer": "12", "extracted_answer": "11"}, ("expected_answer", "12", "extracted_answer", "11")),
        ({"expected_answer": "12", "extracted_answer": None}, ("expected_answer", "12", "extracted_answer", None)),
        ({"expected_answer": 12}, ("expected_answer", "12", None, None)),
        (
            {"reward_model": {"ground_truth": json.dumps({"answer": "12", "calls": [CALL]})}},
            ("reward_model.ground_truth.answer", "12", None, None),
        ),
        (
            {"reward_model": {"ground_truth": '{"calls": "", "answer": "12"}'}},
            ("reward_model.ground_truth.answer", "12", None, None),
        ),
        ({"expected_answer": '{"action": "go", "value": 12}'}, ("expected_answer", '{"action": "go", "value": 12}', None, None)),
        ({"expected_answer": '{"answer": 12}'}, ("expected_answer", '{"answer": 12}', None, None)),
        ({"expected_answer": 0.1}, ("expected_answer", "0.1", None, None)),
        ({"expected_answer": ["Oslo"]}, ("expected_answer", "Oslo", None, None)),
        ({"gold": ["Oslo", "Bergen"]}, ("gold", '["Oslo","Bergen"]', None, None)),
        ({"expected_count": 3, "predicted_count": 4}, ("expected_count", "3", "predicted_count", "4")),
        ({"gold_sql": "SELECT 1", "extracted_sql": "SELECT 2"}, ("gold_sql", "SELECT 1", "extracted_sql", "SELECT 2")),
        ({"target_tools": ["book"], "pred_tools": ["book"], "ideal": "Oslo"}, ("ideal", "Oslo", None, None)),
        ({"answer": "Oslo", "question": "Where?"}, ("answer", "Oslo", None, None)),
        ({"verifier_metadata": {"ideal": "Oslo"}}, ("verifier_metadata.ideal", "Oslo", None, None)),
        # whoever writes camel case means the same
        ({"item": {"expectedOutput": {"operations": [], "reply": "12"}}}, ("item.expectedOutput.reply", "12", None, None)),
        ({"groundTruth": "12", "extractedAnswer": "11"}, ("groundTruth", "12", "extractedAnswer", "11")),
        ({"metadata": {"expectedAnswer": "12"}}, ("metadata.expectedAnswer", "12", None, None)),
        ({"extracted_answer": "", "parsed_answer": "7"}, (None, None, "parsed_answer", "7")),
        # names that can mean nothing else, in any object; what was read, beside a verdict
        ({"ideal": "Oslo"}, ("ideal", "Oslo", None, None)),
        ({"reward_model": {"ground_truth": "72", "style": "rule"}}, ("reward_model.ground_truth", "72", None, None)),
        ({"sheet": {"key": {"correct_answer": "B"}}}, ("sheet.key.correct_answer", "B", None, None)),
        ({"solution": "72", "problem": "8 * 9?"}, ("solution", "72", None, None)),
        ({"ideal": "12", "marking": {"parsed": "11", "ok": False}}, ("ideal", "12", "marking.parsed", "11")),
        ({"ideal": "12", "marking": {"parsed": None, "score": 0.0}}, ("ideal", "12", "marking.parsed", None)),
        (
            {"ideal": "12", "marking": {"given": 11, "assertions": [{"assertion": "sum", "ok": False}]}},
            ("ideal", "12", "marking.given", "11"),
        ),
        ({"ideal": "12", "marking": {"parsed": "11", "length": 4}}, ("ideal", "12", None, None)),
        (
            {"reference": {"reply": "12"}, "outcome": {"reply": {"read": "11", "same": False}}},
            ("reference.reply", "12", "outcome.reply.read", "11"),
        ),
        ({"expected": {"answer": 12, "steps": []}}, ("expected.answer", "12", None, None)),
        # what was read, in an object beside the calls, which may be written as text; a call is no answer, and without one none was given
        (
            {"ideal": "12", "marking": {"pred": json.dumps({"calls": [], "answer": "11"}), "ok": False}},
            ("ideal", "12", "marking.pred.answer", "11"),
        ),
        (
            {"ideal": "12", "marking": {"pred": {"calls": [CALL], "answer": "11"}, "ok": False}},
            ("ideal", "12", "marking.pred.answer", "11"),
        ),
        (
            {"ideal": "12", "marking": {"pred": json.dumps({"calls": [CALL], "answer": None}), "ok": False}},
            ("ideal", "12", "marking.pred.answer", None),
        ),
        (
            {"ideal": "12", "marking": {"pred": '{"seat": "12A"}', "ok": False}},
            ("ideal", "12", "marking.pred", '{"seat": "12A"}'),
        ),
        # the first that holds something
        ({"expected_answer": " ", "target": "B"}, ("target", "B", None, None)),
    ],
)
def test_gold_and_what_was_taken_for_the_answer(fields, expected):
    row = answer(says("It is 11."), **fields)
    assert row is not None
    assert row[:4] == expected
    assert row[4:6] == (0, "It is 11.")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"answer": "Oslo"},
        {"expected_calls": [CALL]},
        {"ground_truth": [CALL]},
        {"target": json.dumps([CALL])},
        {"score": 1},
        {"state": {"gold": 120, "target": "north"}},
        {"solution": "72"},
        {"config": {"expected_answer": "number"}},
        {"marking": {"parsed": None, "ok": True}},
        {"parsed": "11"},
    ],
)
def test_rows_without_either_have_no_answer(fields):
    assert answer(says("Hello."), **fields) is None


def test_the_end_of_the_final_message_is_kept_and_cleaned():
    secret = "sk-abcdefghij1234567890abcdefghij"
    row = answer(
        says("early"), call("get", "x"), says("a" * 2_000 + f"\n\x1b[31mkey {secret}\nSo the answer is 12."), expected_answer="12"
    )
    assert row is not None
    assert row[4] == 3
    assert len(row[5]) == MAX_ANSWER
    assert row[5].endswith("\nSo the answer is 12.")
    assert secret not in row[5]
    assert "\x1b" not in row[5]
    silent = answer(call("get", "x"), expected_answer="12")
    assert silent is not None
    assert silent[4:] == (*(None,) * 5, False, None)


@needs_shared_data
def test_answers_of_a_real_run(tmp_path):
    with open_run(
        shared_data() / "gsm8k" / "6b_verification.jsonl.gz", extractors=(AnswersExtractor(),), index_dir=tmp_path
    ) as run:
        assert run.query("SELECT count(*), count(expected), count(final), max(length(final)) FROM answers").rows == [
            (1319, 1319, 1319, 500)
        ]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Which one is it?\nA) red\nB) green\nC) blue", "green"),
        ("Which one is it?\n(a) red\n(b) green\n(c) blue", "green"),
        ("Which one is it? Give the letter.\nA) red\nB) green\nC) blue", None),
        ("Which one is it?", None),
    ],
)
def test_an_expected_letter_is_known_by_its_text_where_nobody_asks_for_letters(asked, text):
    row = answer(says("green"), asked=asked, expected_answer="B")
    assert row is not None
    assert row[-1] == text


@pytest.mark.parametrize(
    ("said", "step", "final"),
    [
        (("The answer is 4.", "I agree with the count.", "TERMINATE"), 0, "The answer is 4."),
        (("The answer is 4.\n\nTERMINATE",), 0, "The answer is 4.\n\nTERMINATE"),
        (("Let me count.", "4", "TERMINATE"), 1, "4"),
        (
            ("I agree with all that has been said here by the others, and we can end it.", "TERMINATE"),
            1,
            "TERMINATE",
        ),  # nobody marks one
        (("The answer is 4.", "Good, we are done."), 1, "Good, we are done."),
    ],
)
def test_what_is_said_before_a_conversation_is_ended(said, step, final):
    assert answer(*map(says, said), expected_answer="8")[4:6] == (step, final)


def test_answers_within_messages():
    def said(text):
        return {"final_response": {"role": "model", "parts": [{"text": text}]}}

    row = answer(
        says("It is 4."), result={"passed": False, "actual_invocation": said("4")}, case={"expected_invocation": said("8")}
    )
    assert row[:4] == ("case.expected_invocation.final_response", "8", "result.actual_invocation.final_response", "4")


@pytest.mark.parametrize(
    ("asked", "unit"),
    [
        ("What is the percentage of women in the group?", "%"),
        ("What is the percentage of women in the group? Give it as a decimal fraction between 0 and 1.", None),
    ],
)
def test_a_percentage_that_is_wanted_as_a_fraction_is_in_no_unit(asked, unit):
    row = answer(says("25"), asked=asked, expected_answer=".25")
    assert row is not None
    assert row[-3] == unit


MOONS = ["Alpha", "Beta", "Gamma"]


@pytest.mark.parametrize(
    ("asked", "fields", "expected"),
    [
        ("Which moon is it?", {"possible_answers": MOONS}, "Alpha"),
        ("Which moon is it?", {"accepted_answers": MOONS}, "Alpha"),
        ("Which moon is it?", {"answers": MOONS}, None),  # nobody says that one will do
        ("Which moon is it?", {"correct_answers": MOONS}, None),
        ("Which moon is it?", {"ideal": MOONS}, None),
        ("List all three moons.", {"answers": MOONS}, None),
        ("List all three moons.", {"possible_answers": MOONS}, None),
        ("Which of these are moons?", {"valid_answers": MOONS}, None),
        ("Name the moons.", {"accepted_answers": MOONS}, None),
        ("Give 3 moons.", {"accepted_answers": MOONS}, None),
        ("Which moon is it?", {"invalid_answers": MOONS, "answers": MOONS}, None),
    ],
)
def test_one_of_several_answers_is_meant_only_where_each_is_said_to_do(asked, fields, expected):
    row = answer(says("Answer: Alpha"), asked=asked, question=asked, **fields)
    assert row is not None
    assert row[1] == (expected or json.dumps(MOONS, separators=(",", ":")))


RESPONDED = [{"index": 0, "message": {"role": "assistant", "content": "It is Oslo."}, "finish_reason": "stop"}]


@pytest.mark.parametrize(
    ("name", "offered", "expected"),
    [
        ("choices", ["Oslo", "Bergen"], "Oslo"),
        ("options", {"A": "Oslo", "B": "Bergen"}, "Oslo"),
        ("choices", {"label": ["A", "B"], "text": ["Oslo", "Bergen"]}, "Oslo"),
        ("choices", [{"label": "A", "text": "Oslo"}, {"label": "B", "text": "Bergen"}], "Oslo"),
        ("options", None, "Oslo"),
        ("choices", RESPONDED, None),
        ("choices", [{"text": "It is Oslo.", "index": 0, "finish_reason": "stop"}], None),
        ("options", {"temperature": 0.7, "stop": None}, None),
        ("options", [], None),
    ],
)
def test_choices_ask_a_question_only_as_options(name, offered, expected):
    row = answer(says("It is Oslo."), answer="Oslo", **{name: offered})
    assert (row and row[1]) == expected


@pytest.mark.parametrize(
    ("said", "fields", "taken"),
    [
        ("Answer: 11", {"model_output": {"final_answer": "11"}}, "11"),
        ("It is eleven.", {"model_output": {"final_answer": "11"}}, "11"),
        ("Answer: 11", {"model_output": {"final_answer": "12"}}, None),  # another answer than the one that was given
        ("It is eleven.", {"model_solution": {"final_answer": "12"}}, None),
        ("Answer: 11", {"model_solution": {"final_answer": "12"}}, None),
        ("It is eleven.", {"model_answers": {"answer": "12"}}, None),
        ("It is eleven.", {"model_answer": {"final_answer": "12"}}, None),
        ("It is eleven.", {"model_answer": "11"}, "11"),
        ("It is eleven.", {"model_config": {"answer": "short"}}, None),
        ("Answer: 11", {"model_answer": {"parsed": "12", "ok": False}}, "12"),  # a verdict on what was read
    ],
)
def test_a_model_solution_is_not_what_the_model_answered(said, fields, taken):
    row = answer(says(said), expected_answer="12", **fields)
    assert row is not None
    assert row[3] == taken
    assert (row[2] is None) == (taken is None)


def test_a_name_of_several_words_that_is_no_gold():
    assert answer(says("It is 11."), expectedDurationMs="12", goldStandardVersion="3") is None
