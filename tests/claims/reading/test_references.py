"""Tasks, rollouts and steps that a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.claims.reading.references import Names, id_list, rollouts, steps, tasks

NUMBERED = Names(frozenset(map(str, range(40))), frozenset(f"{task}:{repeat}" for task in range(40) for repeat in range(4)))
NAMED = Names(frozenset({"HumanEval/0", "HumanEval/12", "task_007"}), frozenset({"HumanEval/12:0"}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("26:0 and 26:2 pass", [("26:0", None), ("26:2", None)]),
        ("26:1 step 36, 26:3 step 28", [("26:1", 36), ("26:3", 28)]),
        ("`12:3` (step 4)", [("12:3", 4)]),
        ("9:0: it ends", [("9:0", None)]),
        ("12:19 does not exist", [("12:19", None)]),
        ("from 09:02 to 09:03, at 14:30, 16:45 UTC, 09:02:37", []),
        ("both are listed alike: CS-38252 | 12:30 | free", []),
        ("26:1 | failed", [("26:1", None)]),
        ("a ratio of 3.5:1", []),
    ],
)
def test_rollouts_are_found_with_their_steps(text: str, found: list[tuple[str, int | None]]) -> None:
    assert [(one.name, one.step) for one in rollouts(text, NUMBERED)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("task 12 fails", ["12"]),
        ("Tasks 4, 7, 11 and 33.", ["4", "7", "11", "33"]),
        ("tasks 4, 7 of the 40", ["4"]),
        ("tasks 164", []),
        ("3 of 40 tasks", []),
        ("tasks 1,028", []),
        ("Task 12:0 step 3", []),
    ],
)
def test_numbered_tasks_are_named_as_tasks(text: str, found: list[str]) -> None:
    assert [one.name for one in tasks(text, NUMBERED)] == found


def test_named_tasks_are_known_by_their_shape() -> None:
    text = "HumanEval/12 passes, HumanEval/999 does not exist, MBPP/3 is another benchmark; `task_008`."
    assert [one.name for one in tasks(text, NAMED)] == ["HumanEval/12", "HumanEval/999", "task_008"]
    assert [one.name for one in rollouts("see HumanEval/12:0 step 2", NAMED)] == ["HumanEval/12:0"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4, 7 and 11", ["4", "7", "11"]),
        ("4, 7 and 1,003 more", ["4", "7"]),
        ("1,028", None),
        ("4 of 7", None),
        ("12:0, 12:3", ["12:0", "12:3"]),
    ],
)
def test_a_cell_of_ids(text: str, found: list[str] | None) -> None:
    listed = id_list(text, NUMBERED)
    assert (None if listed is None else [one.name for one in listed]) == found


def test_steps() -> None:
    assert [step for _, step in steps("at step 4, steps 5 to 23, and 86:3 step 1 and 86:4 step 1")] == [4, 5, 23, 1, 1]


@given(st.lists(st.tuples(st.integers(0, 39), st.integers(0, 3), st.integers(0, 60)), min_size=1, max_size=6))
def test_every_list_of_places_is_read_back(places: list[tuple[int, int, int]]) -> None:
    text = ", ".join(f"{task}:{repeat} step {step}" for task, repeat, step in places)
    assert [(one.name, one.step) for one in rollouts(text, NUMBERED)] == [
        (f"{task}:{repeat}", step) for task, repeat, step in places
    ]


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for one in (*rollouts(text, NUMBERED), *tasks(text, NAMED)):
        assert 0 <= one.span.start < one.span.end <= len(text)
