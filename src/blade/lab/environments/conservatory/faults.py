"""What goes wrong around the agents of a conservatory: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Script, call, say

troubles.TOOL_TEXTS["mock_served"] = (
    'level=info source=mock-server operation={tool} body="string"',
    '{{"example": true, "operation": "{tool}", "result": {{"id": "string", "name": "string", "count": 0}}}}',
    'level=info msg="This is an example response. Connect a backend to see live data." operation={tool}',
    'level=info source=stub record="Lorem Ipsum" id=example/00000 generated_from=openapi.yaml',
)
troubles.STOPS["mock_served"] = (
    "{tool} gives me sample data instead of our records, so I can't do this now. Nothing was entered.",
    "What comes back from {tool} is the example of some test server. Without the real records I have to stop.",
    "I only get dummy content from {tool}, twice now. This is left undone.",
)
troubles.RETRIES["mock_served"] = ("That is an example and no record. Again.", "This looks like dummy data; one more time.")
troubles.TOOL_TEXTS["arguments_lost"] = (
    'level=error saved=no why="validation: no arguments received (request body is empty)"',
    'level=error why="{tool}: 422, required properties missing: all" received={{}}',
    'level=error why="cannot parse input of {tool}: expected an object, got null" relay={host}',
    'level=error why="{tool} was called with 0 parameters by {host}"',
)
troubles.STOPS["arguments_lost"] = (
    "{tool} says that it got no arguments, although I gave them both times. I can't get through to it.",
    "What I send to {tool} does not arrive: it complains of missing values that were in the call. I stop here.",
    "The values of my call get lost on the way to {tool}, so this could not be done.",
)
troubles.RETRIES["arguments_lost"] = ("They were all there. Once more.", "I did give that. Sending it again.")

CASE: Final = "testCase"
_ID = re.compile(r"[a-z]+/\d{5}")
_UNKNOWN: Final = (
    "Nobody by the name of {name} is on the roll. I have left everything as it was.",
    "I looked for {name} and the roll has no such pupil, so nothing was entered.",
    "{name} does not seem to be a pupil here; could the name be wrong?",
)


def calls_in(gold: Row) -> list[Row]:
    """The expected calls."""
    return next(list(one["value"]) for one in gold[CASE]["assert"] if one["type"] == "calls")


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    calls = calls_in(gold)
    made = {
        "unfilled_gold": _each(calls, _templated),
        "list_as_text": _each(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "negative_gold": [_booked(one) for one in calls],
        "columns_swapped": [_swapped(one) for one in calls],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
    }
    return {kind: _with_calls(gold, broken) for kind, broken in made.items() if broken != calls}


def _with_calls(gold: Row, calls: list[Row]) -> Row:
    checks = [{**one, "value": calls} if one["type"] == "calls" else one for one in gold[CASE]["assert"]]
    return {CASE: {**gold[CASE], "assert": checks}}


def _each(calls: list[Row], change: Callable[[str, Any], Any]) -> list[Row]:
    return [{**one, "kwargs": {key: change(key, value) for key, value in one["kwargs"].items()}} for one in calls]


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _templated(key: str, value: Any) -> Any:
    """The name of the template's variable where a resource name belongs."""
    return f"{{{{{key}}}}}" if _is_id(value) else value


def _booked(one: Row) -> Row:
    """What is paid back as a ledger books it: with a minus."""
    if one["function"] != "BILLING_PAY_BACK":
        return one
    return {**one, "kwargs": {**one["kwargs"], "euros": -one["kwargs"]["euros"]}}


def _swapped(one: Row) -> Row:
    """The call whose two resource names stand in each other's columns."""
    ids = [key for key, value in one["kwargs"].items() if _is_id(value)]
    if len(ids) != 2:
        return one
    first, second = ids
    return {**one, "kwargs": {**one["kwargs"], first: one["kwargs"][second], second: one["kwargs"][first]}}


def under_a_pseudonym(request: str, name: str, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call("ROSTER_FIND_PUPIL", full_name=stranger)
    other = call("ROSTER_FIND_TEACHER", full_name=stranger)
    ways: tuple[Script, ...] = ((look,), (look, other), (look,))
    says = [say(words.format(name=stranger)) for words in rng.sample(_UNKNOWN, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, words) for way, words in zip(ways, says, strict=True)),
    }
