"""What goes wrong at the payments desk besides its agents: the words of its machinery, and what becomes of its dataset.

The dataset's faults act where the row is scored: the agent works soundly on the request, and the row that is written carries the
spoilt fields. `spoilt` gives the task as the broken dataset has it, or None where a fault finds nothing to break.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from blade.lab.desk import dice
from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Task

_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "sign_in_page": (
        '<!DOCTYPE html>\n<html lang="en">\n<head><title>Sign in - Corporate Access</title></head>\n<body>\n<form action="/sso/login" method="post">\n<h2>Please sign in to continue</h2>\n<input name="username"><input name="password" type="password">\n</form>\n</body>\n</html>',
        "<html><head><meta http-equiv='refresh' content='0; url=https://login.gateway.local/authorize?client_id=tools&redirect_uri=%2F{tool}'></head><body>Redirecting to the login page...</body></html>",
        "<!doctype html><html><body><div id='kc-form'><h1>Log in to your account</h1><a href='/realms/ops/login-actions/reset'>Forgot password?</a></div><script src='/resources/kc.js'></script></body></html>",
    ),
    "unseeded_backend": (
        'sqlalchemy.exc.ProgrammingError: (psycopg.errors.UndefinedTable) relation "customers" does not exist\nLINE 2: FROM customers',
        "sqlite3.OperationalError: no such table: customers",
        '{{"error": {{"type": "api_error", "message": "fixture \'books\' is not loaded in this sandbox; run the seed job first"}}}}',
        "django.db.utils.OperationalError: no such table: ledger_payment (unapplied migrations: ledger.0001_initial)",
    ),
    "maintenance_window": (
        '{{"status": "maintenance", "message": "We are upgrading our systems. The API will be back shortly."}}',
        '{{"error": {{"type": "api_error", "message": "Planned maintenance in progress, {tool} is switched off until it is over"}}}}',
        "The service is down for maintenance. Thank you for your patience.",
    ),
}  # fmt: skip
_STOPS: Final[dict[str, tuple[str, ...]]] = {
    "sign_in_page": (
        "Instead of data, {tool} gives me a web page with a login form. I have no way to log in, so the task stays open.",
        "All I get back is HTML asking for a sign-in. I can't reach the records like this.",
        "{tool} sends me to a login screen twice in a row. Nothing has been done yet.",
    ),
    "unseeded_backend": (
        "The database behind {tool} seems to have no tables. There is nothing I could look up or change.",
        "Both attempts came back with a database error, so I can't get at any records. I have to leave it at that.",
        "{tool} reports that its data were never loaded. I can't do the task without them.",
    ),
    "maintenance_window": (
        "The payment system is being serviced just now. Please come back to this later; no change was made.",
        "{tool} is closed for maintenance, and so I could not carry this out.",
        "Maintenance is going on, I'm afraid, and my second attempt met the same notice. The request is still to do.",
    ),
}
troubles.TOOL_TEXTS.update(_TEXTS)
troubles.STOPS.update(_STOPS)

_LONG = re.compile(r"(?<!\d)\d{15,17}(?!\d)")
_BLANKED = ("amount", "resume_on", "category", "due_date")
"""Arguments that come from a column of the dataset, the one that went missing first."""


def spoilt(kind: str, task: Task) -> Task | None:
    gold = _SPOILERS[kind](task)
    return None if gold is None or gold == task.gold else replace(task, gold=gold)


def _rewritten(gold: Row, rewrite: Callable[[str], str]) -> Row:
    """The gold with every long number in the expected calls and the expected answer put otherwise."""
    calls = [
        {**entry, "arguments": _LONG.sub(lambda found: rewrite(found[0]), entry["arguments"])} for entry in gold["ground_truth"]
    ]
    answer = gold["expected_answer"]
    return {**gold, "ground_truth": calls, "expected_answer": answer and _LONG.sub(lambda found: rewrite(found[0]), answer)}


def _through_a_spreadsheet(task: Task) -> Row:
    """Long numbers as a spreadsheet saves them: 4.82101E+16."""
    return _rewritten(task.gold, lambda digits: f"{int(digits):.5E}")


def _from_another_snapshot(task: Task) -> Row:
    """The ids that the same records had in some other copy of the books."""
    return _rewritten(
        task.gold, lambda digits: str(dice(digits, "snapshot").randrange(10 ** (len(digits) - 1), 10 ** len(digits)))
    )


def _with_a_lost_column(task: Task) -> Row:
    """What was read from an empty cell: NaN among the arguments, or as the answer."""
    if task.gold["expected_answer"] is not None:
        return {**task.gold, "expected_answer": "nan"}
    *others, last = task.gold["ground_truth"]
    arguments: dict[str, Any] = json.loads(last["arguments"])
    key = next(name for name in _BLANKED if name in arguments)
    return {**task.gold, "ground_truth": [*others, {**last, "arguments": json.dumps({**arguments, key: float("nan")})}]}


def _with_other_values(task: Task) -> Row | None:
    """Template values and expected calls of another draw than the one that was put into the request."""
    drifted: Row | None = task.facts.get("drifted")
    return drifted


_SPOILERS: Final[dict[str, Callable[[Task], Row | None]]] = {
    "spreadsheet_gold": _through_a_spreadsheet,
    "other_snapshot_gold": _from_another_snapshot,
    "lost_column": _with_a_lost_column,
    "drifted_values": _with_other_values,
}
SPOILING: Final = frozenset(_SPOILERS)
