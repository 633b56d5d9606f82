"""A Responses request, said as a chat request: tables of what goes in and what must come out."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.models.chat_request import ReasoningStyle, chat_request, extra_body, messages
from blade.gym.models.errors import ModelError

USER = {"role": "user", "content": "go"}
THOUGHT = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}]}
SAID = {
    "type": "message",
    "role": "assistant",
    "id": "m",
    "status": "completed",
    "content": [{"type": "output_text", "text": "ok"}],
}
CALL = {"type": "function_call", "id": "f", "call_id": "c1", "name": "look", "arguments": '{"a": 1}', "status": "completed"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "seen"}
CHAT_CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
TOOL = {"type": "function", "name": "look", "description": "d", "parameters": {"type": "object"}, "strict": None}
CHAT_TOOL = {"type": "function", "function": {"name": "look", "description": "d", "parameters": {"type": "object"}}}


@pytest.mark.parametrize(
    ("given_input", "expected"),
    [
        ("go", [USER]),
        ([USER], [USER]),
        ([{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}], [USER]),
        ([{"role": "developer", "content": "be"}, USER], [{"role": "system", "content": "be"}, USER]),
        ([USER, SAID], [USER, {"role": "assistant", "content": "ok"}]),
        ([USER, CALL], [USER, {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]}]),
        ([USER, SAID, CALL], [USER, {"role": "assistant", "content": "ok", "tool_calls": [CHAT_CALL]}]),
        (
            [USER, CALL, OUTPUT, SAID],
            [
                USER,
                {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]},
                {"role": "tool", "tool_call_id": "c1", "content": "seen"},
                {"role": "assistant", "content": "ok"},
            ],
        ),
        (
            [USER, CALL, CALL | {"call_id": "c2"}],
            [USER, {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL, CHAT_CALL | {"id": "c2"}]}],
        ),
        ([USER, THOUGHT, SAID], [USER, {"role": "assistant", "content": "ok"}]),
        ([USER, THOUGHT], [USER]),
        (
            [USER, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}],
            [USER, {"role": "assistant", "content": None, "refusal": "no"}],
        ),
        ([USER, {"role": "assistant", "content": ""}, USER], [USER, {"role": "assistant", "content": ""}, USER]),
        (
            [
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
                }
            ],
            [{"role": "tool", "tool_call_id": "c", "content": "ab"}],
        ),
        (
            [{"type": "function_call_output", "call_id": "c", "output": {"a": "é"}}],
            [{"role": "tool", "tool_call_id": "c", "content": '{"a": "é"}'}],
        ),
        (
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": "see"},
                        {"type": "input_image", "image_url": "data:x", "detail": "low"},
                    ],
                }
            ],
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "see"},
                        {"type": "image_url", "image_url": {"url": "data:x", "detail": "low"}},
                    ],
                }
            ],
        ),
    ],
)
def test_items_become_messages(given_input: Any, expected: list[dict[str, Any]]) -> None:
    assert messages({"input": given_input}) == expected


def test_instructions_come_first() -> None:
    assert messages({"input": "go", "instructions": "be brief"}) == [{"role": "system", "content": "be brief"}, USER]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("drop", {"role": "assistant", "content": "ok"}),
        ("field", {"role": "assistant", "content": "ok", "reasoning_content": "hm"}),
        ("think", {"role": "assistant", "content": "<think>\nhm\n</think>\n\nok"}),
    ],
)
def test_earlier_reasoning_goes_back_as_the_endpoint_wants_it(style: ReasoningStyle, expected: dict[str, Any]) -> None:
    assert messages({"input": [USER, THOUGHT, SAID]}, reasoning=style)[1] == expected


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, {}),
        (
            {"temperature": 0.5, "top_p": 0.9, "user": "u", "truncation": "auto", "store": True},
            {"temperature": 0.5, "top_p": 0.9, "user": "u"},
        ),
        ({"temperature": 0}, {"temperature": 0}),
        ({"max_output_tokens": 7}, {"max_tokens": 7}),
        ({"top_logprobs": 3}, {"logprobs": True, "top_logprobs": 3}),
        ({"reasoning": {"effort": "low"}}, {"reasoning_effort": "low"}),
        ({"tools": [], "tool_choice": "auto", "parallel_tool_calls": True}, {}),
        (
            {"tools": [TOOL], "tool_choice": "required", "parallel_tool_calls": False},
            {"tools": [CHAT_TOOL], "tool_choice": "required", "parallel_tool_calls": False},
        ),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "name": "look"}},
            {"tools": [CHAT_TOOL], "tool_choice": {"type": "function", "function": {"name": "look"}}},
        ),
        ({"text": {"format": {"type": "text"}}}, {}),
        (
            {"text": {"format": {"type": "json_object"}, "verbosity": "low"}},
            {"response_format": {"type": "json_object"}, "verbosity": "low"},
        ),
        (
            {
                "text": {
                    "format": {
                        "type": "json_schema",
                        "name": "n",
                        "schema": {"type": "object"},
                        "strict": True,
                        "description": None,
                    }
                }
            },
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": True},
                }
            },
        ),
        ({"metadata": {"a": "b"}, "background": None, "previous_response_id": None}, {}),
    ],
)
def test_parameters(params: dict[str, Any], expected: dict[str, Any]) -> None:
    assert chat_request({"input": "go"} | params, model="m") == {"model": "m", "messages": [USER]} | expected


def test_the_name_of_the_limit_can_be_chosen() -> None:
    assert (
        chat_request({"input": "go", "max_output_tokens": 7}, model="m", max_tokens_key="max_completion_tokens")[
            "max_completion_tokens"
        ]
        == 7
    )


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"tools": [{"type": "web_search"}]}, "web_search"),
        ({"input": [{"type": "computer_call"}]}, "computer_call"),
        ({"input": ["text"]}, "not an object"),
        ({"input": [{"role": "user", "content": ["text"]}]}, "list of objects"),
        ({"input": [{"role": "user", "content": [{"type": "hologram"}]}]}, "hologram"),
        ({"text": {"format": {"type": "grammar"}}}, "grammar"),
        ({"tools": [TOOL], "tool_choice": {"type": "allowed_tools"}}, "allowed_tools"),
    ],
)
def test_what_a_chat_cannot_say_is_refused(params: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        chat_request({"input": "go"} | params, model="m")
    assert caught.value.category == "client_error"


def test_extra_parameters_in_the_metadata() -> None:
    assert extra_body({"metadata": {"extra_body": '{"seed": 3}'}}) == {"seed": 3}
    assert extra_body({"metadata": None}) == extra_body({}) == {}
    for text in ("{", "[1]", 5):
        with pytest.raises(ModelError, match="extra_body"):
            extra_body({"metadata": {"extra_body": text}})


texts = st.text(max_size=20)
items = st.lists(
    st.one_of(
        st.builds(lambda text: {"role": "user", "content": text}, texts),
        st.builds(
            lambda text: {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}, texts
        ),
        st.builds(
            lambda name, n: {"type": "function_call", "call_id": f"c{n}", "name": name, "arguments": "{}"},
            texts,
            st.integers(0, 9),
        ),
        st.builds(lambda text, n: {"type": "function_call_output", "call_id": f"c{n}", "output": text}, texts, st.integers(0, 9)),
        st.just(THOUGHT),
    ),
    max_size=12,
)


@given(items)
def test_nothing_that_was_said_is_lost_and_turns_stay_in_order(said: list[dict[str, Any]]) -> None:
    before = json.dumps(said)
    found = messages({"input": said})
    assert json.dumps(said) == before
    calls = [call["function"]["name"] for message in found for call in message.get("tool_calls", [])]
    assert calls == [item["name"] for item in said if item.get("type") == "function_call"]
    others = [item for item in said if item.get("role") == "user" or item.get("type") == "function_call_output"]
    assert [message["content"] for message in found if message["role"] != "assistant"] == [
        item.get("content", item.get("output")) for item in others
    ]
    roles = [message["role"] for message in found]
    assert all(not (one == two == "assistant") for one, two in pairwise(roles))
