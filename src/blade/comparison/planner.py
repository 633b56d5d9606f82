"""What to run next: the tasks and repeats that would find a change of a given size, and where the next rollouts teach most.

With one run the spread of the differences is that of a benchmark like it whose second run mends failures at an even chance
(`stats.power`); with two it is what the pair shows (`spread`).
"""

import shlex
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.judging import judge
from blade.comparison.margins import in_score_units
from blade.comparison.pairing import Pairing, pair
from blade.comparison.plan_words import ONE_REPEAT, says
from blade.comparison.spread import Spread, noise_of, spread_of, spread_of_one
from blade.comparison.strangers import told_apart
from blade.comparison.units import units_of
from blade.runs.run import Run
from blade.stats.detectable import FEWEST_MOVED, POWER
from blade.stats.planning import MOST_TASKS, REPEATS, benchmark_like, greedy_allocation, option, options

SCHEMA: Final = "blade.plan/1"
MOST_NEXT: Final = 50
REPEATS_TRIED: Final = (2, 4, 8, 16, 32, 64)


def plan(runs: Sequence[Run], detect: float, *, metric: str | None = None, rollouts: int | None = None) -> dict[str, Any]:
    """The document `blade.plan/1` for one run, or for a pair of which the first is the baseline."""
    judging = judge(runs, metric)
    target = in_score_units(detect, judging, "--detect")
    pairing = told_apart(runs[0], runs[-1], pair(runs[0], runs[-1], judging=judging))
    keys = pairing.paired
    tasks = int(keys.sum())
    repeats = max(1, round(stats.pair_repeats(pairing.a.scored[keys], pairing.b.scored[keys]))) if tasks else 0
    spread = spread_of(pairing) if len(runs) > 1 else None if pairing.binary else spread_of_one(pairing)
    if spread is None:
        ways, current = _from_one_run(pairing, target, tasks, repeats)
    else:
        ways = _from_spread(spread, target, tasks, repeats)
        current = _detectable(pairing) if len(runs) > 1 else spread.effect(tasks, repeats)
    found = {
        "schema": SCHEMA,
        "runs": [run.artifacts.spec for run in runs],
        "metric": judging.metric,
        "target": target,
        "power": POWER,
        "current": {
            "tasks": tasks,
            "repeats": repeats,
            "mde": current,
            "rollouts": _scored(pairing, len(runs)),
            "finds": current is not None and current <= target,
            "spread_of_true_changes": None if spread is None else sqrt(spread.between),
            "noise_of_a_rollout": None if spread is None else sqrt(spread.within / 2),
        },
        "options": ways,
        "next": _next(pairing, len(runs), rollouts or max(tasks, 1)),
    }
    return found | {"says": says(found, spread, one_repeat=tasks > 0 and repeats == 1)}


def _detectable(pairing: Pairing) -> float | None:
    """What this pair could have found, as the comparison says it."""
    if pairing.binary:
        return stats.detectable_difference_of_rates(*pairing.pass_counts).value
    repeats = stats.pair_repeats(pairing.a.scored[pairing.paired], pairing.b.scored[pairing.paired])
    return stats.detectable_difference(pairing.differences, repeats, pairing.judging.span).value


def _scored(pairing: Pairing, runs: int) -> int:
    counts = [int(side.scored[pairing.paired].sum()) for side in (pairing.a, pairing.b)]
    return sum(counts[:runs])


def _from_one_run(pairing: Pairing, target: float, tasks: int, repeats: int) -> tuple[list[dict[str, Any]], float | None]:
    if tasks < FEWEST_MOVED:
        return [], None
    passed, tried, _, _ = pairing.pass_counts
    of = benchmark_like(passed, tried)
    ways = [
        {
            "tasks": one.tasks,
            "repeats": one.repeats,
            "mde": one.mde,
            "rollouts": one.rollouts,
            "finds": one.finds(target),
            "equivalent": one.equivalent,
        }
        for one in options(of, target, tasks, sorted({*REPEATS, repeats}))
    ]
    return ways, option(of, tasks, repeats, target).mde


