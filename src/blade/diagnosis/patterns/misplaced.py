"""Gold that belongs to another task (DA): two rows swapped, or a column shifted by a row.

The repeats of a task agree on an answer that is not its gold but the gold of another task, whose repeats in turn do not give it. Where that
happens both ways, or to several tasks of a run, the answers are right and the rows are mixed up. Short answers meet by chance and are
not asked, and neither is what several tasks expect: a label of a classification is another task's gold whenever it is wrong. Expected calls are more telling: where the repeats of a task that never passes make all the calls that another such task
expects, argument by argument, and not their own, once is enough. Reward-aware: found on failing rollouts only.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.named import ids_in
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
MOST_TASKS: Final = 5_000
TELLING: Final = 20
"""Characters of arguments from which on equal calls are no chance."""


@dataclass(frozen=True)
class Other:
    task: str
    answer: str
    swapped: bool
    by_calls: bool = False
    gold_is_theirs: bool = False
    """Whether `answer` is this task's gold, which the other task's repeats do; else what the repeats do here, which the other expects."""


def learn_misplaced(run: Run) -> dict[str, Other]:
    """The tasks whose agreed answer, or whose agreed calls, are what another one expects."""
    return _by_calls(run) | _by_answers(run)


def _by_calls(run: Run) -> dict[str, Other]:
    if not {"calls", "expected"} <= set(run.meta["tables"]) or not run.pass_rule.decides:
        return {}
    never = f"""SELECT task, count(*) AS n FROM rollouts WHERE class = 'scored' GROUP BY task
                HAVING count(*) > 1 AND count(*) FILTER ({run.passes}) = 0 ORDER BY task LIMIT {MOST_TASKS}"""
    expected: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for task, name, arguments in run.query(f"""
        SELECT DISTINCT task, name, arguments FROM expected SEMI JOIN ({never}) USING (task)
        WHERE class = 'scored' AND mutation <> 'read' ORDER BY ALL""").rows:
        expected[task].add((name, arguments))
    agreed: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for task, name, arguments in run.query(f"""
        SELECT task, name, arguments FROM calls JOIN ({never}) USING (task)
        WHERE class = 'scored' AND mutation <> 'read' AND error_class IS NULL AND name IS NOT NULL
        GROUP BY task, name, arguments, n HAVING count(DISTINCT rollout) >= {AGREE} * n ORDER BY ALL""").rows:
        agreed[task].add((name, arguments))
    by_call: dict[tuple[str, str], list[str]] = defaultdict(list)
    for task, wanted in expected.items():
        if sum(len(arguments) for _, arguments in wanted) >= TELLING:
            by_call[min(wanted)].append(task)
    found = _done_elsewhere(run, never, expected, agreed)
    for task, made in agreed.items():
        if not expected[task] or expected[task] <= made or _records(expected[task]) & _records(made):
            continue
        others = (other for call in sorted(made) for other in by_call.get(call, ()))
        for other in others:
            if (
                other != task
                and expected[other] <= made
                and expected[other] != expected[task]
                and not expected[other] <= agreed[other]
            ):
                found[task] = Other(other, _shown(expected[other]), expected[task] <= agreed[other], by_calls=True)
                break
    return found


Calls = dict[str, set[tuple[str, str]]]


def _records(calls: set[tuple[str, str]]) -> set[str]:
    """The records that calls name: gold about the very record that was worked on is this task's own, right or wrong."""
    return ids_in(arguments for _, arguments in calls)


def _shown(calls: set[tuple[str, str]]) -> str:
    name, arguments = min(calls)
    return f"{name}({arguments})"


def _done_elsewhere(run: Run, never: str, expected: Calls, agreed: Calls) -> dict[str, Other]:
    """The tasks whose expected calls are what the repeats of another task do, and not their own."""
    rows = run.query(f"""
        SELECT e.task, c.task, count(*) FROM (
            SELECT DISTINCT task, name, arguments FROM expected SEMI JOIN ({never}) USING (task)
            WHERE class = 'scored' AND mutation <> 'read') AS e
        JOIN (SELECT task, name, arguments FROM calls JOIN (SELECT task, count(*) AS n FROM rollouts WHERE class = 'scored' GROUP BY task) USING (task)
              WHERE class = 'scored' AND mutation <> 'read' AND error_class IS NULL
              GROUP BY task, name, arguments, n HAVING count(DISTINCT rollout) >= {AGREE} * n) AS c
            ON c.name = e.name AND c.arguments = e.arguments AND c.task <> e.task
        GROUP BY e.task, c.task ORDER BY e.task, c.task""").rows
    found: dict[str, Other] = {}
    for task, other, times in rows:
        wanted = expected[task]
        telling = sum(len(arguments) for _, arguments in wanted) >= TELLING
        about_it = bool(_records(wanted) & _records(agreed[task]))
        if task not in found and telling and times == len(wanted) and agreed[task] and not wanted & agreed[task] and not about_it:
            found[task] = Other(other, _shown(wanted), swapped=False, by_calls=True, gold_is_theirs=True)
    return found


def _by_answers(run: Run) -> dict[str, Other]:
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
        ), telling AS (SELECT gold FROM agreed GROUP BY gold HAVING count(*) = 1)
        SELECT one.task, other.task, one.said, one.gold = other.said FROM agreed AS one JOIN agreed AS other
            ON one.said = other.gold AND one.task <> other.task AND other.gold <> coalesce(other.said, '')
        WHERE one.right = 0 AND one.n > 1 AND one.golds = 1 AND other.golds = 1 AND one.times >= {AGREE} * one.n AND one.said <> one.gold
            AND length(one.said) >= {SHORTEST} AND one.said IN (SELECT gold FROM telling)
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
    if other.by_calls and not other.swapped:
        how = "whose own repeats do something else"
    detail = f"the repeats agree on {other.answer[:60]}, which task {other.task} expects, {how}"
    if other.gold_is_theirs:
        detail = f"{other.answer[:60]} is expected, which is what the repeats of task {other.task} do; those of this one agree on something else"
    for rollout in view.failing:
        yield MISPLACED.found(
            rollout,
            subject="expected",
            quote=other.answer[:80],
            detail=detail,
            weight=None if other.swapped or other.by_calls else 0.7,
        )
