"""The shapes in which rollouts hold their conversation, brought to one: Responses API items.

The usual row has `responses_create_params.input` and `response.output`. Others nest lists inside `output`, give the response
as a string, a list, or a chat completion, or keep the whole conversation in `messages`. This is the only place that knows.
An item's step is its index in `response.output`; items of a list nested there share the index of that list. Where each list tells the
whole history again, an item stands once, in the first list that has it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

OUTPUT_FIELDS = ("response", "output", "messages", "conversation", "trajectory", "completion")
PROMPT_FIELDS = ("responses_create_params", "prompt", "messages", "conversation", "question", "problem", "input")
CONVERSATIONS = ("messages", "conversation", "trajectory")

TOOL_CALLS = frozenset({"function_call", "custom_tool_call", "mcp_call", "local_shell_call", "computer_call", "tool_call"})
HOSTED_CALLS = frozenset({"file_search_call", "web_search_call", "image_generation_call", "code_interpreter_call"})


def step_kind(item_type: Any, role: Any) -> str:
    """message, reasoning, tool_call, tool_output or other."""
    if item_type == "message" or (item_type is None and isinstance(role, str)):
        return "message"
    if item_type == "reasoning":
        return "reasoning"
    if not isinstance(item_type, str):
        return "other"
    if item_type in TOOL_CALLS or item_type in HOSTED_CALLS:
        return "tool_call"
    return "tool_output" if item_type.endswith("_output") else "other"


def output_items(row: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """What the model and its tools produced, as (step, item)."""
    response = row.get("response")
    if isinstance(response, dict):
        if isinstance(response.get("output"), list):
            yield from _flattened(response["output"])
            return
        if isinstance(response.get("choices"), list):
            yield from enumerate(_from_choices(response["choices"]))
            return
        if isinstance(response.get("output"), str):
            response = response["output"]
    for given in (response, row.get("output"), row.get("completion")):
        if isinstance(given, str) and given:
            yield 0, _message("assistant", given)
            return
        if isinstance(given, list):
            yield from _flattened(given)
            return
    for name in CONVERSATIONS:
        if isinstance(row.get(name), list):
            yield from enumerate(_from_chat(_split_conversation(row[name])[1]))
            return


def prompt_items(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What the model was given, oldest first."""
    params = row.get("responses_create_params")
    given = params.get("input") if isinstance(params, dict) else None
    if given is None:
        given = row.get("prompt")
    if given is None:
        conversation = next((row[name] for name in CONVERSATIONS if isinstance(row.get(name), list)), None)
        if conversation is not None:
            given = _split_conversation(conversation)[0]
    if given is None:
        given = next((row[name] for name in ("question", "problem", "input") if isinstance(row.get(name), str | list)), None)
    if isinstance(given, str):
        return [_message("user", given)]
    return [item for _, item in _flattened(given)] if isinstance(given, list) else []


def header(item: dict[str, Any]) -> dict[str, Any]:
    return {name: item.get(name) for name in ("type", "role", "name")}


def text_of(content: Any) -> str:
    """The text in a message's content, a tool's output or a reasoning summary, whatever its shape."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for part in map(text_of, content) if part)
    if isinstance(content, dict):
        for name in ("text", "refusal", "output", "content", "summary", "thinking"):
            if isinstance(content.get(name), str | list):
                return text_of(content[name])
        kind = content.get("type")
        return f"[{kind}]" if isinstance(kind, str) else _json(content)
    return _json(content)


def _json(value: Any) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()


def _message(role: str, content: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content}


def _flattened(items: Sequence[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    told = _told_before(items)
    for step, item in enumerate(items):
        if isinstance(item, list):
            for _, inner in _flattened(item[told[step] :] if told else item):
                yield step, inner
        elif isinstance(item, dict):
            chat = item.get("type") is None and (item.get("tool_calls") or item.get("role") == "tool")
            yield from ((step, converted) for converted in (_from_chat([item]) if chat else [item]))
        elif isinstance(item, str):
            yield step, _message("assistant", item)
        else:
            yield step, {"type": "unreadable", "content": item}


def _told_before(items: Sequence[Any]) -> list[int]:
    """How many items of each nested list the one before has told, where every list begins with all of that one and goes on; else nothing."""
    if len(items) < 2 or not all(isinstance(item, list) and item for item in items):
        return []
    turns = [[_identity(item) for item in turn] for turn in items]
    if all(len(turn) > len(before) and turn[: len(before)] == before for before, turn in pairwise(turns)):
        return [0, *map(len, turns[:-1])]
    return []


def _identity(item: Any) -> Any:
    """What an item is known by when it is told again: of a call and its output the id, of others all but an id and a status of their own."""
    if not isinstance(item, dict):
        return item
    if item.get("call_id"):
        return item.get("type"), item["call_id"]
    return {name: value for name, value in item.items() if name not in ("id", "status")}


def _from_choices(choices: list[Any]) -> list[dict[str, Any]]:
    first = choices[0] if choices and isinstance(choices[0], dict) else {}
    message = first.get("message")
    return _from_chat([message]) if isinstance(message, dict) else [_message("assistant", first.get("text") or "")]


def _from_chat(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """Chat-completion messages as items: a tool call and its output each stand alone."""
    items: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, dict):
            items.append(_message("assistant", message))
            continue
        role = message.get("role") or message.get("from") or "assistant"
        content = message.get("content", message.get("value"))
        if role == "tool":
            items.append(
                {
                    "type": "function_call_output",
                    "call_id": message.get("tool_call_id"),
                    "output": content,
                    "name": message.get("name"),
                }
            )
            continue
        if message.get("reasoning_content"):
            items.append({"type": "reasoning", "summary": [], "content": message["reasoning_content"]})
        calls = message.get("tool_calls")
        if content or not calls:
            items.append(_message(role, content))
        for call in calls if isinstance(calls, list) else []:
            function = call.get("function") if isinstance(call, dict) else None
            given = function if isinstance(function, dict) else call if isinstance(call, dict) else {}
            call_id = call.get("id") if isinstance(call, dict) else None
            items.append(
                {"type": "function_call", "call_id": call_id, "name": given.get("name"), "arguments": given.get("arguments")}
            )
    return items


def _split_conversation(messages: list[Any]) -> tuple[list[Any], list[Any]]:
    """A conversation up to the first thing the assistant or a tool said, and from there on."""
    for index, message in enumerate(messages):
        role = message.get("role") or message.get("from") if isinstance(message, dict) else None
        if role in ("assistant", "tool", "gpt", "model"):
            return messages[:index], messages[index:]
    return messages, []
