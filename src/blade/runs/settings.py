"""Settings that the rows themselves carry: limits, the verifier's name, the simulated user, the version of the code.

A setting is the same on all rows that have it, and (nearly) all rows have it. What varies from row to row is no setting of the run.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import duckdb

from blade.runs.identity import NEARLY_ALL
from blade.runs.own_columns import BOOL, FLOAT, INT, TEXT, VALUE_KINDS
from blade.runs.quoting import identifier

LIMIT: Final = re.compile(
    r"max_(steps|turns|iterations|iters|rounds|tool_calls|model_calls|errors)|(step|turn|time|token|context)_limit"
    r"|\w*timeout(_s|_sec|_secs|_seconds|_ms)?"
)
VERIFIER: Final = re.compile(
    r"(verifier|grader|scorer)([._](name|version|hash|fingerprint))|(grader|scorer)|reward_version|judge([._]model|_model_name|_response\.model)"
    r"|resources_server(_ref)?([._](name|version))?"
)
USER_MODEL: Final = frozenset({"user_llm", "llm_user", "user_model", "user_model_name"})
VERSION: Final = frozenset({"git_commit", "git_sha", "commit", "harness_version", "gym_version"})


def settings(db: duckdb.DuckDBPyConnection, own_fields: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """`limits`, `verifier` and `environment` (user_model, version), each as found; empty where the rows do not say."""
    found: dict[str, dict[str, Any]] = {"limits": {}, "verifier": {}, "environment": {}}
    wanted = [(kind, name, field) for field in own_fields for kind, name in _meaning(field)]
    if not wanted:
        return found
    columns = [identifier(field["column"]) for _, _, field in wanted]
    counted = ", ".join(f"count({column}), count(DISTINCT {column}), min({column})" for column in columns)
    rows, *values = db.execute(f"SELECT count(*), {counted} FROM rollouts WHERE class <> 'duplicate'").fetchall()[0]
    for place, (kind, name, _) in enumerate(wanted):
        held, distinct, value = values[3 * place : 3 * place + 3]
        if distinct == 1 and held >= NEARLY_ALL * rows:
            found[kind].setdefault(name, value)
    return found


def _meaning(field: dict[str, Any]) -> list[tuple[str, str]]:
    name = str(field["field"])
    last = name.rpartition(".")[2]
    kinds = field["kinds"] & VALUE_KINDS
    if field["place"] == "usage":
        return []
    if not kinds & ~(INT | FLOAT) and not kinds & BOOL and LIMIT.fullmatch(last):
        return [("limits", last)]
    if kinds != TEXT:
        return []
    if last in USER_MODEL:
        return [("environment", "user_model")]
    if last in VERSION:
        return [("environment", "version")]
    return [("verifier", name)] if VERIFIER.fullmatch(name) else []
