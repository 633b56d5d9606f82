"""What the runs used: tokens, steps, tool calls, time and cost, on the tasks they share.

Per rollout, averaged within a task and then over tasks, so that a task that was tried more often does not weigh more; the interval is
over the paired differences of the tasks. A measure that one of the runs does not report is null: not reported is not zero.
"""

import re
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.pairing import Pairing, Side
from blade.runs.own_columns import FLOAT, INT, VALUE_KINDS
from blade.runs.quoting import identifier
from blade.runs.run import Run
from blade.stats.counts import FloatArray

COLUMNS: Final = ("input_tokens", "output_tokens", "reasoning_tokens", "total_tokens", "steps", "tool_calls", "latency_ms")
ZERO_IS_UNRECORDED: Final = {"steps": "steps", "tool_calls": "steps", "cost": "cost"}
"""A run whose rows hold no output shows zero steps and calls, one whose model has no known price costs of zero: these are no figures.
For each such measure the one that must not be zero on all tasks."""
TIMES: Final = {
    re.compile(r"(.*\.)?(latency|duration|elapsed|wall_time)_ms"): 1.0,
    re.compile(r"(.*\.)?((latency|duration|elapsed|wall_time)(_s|_sec|_seconds)?|(agent_)?run_time(_s)?)"): 1000.0,
}
COSTS: Final = (re.compile(r"(.*\.)?(total_)?cost(_usd)?"), re.compile(r"(.*\.)?agent_cost(_usd)?"))


def usage(a: Run, b: Run, pairing: Pairing) -> dict[str, dict[str, Any] | None]:
    """`{measure: {a, b, delta, ci, ratio, tasks}}`, null where a run does not say."""
    measures = {name: (identifier(name), 1.0) for name in COLUMNS}
    if not (_reports(a, "latency_ms") and _reports(b, "latency_ms")):
        measures["latency_ms"] = _shared(a, b, TIMES) or measures["latency_ms"]
    if (cost := _shared(a, b, dict.fromkeys(COSTS, 1.0))) is not None:
        measures["cost"] = cost
    found = [_per_task(run, side, measures) for run, side in ((a, pairing.a), (b, pairing.b))]
    common = pairing.common
    compared = {name: _compared(found[0][name][common], found[1][name][common]) for name in measures}
    return {name: compared.get(name) for name in (*COLUMNS, "cost")}


def _reports(run: Run, column: str) -> bool:
    return bool(run.query(f"SELECT count({column}) > 0 FROM rollouts WHERE class = 'scored'").rows[0][0])


def _shared(a: Run, b: Run, names: dict[re.Pattern[str], float]) -> tuple[str, float] | None:
    """A number that the rows of both runs carry under one name, with the factor to its unit; the best name first."""
    columns = [
        {
            str(field["field"]): str(field["column"])
            for field in run.meta["own_fields"]
            if field["place"] != "usage" and not field["kinds"] & VALUE_KINDS & ~(INT | FLOAT)
        }
        for run in (a, b)
    ]
    for pattern, factor in names.items():
        for name in sorted(columns[0].keys() & columns[1].keys()):
            if pattern.fullmatch(name) and columns[0][name] == columns[1][name]:
                return identifier(columns[0][name]), factor
    return None


def _per_task(run: Run, side: Side, measures: dict[str, tuple[str, float]]) -> dict[str, FloatArray]:
    """The mean of each measure over the scored rollouts of each key that report it; NaN where none does."""
    columns = ", ".join(f"avg({column})::DOUBLE * {factor}" for column, factor in measures.values())
    rows = run.query(f"SELECT task, {columns} FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task").rows
    keys = side.index()
    found = np.full((len(measures), len(side.ids)), np.nan)
    for task, *values in rows:
        if task in keys:
            found[:, keys[task]] = [np.nan if value is None else value for value in values]
    means = dict(zip(measures, found, strict=True))
    unrecorded = [name for name, sign in ZERO_IS_UNRECORDED.items() if name in means and not np.nansum(means[sign])]
    return means | {name: np.full(len(side.ids), np.nan) for name in unrecorded}


def _compared(a: FloatArray, b: FloatArray) -> dict[str, Any] | None:
    both = np.isfinite(a) & np.isfinite(b)
    if not both.any():
        return None
    first, second = a[both], b[both]
    mean_a, mean_b = float(first.mean()), float(second.mean())
    interval = stats.mean_interval(second - first)
    return {
        "a": mean_a,
        "b": mean_b,
        "delta": float((second - first).mean()),
        "ci": None if interval is None else [interval.low, interval.high],
        "ratio": mean_b / mean_a if mean_a > 0 else None,
        "tasks": int(both.sum()),
    }
