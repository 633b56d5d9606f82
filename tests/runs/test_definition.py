"""Definitions through the scan: what of a row defines its task, and what does not."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs.definition import digest

from .support import facts

SYSTEM = {"role": "system", "content": "You are careful."}
USER = {"role": "user", "content": "What is 1 + 1?"}


def params(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"responses_create_params": {"input": list(items)} | more}


def definition(row: dict[str, Any] | str, role: str = "rollouts") -> dict[str, str]:
    return json.loads(facts(row, role=role)[0]["definition"])


def prompt_hash(row: dict[str, Any]) -> str | None:
    return facts(row)[0]["prompt_hash"]


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ({"reward": 1}, set()),
        ({"expected_answer": "4"}, {"expected_answer"}),
        ({"ground_truth": [{"name": "f"}], "task": {"a": 1}}, {"ground_truth", "task"}),
        ({"task": {"instruction": "You are Ada.", "actions": []}}, {"task", "task.scenario"}),
        ({"task": {"user_scenario": {"persona": None}}}, {"task", "task.scenario"}),
        ({"task": {"instruction": ""}}, {"task"}),
        ({"ground_truth": None}, set()),
        (params(USER), {"user"}),
        (params(SYSTEM, USER), {"system", "user"}),
        (params({"role": "developer", "content": "x"}), {"system"}),
        (params(USER, instructions="be brief"), {"system", "user"}),
        (params(USER, tools=[{"name": "f"}]), {"tools", "user"}),
        (params(USER, tools=[]), {"user"}),
        (params({"role": "user", "content": ""}), set()),
        ({"responses_create_params": {"input": "hello"}}, {"user"}),
        ({"question": "why?"}, {"question", "user"}),
        ({"messages": [SYSTEM, USER, {"role": "assistant", "content": "2"}]}, {"system", "user"}),
        (
            {
                "reward": 0.3,
                "response": {"output": [], "id": "r"},
                "extracted_answer": "4",
                "task_id": 3,
                "agent_ref": {"name": "a"},
            },
            set(),
        ),
        (params(USER, temperature=0.7, model="m"), {"user"}),
    ],
)
def test_the_parts_of_a_definition(row: dict[str, Any], parts: set[str]) -> None:
    assert set(definition(row)) == parts


def test_in_the_inputs_every_field_of_the_dataset_defines_the_task() -> None:
    row = {
        "_ng_task_index": 0,
        "_ng_rollout_index": 1,
        "id": 9,
        "agent_ref": {"name": "a"},
        "level": "hard",
        "city": "Rome",
    } | params(USER)
    assert set(definition(row, "materialized_inputs")) == {"level", "city", "user"}


values = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


def shuffled(value: Any) -> Any:
    """The same value with the keys of every object in reverse order."""
    if isinstance(value, dict):
        return {name: shuffled(value[name]) for name in reversed(value)}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


@settings(max_examples=25)
@given(
    gold=values,
    tools=st.lists(st.dictionaries(st.text(max_size=3), values, min_size=1, max_size=3), min_size=1, max_size=2),
    text=st.text(max_size=12),
)
def test_key_order_whitespace_and_escapes_make_no_other_definition(gold: Any, tools: list[Any], text: str) -> None:
    row = {"ground_truth": gold} | params(SYSTEM, {"role": "user", "content": text}, tools=tools)
    written = [
        json.dumps(row),
        json.dumps(shuffled(row), indent=None, separators=(" ,  ", " :\t"), ensure_ascii=False),
        json.dumps(row, separators=(",", ":")).replace("/", "\\/"),
    ]
    found = [
        (made["definition"], made["prompt_hash"]) for line in written for made in facts(line.encode("utf-8", "surrogatepass"))
    ]
    assert len(set(found)) == 1
    assert len({(made["definition"], made["prompt_hash"]) for made in facts(*written)}) == 1


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"ground_truth": "5"}, "ground_truth"),
        (params(SYSTEM, USER, tools=[{"name": "g"}]), "tools"),
        (params(SYSTEM | {"content": "Be quick."}, USER, tools=[{"name": "f"}]), "system"),
        (params(SYSTEM, USER | {"content": "What is 1 + 2?"}, tools=[{"name": "f"}]), "user"),
        (params(SYSTEM, USER, USER, tools=[{"name": "f"}]), "user"),
        (params(SYSTEM, {"role": "assistant", "content": USER["content"]}, tools=[{"name": "f"}]), "user"),
    ],
)
def test_a_change_shows_in_the_part_it_belongs_to_and_in_no_other(change: dict[str, Any], part: str) -> None:
    base = {"ground_truth": "4"} | params(SYSTEM, USER, tools=[{"name": "f"}])
    before, after = definition(base), definition(base | change)
    assert {name for name in before if before[name] != after[name]} == {part}


def test_text_parts_and_plain_text_are_the_same_words() -> None:
    wrapped = {"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]}
    assert definition(params(wrapped)) == definition(params({"role": "user", "content": "a\nb"}))
    assert definition({"responses_create_params": {"input": "a\nb"}}) == definition(params({"role": "user", "content": "a\nb"}))


def test_the_prompt_hash_is_about_the_prompt_alone() -> None:
    base = prompt_hash(params(SYSTEM, USER))
    assert base is not None
    assert prompt_hash(params(SYSTEM, USER, tools=[{"name": "f"}]) | {"ground_truth": 1}) == base
    assert prompt_hash(params(USER)) != base
    assert prompt_hash(params(SYSTEM)) not in (base, None)
    assert prompt_hash({"ground_truth": 1}) is None


@given(parts=st.lists(st.binary(max_size=4), max_size=4), others=st.lists(st.binary(max_size=4), max_size=4))
def test_a_digest_tells_lists_of_parts_apart(parts: list[bytes], others: list[bytes]) -> None:
    assert (digest(*parts) == digest(*others)) == (parts == others)
