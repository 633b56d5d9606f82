"""Answers that the row lists as right besides the expected one."""

import pytest

from blade.signals.example import Example, says
from tests.signals.support import steps


def answered(said, **fields):
    return Example((says(f"I looked.\nAnswer: {said}"),), fields={"expected_answer": "Munich", **fields})


CASES = [
    ("listed_answer", answered("Muenchen", answer_aliases=["Munich", "Muenchen"]), [0]),
    ("listed_answer", answered("Muenchen", meta={"accepted_answers": ["Muenchen"]}), [0]),
    ("listed_answer", answered("Munich", answer_aliases=["Munich", "Muenchen"]), []),
    ("listed_answer", answered("Berlin", answer_aliases=["Munich", "Muenchen"]), []),
    ("listed_answer", answered("Muenchen", possible_answers=["Munich", "Muenchen"]), []),  # as often as not all options
    ("listed_answer", answered("Muenchen", choices=["Munich", "Muenchen"]), []),  # options are right and wrong
    ("listed_answer", answered("munich.", answer_aliases=["munich."]), []),  # the same in other letters
    ("listed_answer", answered("Muenchen", answer_aliases="Muenchen"), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
