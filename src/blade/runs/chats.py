"""Chat messages as items, in whatever dialect they are logged: a tool call and its output each stand alone.

Dialects differ in four things. *Who speaks* is told by `role`, `from` or `type` (`human`, `ai`, `gpt`, `model`). *A call* stands in `tool_calls` (the
function an object, a name, or neither: `name` with `args`), in `function_call`, in a block of the content (`tool_use`, `toolUse`) or in a part
(`functionCall`). *Its output* is a message of the tool, or a block or part of the user's turn. Or both are written as text (`spelled_calls`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from blade.runs.chat_items import IDS, Item, call_item, calls_among, first_of, json_text, message
from blade.runs.pairing import Pairing
from blade.runs.spelled_calls import Following, spelled_out

_ROLES = {
    "human": "user", "ai": "assistant", "gpt": "assistant", "model": "assistant", "bot": "assistant", "chatbot": "assistant",
    "function": "tool", "observation": "tool", "tool_response": "tool", "ipython": "tool", "AIMessageChunk": "assistant",
    "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system", "ToolMessage": "tool",
}  # fmt: skip
_SPEAKERS = frozenset(["user", "assistant", "system", "developer", "tool", *_ROLES])
_CALL_PARTS = ("functionCall", "function_call", "toolUse", "tool_use")
_ANSWER_PARTS = ("functionResponse", "function_response", "toolResult", "tool_result")
_CONTENTS = frozenset(["content", "parts", "value", "tool_calls"])
_THOUGHTS = ("thinking", "reasoning")


def _known(kind: Any) -> bool:
    """Whether the type of a message tells who speaks."""
    return isinstance(kind, str) and kind in _SPEAKERS


def speaker(entry: Any) -> str | None:
    """Who speaks in a message: system, developer, user, assistant or tool, or any word that stands there instead."""
    if not isinstance(entry, dict):
        return None
    role = entry.get("role") or entry.get("from")
    if role is None and _known(entry.get("type")):
        role = entry["type"]
    return _ROLES.get(role, role) if isinstance(role, str) else None


def conversation(value: Any) -> list[Any] | None:
    """A list of messages, also one that was written down as JSON text; None for anything else."""
    if isinstance(value, str) and value[:2] in ("[{", "[ ", "[\n"):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
        if not isinstance(value, list) or not all(speaker(_unwrapped(entry)) is not None for entry in value):
            return None
    return value if isinstance(value, list) else None


def is_conversation(value: Any) -> bool:
    """Whether a value can be nothing but a conversation: every entry has a speaker who is known, and something that is said or called."""
    told = conversation(value)
    return bool(told) and all(
        isinstance(entry, dict) and _known(speaker(entry)) and not _CONTENTS.isdisjoint(entry)
        for entry in map(_unwrapped, told or ())
    )


def split(messages: list[Any]) -> tuple[list[Any], list[Any]]:
    """A conversation up to the first thing the assistant or a tool said, and from there on."""
    for index, entry in enumerate(messages):
        if speaker(_unwrapped(entry)) in ("assistant", "tool"):
            return messages[:index], messages[index:]
    return messages, []


def items_of(messages: Iterable[Any]) -> list[Item]:
    """The items of a conversation, in order."""
    return [item for _, item in numbered(messages)]


def numbered(messages: Iterable[Any], pairing: Pairing | None = None) -> Iterator[tuple[int, Item]]:
    """The items of a conversation, each with the place of its message."""
    told = [_unwrapped(entry) for entry in messages]
    pairing = pairing or Pairing()
    spoken = spelled = False
    for number, entry in enumerate(told):
        if isinstance(entry, dict):
            plain = list(_said(entry))
            after = told[number + 1] if number + 1 < len(told) else None
            said = list(spelled_out(plain, Following(speaker(after) == "tool", _text(after)), spoken, spelled))
            spelled = not calls_among(plain) and bool(calls_among(said))
        else:
            said, spelled = [message("assistant", entry)], False
        spoken = spoken or speaker(entry) == "assistant"
        pairing.pair(said)
        for item in said:
            yield number, item


def are_messages(items: Sequence[Any]) -> bool:
    """Whether all entries of a list are chat messages, and none is an item."""
    return bool(items) and all(isinstance(item, dict) and item.get("type") is None and "role" in item for item in items)


def is_chat(item: Item) -> bool:
    """Whether an item of a list of items is a chat message that holds more than a message: calls, or the output of one."""
    if item.get("type") is not None and not _known(item.get("type")):
        return False
    if item.get("tool_calls") or item.get("function_call") or speaker(item) == "tool" or "parts" in item:
        return True
    content = item.get("content")
    return isinstance(content, list) and any(_kind(block) is not None for block in content)


def _unwrapped(entry: Any) -> Any:
    """The message inside an envelope: LangChain writes one as an object of its class, or of its type and its data."""
    if isinstance(entry, dict) and "role" not in entry and "content" not in entry:
        inner = entry.get("kwargs") if entry.get("type") == "constructor" else entry.get("data")
        if isinstance(inner, dict) and "content" in inner:
            kind = entry.get("id")
            name = kind[-1] if isinstance(kind, list) and kind else entry.get("type")
            return {**inner, "type": inner.get("type") if _known(inner.get("type")) else name}
    return entry


def _said(entry: Item) -> Iterator[Item]:
    """What one message holds, as items."""
    role = speaker(entry) or "assistant"
    content = entry.get("content", entry.get("value", entry.get("parts")))
    if role == "tool" and not _blocks(content):
        yield _output(entry, content)
        return
    if entry.get("reasoning_content"):
        yield {"type": "reasoning", "summary": [], "content": entry["reasoning_content"]}
    calls = _listed(entry.get("tool_calls"))
    if not calls and isinstance(entry.get("function_call"), dict):
        calls = [entry["function_call"]]
    if isinstance(content, list) and _blocks(content):
        yield from _from_blocks(role, content)
    elif content or not (calls or entry.get("reasoning_content")):
        yield message(role, content)
    for call in calls:
        yield call_item(call)


def _listed(calls: Any) -> list[Any]:
    if isinstance(calls, str) and calls[:1] == "[":
        try:
            calls = msgspec.json.decode(calls)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return []
    return calls if isinstance(calls, list) else []


def _output(entry: Item, content: Any) -> Item:
    if content in (None, "", []) and entry.get("error"):
        error = entry["error"]
        content = error.get("message", error) if isinstance(error, dict) else error
    return {"type": "function_call_output", "call_id": first_of(entry, IDS[1:]), "output": content, "name": entry.get("name")}


def _kind(block: Any) -> str | None:
    """What a block or part of a content is besides text: a call, an answer or a thought."""
    if not isinstance(block, dict):
        return None
    kind = block.get("type")
    if kind == "tool_use" or any(isinstance(block.get(name), dict) for name in _CALL_PARTS):
        return "call"
    if kind == "tool_result" or any(isinstance(block.get(name), dict) for name in _ANSWER_PARTS):
        return "answer"
    if kind in _THOUGHTS or (block.get("thought") is True and isinstance(block.get("text"), str)):
        return "thought"
    return None


def _blocks(content: Any) -> bool:
    return isinstance(content, list) and any(_kind(block) is not None for block in content)


def _from_blocks(role: str, blocks: list[Any]) -> Iterator[Item]:
    """The blocks in order; texts that stand side by side are one message."""
    texts: list[Any] = []
    for block in blocks:
        kind = _kind(block)
        if kind is None:
            texts.append(block)
            continue
        if texts:
            yield message(role, texts)
            texts = []
        if kind == "call":
            yield call_item(next((block[name] for name in _CALL_PARTS if isinstance(block.get(name), dict)), block))
        elif kind == "thought":
            yield {"type": "reasoning", "summary": [], "content": first_of(block, (*_THOUGHTS, "text"))}
        else:
            yield _answer(next((block[name] for name in _ANSWER_PARTS if isinstance(block.get(name), dict)), block))
    if texts:
        yield message(role, texts)


def _answer(block: Item) -> Item:
    told = block["response"] if "response" in block else block.get("content", block.get("output"))
    if isinstance(told, dict):
        wrapped = next(iter(told)) if len(told) == 1 else None  # what is no object is put into one, since a response has to be
        told = told[wrapped] if wrapped in ("result", "output", "content") else told
    if isinstance(told, list):
        told = [part["json"] if isinstance(part, dict) and list(part) == ["json"] else part for part in told]
    elif told is not None and not isinstance(told, str):
        told = json_text(told)
    return {
        "type": "function_call_output",
        "call_id": first_of(block, IDS[1:]) or block.get("id"),
        "output": told,
        "name": block.get("name"),
    }


def _text(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    content = entry.get("content", entry.get("value"))
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text")
    return content if isinstance(content, str) else None
