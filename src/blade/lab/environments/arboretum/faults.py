"""What goes wrong around the agents of an arboretum: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from random import Random
from typing import Any, Final

from blade.lab.environments.draws import Arguments, both, each_argument, ids_swapped, joined, misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["licence_refused"] = (
    "LicenseCheckoutError: feature COLLECTIONS_API: all 20 concurrent licences are in use",
    "FlexNet Licensing error:-4,132. Licensed number of users already reached.",
    '{{"error": "license_limit_reached", "message": "No free seat for the collections database; {tool} was not executed."}}',
    "The licence of this installation could not be validated with the licence server. API access is suspended.",
    "java.lang.IllegalStateException: Cannot obtain license: maximum number of named users exceeded",
)  # fmt: skip
troubles.STOPS["licence_refused"] = (
    "There is no licence free for {tool} at the moment, so the request could not be carried out.",
    "{tool} is blocked by its licence, twice in a row. Nothing was saved.",
    "The software behind {tool} refuses to run for want of a licence, so this stays open.",
)
troubles.TOOL_TEXTS["library_missing"] = (
    "ImportError: libpq.so.5: cannot open shared object file: No such file or directory",
    "/opt/mcp/server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /opt/mcp/server)",
    "exec /opt/mcp/server: exec format error",
    "ModuleNotFoundError: No module named 'arboretum_tools' (python 3.11 on {host})",
    "/opt/mcp/server: error while loading shared libraries: libsqlite3.so.0: cannot open shared object file: No such file or directory",
)  # fmt: skip
troubles.STOPS["library_missing"] = (
    "{tool} can't be started here, something that it is built on is not installed. The request is not done.",
    "The server that has {tool} does not come up on this machine, so I can't do anything about the request.",
    "Both calls of {tool} ended before they began, for a part of its installation that is missing. I leave it at that.",
)

EXPECTATIONS: Final = "expectations"
CALLS: Final = "expected_tool_calls"
ANSWER: Final = "expected_response"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
ID: Final = re.compile(r"[A-Z]{2}\d{6}")
UNKNOWN: Final = (
    "No gardener called {name} is on record. I have not booked anything.",
    "I looked for {name} among the gardeners and found nobody, so nothing was saved.",
    "{name} does not seem to work here: the records have no such gardener. Nothing was changed.",
)
UNCLEAR: Final = (
    "The probe reads {ph}. Your message only says what happens at a pH of {limit}, so I have changed nothing.",
    "Part of the sentence seems to be missing: I see what to do at {limit}, but the soil of {bed} has {ph}. I left it alone.",
    "{bed} is at pH {ph}, and the message has no instruction for that, only one for {limit}. Nothing was ordered or noted.",
)
_BOTH: Final = ("{} | {}", "{} / {}", "A1: {}; A2: {}")


def written(name: str, arguments: Row) -> Row:
    return {"name": name, "arguments": arguments}


def read(calls: list[Row]) -> Arguments:
    return [(one["name"], one["arguments"]) for one in calls]


def expecting(gold: Row, calls: Arguments, answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {**gold, EXPECTATIONS: {**gold[EXPECTATIONS], CALLS: [written(*one) for one in calls], ANSWER: answer}}


def spoilt_golds(
    gold: Row, other: Row, rng: Random, rounded: float | str | None = None, exact: float | None = None
) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `other` is what another annotator expects, `rounded` the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    calls, answer = read(gold[EXPECTATIONS][CALLS]), gold[EXPECTATIONS][ANSWER]
    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{{key}}}}}" if _is_id(value) else value),
        "list_as_text": each_argument(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "mangled_encoding": each_argument(calls, lambda _, value: misread(value) if isinstance(value, str) else value),
        "clipped_values": each_argument(calls, lambda _, value: value[:WIDTH] if _is_text(value) else value),
        "day_month_swapped": each_argument(calls, lambda _, value: turned(value) if isinstance(value, str) else value),
        "percent_as_fraction": each_argument(calls, lambda key, value: value / 100 if key.endswith("percent") else value),
        "columns_swapped": [ids_swapped(*one, _is_id) for one in calls],
        "fanned_out_gold": [one for one in calls for _ in range(2)],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "annotators_joined": joined(calls, read(other[EXPECTATIONS][CALLS]), _BOTH, rng),
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = each_argument(calls, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None:
        broken["annotators_joined"] = expecting(gold, calls, both(answer, other[EXPECTATIONS][ANSWER], _BOTH, rng))
        if answer == rounded:
            broken["unrounded_gold"] = expecting(gold, calls, repr(exact))
    return broken


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not _is_id(value)
