"""One task's deep dive: its repeats side by side, the story of its cause, expected against actual calls, answers.

`task_view` turns the task's view into plain data (it stands in the document as `task_view`); `deep_dive` writes it as Markdown,
which the terminal shows too.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from blade.diagnosis.catalogue import title as code_title
from blade.diagnosis.views import RolloutView, TaskView
from blade.reports.citations import Document
from blade.reports.effects import mode_names
from blade.reports.task_story import heading, story
from blade.reports.wording import clause, listed, name, number, plural, quoted, shown, table

MOST_REPEATS = 16
MOST_ACROSS = 4
"""Repeats that stand beside each other as columns; more are grouped by what became of the call."""
MOST_CALLS = 40
MOST_FINDINGS = 5
CALL = 140
OUTCOMES = {"made": "made", "failed": "tried, failed", "wrong_argument": "wrong argument", "missing": "missing"}


def task_view(view: TaskView) -> dict[str, Any]:
    """A task's view as the document holds it."""
    return {"task": view.task, "rollouts": [_rollout(rollout) for rollout in view.rollouts]}


def _rollout(view: RolloutView) -> dict[str, Any]:
    calls = [{key: value for key, value in call._asdict().items() if key != "output"} for call in view.calls]
    return {
        "rollout": view.rollout,
        "reward": view.reward,
        "passed": view.passed,
        "steps": view.steps,
        "calls": calls,
        "expected": [row._asdict() for row in view.expected],
        "answers": [row._asdict() for row in view.answers],
        "checks": [row._asdict() for row in view.checks],
        "signals": [row._asdict() for row in view.signals],
    }


def find_task(document: Document, task: str) -> dict[str, Any] | None:
    return next((item for item in document.get("tasks") or () if item["task"] == task), None)


def as_json(document: Document, task: str) -> dict[str, Any]:
    """What `--task T --json` prints: everything the document says of one task."""
    told = find_task(document, task) or {}
    held = set(told.get("modes") or ())
    return {
        "schema": "blade.task/1",
        "run": document["run"],
        "task": told,
        "contrasts": [item for item in document.get("contrasts") or () if item["task"] == task],
        "luck": [item for item in document.get("luck") or () if item["task"] == task],
        "modes": [mode for mode in document.get("modes") or () if mode["id"] in held],
        "task_view": document.get("task_view"),
    }


def deep_dive(document: Document, task: str) -> str:
    """The deep dive as Markdown. The task must be one of the document's."""
    told = find_task(document, task)
    if told is None:
        raise KeyError(task)
    view = document.get("task_view") or {}
    rollouts: Sequence[Mapping[str, Any]] = view.get("rollouts") or ()
    blocks = [f"# {heading(told)}"]
    blocks += _side_by_side(told, rollouts)
    blocks += ["## What happened", *story(document, told, _uncited)]
    blocks += _modes(document, told)
    blocks += _expected(rollouts)
    blocks += _changes(rollouts)
    blocks += _answers(rollouts)
    if rollouts:
        first = next((item["rollout"] for item in rollouts if item["passed"] is False), rollouts[0]["rollout"])
        blocks.append(f"Step by step: `blade show RUN` with {name(first)}.")
    return "\n\n".join(blocks) + "\n"


def _uncited(*ids: str) -> str:
    """Citations lead to the report's list of claims; a dive on its own has none."""
    return ""


def _outcome(item: Mapping[str, Any]) -> str:
    return "reward " + number(item["reward"]) if item["passed"] is None else "passes" if item["passed"] else "fails"


def _side_by_side(told: Mapping[str, Any], rollouts: Sequence[Mapping[str, Any]]) -> list[str]:
    repeats = told.get("repeats") or rollouts
    if not repeats:
        return []
    views = {item["rollout"]: item for item in rollouts}
    rows = []
    for repeat in repeats[:MOST_REPEATS]:
        view = views.get(repeat["rollout"], {})
        changes = [call for call in view.get("calls") or () if call["mutation"] == "change"]
        failed = sum(call["error_class"] is not None for call in view.get("calls") or ())
        rows.append(
            (
                shown(repeat["rollout"]),
                _outcome(repeat),
                str(repeat["steps"]),
                f"{len(view['calls'])} ({failed} failed)" if view else "–",
                ", ".join(dict.fromkeys(name(call["name"]) for call in changes)) or "none",
                _findings(repeat.get("findings") or repeat.get("signals") or ()),
            )
        )
    more = (
        [f"{plural(len(repeats) - MOST_REPEATS, 'more repeat is', 'more repeats are')} not shown."]
        if len(repeats) > MOST_REPEATS
        else []
    )
    return [table(("repeat", "outcome", "steps", "calls", "changes made", "findings"), rows, "  rr"), *more]


