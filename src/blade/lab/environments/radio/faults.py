"""What goes wrong around the agents of a radio station: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["undecoded_body"] = (
    "\x1f\ufffd\x08\x00\x00\x00\x00\x00\x00\x03\ufffdV*I-.Q\ufffdR\ufffd\ufffd\x02\x00\x13\ufffd\x1a\ufffd\x0b\x00\x00\x00",
    "H4sIAAAAAAAAA6tWSs7PLUgsSlWyUkpOLUrOzEtXqlWyUsrMS8nMS1eqBQDq0HGTIQAAAA==",
    "b'\\x1f\\x8b\\x08\\x00\\x9d\\x12\\x01i\\x02\\xff\\xabV*\\xcaL/\\xcaT\\xb2R*-N-R\\xaa\\x05\\x00\\xf7\\xe6\\x14'",
    "(\ufffd/\ufffd \x1fU\x01\x00\ufffd\x02clip\ufffd|\x10\ufffd\ufffd#\x01\x00\ufffd\ufffd\ufffd8",
)
"""Compressed bodies (gzip, zstd) as they come when nobody unpacks them."""
troubles.STOPS["undecoded_body"] = (
    "All that {tool} gives me is unreadable bytes, also on a second try. I can't work with that and leave the sheet as it is.",
    "The answer of {tool} looks like compressed data that nobody unpacked. Nothing was filed.",
    "I can't read what {tool} returns: it is binary, not a table. This has to wait.",
)
troubles.RETRIES["undecoded_body"] = (
    "That is not readable. Asking again.",
    "Binary rubbish came back; once more.",
    "What was that? Again.",
)
troubles.TOOL_TEXTS["lost_mount"] = (
    "OSError: [Errno 116] Stale file handle: '/mnt/playout/log.db'",
    "{tool}: cannot open /mnt/playout: Transport endpoint is not connected",
    "ls: cannot access '/srv/nfs/playout': Input/output error ({host})",
    "FileNotFoundError: /mnt/playout is empty on {host}, is the share mounted?",
)

ITEM: Final = "item"


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    wanted = gold[ITEM]["wanted"]
    ops, reply = wanted["ops"], wanted["says"]
    made = {
        "unfilled_gold": _each(ops, _templated),
        "list_as_text": _each(ops, lambda _, value: str(value) if isinstance(value, list) else value),
        "fanned_out_gold": [one for one in ops for _ in range(2)],
        "sexagesimal_gold": _each(ops, _base_sixty),
        "edit_trace_in_gold": _each(ops, _edited),
        "gold_missing_step": ops[:-1] if len(ops) > 1 else ops,
    }
    broken = {kind: {**wanted, "ops": ones} for kind, ones in made.items() if ones != ops}
    if reply is not None and reply.isdigit():
        broken["edit_trace_in_gold"] = {**wanted, "says": f"{reply} (was {int(reply) + 3})"}
    return {kind: {**gold, ITEM: {**gold[ITEM], "wanted": one}} for kind, one in broken.items()}


def _each(ops: list[Row], change: Callable[[str, Any], Any]) -> list[Row]:
    return [{**one, "params": {key: change(key, value) for key, value in one["params"].items()}} for one in ops]


def _templated(key: str, value: Any) -> Any:
    """The name of the template's variable where the clip or the programme belongs."""
    return f"{{{{{key}}}}}" if key in ("clip", "show", "mast") else value


def _base_sixty(_: str, value: Any) -> Any:
    """The time as a reader of YAML 1.1 takes it that stands without quotes: a number to the base of sixty."""
    found = re.fullmatch(r"([1-9]\d?):([0-5]\d)", value) if isinstance(value, str) else None
    return 60 * int(found[1]) + int(found[2]) if found else value


def _edited(key: str, value: Any) -> Any:
    """The id with a word on the one that stood there before, as editors of a sheet leave it."""
    if key not in ("clip", "show", "mast"):
        return value
    kind, number = value.split(":")
    return f"{value} (was {kind}:{int(number) - 1_137})"
