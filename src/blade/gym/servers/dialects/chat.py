"""Chat completions: a chat request as `responses_create_params`, and a Response object as a chat completion."""

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from blade.gym.models.chat_request import EXTRA_BODY, reasoning_text
from blade.gym.servers.dialects.refusal import Refused, list_at, object_at, only_known, text_at

Item = dict[str, Any]
_SAME_NAME: Final = ("model", "temperature", "top_p", "parallel_tool_calls", "user", "service_tier", "store", "metadata")
_ENDPOINT_S_OWN: Final = (
    *("seed", "stop", "frequency_penalty", "presence_penalty", "logit_bias", "top_k", "min_p", "repetition_penalty"),
    *("min_tokens", "stop_token_ids", "ignore_eos", "skip_special_tokens", "chat_template_kwargs", "guided_json", "guided_regex"),
    *("guided_choice", "guided_grammar", "add_generation_prompt", "continue_final_message", "include_stop_str_in_output"),
)
"""Parameters without a name in the Responses API; they travel in the metadata, as a seed does."""
_ELSEWHERE: Final = (
    *("messages", "max_tokens", "max_completion_tokens", "tools", "tool_choice", "response_format", "logprobs", "top_logprobs"),
    *("reasoning_effort", "verbosity", "stream", "stream_options", "n"),
)
_FINISH: Final = {"max_output_tokens": "length", "content_filter": "content_filter"}


