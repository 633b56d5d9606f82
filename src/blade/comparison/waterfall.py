"""The waterfall: the difference of two booked scores as a sum of parts, exact and symmetric.

Tasks are compared by key (id and definition). What tasks count only once makes `task_set` (the other run did not mean to run them)
and `missing` (it meant to, and has no score). On the tasks that both runs scored, rows are given neutral values (`neutral`): what
rewards differ from these is `infrastructure`, `verifier` or `truncation`, and what the neutral values themselves differ by is the
`change`, told per slice where there are slices. A task of which a run has no row left is filled with the mean change of its slice;
one of which neither run has any is the `remainder`. The parts sum to the difference of the booked scores, swapping the runs negates
each, and a run against itself has none.

What the numbers take for granted: rows set aside score like kept rows of the same task and run, so truncation that prefers failing
rows is overstated (`at_most`); a changed verifier is seen only on outputs that recur or were graded again (`matched` of `outputs`),
and the rest of it sits in `change`. Details are keys and numbers; the words are made in the reports.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from blade.comparison.booked import BookedRows, KeptMeans, without_set_aside
from blade.comparison.neutral import TINY, NeutralSide, SetAside, sides
from blade.comparison.resampled_parts import DRAWS, SEED, Column, Parts, Tasks, parts, resampled
from blade.stats.counts import BoolArray, FloatArray, IntArray
from blade.stats.quantiles import student_quantile

__all__ = ["FEW_TASKS", "BookedRows", "KeptMeans", "Term", "Waterfall", "waterfall"]

FEW_TASKS: Final = 5
"""Affected tasks below which a term's interval is flagged."""


@dataclass(frozen=True)
class Term:
    """One part of the difference. `tasks` and `rollouts` are those it is made of; `slice` is the slice's number, in a split change.

    `ci` is None where there is nothing to resample: a single common task (or a single one of the slice), or none.
    """

    term: str
    delta: float
    ci: tuple[float, float] | None
    tasks: int
    rollouts: int
    slice: int | None = None
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Waterfall:
    """`total` is the difference of the booked scores, None (and no terms) where a run has no booked row at all."""

    total: float | None
    terms: tuple[Term, ...]
    comparable: bool
    without_set_aside: KeptMeans


