"""A request of the Responses API, said as a chat completions request.

The two say the same with other groupings. In the Responses API everything that happened is a flat list of items; in a chat, what the
model thought, said and called in one turn is a single assistant message, and each tool's output is a message that names its call.
What has no counterpart in a chat (hosted tools, stored conversations) is refused with a `ModelError` rather than left out, because a
model that does not see part of its prompt is being measured on something else.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from blade.gym.models.errors import ModelError

ReasoningStyle = Literal["drop", "field", "think"]
"""What becomes of earlier reasoning in a prompt: left out, sent as `reasoning_content`, or as `<think>` before the text."""

Message = dict[str, Any]

_SAME_NAME: Final = ("temperature", "top_p", "user", "service_tier")
_TEXT_PARTS: Final = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_STORED: Final = ("previous_response_id", "conversation", "prompt")
EXTRA_BODY: Final = "extra_body"
"""The key in a request's metadata whose JSON text holds further parameters of the endpoint, such as a seed."""


def chat_request(
    params: Mapping[str, Any], *, model: str, reasoning: ReasoningStyle = "drop", max_tokens_key: str = "max_tokens"
) -> dict[str, Any]:
    """The chat completions request that asks for the same as `params`; `extra_body` is for the caller to add, after its own settings."""
    for key in _STORED:
        if params.get(key) is not None:
            raise _refuse(f"{key} refers to something stored at the endpoint, which chat completions do not have")
    body: dict[str, Any] = {"model": model, "messages": messages(params, reasoning=reasoning)}
    body |= {key: params[key] for key in _SAME_NAME if params.get(key) is not None}
    if params.get("max_output_tokens") is not None:
        body[max_tokens_key] = params["max_output_tokens"]
    if params.get("top_logprobs") is not None:
        body |= {"logprobs": True, "top_logprobs": params["top_logprobs"]}
    thinking = params.get("reasoning")
    if isinstance(thinking, Mapping) and thinking.get("effort") is not None:
        body["reasoning_effort"] = thinking["effort"]
    return body | _tools(params) | _text(params.get("text"))


