"""One SQL query in a process of its own: `python -m blade.mcp.query_worker`, the request as JSON on stdin, the answer on stdout.

The connection is that of `blade sql`: it sees the tables and nothing else. What that cannot prevent (a query that never ends, or fills
the memory) ends with this process, which the server stops and the system bounds.
"""

import json
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

MEMORY: Final = "1GB"
MOST_BYTES: Final = 4 << 30
"""The address space of the process: the tables are mapped into it too."""


class Tables(NamedTuple):
    paths: dict[str, Path]

    def table_paths(self) -> dict[str, Path]:
        return self.paths


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """`tables` by schema and name, `query`, `most` rows; columns and rows, or an error to be told."""
    from blade.errors import BladeError
    from blade.runs.sql import locked_connection, query_locked

    runs = {schema: Tables({name: Path(path) for name, path in tables.items()}) for schema, tables in request["tables"].items()}
    try:
        with closing(locked_connection(runs, memory_limit=MEMORY)) as db:
            found = query_locked(db, request["query"], request["most"])
    except BladeError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "the query needs too much memory; ask for less"}
    return {"columns": found.columns, "rows": [[_short(value, request["cell"]) for value in row] for row in found.rows]}


def _short(value: Any, most: int) -> Any:
    """A value of bounded length: a long text is cut, and says how long it was."""
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, str) and len(value) > most:
        return f"{value[:most]}… ({len(value):,} characters)"
    return value


def main() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    json.dump(answer(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
