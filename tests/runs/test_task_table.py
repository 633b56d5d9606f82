"""The table of tasks: counts, and the definition that two runs are compared on."""

import json
from typing import Any

import pytest

from .support import codes, opened, planned, row


def asked(*turns: tuple[str, str]) -> dict[str, Any]:
    return {"responses_create_params": {"input": [{"role": role, "content": content} for role, content in turns]}}


def parts(rows: list[dict[str, Any]], task: str = "0", **files: Any) -> set[str]:
    with opened({"r.jsonl": rows} | files) as run:
        [(found,)] = run.query("SELECT definition_parts FROM tasks WHERE task = $1", [task]).rows
        return set(json.loads(found))


def talks(words: str) -> dict[str, Any]:
    return {"response": {"output": [{"role": "assistant", "content": "?"}, {"role": "user", "content": words}]}}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(0, 0, **asked(("user", "q")))], {"user"}),
        ([row(0, 0, **asked(("user", "q"))), row(0, 1, **asked(("user", "q")))], {"user"}),
        (
            [row(0, 0, expected_answer=4, **asked(("user", "q"))), row(0, 1, expected_answer=4, **asked(("user", "p")))],
            {"expected_answer"},
        ),
        ([row(0, 0, expected_answer=4, **asked(("user", "q")), **talks("x"))], {"expected_answer"}),
        ([row(0, 0, **asked(("user", "q")), **talks("x"))], {"user"}),
        ([row(0, 0, expected_answer=4), row(0, 1, expected_answer=5)], set()),
        ([row(0, 0, **asked(("system", "s"), ("user", "q"))), row(0, 1, **asked(("system", "s"), ("user", "p")))], {"system"}),
    ],
)
def test_a_part_defines_a_task_where_its_rows_agree_and_a_users_words_only_where_nobody_plays_the_user(
    rows: list[dict[str, Any]], expected: set[str]
) -> None:
    assert parts(rows) == expected


def test_what_the_inputs_fix_defines_the_task_too() -> None:
    inputs = {"r_materialized_inputs.jsonl": [planned(0, 0, level="hard"), planned(1, 0, level="easy")]}
    assert parts([row(0, 0)], **inputs) == {"level", "user"}
    assert parts([row(0, 0)], task="1", **inputs) == {"level", "user"}


def test_equal_definitions_have_equal_hashes_in_two_runs_and_others_have_not() -> None:
    def hashes(rows: list[dict[str, Any]]) -> dict[str, str]:
        with opened(rows) as run:
            return dict(run.query("SELECT task, definition FROM tasks").rows)

    one = hashes([row(0, 0, 1, expected_answer={"a": 1, "b": 2}), row(1, 0, 1, expected_answer="x")])
    other = hashes([row(1, 5, 0, expected_answer="y"), row(0, 3, 0, expected_answer={"b": 2, "a": 1}, note="n")])
    assert one["0"] == other["0"]
    assert one["1"] != other["1"]


def test_counts_per_task_in_the_order_of_the_rows() -> None:
    files = {
        "r.jsonl": [row(2, 0, 1), row(0, 0, 0.5), row(0, 1, None), row(0, 2, 1), row(0, 2, 0)],
        "r_materialized_inputs.jsonl": [planned(task, repeat) for task in (0, 1, 2) for repeat in range(4)],
    }
    with opened(files) as run:
        found = run.query("SELECT task, expected, scored, errored, missing, attempts, mean_reward FROM tasks").rows
        assert found == [("2", 4, 1, 0, 3, 1, 1.0), ("0", 4, 2, 1, 1, 4, 0.75), ("1", 4, 0, 0, 4, 0, None)]


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (asked(("user", "q")), None),
        (asked(("user", "another question")), "same_id_different_prompts"),
        (asked(("system", "s2"), ("user", "q")), None),  # the first row has no system prompt to disagree with
        ({**asked(("user", "q")), "expected_answer": "other"}, "definition_varies"),  # the first row expects "gold"
    ],
)
def test_rows_of_one_task_that_disagree_are_reported(second: dict[str, Any], code: str | None) -> None:
    with opened([row(0, 0, expected_answer="gold", **asked(("user", "q"))), row(0, 1, **second)]) as run:
        assert set(codes(run)) == ({code} if code else set())


def test_a_simulated_user_may_open_the_task_with_other_words() -> None:
    rows = [row(0, repeat, expected_answer=4, **asked(("user", f"hello {repeat}")), **talks("yes")) for repeat in range(2)]
    with opened(rows) as run:
        assert codes(run) == []
