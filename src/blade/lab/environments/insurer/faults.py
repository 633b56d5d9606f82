"""What goes wrong around the agents of a claims office: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from blade.lab.desk import Call
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["outdated_client"] = (
    "McpError: Unsupported protocol version (code -32602): client sent 2024-11-05, server supports 2025-06-18",
    "426 Upgrade Required: gateway client 4.1.2 on {host} is no longer accepted, the minimum is 4.3.0",
    "grpc._channel._InactiveRpcError: StatusCode.UNIMPLEMENTED, unknown service claims.v1.Gateway (did you mean claims.v3.Gateway?)",
    "RuntimeError: {tool}: stub was generated for API 2025-03 and the backend speaks 2025-09; rebuild the runner image",
)
troubles.STOPS["crossed_answers"] = (
    "{tool} gave me the record of something else than I asked for, twice. I can't rely on that, so I stop here.",
    "What came back from {tool} does not belong to my query, and a second try did not help. Nothing was changed.",
    "I asked for one record and received another, both times. This has to wait until {tool} answers what it is asked.",
    "The answers of {tool} are about other records than the one I looked up. I have left the ticket open.",
)
troubles.RETRIES["crossed_answers"] = (
    "That is not the record I asked for. Once more.",
    "This answer belongs to another query. Trying again.",
    "The record does not match my query; repeating it.",
)

SOLUTION: Final = "solution"


def written(made: Call) -> str:
    """A call as a line of Python."""
    return f"{made.name}({', '.join(f'{key}={value!r}' for key, value in made.arguments.items())})"


def read_back(line: str) -> Call:
    """The call that such a line makes."""
    node = ast.parse(line, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return Call(node.func.id, {str(one.arg): ast.literal_eval(one.value) for one in node.keywords})


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    steps = gold[SOLUTION]["steps"]
    made = {
        "unfilled_gold": [_with(line, _templated) for line in steps],
        "point_for_comma": [_with(line, _shifted) for line in steps],
        "list_as_text": [_with(line, _as_text) for line in steps],
    }
    if len(steps) > 1:
        made["gold_missing_step"] = steps[:-1]
    return {kind: {**gold, SOLUTION: {**gold[SOLUTION], "steps": broken}} for kind, broken in made.items() if broken != steps}


def _with(line: str, change: Callable[[str, Any], Any]) -> str:
    call = read_back(line)
    return written(Call(call.name, {key: change(key, value) for key, value in call.arguments.items()}))


def _templated(key: str, value: Any) -> Any:
    """The name of the template's variable where the reference belongs."""
    return f"{{{{{key}}}}}" if key == "claim_ref" else value


def _shifted(_: str, value: Any) -> Any:
    """The amount as it is read by somebody to whom the comma of the cents says nothing."""
    return float(round(value * 100)) if isinstance(value, float) else value


def _as_text(_: str, value: Any) -> Any:
    """The list as a table's cell keeps it."""
    return str(value) if isinstance(value, list) else value
