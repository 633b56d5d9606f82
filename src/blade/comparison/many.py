"""Several runs at once: every one against the baseline, a ranking, and the tasks that no run passes or that tell the runs apart.

Booked scores of runs with other task sets do not compare, so the ranking shows beside each the score on the tasks that all runs
share. A run without a scored task of the baseline's is not ranked at all. The order is by booked score; the p-values against the
baseline are corrected for their number (Holm).
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.pairing import Pairing, Side
from blade.comparison.strangers import Between

MOST_NAMED: Final = 50


def matrix(pairings: Sequence[Pairing], between: Between) -> list[dict[str, Any]]:
    """A row per task, the baseline's first: its mean in each run, null where the run has no score for it.

    `pairings` hold the baseline as A and each further run as B; `between` pairs two further runs. A task that a run defines otherwise is another row, and so is one
    that the baseline does not have and that two further runs define differently.
    """
    runs = len(pairings) + 1
    rows: dict[tuple[str, str], list[float | None]] = {}
    for place, pairing in enumerate(pairings, 1):
        for name, here, first, second in zip(pairing.names, pairing.a.ids, _means(pairing.a), _means(pairing.b), strict=True):
            if here is not None:
                row = rows.setdefault((name, ""), [None] * runs)
                row[0], row[place] = first, second
    named: list[dict[str, tuple[str, str]]] = []
    for place, pairing in enumerate(pairings, 1):
        named.append(_rows_beyond_the_baseline(pairings[place - 1], named, between, rows))
        for task, mean in zip(pairing.b.ids, _means(pairing.b), strict=True):
            if task in named[-1]:
                rows.setdefault(named[-1][task], [None] * runs)[place] = mean
    return [{"task": name, "rates": rates} | ({"defined_by": where} if where else {}) for (name, where), rates in rows.items()]


def _rows_beyond_the_baseline(
    last: Pairing, named: Sequence[Mapping[str, tuple[str, str]]], between: Between, taken: Container[tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """The row of each task that the last run has and the baseline has not: that of an earlier run's same task, else its own.

    `named` are these rows of the earlier runs.
    """
    place = len(named) + 1
    beyond = [there for here, there in zip(last.a.ids, last.b.ids, strict=True) if here is None and there is not None]
    found: dict[str, tuple[str, str]] = {}
    for earlier, rows in enumerate(named, 1):
        if not (beyond and rows):
            continue
        both = between(earlier, place)
        partner = {there: here for here, there in zip(both.a.ids, both.b.ids, strict=True) if None not in (here, there)}
        known = set(found.values())
        for task in beyond:
            row = rows.get(partner.get(task) or "")
            if row is not None and task not in found and row not in known:
                found[task] = row
    own = f"run {place}"
    return {task: found.get(task) or (task, own if (task, "") in taken else "") for task in beyond}


def _means(side: Side) -> list[float | None]:
    return [float(mean) if booked else None for mean, booked in zip(side.means, side.booked, strict=True)]


def ranking(
    names: Sequence[str],
    heads: Sequence[Mapping[str, Any]],
    p_values: Sequence[float | None],
    rows: Sequence[Mapping[str, Any]],
    apart: Sequence[bool] | None = None,
) -> list[dict[str, Any]]:
    """The runs by booked score. `heads` are {value, ci, tasks}; `p_values` those of each further run against the first.

    `apart` says of each of several runs whether it has no scored task of the first: such runs stand behind the others in the order given,
    and the tasks that all share are those of the others.
    """
    ranked = [place for place in range(len(names)) if not (apart and apart[place])]
    known = [p_value for p_value in p_values if p_value is not None]
    adjusted = iter(stats.holm(known) if known else ())
    holm = [None, *(None if p_value is None else float(next(adjusted)) for p_value in p_values)]
    shared = [row["rates"] for row in rows if len(ranked) > 1 and all(row["rates"][place] is not None for place in ranked)]
    means = np.mean(np.array(shared, dtype=np.float64), axis=0) if shared else [None] * len(names)
    found = [
        {
            "run": name,
            "value": head["value"],
            "ci": head["ci"],
            "p_vs_baseline_holm": p_value,
            "baseline": place == 0,
            "tasks": head["tasks"],
            "shared": {"tasks": len(shared), "value": None if mean is None or place not in ranked else float(mean)},
        }
        | ({} if apart is None else {"ranked": place in ranked})
        for place, (name, head, p_value, mean) in enumerate(zip(names, heads, holm, means, strict=True))
    ]
    return sorted(found, key=_order)


def _order(one: Mapping[str, Any]) -> tuple[int, float]:
    """The highest score first, then runs without one, then those that are not ranked."""
    if not one.get("ranked", True):
        return 2, 0.0
    return (1, 0.0) if one["value"] is None else (0, -one["value"])


def unsolved(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The tasks that were scored and that no run ever passes."""
    return [row["task"] for row in rows if (known := _known(row)) and max(known) == 0]


def separating(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tasks whose scores in the runs lie furthest apart, widest first."""
    wide = [(max(known) - min(known), row) for row in rows if len(known := _known(row)) > 1 and max(known) > min(known)]
    ranked = sorted(wide, key=lambda one: -one[0])[:MOST_NAMED]
    return [
        {"task": row["task"], "spread": spread, "rates": row["rates"]} | {key: row[key] for key in ("defined_by",) if key in row}
        for spread, row in ranked
    ]


def _known(row: Mapping[str, Any]) -> list[float]:
    return [rate for rate in row["rates"] if rate is not None]
