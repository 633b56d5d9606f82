"""Deep dives: the tasks that sometimes pass, and those that never do. The most costly come first; the rest stand in a table."""

from collections.abc import Sequence

from blade.reports.citations import Cite, Document
from blade.reports.task_story import Task, by_importance, heading, most_telling, story
from blade.reports.wording import clause, plural, shown, table

MOST_DIVES = {"sometimes": 16, "never": 12}
"""Where a task passes too, there is more to tell: its own repeats say what decides."""
MOST_ROWS = 40


def sometimes_pass(document: Document, cite: Cite) -> list[str]:
    if document["denominator"].get("failed") is None:
        return ["Without a pass rule no task passes or fails: give `--pass-threshold X`."]
    if (document["repeats"]["max"] or 0) < 2:
        return ["Every task was scored once: without repeats nothing can sometimes pass."]
    return _dives(document, "sometimes", cite) or ["No task passes in some repeats and fails in others."]


def never_pass(document: Document, cite: Cite) -> list[str]:
    if document["denominator"].get("failed") is None:
        return ["Without a pass rule no task passes or fails: give `--pass-threshold X`."]
    return _dives(document, "never", cite) or ["Every scored task passes at least once."]


def _dives(document: Document, bucket: str, cite: Cite) -> list[str]:
    tasks = by_importance(document, (task for task in document.get("tasks") or () if task["bucket"] == bucket))
    if not tasks:
        return []
    told = most_telling(tasks, MOST_DIVES[bucket])
    names = {task["task"] for task in told}
    rest = [task for task in tasks if task["task"] not in names]
    blocks = []
    if rest:
        blocks.append(
            f"{len(told)} of {len(tasks):,} tasks, one of each cause before a second of the same, those first that cost most and "
            f"whose cause is surest; the other {len(rest):,} follow in brief. `blade diagnose RUN --task T` puts the repeats of any "
            "task side by side."
        )
    for task in told:
        blocks += [f"### {heading(task)}", *story(document, task, cite)]
    if rest:
        blocks += [f"### The other {plural(len(rest), 'task')}", _brief(rest[:MOST_ROWS], cite)]
    if len(rest) > MOST_ROWS:
        blocks.append(f"{len(rest) - MOST_ROWS:,} more are in diagnosis.json, under `tasks`.")
    return blocks


def _brief(tasks: Sequence[Task], cite: Cite) -> str:
    rows = []
    for task in tasks:
        cause = task.get("cause") or {}
        confidence = cause.get("confidence")
        decisive = cause.get("decisive") or {}
        at = "–"
        if decisive.get("rollout") and "guess" not in decisive and cause.get("label") != "unknown":
            step = decisive.get("step")
            at = shown(decisive["rollout"]) + ("" if step is None else f" step {step}")
        rows.append(
            (
                shown(task["task"], 60),
                f"{task['passed']} of {task['n']}{cite('task.' + task['task'] + '.passed')}",
                shown(cause.get("label", "unknown")),
                "–" if confidence is None or cause.get("label") == "unknown" else f"{confidence:.2f}",
                at,
                clause(cause.get("why") or "", 220),
            )
        )
    return table(("task", "pass", "cause", "confidence", "decided at", "why"), rows)
