"""Two runs, task by task: what both have, what only one has, what means something else, and how each task went.

A *key* is a task by id and definition. Tasks that are the same in both runs are one key; a redefined task is two keys, one of A and one
of B, and its change of score is a change of the task set. Keys stand in the natural order of their ids, whatever order the files
have, and every array has one entry per key.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade.comparison.definitions import RunWide, part_name
from blade.comparison.judging import PASS_AT_1, Judging, Limit, judge
from blade.comparison.letters import SECOND
from blade.comparison.matching import Defined, Matching, match
from blade.runs.run import Run
from blade.stats.counts import BoolArray, FloatArray, IntArray

MOST_NAMED: Final = 5
_DIGITS: Final = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Redefined:
    """An id that means another task in B, and the parts of the definition that say so."""

    task: str
    parts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Side:
    """One run of the pair, one entry per key; zeros (NaN for a variance) where the key is not one of its tasks."""

    ids: tuple[str | None, ...]
    """The task's id in this run's own tables."""
    present: BoolArray
    """Whether the run was to run it."""
    expected: IntArray
    scored: IntArray
    total: FloatArray
    """Sum of the metric over the scored rollouts: passes, or rewards."""
    variances: FloatArray
    """Sample variance of the metric over the task's scored rollouts; NaN below two."""

    @property
    def booked(self) -> BoolArray:
        """The tasks with a scored rollout."""
        return self.scored > 0

    @property
    def means(self) -> FloatArray:
        """The task's mean over its scored rollouts; NaN where it has none."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.booked, self.total / self.scored, np.nan)

    @property
    def value(self) -> float | None:
        """The booked score: the mean over the tasks with a scored rollout."""
        return float(np.mean(self.means[self.booked])) if self.booked.any() else None

    def index(self) -> dict[str, int]:
        """The key of each of this run's tasks."""
        return {task: key for key, task in enumerate(self.ids) if task is not None}


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two runs on one list of keys."""

    judging: Judging
    names: tuple[str, ...]
    """What each key is called: its id in A, or in B where A does not have it."""
    a: Side
    b: Side
    redefined: tuple[Redefined, ...]
    run_wide: RunWide
    paired_by: str
    """id, or definition where the same tasks stand under other ids."""
    by_definition: int
    undefined: int
    limits: tuple[Limit, ...]
    letter: str = SECOND
    """What B is called among all runs that are compared."""

    @property
    def metric(self) -> str:
        return self.judging.metric

    @property
    def binary(self) -> bool:
        return self.metric == PASS_AT_1

    @property
    def common(self) -> BoolArray:
        """C*: the keys that both runs were to run."""
        return self.a.present & self.b.present

    @property
    def paired(self) -> BoolArray:
        """C: the common keys with a scored rollout in both."""
        return self.common & self.a.booked & self.b.booked

    @property
    def differences(self) -> FloatArray:
        """d = mean in B − mean in A, over the paired keys."""
        paired = self.paired
        return self.b.means[paired] - self.a.means[paired]

    @property
    def pass_counts(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Passes and scored rollouts in A, and the same in B, over the paired keys; only where a rule says what passes."""
        paired = self.paired
        passed = [np.rint(side.total[paired]).astype(np.int64) for side in (self.a, self.b)]
        return passed[0], self.a.scored[paired], passed[1], self.b.scored[paired]

    @property
    def counts(self) -> dict[str, int]:
        """The contract's `tasks`: a run's tasks are common, only its own, or redefined."""
        redefined = len(self.redefined)
        return {
            "common": int(self.common.sum()),
            "only_a": int((self.a.present & ~self.b.present).sum()) - redefined,
            "only_b": int((self.b.present & ~self.a.present).sum()) - redefined,
            "redefined": redefined,
        }

    @property
    def identity(self) -> dict[str, Any]:
        return {"paired_by": self.paired_by, "by_definition": self.by_definition, "undefined": self.undefined}


@dataclass(frozen=True, eq=False)
class _Tasks:
    """The tasks of one run as its tables have them."""

    ids: tuple[str, ...]
    expected: IntArray
    scored: IntArray
    total: FloatArray
    variances: FloatArray
    defined: Defined


