"""The facts tables of a run by themselves: what a worker process needs to ask them questions."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from blade.runs.database import connect
from blade.runs.quoting import literal

SMALL_TABLE = 4 << 20
"""Bytes of a Parquet file up to which its table is small."""


class Table(NamedTuple):
    columns: list[str]
    rows: list[tuple[Any, ...]]


class Facts(Protocol):
    """Tables that can be queried, and the rule by which their rows pass."""

    @property
    def tables(self) -> tuple[str, ...]: ...

    @property
    def passes(self) -> str:
        """SQL that is true for a row that passes; NULL where there is no rule."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> Table: ...

    def stretch(self, table: str, tasks: Sequence[str]) -> str:
        """SQL for a part of a table that holds all rows of these tasks, and as few others as is cheaply known."""


def is_small(path: Path) -> bool:
    return path.stat().st_size <= SMALL_TABLE


def stretch(db: Any, path: Path, tasks: Sequence[str]) -> str:
    """From the first row of these tasks in a file to the last: tasks stand together, and the other groups of rows stay unread."""
    rows = f"read_parquet({literal(path)}, file_row_number = true)"
    first, last = db.execute(
        f"SELECT min(file_row_number), max(file_row_number) FROM {rows} WHERE task IN (SELECT unnest($1))", [list(tasks)]
    ).fetchone()
    between = "false" if first is None else f"file_row_number BETWEEN {first} AND {last}"
    return f"(SELECT * EXCLUDE (file_row_number) FROM {rows} WHERE {between})"


class TableFiles:
    """Facts by their files alone; it travels to other processes and opens there."""

    def __init__(self, paths: Mapping[str, Path], passes: str) -> None:
        self.paths = dict(paths)
        self.passes = passes

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self.paths)

    @cached_property
    def _db(self) -> Any:
        db = connect()
        for name, path in self.paths.items():
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({literal(path)})")
        return db

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> Table:
        cursor = self._db.execute(sql, list(parameters))
        return Table([column[0] for column in cursor.description], cursor.fetchall())

    def stretch(self, table: str, tasks: Sequence[str]) -> str:
        return table if is_small(self.paths[table]) else stretch(self._db, self.paths[table], tasks)

    def __getstate__(self) -> dict[str, Any]:
        return {"paths": self.paths, "passes": self.passes}
