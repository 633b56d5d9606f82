"""What runs are called, and that a pair of several keeps its own letter in everything it says."""

import pytest

from blade.comparison.judging import judge
from blade.comparison.letters import called, letter, second
from blade.comparison.pairing import pair
from blade.comparison.slices import slice_changes
from tests.comparison.support import rolled
from tests.runs.support import opened


@pytest.mark.parametrize(("place", "name"), [(0, "A"), (1, "B"), (2, "C"), (25, "Z"), (26, "R27"), (99, "R100")])
def test_runs_have_letters_and_where_these_end_numbers(place: int, name: str) -> None:
    assert letter(place) == name


def test_a_pair_that_says_nothing_is_of_two_runs() -> None:
    assert (second({}), called("a", {}), called("b", {})) == ("B", "A", "B")
    third = {"letter": "C"}
    assert (second(third), called("a", third), called("b", third)) == ("C", "A", "C")


def test_limits_of_a_pair_name_the_run_by_its_letter() -> None:
    first = [rolled(task, 1, level="easy" if task % 2 else "hard") for task in range(12)]
    third = [row | {"level": "hard" if row["level"] == "easy" else "easy"} for row in first]
    third[3]["_ng_task_index"] = 77
    with opened(first) as a, opened(first) as b, opened(third) as c:
        found = pair(a, c, judging=judge((a, b, c)), letter="C")
        refused = slice_changes(a, c, found).refused
    assert found.letter == "C"
    assert {limit.code: limit.message for limit in found.limits}["some_paired_by_definition"] == (
        "1 tasks stand under other ids in C and were recognised by their definition"
    )
    assert refused == {"level": "12 tasks have another value in C than in A"}
