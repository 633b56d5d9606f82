"""The parts of a waterfall as functions of weighted sums over tasks, so that resampling tasks costs one matrix product a stratum.

Everything that a part needs of a task is a handful of numbers, its columns. Only the mean change of a slice, with which tasks are
filled that lost all rows of one run, mixes tasks, and it is a ratio of such sums too. The strata are the common tasks of each slice
and the tasks that only one run scored; a draw keeps their sizes. Equal tasks are drawn together: how often each pattern of task
occurs in a draw is multinomial, so a long run costs no more than its distinct tasks.
"""

from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from blade.stats.counts import FloatArray, IntArray

DRAWS: Final = 2_000
SEED: Final = 12345
MOST_CELLS: Final = 2_000_000
"""Numbers of one block of draws: memory, and nothing else, depends on it."""

Column: TypeAlias = Literal[
    "scored_a", "scored_b", "mean_a", "mean_b", "meant_a", "meant_b", "meant_mean_a", "meant_mean_b",
    "both", "both_change", "one", "one_booked", "neither", "neither_booked",
    "verifier", "infrastructure", "infrastructure_filled", "truncation", "truncation_filled",
]  # fmt: skip
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)


@dataclass(frozen=True)
class Parts:
    """One entry per draw; `change` has a row per slice with one entry per draw, once it is spread one entry per slice."""

    task_set: FloatArray
    missing: FloatArray
    infrastructure: FloatArray
    verifier: FloatArray
    truncation: FloatArray
    change: FloatArray
    remainder: FloatArray

    def spread(self, factor: float) -> "Parts":
        """The standard deviation of each part over the draws, times `factor`."""
        return Parts(**{one.name: np.atleast_1d(factor * getattr(self, one.name).std(axis=-1, ddof=1)) for one in fields(self)})


@dataclass(frozen=True)
class Tasks:
    """Per task its columns and its stratum: 0 … slices-1 are the common tasks by slice, beyond them tasks of one run, -1 is in no run."""

    columns: dict[Column, FloatArray]
    stratum: IntArray
    slices: int

    @property
    def strata(self) -> int:
        return self.slices + 2

    def of(self, stratum: int) -> FloatArray:
        """The columns of a stratum's tasks, one row per task."""
        here = self.stratum == stratum
        return np.column_stack([self.columns[name][here] for name in COLUMNS])

    @property
    def whole(self) -> FloatArray:
        """The sums of the run as it is: a single draw that holds each task once."""
        return np.stack([self.of(stratum).sum(axis=0) for stratum in range(self.strata)])[None]


def parts(sums: FloatArray, slices: int) -> Parts:
    """The parts of each draw, from the sums of its columns by stratum: an array of draws x strata x columns."""
    column = {name: sums[:, :, number] for number, name in enumerate(COLUMNS)}
    total = {name: values.sum(axis=1) for name, values in column.items()}
    within = {name: values[:, :slices] for name, values in column.items()}
    common = within["both"].sum(axis=1) + within["one"].sum(axis=1) + within["neither"].sum(axis=1)

    def ratio(top: FloatArray, bottom: FloatArray, otherwise: FloatArray) -> FloatArray:
        return np.where(bottom > 0, top / np.maximum(bottom, 1.0), otherwise)

    overall = ratio(total["both_change"], total["both"], np.zeros(len(sums)))
    fill = ratio(within["both_change"], within["both"], overall[:, None])
    comparable = (total["both"] > 0).astype(np.float64)  # else every common task goes to the remainder

    def cause(effect: Column, filled: Column) -> FloatArray:
        moved: FloatArray = comparable * (total[effect] - (within[filled] * fill).sum(axis=1)) / common
        return moved

    def outside(run_mean: Column, scored: Column, meant_mean: Column, meant: Column) -> tuple[FloatArray, FloatArray]:
        """What a run's other tasks add to its score: those the other run did not mean, and those it meant and has no score for."""
        on_meant = total[meant_mean] / total[meant]
        return total[run_mean] / total[scored] - on_meant, on_meant - within[run_mean].sum(axis=1) / common

    set_a, missing_a = outside("mean_a", "scored_a", "meant_mean_a", "meant_a")
    set_b, missing_b = outside("mean_b", "scored_b", "meant_mean_b", "meant_b")
    return Parts(
        task_set=set_b - set_a,
        missing=missing_b - missing_a,
        infrastructure=cause("infrastructure", "infrastructure_filled"),
        verifier=comparable * total["verifier"] / common,
        truncation=cause("truncation", "truncation_filled"),
        change=(comparable / common)[None] * (within["both_change"] + within["one"] * fill).T,
        remainder=(total["neither_booked"] + (1 - comparable) * total["one_booked"]) / common,
    )


def resampled(tasks: Tasks, draws: int = DRAWS, seed: int = SEED) -> Parts:
    """The parts of `draws` runs made of tasks drawn with replacement within strata. Each stratum has its own stream of chance."""
    distinct = [patterns(tasks.of(stratum)) for stratum in range(tasks.strata)]
    chance = [np.random.default_rng([seed, stratum]) for stratum in range(tasks.strata)]
    block = max(1, MOST_CELLS // max(max(counts.size for _, counts in distinct), tasks.strata * len(COLUMNS)))
    found = []
    for start in range(0, draws, block):
        size = min(block, draws - start)
        sums = np.zeros((size, tasks.strata, len(COLUMNS)))
        for stratum, (values, counts) in enumerate(distinct):
            if counts.size:
                drawn = chance[stratum].multinomial(counts.sum(), counts / counts.sum(), size)
                sums[:, stratum] = drawn.astype(np.float64) @ values
        found.append(parts(sums, tasks.slices))
    return Parts(*(np.concatenate([getattr(part, one.name) for part in found], axis=-1) for one in fields(Parts)))


def patterns(tasks: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct rows in order of their first occurrence (which a swap of the runs leaves alone), and how often each occurs."""
    code = np.zeros(len(tasks), dtype=np.int64)
    for column in tasks.T:
        values, number = np.unique(column, return_inverse=True)
        if values.size > 1:
            code = np.unique(code * values.size + number, return_inverse=True)[1]
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    order = np.argsort(first)
    return tasks[first[order]], counts[order]
