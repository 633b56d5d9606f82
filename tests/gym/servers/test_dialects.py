"""Chat completions and messages in front of a model server.

What is said in another dialect and back again must come out as it went in: the way back is the code that model servers use towards
endpoints, written apart from this one. Streams are read by a real client.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from blade.gym.models import shape
from blade.gym.models.chat_answer import response_of_chat
from blade.gym.models.chat_request import chat_request, extra_body
from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from blade.gym.servers.dialects.chat import chat_completion, params_of_chat
from blade.gym.servers.dialects.messages import NOT_JSON, message_of, params_of_messages
from blade.gym.servers.dialects.refusal import Refused
from blade.gym.servers.http import serve
from tests.gym.servers.on_disk import write_shelf

USER = {"role": "user", "content": "Hello"}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}, "strict": False},
}
CHATS: list[dict[str, Any]] = [
    {"messages": [USER]},
    {"messages": [{"role": "system", "content": "Be brief."}, USER, {"role": "assistant", "content": "Hi"}, USER]},
    {
        "messages": [
            USER,
            {"role": "assistant", "content": None, "tool_calls": [CALL, CALL | {"id": "c2"}]},
            {"role": "tool", "tool_call_id": "c1", "content": "seen"},
            {"role": "tool", "tool_call_id": "c2", "content": ""},
        ],
        "tools": [TOOL],
        "tool_choice": {"type": "function", "function": {"name": "look"}},
        "parallel_tool_calls": False,
    },
    {
        "messages": [USER, {"role": "assistant", "content": "I look", "tool_calls": [CALL]}],
        "tools": [TOOL],
        "tool_choice": "required",
    },
    {"messages": [USER, {"role": "assistant", "content": "It is 4", "reasoning_content": "2 and 2"}, USER]},
    {"messages": [USER, {"role": "assistant", "content": None, "refusal": "No."}, USER]},
    {
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is this?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}},
                ],
            }
        ]
    },
    {
        "messages": [USER],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 10,
        "user": "me",
        "reasoning_effort": "low",
        "verbosity": "low",
    },
    {"messages": [USER], "logprobs": True, "top_logprobs": 3, "seed": 5, "stop": ["END"], "chat_template_kwargs": {"a": [1]}},
    {"messages": [USER], "response_format": {"type": "json_object"}},
    {
        "messages": [USER],
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": True}},
    },
]


@pytest.mark.parametrize("body", CHATS)
def test_a_chat_request_is_asked_as_it_was(body: dict[str, Any]) -> None:
    params = params_of_chat({"model": "any", **body})
    assert chat_request(params, model="any", reasoning="field") | extra_body(params) == {"model": "any", **body}


@pytest.mark.parametrize(
    ("message", "finish"),
    [
        ({"content": "Hi"}, "stop"),
        ({"content": "Hi and"}, "length"),
        ({"content": None, "tool_calls": [CALL]}, "tool_calls"),
        ({"content": "I look", "reasoning_content": "hm", "tool_calls": [CALL, CALL | {"id": "c2"}]}, "tool_calls"),
        ({"content": None, "refusal": "No."}, "stop"),
    ],
)
def test_a_chat_completion_is_given_as_it_was(message: dict[str, Any], finish: str) -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "total_tokens": 13,
        "prompt_tokens_details": {"cached_tokens": None},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    whole = {"role": "assistant", "refusal": None, **message}
    choice = {"index": 0, "message": whole, "logprobs": None, "finish_reason": finish}
    completion = {
        "id": "x",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }
    found = chat_completion(response_of_chat(completion, {}, model="m"))
    assert found == completion | {"id": "chatcmpl-x", "service_tier": None, "system_fingerprint": None}


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({}, "messages must be a list"),
        ({"messages": []}, "must not be empty"),
        ({"messages": ["x"]}, "messages[0] must be an object"),
        ({"messages": [{"role": "function", "content": "x"}]}, "messages[0].role is 'function'"),
        ({"messages": [{"role": "user", "content": 3}]}, "messages[0].content must be a list"),
        ({"messages": [{"role": "user", "content": [{"type": "video"}]}]}, "a part of type 'video'"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id must be a text"),
        ({"messages": [USER], "n": 2}, "n must be 1"),
        ({"messages": [USER], "tools": [{"type": "web_search"}]}, "tools[0] is of type 'web_search'"),
        ({"messages": [USER], "audio": {}, "modalities": ["audio"]}, "audio, modalities cannot be said"),
        ({"messages": [USER], "response_format": {"type": "xml"}}, "of type 'xml'"),
    ],
)
def test_chat_requests_that_are_refused(body: dict[str, Any], part: str) -> None:
    with pytest.raises(Refused) as refused:
        params_of_chat(body)
    assert part in str(refused.value)


def test_a_request_for_a_message() -> None:
    params = params_of_messages(
        {
            "model": "any",
            "max_tokens": 50,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [
                {"role": "user", "content": "Hello"},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "hm", "signature": "s"},
                        {"type": "text", "text": "I look"},
                        {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "ü"}},
                        {"type": "tool_use", "id": "c2", "name": "look", "input": {NOT_JSON: '{"at": '}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "c1",
                            "content": [{"type": "text", "text": "se"}, {"type": "text", "text": "en"}],
                        },
                        {"type": "tool_result", "tool_use_id": "c2", "content": "no", "is_error": True},
                        {"type": "text", "text": "Go on"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
                    ],
                },
            ],
            "tools": [{"name": "look", "input_schema": {"type": "object"}}],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            "stop_sequences": ["END"],
            "top_k": 5,
            "thinking": {"type": "enabled", "budget_tokens": 8000},
            "metadata": {"user_id": "me"},
        }
    )
    assert params == {
        "model": "any",
        "max_output_tokens": 50,
        "instructions": "Be brief.",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
            {
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "I look", "annotations": []}],
            },
            {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "ü"}'},
            {"type": "function_call", "call_id": "c2", "name": "look", "arguments": '{"at": '},
            {"type": "function_call_output", "call_id": "c1", "output": "seen"},
            {"type": "function_call_output", "call_id": "c2", "output": "no"},
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "Go on"},
                    {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "auto"},
                ],
            },
        ],
        "tools": [{"type": "function", "name": "look", "parameters": {"type": "object"}, "strict": False}],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "metadata": {"extra_body": '{"top_k": 5, "stop": ["END"]}'},
        "reasoning": {"effort": "medium"},
        "user": "me",
    }


def test_a_message_of_a_response() -> None:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens": 3,
        "output_tokens_details": {},
        "total_tokens": 13,
    }
    items = [
        shape.reasoning("hm"),
        shape.message("I look"),
        shape.function_call("look", '{"at": 1}', "c1"),
        shape.function_call("look", "[1", "c2"),
    ]
    message = message_of(shape.response({}, items, model="m", usage=usage, response_id="r"))
    assert message == {
        "id": "msg_r",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": ""},
            {"type": "text", "text": "I look"},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": 1}},
            {"type": "tool_use", "id": "c2", "name": "look", "input": {NOT_JSON: "[1"}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 6, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 4, "output_tokens": 3},
    }


@pytest.mark.parametrize(
    ("items", "incomplete", "reason"),
    [
        ([shape.message("x")], None, "end_turn"),
        ([shape.message("x")], "max_output_tokens", "max_tokens"),
        ([shape.message("x")], "content_filter", "refusal"),
        ([shape.refusal("no")], None, "refusal"),
    ],
)
def test_why_a_message_stopped(items: list[dict[str, Any]], incomplete: str | None, reason: str) -> None:
    assert message_of(shape.response({}, items, model="m", incomplete=incomplete))["stop_reason"] == reason


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"messages": [USER]}, "max_tokens must be a number"),
        ({"messages": [{"role": "system", "content": "x"}], "max_tokens": 5}, "messages[0].role is 'system'"),
        ({"messages": [{"role": "user", "content": [{"type": "tool_use"}]}], "max_tokens": 5}, "a block of type 'tool_use'"),
        ({"messages": [USER], "max_tokens": 5, "mcp_servers": [{}]}, "mcp_servers cannot be said"),
        ({"messages": [USER], "max_tokens": 5, "tools": [{"type": "bash_20250124", "name": "bash"}]}, "runs elsewhere"),
    ],
)
def test_requests_for_messages_that_are_refused(body: dict[str, Any], part: str) -> None:
    with pytest.raises(Refused) as refused:
        params_of_messages(body)
    assert part in str(refused.value)


@pytest.fixture
def echo(tmp_path: Path) -> Any:
    write_shelf(tmp_path)
    return build(find("responses_api_models", "echo_model", [tmp_path]), "echo", {}, LocalCalls())


def ask(server: Any, path: str, body: Any) -> Reply:
    reply: Reply = asyncio.run(server.handle("POST", path, body, {}))
    return reply


def test_failures_in_each_dialect(echo: Any) -> None:
    said = {"role": "user", "content": "fail rate_limit"}
    chat = ask(echo, "/v1/chat/completions", {"messages": [said], "stream": True})
    message = ask(echo, "/v1/messages", {"messages": [said], "max_tokens": 5})
    assert (chat.status, message.status) == (429, 429)
    assert chat.body["error"]["class"] == message.body["error"]["class"] == "model_rate_limit"
    assert message.body["type"] == "error"
    assert ask(echo, "/v1/chat/completions", {"messages": 5}).status == 422


@pytest.mark.parametrize(
    ("request_", "detail"),
    [
        ([], "the body must be an object"),
        ({}, "the body must be a request with input"),
        ({"input": [1]}, "input[0] must be an object"),
        ({"input": {"role": "user"}}, "input must be a list"),
        ({"input": "x", "temperature": "hot"}, "temperature must be a number"),
        ({"input": "x", "max_output_tokens": 1.5}, "max_output_tokens must be a whole number"),
        ({"input": "x", "tools": {"name": "f"}}, "tools must be a list"),
        ({"input": "x", "stream": 1}, "stream must be true or false"),
        ({"input": "x", "metadata": "a"}, "metadata must be an object"),
    ],
)
def test_a_request_of_the_wrong_shape_is_refused_before_anybody_is_asked(echo: Any, request_: Any, detail: str) -> None:
    reply = ask(echo, "/v1/responses", request_)
    assert (reply.status, reply.body) == (422, {"detail": detail})
    assert ask(echo, "/v1/messages", "x").body["error"]["type"] == "invalid_request_error"


def test_a_message_in_pieces(echo: Any) -> None:
    body = {"messages": [{"role": "user", "content": 'call look {"at": "ü"}'}], "max_tokens": 5}
    whole = ask(echo, "/v1/messages", body).body
    stream = ask(echo, "/v1/messages", body | {"stream": True})
    assert stream.content_type == "text/event-stream"
    events = [block.split("\n") for block in stream.body.strip().split("\n\n")]
    data = [json.loads(lines[1].removeprefix("data: ")) for lines in events]
    assert [lines[0].removeprefix("event: ") for lines in events] == [one["type"] for one in data]
    assert [one["type"] for one in data] == [
        *("message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop")
    ]
    assert data[1]["content_block"]["name"] == "look"
    assert json.loads(data[2]["delta"]["partial_json"]) == whole["content"][0]["input"] == {"at": "ü"}
    assert data[4]["delta"]["stop_reason"] == "tool_use"
    assert data[4]["usage"]["output_tokens"] == 3


@pytest.mark.parametrize("text", ["Good morning\n\ndata: ü", 'call look {"at": 1}', "cut off"])
def test_a_real_client_reads_answers_and_streams(echo: Any, text: str) -> None:
    openai = pytest.importorskip("openai")
    user = {"role": "user", "content": text}

    async def run() -> None:
        async with serve(echo) as url, openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
            whole = (await client.chat.completions.create(model="m", messages=[user])).choices[0]
            pieces = await client.chat.completions.create(
                model="m", messages=[user], stream=True, stream_options={"include_usage": True}
            )
            chunks = [chunk async for chunk in pieces]
            deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
            assert "".join(delta.content or "" for delta in deltas) == (whole.message.content or "")
            called = [call.function.name for delta in deltas for call in delta.tool_calls or []]
            assert called == [call.function.name for call in whole.message.tool_calls or []]
            assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == whole.finish_reason
            assert chunks[-1].usage.total_tokens == 10

            answer = await client.responses.create(model="m", input=[user])
            async with client.responses.stream(model="m", input=[user]) as stream:
                kinds = [event.type async for event in stream]
                final = await stream.get_final_response() if "response.completed" in kinds else None
            assert kinds[0] == "response.created"
            assert kinds[-1] == ("response.incomplete" if text.startswith("cut") else "response.completed")
            if final is not None:
                assert final.output_text == answer.output_text
                assert [item.type for item in final.output] == [item.type for item in answer.output]

    asyncio.run(asyncio.wait_for(run(), 30))
