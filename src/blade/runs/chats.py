"""Chat messages as items, in whatever dialect they are logged: a tool call and its output each stand alone.

Dialects differ in four things. *Who speaks* is told by `role`, `from` or `type` (`human`, `ai`, `gpt`, `model`). *A call* stands in `tool_calls` (the
function an object, a name, or neither: `name` with `args`), in `function_call`, in a block of the content (`tool_use`, `toolUse`) or in a part
(`functionCall`). *Its output* is a message of the tool, or a block or part of the user's turn. Or both are written as text, in tags or in the words of
ReAct: then they are a call and its output only where the next message answers it, since a call that nobody answered is something the model said.
"""

import json
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
_CALL_TAG = re.compile(r"<(tool_call|function_call|toolcall)>\s*+(?=\{)")
_ANSWER_TAG = re.compile(r"<(tool_response|function_response|tool_output|tool_result)>")
_THINKS = re.compile(r"\s*<think(?:ing)?>(.*?)</think(?:ing)?>\s*", re.DOTALL)
_ACTION = re.compile(r"^[^\S\n]*+Action[^\S\n]*+:", re.MULTILINE)
_ACTED = re.compile(r"\s*+([\w.:/-]++)[^\S\n]*+\n\s*+Action Input\s*+:\s*+(?=\{)")
_GOES_ON = re.compile(r"^[^\S\n]*+(?:Thought|Observation|Final Answer)[^\S\n]*+:", re.MULTILINE)
_OBSERVATION = re.compile(r"\s*+Observation\s*+:\s*+", re.IGNORECASE)

Item = dict[str, Any]


def message(role: str, content: Any) -> Item:
    return {"type": "message", "role": role, "content": content}


def json_text(value: Any) -> str:
    """A value as JSON, also one with a number of more than 64 bits, or with half of a pair of surrogates, which becomes a question mark."""
    try:
        return msgspec.json.encode(value).decode()
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="replace").decode()


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


