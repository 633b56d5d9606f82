"""Gold that belongs to another task (DA): two rows swapped, or a column shifted by a row.

The repeats of a task agree on an answer that is not its gold but the gold of another task, whose repeats in turn do not give it. Where that
happens both ways, or to several tasks of a run, the answers are right and the rows are mixed up. Short answers meet by chance and are
not asked. Reward-aware: found on failing rollouts only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

MISPLACED: Final = Pattern("misplaced_gold", "DA", "the repeats agree on what another task expects, and so do that task's: the gold is mixed up", 0.85)  # fmt: skip
PATTERNS: Final = (MISPLACED,)
SHORTEST: Final = 3
SEVERAL: Final = 3
"""Tasks whose agreed answer is another's gold from which on rows are shifted, where no two are swapped."""
MOST: Final = 200
AGREE: Final = 0.75


@dataclass(frozen=True)
class Other:
    task: str
    answer: str
    swapped: bool


def learn_misplaced(run: Run) -> dict[str, Other]:
    """The tasks whose agreed answer is the gold of another one."""
    if "answers" not in run.meta["tables"] or not run.pass_rule.decides:
        return {}
    rows = run.query(f"""
        WITH given AS (
            SELECT a.task, lower(trim(coalesce(nullif(a.extracted, ''), a.stated))) AS said, lower(trim(a.expected)) AS gold, r.passed
            FROM answers AS a JOIN (SELECT rollout, {run.passes} AS passed FROM rollouts WHERE class = 'scored') AS r USING (rollout)
            WHERE a.class = 'scored' AND a.expected IS NOT NULL
        ), agreed AS (
            SELECT task, any_value(gold) AS gold, mode(said) AS said, count(*) AS n, count(*) FILTER (passed) AS right,
                   max(times) AS times, count(DISTINCT gold) AS golds
            FROM (SELECT *, count(*) OVER (PARTITION BY task, said) AS times FROM given) GROUP BY task
        )
        SELECT one.task, other.task, one.said, one.gold = other.said FROM agreed AS one JOIN agreed AS other
            ON one.said = other.gold AND one.task <> other.task AND other.gold <> coalesce(other.said, '')
        WHERE one.right = 0 AND one.n > 1 AND one.golds = 1 AND other.golds = 1 AND one.times >= {AGREE} * one.n AND one.said <> one.gold
            AND length(one.said) >= {SHORTEST}
        ORDER BY one.task, other.task LIMIT {MOST}""").rows
    swapped = {task for task, _, _, both in rows if both}
    tasks = {task for task, *_ in rows}
    return {
        task: Other(other, said, task in swapped)
        for task, other, said, both in reversed(rows)
        if both or (task not in swapped and len(tasks) >= SEVERAL)
    }


def misplaced_gold(view: TaskView, known: Mapping[str, Other]) -> Iterator[Finding]:
    other = known.get(view.task)
    if other is None:
        return
    how = "whose repeats give what is expected here" if other.swapped else "and so it is with other tasks"
    for rollout in view.failing:
        yield MISPLACED.found(
            rollout,
            subject="expected",
            quote=other.answer[:80],
            detail=f"the repeats agree on {other.answer[:60]}, which task {other.task} expects, {how}",
            weight=None if other.swapped else 0.7,
        )
