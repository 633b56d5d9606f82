"""The result of a claim's query, column by column, as estimators take it; what they cannot take is refused with a reason."""

from typing import Any

import numpy as np

from blade.runs.tables import Table

MOST_ROLLOUTS = 100_000  # of one task; a query can make any number, and some sums have a term for each


class EstimatorError(ValueError):
    """The result of a query that an estimator cannot take."""


class NotFinite(EstimatorError):
    """Numbers beyond all range: nothing can be computed from them, which is a value too (null)."""


def counts(table: Table, *names: str) -> list[Any]:
    found = [floats(table, name) for name in names]
    if any(column.size and not 0 <= column.min() <= column.max() <= MOST_ROLLOUTS for column in found):
        raise EstimatorError(f"{' and '.join(names)} must be counts of a task's rollouts")
    return found


def cells(table: Table, name: str) -> list[Any]:
    if name not in table.columns:
        raise EstimatorError(f"the query gives no column {name!r}; it gives {', '.join(table.columns)}")
    place = table.columns.index(name)
    return [cells[place] for cells in table.rows]


def floats(table: Table, name: str) -> Any:
    try:
        found = np.array(cells(table, name), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or found.ndim != 1:
        raise EstimatorError(f"the column {name!r} must hold numbers")
    if not np.isfinite(found).all():
        raise NotFinite(f"the column {name!r} holds numbers beyond all range")
    return found


def constant(table: Table, name: str) -> float:
    values = floats(table, name)
    if not values.size or values.min() != values.max():
        raise EstimatorError(f"the column {name!r} must hold one value throughout")
    return float(values[0])
