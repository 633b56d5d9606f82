"""Calls and outputs that a chat writes as text: in tags, or in the words of ReAct.

They are a call and its output only where the next message answers it, since a call that nobody answered is something the model said. Texts are read once,
whatever they hold: a log may end in the middle of a tag, and a model may repeat one for ever.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from blade.runs.chat_items import Item, call_item, calls_among, message

_CALL_TAG = re.compile(r"<(tool_call|function_call|toolcall)>\s*+(?=\{)")
_ANSWER_TAG = re.compile(r"<(tool_response|function_response|tool_output|tool_result)>")
_THINKS = re.compile(r"\s*<think(?:ing)?>(.*?)</think(?:ing)?>\s*", re.DOTALL)
_ACTION = re.compile(r"^[^\S\n]*+Action[^\S\n]*+:", re.MULTILINE)
_ACTED = re.compile(r"\s*+([\w.:/-]++)[^\S\n]*+\n\s*+Action Input\s*+:\s*+(?=\{)")
_GOES_ON = re.compile(r"^[^\S\n]*+(?:Thought|Observation|Final Answer)[^\S\n]*+:", re.MULTILINE)
_OBSERVATION = re.compile(r"\s*+Observation\s*+:\s*+", re.IGNORECASE)


class Following(NamedTuple):
    """What is known of the message after: whether a tool says it, and its text."""

    of_tool: bool
    text: str | None


def spelled_out(items: Sequence[Item], following: Following, spoken: bool, spelled: bool) -> Iterator[Item]:
    """The same items, with the calls that a text spells out where the next message answers them, and the answers that it holds."""
    made = calls_among(items)
    for item in items:
        content = item.get("content")
        if item["type"] != "message" or not isinstance(content, str):
            yield item
        elif item["role"] == "assistant":
            yield from _calls_in(content, following, made)
        else:
            yield from _answers_in(item["role"], content, spoken, spelled)


def _calls_in(text: str, following: Following, made: Sequence[Item]) -> Iterator[Item]:
    """What a text says and calls; where its calls stand beside it too (`made`), the ones in the text are the same told again."""
    thought = _THINKS.match(text) if "<think" in text else None
    if thought is not None:
        yield {"type": "reasoning", "summary": [], "content": thought[1].strip()}
        text = text[thought.end() :]
    parts = None
    if "_call>" in text or "toolcall>" in text:
        if made or following.of_tool or _begins_with_answer(following.text):
            parts = _tagged_calls(text)
        if parts is not None and made:
            names = [item["name"] for item in made]
            parts = (
                [part for part in parts if part["type"] == "message"]
                if all(one["name"] in names for one in calls_among(parts))
                else None
            )
    elif not made and "Action Input" in text and _OBSERVATION.match(following.text or ""):
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
    call = call_item(made) if isinstance(made, dict) else None
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
