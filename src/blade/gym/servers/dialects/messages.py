"""Messages (the Anthropic shape): a request as `responses_create_params`, and a Response object as a message."""

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from blade.gym.models.chat_request import reasoning_text
from blade.gym.servers.dialects.chat import extra
from blade.gym.servers.dialects.refusal import Refused, list_at, object_at, only_known, text_at

Item = dict[str, Any]
_KNOWN: Final = (
    *("model", "messages", "system", "max_tokens", "tools", "tool_choice", "temperature", "top_p", "top_k", "stop_sequences"),
    *("metadata", "thinking", "service_tier", "stream"),
)
_CHOICES: Final = {"auto": "auto", "any": "required", "none": "none"}
_EFFORT: Final = ((4_096, "low"), (16_384, "medium"))
"""Thinking budgets up to so many tokens, in the only words that the Responses API has for them; more is high."""
NOT_JSON: Final = "arguments_that_are_not_json"
"""In this shape a call's arguments are an object; those that a model wrote wrongly stand under this key, and come back as they were."""


def params_of_messages(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a request asks for; raises `Refused`."""
    only_known(body, _KNOWN)
    messages = list_at(body.get("messages"), "messages")
    if not messages:
        raise Refused("messages must not be empty")
    most = body.get("max_tokens")
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise Refused("max_tokens must be a number of 1 or more")
    params: Item = {key: body[key] for key in ("model", "temperature", "top_p") if body.get(key) is not None}
    params["max_output_tokens"] = most
    system = body.get("system")
    if system:
        params["instructions"] = system if isinstance(system, str) else "\n\n".join(_texts(system, "system"))
    params["input"] = [item for number, message in enumerate(messages) for item in _items(message, f"messages[{number}]")]
    user = object_at(body.get("metadata") or {}, "metadata").get("user_id")
    if user is not None:
        params["user"] = user
    own = {"top_k": body.get("top_k"), "stop": body.get("stop_sequences")}
    return params | _thinking(body.get("thinking")) | _tools(body) | extra({key: one for key, one in own.items() if one}, {})


def _items(message: Any, where: str) -> Iterator[Item]:
    role, content = object_at(message, where).get("role"), message.get("content")
    if role not in ("user", "assistant"):
        raise Refused(f"{where}.role is {role!r}, not user or assistant")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = [object_at(block, f"{where}.content") for block in list_at(content, f"{where}.content")]
    said: list[Item] = []
    for block in blocks:
        part = _user_part(block, where) if role == "user" else _assistant_part(block)
        if part is not None:
            said.append(part)
            continue
        if said:
            yield _message(role, said)
            said = []
        yield _other(block, role, where)
    if said:
        yield _message(role, said)


def _message(role: str, said: list[Item]) -> Item:
    done = {"status": "completed"} if role == "assistant" else {}
    return {"type": "message", "role": role, **done, "content": said}


def _user_part(block: Mapping[str, Any], where: str) -> Item | None:
    kind = block.get("type")
    if kind == "text":
        return {"type": "input_text", "text": text_at(block.get("text"), f"{where}.content.text")}
    if kind in ("image", "document"):
        source = object_at(block.get("source"), f"{where}.content.source")
        if source.get("type") == "text":
            return {"type": "input_text", "text": text_at(source.get("data"), f"{where}.content.source.data")}
        if source.get("type") not in ("base64", "url"):
            raise Refused(f"{where} has a source of type {source.get('type')!r}, which cannot be said in the Responses API")
        inline = source.get("type") == "base64"
        address = f"data:{source.get('media_type')};base64,{source.get('data')}" if inline else source.get("url")
        if kind == "image":
            return {"type": "input_image", "image_url": address, "detail": "auto"}
        name = str(block.get("title") or "document.pdf")
        return (
            {"type": "input_file", "filename": name, "file_data": address}
            if inline
            else {"type": "input_file", "file_url": address}
        )
    return None


def _assistant_part(block: Mapping[str, Any]) -> Item | None:
    return (
        {"type": "output_text", "text": str(block.get("text") or ""), "annotations": []} if block.get("type") == "text" else None
    )


def _other(block: Mapping[str, Any], role: str, where: str) -> Item:
    """A block that is an item of its own: a tool's result, a call, a thought."""
    kind = block.get("type")
    if role == "user" and kind == "tool_result":
        content = block.get("content")
        output = content if isinstance(content, str) else "".join(_texts(content or [], f"{where}.content.content"))
        return {
            "type": "function_call_output",
            "call_id": text_at(block.get("tool_use_id"), f"{where}.tool_use_id"),
            "output": output,
        }
    if role == "assistant" and kind == "tool_use":
        given = block.get("input")
        wrong = given.get(NOT_JSON) if isinstance(given, Mapping) and len(given) == 1 else None
        return {
            "type": "function_call",
            "call_id": text_at(block.get("id"), f"{where}.content.id"),
            "name": text_at(block.get("name"), f"{where}.content.name"),
            "arguments": wrong if isinstance(wrong, str) else json.dumps(given if given is not None else {}, ensure_ascii=False),
        }
    if role == "assistant" and kind == "thinking":
        return {"type": "reasoning", "summary": [{"type": "summary_text", "text": str(block.get("thinking") or "")}]}
    if role == "assistant" and kind == "redacted_thinking":
        return {"type": "reasoning", "summary": [], "encrypted_content": block.get("data")}
    raise Refused(f"{where} has a block of type {kind!r}, which cannot be said in the Responses API")


def _texts(blocks: Any, where: str) -> list[str]:
    found = []
    for block in list_at(blocks, where):
        if object_at(block, where).get("type") != "text":
            raise Refused(f"{where} has a block of type {block.get('type')!r}; only text is understood there")
        found.append(text_at(block.get("text"), f"{where}.text"))
    return found


def _thinking(thinking: Any) -> dict[str, Any]:
    if thinking is None or object_at(thinking, "thinking").get("type") != "enabled":
        return {}
    budget = thinking.get("budget_tokens")
    if not isinstance(budget, int):
        raise Refused("thinking.budget_tokens must be a number")
    return {"reasoning": {"effort": next((word for most, word in _EFFORT if budget <= most), "high")}}


def _tools(body: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if tools := list_at(body.get("tools") or [], "tools"):
        found["tools"] = [_tool(tool, f"tools[{number}]") for number, tool in enumerate(tools)]
    if (choice := body.get("tool_choice")) is not None:
        kind = object_at(choice, "tool_choice").get("type")
        if kind == "tool":
            found["tool_choice"] = {"type": "function", "name": text_at(choice.get("name"), "tool_choice.name")}
        elif kind in _CHOICES:
            found["tool_choice"] = _CHOICES[kind]
        else:
            raise Refused(f"tool_choice is of type {kind!r}, not auto, any, tool or none")
        if choice.get("disable_parallel_tool_use"):
            found["parallel_tool_calls"] = False
    return found


def _tool(tool: Any, where: str) -> Item:
    if object_at(tool, where).get("type") not in (None, "custom"):
        raise Refused(f"{where} is of type {tool.get('type')!r}, which runs elsewhere")
    described = {"description": tool["description"]} if tool.get("description") is not None else {}
    schema = object_at(tool.get("input_schema"), f"{where}.input_schema")
    return {
        "type": "function",
        "name": text_at(tool.get("name"), f"{where}.name"),
        **described,
        "parameters": schema,
        "strict": False,
    }


def message_of(response: Mapping[str, Any]) -> dict[str, Any]:
    """A Response object as a message. The shape wants numbers in `usage`: tokens that the endpoint did not count are 0."""
    blocks = [block for item in response.get("output") or [] for block in _blocks(item)]
    return {
        "id": f"msg_{response.get('id') or uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": response.get("model"),
        "content": blocks,
        "stop_reason": _stop_reason(response, blocks),
        "stop_sequence": None,
        "usage": _usage(response.get("usage") or {}),
    }


def _blocks(item: Mapping[str, Any]) -> Iterator[Item]:
    kind = item.get("type")
    if kind == "reasoning" and (thought := reasoning_text(item)):
        yield {"type": "thinking", "thinking": thought, "signature": ""}
    elif kind == "message":
        for part in item.get("content") or []:
            text = part.get("refusal") if part.get("type") == "refusal" else part.get("text")
            yield {"type": "text", "text": text or ""}
    elif kind == "function_call":
        yield {"type": "tool_use", "id": item.get("call_id"), "name": item.get("name"), "input": _input(item.get("arguments"))}


def _input(arguments: Any) -> Any:
    try:
        found = json.loads(arguments or "{}")
    except (ValueError, TypeError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {NOT_JSON: arguments}


def _stop_reason(response: Mapping[str, Any], blocks: list[Item]) -> str:
    incomplete = (response.get("incomplete_details") or {}).get("reason")
    if incomplete == "max_output_tokens":
        return "max_tokens"
    parts = [part for item in response.get("output") or [] if item.get("type") == "message" for part in item.get("content") or []]
    if incomplete == "content_filter" or any(part.get("type") == "refusal" for part in parts):
        return "refusal"
    return "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"


def _usage(usage: Mapping[str, Any]) -> Item:
    """In this shape tokens read from a cache are not among the input tokens."""
    cached = (usage.get("input_tokens_details") or {}).get("cached_tokens") or 0
    return {
        "input_tokens": max((usage.get("input_tokens") or 0) - cached, 0),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": usage.get("output_tokens") or 0,
    }
