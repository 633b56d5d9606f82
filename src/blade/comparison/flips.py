"""The tasks that moved, ranked by the posterior probability that they did, each with where the two runs part on it.

The divergence of a flip is a contrast across runs: the passing rollouts of the better side against the failing rollouts of the other.
The cause is the other side's own diagnosis of the task.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.pairing import Pairing
from blade.diagnosis.catalogue import NOT_MADE
from blade.diagnosis.contrasts import contrast
from blade.diagnosis.findings import evidence
from blade.diagnosis.views import TaskView, views_of
from blade.runs.run import Run
from blade.stats.counts import FloatArray, IntArray

MOST_FLIPS: Final = 200
"""Moved tasks that are told with their cause."""
MOST_TOLD: Final = 12
"""Flips of either direction whose trajectories are read."""
_IN: Final = ("a", "b")


def moved_tasks(pairing: Pairing) -> list[dict[str, Any]]:
    """Every paired task whose scores differ, the surest first: its scores, and the posterior probability that B is better at it.

    The probability is null where no task has two rollouts to show how rewards vary.
    """
    keys = np.flatnonzero(pairing.paired)
    chances = _chances(pairing, keys)
    means_a, means_b = pairing.a.means[keys], pairing.b.means[keys]
    moved = np.flatnonzero(means_a != means_b)
    far = np.abs(means_b - means_a)
    sure = far if chances is None else np.round(np.abs(chances - 0.5), 9)
    ranked = moved[np.lexsort((moved, -far[moved], -sure[moved]))]
    return [
        {
            "task": pairing.names[keys[place]],
            "a_rate": float(means_a[place]),
            "b_rate": float(means_b[place]),
            "a_rollouts": int(pairing.a.scored[keys[place]]),
            "b_rollouts": int(pairing.b.scored[keys[place]]),
            "probability_b_better": None if chances is None else float(chances[place]),
        }
        for place in ranked
    ]


def flips(
    a: Run,
    b: Run,
    pairing: Pairing,
    diagnoses: tuple[Mapping[str, Any], Mapping[str, Any]],
    moved: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """The surest of the moved tasks, each with its id in both runs and its cause; the first of either direction with their divergence."""
    there = dict(zip(pairing.a.ids, pairing.b.ids, strict=True))
    listed = [
        {"task": one["task"], "a_task": one["task"], "b_task": there[one["task"]]}
        | {key: value for key, value in one.items() if key != "task"}
        | {"divergence": None, "cause": None}
        for one in moved[:MOST_FLIPS]
    ]
    told = [*_first(listed, better=True), *_first(listed, better=False)]
    for flip, found in zip(told, _divergences(a, b, told, pairing.binary), strict=True):
        flip["divergence"] = found
    causes = [{task["task"]: task["cause"] for task in document["tasks"]} for document in diagnoses]
    for flip in listed:
        worse = int(flip["a_rate"] > flip["b_rate"])
        flip["cause"] = _cause(causes[worse].get(flip[f"{_IN[worse]}_task"]), _IN[worse])
    return listed


def _chances(pairing: Pairing, keys: IntArray) -> FloatArray | None:
    if not keys.size:
        return np.zeros(0)
    if pairing.binary:
        return stats.flips(*pairing.pass_counts).probability_b_better
    return stats.probability_mean_better(
        (pairing.a.means[keys], pairing.b.means[keys]),
        (pairing.a.variances[keys], pairing.b.variances[keys]),
        (pairing.a.scored[keys], pairing.b.scored[keys]),
    )


def _first(listed: Iterable[dict[str, Any]], *, better: bool) -> list[dict[str, Any]]:
    return [flip for flip in listed if (flip["b_rate"] > flip["a_rate"]) is better][:MOST_TOLD]


def _divergences(a: Run, b: Run, told: Sequence[dict[str, Any]], binary: bool) -> Iterator[dict[str, Any] | None]:
    if not told or not binary:
        yield from (None for _ in told)
        return
    views = [
        {view.task: view for view in views_of(run, [str(flip[f"{name}_task"]) for flip in told])}
        for name, run in zip(_IN, (a, b), strict=True)
    ]
    for flip in told:
        sides = [views[side].get(str(flip[f"{name}_task"])) for side, name in enumerate(_IN)]
        yield None if sides[0] is None or sides[1] is None else _divergence(sides[0], sides[1], flip["b_rate"] > flip["a_rate"])


def _divergence(a: TaskView, b: TaskView, better: bool) -> dict[str, Any] | None:
    """The contrast of the better side's passing rollouts and the other's failing ones, each named with its run."""
    passing, failing = (_named(b, "b"), _named(a, "a")) if better else (_named(a, "a"), _named(b, "b"))
    found = contrast(TaskView(a.task, (*passing.passing, *failing.failing)))
    if found is None:
        return None
    expected = _never_made(failing)
    where = {"passing": found["passing"], "failing": found["failing"]}
    return {side: _pointer(name) for side, name in where.items()} | {
        **found["divergence"],
        "code": found["code"],
        "subject": found["subject"],
        "strength": found["strength"],
        "note": found["note"],
        "evidence": [
            {
                **_pointer(item["rollout"]),
                **{key: item[key] for key in item if key != "rollout"},
                "expected": _spot(item) in expected,
            }
            for item in found["evidence"]
        ],
    }


def _never_made(view: TaskView) -> set[tuple[Any, ...]]:
    """Where the view quotes a call that was expected and never made, whatever the divergence is called after."""
    return {
        _spot(evidence(rollout.rollout, signal.step, signal.quote))
        for rollout in view.rollouts
        for signal in rollout.signals
        if signal.code in NOT_MADE
    }


def _spot(item: Mapping[str, Any]) -> tuple[Any, ...]:
    return item["rollout"], item["step"], item["quote"]


def _named(view: TaskView, run: str) -> TaskView:
    return TaskView(view.task, tuple(replace(rollout, rollout=f"{run} {rollout.rollout}") for rollout in view.rollouts))


def _pointer(name: str) -> dict[str, str]:
    run, _, rollout = name.partition(" ")
    return {"run": run, "rollout": rollout}


def _cause(cause: Mapping[str, Any] | None, run: str) -> dict[str, Any] | None:
    if cause is None:
        return None
    return {"run": run} | {
        key: cause[key] for key in ("label", "code", "confidence", "alternative", "why", "evidence") if key in cause
    }