def _findings(findings: Sequence[Mapping[str, Any]]) -> str:
    told: dict[str, str] = {}
    for item in findings:
        said = clause(code_title(item["code"], item.get("subject") or ""), 100)
        told.setdefault(said, said if item["step"] is None else f"{said} (step {item['step']})")
    shown_first = list(told.values())[:MOST_FINDINGS]
    more = f"; {len(told) - MOST_FINDINGS} more" if len(told) > MOST_FINDINGS else ""
    return "; ".join(shown_first) + more or "none"


def _modes(document: Document, told: Mapping[str, Any]) -> list[str]:
    names = mode_names(document)
    titles = {mode["id"]: mode["title"] for mode in document.get("modes") or ()}
    held = [f"{names[mode]} ({clause(titles[mode], 160)})" for mode in told.get("modes") or () if mode in titles]
    return [f"Failure modes of the run that it is in: {'; '.join(held)}."] if held else []


def _expected(rollouts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Expected calls down, repeats across: what became of each."""
    held = [item for item in rollouts if item.get("expected")][:MOST_REPEATS]
    if not held:
        return []
    calls = [row for row in held[0]["expected"] if row["mutation"] != "read"] or held[0]["expected"]
    rows: list[tuple[str, ...]] = []
    for call in calls[:MOST_CALLS]:
        became = {
            item["rollout"]: next((_became(row) for row in item["expected"] if row["number"] == call["number"]), "–")
            for item in held
        }
        named = f"{name(call['name'])} {_arguments(call['arguments'])}"
        if len(held) <= MOST_ACROSS:
            rows.append((named, *became.values()))
        else:
            groups: dict[str, list[str]] = {}
            for rollout, text in became.items():
                groups.setdefault(text, []).append(rollout)
            rows += [(named, text, listed(whose, MOST_REPEATS)) for text, whose in groups.items()]
    across = tuple(f"{shown(item['rollout'])} {_outcome(item)}" for item in held)
    head = ("expected call", *(across if len(held) <= MOST_ACROSS else ("what became of it", "in")))
    return ["## Expected against actual calls", table(head, rows)]


def _arguments(text: str) -> str:
    """The arguments of a call as `name=value`, where they are an object; else as they stand."""
    try:
        given = json.loads(text)
    except ValueError:
        return shown(text, CALL)
    if not isinstance(given, dict):
        return shown(text, CALL)
    told = (f"{key}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}" for key, value in given.items())
    return shown(", ".join(told), CALL)


def _became(row: Mapping[str, Any]) -> str:
    at = "" if row["step"] is None else f", step {row['step']}"
    detail = f": {shown(row['detail'], CALL)}" if row["detail"] and row["outcome"] != "made" else ""
    return f"{shown(OUTCOMES.get(row['outcome'], row['outcome']))}{at}{detail}"


def _changes(rollouts: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for item in rollouts[:MOST_REPEATS]:
        for call in item.get("calls") or ():
            if call["mutation"] == "change":
                failed = shown(call["error_class"]) if call["error_class"] else ""
                rows.append(
                    (shown(item["rollout"]), str(call["step"]), name(call["name"]), _arguments(call["arguments"]), failed)
                )
    if not rows:
        return []
    more = [f"{len(rows) - MOST_CALLS} more changes are not shown."] if len(rows) > MOST_CALLS else []
    head = ("repeat", "step", "change", "arguments", "error")
    return ["## Changes that were made", table(head, rows[:MOST_CALLS], " r"), *more]


def _answers(rollouts: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for item in rollouts[:MOST_REPEATS]:
        for answer in item.get("answers") or ():
            if any(answer.get(key) for key in ("expected", "extracted", "final")):
                expected, extracted = (shown(answer[key], 80) if answer.get(key) else "–" for key in ("expected", "extracted"))
                final = quoted(answer["final"], CALL) if answer.get("final") else "–"
                rows.append((shown(item["rollout"]), _outcome(item), expected, extracted, final))
    return ["## Answers", table(("repeat", "outcome", "expected", "extracted", "last words"), rows)] if rows else []
