"""A chat completion, said as a Response object.

A chat message holds what the model thought, said and called in one place; here each becomes an item, in the order in which a model
produces them: reasoning, then text or refusal, then calls. Reasoning comes in a field of its own, or, from endpoints without a
parser for it, in front of the text as `<think>…</think>`.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Any, Final

from blade.gym.models import shape
from blade.gym.models.usage import usage_of_chat

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"
_CUT_OFF: Final = {"length": "max_output_tokens", "content_filter": "content_filter"}


def missing_in_chat(completion: Mapping[str, Any]) -> str | None:
    """What an answer lacks to be a chat completion."""
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return "the answer has no choices"
    if not isinstance(choices[0].get("message"), Mapping):
        return "the answer's first choice has no message"
    calls = choices[0]["message"].get("tool_calls") or []
    if not isinstance(calls, list) or not all(
        isinstance(call, Mapping) and isinstance(_function(call), Mapping) for call in calls
    ):
        return "a tool call in the answer has no function"
    return None


def response_of_chat(
    completion: Mapping[str, Any], params: Mapping[str, Any], *, model: str, parse_thinking: bool = True
) -> dict[str, Any]:
    """The Response object for a completion that `missing_in_chat` found whole; `model` is used where the endpoint names none."""
    choice = completion["choices"][0]
    incomplete = _CUT_OFF.get(choice.get("finish_reason") or "")
    created = completion.get("created")
    return shape.response(
        params,
        items(choice, cut_off=incomplete is not None, parse_thinking=parse_thinking),
        model=completion.get("model") or model,
        usage=usage_of_chat(completion.get("usage")),
        response_id=completion.get("id"),
        created_at=float(created) if isinstance(created, int | float) else None,
        incomplete=incomplete,
    )


def items(choice: Mapping[str, Any], *, cut_off: bool = False, parse_thinking: bool = True) -> list[dict[str, Any]]:
    """The output items of one choice. An answer with nothing in it is a message with an empty text, so that a turn has an end."""
    message = choice["message"]
    status = "incomplete" if cut_off else "completed"
    thoughts, text = _thoughts_and_text(message, parse_thinking=parse_thinking)
    calls = [_call(call, status) for call in message.get("tool_calls") or []]
    found = [shape.reasoning(thoughts)] if thoughts else []
    if message.get("refusal"):
        found.append(shape.refusal(message["refusal"], status=status))
    elif text or not (calls or (thoughts and cut_off)):
        found.append(shape.message(text, status=status, logprobs=_logprobs(choice)))
    return found + calls


def split_thinking(text: str) -> tuple[str, str]:
    """What stands between `<think>` and `</think>` at the beginning of a text, and what follows.

    Some chat templates write the opening tag into the prompt, so the answer has only the closing one. A block without an end was
    cut off: all of it is thought.
    """
    before, closed, after = text.partition(_CLOSE)
    begun = before.lstrip()
    if begun.startswith(_OPEN):
        return begun.removeprefix(_OPEN).strip(), after.lstrip()
    if closed and _OPEN not in before:
        return begun.strip(), after.lstrip()
    return "", text


def _thoughts_and_text(message: Mapping[str, Any], *, parse_thinking: bool) -> tuple[str, str]:
    text = _content(message.get("content"))
    field = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(field, str) and field:
        return field, text
    return split_thinking(text) if parse_thinking else ("", text)


def _content(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _function(call: Mapping[str, Any]) -> Any:
    return call.get("function")


def _call(call: Mapping[str, Any], status: str) -> dict[str, Any]:
    function = call["function"]
    arguments = function.get("arguments")
    # Some endpoints send the parsed object where the format has its text.
    text = arguments if isinstance(arguments, str) else json.dumps({} if arguments is None else arguments, ensure_ascii=False)
    return shape.function_call(str(function.get("name") or ""), text, call.get("id") or f"call_{uuid.uuid4().hex}", status=status)


def _logprobs(choice: Mapping[str, Any]) -> Any:
    found = choice.get("logprobs")
    return found.get("content") if isinstance(found, Mapping) else None
