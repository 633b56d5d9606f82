"""What an earlier diagnosis predicted, held against what happened: each entry of its ledger, on the tasks that both runs have.

A prediction is about the score over all tasks, through the tasks that a fix would help: those on which A failed with the mode. Tasks
that were picked by their failures do better next time by chance alone, so what is observed on them is freed of what chance gives
(`stats.selected_change`), and a gain counts only beyond that. That a fix was made is not in the artifacts: the outcome says what
happened, not why. A prediction with bounds and no estimate claims only that there is a gain and that it lies within them. A ledger is a file that anyone may have written: its SQL runs on the locked connection, and not for long.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from blade import stats
from blade.claims.runner import Calculator, CannotCompute
from blade.comparison.carriers import by_task, carriers_query, full_reward
from blade.comparison.pairing import Pairing
from blade.runs.run import Run
from blade.stats.counts import IntArray

SECONDS: Final = 20.0
"""How long a condition of the ledger may take."""
ALPHA: Final = 0.05
OUTCOMES: Final = {
    "confirmed": "the affected tasks gained about what was predicted, or more",
    "partly": "the affected tasks gained, but less than predicted",
    "refuted": "the affected tasks did not gain what was predicted",
    "undecided": "neither the predicted gain nor none can be excluded",
}
Carriers = tuple[IntArray, IntArray] | None
"""The failing rollouts that carry the modes of an entry, per paired task, in A and B; None where they cannot be asked for."""


def predictions(entries: Sequence[Mapping[str, Any]], a: Run, b: Run, pairing: Pairing) -> list[dict[str, Any]]:
    """One outcome per entry, in the ledger's order."""
    if not entries:
        return []
    with Calculator(a, SECONDS) as in_a, Calculator(b, SECONDS) as in_b:
        return [_tested(entry, _Asked(a, b, in_a, in_b, pairing), pairing) for entry in entries]


class _Asked:
    """The two runs as an entry's conditions are put to them."""

    def __init__(self, a: Run, b: Run, in_a: Calculator, in_b: Calculator, pairing: Pairing) -> None:
        keys = np.flatnonzero(pairing.paired)
        self.runs = (
            (a, in_a, [str(pairing.a.ids[key]) for key in keys]),
            (b, in_b, [str(pairing.b.ids[key]) for key in keys]),
        )
        self.full = full_reward(a, b)
        dataset = a.provenance.get("dataset")
        self.dataset = dataset.get("fingerprint") if isinstance(dataset, Mapping) else None

    def carriers(self, condition: str) -> Carriers:
        try:
            found = [
                by_task([(row["task"], row["n"]) for row in calculator.value(_query(run, condition, self.full), "rows")], tasks)
                for run, calculator, tasks in self.runs
            ]
        except CannotCompute:
            return None
        return found[0], found[1]


def _query(run: Run, condition: str, full: float | None) -> str:
    return f"SELECT task, n FROM ({carriers_query(run, condition, full)}) AS found(task, n)"


def _tested(entry: Mapping[str, Any], asked: _Asked, pairing: Pairing) -> dict[str, Any]:
    predicted = entry["predicted"]
    modes = [mode for mode in entry["modes"] if mode.get("reward_blind") and mode.get("condition")]
    found = [asked.carriers(mode["condition"]) for mode in modes]
    told = {
        "id": entry["id"],
        "title": entry["intervention"].get("title"),
        "family": entry["intervention"].get("family"),
        "predicted": dict(predicted),
        "observed": None,
        "modes": [_counted(mode, each) for mode, each in zip(modes, found, strict=True)],
    }
    together = asked.carriers(" OR ".join(f"({mode['condition']})" for mode in modes)) if modes else None
    if why := _why_not(entry, asked, together, pairing):
        return told | {"outcome": "not_testable", "why": why}
    assert together is not None
    passed_a, tried_a, passed_b, tried_b = pairing.pass_counts
    seen = stats.selected_change((passed_a, passed_b), together, (tried_a, tried_b))
    if seen is None:
        return told | {"outcome": "not_testable", "why": "no rollout of A fails with its modes"}
    ci = None if seen.interval is None else [seen.interval.low, seen.interval.high]
    told["observed"] = {
        "delta": seen.excess,
        "ci": ci,
        "p_value": seen.p_value,
        "with_chance": seen.observed,
        "by_chance": seen.by_chance,
        "tasks": seen.selected,
        "of_tasks": seen.tasks,
    }
    if predicted.get("estimate") is not None:
        outcome = _outcome(float(predicted["estimate"]), ci, seen.p_value)
        return told | {"outcome": outcome, "why": OUTCOMES[outcome]}
    if predicted.get("upper") is None:
        return told | {"outcome": "not_testable", "why": "it gave neither an estimate nor an upper bound"}
    bounds = float(predicted.get("lower") or 0.0), float(predicted["upper"])
    outcome, why = _within(bounds, seen.excess, ci, seen.p_value)
    return told | {"outcome": outcome, "why": why}


def _why_not(entry: Mapping[str, Any], asked: _Asked, carriers: Carriers, pairing: Pairing) -> str:
    if carriers is None:
        return "its modes cannot be asked for in another run"
    if not pairing.binary:
        return "by mean reward nothing tells how much chance lifts tasks that were picked by their failures"
    if not pairing.paired.any():
        return "no task is scored in both runs"
    if entry["run"].get("dataset") not in (None, asked.dataset) and not set(entry["tasks"]) & set(asked.runs[0][2]):
        return "it is about another dataset"
    return ""


def _outcome(estimate: float, ci: Sequence[float] | None, p_value: float) -> str:
    if ci is None:
        return "undecided"
    low, high = ci
    gained = low > 0 and p_value <= ALPHA
    if gained:
        return "confirmed" if high >= estimate else "partly"
    return "refuted" if high < estimate else "undecided"


def _within(bounds: tuple[float, float], delta: float, ci: Sequence[float] | None, p_value: float) -> tuple[str, str]:
    """The outcome of a prediction that gave bounds and no estimate, and why: the interval must leave them, or lie above 0 with its value inside."""
    lower, upper = bounds
    if ci is None:
        return "undecided", OUTCOMES["undecided"]
    low, high = ci
    if low > upper:
        return "refuted", "the affected tasks gained more than its upper bound"
    if high < lower:
        return "refuted", "the affected tasks lost" if lower <= 0 else "the affected tasks gained less than its lower bound"
    if low > 0 and p_value <= ALPHA and lower <= delta <= upper:
        return "confirmed", "the affected tasks gained, within its bounds"
    return (
        "undecided",
        "a gain within its bounds is possible, and so is none" if low <= 0 else "its bounds cannot be told from more",
    )


def _counted(mode: Mapping[str, Any], carriers: Carriers) -> dict[str, Any]:
    """How often a mode failed a rollout of the common tasks, before and after; null where it cannot be asked for."""
    counts = (None, None) if carriers is None else tuple(int(of_run.sum()) for of_run in carriers)
    return {"code": mode.get("code"), "subject": mode.get("subject"), "a_rollouts": counts[0], "b_rollouts": counts[1]}
