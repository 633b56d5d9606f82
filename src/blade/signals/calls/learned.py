"""What a whole run teaches about its tools: read-only or state-changing, where names and descriptions leave it open.

The facts come from the tables `calls` and `expected` (`VOTES_QUERY`): how often a tool was called, how often equal calls of one
rollout were answered alike or differently, how often an answer merely acknowledges, and beside what the tool is expected. A name or a
description that says it is believed; a shell is never learned, because what one command did says nothing of the next.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from blade.runs.quoting import literal
from blade.signals.calls.mutation import CHANGE, CONFIGURED, READ, UNKNOWN, Mutation, classify, hands_over

ACKNOWLEDGES: Final = (
    r"(?i)^\W{0,4}(?:ok|okay|done|success(?:fully)?|true|created|updated|deleted|sent|saved|accepted)\b[^{\[]{0,40}$"
    r"|^.{0,120}\b(?:successfully|has been|was) (?:created|updated|deleted|removed|cancel+ed|sent|added|booked|scheduled|changed|saved|set|moved)\b"
    r'|^\{\W{0,3}"?(?:success|ok|status|result|accepted|confirmed|completed|done|saved|created|updated|deleted|removed|sent|booked)"?\W{1,3}'
    r'(?:true|"?ok|"?success|"?done|"?accepted|"?confirmed|"?completed)'
)
"""An answer that says only that something was done; for Python's `re` and for DuckDB alike."""
MIN_CALLS: Final = 2
MIN_REPEATS: Final = 3
"""Equal calls within a rollout from which equal answers mean that nothing was changed."""
SHARE_ACKNOWLEDGED: Final = 0.5

VOTES_QUERY: Final = f"""
WITH answered AS (
    SELECT name, count(*) AS calls, count(*) FILTER (error_class IS NOT NULL) AS errors,
           count(*) FILTER (error_class IS NULL AND regexp_matches(output, {literal(ACKNOWLEDGES)})) AS acknowledged,
           arg_max(mutation, step) AS kind
    FROM calls WHERE class = 'scored' AND name IS NOT NULL GROUP BY name
), repeated AS (
    SELECT name, count(*) FILTER (alike) AS same_answers, count(*) FILTER (NOT alike) AS other_answers
    FROM (SELECT rollout, name, hash(arguments) AS given, min(hash(output)) = max(hash(output)) AS alike FROM calls
          WHERE class = 'scored' AND error_class IS NULL AND output IS NOT NULL
          GROUP BY rollout, name, given HAVING count(*) > 1)
    GROUP BY name
), beside AS (
    SELECT mine.name, count(*) AS expected, count(*) FILTER (mine.others > 0 AND mine.changes = mine.others) AS beside_changes
    FROM (SELECT name, count(*) OVER task_calls - 1 AS others,
                 count(*) FILTER (mutation = 'change') OVER task_calls - (mutation = 'change')::INT AS changes
          FROM expected WHERE class = 'scored' WINDOW task_calls AS (PARTITION BY rollout)) AS mine
    GROUP BY mine.name
)
SELECT answered.name, answered.kind, calls, errors, acknowledged, coalesce(same_answers, 0), coalesce(other_answers, 0),
       coalesce(expected, 0), coalesce(beside_changes, 0)
FROM answered LEFT JOIN repeated USING (name) LEFT JOIN beside USING (name) ORDER BY answered.name
"""
"""One row of `Votes` for each tool that was called; needs the tables `calls` and `expected`. Texts are grouped by their hashes: all of them at once would fill the memory."""


class Votes(NamedTuple):
    """What a run says of one tool. `kind` is what its name, description and schema gave; `same_answers` counts groups of equal calls."""

    name: str
    kind: str
    calls: int
    errors: int = 0
    acknowledged: int = 0
    same_answers: int = 0
    other_answers: int = 0
    expected: int = 0
    beside_changes: int = 0


def learn(votes: Iterable[Votes], known: Mapping[str, str] | None = None) -> dict[str, Mutation]:
    """Each tool's kind with the reason, by name; `known` is what the user said."""
    return {vote.name: _learned(vote, (known or {}).get(vote.name)) for vote in votes}


def _learned(vote: Votes, told: str | None) -> Mutation:
    if told is not None:
        return Mutation(told, CONFIGURED)
    by_name = classify(vote.name)
    if by_name.reason.endswith("can do either") or (by_name.kind != UNKNOWN and vote.kind in (UNKNOWN, by_name.kind)):
        return by_name
    if hands_over(vote.name):
        return Mutation(UNKNOWN, "it hands over to a person")
    if vote.kind != UNKNOWN:
        return Mutation(vote.kind, "its description, its schema or the expected calls say so")
    worked = vote.calls - vote.errors
    if worked >= MIN_CALLS and vote.acknowledged >= SHARE_ACKNOWLEDGED * worked:
        return Mutation(CHANGE, f"{vote.acknowledged} of {worked} answers only acknowledge")
    if vote.expected and vote.beside_changes == vote.expected:
        return Mutation(CHANGE, f"it is expected {vote.expected} times, always beside calls that change something")
    if vote.same_answers >= MIN_REPEATS and not vote.other_answers and not vote.acknowledged:
        return Mutation(READ, f"equal calls were answered alike, {vote.same_answers} of {vote.same_answers} times")
    return Mutation(UNKNOWN, "nothing says")
