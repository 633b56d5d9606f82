"""Errors of whoever judged, told by where they stand and by the verdict that is lacking there."""

from typing import Any

import pytest

from blade.signals.example import Example, says
from blade.signals.rollout import read_rollout
from blade.signals.verifier.judging import judging_errors

TIMEOUT = "concurrent.futures._base.TimeoutError (limit 60s)"
INDEX = "IndexError: list index out of range"
PLACES: list[tuple[dict[str, Any], list[str]]] = [
    ({"reward_extra_info": {"acc": None, "pred": None, "error": TIMEOUT}}, ["reward_extra_info.error"]),
    ({"evaluation_results": [{"func": "executed", "passed": None, "error": TIMEOUT}]}, ["evaluation_results.error"]),
    ({"evaluation": {"similarity": None, "exception": TIMEOUT}}, ["evaluation.exception"]),
    ({"evaluation": {"passed": False, "exception": TIMEOUT}}, []),  # it came to a verdict
    ({"evaluation": {"passed": None, "exception": "AssertionError: 3 != 4"}}, []),  # what a test says of the work
    ({"evaluation": {"passed": None, "error": "the answer is wrong"}}, []),  # nothing was raised
    ({"simulation": {"state": None, "error": TIMEOUT}}, []),  # not of whoever judges
    ({"annotations": {"grader": {"error": TIMEOUT, "comment": None}}}, ["annotations.grader.error"]),
    ({"assessments": [{"feedback": {"value": None}, "error": TIMEOUT}]}, ["assessments.error"]),
    ({"evaluation": {"passed": None, "error": TIMEOUT, "exception": TIMEOUT}}, ["evaluation.error", "evaluation.exception"]),
    ({"test_results": [{"name": "case 1", "input": "1 2", "expected": "3", "output": None, "error": INDEX}]}, []),  # a program's
    ({"test_results": [{"name": "case 1", "passed": None, "error": INDEX}]}, []),
    ({"checks": [{"stdin": "1 2", "passed": None, "error": INDEX}]}, []),
    ({"evaluation": {"output": None, "error": INDEX}}, []),  # no verdict is lacking
    ({"checkout": {"error": "PaymentError: card declined", "receipt": None, "passed": None}}, []),
]


@pytest.mark.parametrize(("fields", "places"), PLACES)
def test_an_error_where_the_verdict_is_lacking(fields: dict[str, Any], places: list[str]) -> None:
    assert [told.field for told in judging_errors(read_rollout(Example((says("Done."),), fields=fields).text()))] == places


def test_a_rollout_that_was_not_finished_stopped_by_itself() -> None:
    assert not judging_errors(read_rollout(Example((), fields=PLACES[0][0]).text()))


def test_what_is_raised_where_a_program_was_handed_in_may_be_its_own() -> None:
    said = says("```python\ndef f(x):\n    return x[9]\n```")
    assert not judging_errors(read_rollout(Example((said,), fields={"evaluation": {"passed": None, "error": INDEX}}).text()))


def test_an_error_that_speaks_of_the_grader_is_not_what_stopped_the_rollout() -> None:
    made = read_rollout(Example((says("Done."),), fields={"error": "verify() timed out after 60.0 s"}).text())
    assert not made.recorded
    assert [told.field for told in judging_errors(made)] == ["error"]
