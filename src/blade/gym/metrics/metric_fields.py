"""Which fields of a rollout are numbers, and how to read them from the facts.

A metric is every top-level field of a row that holds a JSON number or a boolean, overlaid by the numbers of `response.usage`:
where both have a name, usage wins in the statistics and the row's own field wins in `rollout_infos`. The indices `_ng_task_index`,
`_ng_rollout_index` and `_ng_attempt_index` are no metrics (a resumed run has those of a run that nobody disturbed), nor is anything nested.

A column of the facts that holds both text and numbers is text: there, "5" and 5 look the same. Such a field is `mixed`, and the
rows whose value could be a number are looked up in the artifact.
"""

from dataclasses import dataclass
from typing import Any

from blade.runs.facts import USAGE_COLUMNS
from blade.runs.own_columns import BOOL, FLOAT, INT, TEXT
from blade.runs.quoting import identifier

NUMBERS = BOOL | INT | FLOAT


@dataclass(frozen=True)
class MetricField:
    """A metric's name, and SQL for its value in the row itself and in usage (None where it never stands there)."""

    name: str
    row: str | None = None
    usage: str | None = None
    mixed: bool = False

    @property
    def in_statistics(self) -> str:
        return _first_of(self.usage, self.row)

    @property
    def in_infos(self) -> str:
        return _first_of(self.row, self.usage)


def metric_fields(meta: dict[str, Any]) -> list[MetricField]:
    """All fields of a run that may be metrics, by name; `meta` is the Run's."""
    row: dict[str, tuple[str, bool]] = {}
    if meta["reward_field"] == "reward":
        row["reward"] = ("reward", False)
    usage = {name: name for name in sorted(USAGE_COLUMNS)}
    for own in meta["own_fields"]:
        if not own["kinds"] & NUMBERS:
            continue
        if own["place"] == "row":
            row[own["field"]] = (_number(own), bool(own["kinds"] & TEXT))
        elif own["place"] == "usage":
            name = own["field"].removeprefix("usage.")
            usage[name] = _first_of(_number(own), usage.get(name))  # the fixed column holds whole numbers only
    return [
        MetricField(name, row[name][0] if name in row else None, usage.get(name), mixed=name in row and row[name][1])
        for name in sorted(row.keys() | usage.keys())
    ]


def _number(own: dict[str, Any]) -> str:
    column = identifier(own["column"])
    if own["type"] == "BOOLEAN":
        return f"CAST({column} AS BIGINT)"
    if own["type"] != "VARCHAR":
        return column
    return f"CASE {column} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST({column} AS DOUBLE) END"


def _first_of(*expressions: str | None) -> str:
    given = [expression for expression in expressions if expression is not None]
    return given[0] if len(given) == 1 else f"coalesce({', '.join(given)})"
