"""Whose fault an error of judging is: the machinery's, or the verifier's own."""

import pytest

from blade.signals.judging import errors_of_judging


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
