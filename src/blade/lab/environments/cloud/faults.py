"""What goes wrong around the agents of a cloud account: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["clock_skew"] = (
    "An error occurred (RequestTimeTooSkewed) when calling {tool}: The difference between the request time and the current time is too large.",
    "An error occurred (InvalidSignatureException) when calling {tool}: Signature expired: 20261102T081207Z is now earlier than 20261102T083411Z (20261102T083911Z - 5 min.)",
    "botocore.exceptions.ClientError: (AuthFailure) {host}: request timestamp is 1327 s behind server time, check the clock of the client",
)  # fmt: skip
troubles.TOOL_TEXTS["pool_exhausted"] = (
    "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout 30.00",
    "psycopg2.OperationalError: FATAL:  sorry, too many clients already",
    "pymysql.err.OperationalError: (1040, 'Too many connections')",
    "redis.exceptions.ConnectionError: max number of clients reached ({tool})",
)
troubles.STOPS["pool_exhausted"] = (
    "The backend of {tool} has no free connections at the moment, so I could not finish this.",
    "{tool} failed twice for want of a database connection. The request is still open.",
)

EVAL: Final = "eval"
MUTATIONS: Final = "reference_mutations"


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    wanted = gold[EVAL][MUTATIONS]
    made: dict[str, list[Row]] = {}
    if len(wanted) > 1:
        made["gold_missing_step"] = wanted[:-1]
    escaped = [{**one, "input": _escaped(one["input"])} for one in wanted]
    if escaped != wanted:
        made["html_escaped_gold"] = escaped
    made["unfilled_gold"] = [{**one, "input": _templated(one["input"])} for one in wanted]
    return {kind: {**gold, EVAL: {**gold[EVAL], MUTATIONS: broken}} for kind, broken in made.items()}


def _escaped(value: Any) -> Any:
    """The value as a web page's source has it."""
    if isinstance(value, dict):
        return {key: _escaped(inner) for key, inner in value.items()}
    return escape(value) if isinstance(value, str) else value


def _templated(given: Row) -> Row:
    """The arguments with the name of the template's variable where the id belongs."""
    key = next(iter(given))
    return {**given, key: f"{{{{{key}}}}}"}
