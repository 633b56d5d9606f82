"""A database that prints nothing and can be closed off, on whichever of its connections."""

import subprocess
import sys
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


SPILLS = "CREATE TABLE large AS SELECT md5(i::VARCHAR) AS a, md5((i + 1)::VARCHAR) AS b FROM range(2_000_000) t(i)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user stands, and where temporary files go."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_memory_cannot_hold_goes_to_a_folder_that_nobody_else_reads_and_is_gone_afterwards(folder: Path) -> None:
    (folder / ".tmp").mkdir()
    for name in ("mine.txt", ".tmp/mine.txt"):
        (folder / name).write_text("hidden")
    db = connect(memory_limit="60MB")
    lock(db, [])
    db.execute(SPILLS)
    (spill,) = folder.glob("blade-spill-*")
    assert spill.stat().st_mode & 0o777 == 0o700
    assert list(spill.iterdir())
    for path in ("mine.txt", ".tmp/mine.txt", folder / "mine.txt", folder / ".tmp" / "mine.txt"):
        with pytest.raises(duckdb.PermissionException):
            db.execute(f"SELECT * FROM read_text('{path}')")
    db.close()
    assert not list(spill.iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next_that_needs_the_folder(folder: Path) -> None:
    killed = f"import os, tempfile; from blade.runs.database import connect; tempfile.tempdir = {str(folder)!r}; db = connect(memory_limit='60MB'); db.execute({SPILLS!r}); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == 9
    (spill,) = folder.glob("blade-spill-*")
    left = set(spill.iterdir())
    assert left
    db = connect(memory_limit="60MB")
    db.execute(SPILLS)
    assert not left & set(spill.iterdir())
    db.close()


def test_a_folder_of_somebody_elses_is_not_used(folder: Path) -> None:
    connect().close()
    (spill,) = folder.glob("blade-spill-*")
    spill.rmdir()
    theirs = folder / "theirs"
    theirs.mkdir()
    spill.symlink_to(theirs)
    with pytest.raises(duckdb.Error):
        connect(memory_limit="60MB").execute(SPILLS)
    assert not list(theirs.iterdir())


def test_without_a_folder_for_temporary_files_everything_is_done_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr("tempfile.gettempdir", none)
    assert connect().execute("SELECT 1").fetchall() == [(1,)]
