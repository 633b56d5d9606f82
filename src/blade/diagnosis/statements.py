"""The claims of a diagnosis: for each number that a report states, the query over the facts that gives it again.

The numbers of the document are computed by the code that computes them everywhere (`metrics`, `gains`, `funnel`); each claim here
computes its value a second time, by its own SQL and estimator, on the locked connection that users have. A test holds the two
against each other. Ids are what a report cites.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from blade.claims.builder import Claims
from blade.diagnosis.findings import evidence
from blade.diagnosis.gains import mode_query, oracle_query
from blade.diagnosis.modes import Mode, any_mode
from blade.diagnosis.slices import slice_query, slice_rate_query
from blade.runs.quoting import literal
from blade.runs.run import Run
from blade.sentences import plural

MOST_MODES: Final = 30
MOST_TASKS: Final = 60
"""Tasks whose own numbers are claimed: as many as a report tells of."""
MOST_K: Final = 8
MOST_SLICES: Final = 12
MOST_CLASSES: Final = 20
PLAIN_NAME: Final = re.compile(r"[\w.-]{1,50}")
"""Classes whose name was not shortened for the document, so that a query finds it."""


def state_numbers(claims: Claims, run: Run) -> None:
    """The denominator and the headline."""
    scored = "FROM rollouts WHERE class = 'scored'"
    claims.add(_count("rollout is expected", "rollouts are expected"), "SELECT count(*) FROM plan", id="expected")
    claims.add(_count("rollout is scored", "rollouts are scored"), f"SELECT count(*) {scored}", id="scored")
    claims.add(
        _count("expected rollout has no score", "expected rollouts have no score"),
        "SELECT count(*) FROM plan WHERE state <> 'scored'",
        id="missing",
    )
    claims.add(
        lambda share: f"{100 * share:.1f} % of the expected rollouts are scored" if share is not None else "nothing is expected",
        "SELECT count(*) FILTER (state = 'scored') / count(*) FROM plan",
        id="coverage",
    )
    _mean_reward(claims, run)
    if run.pass_rule.decides:
        _pass_rates(claims, run)


def _mean_reward(claims: Claims, run: Run) -> None:
    shape = run.reward_shape
    scale = (0, 1) if shape.binary else (-1, 1) if shape.signed else None
    columns = "" if scale is None else f", {scale[0]} AS low, {scale[1]} AS high"
    claims.add(
        "the mean reward over tasks, with its interval",
        f"SELECT task, sum(reward) AS reward_sum, count(*) AS scored{columns} FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task",
        "mean_interval" if scale is None else "two_valued_interval",
        id="mean_reward",
    )


def per_task(run: Run) -> str:
    return (
        f"SELECT task, count(*) FILTER ({run.passes}) AS passed, count(*) AS scored "
        "FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task"
    )


def _pass_rates(claims: Claims, run: Run) -> None:
    tasks = per_task(run)
    rates = f"FROM (SELECT avg(CAST({run.passes} AS INTEGER)) AS rate FROM rollouts WHERE class = 'scored' GROUP BY task)"
    claims.add(lambda rate: f"pass@1 is {_percent(rate)}", f"SELECT avg(rate) {rates}", id="pass_at_1")
    claims.add("pass@1 with its interval over tasks", tasks, "rate_interval", id="pass_at_1.ci")
    for outcome, condition in (("passed", run.passes), ("failed", f"NOT {run.passes}")):
        claims.add(
            _count(f"scored rollout {outcome}", f"scored rollouts {outcome}"),
            f"SELECT count(*) FROM rollouts WHERE class = 'scored' AND {condition}",
            id=outcome,
        )
    for bucket, condition in (("always", "rate = 1"), ("sometimes", "rate > 0 AND rate < 1"), ("never", "rate = 0")):
        claims.add(
            _count(f"task passes {bucket}", f"tasks pass {bucket}"),
            f"SELECT count(*) FILTER ({condition}) {rates}",
            id=f"bucket.{bucket}",
        )
    claims.add("tasks that always pass, of all with a score", f"SELECT avg(CAST(rate = 1 AS INTEGER)) {rates}", id="consistency")
    claims.add("tasks with a pass, of all with a score", f"SELECT avg(CAST(rate > 0 AS INTEGER)) {rates}", id="oracle")
    most = run.query("SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM rollouts WHERE class = 'scored' GROUP BY task)")
    for k in range(2, min(int(most.rows[0][0]), MOST_K) + 1):
        given = tasks.replace(" AS scored ", f" AS scored, {k} AS k ")
        claims.add(f"pass@{k}: some of {k} attempts pass", given, "pass_at_k", id=f"pass_at_{k}")
        claims.add(f"pass^{k}: all of {k} attempts pass", given, "pass_hat_k", id=f"pass_hat_{k}")
    claims.add("what every task at its best would add", oracle_query(run), "oracle_gain", id="oracle_gain")
    expected = (
        f"SELECT t.task, count(r.rollout) FILTER ({run.passes}) AS passed, count(r.rollout) AS scored, any_value(t.expected) AS expected "
        "FROM tasks AS t LEFT JOIN (SELECT * FROM rollouts WHERE class = 'scored') AS r ON r.task = t.task GROUP BY t.task ORDER BY t.task"
    )
    claims.add("the score with missing rollouts counted as failed, left out, and bounded", expected, "missing_rows", id="bounds")
    claims.add("what retrying adds: pass@K − pass@1", tasks, "retry_value", id="retry_value")
    claims.add("variance within and between tasks", tasks, "variance_split", id="icc")
    claims.add("the smallest change that a second run like this would find in 4 of 5 cases", tasks, "detectable_rate", id="mde")


def state_failures(claims: Claims, failed: Mapping[str, Any] | None) -> None:
    """The attempts that failed, and each class of them; nothing where none did."""
    if failed is None:
        return
    planned = "FROM failures WHERE rollout IN (SELECT rollout FROM plan)"
    claims.add(_count("attempt failed", "attempts failed"), f"SELECT count(*) {planned}", id="failed_attempts")
    classes = [one["class"] for one in failed["classes"] if PLAIN_NAME.fullmatch(one["class"])]
    for about in classes[:MOST_CLASSES]:
        query = f"SELECT count(*) {planned} AND failure = {literal(about)}"
        claims.add(_count(f"attempt failed with {about}", f"attempts failed with {about}"), query, id=f"failure.{about}")


def state_funnel(claims: Claims, funnel: Iterable[Mapping[str, Any]]) -> None:
    for stage in funnel:
        if stage.get("query"):
            claims.add(
                _count(f"rollout reaches the stage {stage['stage']}", f"rollouts reach the stage {stage['stage']}"),
                stage["query"],
                id=f"funnel.{stage['stage']}",
            )


def state_slices(claims: Claims, run: Run, slices: Iterable[Mapping[str, Any]]) -> None:
    """The slices that a report shows: the rate within, and the test against all other tasks."""
    for one in list(slices)[:MOST_SLICES]:
        about = f"{one['by']} = {one['value']}"
        if run.pass_rule.decides:
            claims.add(
                f"pass@1 where {about}", slice_rate_query(run, one["by"], one["value"]), "rate_interval", id=f"slice.{about}.rate"
            )
        claims.add(
            f"tasks with {about} against all others",
            slice_query(run, one["by"], one["value"]),
            "slice_test",
            id=f"slice.{about}.test",
        )


def state_modes(claims: Claims, run: Run, modes: Iterable[Mode]) -> None:
    """What each mode is said to cover, cost and gain."""
    for mode in list(modes)[:MOST_MODES]:
        if mode.condition is None:
            continue
        carried = f"FROM rollouts AS r WHERE r.class = 'scored' AND ({mode.condition})"
        shown = [evidence(example.rollout, example.step, example.quote) for example in mode.examples]
        claims.add(
            f"rollouts that failed and passed with the mode, and their tasks: {mode.title}",
            f"SELECT count(*) FILTER (NOT {run.passes}) AS failed, count(*) FILTER ({run.passes}) AS passed, "
            f"count(DISTINCT task) AS tasks {carried}",
            evidence=shown,
            id=f"mode.{mode.id}.counts",
        )
        query = mode_query(run, mode.condition)
        if mode.reward_blind:
            claims.add(f"reward lost within tasks where it occurs: {mode.title}", query, "lift", id=f"mode.{mode.id}.lift")
        claims.add(
            f"what the score could gain at most: {mode.title}",
            query,
            "gain" if mode.reward_blind else "gain_bounds",
            id=f"mode.{mode.id}.gain",
        )


def unexplained_query(run: Run, modes: Iterable[Mode]) -> str:
    """Failed rollouts that carry no mode at all."""
    covered = any_mode(modes)
    return (
        f"SELECT count(*) FROM rollouts AS r WHERE r.class = 'scored' AND NOT {run.passes} AND NOT coalesce(({covered}), false)"
    )


def state_tasks(claims: Claims, run: Run, tasks: Iterable[str]) -> None:
    for task in list(tasks)[:MOST_TASKS]:
        claims.add(
            f"task {task}: repeats that pass, of those scored",
            f"SELECT count(*) FILTER ({run.passes}) AS passed, count(*) AS scored FROM rollouts "
            f"WHERE class = 'scored' AND task = {literal(task)}",
            id=f"task.{task}.passed",
        )


def _count(one: str, many: str) -> Callable[[int], str]:
    return lambda number: plural(number, one, many)


def _percent(rate: float | None) -> str:
    return "unknown" if rate is None else f"{100 * rate:.1f} %"
