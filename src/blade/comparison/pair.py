"""The document of one pair: what differs, whether the difference is real, what it is made of, who drove it, and what next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison import same_outputs
from blade.comparison.advice import advice, advice_on_verifier
from blade.comparison.attribution import attribution
from blade.comparison.booked import BookedRows, KeptMeans
from blade.comparison.differences import differences
from blade.comparison.flips import flips, moved_tasks
from blade.comparison.input_problems import input_problems
from blade.comparison.letters import BASELINE
from blade.comparison.margins import in_score_units
from blade.comparison.mode_changes import mode_changes
from blade.comparison.paired_tests import WIDEST, PairedTests, compare_means, compare_rates
from blade.comparison.pairing import Pairing, Side
from blade.comparison.planner import for_pair
from blade.comparison.predictions import predictions
from blade.comparison.rows import booked
from blade.comparison.slices import Partition, partition, slice_changes
from blade.comparison.units import units_of
from blade.comparison.usage import usage
from blade.comparison.waterfall import Term, waterfall
from blade.runs.run import Run
from blade.stats.transitions import BUCKETS

MOST_REDEFINED: Final = 200


@dataclass(frozen=True)
class Asked:
    """What the user asked of a comparison besides the runs."""

    margin: float | None = None
    """As given: in units of the score, or in points of a rate; None is the default."""
    by: str | None = None
    ledger: Sequence[Mapping[str, Any]] = ()


def compare_pair(
    a: Run, b: Run, pairing: Pairing, diagnoses: tuple[Mapping[str, Any], Mapping[str, Any]], asked: Asked
) -> dict[str, Any]:
    """The contract's keys of a pair, without its claims."""
    margin = in_score_units(asked.margin, pairing.judging)
    tests = paired_tests(a, b, pairing, margin)
    reads = same_outputs.read_rows(a, b, pairing)
    rows, same = booked(*reads), same_outputs.same_outputs(*reads)
    sliced = slice_changes(a, b, pairing, asked.by)
    split = None if asked.by is None else partition(a, b, pairing, asked.by)
    fall = waterfall(*rows, pairing.a.present, pairing.b.present, None if split is None else split.codes)
    if pairing.judging.span > WIDEST:
        fall = replace(fall, total=None, terms=())
    differ = differences(a, b, pairing)
    paired = int(pairing.paired.sum())
    moved = moved_tasks(pairing)
    document = {
        "a": a.artifacts.spec,
        "b": b.artifacts.spec,
        "letter": pairing.letter,
        "metric": pairing.metric,
        "a_value": pairing.a.value,
        "b_value": pairing.b.value,
        "delta": tests.delta,
        "se": tests.standard_error,
        "ci": _ends(tests.interval),
        "ci_bootstrap": _ends(tests.bootstrap),
        "p_value": tests.p_value,
        "test": tests.test,
        "on_this_benchmark": _on_this_benchmark(tests),
        "without_set_aside": _without_set_aside(fall.without_set_aside, rows, pairing, margin),
        "mde": tests.detectable.value,
        "mde_detail": {"low": tests.detectable.low, "high": tests.detectable.high, "method": tests.detectable.method},
        "margin": margin,
        "smallest_margin": tests.verdict.smallest_margin,
        "verdict": tests.verdict.verdict,
        "reason": tests.verdict.reason
        if same is None
        else same_outputs.reason(tests.verdict.verdict, same, tests.delta, units_of(pairing.metric)),
        "same_outputs": None if same is None else same.as_json(),
        "tasks": pairing.counts | {"compared": paired} | _moves(pairing),
        "identity": pairing.identity,
        "redefined": [{"task": one.task, "parts": list(one.parts)} for one in pairing.redefined[:MOST_REDEFINED]],
        "changed": [change.entry for change in differ.changed],
        "unknown": list(differ.unknown),
        "single_change": differ.single_change,
        "kind": differ.kind,
        "cause": (None if same is None else same_outputs.cause(same)) or attribution(differ, fall.terms),
        "waterfall": [term_json(term, split) for term in fall.terms],
        "waterfall_total": fall.total,
        "buckets": _buckets(pairing),
        "moved": moved,
        "flips": flips(a, b, pairing, diagnoses, moved),
        "modes": mode_changes(a, b, pairing, diagnoses),
        "slices": sliced.slices,
        "slice_tests": sliced.tests,
        "usage": usage(a, b, pairing),
        "predictions": predictions(asked.ledger, a, b, pairing),
        "limits": [
            {"code": limit.code, "message": limit.message}
            for limit in (*input_problems("a", BASELINE, a), *input_problems("b", pairing.letter, b), *pairing.limits)
        ],
    }
    if same is not None:
        document["interventions"] = advice_on_verifier(document, same_outputs.steps(same, pairing.names, a.artifacts.spec))
        return document
    lacking = document["verdict"] == "inconclusive"
    more = for_pair(pairing, tests.delta, margin, (a.artifacts.spec, b.artifacts.spec)) if lacking else None
    document["interventions"] = advice(document, diagnoses[1], more)
    return document


