"""How a database is opened here, whoever opens it, and how it is closed off."""

import atexit
import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from blade.runs.quoting import literal

if TYPE_CHECKING:
    import duckdb

_spilled_to: Final[set[Path]] = set()


def connect(**config: Any) -> "duckdb.DuckDBPyConnection":
    """A database in memory that adds up in one order, so that sums have the same digits every time, and that prints nothing.

    What memory cannot hold goes to a folder of the user's that has nothing else in it, unless the caller names another: a locked
    database may read whatever lies in its own (by default that is `.tmp` where the user stands). What a killed process leaves there, the
    next one removes that needs it.
    """
    import duckdb

    if "temp_directory" not in config:
        config["temp_directory"] = _spill()
    db = duckdb.connect(config={"threads": 1, **config})
    db.execute("SET enable_progress_bar = false")  # on a slow machine it would be drawn into what a command prints
    return db


def _spill() -> str:
    """The folder, readable by nobody else; empty, which stands for none, where there can be no such folder."""
    try:
        folder = Path(tempfile.gettempdir()) / f"blade-spill-{os.getuid() if hasattr(os, 'getuid') else 'own'}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
            return ""  # somebody else's: what we write there is not ours
        folder.chmod(0o700)
    except OSError:
        return ""
    _spilled_to.add(folder)
    return str(folder)


@atexit.register
def remove_spill() -> None:
    """Leave no empty folder behind; one that another process spills to stays."""
    for folder in _spilled_to:
        with suppress(OSError):
            folder.rmdir()


def lock(db: "duckdb.DuckDBPyConnection", files: Iterable[Path]) -> None:
    """From now on nothing but its tables and these files can be read through the database, and nobody can open it up again."""
    for extensions in ("autoinstall_known", "autoload_known", "allow_community"):
        db.execute(f"SET {extensions}_extensions = false")
    db.execute(f"SET allowed_paths = [{', '.join(map(literal, files))}]")
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")
