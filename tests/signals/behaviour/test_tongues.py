"""The same day in another language: who is wrong is told by the language that was asked for."""

import pytest

from blade.answers.languages import said_otherwise
from blade.signals.example import Example, says
from tests.signals.support import steps


def weekday(said, gold, asked="Which weekday was it?"):
    return Example((says(said),), asked=asked, fields={"expected_answer": gold})


GIVEN = (
    (weekday("Laut Register: Samstag", "Saturday"), True, False),
    (weekday("It was a Saturday.", "Samstag"), False, True),
    (weekday("It was a Saturday.", "samedi", asked="Which weekday was it? Say it in French."), True, False),
    (weekday("Un samedi.", "Saturday", asked="Which weekday was it? Say it in French."), False, True),
    (weekday("It was a Sunday.", "Samstag"), False, False),
    (
        weekday("Saturday", "Samstag", asked="An welchem Wochentag war es? Antworte auf Deutsch."),
        False,
        False,
    ),  # who is wrong is not told
    (
        weekday("It was discovered in March, so the answer is Jupiter.", "Mars", asked="Which is the planet of the riddle?"),
        False,
        False,
    ),
    (weekday("Samstag, that is Saturday.", "Saturday"), False, False),
)
CASES = [
    (code, example, [0] * found)
    for example, *wrong in GIVEN
    for code, found in zip(("other_language", "gold_other_language"), wrong, strict=True)
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_who_is_wrong(code, example, expected):
    assert steps(code, example) == expected


def test_words_that_two_languages_share_are_in_neither_alone():
    assert said_otherwise("april", "April") is None
    assert said_otherwise("mai", "May") == (frozenset({"German", "French"}), frozenset({"English"}))
    assert said_otherwise("Montag", "mardi") is None