def extra_body(params: Mapping[str, Any]) -> dict[str, Any]:
    """The endpoint's own parameters that travel in the metadata, whose values can only be text."""
    text = (params.get("metadata") or {}).get(EXTRA_BODY)
    if text is None:
        return {}
    try:
        found = json.loads(text)
    except (TypeError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise _refuse("metadata.extra_body is not the text of a JSON object")
    return found


def messages(params: Mapping[str, Any], *, reasoning: ReasoningStyle = "drop") -> list[Message]:
    """The instructions and the input as chat messages; the parts of one assistant turn come together."""
    found: list[Message] = []
    if params.get("instructions"):
        found.append({"role": "system", "content": params["instructions"]})
    given = params.get("input") or []
    if isinstance(given, str):
        return [*found, {"role": "user", "content": given}]
    turn = _Turn(reasoning)
    for item in given:
        if not turn.take(item):
            found += [*turn.messages(), _message(item)]
            turn = _Turn(reasoning)
    return found + turn.messages()


class _Turn:
    """One assistant message in the making."""

    def __init__(self, style: ReasoningStyle) -> None:
        self.style = style
        self.thoughts: list[str] = []
        self.texts: list[str] = []
        self.refusals: list[str] = []
        self.calls: list[dict[str, Any]] = []

    def take(self, item: Any) -> bool:
        """Add an item that is part of an assistant's turn; `False` for any other, which ends the turn."""
        if not isinstance(item, Mapping):
            raise _refuse(f"an input item is {type(item).__name__}, not an object")
        kind = item.get("type") or "message"
        if kind == "reasoning":
            self.thoughts.append(reasoning_text(item))
        elif kind == "function_call":
            self.calls.append(_call(item))
        elif kind == "message" and item.get("role") == "assistant":
            self._say(item.get("content"))
        else:
            return False
        return True

    def _say(self, content: Any) -> None:
        if isinstance(content, str):
            self.texts.append(content)
            return
        parts = _parts(content)
        self.refusals += [part.get("refusal") or "" for part in parts if part.get("type") == "refusal"]
        texts = [_text_of(part) for part in parts if part.get("type") != "refusal"]
        self.texts += ["".join(texts)] if texts else []

    def messages(self) -> list[Message]:
        """The turn as one message, none when nothing was taken."""
        thoughts = "\n".join(filter(None, self.thoughts)) if self.style != "drop" else ""
        if not (thoughts or self.texts or self.refusals or self.calls):
            return []
        text = "\n".join(self.texts)
        if thoughts and self.style == "think":
            text = f"<think>\n{thoughts}\n</think>\n\n{text}"
        message: Message = {"role": "assistant", "content": text if text or not (self.calls or self.refusals) else None}
        if thoughts and self.style == "field":
            message["reasoning_content"] = thoughts
        if self.refusals:
            message["refusal"] = "".join(self.refusals)
        if self.calls:
            message["tool_calls"] = self.calls
        return [message]


def reasoning_text(item: Mapping[str, Any]) -> str:
    """The readable part of a reasoning item: its content where the endpoint gave it, else its summary."""
    for key in ("content", "summary"):
        texts = [str(part.get("text") or "") for part in item.get(key) or [] if isinstance(part, Mapping)]
        if any(texts):
            return "\n".join(texts)
    return ""


def _message(item: Mapping[str, Any]) -> Message:
    """An item that is not the assistant's: a message of somebody else, or a tool's output."""
    kind = item.get("type") or "message"
    if kind == "function_call_output":
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": _output_text(item.get("output"))}
    if kind != "message":
        raise _refuse(f"an input item of type {kind!r} cannot be said in a chat")
    # Chat templates know no developer; where both roles exist, endpoints treat them alike.
    role = "system" if item.get("role") == "developer" else item.get("role")
    content = item.get("content")
    if isinstance(content, str) or content is None:
        return {"role": role, "content": content or ""}
    parts = [_part(part) for part in _parts(content)]
    return {"role": role, "content": parts[0]["text"] if len(parts) == 1 and parts[0]["type"] == "text" else parts}


def _parts(content: Any) -> list[Mapping[str, Any]]:
    parts = list(content or [])
    if not all(isinstance(part, Mapping) for part in parts):
        raise _refuse("the content of a message is a text or a list of objects")
    return parts


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    kind = part.get("type")
    if kind in _TEXT_PARTS:
        return {"type": "text", "text": _text_of(part)}
    if kind == "input_image" and part.get("image_url"):
        detail = {"detail": part["detail"]} if part.get("detail") else {}
        return {"type": "image_url", "image_url": {"url": part["image_url"]} | detail}
    if kind == "input_audio":
        return {"type": "input_audio", "input_audio": part.get("input_audio")}
    if kind == "input_file":
        named = {key: part[key] for key in ("file_id", "file_data", "filename") if part.get(key)}
        return {"type": "file", "file": named}
    raise _refuse(f"a content part of type {kind!r} cannot be said in a chat")


def _text_of(part: Mapping[str, Any]) -> str:
    if part.get("type") not in _TEXT_PARTS:
        raise _refuse(f"a content part of type {part.get('type')!r} cannot be said by an assistant in a chat")
    return str(part.get("text") or "")


def _output_text(output: Any) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, list) and all(isinstance(part, Mapping) and part.get("type") in _TEXT_PARTS for part in output):
        return "".join(_text_of(part) for part in output)
    return json.dumps(output, ensure_ascii=False)


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": item.get("name"), "arguments": item.get("arguments") or "{}"}
    return {"id": item.get("call_id"), "type": "function", "function": function}


def _tools(params: Mapping[str, Any]) -> dict[str, Any]:
    """The tools and how to choose among them; without tools nothing is said, because endpoints refuse a choice among none."""
    tools = [_tool(tool) for tool in params.get("tools") or []]
    if not tools:
        return {}
    found: dict[str, Any] = {"tools": tools}
    choice = params.get("tool_choice")
    if isinstance(choice, Mapping) and choice.get("type") == "function":
        found["tool_choice"] = {"type": "function", "function": {"name": choice.get("name")}}
    elif isinstance(choice, str):
        found["tool_choice"] = choice
    elif choice is not None:
        raise _refuse(f"a tool_choice of type {choice.get('type')!r} cannot be said in a chat")
    if params.get("parallel_tool_calls") is not None:
        found["parallel_tool_calls"] = params["parallel_tool_calls"]
    return found


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if tool.get("type") != "function":
        raise _refuse(f"a tool of type {tool.get('type')!r} runs at the endpoint, which chat completions do not offer")
    keys: Iterable[str] = ("name", "description", "parameters", "strict")
    return {"type": "function", "function": {key: tool[key] for key in keys if tool.get(key) is not None}}


def _text(text: Any) -> dict[str, Any]:
    """Structured output: `text.format` is `response_format`."""
    found: dict[str, Any] = {}
    if not isinstance(text, Mapping):
        return found
    if text.get("verbosity") is not None:
        found["verbosity"] = text["verbosity"]
    form = text.get("format") or {}
    kind = form.get("type")
    if kind == "json_schema":
        named = {key: form[key] for key in ("name", "description", "schema", "strict") if form.get(key) is not None}
        found["response_format"] = {"type": "json_schema", "json_schema": named}
    elif kind == "json_object":
        found["response_format"] = {"type": "json_object"}
    elif kind not in (None, "text"):
        raise _refuse(f"a text format of type {kind!r} cannot be asked for in a chat")
    return found


def _refuse(sentence: str) -> ModelError:
    return ModelError("client_error", None, sentence)
