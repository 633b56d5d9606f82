"""Which task is which, what was redefined, and how each task went: observed through `pair`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blade.comparison.pairing import Pairing, pair
from blade.runs.run import open_run
from tests.runs.support import opened, planned, row
from tests.shared_data import needs_shared_data, reference_numbers, shared_data

from .support import Files, asked, both, rolled


def paired(*files: Files) -> Pairing:
    a, b = files
    with both(a, b) as runs:
        return pair(*runs)


def codes(found: Pairing) -> list[str]:
    return [limit.code for limit in found.limits]


def counts(found: Pairing) -> tuple[int, ...]:
    return tuple(found.counts.values())


def test_each_task_with_what_both_runs_made_of_it() -> None:
    a = [rolled(10, 1), rolled(2, 1, 0), rolled(2, 0, 1), rolled("x", 0)]
    b = [rolled(3, 1), rolled(2, 1), rolled(10, None)]
    found = paired(a, b)
    assert found.names == ("2", "3", "10", "x")  # natural order, whatever the files' is
    assert counts(found) == (2, 1, 1, 0)
    assert (found.a.scored.tolist(), found.b.scored.tolist()) == ([2, 0, 1, 1], [1, 1, 0, 0])
    assert (found.a.total.tolist(), found.b.total.tolist()) == ([1, 0, 1, 0], [1, 1, 0, 0])
    assert (found.common.tolist(), found.paired.tolist()) == ([True, False, True, False], [True, False, False, False])
    assert found.differences.tolist() == [0.5]
    assert [found.a.value, found.b.value] == pytest.approx([(0.5 + 1 + 0) / 3, 1.0])
    assert np.isnan(found.a.means[1])
    assert found.b.index() == {"2": 0, "3": 1, "10": 2}


def test_what_was_planned_and_never_came_is_a_task_of_the_run() -> None:
    plan = [planned(task, 0) for task in range(3)]
    found = paired({"r.jsonl": [row(0, 0)], "r_materialized_inputs.jsonl": plan}, [row(task) for task in range(3)])
    assert counts(found) == (3, 0, 0, 0)
    assert (found.a.expected.tolist(), found.a.scored.tolist()) == ([1, 1, 1], [1, 0, 0])


def test_rows_written_twice_count_once() -> None:
    rows = [rolled(0, 0), rolled(1, 1)]
    found = paired(rows, rows + rows)
    assert found.b.scored.tolist() == [1, 1]
    assert found.differences.tolist() == [0, 0]


def test_shards_of_one_side_are_one_run_with_more_repeats() -> None:
    shards = {
        f"seed{seed}.jsonl": [
            rolled(task, (task + seed) % 2, response={"output": [], "id": f"{seed}-{task}"}) for task in range(3)
        ]
        for seed in range(2)
    }
    with opened(shards) as a, opened([rolled(task, 1) for task in range(3)]) as b:
        assert a.meta["identity"]["renumbered"]
        found = pair(a, b)
    assert counts(found) == (3, 0, 0, 0)
    assert (found.a.scored.tolist(), found.a.total.tolist()) == ([2, 2, 2], [1, 1, 1])


def test_shards_whose_ids_collided_find_their_partner_by_definition() -> None:
    def shard(names: dict[str, str]) -> Files:
        return {f"{file}.jsonl": [rolled(task, 1, user=f"{words} {task}") for task in range(4)] for file, words in names.items()}

    found = paired(shard({"a1": "sum", "a2": "product"}), shard({"b1": "product", "b2": "sum"}))
    assert counts(found) == (8, 0, 0, 0)
    assert found.identity == {"paired_by": "definition", "by_definition": 8, "undefined": 0}


# --- equal ids, other definitions

TEN = range(10)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"expected_answer": "other"}, ("expected_answer",)),
        ({"user": "another question"}, ("user",)),
        ({"system": "for this one only"}, ("system",)),
        ({"tools": [{"name": "extra"}]}, ("tools",)),
        ({"user": "another question", "expected_answer": "other"}, ("expected_answer", "user")),
    ],
)
def test_a_part_that_differs_for_some_tasks_redefines_them(change: dict[str, Any], parts: tuple[str, ...]) -> None:
    def task(number: int, **changed: Any) -> dict[str, Any]:
        return rolled(number, 1, **{"expected_answer": f"gold {number}", "system": "s", "tools": [{"name": "t"}]} | changed)

    found = paired([task(number) for number in TEN], [task(number, **change if number == 4 else {}) for number in TEN])
    assert counts(found) == (9, 0, 0, 1)
    assert [(one.task, one.parts) for one in found.redefined] == [("4", parts)]
    assert codes(found) == ["redefined_tasks"]
    assert found.names.count("4") == 2  # one key of each run
    assert int(found.a.present.sum()) == int(found.b.present.sum()) == 10


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ({"system": "old"}, {"system": "new"}, "system"),
        ({"tools": [{"name": "t"}]}, {"tools": [{"name": "t"}, {"name": "u"}]}, "tools"),
        ({"rubric": "be kind"}, {"rubric": "be strict"}, "rubric"),
    ],
)
def test_what_changed_for_the_whole_run_redefines_no_task(before: dict[str, Any], after: dict[str, Any], part: str) -> None:
    found = paired([rolled(number, 1, **before) for number in TEN], [rolled(number, 1, **after) for number in TEN])
    assert counts(found) == (10, 0, 0, 0)
    assert set(found.run_wide.steps) == {part}


def test_a_system_prompt_of_each_task_that_changed_for_all_is_the_runs() -> None:
    found = paired(*([rolled(task, 1, system=f"{words} {task}") for task in TEN] for words in ("old", "new")))
    assert (counts(found), set(found.run_wide.steps)) == ((10, 0, 0, 0), {"system"})


def test_one_of_two_system_prompts_changed() -> None:
    def rows(second: str) -> list[dict[str, Any]]:
        return [rolled(task, 1, system="airline" if task < 10 else second) for task in range(20)]

    found = paired(rows("retail"), rows("retail, improved"))
    assert (counts(found), set(found.run_wide.steps)) == ((20, 0, 0, 0), {"system"})


def test_a_new_template_around_the_same_tasks_is_a_change_of_prompt() -> None:
    def rows(template: str) -> list[dict[str, Any]]:
        return [rolled(task, 1, user=template.format(task), expected_answer=f"gold {task}") for task in TEN]

    found = paired(rows("solve {}"), rows("think, then solve {}"))
    assert (counts(found), set(found.run_wide.steps)) == ((10, 0, 0, 0), {"user"})


@pytest.mark.parametrize("gold", [{}, {"expected_answer": "yes"}])
def test_other_words_for_all_tasks_are_other_tasks_where_nothing_else_tells(gold: dict[str, str]) -> None:
    found = paired(*([rolled(task, 1, user=f"{words} {task}", **gold) for task in TEN] for words in ("solve", "prove")))
    assert counts(found) == (0, 0, 0, 10)
    assert codes(found) == ["ids_mean_other_tasks"]


def test_a_simulated_user_may_open_the_task_with_other_words() -> None:
    talk: dict[str, Any] = {"response": {"output": [{"role": "assistant", "content": "?"}, {"role": "user", "content": "yes"}]}}
    rows = [[rolled(task, 1, user=f"{words} {task}", expected_answer=task, **talk) for task in TEN] for words in ("hi", "hello")]
    rows = [side + [made | {"_ng_rollout_index": 1, "reward": 0} for made in side] for side in rows]
    assert counts(paired(*rows)) == (10, 0, 0, 0)


def test_what_only_one_run_knows_is_no_difference() -> None:
    a = {
        "r.jsonl": [rolled(task) for task in TEN],
        "r_materialized_inputs.jsonl": [planned(task, 0, level="hard", **asked(f"question {task}")) for task in TEN],
    }
    assert counts(paired(a, [rolled(task) for task in TEN])) == (10, 0, 0, 0)


def test_tasks_of_which_nothing_is_known_are_the_same_by_id_and_it_is_said() -> None:
    found = paired([row(0), row(1)], [row(0), row(1)])
    assert (counts(found), found.undefined, codes(found)) == ((2, 0, 0, 0), 2, ["definitions_unknown"])


# --- other ids, equal definitions


def test_a_shuffled_dataset_is_paired_by_definition() -> None:
    a = [rolled(task, task % 2, user=f"question {task}") for task in range(20)]
    b = [rolled((7 * task + 3) % 20, task % 2, user=f"question {task}") for task in range(20)]
    found = paired(a, b)
    assert counts(found) == (20, 0, 0, 0)
    assert found.paired_by == "definition"
    assert codes(found) == ["paired_by_definition"]
    assert "mean other tasks" in found.limits[0].message
    assert found.differences.tolist() == [0.0] * 20
    assert found.b.ids[1] == "10"  # question 1


def test_an_index_that_lost_its_first_task_is_paired_by_definition() -> None:
    found = paired([rolled(task) for task in TEN], [rolled(task - 1, user=f"question {task}") for task in TEN if task])
    assert (counts(found), found.paired_by) == ((9, 1, 0, 0), "definition")


def test_ids_from_another_field_are_no_obstacle_and_a_prompt_may_have_changed() -> None:
    a = [rolled(task, 1, system="old") for task in TEN]
    b = [{"task_id": f"t-{task}", "reward": 1, **asked(f"question {task}", "new")} for task in TEN]
    found = paired(a, b)
    assert (counts(found), found.paired_by, set(found.run_wide.steps)) == ((10, 0, 0, 0), "definition", {"system"})
    assert "share no id" in found.limits[0].message


def test_gold_answers_that_recur_pair_nothing() -> None:
    def rows(names: str) -> list[dict[str, Any]]:
        return [row(f"{names}{task}", 0, 1, expected_answer=task % 4) for task in range(20)]

    found = paired(rows("a"), rows("b"))
    assert (counts(found), codes(found)) == ((0, 20, 20, 0), ["no_common_task"])


def test_a_run_against_itself_is_all_common_and_all_zero() -> None:
    rows = [rolled(task, task % 2, repeat) for task in TEN for repeat in range(2)]
    found = paired(rows, rows)
    assert (counts(found), codes(found)) == ((10, 0, 0, 0), [])
    assert not found.differences.any()


@needs_shared_data
@pytest.mark.parametrize("name", reference_numbers()["pairs"] if shared_data() else [])
def test_reference_pairs(name: str, real_index: Path) -> None:
    expected = reference_numbers()["pairs"][name]
    folder, _, stems = name.partition(": ")
    root = shared_data()
    assert root is not None
    paths = [next((root / folder).glob(f"{stem}.jsonl*")) for stem in stems.split(" -> ")]
    with open_run(paths[0], index_dir=real_index) as a, open_run(paths[1], index_dir=real_index) as b:
        found = pair(a, b)
    assert counts(found) == (expected["tasks_compared"], expected["only_in_A"], expected["only_in_B"], 0)
    assert [found.a.value, found.b.value] == pytest.approx([expected["mean_A"], expected["mean_B"]])
    assert float(found.differences.mean()) == pytest.approx(expected["diff_B_minus_A"], abs=1e-12)
    assert int((found.differences > 0).sum()) == expected["tasks_better_in_B"]
    assert int((found.differences < 0).sum()) == expected["tasks_worse_in_B"]


@needs_shared_data
def test_equal_ids_of_two_benchmarks_are_not_taken_for_equal_tasks(real_index: Path) -> None:
    root = shared_data()
    assert root is not None
    one, other = (
        root / "taubench/airline__gpt-4o__tool-calling__4t.jsonl.gz",
        root / "tau2/airline__qwen2.5-7b__llm_agent__1t.jsonl.gz",
    )
    with open_run(one, index_dir=real_index) as a, open_run(other, index_dir=real_index) as b:
        found = pair(a, b)
    assert counts(found) == (0, 0, 0, 50)
    assert codes(found) == ["ids_mean_other_tasks"]
