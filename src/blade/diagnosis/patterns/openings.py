"""Dialogues that begin alike: when are two tasks the same errand with different gold (DA)?

A simulated user may open many tasks with the same words, so an equal opening says little. It counts where every repeat of both tasks
begins so (one repeat could be chance), and something tells that the errand is the same: the repeats share several different openings, word for
word, which two users with different errands never have in common; or they expect the same tools in the same order with
most arguments equal and some not; or they expect no call, the repeats of both look up the very same things, and the tasks are defined differently all the same.
Where rows keep what the simulated user is told, no opening is needed: one scenario under two tasks is one errand.
"""

import json
from dataclasses import dataclass
from typing import Final

from blade.diagnosis.patterns.conduct import leaf_values
from blade.runs.definition import SCENARIO
from blade.runs.run import Run

COMMON: Final = 0.5
"""Share of tasks with a shared prompt from which on the prompt is a frame around something else (an image, a recording, a state)."""
FEW_TASKS: Final = 4
MOST_ALIKE: Final = 4
"""Tasks with one opening from which on it is a greeting."""
DOTTED: Final = f'$."{SCENARIO}"'
"""The part as a path: its name has a point in it."""
_DEFINES: Final = (
    "task",
    "ground_truth",
    "expected_answer",
    "expected_output",
    "expected_outputs",
    "expected_response",
    "rubric",
)
Calls = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SharedPrompt:
    """Other tasks with a task's prompt, and how their expected answers relate where both are known."""

    others: tuple[str, ...]
    conflict: str = ""
    """In words, where another task expects something else; empty where none does."""
    doubt: str = ""
    """What speaks against a conflict: the answers may mean the same, or the tasks differ in more than their gold."""


def learn_shared_openings(run: Run) -> dict[str, SharedPrompt]:
    """Tasks of dialogues with the opening of another one, where the expected calls or the lookups say that it is the same errand."""
    if not {"expected", "calls"} <= set(run.meta["tables"]):
        return {}
    return _several_openings(run) | _one_opening(run) | _one_scenario(run)


def _one_scenario(run: Run) -> dict[str, SharedPrompt]:
    """Tasks whose simulated user is told the same, under the same rules and with the same tools, and which expect other calls."""
    groups = run.query(f"""
        WITH talks AS (SELECT DISTINCT task FROM rollouts WHERE class = 'scored' AND user_turns > 0)
        SELECT list(task ORDER BY task) FROM (
            SELECT task, definition_parts->>'{DOTTED}' AS told, definition_parts->>'system' AS system, definition_parts->>'tools' AS tools
            FROM tasks SEMI JOIN talks USING (task) WHERE scored > 0)
        WHERE told IS NOT NULL GROUP BY told, system, tools HAVING count(*) BETWEEN 2 AND {MOST_ALIKE} ORDER BY told, system, tools""").rows
    tasks = sorted({task for (listed,) in groups for task in listed})
    if not tasks or (len(run.outcomes.tasks) >= FEW_TASKS and len(tasks) > COMMON * len(run.outcomes.tasks)):
        return {}
    wanted, defined = _wanted(run, tasks), _defined(run, tasks)
    found: dict[str, SharedPrompt] = {}
    for (listed,) in groups:
        for task in listed:
            other = next(
                (other for other in listed if wanted.get(other) != wanted.get(task) and defined[other] != defined[task]), None
            )
            if other is not None:
                said = f"the simulated user of tasks {task} and {other} is told the same, and other calls are expected"
                found[task] = SharedPrompt((other,), said)
    return found


def _several_openings(run: Run) -> dict[str, SharedPrompt]:
    """Pairs of tasks with at least two different openings in common that are defined differently."""
    pairs = run.query(f"""
        WITH openings AS (SELECT DISTINCT task, prompt_hash FROM rollouts
                          WHERE class = 'scored' AND prompt_hash IS NOT NULL AND user_turns > 0),
             rare AS (SELECT prompt_hash FROM openings GROUP BY prompt_hash HAVING count(*) BETWEEN 2 AND {MOST_ALIKE})
        SELECT a.task, b.task FROM openings AS a JOIN openings AS b ON a.prompt_hash = b.prompt_hash AND a.task <> b.task
        WHERE a.prompt_hash IN (SELECT prompt_hash FROM rare) GROUP BY a.task, b.task HAVING count(*) > 1 ORDER BY a.task, b.task""").rows
    tasks = sorted({task for pair in pairs for task in pair})
    if not tasks or (len(run.outcomes.tasks) >= FEW_TASKS and len(tasks) > COMMON * len(run.outcomes.tasks)):
        return {}
    defined = _defined(run, tasks)
    found: dict[str, SharedPrompt] = {}
    for task, other in pairs:
        parts = [name for name in defined[task] if defined[task][name] != defined[other].get(name)]
        if parts and task not in found:
            said = f"tasks {task} and {other} are opened with the same words again and again and are defined differently ({', '.join(parts)})"
            found[task] = SharedPrompt((other,), said)
    return found


