"""Gold in another unit than the one asked for, and the model's wrong unit, which looks the same the other way round."""

import pytest

from blade.diagnosis.patterns.gold_units import EITHER_WAY, gold_in_other_unit
from blade.diagnosis.views import AnswerRow, RestatedRow, RolloutView, TaskView


def task(gold, given, unit, solution=None, passed=False):
    rollouts = [
        RolloutView(
            f"7:{number}", "7", number, float(passed), passed, 3, (), (), (),
            [AnswerRow("target", gold, "parsed", text, 3, None, None, None, unit)], (),
            [RestatedRow("solution", solution)] if solution else (),
        )
        for number, text in enumerate(given)
    ]  # fmt: skip
    return TaskView("7", tuple(rollouts))


@pytest.mark.parametrize(
    ("gold", "given", "unit", "weights"),
    [
        ("123.7", ["2.1"] * 3, "h", [0.85] * 3),  # minutes where hours are asked
        ("2.06", ["123.7"] * 3, "h", []),  # the answers are in minutes, and the gold is right
        ("120", ["2"] * 3, "min", [EITHER_WAY] * 3),  # seconds in the gold, or hours in the answers
        ("5.5", ["2.1"] * 3, "h", []),
        ("123.7", ["2.1", "3.3", "4.1"], "h", []),  # they do not agree
        ("123.7", ["2.1"] * 3, None, []),
        ("0.1", ["10"] * 2, "%", [0.85] * 2),  # a fraction where a percentage is asked
        ("10", ["0.1"] * 2, "%", []),  # the answers are fractions, and the gold is right
        ("0.1", ["12"] * 2, "%", []),
        ("0.1", ["10"], "%", []),  # nobody agrees with one
    ],
)
def test_by_conversion(gold, given, unit, weights):
    assert [finding.weight for finding in gold_in_other_unit(task(gold, given, unit))] == weights


def test_by_the_rows_own_solution():
    found = list(gold_in_other_unit(task("123.4", ["9", "8"], "h", "7404 s = 123.4 min = 2.057 h")))
    assert [(finding.rollout, finding.quote) for finding in found] == [("7:0", "123.4 min"), ("7:1", "123.4 min")]
    assert not list(gold_in_other_unit(task("46.08", ["46079"] * 3, "ug", "781 ul at 59 ng/ul make 46.08 ug")))
    assert not list(gold_in_other_unit(task("2.057", ["9", "8"], "h", "7404 s = 123.4 min = 2.057 h")))
