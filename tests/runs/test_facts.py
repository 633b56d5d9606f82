"""The facts about one row: a table of what stands in it and what is made of it."""

from typing import Any

import pytest

from .support import codes, column, facts, opened, row


def response(**fields: Any) -> dict[str, Any]:
    return {"response": {"output": []} | fields}


@pytest.mark.parametrize(
    ("fields", "reward", "kind"),
    [
        ({"reward": 1}, 1.0, "number"),
        ({"reward": -0.5}, -0.5, "number"),
        ({"reward": True}, 1.0, "bool"),
        ({"reward": False}, 0.0, "bool"),
        ({"reward": None}, None, "null"),
        ({}, None, "missing"),
        ({"reward": "1"}, None, "text"),
        ({"reward": [1]}, None, "nested"),
        ({"reward": {"value": 1}}, None, "nested"),
        ({"reward": 10**25}, 1e25, "number"),
        ({"reward": 10**400}, None, "non_finite"),
        ({"reward": float("nan")}, None, "non_finite"),
        ({"reward": float("-inf")}, None, "non_finite"),
    ],
)
def test_a_reward_is_a_finite_number_or_it_is_said_what_it_is(fields: dict[str, Any], reward: float | None, kind: str) -> None:
    [found] = facts(fields)
    assert (found["reward"], found["reward_kind"]) == (reward, kind)


FACTS = [
    (response(id="r1", model="m", created_at=5, status="completed"), {"response_id": "r1", "model": "m", "created_at": 5.0, "status": "completed"}),
    (response(model="unknown") | {"responses_create_params": {"input": "x", "model": "p"}}, {"model": "p"}),
    (response(model=""), {"model": None}),
    (response(error={"code": "rate_limit", "message": "slow down"}), {"error": "rate_limit: slow down"}),
    (response(error="boom"), {"error": "boom"}),
    (response(incomplete_details={"reason": "max_output_tokens"}), {"incomplete": "max_output_tokens"}),
    (response(incomplete_details={}), {"incomplete": "incomplete"}),
    (
        response(usage={"input_tokens": 7, "output_tokens": 3, "total_tokens": 10, "output_tokens_details": {"reasoning_tokens": 2}}),
        {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10, "reasoning_tokens": 2, "cached_tokens": None},
    ),
    (response(usage={"input_tokens": "many"}), {"input_tokens": None}),
    (response(usage=[1]), {"input_tokens": None}),
    ({"responses_create_params": {"input": "x", "temperature": 0.7, "top_p": 1, "max_output_tokens": 99}},
     {"temperature": 0.7, "top_p": 1.0, "max_output_tokens": 99}),
    ({"responses_create_params": {"input": "x", "temperature": "hot"}}, {"temperature": None}),
    ({"agent_ref": {"name": "walker"}}, {"agent": "walker"}),
    ({"agent_ref": "walker"}, {"agent": "walker"}),
    ({"agent_ref": {"other": 1}}, {"agent": None}),
    ({"skills_ref": {"hash": "abc"}}, {"skills": "abc"}),
    ({"skills_ref": ["abc"]}, {"skills": None}),
    ({"ng_model_call_capture": {"metrics": {"latency_total_ms": 12.5}}}, {"latency_ms": 12.5}),
    ({"ng_model_call_capture": {"metrics": 3}}, {"latency_ms": None}),
    ({"_ng_attempt_index": 2}, {"attempt": 2}),
    ({"_ng_rollout_index": 4, "trial": 9}, {"repeat_field": "_ng_rollout_index", "repeat_value": "4"}),
    ({"trial": 3.0}, {"repeat_field": "trial", "repeat_value": "3"}),
    ({"epoch": "2"}, {"repeat_field": "epoch", "repeat_value": "2"}),
    ({"repeat": None, "trial": 1}, {"repeat_field": "trial", "repeat_value": "1"}),
    ({"reward": 1}, {"repeat_field": None, "repeat_value": None, "unscored": None}),
    ({"_ng_failure_class": "timeout", "reward": 0}, {"unscored": "failure class timeout"}),
    ({"reward_missing": True, "reward": 0}, {"unscored": "reward_missing"}),
    ({"verification_skipped": True}, {"unscored": "verification_skipped"}),
    ({"verification_skipped": False, "reward_missing": "no"}, {"unscored": None}),
    (response(output=[{"type": "reasoning"}, {"type": "function_call"}, {"type": "function_call_output"}, {"role": "user", "content": "x"},
                      {"type": "message", "role": "assistant"}]),
     {"steps": 5, "messages": 2, "reasoning_steps": 1, "tool_calls": 1, "tool_outputs": 1, "user_turns": 1, "last_step": "message"}),
    (response(output=[[{"type": "function_call"}, {"type": "function_call_output"}]]), {"tool_calls": 1, "tool_outputs": 1, "last_step": "tool_output"}),
    ({"response": "text"}, {"messages": 1, "last_step": "message"}),
    ({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}, {"messages": 1, "user_turns": 0}),
    ({"response": None}, {"steps": 0, "last_step": None}),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "expected"), FACTS, ids=[str(number) for number in range(len(FACTS))])
