"""Chat messages as items, in whatever dialect they are logged: a tool call and its output each stand alone.

Dialects differ in four things. *Who speaks* is told by `role`, `from` or `type` (`human`, `ai`, `gpt`, `model`). *A call* stands in `tool_calls` (the
function an object, a name, or neither: `name` with `args`), in `function_call`, in a block of the content (`tool_use`, `toolUse`) or in a part
(`functionCall`). *Its output* is a message of the tool, or a block or part of the user's turn. Or both are written as text, in tags or in the words of
ReAct: then they are a call and its output only where the next message answers it, since a call that nobody answered is something the model said.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

_ROLES = {
    "human": "user", "ai": "assistant", "gpt": "assistant", "model": "assistant", "bot": "assistant", "chatbot": "assistant",
    "function": "tool", "observation": "tool", "tool_response": "tool", "ipython": "tool", "AIMessageChunk": "assistant",
    "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system", "ToolMessage": "tool",
}  # fmt: skip
_SPEAKERS = frozenset(["user", "assistant", "system", "developer", "tool", *_ROLES])
_NAMES = ("name", "tool_name", "function", "tool")
_GIVEN = ("arguments", "args", "input", "parameters", "tool_input", "tool_args")
_CALL_PARTS = ("functionCall", "function_call", "toolUse", "tool_use")
_ANSWER_PARTS = ("functionResponse", "function_response", "toolResult", "tool_result")
_IDS = ("id", "tool_call_id", "tool_use_id", "toolUseId", "call_id")
_CONTENTS = frozenset(["content", "parts", "value", "tool_calls"])
_THOUGHTS = ("thinking", "reasoning")
_TAGGED = re.compile(r"<(tool_call|function_call|toolcall)>\s*(\{.*?\})\s*</\1>", re.DOTALL)
_TAGGED_ANSWER = re.compile(r"<(tool_response|function_response|tool_output|tool_result)>\s*(.*?)\s*</\1>", re.DOTALL)
_THINKS = re.compile(r"\s*<think(?:ing)?>(.*?)</think(?:ing)?>\s*", re.DOTALL)
_ACTION = re.compile(r"^\s*Action\s*:\s*([\w.:/-]+)\s*$\s*^\s*Action Input\s*:\s*(\{.*\})\s*\Z", re.DOTALL | re.MULTILINE)
_OBSERVATION = re.compile(r"\s*Observation\s*:\s*", re.IGNORECASE)

Item = dict[str, Any]


def message(role: str, content: Any) -> Item:
    return {"type": "message", "role": role, "content": content}


def speaker(entry: Any) -> str | None:
    """Who speaks in a message: system, developer, user, assistant or tool, or any word that stands there instead."""
    if not isinstance(entry, dict):
        return None
    role = entry.get("role") or entry.get("from")
    if role is None and entry.get("type") in _SPEAKERS:
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
        isinstance(entry, dict) and speaker(entry) in _SPEAKERS and not _CONTENTS.isdisjoint(entry)
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


def numbered(messages: Iterable[Any]) -> Iterator[tuple[int, Item]]:
    """The items of a conversation, each with the place of its message; an output without an id belongs to the first call that waits for one."""
    told = [_unwrapped(entry) for entry in messages]
    waiting: list[tuple[Any, str]] = []
    for number, entry in enumerate(told):
        following = told[number + 1] if number + 1 < len(told) else None
        said = _spelled(_said(entry), following) if isinstance(entry, dict) else (message("assistant", entry),)
        for item in said:
            _pair(item, waiting)
            yield number, item


def _pair(item: Item, waiting: list[tuple[Any, str]]) -> None:
    """Give a call without an id one of its own, and an output the one of the first call of its name that waits, or of the first."""
    if item["type"] == "function_call" and item["call_id"] is None:
        made = f"call-{len(waiting) + 1}-{item['name']}"
        item["call_id"] = made
        waiting.append((item["name"], made))
    elif item["type"] == "function_call_output" and item["call_id"] is None and waiting:
        at = next((place for place, (name, _) in enumerate(waiting) if item["name"] in (None, name)), 0)
        item["call_id"] = waiting.pop(at)[1]


def are_messages(items: Sequence[Any]) -> bool:
    """Whether all entries of a list are chat messages, and none is an item."""
    return bool(items) and all(isinstance(item, dict) and item.get("type") is None and "role" in item for item in items)


def is_chat(item: Item) -> bool:
    """Whether an item of a list of items is a chat message that holds more than a message: calls, or the output of one."""
    if item.get("type") is not None and item.get("type") not in _SPEAKERS:
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
            return {**inner, "type": inner.get("type") if inner.get("type") in _SPEAKERS else name}
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
        yield _call(call)


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
    return {"type": "function_call_output", "call_id": _first(entry, _IDS[1:]), "output": content, "name": entry.get("name")}


def _call(call: Any) -> Item:
    made = call if isinstance(call, dict) else {}
    given = made["function"] if isinstance(made.get("function"), dict) else made
    name = next((given[key] for key in _NAMES if isinstance(given.get(key), str)), None)
    arguments = next((given[key] for key in _GIVEN if given.get(key) is not None), None)
    item = {"type": "function_call", "call_id": _first(made, _IDS), "name": name, "arguments": arguments}
    return {**item, "requestor": made["requestor"]} if "requestor" in made else item


def _first(holder: Item, names: Sequence[str]) -> Any:
    return next((holder[name] for name in names if holder.get(name) is not None), None)


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
            yield _call(next((block[name] for name in _CALL_PARTS if isinstance(block.get(name), dict)), block))
        elif kind == "thought":
            yield {"type": "reasoning", "summary": [], "content": _first(block, (*_THOUGHTS, "text"))}
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
        told = msgspec.json.encode(told).decode()
    return {
        "type": "function_call_output",
        "call_id": _first(block, _IDS[1:]) or block.get("id"),
        "output": told,
        "name": block.get("name"),
    }


def _spelled(items: Iterable[Item], following: Any) -> Iterator[Item]:
    """The same items, with the calls that a text spells out where the next message answers them, and the answers that it holds."""
    for item in items:
        content = item.get("content")
        if item["type"] != "message" or not isinstance(content, str):
            yield item
        elif item["role"] == "assistant":
            yield from _calls_in(content, following)
        else:
            yield from _answers_in(item["role"], content)


def _calls_in(text: str, following: Any) -> Iterator[Item]:
    thought = _THINKS.match(text) if "<think" in text else None
    if thought is not None:
        yield {"type": "reasoning", "summary": [], "content": thought[1].strip()}
        text = text[thought.end() :]
    answer = _text(following)
    if "_call>" in text or "toolcall>" in text:
        if speaker(following) == "tool" or (answer and _TAGGED_ANSWER.match(answer.lstrip())):
            made = [one for found in _TAGGED.finditer(text) if (one := _written(found[2])) is not None]
            if made and len(made) == len(_TAGGED.findall(text)):
                before = text[: text.index("<" + _TAGGED.findall(text)[0][0])].strip()
                yield from [message("assistant", before)] * bool(before)
                yield from made
                return
    elif "Action Input" in text and answer and _OBSERVATION.match(answer) and (found := _ACTION.search(text)) is not None:
        before = re.sub(r"^\s*Thought\s*:\s*", "", text[: found.start()]).strip()
        if before:
            yield {"type": "reasoning", "summary": [], "content": before}
        yield {"type": "function_call", "call_id": None, "name": found[1], "arguments": found[2]}
        return
    if text.strip() or thought is None:
        yield message("assistant", text)


def _written(text: str) -> Item | None:
    try:
        made = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    call = _call(made) if isinstance(made, dict) else None
    return call if call is not None and call["name"] is not None else None


def _answers_in(role: str, text: str) -> Iterator[Item]:
    if role in ("user", "tool"):
        stripped = text.strip()
        found = list(_TAGGED_ANSWER.finditer(stripped)) if stripped[:1] == "<" else []
        if found and not _TAGGED_ANSWER.sub("", stripped).strip():
            yield from ({"type": "function_call_output", "call_id": None, "output": one[2], "name": None} for one in found)
            return
        if role == "user" and (seen := _OBSERVATION.match(text)) is not None:
            yield {"type": "function_call_output", "call_id": None, "output": text[seen.end() :].strip(), "name": None}
            return
    yield message(role, text)


def _text(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    content = entry.get("content", entry.get("value"))
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text")
    return content if isinstance(content, str) else None
