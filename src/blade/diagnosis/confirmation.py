"""How to find out whether an intervention worked: the command to run, and the repeats it takes to see the predicted gain.

The question is about these very tasks, so only the noise of the repeats counts. With w₀ and w₁ the mean within-task variances
before and after, T affected tasks and K repeats in each of the two runs, a difference δ on them is found with 80 % power when

    (z.975 + z.80) · √((w₀ + w₁) / (T·K)) + 1 / (T·K) ≤ δ

the two-sample size formula (Fleiss, Levin & Paik 2003, ch. 4) with one step of the score lattice for counts that are discrete, and
T·K ≥ 4, below which no exact test of two runs reaches 5 %. w₀ is what the repeats show, w₁ what a rate of p + δ implies.
"""

import shlex
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final

from blade.diagnosis.fixes import INSPECT, REJUDGE, RERUN, REVERIFY

MOST_REPEATS: Final = 1_000
FEWEST_ROLLOUTS: Final = 4
REACH: Final = 1.959964 + 0.841621
"""z.975 + z.80"""
AFTER: Final = "results/after.jsonl"
LEDGER: Final = "ledger.jsonl"
"""Where the report's folder keeps what was predicted."""


def repeats_needed(
    estimate: float | None, affected: int, tasks: Sequence[str], listed: Mapping[str, Mapping[str, Any]]
) -> int | None:
    """The repeats of the affected tasks, in each run, that show the predicted gain with 80 % power; None where that cannot be said.

    The estimate is about the score over all tasks (`listed`, by name), so it is larger on the affected ones, of which `tasks` are
    known by name. Where those are not all, the variances are taken from all tasks.
    """
    if estimate is None or estimate <= 0 or not affected:
        return None
    scored = [task for task in listed.values() if task.get("n")]
    named = [listed[task] for task in tasks if task in listed and listed[task].get("n")]
    sample = named if len(named) >= affected else scored
    if not sample or any(task.get("passed") is None for task in sample):
        return None
    effect = min(1.0, estimate * len(scored) / affected)
    rates = [(task["passed"] / task["n"], task["n"]) for task in sample]
    before = sum(rate * (1 - rate) * (n / (n - 1) if n > 1 else 1.0) for rate, n in rates) / len(rates)
    after = sum(_variance(min(1.0, rate + effect)) for rate, _ in rates) / len(rates)
    return repeats_to_see(effect, before + after, affected)


def repeats_to_see(effect: float, variances: float, tasks: int) -> int | None:
    """The least K of the formula above; None beyond a thousand."""
    for repeats in range(1, MOST_REPEATS + 1):
        rollouts = tasks * repeats
        if rollouts >= FEWEST_ROLLOUTS and REACH * sqrt(variances / rollouts) + 1 / rollouts <= effect:
            return repeats
    return None


def _variance(rate: float) -> float:
    return rate * (1 - rate)


def command(kind: str, repeats: int | None, diagnosis: Mapping[str, Any], task: str = "") -> str:
    """The command line that confirms a fix of this kind, for a shell."""
    run = shlex.quote(str((diagnosis.get("run") or {}).get("path") or "RUN"))
    if kind == "read":
        return f"blade diagnose {run} --task {shlex.quote(task)}"
    if kind == INSPECT:
        return f"blade health {run}"
    count = repeats or (diagnosis.get("repeats") or {}).get("mode") or 1
    collected = {
        RERUN: f"{count} repeat{'s' * (count > 1)} of these tasks with the change",
        REVERIFY: "the same rollouts, graded again by the mended verifier",
        REJUDGE: "the rollouts that the judge failed on, judged again",
    }[kind]
    return f"blade compare {run} {AFTER} --ledger {LEDGER}  # {AFTER}: {collected}"
