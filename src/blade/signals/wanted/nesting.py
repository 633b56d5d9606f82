"""Rows that were flattened into columns: `reference.answer` and `reference.calls` are one object `reference` again.

Tables and experiment trackers write an object as one column for each of its members, with points or slashes in their names. What looks for
gold, checks and verdicts by the objects that hold them finds them then as well.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Any, Final

_FLATTENED: Final = re.compile(r"[A-Za-z_][\w-]{0,80}(?:[./][A-Za-z_][\w-]{0,80}){1,8}")
_KEPT: Final = frozenset(["response", "responses_create_params"])
"""What is read before the fields are."""


def nested(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with flattened objects put together; the same object where there are none, and a name that clashes with another stays as it is."""
    paths = {name: parts for name in fields if (parts := _parts(name))}
    heads = Counter(parts[0] for parts in paths.values())
    flattened = {name: None for name, parts in paths.items() if heads[parts[0]] > 1}  # one alone is a name with a point in it
    if not flattened:
        return fields
    found = {name: value for name, value in fields.items() if name not in flattened}
    made: set[int] = set()
    for name in flattened:
        *path, last = _parts(name)
        holder = _holder(found, path, made)
        if holder is None or last in holder:
            found[name] = fields[name]
        else:
            holder[last] = fields[name]
    return found


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, ...]:
    """The names on the way to a member; none where a name is no path. Names come again with every row."""
    parts = tuple(re.split(r"[./]", name)) if ("." in name or "/" in name) and _FLATTENED.fullmatch(name) else ()
    return () if parts and parts[0] in _KEPT else parts


def _holder(found: dict[str, Any], path: list[str], made: set[int]) -> dict[str, Any] | None:
    """The object at a path, made where there is none; None where something stands there that was not made here."""
    place = found
    for part in path:
        if part not in place:
            place[part] = {}
            made.add(id(place[part]))
        place = place[part]
        if id(place) not in made:
            return None
    return place
