"""What goes wrong around the agents of a brewery: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from blade.lab.environments.brewery.books import STAGES, STATIONS
from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Script, call, say

troubles.TOOL_TEXTS["corrupted_store"] = (
    "sqlite3.DatabaseError: database disk image is malformed",
    'psycopg.errors.DataCorrupted: invalid page in block 412 of relation base/16384/24731 (while handling {tool})',
    "RocksDBException: Corruption: block checksum mismatch in /var/lib/planner/000318.sst offset 2293760 size 4096",
    "InnoDB: Database page corruption on disk or a failed read of page [page id: space=31, page number=88]; {tool} aborted",
    "ERROR: file is not a database (planner.db on {host})",
)  # fmt: skip
troubles.STOPS["corrupted_store"] = (
    "The data behind {tool} are damaged, it says, and a second attempt did not help. Nothing was done.",
    "{tool} can't read its own storage. I have no other way to get at the books, so this stays undone.",
    "Twice the same complaint about a damaged file from {tool}. I am leaving it here.",
)

GOLDEN: Final = "golden"
_GERMAN: Final = {**STATIONS, **STAGES}
_TOWN: Final = ZoneInfo("Europe/Berlin")
_ID = re.compile(r"([a-z]+#)(\d{5})")
_LOT = re.compile(r"([A-Z])([A-Z]{2})-(\d\d)")
_UNKNOWN: Final = (
    "The books have no brewer called {name}. I have not entered anything.",
    "Nobody by the name of {name} works here as far as the books go, so nothing was entered.",
    "I find no {name} among the brewers; please check who is meant.",
)


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    golden = gold[GOLDEN]
    tools, answer = golden["expected_tools"], golden["expected_output"]
    made = {
        "unfilled_gold": _each(tools, lambda key, value: f"{{{{{key}}}}}" if _is_id(value) else value),
        "list_as_text": _each(tools, lambda _, value: str(value) if isinstance(value, list) else value),
        "html_escaped_gold": _each(tools, lambda _, value: escape(value, quote=False) if isinstance(value, str) else value),
        "untranslated_gold": _each(tools, lambda _, value: _GERMAN.get(value, value) if isinstance(value, str) else value),
        "edit_trace_in_gold": _each(tools, _edited),
        "date_through_utc": _each(tools, _as_instant),
        "code_as_date": _each(tools, _as_date),
        "columns_swapped": [_swapped(one) for one in tools],
        "fanned_out_gold": [one for one in tools for _ in range(2)],
        "gold_missing_step": tools[:-1] if len(tools) > 1 else tools,
    }
    broken = {kind: {**golden, "expected_tools": ones} for kind, ones in made.items() if ones != tools}
    if answer is not None and re.fullmatch(r"\d{2,}", answer):
        broken["edit_trace_in_gold"] = {**golden, "expected_output": f"{answer} (was {int(answer) + 3})"}
    return {kind: {**gold, GOLDEN: one} for kind, one in broken.items()}


def _each(tools: list[Row], change: Callable[[str, Any], Any]) -> list[Row]:
    return [{**one, "input_parameters": {key: change(key, value) for key, value in one["input_parameters"].items()}} for one in tools]  # fmt: skip


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _edited(_: str, value: Any) -> Any:
    """The id with a word on the one that stood there before, as editors of a sheet leave it."""
    if not _is_id(value):
        return value
    kind, _, number = value.partition("#")
    return f"{value} (was {kind}#{int(number) - 1_311})"


def _as_instant(key: str, value: Any) -> Any:
    """The day as a program writes it that takes it for midnight in the town and prints it by UTC: the evening before."""
    if key != "day":
        return value
    return f"{datetime.fromisoformat(value).replace(tzinfo=_TOWN).astimezone(UTC):%Y-%m-%dT%H:%M:%S.000Z}"


def _as_date(_: str, value: Any) -> Any:
    """The code of a lot as a spreadsheet leaves it that takes it for a day: SEP-07 becomes 07-Sep."""
    found = _LOT.fullmatch(value) if isinstance(value, str) else None
    return f"{found[3]}-{found[1]}{found[2].lower()}" if found else value


def _swapped(one: Row) -> Row:
    """The call whose two ids stand in each other's columns."""
    given = one["input_parameters"]
    ids = [key for key, value in given.items() if _is_id(value)]
    if len(ids) != 2:
        return one
    first, second = ids
    return {**one, "input_parameters": {**given, first: given[second], second: given[first]}}


def under_a_pseudonym(request: str, name: str, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call("Brewers_Get", name=stranger)
    last = call("Brewers_Get", name=stranger.split()[-1])
    ways: tuple[Script, ...] = ((look,), (look, last), (look,))
    says = [say(words.format(name=stranger)) for words in rng.sample(_UNKNOWN, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, words) for way, words in zip(ways, says, strict=True)),
    }
