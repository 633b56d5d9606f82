"""What goes wrong around the agents of a ferry line: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import escape
from random import Random
from typing import Any, Final

from blade.lab.environments.draws import Arguments, both, each_argument, is_day, joined, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["results_unawaited"] = (
    "<coroutine object {tool} at 0x7f3c9a1e2b40>",
    "[object Promise]",
    "<Task pending name='Task-118' coro=<{tool}() running at /srv/tools/app.py:64>>",
    "Promise {{ <pending> }}",
    "<Future at 0x7f81d0c7b910 state=pending>",
)
troubles.STOPS["results_unawaited"] = (
    "{tool} hands me an object that is still pending and never its result, so I can't do this. Nothing has been entered.",
    "What I get from {tool} is not an answer but the name of an unfinished task, both times. The job is left undone.",
    "No result comes out of {tool}, only a reference to one. I have to stop here.",
)
troubles.RETRIES["results_unawaited"] = (
    "That is no result yet. Once more.",
    "I only got a reference to something unfinished; trying again.",
    "Nothing readable in that. Again.",
)

EXPECTED: Final = "expected"
CALLS: Final = "calls"
ANSWER: Final = "answer"
ID: Final = re.compile(r"[A-Z]{3}\.\d{5}")
UNKNOWN: Final = (
    "There is no {name} in the crew register, so nothing was assigned.",
    "I searched the crew for {name} without a result. I have not changed anything.",
    "The register does not know anybody called {name}; the job could not be done.",
)
UNCLEAR: Final = (
    "{sailing} has {free} free lane metres. The message only says something about {limit}, so I did nothing.",
    "With {free} lane metres free on {sailing} I don't know what is wanted: the message seems to lack a part, it only has a case for {limit}.",
    "I have looked at the space on {sailing} ({free} m). What to do in that case is not in the message, which just mentions {limit}. Nothing was entered.",
)
_BOTH: Final = ("{} | {}", "{} / {}", "A1: {}; A2: {}")


def written(name: str, arguments: Row) -> Row:
    return {"tool": name, "args": arguments}


def read(calls: list[Row]) -> Arguments:
    return [(one["tool"], one["args"]) for one in calls]


def expecting(gold: Row, calls: Arguments, answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {**gold, EXPECTED: {CALLS: [written(*one) for one in calls], ANSWER: answer}}


def spoilt_golds(gold: Row, other: Row, request: str, rng: Random) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `other` is what another annotator expects.
    """
    calls, answer = read(gold[EXPECTED][CALLS]), gold[EXPECTED][ANSWER]
    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{ {key} }}}}" if _is_id(value) else value),
        "list_as_text": each_argument(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "html_escaped_gold": each_argument(calls, lambda _, value: escape(value, False) if isinstance(value, str) else value),
        "day_month_swapped": each_argument(calls, lambda _, value: turned(value) if isinstance(value, str) else value),
        "date_through_utc": each_argument(calls, lambda _, value: _in_utc(value) if is_day(value) else value),
        "sexagesimal_gold": each_argument(calls, lambda _, value: _minutes(value) if _told_time(value, request) else value),
        "negative_gold": each_argument(calls, lambda key, value: -value if key == "amount" else value),
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "annotators_joined": joined(calls, read(other[EXPECTED][CALLS]), _BOTH, rng),
    }
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None:
        broken["annotators_joined"] = expecting(gold, calls, both(answer, other[EXPECTED][ANSWER], _BOTH, rng))
    return broken


def _in_utc(day: str) -> str:
    """The beginning of a day by summer time, in UTC."""
    return f"{date.fromisoformat(day) - timedelta(days=1)}T23:00:00.000Z"


def _told_time(value: Any, request: str) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d\d:\d\d", value) is not None and value in request


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None