def paired_tests(a: Run, b: Run, pairing: Pairing, margin: float) -> PairedTests:
    """The tests on the common tasks, by the pairing's metric."""
    common, redefined = int(pairing.common.sum()), len(pairing.redefined)
    if pairing.binary:
        return compare_rates(*pairing.pass_counts, margin=margin, letter=pairing.letter, common=common, redefined=redefined)
    keys = pairing.paired
    return compare_means(
        (pairing.a.means[keys], pairing.b.means[keys]),
        (pairing.a.variances[keys], pairing.b.variances[keys]),
        (pairing.a.scored[keys], pairing.b.scored[keys]),
        margin=margin,
        span=pairing.judging.span,
        rewards=(_rewards(a, pairing.a, pairing), _rewards(b, pairing.b, pairing)),
        letter=pairing.letter,
        common=common,
        redefined=redefined,
    )


def _rewards(run: Run, side: Side, pairing: Pairing) -> list[list[float]]:
    """The scores of every paired task, one by one."""
    score = pairing.judging.score(run)
    found = dict(run.query(f"SELECT task, list({score}) FROM rollouts WHERE class = 'scored' GROUP BY task").rows)
    return [found[side.ids[key]] for key in np.flatnonzero(pairing.paired)]


def _without_set_aside(kept: KeptMeans, rows: tuple[BookedRows, BookedRows], pairing: Pairing, margin: float) -> dict[str, Any]:
    """The same comparison without the rows that infrastructure or a limit ended."""
    aside = [int((~of_run.kept).sum()) for of_run in rows]
    if pairing.binary:
        passed = [np.rint(mean * count).astype(np.int64) for mean, count in ((kept.a, kept.rows_a), (kept.b, kept.rows_b))]
        tests = compare_rates(passed[0], kept.rows_a, passed[1], kept.rows_b, margin=margin)
        delta, interval, p_value, verdict = tests.delta, tests.interval, tests.p_value, tests.verdict.verdict
    else:
        d = kept.b - kept.a if pairing.judging.span <= WIDEST else np.zeros(0)
        delta = float(d.mean()) if d.size else None
        repeats = stats.pair_repeats(kept.rows_a, kept.rows_b) if d.size else 1.0
        interval = stats.paired_interval(d, repeats, span=pairing.judging.span)
        test = stats.sign_flip_test(d)
        p_value, verdict = (None if test is None else test.p_value), None
    return {
        "delta": delta,
        "ci": _ends(interval),
        "p_value": p_value,
        "tasks": int(kept.task.size),
        "verdict": verdict,
        "set_aside_a": aside[0],
        "set_aside_b": aside[1],
    }


def term_json(term: Term, split: Partition | None) -> dict[str, Any]:
    named = {} if term.slice is None or split is None else {"slice": split.names[term.slice], "by": split.by}
    return {
        "term": term.term,
        "delta": term.delta,
        "ci": None if term.ci is None else list(term.ci),
        "tasks": term.tasks,
        "rollouts": term.rollouts,
        "detail": named | term.detail,
    }


def _on_this_benchmark(tests: PairedTests) -> dict[str, Any]:
    found = tests.on_this_benchmark
    if found is None:
        return {"ci": None, "p_value": None, "test": None}
    return {"ci": _ends(found.interval), "p_value": found.p_value, "test": found.test}


def _moves(pairing: Pairing) -> dict[str, int]:
    d = pairing.differences
    return {"better": int((d > 0).sum()), "worse": int((d < 0).sum()), "equal": int((d == 0).sum())}


def _buckets(pairing: Pairing) -> dict[str, Any]:
    """Moves between buckets beside those of two runs of one system; null where no rule says what passes."""
    if not pairing.binary:
        return {"observed": None, "expected_if_nothing_changed": None, "observed_at_equal_repeats": None}
    found = stats.transitions(*pairing.pass_counts)
    return {
        "observed": _table(found.observed),
        "expected_if_nothing_changed": _table(found.expected),
        "observed_at_equal_repeats": _table(found.thinned),
    }


def _table(moves: Any) -> dict[str, dict[str, float]]:
    return {
        before: {after: moves[row, column].item() for column, after in enumerate(BUCKETS)} for row, before in enumerate(BUCKETS)
    }


def _ends(interval: stats.Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
