"""A Response object with all its keys, and the request it answers with all of its own.

Readers of rollouts look keys up and do not ask whether they are there, and endpoints differ in what they leave out. So every answer
that leaves a model server has the same keys: what the endpoint said, else what the request asked for, else null. A rollout's row holds
its request in the same way (`asked`); what is sent to an endpoint is only what somebody set.
"""

import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

_ECHOED: Final[dict[str, Any]] = {
    "instructions": None,
    "metadata": None,
    "parallel_tool_calls": True,
    "temperature": None,
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "background": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "previous_response_id": None,
    "prompt": None,
    "reasoning": None,
    "service_tier": None,
    "text": None,
    "top_logprobs": None,
    "truncation": None,
    "user": None,
}
"""Keys that an answer repeats from its request, and their values when the request does not say."""

KEYS: Final = (
    *("id", "created_at", "error", "incomplete_details", "instructions", "metadata", "model", "object", "output"),
    *("parallel_tool_calls", "temperature", "tool_choice", "tools", "top_p", "background", "conversation", "max_output_tokens"),
    *("max_tool_calls", "previous_response_id", "prompt", "prompt_cache_key", "reasoning", "safety_identifier", "service_tier"),
    *("status", "text", "top_logprobs", "truncation", "usage", "user"),
)

REQUEST_KEYS: Final = (
    *("background", "include", "input", "instructions", "max_output_tokens", "max_tool_calls", "metadata", "model"),
    *("parallel_tool_calls", "previous_response_id", "prompt", "reasoning", "service_tier", "store", "temperature", "text"),
    *("tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user", "stream"),
)


def asked(params: Mapping[str, Any]) -> dict[str, Any]:
    """A request as a rollout's row holds it: every key of the Responses API, and the type of every message."""
    items = params.get("input")
    said = [{"type": "message"} | item if _is_message(item) else item for item in items] if isinstance(items, list) else items
    return {**_UNASKED, "tools": [], **params, "input": said}


_UNASKED: Final[dict[str, Any]] = {key: _ECHOED.get(key) for key in REQUEST_KEYS}


def _is_message(item: Any) -> bool:
    return isinstance(item, Mapping) and "role" in item and "content" in item


_SILENT: Final[dict[str, Any]] = (
    dict.fromkeys(KEYS) | {key: value for key, value in _ECHOED.items() if key != "tools"} | {"object": "response"}
)
"""What stands in an answer when neither the endpoint nor the request says anything, in the usual order of keys."""


def response(
    params: Mapping[str, Any],
    output: Sequence[Mapping[str, Any]],
    *,
    model: str,
    usage: Mapping[str, Any] | None = None,
    response_id: str | None = None,
    created_at: float | None = None,
    incomplete: str | None = None,
) -> dict[str, Any]:
    """A Response object from its parts; `incomplete` is the reason why the model was cut off."""
    return whole(
        {
            "id": response_id or f"resp_{uuid.uuid4().hex}",
            "created_at": time.time() if created_at is None else created_at,
            "incomplete_details": None if incomplete is None else {"reason": incomplete},
            "model": model,
            "output": list(output),
            "status": "completed" if incomplete is None else "incomplete",
            "usage": usage,
        },
        params,
    )


def whole(answer: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with every key of a Response object, in their usual order; an endpoint's own extra keys follow."""
    echoed = {key: value for key, value in params.items() if key in _ECHOED and value is not None}
    return {**_SILENT, "tools": [], **echoed, **answer}


def after_tries(answer: dict[str, Any], failed: Sequence[str]) -> dict[str, Any]:
    """The answer with the categories of the tries before it, under a key of ours that is absent when the first try was answered."""
    return answer | {"ng_failed_tries": list(failed)} if failed else answer


def out_of_context(params: Mapping[str, Any], *, model: str) -> dict[str, Any]:
    """The answer when the prompt leaves no room for one: cut off before its first token, at no cost.

    The format has one word for both kinds of cut, so a key of ours tells this one from an answer that was too long.
    """
    nothing = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    usage = nothing | {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    empty = response(params, [message("", status="incomplete")], model=model, usage=usage, incomplete="max_output_tokens")
    return empty | {"ng_context_overflow": True}


def message(text: str, *, status: str = "completed", logprobs: Any = None) -> dict[str, Any]:
    """An assistant message of one text."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": logprobs or []}
    return {"id": f"msg_{uuid.uuid4().hex}", "type": "message", "role": "assistant", "status": status, "content": [part]}


def refusal(text: str, *, status: str = "completed") -> dict[str, Any]:
    """An assistant message that refuses."""
    part = {"type": "refusal", "refusal": text}
    return {"id": f"msg_{uuid.uuid4().hex}", "type": "message", "role": "assistant", "status": status, "content": [part]}


def function_call(name: str, arguments: str, call_id: str, *, status: str = "completed") -> dict[str, Any]:
    """A call of a tool; `arguments` is the text that the model wrote, valid JSON or not."""
    return {
        "id": f"fc_{uuid.uuid4().hex}",
        "type": "function_call",
        "name": name,
        "arguments": arguments,
        "call_id": call_id,
        "status": status,
    }


def reasoning(text: str) -> dict[str, Any]:
    """What a model wrote before its answer, where the endpoint shows it."""
    return {"id": f"rs_{uuid.uuid4().hex}", "type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
