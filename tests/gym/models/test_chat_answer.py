"""A chat completion, said as a Response object."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.models.chat_answer import missing_in_chat, response_of_chat, split_thinking
from blade.gym.models.chat_request import messages
from blade.gym.models.shape import KEYS, whole
from blade.gym.models.usage import sum_usage, usage_of_chat

# The keys of the format's description, written out again so that a slip in the code shows.
DESCRIBED = [
    "id",
    "created_at",
    "error",
    "incomplete_details",
    "instructions",
    "metadata",
    "model",
    "object",
    "output",
    "parallel_tool_calls",
    "temperature",
    "tool_choice",
    "tools",
    "top_p",
    "background",
    "conversation",
    "max_output_tokens",
    "max_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "status",
    "text",
    "top_logprobs",
    "truncation",
    "usage",
    "user",
]


def completion(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "created": 5,
        "model": "served",
        "choices": [{"message": message, "finish_reason": finish}],
    } | more


def short(response: dict[str, Any]) -> list[tuple[str, ...]]:
    """Each item as its kind and what it says."""
    found: list[tuple[str, ...]] = []
    for item in response["output"]:
        if item["type"] == "message":
            found += [
                ("refusal", part["refusal"]) if part["type"] == "refusal" else ("text", part["text"]) for part in item["content"]
            ]
        elif item["type"] == "reasoning":
            found.append(("thought", item["summary"][0]["text"]))
        else:
            found.append(("call", item["name"], item["arguments"], item["call_id"]))
    return found


CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1'}}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "hi"}, [("text", "hi")]),
        ({"content": None}, [("text", "")]),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, [("text", "ab")]),
        ({"content": None, "tool_calls": [CALL]}, [("call", "look", '{"a": 1', "c1")]),
        ({"content": "", "tool_calls": [CALL]}, [("call", "look", '{"a": 1', "c1")]),
        ({"content": "so", "tool_calls": [CALL]}, [("text", "so"), ("call", "look", '{"a": 1', "c1")]),
        (
            {"content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {"a": 1}}}]},
            [("call", "f", '{"a": 1}', "c")],
        ),
        ({"content": None, "refusal": "no"}, [("refusal", "no")]),
        ({"content": "hi", "reasoning_content": "hm"}, [("thought", "hm"), ("text", "hi")]),
        ({"content": "hi", "reasoning": "hm"}, [("thought", "hm"), ("text", "hi")]),
        ({"content": "<think>hm</think>hi"}, [("thought", "hm"), ("text", "hi")]),
        ({"content": "hm</think>\n\nhi"}, [("thought", "hm"), ("text", "hi")]),
        ({"content": "<think></think>hi"}, [("text", "hi")]),
    ],
)
def test_a_message_becomes_items(message: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    response = response_of_chat(completion(message), {}, model="asked")
    assert short(response) == expected
    assert (response["status"], response["incomplete_details"]) == ("completed", None)


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("length", "max_output_tokens"), ("content_filter", "content_filter"), ("stop", None), ("tool_calls", None), (None, None)],
)
def test_a_cut_answer_says_why(finish: str | None, reason: str | None) -> None:
    response = response_of_chat(completion({"content": "half"}, finish), {}, model="asked")
    assert response["incomplete_details"] == (None if reason is None else {"reason": reason})
    assert response["status"] == ("completed" if reason is None else "incomplete")
    assert response["output"][0]["status"] == response["status"]


def test_thoughts_that_were_cut_off_are_thoughts() -> None:
    response = response_of_chat(completion({"content": "<think>and then"}, "length"), {}, model="asked")
    assert short(response) == [("thought", "and then")]


def test_thinking_is_left_alone_where_it_is_not_parsed() -> None:
    response = response_of_chat(completion({"content": "<think>hm</think>hi"}), {}, model="asked", parse_thinking=False)
    assert short(response) == [("text", "<think>hm</think>hi")]


def test_all_keys_are_there_and_the_request_is_echoed() -> None:
    params = {"temperature": 0.3, "tools": [{"type": "function", "name": "f"}], "metadata": {"a": "b"}, "max_output_tokens": 9}
    response = response_of_chat(completion({"content": "hi"}), params, model="asked")
    assert sorted(DESCRIBED) == sorted(KEYS) == sorted(response)
    assert {key: response[key] for key in params} == params
    assert (response["id"], response["model"], response["object"], response["created_at"]) == (
        "chatcmpl-1",
        "served",
        "response",
        5.0,
    )
    assert (response["parallel_tool_calls"], response["tool_choice"], response["usage"]) == (True, "auto", None)


def test_what_the_endpoint_says_goes_over_what_was_asked_and_its_extras_stay() -> None:
    found = whole({"temperature": 1.0, "billing": {"payer": "x"}, "tools": []}, {"temperature": 0.3})
    assert (found["temperature"], found["billing"]) == (1.0, {"payer": "x"})
    assert whole({}, {})["tools"] is not whole({}, {})["tools"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": [{"text": "x"}]}, "no message"),
        ({"choices": [{"message": {"tool_calls": [{"id": "c"}]}}]}, "no function"),
        (completion({"content": None}), None),
    ],
)
def test_what_is_no_completion_is_said(answer: dict[str, Any], words: str | None) -> None:
    found = missing_in_chat(answer)
    assert found is None if words is None else words in (found or "")


def usage(read: Any, written: Any, cached: Any, thought: Any) -> dict[str, Any]:
    total = None if read is None or written is None else read + written
    details = {"input_tokens_details": {"cached_tokens": cached}, "output_tokens_details": {"reasoning_tokens": thought}}
    return {"input_tokens": read, "output_tokens": written, "total_tokens": total} | details


@pytest.mark.parametrize(
    ("chat", "expected"),
    [
        (None, None),
        ({"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}, usage(3, 4, None, None)),
        ({"prompt_tokens": 3, "completion_tokens": 4}, usage(3, 4, None, None)),
        (
            {
                "prompt_tokens": 3,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 0},
                "completion_tokens_details": None,
            },
            usage(3, 4, 0, None),
        ),
        ({"prompt_tokens": 3, "completion_tokens": None}, usage(3, None, None, None)),
    ],
)
def test_usage_keeps_what_is_unknown_unknown(chat: Any, expected: Any) -> None:
    assert usage_of_chat(chat) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([], None),
        ([usage(1, 2, 0, 5), usage(10, 20, 3, 1)], usage(11, 22, 3, 6)),
        ([usage(1, 2, 0, None), usage(10, 20, 3, 1)], usage(11, 22, 3, None)),
        ([usage(1, 2, 0, 5), None], None),
        ([{"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}, usage(1, 1, 1, 1)], usage(2, 3, None, None)),
    ],
)
def test_sums_of_usage(calls: list[Any], expected: Any) -> None:
    assert sum_usage(calls) == expected


@given(st.lists(st.tuples(*[st.one_of(st.none(), st.integers(0, 100))] * 4), min_size=1, max_size=5))
def test_a_sum_is_known_where_every_call_is(calls: list[tuple[Any, ...]]) -> None:
    total = sum_usage(usage(*call) for call in calls)
    assert total is not None
    columns = list(zip(*calls, strict=True))
    found = (
        total["input_tokens"],
        total["output_tokens"],
        *total["input_tokens_details"].values(),
        *total["output_tokens_details"].values(),
    )
    assert found == tuple(None if None in column else sum(column) for column in columns)


@given(st.text(max_size=30), st.text(max_size=30))
def test_thinking_and_text_come_apart_as_they_were(thought: str, text: str) -> None:
    if "</think>" in thought:
        return
    found = split_thinking(f"<think>\n{thought}\n</think>\n\n{text}")
    assert found == (thought.strip(), text.lstrip())


@given(st.text(max_size=30).filter(lambda text: "think>" not in text), st.text(min_size=1, max_size=20))
def test_an_answer_sent_back_is_the_message_it_was(text: str, name: str) -> None:
    said = {
        "role": "assistant",
        "content": text,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}],
    }
    output = response_of_chat(completion(said), {}, model="m")["output"]
    assert messages({"input": output}) == [said | {"content": text or None}]
