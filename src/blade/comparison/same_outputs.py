"""Two runs that hold the very same outputs: one behaviour, graded twice.

`gym eval reverify` grades stored rollouts again, and a copy of a run is a run. Paired tests know nothing of that: they take the second run
for a second sample of a system, and speak of intervals, of tasks that lack and of causes that cannot be assigned. But where the rollouts
that both runs have put out the same, the difference of their scores is known to the last rollout: it is the verifier's. Of the system it
says nothing. The verdict stays what its rules make of the scores; its reason and the advice say what was compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any, Final

import numpy as np

from blade.comparison.neutral import TINY
from blade.comparison.pairing import Pairing
from blade.comparison.rows import Read, _graded, _same_rollouts, compact, read, rows_query, stated_verifier
from blade.comparison.units import Units
from blade.runs.run import Run

NEARLY_ALL: Final = 0.95
"""Share of the common tasks' rollouts that must have the same output in both runs, where one says that it is the other graded again."""
MOST_NAMED: Final = 5


@dataclass(frozen=True)
class SameOutputs:
    """How far two runs hold the same outputs, in rollouts of their common tasks."""

    rollouts: int
    """Of the run that has more of them."""
    same: int
    changed: int
    """Those of the same that got another grade."""
    graded_again: bool
    """Whether the rows of one run say that they are the other's, graded again."""
    changed_tasks: tuple[int, ...]
    """The keys of their tasks, in order."""

    @property
    def all(self) -> bool:
        return self.same == self.rollouts

    def as_json(self) -> dict[str, Any]:
        return {"rollouts": self.rollouts, "same": self.same, "changed": self.changed, "graded_again": self.graded_again}


def read_rows(a: Run, b: Run, pairing: Pairing) -> tuple[Read, Read]:
    """The rows of both runs as their tables have them, tasks numbered as the pairing's keys."""
    of_a, of_b = (
        read(run.db.sql(compact(rows_query(run, pairing.judging))).to_arrow_table(), side.index(), stated_verifier(run))
        for run, side in ((a, pairing.a), (b, pairing.b))
    )
    return of_a, of_b


def same_outputs(a: Read, b: Read) -> SameOutputs | None:
    """What is known of two runs with the same outputs; None where some are others, but for a few of a run that was graded again, and
    where grades differ although nobody says that they were given anew."""
    common = np.intersect1d(a.task, b.task)
    total = max(int(np.isin(run.task, common).sum()) for run in (a, b))
    of_a, of_b = _graded(a, b)
    rows, places = _same_rollouts(a, b)
    alike = (of_a.output[rows] >= 0) & (of_a.output[rows] == of_b.output[places])
    rows, places = rows[alike], places[alike]
    same = int(rows.size)
    again = ~np.isnan(a.previous[rows]) | ~np.isnan(b.previous[places])
    graded_again = bool(2 * again.sum() > same)
    if not same or same < (NEARLY_ALL * total if graded_again else total):
        return None
    moved = np.abs(a.score[rows] - b.score[places]) > TINY
    if moved.any() and not graded_again:  # equal words may stand for unequal work that the rows do not hold
        return None
    return SameOutputs(total, same, int(moved.sum()), graded_again, tuple(np.unique(a.task[rows][moved]).tolist()))


def reason(verdict: str, found: SameOutputs, delta: float | None, units: Units) -> str:
    """The verdict's reason, with the verdict in front as always."""
    of_system = "nothing is known about the model" if found.graded_again else "no difference of the systems is seen"
    only = "only the score moved: " if verdict in ("improved", "regressed") else ""
    return f"{verdict.replace('_', ' ').capitalize()}: {only}{_said(found, delta, units)}; {of_system}."


def _said(found: SameOutputs, delta: float | None, units: Units) -> str:
    changed = f"{found.changed:,} of {found.same:,} verdicts changed"
    if not found.all:
        rest = found.rollouts - found.same
        others = "1 other rollout" if rest == 1 else f"{rest:,} other rollouts"
        return f"{found.same:,} of {found.rollouts:,} outputs are the same; {changed}, {units.change(delta)} with the {others}"
    if not found.changed:
        return f"nothing differs: the outputs are the same, and so are {found.same:,} of {found.same:,} verdicts"
    return f"the outputs are the same; {changed}, {units.change(delta)}, all of it the verifier"


def cause(found: SameOutputs) -> dict[str, Any] | None:
    """The contract's `cause`, where the outputs settle it; None where some are others."""
    if not found.all:
        return None
    if not found.changed:
        sentence = "Nothing differs: the same outputs got the same verdicts, so there is nothing to assign."
        return {"assignable": False, "sentence": sentence}
    changed = f"{found.changed:,} of {found.same:,} verdicts changed"
    sentence = f"The outputs are the same, so a difference of the scores is because of the verifier: {changed}."
    return {"assignable": True, "sentence": sentence}


def steps(found: SameOutputs, names: Sequence[str], run: str) -> Iterator[Mapping[str, str]]:
    """What to do next about a verifier that grades the same otherwise: read what it changed."""
    if not found.changed:
        return
    tasks = [names[key] for key in found.changed_tasks]
    more = f" and {len(tasks) - MOST_NAMED:,} more" if len(tasks) > MOST_NAMED else ""
    what = "rollout that the verifiers grade" if found.changed == 1 else f"{found.changed:,} rollouts that the verifiers grade"
    yield {
        "title": f"Read the {what} differently, and keep the verifier that is right",
        "detail": f"The outputs are the same; the verdict changed in {', '.join(tasks[:MOST_NAMED])}{more}. "
        "To learn about the model, run it again and grade both runs with that verifier.",
        "command": f"blade diagnose {quote(run)} --task {quote(tasks[0])}",
    }
