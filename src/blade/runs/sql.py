"""A user's SQL over a run's tables: read-only, and with no way to files, the network, extensions or settings."""

from typing import Any

import duckdb

from blade.errors import UsageError
from blade.runs.run import Run, Table

ALLOWED = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)


def run_sql(run: Run, sql: str) -> Table:
    """The result of one SELECT (DESCRIBE, SUMMARIZE and EXPLAIN too)."""
    _refuse_all_but_one_query(sql)
    db = locked_connection(run)
    try:
        cursor = db.execute(sql)
        columns = [column[0] for column in cursor.description or ()]
        return Table(columns, [tuple(map(_plain, row)) for row in cursor.fetchall()])
    except duckdb.Error as error:
        raise UsageError(
            _first_lines(error),
            hint='tables: rollouts, tasks, plan, inputs, problems; DESCRIBE rollouts shows the columns (quote names such as "offset")',
        ) from None
    finally:
        db.close()


def locked_connection(run: Run) -> duckdb.DuckDBPyConnection:
    """A connection that sees the run's tables and nothing else, and cannot be opened up again."""
    db = duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False, "allow_community_extensions": False}
    )
    paths = {name: str(path).replace("'", "''") for name, path in run.table_paths().items()}
    for name, path in paths.items():
        db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")
    listed = ", ".join(f"'{path}'" for path in paths.values())
    db.execute(f"SET allowed_paths = [{listed}]")
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")
    return db


def _refuse_all_but_one_query(sql: str) -> None:
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise UsageError(_first_lines(error), hint="give one SELECT statement") from None
    if len(statements) != 1:
        raise UsageError(f"{len(statements)} statements were given", hint="give one SELECT statement")
    if statements[0].type not in ALLOWED:
        kind = str(statements[0].type).rsplit(".", 1)[-1]
        raise UsageError(f"{kind} is not allowed: the tables of a run are read-only", hint="give one SELECT statement")


def _first_lines(error: Exception) -> str:
    return " ".join(
        line.strip() for line in str(error).splitlines() if line.strip() and not line.lstrip().startswith(("LINE", "^"))
    )[:500]


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)
