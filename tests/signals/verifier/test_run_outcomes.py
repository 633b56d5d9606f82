"""How test runners say that a program failed."""

import pytest

from blade.signals.verifier.run_outcomes import outcome, tells_how
from blade.signals.wanted.checks import find_checks


@pytest.mark.parametrize(
    ("message", "error", "wanted", "got", "found"),
    [
        ("Wrong Answer", "", "30", "25", "wrong output"),
        ("Wrong answer at output_line_idx=3: 4 != 5", "", "5", "4", "wrong output"),
        ("Wrong answer at output_line_idx=0:  != 676", "", "676\n", "", "prints nothing"),
        ("Wrong answer", "", "", "", "wrong output"),  # nothing was to be printed
        ("Time Limit Exceeded", "TimeoutException()", "0", None, "time limit exceeded"),
        ("TLE", "", "", None, "time limit exceeded"),
        ("Memory limit exceeded on test 4", "", "", None, "memory limit exceeded"),
        ("Runtime Error", "TypeError(\"'int' object is not subscriptable\")", "0", None, "crashes with TypeError"),
        ("Runtime Error", "", "0", None, "crashes"),
        (
            "Error during testing: expected an indented block after function definition on line 38",
            "",
            "",
            None,
            "does not compile",
        ),
        ("SyntaxError: '(' was never closed", "", "", None, "does not compile"),
        ("Output differs in 3 lines: see log", "", "1", "2", "Output differs in # lines"),
    ],
)
def test_one_word_for_each_end(message, error, wanted, got, found):
    assert outcome(message, error, wanted, got) == found


def test_a_check_is_called_after_it_only_in_the_report_of_a_run():
    run = {"verdict": {"error_message": "Wrong answer at line 1: 4 != 5", "expected": "5", "output": "4"}}
    other = {"verdict": {"error_message": "mismatch in policy 17: no such rider", "valid": False}}
    assert [check.name for check in find_checks(run)] == ["wrong output"]
    assert not any(tells_how(check.name) for check in find_checks(other))
