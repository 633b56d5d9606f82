"""Several runs at once."""

import pytest

from blade.comparison.judging import judge
from blade.comparison.many import matrix, ranking, separating, unsolved
from blade.comparison.pairing import pair
from tests.comparison.support import rolled
from tests.runs.support import opened


def test_the_matrix_has_a_row_per_task_and_a_column_per_run() -> None:
    first = [rolled("x", 1), rolled("y", 0), rolled("z", 0)]
    second = [rolled("x", 0), rolled("y", 0), rolled("w", 1)]
    third = [rolled("x", 1), rolled("x", 0, 1), rolled("y", 0, ground_truth="other")]
    with opened(first) as a, opened(second) as b, opened(third) as c:
        judging = judge((a, b, c))
        rows = matrix([pair(a, b, judging=judging), pair(a, c, judging=judging)])
    by_task = {(row["task"], row.get("defined_by", "")): row["rates"] for row in rows}
    assert by_task[("x", "")] == [1, 0, 0.5]
    assert by_task[("z", "")] == [0, None, None]
    assert by_task[("w", "")] == [None, 1, None]
    assert by_task[("y", "")][:2] == [0, 0]
    assert unsolved(rows) == [row["task"] for row in rows if {rate for rate in row["rates"] if rate is not None} == {0}]
    assert separating(rows) == [{"task": "x", "spread": 1.0, "rates": [1, 0, 0.5]}]


def test_tasks_that_the_baseline_lacks_are_told_apart_by_their_definition() -> None:
    first = [rolled(str(task), 1) for task in range(6)]
    second = [*first, rolled("new", 1), rolled("shared", 0)]
    third = [*first, rolled("new", 0, user="quite another question"), rolled("shared", 1)]
    with opened(first) as a, opened(second) as b, opened(third) as c:
        judging = judge((a, b, c))
        rows = matrix([pair(a, b, judging=judging), pair(a, c, judging=judging)])
    beyond = [(row["task"], row.get("defined_by"), row["rates"]) for row in rows if row["rates"][0] is None]
    assert beyond == [("new", None, [None, 1, None]), ("shared", None, [None, 0, 1]), ("new", "run 2", [None, None, 0])]


def test_the_ranking_corrects_for_the_number_of_runs_and_shows_the_shared_tasks() -> None:
    rows = [{"task": "x", "rates": [1.0, 0.0, 0.5]}, {"task": "y", "rates": [0.0, None, 1.0]}]
    heads = [
        {"value": 0.5, "ci": [0.1, 0.9], "tasks": 2},
        {"value": 0.0, "ci": None, "tasks": 1},
        {"value": 0.75, "ci": None, "tasks": 2},
    ]
    found = ranking(["base", "one", "two"], heads, [0.02, 0.04], rows)
    assert [one["run"] for one in found] == ["two", "base", "one"]
    assert {one["run"]: one["p_vs_baseline_holm"] for one in found} == {
        "base": None,
        "one": pytest.approx(0.04),
        "two": pytest.approx(0.04),
    }
    assert {one["run"]: one["shared"] for one in found}["two"] == {"tasks": 1, "value": 0.5}


def test_a_run_without_a_common_task_has_no_p_value() -> None:
    found = ranking(["base", "one"], [{"value": 1.0, "ci": None, "tasks": 1}] * 2, [None], [])
    assert [one["p_vs_baseline_holm"] for one in found] == [None, None]
    assert found[0]["shared"] == {"tasks": 0, "value": None}
