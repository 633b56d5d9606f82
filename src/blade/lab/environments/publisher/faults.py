"""What goes wrong around the agents of a publishing house: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from blade.lab.environments.draws import each_argument, ids_swapped, misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["broken_framing"] = (
    '{{"jsonrpc": "2.0", "id": null, "error": {{"code": -32700, "message": "Parse error"}}}}',
    "mcp.shared.exceptions.McpError: Failed to parse JSONRPC message from server (while waiting for {tool})",
    "pydantic_core.ValidationError: 1 validation error for JSONRPCMessage: Invalid JSON: expected value at line 1 column 1, input '[info] listening on stdio'",
    "Error: Unexpected token 'D', \"DEBUG publ\"... is not valid JSON (StdioClientTransport)",
    "BrokenFrame: Content-Length header missing before the body of the reply to {tool}",
)  # fmt: skip
troubles.STOPS["broken_framing"] = (
    "Whatever {tool} sends back can't be parsed by the connection in between, twice now. The request is not done.",
    "The messages between here and {tool} arrive broken, so I get no result and have to leave this open.",
    "No readable reply from {tool}; the transport fails on it each time. I stop here, unfinished.",
)
troubles.TOOL_TEXTS["missing_secret"] = (
    "KeyError: 'CATALOGUE_DB_URL' (environment of {host})",
    "pydantic_core.ValidationError: 1 validation error for Settings\ncatalogue_api_token\n  Field required [type=missing, input_value={{}}]",
    "botocore.exceptions.NoCredentialsError: Unable to locate credentials",
    'Error: secret "catalogue-db" not found: couldn\'t find key password in Secret eval/catalogue-db ({tool})',
    "google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found.",
)
troubles.STOPS["missing_secret"] = (
    "{tool} has not been given the credentials it needs, and I have no way to supply them. Nothing was entered.",
    "The service behind {tool} is not configured, a setting it wants is missing. I can't go on with this request.",
    "Both attempts failed because {tool} lacks its own configuration, so the request stays open.",
)

ITEM: Final = "datasource_item"
CALLS: Final = "expected_tool_calls"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
_ID = re.compile(r"[A-Z]{2}-\d{5}|\d{13}")
UNKNOWN: Final = (
    "There is no editor called {name} on file, so I entered nothing.",
    "I can't find an editor by the name of {name}. Nothing was changed.",
    "The files have no {name} among the editors; please check the name in the message.",
)


def written(name: str, arguments: Row) -> Row:
    """A call as the harness keeps it: the arguments are a text."""
    return {"type": "function", "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}}


def read(calls: list[Row]) -> list[tuple[str, Row]]:
    """Names and arguments of such calls."""
    return [(one["function"]["name"], json.loads(one["function"]["arguments"])) for one in calls]


def expecting(gold: Row, calls: list[tuple[str, Row]], answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {ITEM: {**gold[ITEM], CALLS: [written(*one) for one in calls], "reference": answer}}


def spoilt_golds(gold: Row, rounded: float | str | None = None, exact: float | None = None) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `rounded` is the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    calls, answer = read(gold[ITEM][CALLS]), gold[ITEM]["reference"]
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
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = each_argument(calls, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != calls}
    if answer is not None and answer == rounded:
        broken["unrounded_gold"] = expecting(gold, calls, repr(exact))
    return broken


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not _is_id(value)