class Pairing:
    """Which calls wait for their output, in a list that is read from its beginning."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Any, Any]] = []
        self._made = 0

    def pair(self, said: Sequence[Item], ours: bool = True) -> None:
        """Give the calls of one message ids where they have none, and its outputs those of the calls that wait.

        An output without an id is that of the first call of its name that waits, or of the first. Words of the user or the assistant that come
        without an output end the waiting. Items that are not ours are read and left as they are.
        """
        if any(map(_speaks, said)) and not any(item.get("type") == "function_call_output" for item in said):
            self._waiting.clear()
        for item in said:
            if item.get("type") == "function_call":
                self._called(item, ours)
            elif item.get("type") == "function_call_output":
                self._answered(item, ours)

    def _called(self, item: Item, ours: bool) -> None:
        known = item.get("call_id") or item.get("id")
        if known is None and ours:
            self._made += 1
            item["call_id"] = known = f"call-{self._made}-{item['name']}"
        self._waiting.append((item.get("name"), known))

    def _answered(self, item: Item, ours: bool) -> None:
        known = item.get("call_id")
        if known is not None or not ours:
            at = next((place for place, (_, made) in enumerate(self._waiting) if made == known), None)
            if at is not None:
                del self._waiting[at]
        elif self._waiting:
            at = next((place for place, (name, _) in enumerate(self._waiting) if item["name"] in (None, name)), 0)
            item["call_id"] = self._waiting.pop(at)[1]


def _speaks(item: Item) -> bool:
    return item.get("type") in (None, "message") and item.get("role") in ("user", "assistant") and bool(item.get("content"))


def numbered(messages: Iterable[Any], pairing: Pairing | None = None) -> Iterator[tuple[int, Item]]:
    """The items of a conversation, each with the place of its message."""
    told = [_unwrapped(entry) for entry in messages]
    pairing = pairing or Pairing()
    spoken = spelled = False
    for number, entry in enumerate(told):
        if isinstance(entry, dict):
            plain = list(_said(entry))
            said = list(_spelled(plain, told[number + 1] if number + 1 < len(told) else None, spoken, spelled))
            spelled = not _calls(plain) and bool(_calls(said))
        else:
            said, spelled = [message("assistant", entry)], False
        spoken = spoken or speaker(entry) == "assistant"
        pairing.pair(said)
        for item in said:
            yield number, item


def _calls(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item["type"] == "function_call"]


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
        told = json_text(told)
    return {
        "type": "function_call_output",
        "call_id": _first(block, _IDS[1:]) or block.get("id"),
        "output": told,
        "name": block.get("name"),
    }


def _spelled(items: Sequence[Item], following: Any, spoken: bool, spelled: bool) -> Iterator[Item]:
    """The same items, with the calls that a text spells out where the next message answers them, and the answers that it holds."""
    made = _calls(items)
    for item in items:
        content = item.get("content")
        if item["type"] != "message" or not isinstance(content, str):
            yield item
        elif item["role"] == "assistant":
            yield from _calls_in(content, following, made)
        else:
            yield from _answers_in(item["role"], content, spoken, spelled)


def _calls_in(text: str, following: Any, made: Sequence[Item]) -> Iterator[Item]:
    """What a text says and calls; where its calls stand beside it too (`made`), the ones in the text are the same told again."""
    thought = _THINKS.match(text) if "<think" in text else None
    if thought is not None:
        yield {"type": "reasoning", "summary": [], "content": thought[1].strip()}
        text = text[thought.end() :]
    parts = None
    if "_call>" in text or "toolcall>" in text:
        if made or speaker(following) == "tool" or _begins_with_answer(_text(following)):
            parts = _tagged_calls(text)
        if parts is not None and made:
            names = [item["name"] for item in made]
            parts = (
                [part for part in parts if part["type"] == "message"]
                if all(one["name"] in names for one in _calls(parts))
                else None
            )
    elif not made and "Action Input" in text and _OBSERVATION.match(_text(following) or ""):
        parts = _action(text)
    if parts is not None:
        yield from parts
    elif text.strip() or thought is None:
        yield message("assistant", text)


def _tagged(text: str, opening: re.Pattern[str]) -> list[tuple[int, int, str]]:
    """Where tags stand that are closed, from where to where, and what is inside. Reads the text once, whatever it holds."""
    found: list[tuple[int, int, str]] = []
    open_ended: set[str] = set()
    end = 0
    for opened in opening.finditer(text):
        if opened.start() < end or opened[1] in open_ended:
            continue
        closing = f"</{opened[1]}>"
        at = text.find(closing, opened.end())
        if at < 0:
            open_ended.add(opened[1])
            continue
        end = at + len(closing)
        found.append((opened.start(), end, text[opened.end() : at].strip()))
    return found


def _tagged_calls(text: str) -> list[Item] | None:
    """The calls in a text and the words around them; None where there are no calls, or one of them is none."""
    parts: list[Item] = []
    told = 0
    found = _tagged(text, _CALL_TAG)
    for start, end, inside in found:
        call = _written(inside)
        if call is None:
            return None
        parts += [*_words(text[told:start]), call]
        told = end
    return [*parts, *_words(text[told:])] if found else None


def _words(text: str) -> list[Item]:
    return [message("assistant", text.strip())] if text.strip() else []


def _action(text: str) -> list[Item] | None:
    """The thought and the call of a text in the words of ReAct that ends with its only action."""
    actions = list(_ACTION.finditer(text))
    acted = _ACTED.match(text, actions[0].end()) if len(actions) == 1 else None
    arguments = text[acted.end() :].rstrip() if acted is not None else ""
    if acted is None or not arguments.endswith("}") or _GOES_ON.search(arguments):
        return None
    before = re.sub(r"\A\s*Thought\s*:\s*", "", text[: actions[0].start()]).strip()
    thought: list[Item] = [{"type": "reasoning", "summary": [], "content": before}] if before else []
    return [*thought, {"type": "function_call", "call_id": None, "name": acted[1], "arguments": arguments}]


def _written(text: str) -> Item | None:
    try:
        made = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    call = _call(made) if isinstance(made, dict) else None
    return call if call is not None and call["name"] is not None else None


def _answers_in(role: str, text: str, spoken: bool, spelled: bool) -> Iterator[Item]:
    """The outputs in a text: in tags once the assistant has spoken, in the words of ReAct right after a call that was spelled out."""
    if role in ("user", "tool"):
        stripped = text.strip() if spoken else ""
        outputs = _tagged(stripped, _ANSWER_TAG) if stripped[:1] == "<" else []
        if outputs and _nothing_around(stripped, outputs):
            yield from (_found(inside) for _, _, inside in outputs)
            return
        if role == "user" and spelled and (seen := _OBSERVATION.match(text)) is not None:
            yield _found(text[seen.end() :].strip())
            return
    yield message(role, text)


def _nothing_around(text: str, found: Sequence[tuple[int, int, str]]) -> bool:
    ends = [0, *(end for _, end, _ in found)]
    starts = [*(start for start, _, _ in found), len(text)]
    return not any(text[end:start].strip() for end, start in zip(ends, starts, strict=True))


def _found(output: str) -> Item:
    return {"type": "function_call_output", "call_id": None, "output": output, "name": None}


def _begins_with_answer(text: str | None) -> bool:
    stripped = text.lstrip() if text else ""
    found = _tagged(stripped, _ANSWER_TAG) if stripped[:1] == "<" else []
    return bool(found) and found[0][0] == 0


def _text(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    content = entry.get("content", entry.get("value"))
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text")
    return content if isinstance(content, str) else None
