"""What goes wrong around the agents of a travel agency: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from typing import Any, Final

from blade.lab.environments.draws import Arguments, each_argument, ids_swapped, misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["approval_unanswered"] = (
    "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
    '{{"error": "permission_required", "tool": "{tool}", "detail": "waiting for approval timed out after 60s (no interactive terminal)"}}',
    "Error: tool call rejected. {tool} is not on the allow list and no approver is connected.",
    "PermissionError: approval for {tool} was requested and nobody answered; denied by default",
    "Permission to use {tool} has been requested, but it hasn't been granted yet.",
)
troubles.STOPS["approval_unanswered"] = (
    "{tool} needs somebody's approval, which I cannot get here. Nothing was done.",
    "Both calls of {tool} were held back for an approval that nobody gave. I have to stop.",
    "I am not allowed to use {tool} without a confirmation from outside, so the request stays open.",
)
troubles.RETRIES["approval_unanswered"] = (
    "It asks for an approval. I'll call it once more.",
    "That was held back. Trying again.",
    "No approval came. Again.",
)

CALLS: Final = "ground_truth"
ANSWER: Final = "answer"
NOTES: Final = "annotator_notes"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
ID: Final = re.compile(r"\b[A-Z]{3}\d{6}\b")
UNKNOWN: Final = (
    "There is no profile of {name}, so I have not done anything.",
    "I searched the profiles for {name} and found nobody. No change was made.",
    "{name} has no profile with us; the request could not be carried out.",
)


@dataclass(frozen=True)
class Stated:
    """What a request itself states, as far as breaking a dataset needs to know."""

    days: Collection[str] = ()
    """Days that it writes out in words."""
    percents: Collection[int] = ()
    rounded: float | None = None
    """A figure that is worked out and rounded."""
    exact: float | None = None
    """The same before it was rounded."""


def written(name: str, arguments: Row) -> Row:
    return {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}


def read(calls: Sequence[Row]) -> Arguments:
    return [(one["name"], json.loads(one["arguments"])) for one in calls]


def spoilt_golds(gold: Row, stated: Stated) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    calls = read(gold[CALLS])

    def each(change: Callable[[Any], Any]) -> Arguments:
        return each_argument(calls, lambda _, value: change(value))

    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{ {key} }}}}" if _is_id(value) else value),
        "list_as_text": each(lambda value: str(value) if isinstance(value, list) else value),
        "first_of_list_kept": each(lambda value: value[:1] if isinstance(value, list) else value),
        "mangled_encoding": each(lambda value: misread(value) if isinstance(value, str) else value),
        "html_escaped_gold": each(lambda value: escape(value, False) if isinstance(value, str) else value),
        "clipped_values": each(_clipped),
        "day_month_swapped": each(lambda value: turned(value) if _among(value, stated.days) else value),
        "date_through_utc": each(lambda value: _in_utc(value) if _among(value, stated.days) else value),
        "percent_as_fraction": each_argument(
            calls, lambda key, value: value / 100 if key == "percent" and value in stated.percents else value
        ),
        "unrounded_gold": each(lambda value: stated.exact if _is_number(value) and value == stated.rounded else value),
        "columns_swapped": [ids_swapped(*one, _is_id) for one in calls],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "fanned_out_gold": [one for one in calls for _ in range(2)],
    }
    return {kind: {**gold, CALLS: [written(*one) for one in ones]} for kind, ones in made.items() if ones != calls}


def _among(value: Any, days: Collection[str]) -> bool:
    return isinstance(value, str) and value in days


def _in_utc(day: str) -> str:
    """The beginning of a day by Irish summer time, as a program keeps it that counts by UTC."""
    return f"{date.fromisoformat(day) - timedelta(days=1)}T23:00:00.000Z"


def _clipped(value: Any) -> Any:
    if isinstance(value, list):
        return [_clipped(one) for one in value]
    return value[:WIDTH] if isinstance(value, str) and not _is_id(value) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def as_texts(value: Any) -> Any:
    """A value as a recorder keeps it that makes a text of every number."""
    return str(value) if _is_number(value) else value