def _from_spread(spread: Spread, target: float, tasks: int, repeats: int) -> list[dict[str, Any]]:
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for each in sorted({*REPEATS, repeats} - {0}):
        for size in (tasks, spread.tasks_needed(target, each)):
            if size is not None and size >= FEWEST_MOVED:
                mde = spread.effect(size, each)
                found[size, each] = {
                    "tasks": size,
                    "repeats": each,
                    "mde": mde,
                    "rollouts": 2 * size * each,
                    "finds": mde is not None and mde <= target,
                    "equivalent": None,
                }
    return sorted(found.values(), key=lambda one: (one["rollouts"], one["tasks"]))


def _next(pairing: Pairing, runs: int, rollouts: int) -> list[dict[str, Any]]:
    """The tasks that deserve the next rollouts: those whose scores carry the most noise into the difference."""
    keys = np.flatnonzero(pairing.common)
    sides = [("a", pairing.a), ("b", pairing.b)][:runs]
    if not keys.size:
        return []
    mask = pairing.common
    tried = np.concatenate([side.scored[mask] for _, side in sides])
    noise = np.concatenate([noise_of(side, mask, pairing.binary) for _, side in sides])
    extra = greedy_allocation(noise, tried, rollouts)
    found = []
    for place in sorted(np.flatnonzero(extra), key=lambda place: (-int(extra[place]), place))[:MOST_NEXT]:
        run, key = sides[place // keys.size][0], keys[place % keys.size]
        more, had = int(extra[place]), int(tried[place])
        found.append(
            {
                "task": pairing.names[key],
                "repeats": more,
                "why": _why(float(noise[place]), had, more, pairing, run, int(key)),
                **({"run": run} if runs > 1 else {}),
            }
        )
    return found


def _why(noise: float, had: int, more: int, pairing: Pairing, run: str, key: int) -> str:
    if not had:
        return "no scored rollout yet"
    side = pairing.a if run == "a" else pairing.b
    now, then = sqrt(noise / had), sqrt(noise / (had + more))
    if pairing.binary:
        passed = round(float(side.total[key]))
        return f"passed {passed} of {had}: its rate is known to ±{100 * now:.0f} points, with {more} more to ±{100 * then:.0f}"
    return f"mean {side.means[key]:.3g} over {had}: known to ±{now:.2g}, with {more} more to ±{then:.2g}"


def for_pair(pairing: Pairing, delta: float | None, margin: float, runs: tuple[str, str]) -> dict[str, Any] | None:
    """What an inconclusive pair lacks, as a step to take: the repeats or tasks that would show a change as large as the one seen."""
    tasks = int(pairing.paired.sum())
    if delta is None or tasks < FEWEST_MOVED:
        return None
    spread, keys = spread_of(pairing), pairing.paired
    now = max(1, round(stats.pair_repeats(pairing.a.scored[keys], pairing.b.scored[keys])))
    target = max(abs(delta), margin)
    size = units_of(pairing.metric).size(target)
    wish = f"{100 * target:.1f}".removesuffix(".0") if pairing.binary and target >= 0.01 else f"{target:.3g}"
    command = f"blade plan {' '.join(map(shlex.quote, runs))} --detect {wish}"
    repeats = next((each for each in REPEATS_TRIED if each > now and spread.finds(target, tasks, each)), None)
    if repeats is not None:
        title = f"Run {repeats} repeats of the {tasks:,} tasks in both runs"
        detail = f"A change of {size} would then be found in 4 of 5 cases; with {now} it is not."
        if now == 1:
            detail += f" {ONE_REPEAT}: if the tasks truly changed differently, it takes more."
    else:
        needed = spread.tasks_needed(target, max(now, 4))
        never = spread.never_finds(target, tasks)
        title = (
            "Add tasks: more repeats of these cannot settle it" if never else "Add tasks: repeats of these alone take too many"
        )
        detail = (
            f"A change of {size} takes about {needed:,} tasks with {max(now, 4)} repeats in both runs."
            if needed is not None
            else f"A change of {size} is out of reach: more than {MOST_TASKS:,} tasks would be needed."
        )
    return {"title": title, "detail": detail, "command": command, "repeats": repeats}
