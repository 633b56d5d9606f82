"""The estimators that claims about two runs name; importing this room enters them into the registry."""

from typing import Any

from blade.claims.columns import EstimatorError, cells, constant, counts, floats
from blade.claims.estimators import estimator
from blade.comparison.paired_tests import PairedTests, compare_means, compare_rates
from blade.comparison.pairing import natural
from blade.comparison.rows import booked, read
from blade.comparison.waterfall import waterfall
from blade.runs.tables import Table
from blade.stats import transitions as bucket_transitions
from blade.stats.counts import BoolArray, IntArray

ROW_COLUMNS = ("repeat", "score", "infrastructure", "truncation", "output_hash", "previous", "previous_verifier", "verifier")


@estimator
def paired_rates(table: Table) -> dict[str, Any]:
    """The paired difference of pass rates with its intervals, test and verdict, one row per common task: passed_a, scored_a, passed_b, scored_b, margin."""
    found = counts(in_order(table), "passed_a", "scored_a", "passed_b", "scored_b")
    return tests_json(compare_rates(found[0], found[1], found[2], found[3], margin=constant(table, "margin")))


@estimator
def paired_means(table: Table) -> dict[str, Any]:
    """The same of mean rewards: mean_a, variance_a (-1 for one rollout), scored_a, the same of b, margin and span."""
    table = in_order(table)
    variances = [floats(table, f"variance_{run}") for run in "ab"]
    for values in variances:
        values[values < 0] = float("nan")
    return tests_json(
        compare_means(
            (floats(table, "mean_a"), floats(table, "mean_b")),
            (variances[0], variances[1]),
            (*counts(table, "scored_a"), *counts(table, "scored_b")),
            margin=constant(table, "margin"),
            span=constant(table, "span"),
        )
    )


@estimator
def transitions(table: Table) -> dict[str, Any]:
    """Moves between buckets, observed and if nothing had changed, one row per common task: passed_a, scored_a, passed_b, scored_b."""
    found = bucket_transitions(*counts(table, "passed_a", "scored_a", "passed_b", "scored_b"))
    return {"observed": found.observed.tolist(), "expected": found.expected.tolist()}


@estimator
def score_waterfall(table: Table) -> dict[str, Any]:
    """The parts of the difference of the booked scores, one row per task and booked row of either run.

    run (a or b), task, other (the task's id in the other run, null where it is none of its tasks), slice (or null), stated (the
    verifier), and the row: repeat, score (null for a task without one), infrastructure, truncation, output_hash, previous,
    previous_verifier, verifier.
    """
    import numpy as np
    import pyarrow as pa

    runs, tasks, others = (cells(table, name) for name in ("run", "task", "other"))
    if not set(runs) <= {"a", "b"}:
        raise EstimatorError("the column 'run' must hold a or b")
    named = {
        (run, task): (task if run == "a" or other is None else other, run == "b" and other is None)
        for run, task, other in zip(runs, tasks, others, strict=True)
    }
    order = sorted(set(named.values()), key=lambda key: (natural(key[0]), key[1]))
    place = {key: number for number, key in enumerate(order)}
    index = {run: {task: place[key] for (of, task), key in named.items() if of == run} for run in "ab"}
    expected: dict[str, BoolArray] = {run: np.zeros(len(order), dtype=np.bool_) for run in "ab"}
    for run, where in index.items():
        expected[run][list(where.values())] = True
    columns = [cells(table, name) for name in ROW_COLUMNS]
    stated = cells(table, "stated")
    slices: IntArray = np.zeros(len(order), dtype=np.int64)
    names: list[Any] = sorted({value for value in cells(table, "slice") if value is not None})
    for run, task, value in zip(runs, tasks, cells(table, "slice"), strict=True):
        slices[index[run][task]] = -1 if value is None else names.index(value)
    reads = []
    for run in "ab":
        mine = [number for number, of in enumerate(runs) if of == run and columns[1][number] is not None]
        taken = {
            name: pa.array([column[number] for number in mine])
            for name, column in zip(("task", *ROW_COLUMNS), (tasks, *columns), strict=True)
        }
        reads.append(read(taken, index[run], stated[mine[0]] if mine else None))
    found = waterfall(*booked(reads[0], reads[1]), expected["a"], expected["b"], slices if names else None)
    return {
        "total": found.total,
        "terms": [
            {
                "term": term.term,
                "slice": None if term.slice is None or term.slice < 0 else names[term.slice],
                "delta": term.delta,
                "ci": term.ci,
            }
            for term in found.terms
        ],
    }


def in_order(table: Table) -> Table:
    """The rows in the order in which a comparison takes its tasks: a bootstrap depends on it."""
    tasks = [str(task) for task in cells(table, "task")]
    order = sorted(range(len(tasks)), key=lambda row: natural(tasks[row]))
    return Table(table.columns, [table.rows[row] for row in order])


def tests_json(found: PairedTests) -> dict[str, Any]:
    """What a claim about a paired difference is worth."""
    return {
        "tasks": found.tasks,
        "delta": found.delta,
        "ci": None if found.interval is None else [found.interval.low, found.interval.high],
        "ci_bootstrap": None if found.bootstrap is None else [found.bootstrap.low, found.bootstrap.high],
        "se": found.standard_error,
        "p_value": found.p_value,
        "mde": found.detectable.value,
        "smallest_margin": found.verdict.smallest_margin,
        "verdict": found.verdict.verdict,
    }
