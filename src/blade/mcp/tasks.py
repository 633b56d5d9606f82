"""Tasks by filter, and one task in depth."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from blade.diagnosis.views import task_views
from blade.errors import NotDecidable, UsageError
from blade.mcp.desk import Study
from blade.mcp.pages import fitting
from blade.reports.deep_dive import deep_dive, find_task, task_view
from blade.reports.effects import mode_names
from blade.reports.task_story import by_importance, cause_title
from blade.reports.wording import joined, name, place, shown, table

BUCKETS: Final = ("always", "sometimes", "never", "missing")
MOST_TASKS: Final = 100
STEP_BY_STEP: Final = "\nStep by step: `blade show"
"""Where a deep dive tells which command to go on with: an agent has a tool for that."""


def task_list(document: Mapping[str, Any], filters: Mapping[str, str | None], offset: int, limit: int) -> str:
    """The tasks that all given filters let through, the most telling first."""
    names = mode_names(document)
    chosen = by_importance(document, [task for task in document.get("tasks") or () if _fits(task, filters, names)])
    limit = max(1, min(limit, MOST_TASKS))
    rows = [_row(task, names) for task in chosen[offset : offset + limit]]
    here = rows[: fitting(rows)]
    asked = ", ".join(f"{key}={value}" for key, value in filters.items() if value)
    head = f"{len(chosen):,} of {document['task_count']:,} tasks{f' with {shown(asked, 200)}' if asked else ''}"
    if not here:
        return f"{head}; none from {offset}." if chosen else f"{head}. {_known(document)}"
    blocks = [
        f"{head}, by what they cost the score and how sure their cause is; shown: {len(here)} from {offset}.",
        table(("task", "bucket", "passed", "cause", "what", "confidence", "decisive", "modes"), here),
        "Next: task(run, task=…) for one in depth.",
    ]
    if len(chosen) > offset + len(here):
        blocks.append(f"More: the same with offset={offset + len(here)}.")
    return "\n\n".join(blocks)


def _row(task: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
    held = ", ".join(names.get(mode, "") for mode in task["modes"])
    return name(task["task"]), task["bucket"], _passed(task), *_cause(task), held


def _fits(task: Mapping[str, Any], filters: Mapping[str, str | None], names: Mapping[str, str]) -> bool:
    cause = task.get("cause") or {}
    bucket, label, code, mode = (filters.get(key) for key in ("bucket", "label", "code", "mode"))
    if bucket and task["bucket"] != bucket:
        return False
    if label and label not in str(cause.get("label", "")).split("+"):
        return False
    found = {finding["code"] for repeat in task.get("repeats") or () for finding in repeat["findings"]}
    if code and code != cause.get("code") and code not in found:
        return False
    return not mode or any(mode in (held, names.get(held)) for held in task.get("modes") or ())


def _known(document: Mapping[str, Any]) -> str:
    tasks = document.get("tasks") or ()
    labels = sorted({task["cause"]["label"] for task in tasks if task.get("cause")})
    codes = sorted({task["cause"]["code"] for task in tasks if (task.get("cause") or {}).get("code")})
    return (
        f"Buckets: {', '.join(BUCKETS)}. Labels here: {', '.join(labels)}. Codes of causes here: {shown(', '.join(codes), 600)}."
    )


def _passed(task: Mapping[str, Any]) -> str:
    return "no rule" if task["passed"] is None else f"{task['passed']} of {task['n']}"


def _cause(task: Mapping[str, Any]) -> Sequence[str]:
    cause = task.get("cause")
    if not cause:
        return "", "", "", ""
    sure = "" if cause.get("confidence") is None else f"{cause['confidence']:.2f}"
    decisive = cause.get("decisive") or {}
    where = place(decisive["rollout"], decisive.get("step")) if decisive.get("rollout") else ""
    return shown(cause["label"]), cause_title(task), sure, where


def one_task(study: Study, task: str) -> str:
    """The task's repeats side by side, where they part, and the evidence."""
    document, task = study.document(), study.task(task)
    refuse_unknown(study, task)
    told = find_task(document, task)
    if told is None:
        raise NotDecidable(f"task {name(task)} has no scored rollout", hint="report_section(run, section=2) says where rows went")
    view = next((task_view(one) for one in task_views(study.run, [task])), None)
    text = deep_dive({**document, "claims": [], "task_view": view}, task).partition(STEP_BY_STEP)[0].strip()
    repeats = [repeat["rollout"] for repeat in told.get("repeats") or ()]
    rollout = ((told.get("cause") or {}).get("decisive") or {}).get("rollout") or next(iter(repeats), None)
    return f"{text}\n\nNext: trajectory(run, rollout={name(rollout)}) reads what happened there." if rollout else text


def refuse_unknown(study: Study, task: str) -> None:
    tasks = study.run.outcomes.tasks
    if task in tasks:
        return
    whole = task.rpartition(":")[0]
    close = [whole] if whole in tasks else get_close_matches(task, tasks, n=3)
    hint = (
        f"did you mean {joined([name(one) for one in close], 'or')}?"
        if close
        else f"it has {len(tasks):,} tasks: {', '.join(map(name, tasks[:5]))}…"
    )
    raise UsageError(f"{shown(study.name, 200)} has no task {name(task)}", hint=hint)
