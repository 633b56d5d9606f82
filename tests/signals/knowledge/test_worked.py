"""How a working leaves the worked solution of its row, and equations that do not hold."""

import pytest

from blade.signals.example import Example, call, says, thinks
from blade.signals.knowledge.worked import AT_FIRST, BEYOND, LATER, LEFT_OUT, ON_THE_WAY
from tests.signals.support import found

ASKED = "The ducks lay 16 eggs a day. She eats three and bakes with 4. She sells the rest for $2.50 each. What does she make in a week?"
SOLVED = "She sells 16 - 3 - 4 = <<16-3-4=9>>9 eggs.\nThat is 9 * 2.5 = $22.50 a day.\nShe makes 22.50 * 7 = 157.5"


def answered(*said, solution=SOLVED, gold="157.5", asked=ASKED, **more):
    happened = tuple(says(one) if isinstance(one, str) else one for one in said)
    return Example(happened, asked=asked, fields={"expected_answer": gold, "solution": solution, **more})


@pytest.mark.parametrize(
    ("example", "how", "named"),
    [
        (answered("16 - 3 - 4 = 9, and 9 * 2.5 = 22.5.\nAnswer: 22.5"), ON_THE_WAY, "22.5 on the way"),
        (answered("16-3-4 = 9, 9*2.5 = 22.5, 22.5*7 = 157.5, 157.5*4 = 630.\nAnswer: 630"), BEYOND, "before it goes on to 630"),
        (answered("16 - 3 = 13 at 2.5 make 32.5.\nAnswer: 32.5"), LEFT_OUT, "uses 4 of the question"),
        (answered("Three and 4 of 16 are gone: 16 - 3 + 4 = 17 eggs at 2.5.\nAnswer: 42.5"), AT_FIRST, "has 16-3-4=9"),
        (answered("16 - 3 - 4 = 9 eggs, at 2.5 each: 9 + 2.5 = 11.5.\nAnswer: 11.5"), LATER, "9 * 2.5"),
        (answered(thinks("16 less 3 less 4 is 9, at 2.5"), says("Answer: 80")), LATER, "9 * 2.5"),  # thoughts are working too
    ],
)
def test_the_first_thing_that_sets_it_apart(example, how, named):
    (told,) = found("working_departs", example)
    assert told.subject == how
    assert named in told.detail


@pytest.mark.parametrize(
    "example",
    [
        answered("I sum it all up.\nAnswer: 157.5"),  # right, by whatever way
        answered("Answer: a lot"),  # no number is given
        answered("16 - 3 = 13.\nAnswer: 13", solution="She sells what is left."),  # nothing is worked out
        answered("16 - 3 = 13.\nAnswer: 13", solution="First 16 - 3 = 14, of another task"),  # which does not lead to the gold
        answered("Answer: Paris", gold="Rome", solution="2 + 2 = 4"),
        answered(call("calculate", "13", expression="16 - 3"), "Answer: 13"),  # tools did the working
    ],
)
def test_no_departure_without_a_solution_or_a_wrong_figure(example):
    assert found("working_departs", example) == []


@pytest.mark.parametrize(
    ("said", "slips"),
    [
        ("Fares: 12 + 30 = 43.\nWith the fee: 43 + 5 = 48.\nAnswer: 48", ["12 + 30 = 43"]),
        ("Fares: 12 + 30 = 42.\nAnswer: 42", []),
        ("Fares: 12 + 30 = 43.\nAnswer: 42", []),  # nothing goes on with it
        ("Fares: 10 / 3 = 3.33.\nThree of them: 3.33 * 3 = 9.99.\nAnswer: 9.99", []),  # rounded
    ],
)
def test_slips_that_the_working_goes_on_with(said, slips):
    assert [signal.quote for signal in found("arithmetic_slip", Example((says(said),)))] == slips


def test_long_runs_of_digits_take_no_time():
    assert found("working_departs", answered("Answer: 1", solution="1," * 200_000 + "\n" + SOLVED)) == []