def test_facts_of_a_row(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    [found] = facts(fields)
    assert {name: found[name] for name in expected} == expected


def test_facts_do_not_depend_on_the_rows_before() -> None:
    rows = [fields for fields, _ in FACTS]
    together = facts(*rows)
    alone = [facts(fields)[0] for fields in rows]
    fixed = [name for name in alone[0] if not name.startswith("own:") and name not in ("line", "offset")]
    assert [[found[name] for name in fixed] for found in together] == [[found[name] for name in fixed] for found in alone]


def test_a_failed_rollout_is_marked_by_its_class_before_anything_else() -> None:
    [found] = facts({"_ng_failure_class": "oom", "reward_missing": True, "verification_skipped": True})
    assert found["unscored"] == "failure class oom"


OWN = [
    ([True, False], "BOOLEAN", [True, False]),
    ([1, 2], "BIGINT", [1, 2]),
    ([1, 2.5], "DOUBLE", [1.0, 2.5]),
    ([2**53 + 1, 0.5], "DOUBLE", [float(2**53 + 1), 0.5]),
    ([10**30, 1], "DOUBLE", [1e30, 1.0]),
    (["a", 1], "VARCHAR", ["a", "1"]),
    ([True, 1], "VARCHAR", ["true", "1"]),
    ([[1, 2], "x"], "VARCHAR", ["[1,2]", "x"]),
    ([None, 3], "BIGINT", [None, 3]),
    ([1, 2.5, "x"], "VARCHAR", ["1", "2.5", "x"]),
]


@pytest.mark.parametrize(("values", "kind", "expected"), OWN)
def test_a_field_of_the_run_becomes_a_column_of_the_type_that_fits_all_its_values(
    values: list[Any], kind: str, expected: list[Any]
) -> None:
    with opened([row(task) | {"mine": value} for task, value in enumerate(values)]) as run:
        described = {name: kind for name, kind, *_ in run.query("DESCRIBE rollouts").rows}
        assert described["mine"] == kind
        found = column(run, "SELECT mine FROM rollouts ORDER BY line")
        assert [value.replace(", ", ",") if isinstance(value, str) else value for value in found] == expected


def test_an_object_gives_a_column_for_each_plain_child() -> None:
    with opened([row(0, breakdown={"format": 1, "answer": 0.5, "deep": {"x": 1}, "why": "no"})]) as run:
        found = run.query('SELECT "breakdown.format", "breakdown.answer", "breakdown.why" FROM rollouts').rows
        assert found == [(1, 0.5, "no")]
        assert "breakdown.deep" not in run.query("SELECT * FROM rollouts").columns


@pytest.mark.parametrize(
    "name", ["", " ", "task", "Task", "rollout", "class", "LINE", "path", "a'b", 'a"b', "a;b", "row.task", "select", "é", "a.b"]
)
def test_a_field_keeps_its_value_whatever_it_is_called(name: str) -> None:
    """Names that are empty, or taken by our own columns, or made to break a query."""
    with opened([row("t", 0, 1.0) | {name: 41}, row("u", 0, 0.0) | {name: 42}]) as run:
        columns = {item["field"]: item["column"] for item in run.meta["own_fields"]}
        quoted = columns[name].replace('"', '""')
        assert column(run, f'SELECT "{quoted}" FROM rollouts ORDER BY line') == [41, 42]
        assert column(run, "SELECT task FROM rollouts ORDER BY line") == ["t", "u"]


def test_names_that_differ_in_case_alone_stay_apart() -> None:
    with opened([row(0, Score=1, score=2, SCORE=3)]) as run:
        columns = {item["field"]: item["column"] for item in run.meta["own_fields"]}
        assert run.query(f'SELECT "{columns["Score"]}", "{columns["score"]}", "{columns["SCORE"]}" FROM rollouts').rows == [
            (1, 2, 3)
        ]


def test_more_fields_than_columns_are_said() -> None:
    with opened([row(0) | {f"f{number}": number for number in range(400)}]) as run:
        assert len(run.meta["own_fields"]) == 300
        assert "fields_without_column" in codes(run)


def test_long_text_is_cut_and_secrets_are_redacted_before_they_are_written() -> None:
    secret = "sk-proj-" + "A1b2C3d4E5f6G7h8I9j0" * 2
    with opened([row(0, note="x" * 5000, leaked=f"key {secret}", nested={"key": secret})]) as run:
        [(note, leaked)] = run.query("SELECT note, leaked FROM rollouts").rows
        assert len(note) <= 1000
        assert secret not in leaked
        assert all(secret.encode() not in path.read_bytes() for path in run.table_paths().values())
        assert secret not in str(run.query("SELECT * FROM rollouts").rows)


def test_usage_that_is_ours_alone_becomes_a_column() -> None:
    with opened([row(0, response={"output": [], "usage": {"input_tokens": 3, "judge_tokens": 5}})]) as run:
        assert run.query('SELECT input_tokens, "usage.judge_tokens" FROM rollouts').rows == [(3, 5)]
