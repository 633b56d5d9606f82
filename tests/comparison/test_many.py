"""Several runs at once."""

from collections.abc import Callable, Sequence

import pytest

from blade.comparison.judging import judge
from blade.comparison.many import matrix, ranking, separating, unsolved
from blade.comparison.pairing import Pairing, pair
from blade.comparison.strangers import told_apart
from blade.runs.run import Run
from tests.comparison.support import rolled
from tests.comparison.test_strangers import logged
from tests.runs.support import opened


def paired(*runs: Run) -> tuple[Sequence[Pairing], Callable[[int, int], Pairing]]:
    """Each run with the first, and any two."""
    judging = judge(runs)

    def between(first: int, second: int) -> Pairing:
        return told_apart(runs[first], runs[second], pair(runs[first], runs[second], judging=judging))

    return [between(0, place) for place in range(1, len(runs))], between


def test_the_matrix_has_a_row_per_task_and_a_column_per_run() -> None:
    first = [rolled("x", 1), rolled("y", 0), rolled("z", 0)]
    second = [rolled("x", 0), rolled("y", 0), rolled("w", 1)]
    third = [rolled("x", 1), rolled("x", 0, 1), rolled("y", 0, ground_truth="other")]
    with opened(first) as a, opened(second) as b, opened(third) as c:
        rows = matrix(*paired(a, b, c))
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
        rows = matrix(*paired(a, b, c))
    beyond = [(row["task"], row.get("defined_by"), row["rates"]) for row in rows if row["rates"][0] is None]
    assert beyond == [("new", None, [None, 1, None]), ("shared", None, [None, 0, 1]), ("new", "run 2", [None, None, 0])]


def test_tasks_that_only_strangers_have_are_not_one_task_for_their_numbers() -> None:
    """The baseline has none of the counted tasks of the others, which are of two benchmarks; then of one."""
    first = [rolled(f"t{task}", 1) for task in range(12)]
    second, third = logged(0, 12, "one", "question"), logged(40, 12, "two", "ground_truth")
    with opened(first) as a, opened(second) as b, opened(third) as c:
        strangers = matrix(*paired(a, b, c))
    with opened(first) as a, opened(second) as b, opened(logged(0, 12, "two", "ground_truth")) as c:
        harnesses = matrix(*paired(a, b, c))
    sevens = [row for row in strangers if row["task"] == "7"]
    assert sevens == [
        {"task": "7", "rates": [None, 1, None]},
        {"task": "7", "rates": [None, None, 1], "defined_by": "run 2"},
    ]
    assert [row for row in harnesses if row["task"] == "7"] == [{"task": "7", "rates": [None, 1, 1]}]
    assert separating(strangers) == []


def test_a_task_that_separates_says_whose_it_is() -> None:
    rows = [{"task": "7", "rates": [1.0, None, None]}, {"task": "7", "rates": [None, 0.0, 1.0], "defined_by": "run 1"}]
    assert separating(rows) == [{"task": "7", "spread": 1.0, "rates": [None, 0.0, 1.0], "defined_by": "run 1"}]


def test_a_run_that_shares_no_scored_task_with_the_baseline_is_not_ranked() -> None:
    """It neither leads with the best score nor empties the shared tasks of the others."""
    rows = [{"task": "x", "rates": [0.0, None, 1.0]}, {"task": "x", "rates": [None, 1.0, None], "defined_by": "run 1"}]
    heads = [{"value": value, "ci": None, "tasks": 1} for value in (0.0, 1.0, 0.5, 0.9)]
    rows = [row | {"rates": [*row["rates"], None]} for row in rows]
    found = ranking(["base", "stranger", "other", "one more"], heads, [None, 0.3, None], rows, [False, True, False, True])
    assert [(one["run"], one["ranked"]) for one in found] == [
        ("other", True),
        ("base", True),
        ("stranger", False),
        ("one more", False),
    ]
    assert [one["shared"] for one in found] == [{"tasks": 1, "value": value} for value in (1.0, 0.0, None, None)]


def test_where_only_the_baseline_is_ranked_no_task_is_shared() -> None:
    rows = [{"task": "x", "rates": [1.0, None]}]
    found = ranking(["base", "stranger"], [{"value": 1.0, "ci": None, "tasks": 1}] * 2, [None], rows, [False, True])
    assert {one["shared"]["tasks"] for one in found} == {0}


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
