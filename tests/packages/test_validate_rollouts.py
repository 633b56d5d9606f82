"""Comparable rollouts: what is told of runs that are none."""

from pathlib import Path
from typing import Any

import pytest

from blade.packages.check import Check
from blade.packages.layout import Package
from blade.packages.runs import PackageRuns
from blade.packages.validate import validate
from tests.e2e.support import row, write

Rows = list[Any]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(tasks: int = 4, repeats: int = 2, **fields: Any) -> Rows:
    return [row(task, repeat, (task + repeat) % 2, **fields) for task in range(tasks) for repeat in range(repeats)]


def checks(folder: Path, **files: Rows) -> list[Check]:
    for name, rows in files.items():
        write(folder / "package" / "rollouts" / f"{name}.jsonl", rows)
    with PackageRuns(Package(folder / "package")) as runs:
        return validate(runs, ["rollouts"])


def wrong(found: list[Check]) -> list[tuple[str, str, int | None]]:
    return [(check.id, Path(check.path).name, check.line) for check in found if not check.ok]


def test_two_runs_of_the_same_tasks(tmp_path: Path) -> None:
    found = checks(tmp_path, a_rollouts=run(), b_rollouts=run())
    assert wrong(found) == []
    assert len(found) == 13
    assert all(check.path and not check.fix for check in found)


def test_one_file_is_not_enough(tmp_path: Path) -> None:
    (check,) = [check for check in checks(tmp_path, a_rollouts=run()) if not check.ok]
    assert check.message.startswith("At least two scored rollout files: 1 of 1")
    assert check.fix == "add another comparable model or agent run"


def test_a_file_without_rewards_is_no_scored_one(tmp_path: Path) -> None:
    found = checks(
        tmp_path, a_rollouts=run(), b_rollouts=[{key: value for key, value in one.items() if key != "reward"} for one in run()]
    )
    assert wrong(found)[0][0] == "rollouts.scored"
    assert ("rollouts.rewards", "b_rollouts.jsonl", 1) in wrong(found)


def test_a_score_counts_as_a_reward(tmp_path: Path) -> None:
    scored = [one | {"score": one.pop("reward")} for one in run()]
    assert wrong(checks(tmp_path, a_rollouts=run(), b_rollouts=scored)) == []


LOST = ("rollouts.repeats", "b.jsonl", None)
"""One of eight is more than one of twenty."""
CASES: list[tuple[str, Rows, list[tuple[str, str, int | None]]]] = [
    ("no task id", run(_ng_task_index=...), [("rollouts.task_id", "b.jsonl", None)]),
    ("a row without a reward", [*run()[:-1], row(3, 1, ...)], [("rollouts.rewards", "b.jsonl", 8), LOST]),
    ("a reward that is no number", [row(0, 0, float("nan")), *run()[1:]], [("rollouts.rewards", "b.jsonl", 1), LOST]),
    ("a row twice", [*run(), run()[0]], [("rollouts.duplicates", "b.jsonl", 9)]),
    ("a rollout with two rows", [*run(), row(0, 0, 1, response={})], [("rollouts.duplicates", "b.jsonl", 9)]),
    ("a damaged line", [*run(), b'{"reward":'], [("rollouts.lines", "b.jsonl", 9)]),
    ("a task less", run(3), [("rollouts.same_tasks", "b.jsonl", None)]),
    ("a task more", run(5), [("rollouts.same_tasks", "b.jsonl", None)]),
    ("fewer repeats", run(4, 1), [("rollouts.same_repeats", "b.jsonl", None)]),
    ("a row less", run()[:-1], [("rollouts.repeats", "b.jsonl", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("second", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_makes_a_run_not_comparable(tmp_path: Path, second: Rows, expected: list[Any]) -> None:
    found = checks(tmp_path, a=run(), b=second)
    listed = [one for one in wrong(found) if one[0] != "rollouts.same_tasks" or expected[0][0] == "rollouts.same_tasks"]
    assert listed == expected
    assert all(check.fix for check in found if not check.ok)


def test_a_task_with_another_prompt_is_another_task(tmp_path: Path) -> None:
    asked = {"input": [{"role": "user", "content": "something else"}]}
    other = [one | {"responses_create_params": asked} if one["_ng_task_index"] == 2 else one for one in run()]
    (check,) = [check for check in checks(tmp_path, a=run(), b=other) if not check.ok]
    assert "1 with the same id and another definition" in check.message
    assert "tasks 2" in check.fix


def test_ids_are_taken_in_the_order_of_the_contract(tmp_path: Path) -> None:
    """Whatever order the fields have in the rows."""
    named = [{"task_name": f"t{one['_ng_task_index']}", "id": 7, **one} for one in run()]
    messages = {check.message for check in checks(tmp_path, a=named, b=[dict(reversed(one.items())) for one in named])}
    assert "task id field present: _ng_task_index" in messages


@pytest.mark.parametrize(("lost", "harm"), [(1, False), (2, False), (3, True), (30, True)])
def test_a_few_lost_rows_are_no_harm_where_the_plan_tells_of_them(tmp_path: Path, lost: int, harm: bool) -> None:
    planned = [row(task, repeat, ..., response=...) for task in range(20) for repeat in range(2)]
    found = checks(tmp_path, a=run(20), b=run(20)[:-lost], b_materialized_inputs=planned)
    (said,) = [check for check in found if f"{lost} of 40 planned rollouts have no score" in check.message]
    assert said.ok is not harm
    if harm:
        assert f"{lost / 40:.1%}" in said.message
        assert "collect and score the missing rollouts" in said.fix


@pytest.mark.parametrize("planned", [False, True])
def test_an_empty_file_is_called_empty(tmp_path: Path, planned: bool) -> None:
    plan = {"b_materialized_inputs": [row(task, 0, ..., response=...) for task in range(4)]} if planned else {}
    (check,) = [check for check in checks(tmp_path, a=run(), b=[], **plan) if check.path.endswith("b.jsonl")]
    assert not check.ok
    assert "is empty" in check.message


def test_a_file_that_cannot_be_read_is_a_line_of_its_own(tmp_path: Path) -> None:
    found = checks(tmp_path, a=run(), b=[b"no row", b"here"])
    assert wrong(found)[0][:2] == ("rollouts.readable", "b.jsonl")
