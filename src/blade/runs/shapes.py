"""The shapes in which rollouts hold their conversation, brought to one: Responses API items.

The usual row has `responses_create_params.input` and `response.output`. Others nest lists inside `output`, give the response
as a string, a list, or a chat completion, or keep the whole conversation in `messages` (its dialects: `chats`). This is the only place that knows.
An item's step is its index in `response.output`; items of a list nested there share the index of that list. Where each list tells the
whole history again, an item stands once, in the first list that has it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from blade.runs import chats
from blade.runs.chat_items import json_text, message
from blade.runs.pairing import Pairing

CONVERSATIONS = ("messages", "conversation", "trajectory")
BY_SHAPE = ("contents", "transcript", "chat_history", "user_input", "history")
"""Names under which a conversation stands as well as other things."""
OUTPUT_FIELDS = ("response", "output", "completion", *CONVERSATIONS, *BY_SHAPE)
SYSTEM_FIELDS = ("system", "system_instruction", "systemInstruction", "system_prompt")
"""Where a dialect keeps the system's words apart from the conversation."""
PROMPT_FIELDS = ("responses_create_params", "prompt", "question", "problem", "input", *CONVERSATIONS, *BY_SHAPE, *SYSTEM_FIELDS)

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
            yield 0, message("assistant", given)
            return
        if isinstance(given, list):
            yield from _flattened(given)
            return
    messages = conversation_in(row)
    if messages is not None:
        yield from enumerate(chats.items_of(chats.split(messages)[1]))


def prompt_items(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What the model was given, oldest first."""
    params = row.get("responses_create_params")
    given = params.get("input") if isinstance(params, dict) else None
    if given is None:
        given = row.get("prompt")
    if given is None:
        name, asked = conversation_field(row), _asked(row)
        if name is not None and (asked is None or name in CONVERSATIONS):
            given = [*_system(row), *chats.items_of(chats.split(chats.conversation(row[name]) or [])[0])]
        else:
            given = asked
    if isinstance(given, str):
        return [message("user", given)]
    if not isinstance(given, list):
        return []
    if all(item.__class__ is dict and item.get("type") == "message" for item in given):
        return given  # as nearly all prompts are: no chat message has that type, and nothing waits for an output
    return [item for _, item in _flattened(given)]


def conversation_field(row: dict[str, Any]) -> str | None:
    """The field that holds a row's messages; one of another name than theirs only where it can hold nothing else."""
    for name in CONVERSATIONS:
        if name in row and chats.conversation(row[name]) is not None:
            return name
    if _asked(row) is not None and any(isinstance(row.get(name), str | list) and row[name] for name in ("output", "completion")):
        return None  # what was asked and answered stands elsewhere
    return next((name for name in BY_SHAPE if name in row and chats.is_conversation(row[name])), None)


def _asked(row: dict[str, Any]) -> Any:
    return next((row[name] for name in ("question", "problem", "input") if isinstance(row.get(name), str | list)), None)


def conversation_in(row: dict[str, Any]) -> list[Any] | None:
    name = conversation_field(row)
    return None if name is None else chats.conversation(row[name])


def _system(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The system's words that stand beside a conversation; a label of the system under test is none."""
    for name in SYSTEM_FIELDS:
        told = row.get(name)
        if isinstance(told, dict):
            told = told.get("parts", told.get("content"))
        if isinstance(told, str | list) and _is_sentence(text_of(told)):
            return [message("system", told)]
    return []


def _is_sentence(text: str) -> bool:
    return len(text.split()) > 2 or (not text.isascii() and len(text) > 8)  # not all scripts have spaces


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
    return json_text(value)


def _flattened(items: Sequence[Any], pairing: Pairing | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    pairing = pairing or Pairing()
    if chats.are_messages(items):
        yield from chats.numbered(items, pairing)
        return
    told = _told_before(items)
    for step, item in enumerate(items):
        if isinstance(item, list):
            for _, inner in _flattened(item[told[step] :] if told else item, pairing):
                yield step, inner
        elif isinstance(item, dict) and chats.is_chat(item):
            yield from ((step, converted) for _, converted in chats.numbered([item], pairing))
        elif isinstance(item, dict):
            pairing.pair([item], ours=False)
            yield step, item
        elif isinstance(item, str):
            yield step, message("assistant", item)
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
    said = first.get("message")
    return chats.items_of([said]) if isinstance(said, dict) else [message("assistant", first.get("text") or "")]
