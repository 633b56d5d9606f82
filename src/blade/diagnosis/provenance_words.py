"""A value of provenance in a few words: names and counts for people, hashes cut to what tells them apart; the whole value is in the JSON."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

MOST_LISTED: Final = 4
SHORT_HASH: Final = 10
_HASH: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{16,128}(?![0-9A-Za-z])")
_DIGESTS: Final = ("sha256", "sha1", "md5", "hash", "digest")


def in_words(value: Any) -> str:
    """`fingerprint 3f2a91c0de…, 24 tasks, joints.jsonl` for a dataset; settings as `name value`; lists with what comes after the first few counted."""
    if isinstance(value, Mapping):
        return _file(value) or ", ".join(
            _setting(str(name), inner) for name, inner in value.items() if inner not in (None, [], {})
        )
    if isinstance(value, list | tuple):
        more = f" and {len(value) - MOST_LISTED:,} more" if len(value) > MOST_LISTED else ""
        return ", ".join(in_words(one) for one in value[:MOST_LISTED]) + more
    return _HASH.sub(lambda found: f"{found[0][:SHORT_HASH]}…", str(value))


def _setting(name: str, value: Any) -> str:
    if name == "tasks" and isinstance(value, int) and not isinstance(value, bool):
        return "1 task" if value == 1 else f"{value:,} tasks"
    return in_words(value) if name == "files" else f"{name} {in_words(value)}"


def _file(value: Mapping[str, Any]) -> str:
    """A file by its name; empty where the value describes something else."""
    if "path" not in value or not all(name == "path" or name in _DIGESTS for name in value):
        return ""
    digest = next((str(value[name])[:SHORT_HASH] + "…" for name in _DIGESTS if value.get(name)), "")
    name = PurePath(str(value["path"])).name or str(value["path"])
    return f"{name} ({digest})" if digest else name
