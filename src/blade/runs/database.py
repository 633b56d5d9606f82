"""How a database is opened here, whoever opens it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb


def connect(**config: Any) -> "duckdb.DuckDBPyConnection":
    """A database in memory that adds up in one order, so that sums have the same digits every time, and that prints nothing."""
    import duckdb

    db = duckdb.connect(config={"threads": 1, **config})
    db.execute("SET enable_progress_bar = false")  # on a slow machine it would be drawn into what a command prints
    return db
