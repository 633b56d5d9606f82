"""`openai_model` and `vllm_model` against a real server on loopback."""

import asyncio
import json
from typing import Any

import pytest

from blade.errors import UsageError
from blade.gym.models.errors import ModelError
from blade.gym.models.shape import KEYS
from blade.gym.servers import ModelServer
from tests.gym.conftest import StartEndpoint
from tests.gym.models.servers import ask, during, model_server, openai_model, text_of, vllm_model

TOOL = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}
RULES = [
    {"when": {"contains": "look", "turn": 0}, "reply": {"reasoning": "hm", "calls": [{"name": "look", "arguments": {"a": 1}}]}},
    {"when": {"contains": "look", "turn": 1, "tool_output_contains": "seen"}, "reply": "I saw it"},
    {"when": {"contains": "long"}, "reply": {"text": "and so", "finish": "length"}},
    {"when": {"contains": "dice"}, "reply": {"each": ["one", "two", "three"]}},
    {"reply": "hi"},
]


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_two_turns_with_a_tool(scripted_endpoint: StartEndpoint, api: str) -> None:
    endpoint = scripted_endpoint({"rules": RULES}, log_bodies=True)
    user = {"role": "user", "content": "look"}
    server = openai_model(endpoint.url, api=api)

    async def conversation(model: ModelServer) -> tuple[dict[str, Any], dict[str, Any]]:
        first = await model.responses(
            {"input": [user], "tools": [TOOL], "tool_choice": "auto", "temperature": None, "stream": False}
        )
        call = first["output"][-1]
        seen = {"type": "function_call_output", "call_id": call["call_id"], "output": "seen"}
        return first, await model.responses({"input": [user, *first["output"], seen], "tools": [TOOL]})

    first, second = during(server, conversation)
    assert [item["type"] for item in first["output"]] == ["reasoning", "function_call"]
    assert (first["output"][1]["name"], json.loads(first["output"][1]["arguments"])) == ("look", {"a": 1})
    assert text_of(second) == "I saw it"
    assert set(KEYS) == set(first) == set(second)
    assert first["model"] == "scripted-endpoint"
    assert first["usage"]["input_tokens_details"] == {"cached_tokens": 0}
    sent = [request["body"] for request in endpoint.requests()]
    assert all(body["model"] == "m" and "stream" not in body and "temperature" not in body for body in sent)


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_a_cut_answer(scripted_endpoint: StartEndpoint, api: str) -> None:
    [answer] = ask(openai_model(scripted_endpoint({"rules": RULES}).url, api=api), {"input": "long"})
    assert (answer["status"], answer["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


@pytest.mark.parametrize(
    ("apis", "missing", "expected"),
    [(["chat"], 404, "chat"), (["chat"], 405, "chat"), (["chat"], 501, "chat"), (["responses", "chat"], 404, "responses")],
)
def test_what_the_endpoint_speaks_is_found_out_once(
    scripted_endpoint: StartEndpoint, apis: list[str], missing: int, expected: str
) -> None:
    endpoint = scripted_endpoint({"rules": RULES, "apis": apis, "missing_status": missing})

    async def many(model: ModelServer) -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(model.responses({"input": f"n {one}"}) for one in range(10))))

    answers = during(openai_model(endpoint.url, api="auto"), many)
    assert [text_of(answer) for answer in answers] == ["hi"] * 10
    paths = [request["path"] for request in endpoint.requests()]
    asked = "/v1/responses" if expected == "responses" else "/v1/chat/completions"
    assert paths == ["/v1/responses", *[asked] * 10]


