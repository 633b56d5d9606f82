"""What is denied: by the clause of a predicate, or by the sentence around it."""

import pytest

from blade.packages.scoring.polarity import disavows, negated, retracts


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It calls the tool.", False),
        ("It does not call the tool.", True),
        ("It never calls the tool.", True),
        ("It didn't call the tool.", True),
        ("Nobody can say that it does not call the tool.", False),
        ("It fails to call the tool.", True),
        ("It books without calling the tool.", True),
        ("It has no id, and calls the tool.", False),
        ("It books nothing; then it calls the tool.", False),
        ("It is not true that it calls the tool.", True),
        ("It is false that it never calls the tool.", False),
        ("Contrary to what others say, it calls the tool.", True),
        ("A never-pass task calls the tool.", False),
    ],
)
def test_a_predicate_is_denied(sentence: str, expected: bool) -> None:
    assert negated(sentence, sentence.index("call")) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("None of the findings above is true.", True),
        ("Everything in this report was made up.", True),
        ("The above statements are false.", True),
        ("The answer is wrong in this rollout.", False),
        ("The findings above hold for all repeats.", False),
        ("The verifier is not right about commas.", False),
        ("All answers in the tasks below are wrong.", False),
        ("The model's claims are false in every task below.", False),
    ],
)
def test_a_report_is_taken_back(sentence: str, expected: bool) -> None:
    assert disavows(sentence) is expected


@pytest.mark.parametrize(
    ("before", "sentence", "expected"),
    [
        ("12:0 never calls the tool.", "This is not true.", True),
        ("12:0 never calls the tool.", "None of this is true.", True),
        ("12:0 never calls the tool.", "That did not happen.", True),
        ("12:0 never calls the tool.", "This is what decides.", False),
        ("12:0 says that it is done.", "This is not true.", False),
        ("12:0 ends with “Done.”", "That is false.", False),
        ("12:0 orders 144 pieces.", "This is wrong.", False),
    ],
)
def test_a_sentence_is_taken_back_by_the_next(before: str, sentence: str, expected: bool) -> None:
    assert retracts(sentence, before) is expected
