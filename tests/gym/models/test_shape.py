"""A request as a rollout's row holds it."""

from typing import Any

import pytest

from blade.gym.models.shape import REQUEST_KEYS, asked

RESULT = {"type": "function_call_output", "call_id": "c", "output": "o"}


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ("How many?", "How many?"),
        ([{"role": "user", "content": "a"}], [{"type": "message", "role": "user", "content": "a"}]),
        ([{"type": "message", "role": "user", "content": "a"}], [{"type": "message", "role": "user", "content": "a"}]),
        ([RESULT, "odd"], [RESULT, "odd"]),
        (None, None),
    ],
)
def test_messages_say_that_they_are_messages(given: Any, held: Any) -> None:
    assert asked({"input": given})["input"] == held


def test_every_key_is_there_and_what_was_set_stays() -> None:
    set_ = {"input": "a", "temperature": 0.0, "tools": [{"name": "t"}], "tool_choice": None, "prompt_cache_key": "k"}
    found = asked(set_)
    assert set(found) == {*REQUEST_KEYS, "prompt_cache_key"}
    assert len(REQUEST_KEYS) == 23
    assert found | set_ == found
    assert (asked({"input": "a"})["tools"], asked({"input": "a"})["tool_choice"]) == ([], "auto")
    assert asked({"input": "a"})["parallel_tool_calls"] is True


def test_nobody_shares_a_list_of_tools() -> None:
    asked({"input": "a"})["tools"].append("t")
    assert asked({"input": "a"})["tools"] == []
