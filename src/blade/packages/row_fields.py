"""The top-level fields that the rows of a run really have, with an example each."""

import json
from dataclasses import dataclass, field
from typing import Any, Final

from blade.runs.run import Place, Run
from blade.untrusted.quotes import quote

ROWS: Final = 20
LONGEST: Final = 60
_KINDS: Final = {
    dict: "object",
    list: "list",
    str: "text",
    bool: "true or false",
    int: "number",
    float: "number",
    type(None): "null",
}


@dataclass
class Field:
    name: str
    kinds: list[str] = field(default_factory=list)
    rows: int = 0
    """How many of the rows that were looked at have it."""
    example: str = ""

    def take(self, value: Any) -> None:
        kind = _KINDS[type(value)]
        self.rows += 1
        if kind not in self.kinds and kind != "null":
            self.kinds.append(kind)
        if not self.example and kind in ("text", "number", "true or false"):
            self.example = quote(str(value), LONGEST)


def row_fields(run: Run) -> dict[str, Field]:
    """In the order of the rows; from the first rows of as many tasks."""
    found: dict[str, Field] = {}
    for row in sample_rows(run):
        for name, value in row.items():
            found.setdefault(name, Field(name)).take(value)
    return found


def sample_rows(run: Run) -> list[dict[str, Any]]:
    """A row of each of the first tasks, as it stands in its file."""
    query = f"""SELECT task, repeat FROM rollouts WHERE class = 'scored'
        QUALIFY row_number() OVER (PARTITION BY task ORDER BY repeat) = 1 ORDER BY line LIMIT {ROWS}"""
    rows = [_row(run, place) for task, repeat in run.query(query).rows for place in run.places(task, repeat)[:1]]
    return [row for row in rows if row]


def _row(run: Run, place: Place) -> dict[str, Any]:
    try:
        row = json.loads(run.text(place))
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}
