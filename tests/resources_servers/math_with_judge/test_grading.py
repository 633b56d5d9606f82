"""Which answer a text gives, by its marking and the kind of answer that is wanted."""

import time
from typing import Any

import pytest

from resources_servers.math_with_judge import grading


@pytest.mark.parametrize(
    ("text", "expected", "extracted", "how", "reward"),
    [
        ("The answer is 42.", "42", "42", "answer phrase", 1),
        ("5 + 37 = 42", "42", "42", "last line", 1),
        ("So she has 12 apples left.", "12", "12", "last line", 1),
        ("Working: 3 times 4 = 12\nAnswer: 12", "12", "12", "answer phrase", 1),
        ("\\boxed{12} and then 13", "12", "12", "boxed", 1),
        ("First \\boxed{11}, no: \\boxed{12}", "12", "12", "boxed", 1),
        ("Some working.\n#### 1,200", "1200", "1200", "####", 1),
        ("$1,200.00", "1200", "1200", "last line", 1),
        ("The answer is 1,200 apples", "1200", "1200", "answer phrase", 1),
        ("\\boxed{2+1}", "3", "2+1", "boxed", 1),
        ("The answer is 3 + 4, that is 7.", "7", "7", "last number", 1),
        ("The answer is clear.\nIt is 7.", "7", "7", "last line", 1),
        ("It is 50%", "0.5", "50%", "last line", 1),
        ("-3.50", "-3.5", "-3.5", "last line", 1),
        ("one third is 1/3", "1/3", "1/3", "last number", 1),
        ("76 is larger than 67.", "76", "76", "last line", 1),
        ("31 is larger than 79.", "79", "31", "last line", 0),
        ("The number 82 is larger than the number 28.", "82", "82", "last line", 1),
        ("59 is the next number after 58.", "59", "59", "last line", 1),
        ("5 - 1 is 4.", "4", "4", "last equation", 1),
        ("3*9 = 27\n\nHere, 3*9 is the multiplication of 3 and 9.", "27", "27", "last equation", 1),
        ("82 + 73 = 55.\nSo, 82 + 73 equals 155.", "155", "155", "last equation", 1),
        ("30 divided by 2 equals 15, and 15 is half of 30.", "15", "15", "last equation", 1),
        ("8 - 6 is 2, which is the result of taking 6 from 8.", "2", "2", "last equation", 1),
        ("8 - 3 = 5. So the difference is 5.", "5", "5", "last equation", 1),
        ("12 - 9 = 3 = 3 + 0, or 3 of 12", "3", "3", "last equation", 1),
        ("7 + 5 = 12.5 or so, of 20", "12.5", "12.5", "last equation", 1),
        ("That gives $6\\sqrt{2}$.", "\\sqrt{72}", "6\\sqrt{2}", "last line", 1),
        ("\\boxed{-10-3x+x^2}", "x^2 - 3x - 10", "-10-3x+x^2", "boxed", 1),
        ("The answer is yes", "yes", "yes", "answer phrase", 1),
        ("The answer is 12", "13", "12", "answer phrase", 0),
        ("It might be 12, it might be 13.", "12", "13", "last number", 0),
        ("\\boxed{\\text{none}} of the 12", "12", "\\text{none}", "boxed", 0),
        ("3.14", "3.14159", "3.14", "last line", 0),
        ("no idea", "1", None, None, 0),
        ("", "1", None, None, 0),
    ],
)
def test_answers(text: str, expected: str, extracted: str | None, how: str | None, reward: float) -> None:
    verdict = grading.library_verdict(text, expected)
    assert (verdict["extracted_answer"], verdict["extracted_by"], verdict["library_reward"]) == (extracted, how, reward)


def test_the_expected_value_never_decides_which_answer_is_taken() -> None:
    text = "First 10, then 20, and in the end 30."
    assert {grading.library_verdict(text, expected)["extracted_answer"] for expected in ("10", "20", "30", "7")} == {"30"}


def test_only_the_last_message_counts_and_thoughts_do_not() -> None:
    def message(text: str, role: str = "assistant") -> dict[str, Any]:
        return {"type": "message", "role": role, "content": [{"type": "output_text", "text": text}]}

    assert grading.final_text({"output": [message("1"), {"type": "reasoning"}, message("2"), message("3", "user")]}) == "2"
    assert grading.final_text({"output": [message("<think>is it 5?</think>It is 6")]}) == "It is 6"
    assert grading.final_text({"output": [message("<think>is it 5?")]}) == ""
    assert grading.final_text({"output": [["nested"], None]}) == ""
    assert grading.final_text({"output": None}) == ""


@pytest.mark.parametrize(
    ("one", "same"), [("1,200", "1200"), ("1200.0", "1200"), ("0.50", "0.5"), ("-0.05", "-0.05"), ("1/3", "1/3"), ("2/4", "0.5")]
)
def test_answers_are_counted_in_one_form(one: str, same: str) -> None:
    assert grading.plain(one, "7") == same


def test_numbers_that_would_fill_lines_stay_as_they_were_written() -> None:
    long = "9" * 60
    assert grading.plain(long, "7") == long


@pytest.mark.parametrize("piece", ["1,", "= 1", "76 is ", "$", "\\boxed{", "answer is ", "1 is a a a a ", "<think>"])
def test_long_texts_of_a_few_signs_are_read_at_once(piece: str) -> None:
    start = time.monotonic()
    grading.library_verdict(grading.final_text({"output": [{"content": piece * 20_000}]}), "7")
    assert time.monotonic() - start < 20
