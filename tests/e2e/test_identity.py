"""Which rollout a row is: ids of every kind, keys claimed twice, shards that restart their indices, agents that share a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, codes, counts, inspect, message, refused, row, sql, write


def rollouts(run: Path, *options: object) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind in sql(run, "SELECT rollout, class FROM rollouts ORDER BY path, line", *options)]


def test_an_equal_row_under_an_equal_key_is_a_duplicate(tmp_path: Path) -> None:
    again = json.dumps(row(0), indent=None, separators=(",", ":")).encode()
    shuffled = json.dumps(dict(reversed(list(row(0).items())))).encode()
    run = write(tmp_path / "r.jsonl", [row(0), row(1), row(0), again, shuffled])
    assert counts(inspect(run)) == {"lines": 5, "rows": 5, "scored": 2, "duplicate": 3, "expected": 2, "passed": 2, "attempts": 2}


def test_another_row_under_an_equal_key_is_conflicting_and_the_first_counts(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, reward=0), row(0, reward=1), row(0, reward=0, note="other"), row(1)])
    found = inspect(run)
    assert counts(found) == {
        "lines": 4,
        "rows": 4,
        "scored": 2,
        "conflicting": 2,
        "expected": 2,
        "passed": 1,
        "failed": 1,
        "attempts": 4,
    }
    assert rollouts(run) == [("0:0", "scored"), ("0:0", "conflicting"), ("0:0", "conflicting"), ("1:0", "scored")]
    assert not found["identity"]["renumbered"]


def test_a_scored_row_after_an_errored_one_is_the_same_rollout(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, reward=None), row(0, reward=1), row(1, reward=0), row(1, reward=None)])
    assert counts(inspect(run)) == {
        "lines": 4, "rows": 4, "scored": 2, "errored_rows": 2, "expected": 2, "passed": 1, "failed": 1, "attempts": 4,
    }  # fmt: skip


def shards(folder: Path, second: dict[str, Any]) -> Path:
    """Two shards of two tasks with two repeats each, both of which count from zero."""
    for name, fields in (("a", {}), ("b", second)):
        rows = [
            row(task, repeat, task, note=name, **{"expected_answer": f"gold {task}"} | fields)
            for task in (0, 1)
            for repeat in (0, 1)
        ]
        write(folder / f"{name}.jsonl", rows)
    return folder


def test_a_shard_that_restarts_its_indices_holds_further_repeats(tmp_path: Path) -> None:
    run = shards(tmp_path, {})
    found = inspect(run)
    assert counts(found) == {"lines": 8, "rows": 8, "scored": 8, "expected": 8, "passed": 4, "failed": 4, "attempts": 8}
    assert found["identity"]["renumbered"] is True
    assert found["task_count"] == 2
    assert found["repeats"] == {"min": 4, "max": 4, "mode": 4}
    assert "renumbered" in codes(found)
    expected = [f"{task}:{repeat}" for base in (0, 2) for task in (0, 1) for repeat in (base, base + 1)]
    assert [name for name, _ in rollouts(run)] == expected
    assert '"b"' in blade("show", run, "1:3", "--json").out


def test_ids_that_mean_different_tasks_in_different_shards_are_kept_apart(tmp_path: Path) -> None:
    run = shards(tmp_path, {"expected_answer": "another gold"})
    found = inspect(run)
    assert counts(found) == {"lines": 8, "rows": 8, "scored": 8, "expected": 8, "passed": 4, "failed": 4, "attempts": 8}
    assert found["task_count"] == 4
    [problem] = [problem for problem in found["problems"] if problem["code"] == "id_collision"]
    assert "expected_answer" in problem["message"]
    tasks = {task for (task,) in sql(run, "SELECT task FROM tasks")}
    assert {"0", "1"} < tasks
    assert len(tasks) == 4
    for task in tasks:
        assert blade("show", run, f"{task}:1").code == 0


def test_prompts_alone_tell_colliding_ids_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        prompt = {"input": [{"role": "user", "content": f"question of {name}"}]}
        write(tmp_path / f"{name}.jsonl", [row(0, 0, responses_create_params=prompt), row(1, 0, responses_create_params=prompt)])
    assert inspect(tmp_path)["task_count"] == 4


def test_equal_shards_are_duplicates(tmp_path: Path) -> None:
    rows = [row(task, repeat) for task in range(3) for repeat in range(2)]
    write(tmp_path / "a.jsonl", rows)
    write(tmp_path / "copy of a.jsonl", rows)
    assert counts(inspect(tmp_path)) == {
        "lines": 12,
        "rows": 12,
        "scored": 6,
        "duplicate": 6,
        "expected": 6,
        "passed": 6,
        "attempts": 6,
    }


def test_shards_with_tasks_of_their_own_stay_as_they_are(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [row(0), row(1)])
    write(tmp_path / "b.jsonl", [row(2), row(3)])
    found = inspect(tmp_path)
    assert found["task_count"] == 4
    assert not found["identity"]["renumbered"]
    assert codes(found) == []


def test_sparse_repeats_keep_their_numbers(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, 7), row(0, 3), row(1, 1000), row(1, 0)])
    assert [name for name, _ in rollouts(run)] == ["0:7", "0:3", "1:1000", "1:0"]
    assert inspect(run)["repeats"] == {"min": 2, "max": 2, "mode": 2}


@pytest.mark.parametrize("repeat", ["x", None, -1, 1.5, [0], 10**30, True, ""])
def test_a_repeat_that_is_no_number_is_numbered(tmp_path: Path, repeat: object) -> None:
    run = write(tmp_path / "r.jsonl", [*(row(task, number) for task in range(5) for number in range(4)), row(0, repeat, 0)])
    found = inspect(run)
    assert found["denominator"]["scored"] == 21
    assert len({name for name, _ in rollouts(run)}) == 21


def test_numbers_and_strings_are_one_id(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(1, 0), row("1", 1), row(1.0, 2), row("two", 0), row(2, 0)])
    assert sorted(sql(run, "SELECT task, scored FROM tasks")) == [["1", 3], ["2", 1], ["two", 1]]


@pytest.mark.parametrize("ids", [[1, "a", 2.5, True, "x y"], ["1.0", 1, "01", "1e0", " 1"]])
def test_mixed_ids_lose_no_row(tmp_path: Path, ids: list[object]) -> None:
    run = write(tmp_path / "r.jsonl", [row(..., 0, 1, task_id=name, note=str(number)) for number, name in enumerate(ids)])
    found = inspect(run)
    assert found["identity"]["task_field"] == "task_id"
    assert found["denominator"]["rows"] == len(ids)


NASTY = [
    "a:b:c", "a:0", "a:", ":", "it's", 'say "hi"', "two\nlines", "tab\there", "'; DROP TABLE rollouts; --", "%s %d {0} $1 ?", "日本語", "\u00e9", "e\u0301",
    "👩‍👩‍👧", "\u202eevil", "[red]x[/red]", "<script>alert(1)</script>", "../../etc/passwd", "-1", "--json", "", " ", "NULL", "a" * 900, "\\", "\x1b[31m", "*",
]  # fmt: skip


def test_ids_of_any_characters_are_kept_and_found(tmp_path: Path) -> None:
    run = write(
        tmp_path / "r.jsonl",
        [row(name, repeat, repeat, note=f"note {number}") for number, name in enumerate(NASTY) for repeat in (0, 1)],
    )
    found = inspect(run)
    assert found["denominator"]["scored"] == 2 * len(NASTY)
    assert found["task_count"] == len(NASTY)
    assert {task for (task,) in sql(run, "SELECT task FROM tasks")} == set(NASTY)
    for number, name in enumerate(NASTY):
        shown = blade("show", run, "--json", "--", f"{name}:1")
        assert shown.code == 0, name
        assert (shown.json["task"], shown.json["reward"], shown.json["verifier"]["note"]) == (name, 1.0, f"note {number}")
    assert blade("inspect", run).code == blade("sql", run, "SELECT * FROM tasks").code == 0


def test_a_task_named_like_a_rollout_of_another_is_found_first(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row("a", 0, note="rollout 0 of a"), row("a:0", 0, note="task a:0")])
    assert blade("show", run, "a:0", "--json").json["task"] == "a:0"
    assert blade("show", run, "a", "--json").json["task"] == "a"


def test_long_ids_that_differ_only_at_their_end_are_different_tasks(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(..., 0, number % 2, task_id="x" * 3_000 + str(number)) for number in range(4)])
    found = inspect(run)
    assert found["denominator"]["scored"] == found["task_count"] == 4


def test_without_ids_equal_prompts_are_one_task(tmp_path: Path) -> None:
    run = write(
        tmp_path / "r.jsonl",
        [row(task, number, task % 2, _ng_task_index=..., _ng_rollout_index=...) for task in range(3) for number in range(4)],
    )
    found = inspect(run)
    assert found["identity"]["inferred"] is True
    assert found["identity"]["task_field"] is None
    assert found["task_count"] == 3
    assert found["repeats"] == {"min": 4, "max": 4, "mode": 4}


def test_rows_with_neither_id_nor_prompt_are_each_a_task(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [{"reward": number % 2, "answer": number} for number in range(6)])
    found = inspect(run)
    assert counts(found) == {"lines": 6, "rows": 6, "scored": 6, "expected": 6, "passed": 3, "failed": 3, "attempts": 6}
    assert found["task_count"] == 6
    assert found["identity"]["inferred"] is True


def test_a_few_rows_without_the_id_are_kept(tmp_path: Path) -> None:
    rows = [row(task) for task in range(20)]
    del rows[7]["_ng_task_index"]
    found = inspect(write(tmp_path / "r.jsonl", rows))
    assert found["identity"]["task_field"] == "_ng_task_index"
    assert found["denominator"]["scored"] == found["task_count"] == 20


def test_an_id_on_half_of_the_rows_does_not_name_the_tasks(tmp_path: Path) -> None:
    rows = [row(..., ..., task_id="t", responses_create_params={"input": f"q {number}"}) for number in range(10)]
    for half in rows[::2]:
        del half["task_id"]
    found = inspect(write(tmp_path / "r.jsonl", rows))
    assert found["identity"] == found["identity"] | {"task_field": None, "inferred": True}
    assert found["task_count"] == 10


def test_the_task_field_can_be_chosen(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, 0, note=f"n{number % 2}", meta={"key": number % 3}) for number in range(6)])
    assert inspect(run)["task_count"] == 6
    assert inspect(run, "--task-field", "note")["task_count"] == 2
    assert inspect(run, "--task-field", "meta.key")["task_count"] == 3
    assert inspect(run, "--task-field", "prompt")["identity"]["inferred"] is True
    assert "'nope'" in refused(run, "--task-field", "nope")
    for name in ("", '"', "'; --", "reward", "own:note"):
        assert "field" in refused(run, "--task-field", name)


def test_two_agents_in_one_file_are_kept_apart(tmp_path: Path) -> None:
    rows = [row(task, 0, agent == "one", agent_ref={"name": agent}) for agent in ("one", "two") for task in range(3)]
    run = write(tmp_path / "r.jsonl", rows)
    found = inspect(run)
    assert counts(found) == {"lines": 6, "rows": 6, "scored": 6, "expected": 6, "passed": 3, "failed": 3, "attempts": 6}
    assert found["task_count"] == 6
    assert "several_agents" in codes(found)
    assert found["provenance"]["agent"] == ["one", "two"]
    assert blade("show", run, "1@two:0").code == 0


def test_agents_with_tasks_of_their_own_share_a_file_in_peace(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, agent_ref={"name": "one"}), row(1, agent_ref={"name": "two"})])
    assert codes(inspect(run)) == []


def test_a_simulated_user_does_not_redefine_the_task(tmp_path: Path) -> None:
    """Repeats of one task that open with other words, in two files: further repeats, not a collision."""
    for name in ("a", "b"):
        output = [message("hello"), {"type": "message", "role": "user", "content": f"I want {name}"}, message("done")]
        prompt = {"input": [{"role": "system", "content": "policy"}, {"role": "user", "content": f"hi, {name} here"}]}
        write(
            tmp_path / f"{name}.jsonl",
            [row(0, 0, responses_create_params=prompt, response={"output": output}, expected_answer="x")],
        )
    found = inspect(tmp_path)
    assert found["task_count"] == 1
    assert "id_collision" not in codes(found)


@pytest.mark.parametrize("keys", [b'"reward": 0, "reward": 1', b'"reward": 1, "reward": 1'])
def test_a_key_given_twice_in_one_row_counts_once(tmp_path: Path, keys: bytes) -> None:
    run = write(tmp_path / "r.jsonl", [b'{"_ng_task_index": 0, ' + keys + b', "response": {"output": []}}'])
    assert counts(inspect(run)) == {"lines": 1, "rows": 1, "scored": 1, "expected": 1, "passed": 1, "attempts": 1}
