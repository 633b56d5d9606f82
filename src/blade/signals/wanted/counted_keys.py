"""Entries under keys that count, as some people write a list: `{"step_1": {…}, "step_2": {…}}`."""

import re
from typing import Any, Final

_COUNTED: Final = re.compile(r"([A-Za-z]*[ _-]?)(\d{1,3})")
"""A key that counts entries: `step_1`, `1`."""


def counts(key: str) -> bool:
    """Whether a key tells the place of an entry: `step_1`, `2`."""
    return _COUNTED.fullmatch(key) is not None


def numbered(value: dict[str, Any]) -> list[Any]:
    """What stands under keys that count, `{"step_1": {…}, "step_2": {…}}`, in order; empty where any key does not."""
    counted = [_COUNTED.fullmatch(key) for key in value if isinstance(key, str)]
    if (
        not value
        or len(counted) < len(value)
        or any(one is None for one in counted)
        or len({one[1] for one in counted if one}) > 1
    ):
        return []
    order = sorted((int(one[2]), one[0]) for one in counted if one is not None)
    if [number for number, _ in order] != list(range(order[0][0], order[0][0] + len(order))) or order[0][0] > 1:
        return []
    return [value[key] for _, key in order]
