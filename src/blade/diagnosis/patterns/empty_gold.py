"""Tasks whose list of expected calls is empty by mistake (DA).

An empty list says that nothing is to be done, and where some tasks of a run are so and pass, that is what it means. Where the tasks of a
run list their calls, the few that list none never pass, and all repeats of such a task do the very same work, the list was lost: nobody does the same
unasked thing every time. Not in dialogues, where users ask for what is to be refused. Reward-aware: found where no repeat passes.
"""

from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import breakdown
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.work import last_work, work
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

EMPTY: Final = Pattern(
    "gold_empty",
    "DA",
    "no call is expected, unlike in the other tasks; all repeats do the same work, and no task without expected calls ever passes",
    0.8,
)
PATTERNS: Final = (EMPTY,)
MIN_LISTED: Final = 5
"""Tasks with expected calls that pass, from which on a list is what a task of this run has."""
MOST_EMPTY: Final = 0.3
"""Share of the tasks without expected calls up to which they are the exception."""


def learn_empty(run: Run) -> frozenset[str]:
    """The tasks that list no call and expect no answer, where those never pass and are few; none in dialogues."""
    tables = run.meta["tables"]
    if "expected" not in tables or not run.pass_rule.decides:
        return frozenset()
    answered = (
        "SELECT task FROM answers WHERE class = 'scored' AND expected IS NOT NULL"
        if "answers" in tables
        else "SELECT NULL AS task WHERE false"
    )
    rows = run.query(f"""
        SELECT task, task IN (SELECT task FROM expected WHERE class = 'scored') AS listed, task IN ({answered}) AS answered,
               bool_or({run.passes}) AS passes, coalesce(max(user_turns), 0) > 0 AS talks
        FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").rows  # fmt: skip
    listed = [row for row in rows if row[1]]
    empty = [row for row in rows if not row[1] and not row[2]]
    if (
        sum(row[3] for row in listed) < MIN_LISTED
        or any(row[3] or row[4] for row in empty)
        or len(empty) > MOST_EMPTY * len(rows)
    ):
        return frozenset()
    return frozenset(row[0] for row in empty)


def empty_gold(view: TaskView, empty: frozenset[str]) -> Iterator[Finding]:
    if view.task not in empty or view.passing or len(view.failing) < 2:
        return
    done = {work(rollout) for rollout in view.failing}
    if len(done) != 1 or None in done or any(rollout.checks or breakdown(rollout) is not None for rollout in view.failing):
        return  # checks judge such a task by something else
    for rollout in view.failing:
        last = last_work(rollout)
        yield EMPTY.found(
            rollout,
            subject="" if last is None else last.name,
            step=None if last is None else last.step,
            quote="" if last is None else f"{last.name}({last.arguments})"[:160],
            detail=f"all {len(view.failing)} repeats do this and nothing else, no call is expected, and the other tasks list theirs",
        )
