"""Token counts of model calls.

What an endpoint does not say is unknown, and unknown is not zero: it stays null, and it makes null every sum that it is part of.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

Usage = dict[str, Any]

_COUNTS: Final = ("input_tokens", "output_tokens", "total_tokens")
_KEYS: Final = {*_COUNTS, "input_tokens_details", "output_tokens_details"}
_DETAILS: Final = {"input_tokens_details": "cached_tokens", "output_tokens_details": "reasoning_tokens"}


def usage_of_chat(usage: Any) -> Usage | None:
    """The usage of a chat completion in the words of the Responses API; null where the endpoint was silent."""
    if not isinstance(usage, Mapping):
        return None
    read, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    total = _count(usage.get("total_tokens"))
    if total is None and read is not None and written is not None:
        total = read + written
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": _detail(usage, "prompt_tokens_details", "cached_tokens")},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": _detail(usage, "completion_tokens_details", "reasoning_tokens")},
        "total_tokens": total,
    }


def sum_usage(calls: Iterable[Mapping[str, Any] | None]) -> Usage | None:
    """The usage of several model calls together: null when there was none, or when one of them is unknown."""
    usages = list(calls)
    if not usages or any(usage is None for usage in usages):
        return None
    if len(usages) == 1 and usages[0] is not None and _is_whole(usages[0]):
        return dict(usages[0])
    known = [usage for usage in usages if usage is not None]
    total: Usage = {count: _sum(usage.get(count) for usage in known) for count in _COUNTS}
    for details, always in _DETAILS.items():
        given = [_mapping(usage.get(details)) for usage in known]
        names = {always: None} | {name: None for detail in given for name in detail}
        total[details] = {name: _sum(detail.get(name) for detail in given) for name in names}
    return {
        name: total[name]
        for name in ("input_tokens", "input_tokens_details", "output_tokens", "output_tokens_details", "total_tokens")
    }


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_whole(usage: Mapping[str, Any]) -> bool:
    """Whether it has just the keys of a sum, so that it is its own."""
    return usage.keys() == _KEYS and all(
        isinstance(usage[details], dict) and always in usage[details] for details, always in _DETAILS.items()
    )


def _sum(counts: Iterable[Any]) -> int | None:
    known = [_count(count) for count in counts]
    return None if any(count is None for count in known) else sum(count for count in known if count is not None)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _detail(usage: Mapping[str, Any], details: str, name: str) -> int | None:
    found = usage.get(details)
    return _count(found.get(name)) if isinstance(found, Mapping) else None