def test_an_endpoint_without_either_says_so(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": RULES, "apis": []})
    with pytest.raises(ModelError, match="unknown url") as caught:
        ask(openai_model(endpoint.url, api="auto"), {"input": "x"})
    assert caught.value.category == "not_found"


def test_reasoning_can_be_left_out_of_the_prompt(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": RULES}, log_bodies=True)
    thought = {"type": "reasoning", "id": "rs", "summary": []}
    user = {"role": "user", "content": "x"}
    ask(openai_model(endpoint.url, api="responses", drop_input_reasoning_items=True), {"input": [user, thought]})
    ask(openai_model(endpoint.url, api="responses"), {"input": [user, thought]})
    assert [request["body"]["input"] for request in endpoint.requests()] == [[user], [user, thought]]


def test_extra_parameters(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": RULES}, log_bodies=True)
    ask(openai_model(endpoint.url, extra_body={"top_k": 5}), {"input": "x", "metadata": {"extra_body": '{"seed": 2}'}})
    body = endpoint.requests()[0]["body"]
    assert (body["top_k"], body["seed"]) == (5, 2)


def test_vllm_parameters_and_their_order(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": RULES}, log_bodies=True)
    server = vllm_model(
        endpoint.url,
        chat_template_kwargs={"enable_thinking": False},
        sampling_overrides={"temperature": 0.6},
        extra_body={"top_k": 20, "seed": 1, "temperature": 0.1},
        default_headers={"X-Team": "blue"},
    )
    ask(server, {"input": "x", "temperature": 1.0, "metadata": {"extra_body": '{"seed": 9}'}})
    [request] = endpoint.requests()
    body = request["body"]
    assert (body["temperature"], body["top_k"], body["seed"]) == (0.6, 20, 9)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert request["headers"]["X-Team"] == "blue"


def test_a_seed_chooses_the_repeat(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": RULES})
    requests = [{"input": "dice", "metadata": {"extra_body": json.dumps({"seed": seed})}} for seed in (2, 0, 1, 2)]
    assert [text_of(answer) for answer in ask(vllm_model(endpoint.url), *requests)] == ["three", "one", "two", "three"]


def test_turns_of_a_rollout_stay_on_one_server_and_tasks_are_spread(scripted_endpoint: StartEndpoint) -> None:
    endpoints = [scripted_endpoint({"rules": RULES}) for _ in range(2)]
    turns: list[dict[str, Any]] = []
    for task in range(16):
        user = {"role": "user", "content": f"task {task}"}
        turns += [
            {"input": [user]},
            {"input": [user, {"role": "assistant", "content": "hi"}, {"role": "user", "content": f"task {task}, more"}]},
        ]
        turns.append({"input": f"unlike {task}", "metadata": {"rollout_id": "4-2"}})
    ask(vllm_model([endpoint.url for endpoint in endpoints]), *turns)
    seen = [
        {request["text"].split(",")[0] for request in endpoint.requests() if "task" in request["text"]} for endpoint in endpoints
    ]
    assert seen[0].isdisjoint(seen[1])
    assert all(len(tasks) >= 3 for tasks in seen)
    named = [sum("unlike" in request["text"] for request in endpoint.requests()) for endpoint in endpoints]
    assert sorted(named) == [0, 16]


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", False),
        ("Input tokens exceed the configured limit of 272000 tokens. Please reduce the length of the messages.", False),
        ("prompt is too long: 210000 tokens > 200000 maximum", False),
        ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", False),
        ("The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", False),
        ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`", False),
        ("max_tokens must be at least 1, got -5", True),
        ("max_tokens is too large: 20000. This model supports at most 16384 completion tokens, but you gave 20000.", True),
        ("Invalid input: max_tokens is too large", True),
        ("Use 'max_completion_tokens' instead", True),
        ("request (21031 tokens) exceeds the available context size (4096 tokens), try increasing it", False),
        ("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", True),
        ("temperature must be between 0 and 2", True),
    ],
)
def test_a_full_context_is_an_empty_cut_answer_and_a_wrong_parameter_is_an_error(
    scripted_endpoint: StartEndpoint, said: str, fits: bool
) -> None:
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": 400, "body": {"error": {"message": said}}}}]})
    server = vllm_model(endpoint.url)
    if fits:
        with pytest.raises(ModelError) as caught:
            ask(server, {"input": "x"})
        assert caught.value.category == "client_error"
        return
    [answer] = ask(server, {"input": "x"})
    assert (answer["status"], answer["incomplete_details"], text_of(answer)) == (
        "incomplete",
        {"reason": "max_output_tokens"},
        "",
    )
    assert answer["usage"]["total_tokens"] == 0
    assert answer["ng_context_overflow"] is True


def test_thoughts_go_back_the_way_the_template_wrote_them(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": [{"reply": "<think>hm</think>hi"}]}, log_bodies=True)
    user = {"role": "user", "content": "x"}
    [answer] = ask(vllm_model(endpoint.url), {"input": [user]})
    assert [item["type"] for item in answer["output"]] == ["reasoning", "message"]
    ask(vllm_model(endpoint.url), {"input": [user, *answer["output"], user]})
    ask(vllm_model(endpoint.url, uses_interleaved_reasoning=True), {"input": [user, *answer["output"], user]})
    [raw] = ask(vllm_model(endpoint.url, uses_reasoning_parser=False), {"input": [user]})
    sent = [request["body"]["messages"][1] for request in endpoint.requests()[1:3]]
    assert sent == [
        {"role": "assistant", "content": "<think>\nhm\n</think>\n\nhi"},
        {"role": "assistant", "content": "hi", "reasoning_content": "hm"},
    ]
    assert text_of(raw) == "<think>hm</think>hi"


@pytest.mark.parametrize(
    ("implementation", "settings", "named"),
    [
        ("openai_model", {"openai_api_key": "k", "openai_model": "m"}, "openai_base_url"),
        ("vllm_model", {"base_url": [], "api_key": "k", "model": "m"}, "base_url"),
        (
            "vllm_model",
            {"base_url": "u", "api_key": "k", "model": "m", "return_token_id_information": True},
            "return_token_id_information",
        ),
        ("openai_model", {"openai_base_url": "u", "openai_api_key": "k", "openai_model": "m", "max_retries": -1}, "max_retries"),
    ],
)
def test_settings_that_make_no_sense_are_named(implementation: str, settings: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        model_server(implementation, settings)