def pair(a: Run, b: Run, metric: str | None = None, *, judging: Judging | None = None, letter: str = SECOND) -> Pairing:
    """Pair two runs; `judging` where more than two runs share one rule, and `letter` as B is called among them."""
    settled = judging or judge((a, b), metric)
    first, second = _tasks(a, settled), _tasks(b, settled)
    matching = match(first.defined, second.defined)
    partner = dict(matching.same)
    has_partner = set(partner.values())
    keys: list[tuple[int | None, int | None]] = [(place, partner.get(place)) for place in range(len(first.ids))]
    keys += [(None, place) for place in range(len(second.ids)) if place not in has_partner]
    names = [second.ids[there] if here is None and there is not None else first.ids[here or 0] for here, there in keys]
    order = sorted(range(len(keys)), key=lambda number: (natural(names[number]), keys[number][0] is None))
    keys = [keys[number] for number in order]
    return Pairing(
        settled,
        tuple(names[number] for number in order),
        _side(first, [here for here, _ in keys]),
        _side(second, [there for _, there in keys]),
        tuple(Redefined(first.ids[place], tuple(parts)) for place, _, parts in matching.redefined),
        matching.run_wide,
        matching.paired_by,
        matching.by_definition,
        matching.undefined,
        (*settled.limits, *_limits(matching, first, second, letter)),
        letter,
    )


def _tasks(run: Run, judging: Judging) -> _Tasks:
    score = judging.score(run)
    rows = run.query(f"""
        SELECT t.task, t.definition, t.definition_parts, coalesce(r.dialogue, false), t.expected, coalesce(r.scored, 0), coalesce(r.total, 0),
               coalesce(r.variance, 'nan'::DOUBLE)
        FROM tasks AS t
        LEFT JOIN (SELECT task, count(*) FILTER (class = 'scored') AS scored, sum({score}) FILTER (class = 'scored') AS total,
                          var_samp({score}) FILTER (class = 'scored') AS variance, bool_or(user_turns > 0) AS dialogue
                   FROM rollouts WHERE class <> 'duplicate' GROUP BY task) AS r USING (task)
        ORDER BY t.task""").rows
    ids, hashes, texts, dialogue, expected, scored, total, variances = zip(*rows, strict=True) if rows else ((),) * 8
    return _Tasks(
        ids,
        np.array(expected, dtype=np.int64),
        np.array(scored, dtype=np.int64),
        np.array(total, dtype=np.float64),
        np.array(variances, dtype=np.float64),
        Defined(ids, hashes, texts, dialogue),
    )


def _side(tasks: _Tasks, places: Sequence[int | None]) -> Side:
    present = np.array([place is not None for place in places], dtype=np.bool_)
    taken = np.array([-1 if place is None else place for place in places], dtype=np.int64)

    def spread(values: Any) -> Any:
        return np.where(present, values[taken], values.dtype.type(0)) if len(values) else np.zeros(len(places), values.dtype)

    ids = tuple(None if place is None else tasks.ids[place] for place in places)
    variances = np.where(present, spread(tasks.variances), np.nan)
    return Side(ids, present, spread(tasks.expected), spread(tasks.scored), spread(tasks.total), variances)


def natural(task: str) -> tuple[tuple[bool, int, str], ...]:
    """2 before 10, and `task-2` before `task-10`."""
    return tuple((not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in _DIGITS.split(task) if piece)


def _limits(matching: Matching, a: _Tasks, b: _Tasks, letter: str) -> list[Limit]:
    limits = []
    if matching.paired_by == "definition":
        ids = (
            f"{matching.equal_ids} ids stand in both runs, but mean other tasks" if matching.equal_ids else "the runs share no id"
        )
        message = f"{ids}; {matching.by_definition} tasks are the same by their definition and are paired by it: the dataset was reordered or its ids were changed"
        limits.append(Limit("paired_by_definition", message))
    elif matching.by_definition:
        message = f"{matching.by_definition} tasks stand under other ids in {letter} and were recognised by their definition"
        limits.append(Limit("some_paired_by_definition", message))
    if matching.redefined:
        limits.append(_redefined(matching, a))
    if matching.undefined:
        message = f"of {matching.undefined} common tasks no part of the definition is known in both runs: only the id says that they are the same"
        limits.append(Limit("definitions_unknown", message))
    if not matching.same and not matching.redefined:
        message = "the runs share no task, neither by id nor by definition; if the ids stand in another field, choose it with --task-field"
        limits.append(Limit("no_common_task", message))
    return limits


def _redefined(matching: Matching, a: _Tasks) -> Limit:
    named = ", ".join(
        f"{a.ids[place]} ({', '.join(map(part_name, parts))})" for place, _, parts in matching.redefined[:MOST_NAMED]
    )
    more = f" and {len(matching.redefined) - MOST_NAMED} more" if len(matching.redefined) > MOST_NAMED else ""
    count = len(matching.redefined)
    if 2 * count > matching.equal_ids:
        message = f"{count} of {matching.equal_ids} equal ids name different tasks in the two runs, as if the dataset had been shuffled or replaced: {named}{more}"
        return Limit("ids_mean_other_tasks", message)
    message = f"{count} tasks are defined differently in the two runs and are left out of the comparison: {named}{more}"
    return Limit("redefined_tasks", message)
