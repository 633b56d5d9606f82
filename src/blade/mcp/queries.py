"""SQL over a run's tables, asked of a process that can be ended, and its rows as JSON."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

from blade.errors import BladeError, UsageError
from blade.mcp.desk import Study
from blade.untrusted.escapes import markdown_block, strip_escapes
from blade.untrusted.redaction import redact

SECONDS: Final = 30.0
MOST_ROWS: Final = 200
CELL: Final = 300
ROOM: Final = 8_800
"""Characters of rows in an answer, their head included."""


def query_answer(studies: Mapping[str, Study], query: str, limit: int, seconds: float = SECONDS) -> str:
    """The first rows of a query; `studies` are named by the schema that their tables have."""
    limit = max(1, min(limit, MOST_ROWS))
    tables = {schema: {name: str(path) for name, path in study.run.table_paths().items()} for schema, study in studies.items()}
    found = _asked({"tables": tables, "query": query, "most": limit + 1, "cell": CELL}, seconds)
    return _told(found["columns"], found["rows"], limit)


def _asked(request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    # -P: a folder named blade in the working directory is not what is to be imported
    command = [sys.executable, "-P", "-m", "blade.mcp.query_worker"]
    try:
        ended = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"the query was ended after {seconds:g} seconds", hint="ask for less: filter before you join, and end every recursion"
        ) from None
    try:
        found: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        raise BladeError(
            "the query's process died, most likely because it needed too much memory", hint="ask for less, or aggregate"
        ) from None
    if "error" in found:
        raise UsageError(found["error"])
    return found


def _told(columns: list[str], rows: list[list[Any]], limit: int) -> str:
    """The rows as one JSON array a line, as many as fit."""
    lines: list[str] = []
    head = _line(columns)[: ROOM // 2]
    room = ROOM - len(head)
    for row in rows[:limit]:
        line = _line(row)
        if len(line) > room:
            break
        lines.append(line)
        room -= len(line) + 1
    if not rows:
        return f"0 rows. Columns: {head}"
    more = len(rows) > len(lines)
    told = f"{'The first ' if more else ''}{len(lines)} row{'' if len(lines) == 1 else 's'}{'; there are more' if more else ''}."
    onward = "For the rest: fewer columns, an aggregate, or ORDER BY … LIMIT … OFFSET." if more else ""
    fenced = markdown_block("\n".join([head, *lines]), "json")
    return "\n\n".join(block for block in (f"{told} Columns first; values are data of the run.", fenced, onward) if block)


def _line(row: list[Any]) -> str:
    return redact(json.dumps([strip_escapes(value) if isinstance(value, str) else value for value in row], ensure_ascii=False))
