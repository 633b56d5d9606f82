"""A database that prints nothing and can be closed off, on whichever of its connections."""

from pathlib import Path

import duckdb
import pytest

from blade.runs.database import connect, lock


def test_no_progress_bar_is_drawn_into_what_a_command_prints() -> None:
    db = connect()
    for connection in (db, db.cursor()):
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]
    db.close()


def test_a_locked_database_reads_its_tables_and_the_files_named_and_nothing_else(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "it's.csv", tmp_path / "theirs.csv"
    for path in (ours, theirs):
        path.write_text("a\n1\n")
    db = connect()
    db.execute("CREATE TABLE kept AS SELECT 7 AS b")
    other = db.cursor()
    lock(db, [ours])
    for connection in (db, other, db.cursor()):
        assert connection.execute("SELECT b FROM kept").fetchall() == [(7,)]
        assert connection.execute("SELECT a FROM read_csv(?)", [str(ours)]).fetchall() == [(1,)]
        for refused in (
            f"SELECT * FROM read_csv('{theirs}')",
            f"COPY kept TO '{theirs}'",
            "SET enable_external_access = true",
            "INSTALL json",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(refused)
    db.close()


def test_what_memory_cannot_hold_goes_to_a_folder_of_its_own_that_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".tmp").mkdir()
    for name in ("mine.txt", ".tmp/mine.txt"):
        (tmp_path / name).write_text("hidden")
    db = connect(memory_limit="60MB")
    lock(db, [])
    db.execute("CREATE TABLE large AS SELECT md5(i::VARCHAR) AS a, md5((i + 1)::VARCHAR) AS b FROM range(2_000_000) t(i)")
    assert [path for path in tmp_path.iterdir() if path.name.startswith("blade-spill-")]
    for path in ("mine.txt", ".tmp/mine.txt", tmp_path / "mine.txt", tmp_path / ".tmp" / "mine.txt"):
        with pytest.raises(duckdb.PermissionException):
            db.execute(f"SELECT * FROM read_text('{path}')")
    db.close()
    assert {path.name for path in tmp_path.iterdir()} == {"mine.txt", ".tmp"}
