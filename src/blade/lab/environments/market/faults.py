"""What goes wrong around the agents of a market office: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Script, call, say

troubles.TOOL_TEXTS["garbled_decoding"] = ("!", "<unk>", "\ufffd", "@@", "GG")
"""What a model that is served wrongly says, over and over."""
troubles.TOOL_TEXTS["unreset_state"] = (
    "ok: false\nreason: duplicate, session 5e0c41 made this entry and it still stands\n...",
    "ok: false\nreason: the same {tool} was booked earlier by session a91d7f on {host}\n...",
    "ok: false\nreason: entry exists (left by episode 00317, created before this session began)\n...",
    "ok: false\nreason: nothing to do, an earlier run on {host} has booked exactly this\n...",
)
troubles.STOPS["unreset_state"] = (
    "The books say that somebody else's session has made this very entry before me. I could not enter it and leave it at that.",
    "{tool} turns me down: an earlier session has booked the same, although I have only just begun. Nothing was entered by me.",
    "This seems to stand in the books from an earlier run, so {tool} does not take it from me.",
)
troubles.RETRIES["unreset_state"] = (
    "Booked by another session? I have only just started. Once more.",
    "That cannot be mine. Trying again.",
    "Odd, nothing was entered in this session yet. Again.",
)

DOC: Final = "doc"
_TOWN: Final = ZoneInfo("Europe/London")
_UNKNOWN: Final = (
    "There is no {name} in the register, so I have not changed anything.",
    "The register has no entry for {name}. Nothing was done.",
    "I can't find a trader called {name}; please check the name on the slip.",
)


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    target = gold[DOC]["target"]
    effects, text = target["effects"], target["text"]
    made = {
        "unfilled_gold": _each(effects, _templated),
        "list_as_text": _each(effects, lambda _, value: str(value) if isinstance(value, list) else value),
        "html_escaped_gold": _each(effects, _escaped),
        "edit_trace_in_gold": _each(effects, _edited),
        "date_through_utc": _each(effects, _as_instant),
        "fanned_out_gold": [one for one in effects for _ in range(2)],
        "gold_missing_step": effects[:-1] if len(effects) > 1 else effects,
    }
    broken = {kind: {**target, "effects": ones} for kind, ones in made.items() if ones != effects}
    if text is not None and re.fullmatch(r"\d{2,}", text):
        broken["edit_trace_in_gold"] = {**target, "text": f"{text} (was {int(text) + 4})"}
    return {kind: {DOC: {**gold[DOC], "target": one}} for kind, one in broken.items()}


def _each(effects: list[list[Any]], change: Callable[[str, Any], Any]) -> list[list[Any]]:
    return [[name, {key: change(key, value) for key, value in given.items()}] for name, given in effects]


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{5}/[A-Z]", value) is not None


def _templated(key: str, value: Any) -> Any:
    """The name of the template's variable where a number of the register belongs."""
    return f"{{{{{key}}}}}" if _is_id(value) else value


def _edited(_: str, value: Any) -> Any:
    """The number with a word on the one that stood there before, as editors of a sheet leave it."""
    return f"{value} (was {int(value[:5]) - 1_204}{value[5:]})" if _is_id(value) else value


def _escaped(_: str, value: Any) -> Any:
    """The text as a web page's source has it."""
    return list(map(escape, value)) if isinstance(value, list) else value


def _as_instant(key: str, value: Any) -> Any:
    """The day as a program writes it that takes it for midnight in the town and prints it by UTC: in summer, the evening before."""
    if key != "day":
        return value
    midnight = datetime.fromisoformat(value).replace(tzinfo=_TOWN).astimezone(UTC)
    return f"{midnight:%Y-%m-%dT%H:%M:%S.000Z}" if midnight.hour else value


def under_a_pseudonym(request: str, name: str, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call("register.look_up", name=stranger)
    again = call("register.look_up", name=stranger.split()[-1])
    ways: tuple[Script, ...] = ((look,), (look, again), (look,))
    says = [say(words.format(name=stranger)) for words in rng.sample(_UNKNOWN, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, words) for way, words in zip(ways, says, strict=True)),
    }