def params_of_chat(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a chat request asks for; raises `Refused`."""
    only_known(body, (*_SAME_NAME, *_ENDPOINT_S_OWN, *_ELSEWHERE))
    if body.get("n") not in (None, 1):
        raise Refused("n must be 1: a rollout has one answer")
    messages = list_at(body.get("messages"), "messages")
    if not messages:
        raise Refused("messages must not be empty")
    params = {key: body[key] for key in _SAME_NAME if body.get(key) is not None}
    params["input"] = [item for number, message in enumerate(messages) for item in _items(message, f"messages[{number}]")]
    most = body.get("max_completion_tokens") or body.get("max_tokens")
    if most is not None:
        params["max_output_tokens"] = most
    if body.get("logprobs") or body.get("top_logprobs"):
        params["top_logprobs"] = body.get("top_logprobs") or 0
    if body.get("reasoning_effort") is not None:
        params["reasoning"] = {"effort": body["reasoning_effort"]}
    return (
        params
        | _tools(body)
        | _text(body)
        | extra({key: body[key] for key in _ENDPOINT_S_OWN if body.get(key) is not None}, body)
    )


def extra(own: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """The endpoint's own parameters inside the metadata, beside what the request has there."""
    if not own:
        return {}
    metadata = dict(object_at(body.get("metadata") or {}, "metadata"))
    return {"metadata": metadata | {EXTRA_BODY: json.dumps(own, ensure_ascii=False)}}


def _items(message: Any, where: str) -> Iterator[Item]:
    """One chat message as items."""
    role = object_at(message, where).get("role")
    content = message.get("content")
    if role == "tool":
        yield {
            "type": "function_call_output",
            "call_id": text_at(message.get("tool_call_id"), f"{where}.tool_call_id"),
            "output": content
            if isinstance(content, str)
            else "".join(part["text"] for part in _parts(content, where, "input_text")),
        }
    elif role in ("system", "developer", "user"):
        said = content if isinstance(content, str) else _parts(content, where, "input_text")
        yield {"type": "message", "role": role, "content": said}
    elif role == "assistant":
        yield from _turn(message, where)
    else:
        raise Refused(f"{where}.role is {role!r}, not system, developer, user, assistant or tool")


def _turn(message: Mapping[str, Any], where: str) -> Iterator[Item]:
    """What an assistant thought, said and called."""
    thought = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(thought, str):
        yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": thought}]}
    content = message.get("content")
    said = [{"type": "output_text", "text": content, "annotations": []}] if isinstance(content, str) else []
    if isinstance(content, list):
        said = [
            part | {"annotations": []} if part["type"] == "output_text" else part
            for part in _parts(content, where, "output_text")
        ]
    if message.get("refusal"):
        said.append({"type": "refusal", "refusal": message["refusal"]})
    calls = list_at(message.get("tool_calls") or [], f"{where}.tool_calls")
    if said and not (calls and content == ""):
        yield {"type": "message", "role": "assistant", "status": "completed", "content": said}
    for number, call in enumerate(calls):
        function = object_at(
            object_at(call, f"{where}.tool_calls[{number}]").get("function"), f"{where}.tool_calls[{number}].function"
        )
        yield {
            "type": "function_call",
            "call_id": text_at(call.get("id"), f"{where}.tool_calls[{number}].id"),
            "name": text_at(function.get("name"), f"{where}.tool_calls[{number}].function.name"),
            "arguments": text_at(function.get("arguments", "{}"), f"{where}.tool_calls[{number}].function.arguments"),
        }


def _parts(content: Any, where: str, text_type: str) -> list[Item]:
    return [_part(object_at(part, f"{where}.content"), where, text_type) for part in list_at(content, f"{where}.content")]


def _part(part: Mapping[str, Any], where: str, text_type: str) -> Item:
    kind = part.get("type")
    if kind == "text":
        return {"type": text_type, "text": text_at(part.get("text"), f"{where}.content.text")}
    if kind == "refusal":
        return {"type": "refusal", "refusal": text_at(part.get("refusal"), f"{where}.content.refusal")}
    if text_type == "input_text" and kind == "image_url":
        image = object_at(part.get("image_url"), f"{where}.content.image_url")
        return {"type": "input_image", "image_url": image.get("url"), "detail": image.get("detail") or "auto"}
    if text_type == "input_text" and kind == "input_audio":
        return dict(part)
    if text_type == "input_text" and kind == "file":
        return {"type": "input_file", **object_at(part.get("file"), f"{where}.content.file")}
    raise Refused(f"{where} has a part of type {kind!r}, which cannot be said in the Responses API")


def _tools(body: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    tools = list_at(body.get("tools") or [], "tools")
    if tools:
        found["tools"] = [_tool(tool, f"tools[{number}]") for number, tool in enumerate(tools)]
    choice = body.get("tool_choice")
    if isinstance(choice, Mapping):
        function = object_at(choice.get("function"), "tool_choice.function")
        found["tool_choice"] = {"type": "function", "name": function.get("name")}
    elif choice is not None:
        found["tool_choice"] = choice
    return found


def _tool(tool: Any, where: str) -> Item:
    if object_at(tool, where).get("type") != "function":
        raise Refused(f"{where} is of type {tool.get('type')!r}, not a function")
    function = object_at(tool.get("function"), f"{where}.function")
    parameters = function.get("parameters") or {"type": "object", "properties": {}}
    described = {"description": function["description"]} if function.get("description") is not None else {}
    return {
        "type": "function",
        "name": text_at(function.get("name"), f"{where}.function.name"),
        **described,
        "parameters": parameters,
        "strict": bool(function.get("strict")),
    }


def _text(body: Mapping[str, Any]) -> dict[str, Any]:
    """Structured output: `response_format` is `text.format`."""
    text: dict[str, Any] = {}
    if body.get("verbosity") is not None:
        text["verbosity"] = body["verbosity"]
    if (form := body.get("response_format")) is not None:
        kind = object_at(form, "response_format").get("type")
        if kind == "json_schema":
            text["format"] = {"type": "json_schema", **object_at(form.get("json_schema"), "response_format.json_schema")}
        elif kind in ("text", "json_object"):
            text["format"] = {"type": kind}
        else:
            raise Refused(f"response_format is of type {kind!r}, not text, json_object or json_schema")
    return {"text": text} if text else {}


def chat_completion(response: Mapping[str, Any]) -> dict[str, Any]:
    """A Response object as a chat completion."""
    message, logprobs = _message(response.get("output") or [])
    incomplete = (response.get("incomplete_details") or {}).get("reason")
    finish = _FINISH.get(str(incomplete)) or ("tool_calls" if message.get("tool_calls") else "stop")
    return {
        "id": f"chatcmpl-{response.get('id') or uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": int(response.get("created_at") or 0),
        "model": response.get("model"),
        "choices": [{"index": 0, "message": message, "logprobs": logprobs, "finish_reason": finish}],
        "usage": _usage(response.get("usage")),
        "service_tier": response.get("service_tier"),
        "system_fingerprint": None,
    }


def _message(output: list[Mapping[str, Any]]) -> tuple[Item, Item | None]:
    """All that a model thought, said and called, as one message; and the logarithms of its text's probabilities, where they are known."""
    parts = [part for item in output if item.get("type") == "message" for part in item.get("content") or []]
    texts = [part for part in parts if part.get("type") == "output_text"]
    refusals = [part.get("refusal") or "" for part in parts if part.get("type") == "refusal"]
    thoughts = [reasoning_text(item) for item in output if item.get("type") == "reasoning"]
    calls = [
        {
            "id": item.get("call_id"),
            "type": "function",
            "function": {"name": item.get("name"), "arguments": item.get("arguments")},
        }
        for item in output
        if item.get("type") == "function_call"
    ]
    message: Item = {
        "role": "assistant",
        "content": "".join(part.get("text") or "" for part in texts) if texts else None,
        "refusal": "".join(refusals) if refusals else None,
    }
    if any(thoughts):
        message["reasoning_content"] = "\n".join(filter(None, thoughts))
    if calls:
        message["tool_calls"] = calls
    logprobs = [entry for part in texts for entry in part.get("logprobs") or []]
    return message, {"content": logprobs, "refusal": None} if logprobs else None


def _usage(usage: Mapping[str, Any] | None) -> Item | None:
    if usage is None:
        return None
    return {
        "prompt_tokens": usage.get("input_tokens"),
        "completion_tokens": usage.get("output_tokens"),
        "total_tokens": usage.get("total_tokens"),
        "prompt_tokens_details": {"cached_tokens": (usage.get("input_tokens_details") or {}).get("cached_tokens")},
        "completion_tokens_details": {"reasoning_tokens": (usage.get("output_tokens_details") or {}).get("reasoning_tokens")},
    }
