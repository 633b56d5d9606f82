"""Which rollout a request belongs to, read from the request itself.

A model server is stateless: an agent sends the whole conversation with every turn. Two things about a conversation stay the same from
turn to turn, and both are read here: its beginning, and what was said so far, once ids and statuses are left aside.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from blade.gym.models.chat_request import EXTRA_BODY

_MODEL_ITEMS: Final = ("reasoning", "function_call")
_ROLLOUT_KEYS: Final = ("_ng_rollout_id", "rollout_id", "session_id")


def rollout_name(params: Mapping[str, Any]) -> str | None:
    """The name of the rollout or session, where the request's metadata has one."""
    metadata = params.get("metadata") or {}
    return next((str(metadata[key]) for key in _ROLLOUT_KEYS if metadata.get(key)), None)


def seed(params: Mapping[str, Any]) -> int | None:
    """The seed that travels in the metadata: the number of the repeat, where the collector was asked to send it."""
    try:
        found = json.loads((params.get("metadata") or {}).get(EXTRA_BODY) or "{}").get("seed")
    except (AttributeError, TypeError, ValueError):
        return None
    return found if isinstance(found, int) else None


def input_items(params: Mapping[str, Any]) -> list[Any]:
    """The input as a list of items, with the instructions in front as the system message that they are."""
    given = params.get("input") or []
    items = [{"role": "user", "content": given}] if isinstance(given, str) else list(given)
    instructions = params.get("instructions")
    return [{"role": "system", "content": instructions}, *items] if instructions else items


def is_models(item: Any) -> bool:
    """Whether the model said this, rather than a user, a tool or the harness."""
    if not isinstance(item, Mapping):
        return False
    kind = item.get("type") or "message"
    return kind in _MODEL_ITEMS or (kind == "message" and item.get("role") == "assistant")


def opening_digest(params: Mapping[str, Any]) -> str:
    """A digest of what stands before the model's first word: the same in every turn of a rollout, and in every repeat of a task."""
    items = input_items(params)
    first = next((place for place, item in enumerate(items) if is_models(item)), len(items))
    return Conversation(items[:first]).digest()


class Conversation:
    """A digest of what was said, item by item. Reasoning is left out, because agents may drop it from the prompt."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._hash = hashlib.sha256()
        for item in items:
            self.say(item)

    def say(self, item: Any) -> None:
        """Add an item to the end."""
        said = _said(item)
        if said is not None:
            self._hash.update(json.dumps(said, ensure_ascii=True, sort_keys=True).encode() + b"\n")

    def digest(self) -> str:
        return self._hash.hexdigest()


def model_turns(output: Sequence[Any]) -> list[tuple[int, int]]:
    """Where each turn of the model begins and ends in a rollout's output: the runs of its own items between others' items."""
    turns: list[tuple[int, int]] = []
    for place, item in enumerate(output):
        if not is_models(item):
            continue
        if turns and turns[-1][1] == place:
            turns[-1] = (turns[-1][0], place + 1)
        else:
            turns.append((place, place + 1))
    return turns


def _said(item: Any) -> list[Any] | None:
    if not isinstance(item, Mapping):
        return ["item", item]
    kind = item.get("type") or "message"
    if kind == "reasoning":
        return None
    if kind == "message":
        return ["message", item.get("role"), _content(item.get("content"))]
    if kind == "function_call":
        return [kind, item.get("call_id"), item.get("name"), item.get("arguments")]
    if kind == "function_call_output":
        return [kind, item.get("call_id"), _content(item.get("output"))]
    return [kind, {key: value for key, value in item.items() if key not in ("id", "status", "type")}]


def _content(content: Any) -> Any:
    """Content as one text where it is all text; otherwise its parts."""
    if not isinstance(content, list):
        return content
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
    return "".join(text for text in texts if text) if all(isinstance(text, str) for text in texts) else content
