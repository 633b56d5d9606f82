"""Requests of the Responses API: what a model server refuses before it asks anybody."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from blade.gym.servers.dialects.refusal import Refused, list_at, object_at, text_at


def check_request(body: Any) -> dict[str, Any]:
    """The request, when its parts are of the kind that the API wants; a key that it does not know is the endpoint's own affair."""
    request = dict(object_at(body, "the body"))
    if not request.get("input"):
        raise Refused("the body must be a request with input")
    if not isinstance(request["input"], str):
        _objects_at(request["input"], "input")
    for name, check in _CHECKS.items():
        if request.get(name) is not None:
            check(request[name], name)
    return request


def _objects_at(value: Any, where: str) -> None:
    for number, item in enumerate(list_at(value, where)):
        object_at(item, f"{where}[{number}]")


def _number_at(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{where} must be a number")


def _count_at(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Refused(f"{where} must be a whole number")


def _flag_at(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise Refused(f"{where} must be true or false")


def _choice_at(value: Any, where: str) -> None:
    if not isinstance(value, str | Mapping):
        raise Refused(f"{where} must be a text or an object")


_CHECKS: Final[dict[str, Callable[[Any, str], Any]]] = {
    "tools": _objects_at,
    "tool_choice": _choice_at,
    "temperature": _number_at,
    "top_p": _number_at,
    "max_output_tokens": _count_at,
    "max_tool_calls": _count_at,
    "top_logprobs": _count_at,
    "parallel_tool_calls": _flag_at,
    "stream": _flag_at,
    "background": _flag_at,
    "store": _flag_at,
    "metadata": object_at,
    "reasoning": object_at,
    "text": object_at,
    "include": list_at,
    "instructions": text_at,
    "model": text_at,
    "user": text_at,
}
