"""Which task a row belongs to, and which repeat of it it is."""

from typing import Any

import pytest

from blade.errors import UsageError

from .support import classes, column, opened

R = {"reward": 1, "response": {"output": []}}


def prompt(text: str) -> dict[str, Any]:
    return {"responses_create_params": {"input": [{"role": "user", "content": text}]}}


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({"_ng_task_index": 1, "task_id": 2, "id": 3}, "_ng_task_index"),
        ({"task_id": 2, "problem_id": 4}, "task_id"),
        ({"problem_id": 4, "instance_id": 5}, "problem_id"),
        ({"instance_id": 5, "task_name": "t"}, "instance_id"),
        ({"task_name": "t", "id": 3}, "task_name"),
        ({"id": 3}, "id"),
    ],
)
def test_the_first_field_of_the_list_is_the_task(fields: dict[str, Any], chosen: str) -> None:
    with opened([R | fields]) as run:
        assert run.meta["identity"] == {"task_field": chosen, "repeat_field": None, "inferred": False, "renumbered": False}
        assert column(run, "SELECT task FROM rollouts") == [str(fields[chosen])]


@pytest.mark.parametrize(("with_id", "chosen"), [(9, "task_id"), (8, "id")])
def test_a_field_counts_when_nearly_all_rows_have_it(with_id: int, chosen: str) -> None:
    rows = [R | {"id": number} | ({"task_id": f"t{number}"} if number < with_id else {}) for number in range(10)]
    with opened(rows) as run:
        assert run.meta["identity"]["task_field"] == chosen


def test_a_row_that_lacks_the_field_falls_back_to_its_prompt_and_is_not_lost() -> None:
    rows = [R | {"task_id": f"t{number}"} for number in range(10)] + [R | prompt("orphan")]
    with opened(rows) as run:
        hashes = column(run, "SELECT prompt_hash FROM rollouts WHERE line = 11")
        assert column(run, "SELECT task FROM rollouts WHERE line = 11") == hashes
        assert run.denominator.scored == 11


@pytest.mark.parametrize(
    ("ids", "tasks"),
    [
        ([3, "3", 3.0], ["3", "3", "3"]),
        (["a", "A"], ["a", "A"]),
        (["007", 7], ["007", "7"]),
        ([1.5, "1.5"], ["1.5", "1.5"]),
        ([True, "true"], ["true", "true"]),
        ([-2, "-2.0"], ["-2", "-2"]),
        (["", "x"], ["", "x"]),
        ([10**25, 1], None),
    ],
)
def test_ids_are_strings_whatever_they_were(ids: list[Any], tasks: list[str] | None) -> None:
    with opened([R | {"task_id": value, "n": number} for number, value in enumerate(ids)]) as run:
        found = column(run, "SELECT task FROM rollouts ORDER BY line")
        if tasks is None:
            assert len(set(found)) == len(ids)
        else:
            assert found == tasks


def test_without_any_id_the_prompt_is_the_task_and_that_is_said() -> None:
    with opened([R | prompt("a"), R | prompt("b") | {"n": 1}, R | prompt("a") | {"n": 2}]) as run:
        assert (run.meta["identity"]["task_field"], run.meta["identity"]["inferred"]) == (None, True)
        first, second, third = column(run, "SELECT task FROM rollouts ORDER BY line")
        assert first == third != second
        assert column(run, "SELECT repeat FROM rollouts ORDER BY line") == [0, 0, 1]


def test_without_a_prompt_either_a_field_of_last_resort_is_taken() -> None:
    with opened([R | {"uid": "u1"}, R | {"uid": "u2"}]) as run:
        assert (run.meta["identity"]["task_field"], run.meta["identity"]["inferred"]) == ("uid", True)


def test_rows_with_nothing_to_tell_them_apart_are_tasks_of_their_own() -> None:
    with opened([R | {"n": 1}, R | {"n": 2}]) as run:
        assert len(set(column(run, "SELECT task FROM rollouts"))) == 2


def test_rows_of_two_files_with_nothing_to_tell_them_apart_do_not_become_one_task() -> None:
    with opened({"a.jsonl": [R | {"n": 1}], "b.jsonl": [R | {"n": 2}]}) as run:
        assert len(set(column(run, "SELECT task FROM rollouts"))) == 2


def test_another_field_may_be_chosen() -> None:
    rows = [R | {"task_id": 1, "city": city, "n": number} | prompt("q") for number, city in enumerate(["Rome", "Oslo"])]
    with opened(rows, task_field="city") as run:
        assert column(run, "SELECT task FROM rollouts ORDER BY line") == ["Rome", "Oslo"]
        assert not run.meta["identity"]["inferred"]
    with opened(rows, task_field="prompt") as run:
        assert len(set(column(run, "SELECT task FROM rollouts"))) == 1
    with pytest.raises(UsageError, match="no row has a field 'town'"), opened(rows, task_field="town"):
        pass


@pytest.mark.parametrize(
    "name", ["_ng_rollout_index", "rollout_index", "repeat_index", "repeat", "trial", "trial_index", "epoch", "sample_index"]
)
def test_the_repeat_is_the_runs_own_counter(name: str) -> None:
    with opened([R | {"task_id": 1, name: 4}, R | {"task_id": 1, name: 2}]) as run:
        assert run.meta["identity"]["repeat_field"] == name
        assert classes(run) == [("1:4", "scored"), ("1:2", "scored")]


@pytest.mark.parametrize(
    ("counters", "repeats"),
    [
        ([0, "1", 2.0], [0, 1, 2]),
        (["x", "y", "z"], [0, 1, 2]),
        ([-1, 5, 6], [7, 5, 6]),
    ],
)
def test_counters_that_are_no_numbers_are_numbered(counters: list[Any], repeats: list[int]) -> None:
    with opened([R | {"task_id": 1, "trial": counter, "n": number} for number, counter in enumerate(counters)]) as run:
        assert column(run, "SELECT repeat FROM rollouts ORDER BY line") == repeats


def test_without_a_counter_rows_are_numbered_as_they_stand() -> None:
    with opened([R | {"task_id": task, "n": number} for number, task in enumerate("aabab")]) as run:
        assert [rollout for rollout, _ in classes(run)] == ["a:0", "a:1", "b:0", "a:2", "b:1"]