def waterfall(
    a: BookedRows,
    b: BookedRows,
    expected_a: BoolArray,
    expected_b: BoolArray,
    slices: IntArray | None = None,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Waterfall:
    """The parts of S_B - S_A. `expected_*` and `slices` (any whole numbers) have one entry per task key."""
    tasks = expected_a.size
    pair = _Pair(*sides(a, b, tasks), expected_a, expected_b, np.zeros(tasks, np.int64) if slices is None else slices)
    rest = without_set_aside(a, b, tasks)
    if not (len(a) and len(b)):
        return Waterfall(None, (), False, rest)
    if not pair.common.any():
        return Waterfall(pair.total, (pair.all_task_set(),), False, rest)
    table = pair.table()
    point = parts(table.whole, table.slices)
    half = resampled(table, draws, seed).spread(_half_width_factor(int(pair.common.sum())))
    return Waterfall(pair.total, tuple(pair.terms(point, half, split=slices is not None)), True, rest)


def _half_width_factor(common: int) -> float:
    """t·√(|C|/(|C|−1)), by which a standard deviation over draws becomes half an interval; NaN for a single common task."""
    return math.nan if common < 2 else student_quantile(0.975, common - 1) * math.sqrt(common / (common - 1))


@dataclass(frozen=True)
class _Pair:
    a: NeutralSide
    b: NeutralSide
    expected_a: BoolArray
    expected_b: BoolArray
    slices: IntArray

    @property
    def common(self) -> BoolArray:
        """C: what both runs scored; a scored task is one that its run expected."""
        return (self.a.rows > 0) & (self.b.rows > 0)

    @property
    def meant(self) -> BoolArray:
        """C*: what both runs expected."""
        return (self.expected_a | (self.a.rows > 0)) & (self.expected_b | (self.b.rows > 0))

    @property
    def total(self) -> float:
        scored_a, scored_b = self.a.rows > 0, self.b.rows > 0
        return float(self.b.mean[scored_b].mean() - self.a.mean[scored_a].mean())

    def all_task_set(self) -> Term:
        scored = (self.a.rows > 0) | (self.b.rows > 0)
        return Term("task_set", self.total, None, int(scored.sum()), self._rollouts(scored), detail={"no_common_task": True})

    def table(self) -> Tasks:
        """The tasks with a score, each with the numbers that the parts are sums of, by stratum."""
        a, b, common, meant = self.a, self.b, self.common, self.meant
        both, one = common & a.known & b.known, common & (a.known != b.known)
        neutral_a = np.where(a.known, a.neutral, np.where(b.known, b.neutral, 0.0))
        neutral_b = np.where(b.known, b.neutral, neutral_a)
        known = both | one
        change, booked = neutral_b - neutral_a, b.mean - a.mean
        columns: dict[Column, FloatArray] = {
            "scored_a": (a.rows > 0).astype(np.float64),
            "scored_b": (b.rows > 0).astype(np.float64),
            "mean_a": a.mean,
            "mean_b": b.mean,
            "meant_a": (meant & (a.rows > 0)).astype(np.float64),
            "meant_b": (meant & (b.rows > 0)).astype(np.float64),
            "meant_mean_a": meant * a.mean,
            "meant_mean_b": meant * b.mean,
            "both": both.astype(np.float64),
            "both_change": both * change,
            "one": one.astype(np.float64),
            "one_booked": one * booked,
            "neither": (common & ~known).astype(np.float64),
            "neither_booked": (common & ~known) * booked,
            "verifier": known * (b.verifier - a.verifier),
        }
        for name, of_a, of_b in self._causes():
            effect = (of_b.reward - of_b.share * neutral_b) - (of_a.reward - of_a.share * neutral_a)
            columns[name] = known * effect
            columns[_FILLED[name]] = one * np.where(b.known, of_a.share, of_b.share)
        order, slice_of = np.unique(self.slices[common], return_inverse=True)
        stratum = np.full(common.size, -1, dtype=np.int64)
        stratum[common] = slice_of
        only = sorted((np.flatnonzero((run.rows > 0) & ~common) for run in (a, b)), key=lambda found: found[:1].tolist())
        for number, found in enumerate(only):  # in an order that a swap of the runs leaves alone
            stratum[found] = order.size + number
        return Tasks(columns, stratum, order.size)

    def _causes(self) -> tuple[tuple[Column, SetAside, SetAside], ...]:
        return (
            ("infrastructure", self.a.infrastructure, self.b.infrastructure),
            ("truncation", self.a.truncation, self.b.truncation),
        )

    def terms(self, point: Parts, half: Parts, *, split: bool) -> list[Term]:
        a, b, common, meant = self.a, self.b, self.common, self.meant
        filled = common & (a.known != b.known) if (a.known & b.known).any() else np.zeros_like(common)
        compared = (common & a.known & b.known) | filled
        once = (a.rows > 0) != (b.rows > 0)

        def term(name: str, rows: IntArray, **detail: Any) -> Term:
            return _term(name, getattr(point, name).item(), getattr(half, name).item(), rows, detail)

        def set_aside(name: str, of_a: SetAside, of_b: SetAside, **limits: bool) -> Term:
            """All rows set aside on the common tasks; those of tasks that neither run has a row left of move the remainder."""
            rows_a, rows_b = common * of_a.rows, common * of_b.rows
            rows = rows_a + rows_b
            counts = {"rollouts_a": rows_a, "rollouts_b": rows_b, "filled_tasks": filled & (rows > 0)}
            told = {key: int(value.sum()) for key, value in counts.items()}
            beyond = int((rows * ~compared).sum())
            return term(name, rows, **told, **{"in_remainder": beyond} if beyond else {}, **limits if rows.any() else {})

        return [
            term("task_set", self._rows * (once & ~meant)),
            term("missing", self._rows * (once & meant)),
            set_aside("infrastructure", a.infrastructure, b.infrastructure),
            term(
                "verifier",
                compared * (a.regraded_otherwise + b.regraded_otherwise),
                matched=int((compared * (a.matched + b.matched)).sum()),
                outputs=int((compared * (a.kept + b.kept)).sum()),
            ),
            set_aside("truncation", a.truncation, b.truncation, at_most=True),
            *self._changes(point.change[:, 0], half.change, compared, filled, split),
            term("remainder", self._rows * (common & ~compared)),
        ]

    def _changes(
        self, point: FloatArray, half: FloatArray, compared: BoolArray, filled: BoolArray, split: bool
    ) -> Iterator[Term]:
        """One change for each slice that has a common task; its tasks are those whose neutral value moved."""
        difference = np.abs(np.nan_to_num(self.b.neutral - self.a.neutral))
        moved = compared & ((difference > TINY) | filled)
        for number, slice_ in enumerate(np.unique(self.slices[self.common])):
            here = self.slices == slice_
            width = half[number] if (self.common & here).sum() > 1 else np.nan
            detail = {"compared_tasks": int((compared & here).sum()), "filled_tasks": int((filled & here).sum())}
            rows = (self.a.kept + self.b.kept) * (moved & here)
            yield _term("change", float(point[number]), float(width), rows, detail, int(slice_) if split else None)

    @property
    def _rows(self) -> IntArray:
        return self.a.rows + self.b.rows

    def _rollouts(self, which: BoolArray) -> int:
        return int(self._rows[which].sum())


_FILLED: Final[dict[Column, Column]] = {"infrastructure": "infrastructure_filled", "truncation": "truncation_filled"}


def _term(name: str, delta: float, half: float, rows: IntArray, detail: dict[str, Any], slice_: int | None = None) -> Term:
    """A term with its flags; `rows` are the affected rollouts of each task."""
    tasks = int((rows > 0).sum())
    if not tasks:
        return Term(name, 0.0, (0.0, 0.0), 0, 0, slice_, {"none_found": True} | detail)
    flags = {"few_tasks": True} if tasks < FEW_TASKS else {}
    ci = None if math.isnan(half) else (delta - half, delta + half)
    return Term(name, delta, ci, tasks, int(rows.sum()), slice_, flags | detail)
