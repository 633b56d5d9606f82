"""How a database is opened here, whoever opens it, and how it is closed off."""

import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blade.runs.quoting import literal

if TYPE_CHECKING:
    import duckdb


def connect(**config: Any) -> "duckdb.DuckDBPyConnection":
    """A database in memory that adds up in one order, so that sums have the same digits every time, and that prints nothing.

    What memory cannot hold goes to a folder of its own, made when it is needed and gone with the database. No other folder will do:
    a locked database may read whatever lies in its own (by default that is `.tmp` where the user stands).
    """
    import duckdb

    spill = Path(tempfile.gettempdir()) / f"blade-spill-{secrets.token_hex(8)}"
    db = duckdb.connect(config={"threads": 1, "temp_directory": str(spill), **config})
    db.execute("SET enable_progress_bar = false")  # on a slow machine it would be drawn into what a command prints
    return db


def lock(db: "duckdb.DuckDBPyConnection", files: Iterable[Path]) -> None:
    """From now on nothing but its tables and these files can be read through the database, and nobody can open it up again."""
    for extensions in ("autoinstall_known", "autoload_known", "allow_community"):
        db.execute(f"SET {extensions}_extensions = false")
    db.execute(f"SET allowed_paths = [{', '.join(map(literal, files))}]")
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")
