"""The claims of a comparison: SQL over the tables of both runs, `a.rollouts` and `b.rollouts`, and the estimator that takes the result.

A pair of tasks is told by a query: equal ids, but for the tasks that are redefined; or a list where the same tasks stand under
other ids. Where that list is long, what depends on it is not claimed; nor are values whose second computation would take more rows or
more drawing than a reader has patience for (`unclaimed` says which).
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

import blade.comparison.estimators  # noqa: F401 (enters them into the registry)
from blade.claims.builder import Claims
from blade.comparison.carriers import carriers_query, full_reward
from blade.comparison.judging import Limit
from blade.comparison.letters import BASELINE
from blade.comparison.paired_tests import WIDEST
from blade.comparison.pairing import Pairing
from blade.comparison.rows import rows_query, stated_verifier
from blade.runs.quoting import literal
from blade.runs.run import Run

MOST_LISTED: Final = 2_000
MOST_TASKS: Final = 40
MOST_MODES: Final = 20
MOST_ROWS: Final = 200_000
"""Booked rows of both runs that the parts of a difference are claimed from."""
MOST_DISTINCT: Final = 20_000
"""Distinct differences of mean rewards that their intervals are claimed from: each costs a term of every draw."""
_TABLE: Final = re.compile(
    r"('(?:[^']|'')*')|\b(FROM|JOIN) (rollouts|tasks|plan|outputs|signals|calls|checks|answers|expected|given|restated|observations)\b"
)
"""A text, which stays as it is, or a table after FROM or JOIN."""


def state_pair(pair: Mapping[str, Any], a: Run, b: Run, pairing: Pairing) -> list[dict[str, Any]]:
    """The claims behind a pair's numbers, recomputed as a reader would."""
    with Claims({"a": a, "b": b}) as claims:
        for name, letter, run in _sides(a, b, pairing):
            score = in_schema(pairing.judging.score(run), name)
            claims.add(
                f"the booked score of {letter}",
                f"SELECT avg(m) FROM (SELECT avg({score}) AS m FROM {name}.rollouts WHERE class = 'scored' GROUP BY task)",
                id=f"{name}_value",
            )
            claims.add(f"tasks of {letter}", f"SELECT count(*) FROM {name}.tasks", id=f"{name}_tasks")
        pairs = _pairs(pairing)
        if pairs is not None and pairing.common.any():
            claims.add("tasks that both runs were to run", f"SELECT count(*) FROM ({pairs})", id="tasks.common")
            _state_tests(claims, pair, a, b, pairing, pairs)
            _state_waterfall(claims, pair, a, b, pairing, pairs)
            _state_flips(claims, pair, a, b, pairing)
            _state_modes(claims, pair, a, b, pairing, pairs)
        return claims.as_json()


def _sides(a: Run, b: Run, pairing: Pairing) -> tuple[tuple[str, str, Run], ...]:
    """Both runs, each with its schema and what it is called."""
    return ("a", BASELINE, a), ("b", pairing.letter, b)


def unclaimed(pairing: Pairing) -> list[Limit]:
    """What stands in the document without a claim because it was too much to compute a second time."""
    limits = []
    if (rows := _booked_rows(pairing)) > MOST_ROWS:
        message = f"the parts of the difference carry no claim: {rows:,} booked rows are more than the {MOST_ROWS:,} that are computed again"
        limits.append(Limit("waterfall_not_claimed", message))
    if (distinct := _distinct_means(pairing)) > MOST_DISTINCT:
        message = f"the difference carries no claim: {distinct:,} distinct differences of mean rewards are more than the {MOST_DISTINCT:,} that are computed again"
        limits.append(Limit("difference_not_claimed", message))
    return limits


def _booked_rows(pairing: Pairing) -> int:
    return int(pairing.a.scored.sum() + pairing.b.scored.sum())


def _distinct_means(pairing: Pairing) -> int:
    return 0 if pairing.binary else int(np.unique(pairing.differences).size)


def in_schema(sql: str, schema: str) -> str:
    """The same query over the tables of one run of a pair."""
    return _TABLE.sub(lambda found: found[1] or f"{found[2]} {schema}.{found[3]}", sql)


def _pairs(pairing: Pairing) -> str | None:
    """SQL for the common tasks as (a_task, b_task); None where it would be too long."""
    if pairing.paired_by == "id" and not pairing.by_definition:
        if len(pairing.redefined) > MOST_LISTED:
            return None
        left_out = ", ".join(literal(one.task) for one in pairing.redefined)
        but = f" WHERE task NOT IN ({left_out})" if left_out else ""
        return f"SELECT task AS a_task, task AS b_task FROM a.tasks JOIN b.tasks USING (task){but}"
    listed = [
        (here, there) for here, there in zip(pairing.a.ids, pairing.b.ids, strict=True) if here is not None and there is not None
    ]
    if not listed or len(listed) > MOST_LISTED:
        return None
    values = ", ".join(f"({literal(here)}, {literal(there)})" for here, there in listed)
    return f"SELECT * FROM (VALUES {values}) AS p(a_task, b_task)"


