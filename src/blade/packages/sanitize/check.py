"""Scores never change: the copy is read again beside the original before it is handed over.

Nothing but strings may differ, and a string that differs must carry a marker. So every reward, index and count is what it was, row by row.
Task ids may be replaced, but only one for one: two tasks must not become one, nor one two.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from blade.errors import FellShort
from blade.packages.sanitize.encoded import encoded_texts
from blade.packages.sanitize.sources import Source, lines_of
from blade.runs.facts import ID_FIELDS, LAST_RESORT_ID_FIELDS
from blade.untrusted.detection import MARKER

ALWAYS_EQUAL: Final = (
    "reward",
    "score",
    "_ng_task_index",
    "_ng_rollout_index",
    "_ng_attempt_index",
    "rollout_index",
    "repeat",
    "trial",
)
_IDS: Final = (*ID_FIELDS, *LAST_RESORT_ID_FIELDS)


class Ids:
    """Which new id stands for which old one, in both directions; over all files, because tasks are joined over files."""

    def __init__(self) -> None:
        self._new: dict[tuple[str, int], int] = {}
        self._old: dict[tuple[str, int], int] = {}

    def agree(self, field: str, old: Any, new: Any) -> bool:
        one, other = hash(json.dumps(old)), hash(json.dumps(new))
        return self._new.setdefault((field, one), other) == other and self._old.setdefault((field, other), one) == one


def check_copy(source: Source, copy: Path, ids: Ids) -> int:
    """The rows that were compared; FellShort where the copy says anything else than the original."""
    if source.form != "rows":
        _check_document(source, copy)
        return 0
    compared = 0
    for number, (old, new) in enumerate(zip_longest(lines_of(source.path), lines_of(copy)), 1):
        problem = "a line is missing" if old is None or new is None else _line_problem(old, new, ids)
        if problem:
            raise FellShort(
                f"the copy would change the run: {problem}", path=source.path, line=number, hint="nothing was written"
            )
        compared += bool(old.strip())
    return compared


def _check_document(source: Source, copy: Path) -> None:
    if source.form == "json":
        old, new = (_parsed(b"".join(lines_of(path))) for path in (source.path, copy))
        problem = next(differences(old, new), None) if old is not None else None
        if problem:
            raise FellShort(f"the copy would change a figure: {problem}", path=source.path, hint="nothing was written")


def _line_problem(old: bytes, new: bytes, ids: Ids) -> str | None:
    if old == new and not (b"redacted" in old or b"@" in old):
        row = _parsed(old)
        return _ids_problem(row, row, ids)
    before, after = _parsed(old), _parsed(new)
    if before is None:
        return None if not old.strip() or after is None else "a damaged line became a row"
    if after is None:
        return "the row is no JSON any more"
    if isinstance(before, dict) and isinstance(after, dict):
        for field in ALWAYS_EQUAL:
            if field in before and not _same(before[field], after.get(field)) and not isinstance(before[field], str):
                return f"{field} is not the same"
    return next(differences(before, after), None) or _ids_problem(before, after, ids)


def _ids_problem(before: Any, after: Any, ids: Ids) -> str | None:
    if isinstance(before, dict) and isinstance(after, dict):
        for field in _IDS:
            if isinstance(before.get(field), str) and not ids.agree(field, before[field], after.get(field)):
                return f"two values of {field} became one, or one became two"
    return None


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def differences(old: Any, new: Any, path: str = "$") -> Iterator[str]:
    """Places where the new value is not the old one with strings replaced by marked ones."""
    if isinstance(new, str) and MARKER.search(new) and (isinstance(old, str) or MARKER.fullmatch(new)):
        return
    if isinstance(old, dict) and isinstance(new, dict) and len(old) == len(new):
        for (name, inner), (new_name, other) in zip(old.items(), new.items(), strict=True):
            if name != new_name and not MARKER.search(new_name):
                yield f"a key at {path} changed"
            yield from differences(inner, other, f"{path}.{new_name[:80]}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (inner, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(inner, other, f"{path}[{number}]")
    elif isinstance(old, str) and isinstance(new, str):
        if old != new and not _marked_inside(new):
            yield f"the text at {path} changed without a mark"
    elif not _same(old, new):
        yield f"the value at {path} changed"


def _marked_inside(text: str) -> bool:
    return any(MARKER.search(one.text) or _marked_inside(one.text) for one in encoded_texts(text))


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and (old == new or (old != old and new != new))
