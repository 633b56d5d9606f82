"""Which output answers which call, where a log keeps no ids."""

from collections.abc import Sequence
from typing import Any

from blade.runs.chat_items import Item


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
