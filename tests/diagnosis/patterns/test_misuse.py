"""The same misused interface over the repeats of a task."""

import pytest

from blade.diagnosis.patterns.misuse import same_misuse
from tests.diagnosis.patterns.support import repeat, signal, task_of, told


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
