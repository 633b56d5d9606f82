"""What an earlier diagnosis predicted, held against what happened: each entry of its ledger, on the tasks that both runs have.

A prediction is about the score over all tasks, through the tasks that a fix would help. So what is observed is the part of the change
that lies on those tasks: the mean over all common tasks of d_i where the task is one of them and 0 elsewhere, with its interval.
That a fix was made is not in the artifacts: the outcome says what happened, not why.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.carriers import LISTED
from blade.comparison.pairing import Pairing
from blade.errors import UsageError
from blade.runs.run import Run
from blade.runs.sql import run_sql

OUTCOMES: Final = {
    "confirmed": "the affected tasks gained about what was predicted, or more",
    "partly": "the affected tasks gained, but less than predicted",
    "refuted": "the affected tasks did not gain what was predicted",
    "undecided": "neither the predicted gain nor none can be excluded",
    "not_testable": "",
}


def predictions(entries: Sequence[Mapping[str, Any]], a: Run, b: Run, pairing: Pairing) -> list[dict[str, Any]]:
    """One outcome per entry, in the ledger's order."""
    return [_tested(entry, a, b, pairing) for entry in entries]


def _tested(entry: Mapping[str, Any], a: Run, b: Run, pairing: Pairing) -> dict[str, Any]:
    predicted = dict(entry.get("predicted") or {})
    told = {
        "id": entry["id"],
        "title": (entry.get("intervention") or {}).get("title"),
        "family": (entry.get("intervention") or {}).get("family"),
        "predicted": predicted,
        "observed": None,
        "modes": _modes(entry, a, b, pairing),
    }
    keys = np.flatnonzero(pairing.paired)
    affected = set(entry.get("tasks") or ())
    inside = np.array([pairing.a.ids[key] in affected for key in keys], dtype=np.bool_)
    if not inside.any():
        return told | {"outcome": "not_testable", "why": _why_not(entry, a)}
    part = np.where(inside, pairing.differences, 0.0)
    interval = stats.paired_interval(part, stats.pair_repeats(pairing.a.scored[keys], pairing.b.scored[keys]))
    ci = None if interval is None else [interval.low, interval.high]
    told["observed"] = {"delta": float(part.mean()), "ci": ci, "tasks": int(inside.sum()), "of_tasks": int(keys.size)}
    if predicted.get("estimate") is None:
        return told | {"outcome": "not_testable", "why": "it gave bounds and no estimate"}
    outcome = _outcome(float(predicted["estimate"]), ci)
    return told | {"outcome": outcome, "why": OUTCOMES[outcome]}


def _why_not(entry: Mapping[str, Any], a: Run) -> str:
    about = (entry.get("run") or {}).get("dataset")
    dataset = a.provenance.get("dataset")
    here = dataset.get("fingerprint") if isinstance(dataset, Mapping) else None
    return "none of its tasks is scored in both runs" if about == here else "it is about another dataset"


def _outcome(estimate: float, ci: Sequence[float] | None) -> str:
    if ci is None:
        return "undecided"
    low, high = ci
    if high < estimate:
        return "partly" if low > 0 else "refuted"
    return "confirmed" if low > 0 else "undecided"


def _modes(entry: Mapping[str, Any], a: Run, b: Run, pairing: Pairing) -> list[dict[str, Any]]:
    """How often each mode of the entry failed a rollout of the common tasks, before and after; null where it cannot be asked for."""
    keys = np.flatnonzero(pairing.paired)
    found = []
    for mode in entry.get("modes") or ():
        condition = mode.get("condition")
        askable = isinstance(condition, str) and not condition.startswith(LISTED)
        counts = [
            _count(run, condition, [str(side.ids[key]) for key in keys]) if askable else None
            for run, side in ((a, pairing.a), (b, pairing.b))
        ]
        found.append({"code": mode.get("code"), "subject": mode.get("subject"), "a_rollouts": counts[0], "b_rollouts": counts[1]})
    return found


def _count(run: Run, condition: str, tasks: Sequence[str]) -> int | None:
    """By the locked connection: a ledger is a file that anyone may have written."""
    place = set(tasks)
    failed = f"NOT {run.passes}" if run.pass_rule.decides else "true"
    try:
        rows = run_sql(
            run, f"SELECT r.task, count(*) FROM rollouts AS r WHERE r.class = 'scored' AND {failed} AND ({condition}) GROUP BY 1"
        ).rows
    except UsageError:
        return None
    return sum(int(count) for task, count in rows if task in place)