def _one_opening(run: Run) -> dict[str, SharedPrompt]:
    """Tasks whose repeats all have the one opening, where the expected calls or the lookups say that it is the same errand."""
    groups = run.query(f"""
        SELECT list(task ORDER BY task) FROM (SELECT task, min(prompt_hash) AS prompt FROM rollouts
            WHERE class = 'scored' AND prompt_hash IS NOT NULL GROUP BY task
            HAVING count(DISTINCT prompt_hash) = 1 AND count(*) > 1 AND max(user_turns) > 0)
        GROUP BY prompt HAVING count(*) BETWEEN 2 AND {MOST_ALIKE} ORDER BY prompt""").rows
    tasks = sorted({task for (listed,) in groups for task in listed})
    if not tasks or (len(run.outcomes.tasks) >= FEW_TASKS and len(tasks) > COMMON * len(run.outcomes.tasks)):
        return {}
    wanted, asked, defined = _wanted(run, tasks), _asked(run, tasks), _defined(run, tasks)
    found: dict[str, SharedPrompt] = {}
    for (listed,) in groups:
        for task in listed:
            for other in listed:
                if other == task or task in found:
                    continue
                mine, theirs = wanted.get(task, ()), wanted.get(other, ())
                if differing := other_arguments(mine, theirs):
                    said = f"tasks {task} and {other} expect the same calls with another {differing}"
                    found[task] = SharedPrompt((other,), said)
                elif (
                    not mine
                    and not theirs
                    and asked.get(task, set()) & asked.get(other, set())
                    and defined[task] != defined[other]
                ):
                    parts = ", ".join(name for name in defined[task] if defined[task][name] != defined[other].get(name))
                    said = f"tasks {task} and {other} look up the same and are defined differently ({parts})"
                    found[task] = SharedPrompt((other,), said)
    return found


def _wanted(run: Run, tasks: list[str]) -> dict[str, Calls]:
    """The expected calls by task; a task whose repeats are told different ones is left out."""
    rows = run.query(
        """SELECT task, rollout, name, arguments FROM expected WHERE class = 'scored' AND task IN (SELECT unnest($1))
           ORDER BY task, rollout, number""",
        (tasks,),
    ).rows
    told: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for task, rollout, name, arguments in rows:
        told.setdefault(task, {}).setdefault(rollout, []).append((name, arguments))
    return {task: tuple(next(iter(by.values()))) for task, by in told.items() if len(set(map(tuple, by.values()))) == 1}


def _asked(run: Run, tasks: list[str]) -> dict[str, set[tuple[str, str]]]:
    """The calls that most repeats of a task make with the same arguments."""
    rows = run.query(
        """WITH made AS (SELECT DISTINCT task, rollout, name, arguments FROM calls
                         WHERE class = 'scored' AND arguments NOT IN ('', '{}') AND task IN (SELECT unnest($1))),
           repeats AS (SELECT task, count(*) AS n FROM rollouts WHERE class = 'scored' GROUP BY task)
           SELECT task, name, arguments FROM made JOIN repeats USING (task) GROUP BY task, name, arguments, n HAVING 2 * count(*) > n""",
        (tasks,),
    ).rows
    found: dict[str, set[tuple[str, str]]] = {}
    for task, name, arguments in rows:
        found.setdefault(task, set()).add((name, arguments))
    return found


def _defined(run: Run, tasks: list[str]) -> dict[str, dict[str, str]]:
    rows = run.query("SELECT task, definition_parts FROM tasks WHERE task IN (SELECT unnest($1))", (tasks,)).rows
    parts = {task: json.loads(written) if written else {} for task, written in rows}
    return {task: {name: parts.get(task, {})[name] for name in _DEFINES if name in parts.get(task, {})} for task in tasks}


def other_arguments(mine: Calls, theirs: Calls) -> str:
    """The arguments in which two lists of calls differ, by name; empty where they are equal or no errand of one kind."""
    if not mine or [name for name, _ in mine] != [name for name, _ in theirs]:
        return ""
    pairs = [(leaf_values(one), leaf_values(other)) for (_, one), (_, other) in zip(mine, theirs, strict=True)]
    shared = {path for one, other in pairs for path, _ in set(one) & set(other)}
    differing = sorted({path for one, other in pairs for path, _ in set(one) ^ set(other)})
    return ", ".join(differing[:3]) if len(shared) >= len(differing) else ""
