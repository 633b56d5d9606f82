"""What goes wrong around the clinic's agents: the words of its broken machinery, and the ways in which its dataset breaks.

A broken dataset is broken in its expected actions alone: the request and the rationale stay as they were.
"""

from __future__ import annotations

from typing import Any, Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["locked_database"] = (
    "sqlite3.OperationalError: database is locked",
    '{{"error": "(sqlite3.OperationalError) database is locked [SQL: INSERT INTO journal]"}}',
    "psycopg.errors.LockNotAvailable: could not obtain lock on row in relation \"appointments\" (while handling {tool})",
    "MySQLdb.OperationalError: (1205, 'Lock wait timeout exceeded; try restarting transaction')",
)  # fmt: skip
troubles.STOPS["locked_database"] = (
    "I can read the files, but {tool} fails each time because the database is locked. Nothing was saved.",
    "{tool} could not be carried out: another process holds the lock. I have to leave the request open.",
    "The entry was not accepted, twice, as the database is in use. Please have this done later.",
)

_FORMER_TOOLS: Final = {
    "book_appointment": "create_visit",
    "move_appointment": "reschedule_visit",
    "cancel_appointment": "delete_visit",
    "set_reminder": "create_reminder",
    "issue_prescription": "create_rx",
    "log_treatment": "create_treatment",
    "send_chart": "export_chart",
}
_FORMER_ARGUMENTS: Final = {
    "patient": "animal_ref", "vet_id": "doctor", "start": "when", "new_start": "when", "appointment_id": "visit_ref",
    "dose_mg": "dose", "times_per_day": "frequency", "cause": "why", "days_before": "lead_days",
}  # fmt: skip
"""What tools and arguments were called before the desk's tools were renamed."""


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    actions = gold["target_actions"]
    made = {"old_schema_gold": [_as_formerly(one) for one in actions]}
    if len(actions) > 1:
        made["gold_missing_step"] = actions[:-1]
    return {kind: {**gold, "target_actions": broken} for kind, broken in made.items()}


def _as_formerly(action: Row) -> Row:
    arguments: dict[str, Any] = {_FORMER_ARGUMENTS.get(key, key): value for key, value in action["arguments"].items()}
    return {"tool": _FORMER_TOOLS[action["tool"]], "arguments": arguments}
