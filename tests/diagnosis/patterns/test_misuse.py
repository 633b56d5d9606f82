"""The same misused interface over the repeats of a task."""

import pytest

from blade.diagnosis.patterns.misuse import same_misuse
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told


def misused(number, passed=False, kind="AttributeError"):
    found = [signal("api_misused", 5, f"{kind}: no x", label="KG", subject=kind)] if kind else []
    return repeat(number, passed, signals=found)


@pytest.mark.parametrize(
    ("repeats", "hit"),
    [
        ([misused(0), misused(1), misused(2), misused(3)], 4),
        ([misused(0), misused(1), misused(2), misused(3, True, "")], 3),
        ([misused(0), misused(1), misused(2, kind=""), misused(3, True, "")], 0),  # half of them
        ([misused(0), misused(1), misused(2), misused(3, True)], 0),  # one that passes does it too
        ([misused(0), misused(1, kind="unknown option"), misused(2, kind="SyntaxError")], 0),  # each otherwise
        ([misused(0)], 0),
    ],
)
def test_nearly_every_repeat_and_none_that_passes(repeats, hit):
    found = list(same_misuse(task_of(*repeats)))
    assert told(found) == [("same_misuse", f"7:{number}", 5) for number in range(hit)]
    assert {finding.label for finding in found} <= {"KG"}


def test_it_points_at_the_edit_that_the_failing_run_tried():
    found = [signal("api_misused", 6, "AttributeError: no x", label="KG", subject="AttributeError")]
    calls = [call(3, "update_file", path="a.py", content="x.y"), call(5, "shell", mutation="unknown", cmd="pytest")]
    repeats = [repeat(number, False, signals=found, calls=calls) for number in range(2)]
    assert told(same_misuse(task_of(*repeats))) == [("same_misuse", "7:0", 3), ("same_misuse", "7:1", 3)]
