"""How a theatre's dataset has what is expected, how it breaks, and the words of broken machinery."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from blade.lab.environments.draws import Arguments, both, each_argument, joined, misread
from blade.lab.environments.theatre.desk import is_house_day
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["event_loop_closed"] = (
    "RuntimeError: Event loop is closed",
    "RuntimeError: Task <Task pending name='Task-{tool}'> got Future <Future pending> attached to a different loop",
    "anyio.ClosedResourceError",
    "RuntimeError: Session is closed",
    "RuntimeError: Cannot send a request, as the client has been closed.",
)
troubles.STOPS["event_loop_closed"] = (
    "The client that calls {tool} has shut down underneath me, twice now. The request is not done.",
    "{tool} cannot be called any more from here: its connection was closed on our side. I leave this unfinished.",
    "Both calls of {tool} failed inside the program that makes them. Nothing could be carried out.",
)

EVENTS: Final = "events"
SPOKEN: Final = ("AgentUserInterface", "send_message_to_user")
"""The app and the function by which an answer is told."""
ID: Final = re.compile(r"[A-Z]{2}\.\d{5}")
UNKNOWN: Final = (
    "The contacts have nobody called {name}, so no slot was booked.",
    "I searched for {name} and got no entry. Nothing has been booked.",
    "There is no {name} among the people of the house; I could not book anything.",
)
_BOTH: Final = ("{} | {}", "{} / {}", "{} ;; {}")


def action(tool: str, arguments: Row) -> Row:
    """A call as the harness keeps it: app and function apart, every value as text beside its type."""
    app, _, name = tool.partition("__")
    return {"app": app, "function": name, "args": [_argument(*one) for one in arguments.items()]}


def _argument(name: str, value: Any) -> Row:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return {"name": name, "value": text, "value_type": type(value).__name__}


def told(answer: str) -> Row:
    return action("__".join(SPOKEN), {"content": answer})


def expected_events(calls: Arguments, answer: str | None) -> list[Row]:
    """What an oracle does, one thing after the other."""
    actions = [action(*one) for one in calls] + ([] if answer is None else [told(answer)])
    return [
        {
            "class_name": "OracleEvent",
            "event_type": "AGENT",
            "event_id": f"oracle-{number}",
            "dependencies": [f"oracle-{number - 1}"] if number > 1 else [],
            "action": one,
        }
        for number, one in enumerate(actions, 1)
    ]


def is_told(event: Row) -> bool:
    return bool(event["action"]["app"] == SPOKEN[0])


def read(events: Sequence[Row]) -> Arguments:
    """Names and arguments of the calls among events."""
    actions = [one["action"] for one in events if not is_told(one)]
    return [
        (f"{one['app']}__{one['function']}", {arg["name"]: _value(arg["value"], arg["value_type"]) for arg in one["args"]})
        for one in actions
    ]


def answer_in(events: Sequence[Row]) -> str | None:
    return next((str(one["action"]["args"][0]["value"]) for one in events if is_told(one)), None)


def _value(text: str, sort: str) -> Any:
    match sort:
        case "int":
            return int(text)
        case "float":
            return float(text)
        case "bool":
            return text == "True"
        case "list":
            return json.loads(text)
    return text


def expecting(gold: Row, calls: Arguments, answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {**gold, EVENTS: expected_events(calls, answer)}


def spoilt_golds(
    gold: Row, other: Row, rng: Random, rounded: float | str | None = None, exact: float | None = None
) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `other` is what another annotator expects, `rounded` the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    calls, answer = read(gold[EVENTS]), answer_in(gold[EVENTS])
    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{{key}}}}}" if _is_id(value) else value),
        "mangled_encoding": each_argument(calls, lambda _, value: misread(value) if isinstance(value, str) else value),
        "day_month_swapped": each_argument(calls, lambda _, value: _turned(value)),
        "date_through_utc": each_argument(calls, lambda _, value: _evening_before(value)),
        "boolean_for_word": each_argument(
            calls, lambda _, value: {"on": True, "off": False}.get(value, value) if isinstance(value, str) else value
        ),
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "annotators_joined": joined(calls, read(other[EVENTS]), _BOTH, rng),
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = each_argument(calls, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None:
        broken["annotators_joined"] = expecting(gold, calls, both(answer, answer_in(other[EVENTS]), _BOTH, rng))
        if answer == rounded:
            broken["unrounded_gold"] = expecting(gold, calls, repr(exact))
    return broken


def _turned(value: Any) -> Any:
    """A day whose number and month changed places, where its number can be a month; anything else as it is."""
    if not is_house_day(value) or int(value[:2]) > 12:
        return value
    return f"{value[3:5]}/{value[:2]}{value[5:]}"


def _evening_before(value: Any) -> Any:
    """A day of winter in Central Europe as a program keeps it that makes a time of it and counts by UTC; anything else as it is."""
    if not is_house_day(value):
        return value
    return f"{datetime.strptime(value, '%d/%m/%Y') - timedelta(hours=1):%Y-%m-%dT%H:%M:%S}.000Z"


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def odd_as_pattern(calls: Arguments) -> bool:
    """Whether an expected text is not matched by itself, read as a regular expression."""
    texts = [value for _, given in calls for value in given.values() if isinstance(value, str)]
    return not all(fits(text, text) for text in texts)


def fits(pattern: str, text: str) -> bool:
    try:
        return re.fullmatch(pattern, text) is not None
    except re.error:
        return False
