"""IR: a tool call that stands in a message as the model wrote it, because what serves the model did not read it.

Models write calls in markup of their own, and a server turns it into calls. Where its parser is off, of another model, or fails, the markup reaches the
harness as a message, and the rollout ends there. Only calls of tools that the rollout has are meant; one that is malformed is the model's
own doing (BI), and a harness that reads such markup itself shows it in its prompt or goes on after it.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from blade.signals.example import Example, says, tool
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

LONGEST: Final = 20_000
_NAMED: Final = r"\s*\{[^{}]{0,200}?\"(?:name|function)\"\s*:\s*\"(?P<name>[^\"\n]{1,120})\".{0,8000}\}"
_FORMS: Final = (
    re.compile(rf"<(?P<mark>tool_call|function_call|toolcall)>{_NAMED}\s*</(?P=mark)>", re.DOTALL),
    re.compile(rf"(?P<mark><\|python_tag\|>){_NAMED}", re.DOTALL),
    re.compile(rf"(?P<mark>\[TOOL_CALLS\])\s*\[?{_NAMED}", re.DOTALL),
    re.compile(rf"(?P<mark>functools)\s*\[{_NAMED}\s*\]", re.DOTALL),
    re.compile(r"<(?P<mark>function)=(?P<name>[^>\s]{1,120})>.{0,8000}</function>", re.DOTALL),
    re.compile(r"(?P<mark><\|channel\|>)commentary\s+to=functions\.(?P<name>[\w.-]{1,120})[^{]{0,200}<\|message\|>\s*\{.{0,8000}\}", re.DOTALL),
    re.compile(r"<(?P<mark>invoke)\s+name=\"(?P<name>[^\"]{1,120})\">.{0,8000}</invoke>", re.DOTALL),
    re.compile(r"(?P<mark><｜tool▁sep｜>)(?P<name>[\w.-]{1,120})\s*```json\s*\{.{0,8000}\}", re.DOTALL),
)  # fmt: skip
"""The markup of calls by family of models: Hermes and Qwen, Llama, Mistral, Functionary, Llama's tags, harmony, XML, DeepSeek."""
_AFTER: Final = re.compile(r"<[^<>]{0,60}>|[\s\])}]")
"""What may stand behind a call that ends a message: closing marks. Whoever goes on to tell what came back has made it up."""
_MARKS: Final = (
    "tool_call>", "function_call>", "toolcall>", "<|python_tag|>", "[TOOL_CALLS]", "functools", "<function=", "<|channel|>", "<invoke", "<｜tool▁sep｜>",
)  # fmt: skip
"""One of these stands in every such call, and looking for them is quick."""


@signal(
    "call_not_parsed",
    label="IR",
    meaning="the rollout ends with a tool call as the model writes it, in a message: what serves the model did not turn it into a call",
    causal=False,
    example=Example(
        (says('<tool_call>{"name": "find_stall", "arguments": {"id": "S1"}}</tool_call>'),), tools=(tool("find_stall"),)
    ),
)
def call_not_parsed(rollout: Rollout) -> Iterator[Evidence]:
    found = _left_in_message(rollout)
    if found is not None and _is_whole(found[0]):
        yield Evidence(
            rollout.last_step, found[0][:160], f"{found['name']} is a tool of this rollout, and no call was made", found["name"]
        )


@signal(
    "call_malformed",
    label="BI",
    meaning="the rollout ends with a tool call in a message whose arguments cannot be read: the model wrote it wrongly, and nobody told it",
    causal=False,
    example=Example(
        (says('<tool_call>{"name": "find_stall", "arguments": {"id": "S1"}}]}</tool_call>'),), tools=(tool("find_stall"),)
    ),
)
def call_malformed(rollout: Rollout) -> Iterator[Evidence]:
    found = _left_in_message(rollout)
    if found is not None and not _is_whole(found[0]):
        yield Evidence(
            rollout.last_step, found[0][-160:], f"the call of {found['name']} is no JSON that can be read", found["name"]
        )


def _left_in_message(rollout: Rollout) -> re.Match[str] | None:
    """The call that the last message ends with as text, of a tool that the rollout has; where none are declared, one that makes calls has some."""
    last = rollout.output[-1] if rollout.output else None
    if last is None or last.kind != "message" or last.role == "user" or rollout.status.cut:
        return None
    found = _written(last.text) if rollout.works_with_tools else None
    if found is None or (rollout.tools and found["name"] not in rollout.tools):
        return None
    mark = found["mark"]
    if mark in rollout.prompt_text or any(mark in item.text for item in rollout.output[:-1] if item.kind == "message"):
        return None
    return found


def written_call(text: str) -> re.Match[str] | None:
    """The whole call in the markup of a model that a text ends with; None where there is none, or where its arguments are no JSON."""
    found = _written(text)
    return found if found is not None and _is_whole(found[0]) else None


def _written(text: str) -> re.Match[str] | None:
    """The same, whether or not its arguments can be read."""
    text = text[-LONGEST:]
    if not any(mark in text for mark in _MARKS):
        return None
    for form in _FORMS:
        found = form.search(text)
        if found is not None and not _AFTER.sub("", text[found.end() :]):
            return found
    return None


def _is_whole(text: str) -> bool:
    """Whether the object within a call can be read; tags without an object are whole by their closing tag."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0:
        return True
    try:
        msgspec.json.decode(text[start : end + 1])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return "<invoke" in text or "<function=" in text
    return True
