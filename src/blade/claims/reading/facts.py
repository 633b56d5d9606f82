"""What the runs say: counts, rates and the rest by name, tasks and rollouts by id.

A fact is a thing (`entity`: the run itself, a bucket, a label, a slice, a tool, a stage, a mode, a task, a rollout) and a measure of it
(`tasks`, `rate`, `calls`). It may have several values, because a word may mean several things (`rollouts`: the scored, the planned, the
rows) or because several runs are at hand; a report is right when it gives one of them, and wrong only when it gives none.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from blade.claims.reading.references import Names
from blade.claims.reading.transcripts import Transcripts, words
from blade.runs.run import Run

RUN = ""
"""The entity that is the run itself."""
_DECORATION = re.compile(r"\[c\d+\]|[`*_]")


@dataclass(frozen=True)
class Cause:
    """What a diagnosis holds for the cause of a task."""

    label: str
    alternative: str | None
    confidence: float


@dataclass(frozen=True)
class TaskFacts:
    scored: int
    passed: int | None
    bucket: str | None
    cause: Cause | None = None


@dataclass(frozen=True)
class RolloutFacts:
    task: str
    repeat: int
    passed: bool | None
    steps: int | None
    state: str = "scored"
    """What became of it: scored, errored, missing, …"""


@dataclass
class RunFacts:
    """One run with the document of its diagnosis (`blade.diagnosis/1`)."""

    run: Run
    document: Mapping[str, Any]
    measures: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))

    def add(self, entity: object, measure: str, *values: Any) -> None:
        known = self.measures[named(entity)][measure]
        known += [float(value) for value in values if isinstance(value, int | float) and float(value) not in known]

    @cached_property
    def transcripts(self) -> Transcripts:
        return Transcripts(self.run)

    @cached_property
    def rollouts(self) -> dict[str, RolloutFacts]:
        """Every rollout that was planned or has a row; scored ones with their outcome."""
        rule = f"({self.run.passes})" if self.run.pass_rule.decides else "NULL"
        rows = self.run.query(f"""
            SELECT rollout, task, repeat, CASE WHEN class = 'scored' THEN {rule} END AS passed, steps, class FROM rollouts
            ORDER BY class = 'scored'""").rows
        found = {row[0]: RolloutFacts(*row[1:]) for row in rows}
        for rollout, task, repeat, state in self.run.query("SELECT rollout, task, repeat, state FROM plan").rows:
            found.setdefault(rollout, RolloutFacts(task, repeat, None, None, state))
        return found

    @cached_property
    def evidence(self) -> dict[str, list[tuple[int | None, str]]]:
        """What the diagnosis quotes of each rollout: the words of a transcript, or its own where there is nothing to quote."""
        found: dict[str, list[tuple[int | None, str]]] = defaultdict(list)
        pending: list[Any] = [self.document]
        while pending:
            value = pending.pop()
            if isinstance(value, Mapping):
                if isinstance(value.get("quote"), str) and isinstance(value.get("rollout"), str):
                    found[value["rollout"]].append((value.get("step"), words(value["quote"])))
                pending += value.values()
            elif isinstance(value, list):
                pending += value
        return found

    @cached_property
    def tasks(self) -> dict[str, TaskFacts]:
        outcomes = self.run.outcomes
        passed = [None] * len(outcomes.tasks) if outcomes.passed is None else [int(count) for count in outcomes.passed]
        causes = {task["task"]: _cause(task.get("cause")) for task in self.document.get("tasks") or ()}
        return {
            task: TaskFacts(int(scored), count, _bucket(int(scored), count), causes.get(task))
            for task, scored, count in zip(outcomes.tasks, outcomes.scored, passed, strict=True)
        }

    @cached_property
    def names(self) -> Names:
        return Names(frozenset(self.tasks), frozenset(self.rollouts))


def named(entity: object) -> str:
    """A name as it is compared: without marks of code and citations, in small letters, with single spaces."""
    return " ".join(_DECORATION.sub(" ", str(entity)).casefold().split())


def _bucket(scored: int, passed: int | None) -> str | None:
    if passed is None:
        return None
    return "missing" if not scored else "always" if passed == scored else "sometimes" if passed else "never"


def _cause(found: Mapping[str, Any] | None) -> Cause | None:
    return None if not found else Cause(found["label"], found.get("alternative"), float(found.get("confidence") or 0.0))


@dataclass(frozen=True)
class Facts:
    """All runs together, as a reader of a report asks them."""

    runs: tuple[RunFacts, ...]

    @cached_property
    def names(self) -> Names:
        return Names(
            frozenset(task for run in self.runs for task in run.names.tasks),
            frozenset(rollout for run in self.runs for rollout in run.names.rollouts),
        )

    def values(self, entity: str, measure: str) -> list[float]:
        """What the fact may be; empty where nothing is known of it."""
        return [value for run in self.runs for value in run.measures.get(entity, {}).get(measure, ())]

    def has(self, entity: str) -> bool:
        return any(entity in run.measures for run in self.runs)

    def tasks(self, task: str) -> list[TaskFacts]:
        return [run.tasks[task] for run in self.runs if task in run.tasks]

    def rollouts(self, rollout: str) -> list[RolloutFacts]:
        return [run.rollouts[rollout] for run in self.runs if rollout in run.rollouts]

    def repeats_of(self, task: str) -> set[int]:
        return {one.repeat for run in self.runs for one in run.rollouts.values() if one.task == task}

    @cached_property
    def entities(self) -> frozenset[str]:
        return frozenset(entity for run in self.runs for entity in run.measures if entity)

    @cached_property
    def slices(self) -> frozenset[str]:
        """Values that the tasks are divided by, as single words."""
        found = (str(item["value"]).casefold() for run in self.runs for item in run.document.get("slices") or ())
        return frozenset(value for value in found if value.isalnum() and not value.isdecimal())

    def described(self, entity: str, measure: str, values: Iterable[float]) -> str:
        """The fact in words, for who meets a finding."""
        whose = f" of {entity}" if entity else ""
        return f"{measure.replace('_', ' ')}{whose}: {' or '.join(dict.fromkeys(f'{value:,.6g}' for value in values))}"
