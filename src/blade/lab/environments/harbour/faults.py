"""What goes wrong around the harbour's agents: the words of its broken machinery, and the ways in which its dataset breaks.

A broken dataset is broken in its expected calls alone: the request, and with it what every sensible agent does, stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row

_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "empty_index": (
        '{{"ok": true, "result": []}}',
        '{{"ok": true, "result": [], "total": 0}}',
    ),
    "quota_spent": (
        '{{"ok": false, "error": "API key portnet-eval has used up its daily allowance (20000 of 20000 requests)"}}',
        "openapi.PaymentRequired: 402 - the plan's included credits are exhausted, add credits to continue",
        '{{"error": {{"code": "insufficient_quota", "message": "You exceeded your current quota, please check your plan and billing details."}}}}',
        "Usage limit for this billing period reached. Upgrade the workspace or wait for the reset on the 1st.",
    ),
    "token_expired": (
        '{{"ok": false, "error": "401 Unauthorized: access token expired"}}',
        "google.auth.exceptions.RefreshError: ('invalid_grant: Token has been expired or revoked.')",
        "botocore.exceptions.ClientError: An error occurred (ExpiredTokenException) when calling {tool}: The security token included in the request is expired",
        "jwt.exceptions.ExpiredSignatureError: Signature has expired",
    ),
    "toolset_unmounted": (
        "McpError: Unknown tool: {tool}",
        "Error: tool '{tool}' is not registered on this server (0 tools registered)",
        '{{"jsonrpc": "2.0", "error": {{"code": -32601, "message": "Method not found: tools/call {tool}"}}}}',
        "ToolError: no server is connected that provides {tool}",
    ),
    "egress_blocked": (
        "403 Forbidden: outbound request to portnet blocked by network policy (worker {host})",
        "Squid: ERR_ACCESS_DENIED. Access control configuration prevents your request from {host} from being allowed at this time.",
        "requests.exceptions.ProxyError: Tunnel connection failed: 403 Forbidden ({host})",
    ),
}  # fmt: skip
_STOPS: Final[dict[str, tuple[str, ...]]] = {
    "empty_index": (
        "{tool} knows nothing about this, on the second try either. Without the record I can't carry out the request.",
        "There is no matching entry in the register, so I have to leave it here.",
        "Nothing comes up for it. Perhaps it is not registered at this port; I made no changes.",
    ),
    "quota_spent": (
        "The account behind {tool} has no requests left, so I can't work on this now.",
        "I'm out of allowance with the port's systems. The request stays open.",
        "{tool} wants the plan topped up before it answers again. Nothing was entered.",
    ),
    "token_expired": (
        "My access to the port's systems has expired and I can't renew it. Nothing was entered.",
        "{tool} no longer accepts my credentials. Someone has to renew them before this can be done.",
        "I get an authorisation error from {tool}, twice now, so this remains undone.",
    ),
    "toolset_unmounted": (
        "{tool} is said not to exist, although I was given it. I can't do the work without it.",
        "The tools I need are not available in this session. The request is not done.",
        "I was turned away because {tool} is unknown there. I have to stop.",
    ),
}
troubles.TOOL_TEXTS.update(_TEXTS)
troubles.STOPS.update(_STOPS)
troubles.RETRIES["empty_index"] = (
    "Nothing found. Once more, to rule out a slip.",
    "An empty list, which surprises me; I'll ask again.",
    "No entry? Let me repeat that.",
)

WIDTH: Final = 10
"""Characters that a column keeps of a text."""
_TIMES = ("start", "boarding", "etd")


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    made = {kind: spoil(gold) for kind, spoil in _SPOILERS.items()}
    return {kind: broken for kind, broken in made.items() if broken["reference"] != gold["reference"]}


def _with_steps(gold: Row, rewrite: Callable[[str, Any], Any]) -> Row:
    """The gold with every argument of the expected calls rewritten."""
    steps = [
        {**step, "kwargs": {key: rewrite(key, value) for key, value in step["kwargs"].items()}}
        for step in gold["reference"]["steps"]
    ]
    return {**gold, "reference": {**gold["reference"], "steps": steps}}


def mangled(text: str) -> str:
    """UTF-8 that was read as Windows-1252."""
    return text.encode().decode("cp1252")


def _misread(gold: Row) -> Row:
    return _with_steps(gold, lambda _, value: mangled(value) if isinstance(value, str) else value)


def _swapped(gold: Row) -> Row:
    """Day and month changed places, where the day can be a month."""

    def swap(key: str, value: Any) -> Any:
        if key not in _TIMES or int(value[8:10]) > 12:
            return value
        return f"{value[:4]}-{value[8:10]}-{value[5:7]}{value[10:]}"

    return _with_steps(gold, swap)


def _clipped(gold: Row) -> Row:
    return _with_steps(gold, lambda _, value: value[:WIDTH] if isinstance(value, str) else value)


def _fanned_out(gold: Row) -> Row:
    """Every expected call twice, as a join leaves it that found two rows."""
    steps = [step for step in gold["reference"]["steps"] for _ in range(2)]
    return {**gold, "reference": {**gold["reference"], "steps": steps}}


def _as_numbers(gold: Row) -> Row:
    """Licences without their leading zero."""
    return _with_steps(gold, lambda key, value: int(value) if key == "licence" else value)


_SPOILERS: Final[dict[str, Callable[[Row], Row]]] = {
    "mangled_encoding": _misread,
    "day_month_swapped": _swapped,
    "clipped_values": _clipped,
    "fanned_out_gold": _fanned_out,
    "zeros_stripped": _as_numbers,
}
