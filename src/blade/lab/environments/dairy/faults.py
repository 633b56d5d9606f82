"""What goes wrong around the agents of a dairy: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from blade.lab.environments.draws import Arguments, both, each_argument, ids_swapped, joined, misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["route_unknown"] = (
    '{{"message": "no Route matched with those values", "request_id": "5b0e9c71d2aa4f0e"}}',
    "default backend - 404",
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n<hr>\n<address>Apache/2.4.58 (Ubuntu) Server at gateway.internal Port 80</address>\n</body></html>',
    "404 page not found",
    "<!DOCTYPE html>\n<html>\n<head><title>Welcome to nginx!</title></head>\n<body>\n<h1>Welcome to nginx!</h1>\n<p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p>\n</body>\n</html>",
)  # fmt: skip
troubles.STOPS["route_unknown"] = (
    "What answers in place of {tool} is some other web server, twice now. I can't reach the books and leave the request open.",
    "The gateway has no way through to {tool} at the moment, so nothing was done.",
    "{tool} is not to be found at its address, neither the first time nor the second. I have to stop here.",
)

MODEL: Final = "reward_model"
EXTRA: Final = "extra_info"
CALLS: Final = "tool_calls"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
ID: Final = re.compile(r"\b[A-Z]{2}\.\d{5}\b")
UNKNOWN: Final = (
    "There is no {name} in any register, so nobody was put on a shift.",
    "I searched for {name} and got no hit. Nothing was entered.",
    "{name} is not one of our drivers, as far as the registers go. I changed nothing.",
)
_BOTH: Final = ("{} / {}", "{}; {}", "{} or {}")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def written(name: str, arguments: Row) -> Row:
    return {"name": name, "arguments": arguments}


def truth(calls: Arguments, answer: str | None) -> str:
    """What is expected, as a column of a table keeps it: as one text."""
    return json.dumps({CALLS: [written(*one) for one in calls], "answer": answer}, ensure_ascii=False)


def expected(text: str) -> tuple[Arguments, str | None]:
    """The calls and the answer in such a text."""
    read = json.loads(text)
    return [(one["name"], one["arguments"]) for one in read[CALLS]], read["answer"]


def expecting(gold: Row, calls: Arguments, answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {**gold, MODEL: {**gold[MODEL], "ground_truth": truth(calls, answer)}}


def spoilt_golds(
    gold: Row, other: Row, rng: Random, rounded: float | str | None = None, exact: float | None = None
) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `other` is what another annotator expects, `rounded` the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    calls, answer = expected(gold[MODEL]["ground_truth"])
    others, reply = expected(other[MODEL]["ground_truth"])
    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{{key}}}}}" if _is_id(value) else value),
        "list_as_text": each_argument(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "mangled_encoding": each_argument(calls, lambda _, value: misread(value) if isinstance(value, str) else value),
        "clipped_values": each_argument(calls, lambda _, value: value[:WIDTH] if _is_text(value) else value),
        "day_month_swapped": each_argument(calls, lambda _, value: turned(value) if isinstance(value, str) else value),
        "percent_as_fraction": each_argument(calls, lambda key, value: value / 100 if key == "percent" else value),
        "columns_swapped": [ids_swapped(*one, _is_id) for one in calls],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "annotators_joined": joined(calls, others, _BOTH, rng),
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = each_argument(calls, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None:
        broken["annotators_joined"] = expecting(gold, calls, both(answer, reply, _BOTH, rng))
        if answer == rounded:
            broken["unrounded_gold"] = expecting(gold, calls, repr(exact))
        found = _NUMBER.search(gold[EXTRA]["solution"])
        if found and found[0] != answer and answer[0].isdigit():
            broken["wrong_number_extracted"] = expecting(gold, calls, found[0])
    return broken


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not _is_id(value)
