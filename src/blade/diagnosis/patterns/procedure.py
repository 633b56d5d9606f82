"""The usual procedure (BI): what passing rollouts of the whole run look up before they make a change, whatever the task.

Within a task that never passes no sibling shows what was left out. Other tasks do: where (nearly) every passing rollout that credits
an account reads the profile first, one that credits without it has taken the amount from elsewhere. Said only of a change that went
wrong (or of which nobody knows whether it did). Where few pass, the failing ones count as well: a lookup that all who pass make, and
without which nobody does, is part of the procedure if chance would hardly part them so. Reward-aware: learnt from passing rollouts
(and what failing ones lack), found on failing ones.
"""

from collections.abc import Collection, Iterator, Mapping
from math import comb
from typing import Final, NamedTuple

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import is_lookup, short
from blade.diagnosis.patterns.lookups import SKIPPED_LOOKUP
from blade.diagnosis.views import CallRow, RolloutView, SignalRow, TaskView
from blade.runs.run import Run
from blade.signals.behaviour.action_reasons import OFFERED
from blade.signals.signal import parted
from blade.signals.texts.origins import IN_REQUEST

NEARLY_ALL: Final = 0.95
MIN_TASKS: Final = 2
MIN_ROLLOUTS: Final = 6
FEWEST: Final = 3
"""Passing rollouts from which on a lookup may be part of the procedure by what those who fail without it show."""
RARE: Final = 0.01
"""How often chance may part tasks that pass from those that fail as a lookup does, where few pass."""
WELL_KNOWN: Final = (3, 10)
"""Tasks and rollouts from which on a procedure is more than what a few happen to do."""
STRONG, WEAK = 0.65, 0.45
_WRONG: Final = ("action_wrong_argument", "action_extra")


class Usual(NamedTuple):
    """A lookup that goes before a change: how many of the passing rollouts that make the change make it, over how many tasks."""

    tool: str
    made: int
    rollouts: int
    tasks: int

    @property
    def weight(self) -> float:
        return STRONG if self.tasks >= WELL_KNOWN[0] and self.rollouts >= WELL_KNOWN[1] else WEAK


Procedures = Mapping[str, tuple[Usual, ...]]
"""By state-changing tool."""


def learn_procedures(run: Run) -> dict[str, tuple[Usual, ...]]:
    """The lookups that (nearly) all passing rollouts make before the first change with a tool. Counted in the database."""
    if not run.pass_rule.decides or "calls" not in run.meta["tables"]:
        return {}
    rows = run.query(f"""
        WITH scored AS (SELECT rollout, {run.passes} AS passed FROM rollouts WHERE class = 'scored'),
        made AS (SELECT rollout, task, name, mutation, step, passed FROM calls JOIN scored USING (rollout)
                 WHERE class = 'scored' AND error_class IS NULL AND name <> ''),
        firsts AS (SELECT rollout, task, name, passed, min(step) AS at FROM made WHERE mutation = 'change' GROUP BY ALL),
        sizes AS (SELECT name, count(*) FILTER (passed) AS rollouts, count(DISTINCT task) FILTER (passed) AS tasks,
                         count(DISTINCT task) FILTER (NOT passed) AS failing
                  FROM firsts GROUP BY name HAVING rollouts >= {FEWEST} AND tasks >= {MIN_TASKS}),
        before AS (SELECT DISTINCT f.name, m.name AS tool, f.rollout, f.task, f.passed FROM firsts AS f JOIN made AS m
                   ON m.rollout = f.rollout AND m.mutation = 'read' AND m.step < f.at)
        SELECT b.name, b.tool, count(*) FILTER (b.passed) AS with_it, s.rollouts, s.tasks, count(DISTINCT b.task) FILTER (NOT b.passed) AS failed_with_it, s.failing
        FROM before AS b JOIN sizes AS s USING (name)
        GROUP BY ALL HAVING with_it >= {NEARLY_ALL} * s.rollouts ORDER BY b.name, b.tool""").rows
    found: dict[str, list[Usual]] = {}
    for name, tool, made, rollouts, tasks, failed_with_it, failing in rows:
        if rollouts >= MIN_ROLLOUTS or (made == rollouts and _by_chance(tasks, failed_with_it, failing) <= RARE):
            found.setdefault(name, []).append(Usual(tool, made, rollouts, tasks))
    return {name: tuple(usual) for name, usual in found.items()}


def _by_chance(passing: int, failing_with: int, failing: int) -> float:
    """How often all tasks that pass would be among those with a lookup if it had nothing to do with passing (Fisher, one-sided); repeats of a task tell one thing."""
    return comb(passing + failing_with, passing) / comb(passing + failing, passing)


def lacking(rollout: RolloutView, change: CallRow, procedures: Procedures) -> list[Usual]:
    """The usual lookups that a rollout had not made when it made a change."""
    asked = {call.name for call in rollout.calls if call.step < change.step and is_lookup(call)}
    return [usual for usual in procedures.get(change.name, ()) if usual.tool not in asked]


def not_usual(procedures: Procedures, change: str, lookup: str) -> bool:
    """Whether it is known what goes before a change, and a lookup is not part of it: then nobody who passes needs it."""
    return change in procedures and lookup not in {usual.tool for usual in procedures[change]}


def skipped_procedures(view: TaskView, procedures: Procedures, known: Collection[str] = ()) -> Iterator[Finding]:
    """For each failing repeat, the first change of a tool that went wrong and was made without what usually goes before it.

    `known` are the lookups that the siblings of the task have already shown to be missing.
    """
    for rollout in view.failing:
        told: set[str] = set()
        for change in rollout.changes:
            if change.error_class is not None or change.name in told or not _doubtful(rollout, change.name):
                continue
            told.add(change.name)
            missing = [usual for usual in lacking(rollout, change, procedures) if usual.tool not in known]
            for usual in missing[:1]:
                yield SKIPPED_LOOKUP.found(
                    rollout,
                    subject=usual.tool,
                    step=change.step,
                    quote=short(change),
                    detail=f"no {usual.tool} before {change.name} (step {change.step}); {usual.made} of {usual.rollouts} passing rollouts "
                    f"that call {change.name}, over {usual.tasks} tasks, call it first",
                    weight=usual.weight,
                )


def _doubtful(rollout: RolloutView, tool: str) -> bool:
    """Whether a tool's change went wrong; where nothing is expected, nobody knows."""
    if not rollout.expected:
        return not any(signal.code == "answer_told" for signal in rollout.signals)
    return any(
        signal.code in _WRONG and parted(signal.subject, rollout.tools)[0] == tool and not request_names(signal)
        for signal in rollout.signals
    )


def request_names(signal: SignalRow) -> bool:
    """Whether the request itself names the right value, and not only as one to choose from: then no lookup was lacking for it."""
    return IN_REQUEST in signal.detail and OFFERED not in signal.detail
