"""Whose fault an error of judging is: the machinery's, or the verifier's own."""

import pytest

from blade.signals.example import Example, call, says
from blade.signals.verifier.judging import errors_of_judging
from tests.signals.support import steps


@pytest.mark.parametrize(
    ("fields", "of_machinery"),
    [
        ({"judge_error": "judge model returned 500 Internal Server Error"}, True),
        ({"judge_error": "no answer from the judge"}, True),
        ({"judge_error": "JSONDecodeError: Expecting value: line 1 column 1"}, False),
        ({"judge_error": "could not parse the verdict"}, False),
        ({"grading_exception": "TimeoutError: scoring took 60 s"}, False),
        ({"grader_traceback": "KeyError: 'score'"}, False),
        ({"verifier_error": "ConnectionError: [Errno 111] Connection refused"}, True),
        ({"result": {"remarks": ["grader exceeded 60 seconds"]}}, False),
        ({"verification": {"checker_crash": "IndexError: list index out of range"}}, False),
    ],
)
def test_who_failed(fields, of_machinery):
    assert [told.of_machinery for told in errors_of_judging(fields)] == [of_machinery]


@pytest.mark.parametrize(
    "fields",
    [
        {"judge_error": None},
        {"judge_error": "none"},
        {"verifier_error": False},
        {"mean_error": 0.2},
        {"error": "ConnectionError"},
        {"eval_failures": "x"},
        {"note": "the time limit of the exam was exceeded"},
        {"rubric": [{"criterion": "Verify that the credit limit was not exceeded"}]},
        {"problem_statement": "The verifier crashed with a KeyError on empty unions."},
    ],
)
def test_what_is_no_error_of_judging(fields):
    assert list(errors_of_judging(fields)) == []


KEY = "KeyError: 'answer'"
FAILED = "AssertionError: assert add(1, 2) == 3"


@pytest.mark.parametrize(
    ("happened", "error", "codes"),
    [
        ((says("The total is 12."),), KEY, ["verifier_error"]),
        ((says('```json\n{"total": 12}\n```'),), KEY, ["verifier_error"]),
        ((says("```python\ndef add(a, b):\n    return a - b\n```"),), FAILED, []),
        ((says("```python\ndef add(a, b):\n    return a - b\n```"),), "TypeError: add() takes 1 positional argument", []),
        ((says("```\nx = int(input())\n```"),), "ValueError: invalid literal", []),
        ((says("def add(a, b):\n    return a - b"),), "NameError: name 'c' is not defined", []),
        ((says("The total is 12."),), FAILED, []),
        ((call("run", f"Traceback\n{KEY}", code="x"), says("It failed.")), KEY, []),  # what a call showed already
        ((call("run", "ok", code="x"),), KEY, ["rollout_error"]),
    ],
)
def test_who_broke_after_the_end(happened, error, codes):
    example = Example(happened, fields={"error": error})
    assert [code for code in ("verifier_error", "rollout_error") if steps(code, example)] == codes
