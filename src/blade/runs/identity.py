"""Which task a row belongs to, and which repeat of it it is.

The task is the run's own id: the first of a fixed list of fields that (nearly) all rows have, else the hash of the prompt. The
repeat is the run's own counter, else the order in which the rows stand.
"""

from dataclasses import dataclass

import duckdb

from blade.errors import UsageError
from blade.runs.facts import ID_FIELDS, LAST_RESORT_ID_FIELDS
from blade.runs.quoting import identifier
from blade.runs.scan import OWN_PREFIX

NEARLY_ALL = 0.9


@dataclass(frozen=True)
class Identity:
    task_field: str | None
    repeat_field: str | None
    inferred: bool
    renumbered: bool = False


def choose_identity(
    db: duckdb.DuckDBPyConnection, columns: set[str], task_field: str | None = None, table: str = "raw_rollouts"
) -> Identity:
    """Decide by what the rows of a raw table have; `task_field` overrides ('prompt' for the prompt's hash)."""
    db.execute(f"CREATE OR REPLACE TEMP VIEW identifying AS SELECT * FROM {table}")
    rows = _count(db, "count(*)")
    repeat_field = _repeat_field(db, rows)
    if task_field == "prompt":
        return _with_own_repeats(db, columns, Identity(None, repeat_field, inferred=True))
    if task_field is not None:
        if OWN_PREFIX + task_field not in columns:
            raise UsageError(
                f"no row has a field {task_field!r} to take the task from",
                hint="see the columns with: blade sql RUN 'DESCRIBE rollouts'",
            )
        return _with_own_repeats(db, columns, Identity(task_field, repeat_field, inferred=False))
    if (found := _present(db, columns, ID_FIELDS, rows)) is not None:
        return Identity(found, repeat_field, inferred=False)
    if _count(db, "count(prompt_hash)") >= NEARLY_ALL * rows:
        return Identity(None, repeat_field, inferred=True)
    return Identity(_present(db, columns, LAST_RESORT_ID_FIELDS, rows), repeat_field, inferred=True)


def _with_own_repeats(db: duckdb.DuckDBPyConnection, columns: set[str], identity: Identity) -> Identity:
    """A chosen task field may be coarser than the run's own: then its repeat counter restarts within a task, and order numbers the rows."""
    key = f"file, {task_expression(identity, columns)}, {repeat_expression(identity)}"
    taken = db.execute(
        f"SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM identifying GROUP BY {key} HAVING count(*) > 1)"
    ).fetchall()
    rows = _count(db, "count(*)")
    return Identity(identity.task_field, None, identity.inferred) if taken[0][0] > (1 - NEARLY_ALL) * rows else identity


def task_expression(identity: Identity, columns: set[str]) -> str:
    """SQL for the claimed task id of a row in a raw table that has these columns."""
    fallback = "prompt_hash, CASE file WHEN 0 THEN 'line-' ELSE 'file-' || (file + 1) || '-line-' END || line"
    name = OWN_PREFIX + identity.task_field if identity.task_field else None
    if name is None or name not in columns:
        return f"coalesce({fallback})"
    column = f"CAST({identifier(name)} AS VARCHAR)"
    whole = rf"CASE WHEN regexp_full_match({column}, '-?\d+\.0+') THEN split_part({column}, '.', 1) ELSE {column} END"
    return f"coalesce({whole}, {fallback})"


def repeat_expression(identity: Identity) -> str:
    """SQL for the claimed repeat; null where a row has none and must be numbered."""
    if identity.repeat_field is None:
        return "CAST(NULL AS BIGINT)"
    return r"CASE WHEN regexp_full_match(repeat_value, '\d{1,9}') THEN CAST(repeat_value AS BIGINT) END"


def _repeat_field(db: duckdb.DuckDBPyConnection, rows: int) -> str | None:
    found = db.execute(
        "SELECT repeat_field, count(*) AS n FROM identifying WHERE repeat_field IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1"
    ).fetchall()
    return str(found[0][0]) if found and found[0][1] >= NEARLY_ALL * rows else None


def _present(db: duckdb.DuckDBPyConnection, columns: set[str], names: tuple[str, ...], rows: int) -> str | None:
    for name in names:
        if OWN_PREFIX + name in columns and _count(db, f"count({identifier(OWN_PREFIX + name)})") >= NEARLY_ALL * rows:
            return name
    return None


def _count(db: duckdb.DuckDBPyConnection, expression: str) -> int:
    found = db.execute(f"SELECT {expression} FROM identifying").fetchall()
    return int(found[0][0])
