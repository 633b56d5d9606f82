"""The figures beside a golden report, `<model>_golden_report_metrics.json`: drafted from a run's diagnosis, and held against one.

A figure is known by its name (`pass_at_1`, `total_tasks`, `consistency`, …) or by the stage, bucket, slice or label that it stands
under. One that no fact answers to is not checkable, and is counted as that. Rates are fractions, and hold when they are the run's
own at the digits they were written with, two at least.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from blade.claims.reading.facts import RUN, RunFacts, named

NEEDED: Final = (("model_name", "model"), ("benchmark",), ("pass_at_1", "mean_reward"), ("total_tasks", "num_tasks"))
"""Of each, one must be there."""
STATED: Final = ("pass_at_1", "total_tasks", "num_tasks")
"""What the report itself must say too."""
_MEASURES: Final = {
    "total_tasks": "tasks",
    "num_tasks": "tasks",
    "task_count": "tasks",
    "total_rollouts": "rollouts",
    "num_rollouts": "rollouts",
    "scored_rollouts": "scored",
    "num_repeats": "repeats",
    "k": "repeats",
    "pass_rate": "pass_at_1",
    "coverage_rate": "coverage",
}
_OF_K: Final = re.compile(r"(pass_at|pass_hat|pass@|pass\^)_?(\d+)")

_NESTED: Final = ("rollouts", "tasks", "rate", "share", "passed", "failed", "mean", "total", "calls")
NUMBER: Final = (int, Decimal)
_DIGITS: Final = Decimal("0.01")
MOST_FIGURES: Final = 2_000
MOST: Final = 10**15
"""Beyond all counts: such a figure is none of a run's."""


@dataclass(frozen=True)
class Figure:
    """One number of a sidecar: the names that lead to it, what it says, and what the run says (empty where nothing does)."""

    name: tuple[str, ...]
    value: int | Decimal
    facts: tuple[float, ...]

    @property
    def holds(self) -> bool:
        return any(same(self.value, fact) for fact in self.facts)

    @property
    def path(self) -> str:
        return ".".join(self.name)


def draft(document: Mapping[str, Any], model: str, benchmark: str) -> dict[str, Any]:
    """The sidecar that a diagnosis gives."""
    metrics, counts = document["metrics"], document["denominator"]
    k = document["repeats"]["mode"]
    at_k = (metrics["pass_at_k"] or {}).get(str(k)) or {"value": None}
    found = {
        "model_name": model,
        "benchmark": benchmark,
        "pass_at_1": metrics["pass_at_1"]["value"],
        "pass_at_k": at_k["value"],
        "k": k,
        "mean_reward": metrics["mean_reward"]["value"],
        "total_tasks": document["task_count"],
        "total_rollouts": counts["expected"],
        "scored_rollouts": counts["scored"],
        "passed": counts["passed"],
        "failed": counts["failed"],
        "errored": counts["errored"],
        "missing": counts["missing"],
        "consistency": metrics["consistency"],
        "coverage": metrics["coverage"],
        "retry_value": metrics["retry_value"],
        "buckets": {name: len(tasks) for name, tasks in (document.get("buckets") or {}).items() if tasks is not None},
        "funnel": {stage["stage"]: stage["count"] for stage in document.get("funnel") or ()},
    }
    return {name: _rounded(value) for name, value in found.items() if value is not None}


def lacks(sidecar: Mapping[str, Any]) -> list[str]:
    """What every sidecar must have and this one does not."""
    return [" or ".join(names) for names in NEEDED if all(sidecar.get(name) in (None, "") for name in names)]


def figures(sidecar: Mapping[str, Any], facts: RunFacts) -> list[Figure]:
    """Every number of the sidecar beside what the run says of it."""
    found: list[Figure] = []
    for name, value in _numbers(sidecar, ()):
        if len(found) >= MOST_FIGURES:
            break
        found.append(Figure(name, value, tuple(_facts(name, facts, sidecar))))
    return found


def _numbers(value: Any, name: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int | Decimal]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(inner, (*name, str(key)))
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield name, value


def _facts(name: tuple[str, ...], facts: RunFacts, sidecar: Mapping[str, Any]) -> list[float]:
    """What the run says; a figure under another is one of the stage, bucket, slice or label it is named after."""
    if len(name) == 1:
        return _of_run(name[0].casefold(), facts, sidecar)
    entity = name[-1]
    for one in (entity, f"stage {entity}", f"label {entity}", f"{name[-2]} = {entity}"):
        measures = facts.measures.get(named(one))
        if measures:
            return [value for measure in _NESTED for value in measures.get(measure, ())]
    inner = facts.measures.get(named(name[-2]), {}).get(entity.casefold(), [])
    return list(inner) or (_of_run(entity.casefold(), facts, sidecar) if name[0] in ("metrics", "aggregate") else [])


def _of_run(name: str, facts: RunFacts, sidecar: Mapping[str, Any]) -> list[float]:
    known = facts.measures[RUN]
    if name in ("pass_at_k", "pass@k"):
        k = sidecar.get("k")
        repeats = k if isinstance(k, int) else facts.document["repeats"]["mode"]
        return [*known.get(f"pass_at_{repeats}", ()), *(known.get("oracle", ()) if k is None else ())]
    if name in ("pass_hat_k", "pass^k"):
        return list(known.get(f"pass_hat_{facts.document['repeats']['mode']}", ()))
    if of_k := _OF_K.fullmatch(name):
        kind = "pass_at" if of_k[1] in ("pass_at", "pass@") else "pass_hat"
        return list(known.get(f"{kind}_{int(of_k[2])}" if int(of_k[2]) > 1 else "pass_at_1", ()))
    bucket = re.fullmatch(r"(always|sometimes|never)_pass(?:_tasks)?", name)
    if bucket:
        return list(facts.measures.get(bucket[1], {}).get("tasks", ()))
    return list(known.get(_MEASURES.get(name, name), ()))


def same(value: int | Decimal, fact: float) -> bool:
    """Whether a figure is this fact, at the digits it was written with."""
    if not -MOST <= value <= MOST:
        return False
    if isinstance(value, int) and fact == int(fact) and abs(fact) >= 1:
        return value == fact
    exponent = value.as_tuple().exponent if isinstance(value, Decimal) else 0
    written = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else _DIGITS
    return abs(float(value) - fact) <= 0.5 * float(min(written, _DIGITS)) + 1e-9


def _rounded(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value
