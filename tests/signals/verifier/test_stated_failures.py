"""Why a verifier says that a rollout failed."""

import pytest

from blade.signals.verifier.stated_failures import stated_failures
from blade.signals.wanted.checks import find_checks

LOG = """\
============ test session starts ============
FAILED not/in/the/summary.py::test_x
=========== short test summary info ===========
FAILED tests/test_runner.py::test_runner - SystemExit: ERROR: Failed 1 of 8 tests.
ERROR tests/test_build.py::test_build
========= 1 failed, 1 error in 0.42s ==========
"""


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"failure_reason": "model_output_invalid"}, [("failure_reason", "model_output_invalid")]),
        ({"failure_reason": "seat '12A' is taken 3 times"}, [("failure_reason", "seat … is taken … times")]),
        ({"status": "failed: name 'm' is not defined"}, [("status", "crashes with NameError")]),
        ({"status": "failed: unindent does not match any outer indentation level"}, [("status", "does not compile")]),
        ({"failure_reason": "None"}, []),
        (
            {"failure_reason": "The agent did not set the session timeout to 30 minutes"},
            [("failure_reason", "The agent did not set the session timeout to … minutes")],
        ),
        ({"status": "Error-free"}, []),
        ({"status": "failed"}, []),
        ({"status": "completed"}, []),
        ({"failure_reason": None, "status": "passed"}, []),
        (
            {"container_stderr": LOG, "failure_reason": "tests"},
            [("container_stderr", "tests/test_runner.py::test_runner"), ("container_stderr", "tests/test_build.py::test_build")],
        ),
        ({"container_stderr": "FAILED to start"}, []),
    ],
)
def test_reasons_and_logs(fields, found):
    assert [(said.field, said.name) for said in stated_failures(fields)] == found


def test_checks_that_are_listed_come_first():
    fields = {"failure_reason": "two tests", "tests": [{"name": "a", "passed": False}, {"name": "b", "passed": True}]}
    assert [check.name for check in find_checks(fields)] == ["a", "b"]
    assert [(check.name, check.passed) for check in find_checks({"failure_reason": "too late"})] == [("too late", False)]