def _state_tests(claims: Claims, pair: Mapping[str, Any], a: Run, b: Run, pairing: Pairing, pairs: str) -> None:
    """The difference on the common tasks."""
    if _distinct_means(pairing) > MOST_DISTINCT:
        return
    if pairing.binary:
        sides = [
            in_schema(
                f"SELECT task AS {name}_task, count(*) FILTER ({run.passes}) AS passed_{name}, count(*) AS scored_{name} FROM rollouts WHERE class = 'scored' GROUP BY task",
                name,
            )
            for name, run in (("a", a), ("b", b))
        ]
        columns = f"passed_a, scored_a, passed_b, scored_b, {pair['margin']!r} AS margin"
    else:
        sides = [
            in_schema(
                f"SELECT task AS {name}_task, avg({score}) AS mean_{name}, coalesce(var_samp({score}), -1) AS variance_{name}, count(*) AS scored_{name} FROM rollouts WHERE class = 'scored' GROUP BY task",
                name,
            )
            for name, score in (("a", pairing.judging.score(a)), ("b", pairing.judging.score(b)))
        ]
        columns = f"mean_a, variance_a, scored_a, mean_b, variance_b, scored_b, {pair['margin']!r} AS margin, {pairing.judging.span!r} AS span"
    query = f"SELECT a_task AS task, {columns} FROM ({pairs}) JOIN ({sides[0]}) USING (a_task) JOIN ({sides[1]}) USING (b_task) ORDER BY a_task"
    claims.add(
        "the difference on the common tasks, with intervals, test and verdict",
        query,
        "paired_rates" if pairing.binary else "paired_means",
        id="delta",
        tolerance=1e-7,
    )
    if pairing.binary:
        claims.add("moves between buckets, and if nothing had changed", query, "transitions", id="buckets")


def _state_waterfall(claims: Claims, pair: Mapping[str, Any], a: Run, b: Run, pairing: Pairing, pairs: str) -> None:
    """The parts of the difference of the booked scores; a change that is split by a field is claimed as a whole elsewhere."""
    if pairing.judging.span > WIDEST or _booked_rows(pairing) > MOST_ROWS:
        return
    if any((term["detail"] or {}).get("slice") is not None for term in pair["waterfall"]):
        return
    halves = []
    for name, other, run in (("a", "b", a), ("b", "a", b)):
        stated = stated_verifier(run)
        halves.append(f"""
            SELECT '{name}' AS run, t.task, p.{other}_task AS other, NULL AS slice, {"NULL" if stated is None else literal(stated)} AS stated,
                   r.* EXCLUDE (task)
            FROM {name}.tasks AS t LEFT JOIN ({pairs}) AS p ON p.{name}_task = t.task
            LEFT JOIN ({in_schema(rows_query(run, pairing.judging), name)}) AS r ON r.task = t.task""")
    claims.add(
        "the parts that the difference of the booked scores is made of",
        " UNION ALL ".join(halves) + " ORDER BY run, task, repeat",
        "score_waterfall",
        id="waterfall",
        tolerance=1e-7,
    )


def _state_modes(claims: Claims, pair: Mapping[str, Any], a: Run, b: Run, pairing: Pairing, pairs: str) -> None:
    """How many rollouts of the compared tasks fail with each mode that both runs are asked for."""
    scored = " AND ".join(f"{name}_task IN (SELECT task FROM {name}.rollouts WHERE class = 'scored')" for name in "ab")
    full = full_reward(a, b)
    asked = [mode for mode in pair["modes"] if mode["condition"] is not None]
    for mode in asked[:MOST_MODES]:
        for name, letter, run in _sides(a, b, pairing):
            counted = in_schema(carriers_query(run, mode["condition"], full), name)
            claims.add(
                f"failed rollouts of {letter} with: {mode['mode']}",
                f"SELECT coalesce(sum(n), 0)::BIGINT FROM ({counted}) AS found(task, n) WHERE task IN (SELECT {name}_task FROM ({pairs}) WHERE {scored})",
                id=f"mode.{mode['code']}.{mode['subject']}.{name}",
            )


def _state_flips(claims: Claims, pair: Mapping[str, Any], a: Run, b: Run, pairing: Pairing) -> None:
    """The scores of the tasks that a report tells of."""
    for flip in pair["flips"][:MOST_TASKS]:
        for name, letter, run in _sides(a, b, pairing):
            task = literal(str(flip[f"{name}_task"]))
            claims.add(
                f"the score of task {flip['task']} in {letter}",
                in_schema(
                    f"SELECT avg({pairing.judging.score(run)}) FROM rollouts WHERE class = 'scored' AND task = {task}", name
                ),
                id=f"task.{flip['task']}.{name}",
            )
