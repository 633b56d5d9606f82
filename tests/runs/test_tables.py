"""Tables by their files: the part of a table that some tasks stand in."""

from pathlib import Path

import duckdb
import pytest

from blade.runs.tables import stretch


@pytest.mark.parametrize(
    ("tasks", "rows"),
    [
        (["b"], 3),  # one row of another task stands between them
        (["a"], 2),
        (["a", "c"], 4),
        (["nobody"], 0),
    ],
)
def test_a_stretch_holds_every_row_of_its_tasks_from_the_first_to_the_last(tmp_path: Path, tasks: list[str], rows: int) -> None:
    path = tmp_path / "calls.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (SELECT * FROM (VALUES ('a', 1), ('a', 2), ('b', 3), ('c', 4), ('b', 5)) AS t(task, step)) "
            f"TO '{path}' (FORMAT parquet)"
        )
        part = stretch(db, path, tasks)
        assert db.execute(f"SELECT count(*) FROM {part}").fetchone() == (rows,)
        wanted = "WHERE task IN (SELECT unnest($1)) ORDER BY ALL"
        assert (
            db.execute(f"SELECT * FROM {part} {wanted}", [tasks]).fetchall()
            == db.execute(f"SELECT * FROM '{path}' {wanted}", [tasks]).fetchall()
        )
