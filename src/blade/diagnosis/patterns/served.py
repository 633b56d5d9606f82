"""Rollouts that were served otherwise than the rest of the run (IR): by another model, or with another limit or temperature.

A gateway falls back to a smaller model, a worker starts with an old configuration. Within a run all repeats should be made alike; where a few
rollouts of tasks whose other repeats have the usual setting have another one, and fail significantly more often (Fisher's exact test, Holm over the settings
and their values), it is the setting and not the model's work that is to be looked at. Reward-aware in what it learns; a run of two halves is no minority.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.exact import fisher_greater
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run
from blade.stats import holm

OTHERWISE: Final = Pattern(
    "served_otherwise",
    "IR",
    "the rollout was served by another model or with other settings than the rest of the run, and such rollouts fail far more often",
    0.7,
)
PATTERNS: Final = (OTHERWISE,)
SETTINGS: Final = ("model", "temperature", "top_p", "max_output_tokens", "reasoning_effort")
USUAL: Final = 0.7
"""Share of the rollouts from which on a value is the run's own."""
FEWEST: Final = 3
SIGNIFICANT: Final = 0.01
MODEL, BEYOND_DOUBT = "model", 1e-4
"""A task may ask for a limit or a temperature of its own, but hardly for another model: there no repeat with the usual one is needed, and more evidence."""


@dataclass(frozen=True)
class Served:
    """A rollout's setting, the usual one, and how such rollouts fare."""

    setting: str
    value: str
    usual: str
    told: str


def learn_served(run: Run) -> dict[str, Served]:
    """The rollouts with an unusual setting that goes with failing."""
    if not run.pass_rule.decides:
        return {}
    candidates: list[tuple[str, str, str, tuple[int, int, int, int]]] = []
    for setting in SETTINGS:
        rows = run.query(f"""
            SELECT CAST({setting} AS VARCHAR), count(*), count(*) FILTER (NOT {run.passes}) FROM rollouts
            WHERE class = 'scored' AND {setting} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50""").rows
        if len(rows) < 2 or rows[0][1] < USUAL * sum(row[1] for row in rows):
            continue
        usual, of, failing = rows[0]
        candidates += [(setting, value, usual, (bad, n, failing, of)) for value, n, bad in rows[1:] if n >= FEWEST]
    if not candidates:
        return {}
    adjusted = holm([fisher_greater(*counts) for *_, counts in candidates])
    found: dict[str, Served] = {}
    for (setting, value, usual, (bad, n, failing, of)), p in zip(candidates, adjusted, strict=True):
        if p <= SIGNIFICANT and (_in_usual_tasks(run, setting, value, usual) or (setting == MODEL and p <= BEYOND_DOUBT)):
            told = f"{bad} of {n} such rollouts fail, {failing} of {of} with {usual}"
            rows = run.query(
                f"SELECT rollout FROM rollouts WHERE class = 'scored' AND NOT {run.passes} AND CAST({setting} AS VARCHAR) = $1",
                (value,),
            ).rows
            for (rollout,) in rows:
                found.setdefault(rollout, Served(setting, value, usual, told))
    return found


def _in_usual_tasks(run: Run, setting: str, value: str, usual: str) -> bool:
    """Whether most tasks with the unusual value have repeats with the usual one: else the task itself may ask for it."""
    tasks, both = run.query(
        f"""SELECT count(*), count(*) FILTER (usual) FROM (
            SELECT task, bool_or(CAST({setting} AS VARCHAR) = $1) AS odd, bool_or(CAST({setting} AS VARCHAR) = $2) AS usual
            FROM rollouts WHERE class = 'scored' GROUP BY task) WHERE odd""",
        (value, usual),
    ).rows[0]
    return bool(2 * both >= tasks)


def served_otherwise(view: TaskView, known: Mapping[str, Served]) -> Iterator[Finding]:
    for rollout in view.failing:
        if (one := known.get(rollout.rollout)) is not None:
            yield OTHERWISE.found(
                rollout,
                subject=one.setting,
                quote=f"{one.setting} = {one.value}",
                detail=f"the run's own is {one.usual}; {one.told}",
            )
