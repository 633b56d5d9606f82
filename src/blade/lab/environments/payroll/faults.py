"""How a payroll office's dataset has what is expected, how it breaks, and the words of broken machinery."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from blade.lab.environments.draws import Arguments, both, each_argument, ids_swapped, is_day, joined, misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["cluster_without_leader"] = (
    "etcdserver: no leader",
    '{{"error": "Unexpected response code: 500 (No cluster leader)"}}',
    "redis.exceptions.ClusterDownError: CLUSTERDOWN The cluster is down",
    "cassandra.Unavailable: Error from server: code=1000 [Unavailable exception] message=\"Cannot achieve consistency level QUORUM\" info={{'required_replicas': 2, 'alive_replicas': 1}}",
    "rpc error: code = Unavailable desc = raft: shard 3 has no elected leader (while handling {tool})",
)
troubles.STOPS["cluster_without_leader"] = (
    "The database cluster behind {tool} has lost its leader and answers nothing, not on the second try either. The request is still open.",
    "{tool} can't work at present because too few of the database's nodes are up. I made no change.",
    "Both attempts at {tool} ended with the cluster being down, so I could not do this.",
)

CALLS: Final = "expected_function_calls"
ANSWER: Final = "expected_answer"
META: Final = "verifier_metadata"
REASONING: Final = "reference_reasoning"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
ID: Final = re.compile(r"[A-Z]{3}-\d{5}")
UNKNOWN: Final = (
    "Nobody called {name} is on our files, so I have not entered anything.",
    "The lookup of {name} came back empty. No change was made.",
    "I can't find an employee by the name of {name}; the request is left as it is.",
)
_FORMS: Final = ("{} | {}", "{} // {}", "[1] {} [2] {}")


def written(name: str, arguments: Row) -> Row:
    """A call as the dataset and the verifier keep it: its arguments are one text."""
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}


def read(calls: list[Row]) -> Arguments:
    return [(one["name"], json.loads(one["arguments"])) for one in calls]


def expecting(gold: Row, calls: Arguments, answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {**gold, CALLS: [written(*one) for one in calls], ANSWER: answer}


def spoilt_golds(
    gold: Row, other: Row, rng: Random, rounded: float | str | None = None, exact: float | None = None
) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `other` is what another annotator expects, `rounded` the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    calls, answer = read(gold[CALLS]), gold[ANSWER]
    made = {
        "unfilled_gold": each_argument(calls, lambda key, value: f"{{{{ {key} }}}}" if _is_id(value) else value),
        "list_as_text": each_argument(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "mangled_encoding": each_argument(calls, lambda _, value: misread(value) if isinstance(value, str) else value),
        "clipped_values": each_argument(calls, lambda _, value: value[:WIDTH] if _is_text(value) else value),
        "day_month_swapped": each_argument(calls, lambda _, value: turned(value) if isinstance(value, str) else value),
        "two_digit_year_gold": each_argument(
            calls, lambda key, value: f"{int(value[:4]) + 100}{value[4:]}" if key == "born_on" and is_day(value) else value
        ),
        "columns_swapped": [ids_swapped(*one, _is_id) for one in calls],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
        "annotators_joined": joined(calls, read(other[CALLS]), _FORMS, rng),
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = each_argument(calls, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None:
        broken["annotators_joined"] = expecting(gold, calls, both(answer, other[ANSWER], _FORMS, rng))
        if answer == rounded:
            broken["unrounded_gold"] = expecting(gold, calls, repr(exact))
    return broken


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not _is_id(value)
