"""A user's SQL over a run's tables: read-only, and with no way to files, the network, extensions or settings."""

import re
from collections.abc import Mapping
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import duckdb

from blade.errors import UsageError
from blade.runs.database import connect, lock
from blade.runs.quoting import literal
from blade.runs.run import small_tables
from blade.runs.tables import Table
from blade.runs.watch import Watch

_PLAIN = frozenset([type(None), bool, int, float, str])
_SUGGESTED = re.compile(r"\s*Did you mean \"(?:pg_|sqlite_|duckdb_|information_schema)[^\"]*\"\?")
"""A table of the database's own, suggested in place of one of the run's."""
_EXPLAIN = re.compile(r"\s*EXPLAIN\b", re.IGNORECASE)


class HasTables(Protocol):
    """A run, or its tables alone."""

    def table_paths(self) -> dict[str, Path]: ...


Runs = HasTables | Mapping[str, HasTables]
"""One run, whose tables have their plain names; or several by name, each a schema of its own (`a.rollouts`, `b.rollouts`)."""


def run_sql(run: Runs, sql: str, seconds: float = 0.0) -> Table:
    """The result of one SELECT (DESCRIBE, SUMMARIZE and EXPLAIN too); one that takes more `seconds` is stopped, with 0 none is."""
    with closing(locked_connection(run)) as db:
        return _in_time(db, sql, seconds) if seconds else query_locked(db, sql)


def _in_time(db: duckdb.DuckDBPyConnection, sql: str, seconds: float) -> Table:
    """The result of the query, or one sentence when it took too long."""
    late: list[bool] = []

    def interrupt() -> None:
        late.append(True)
        db.interrupt()

    watch = Watch(interrupt, seconds)
    try:
        with watch.over():
            return query_locked(db, sql)
    except (UsageError, RuntimeError):
        if not late:
            raise
        hint = "narrow it down (a join without ON pairs every row with every row), or give --timeout SECONDS (0: no limit)"
        raise UsageError(f"the query was stopped after {seconds:g} s", hint=hint) from None
    finally:
        watch.close()


def query_locked(db: duckdb.DuckDBPyConnection, sql: str, most: int | None = None) -> Table:
    """The same on a locked connection that serves several queries; `most` is how many rows are fetched."""
    _refuse_all_but_one_query(sql)
    try:
        cursor = db.execute(sql)
        columns = [column[0] for column in cursor.description or ()]
        rows = cursor.fetchall() if most is None else cursor.fetchmany(most)
        return Table(columns, [row if _PLAIN.issuperset(map(type, row)) else tuple(map(_plain, row)) for row in rows])
    except duckdb.Error as error:
        raise UsageError(
            _SUGGESTED.sub("", _first_lines(error)),
            hint=f'tables: {_tables(db)}; DESCRIBE rollouts shows the columns (quote names such as "offset")',
        ) from None


def locked_connection(runs: Runs, hold: bool = False, memory_limit: str | None = None) -> duckdb.DuckDBPyConnection:
    """A connection that sees the tables of the run (or runs) and nothing else, and cannot be opened up again.

    `hold` takes the small tables into memory, for who asks many questions. With a `memory_limit`, a query that needs more fails:
    nothing is put on the disk.
    """
    bound = {} if memory_limit is None else {"memory_limit": memory_limit, "temp_directory": ""}
    db = connect(**bound)
    listed: list[Path] = []
    for schema, run in runs.items() if isinstance(runs, Mapping) else (("main", runs),):
        db.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        held = small_tables(run.table_paths()) if hold else {}
        for name, path in run.table_paths().items():
            kind = "TABLE" if name in held else "VIEW"
            db.execute(f'CREATE {kind} "{schema}".{name} AS SELECT * FROM read_parquet({literal(path)})')
            listed.append(path)
    lock(db, listed)
    return db


def _refuse_all_but_one_query(sql: str) -> None:
    """EXPLAIN may stand before a SELECT only: with ANALYZE it carries out whatever it explains, a COPY or a CREATE too."""
    explained = _EXPLAIN.match(sql)
    try:
        statements = duckdb.extract_statements(sql)
        if explained and len(statements) == 1:
            statements = duckdb.extract_statements(sql[explained.end() :])
    except duckdb.Error as error:
        raise UsageError(_first_lines(error), hint="give one SELECT statement") from None
    if len(statements) != 1:
        raise UsageError(f"{len(statements)} statements were given", hint="give one SELECT statement")
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = str(statements[0].type).rsplit(".", 1)[-1]
        raise UsageError(f"{kind} is not allowed: the tables of a run are read-only", hint="give one SELECT statement")


def _tables(db: duckdb.DuckDBPyConnection) -> str:
    try:
        found = db.execute(
            "SELECT if(table_schema = 'main', '', table_schema || '.') || table_name FROM information_schema.tables"
        ).fetchall()
    except duckdb.Error:
        return "rollouts, tasks, plan, inputs, failures, problems"
    return ", ".join(name for (name,) in found)


def _first_lines(error: Exception) -> str:
    return " ".join(
        line.strip() for line in str(error).splitlines() if line.strip() and not line.lstrip().startswith(("LINE", "^"))
    )[:500]


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
