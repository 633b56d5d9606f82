"""What an agent reads first: which runs there are, and what one of them says in short."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from blade.errors import UsageError
from blade.mcp.pages import fitting
from blade.mcp.roots import Found, Roots
from blade.reports.effects import intervention_titles, mode_names, short_gain, short_lift
from blade.reports.markdown import HEADINGS, report
from blade.reports.sections.opening import executive_summary
from blade.reports.task_story import by_importance
from blade.reports.wording import clause, name, percent, shown, table

MOST_RUNS: Final = 50
MOST_MODES: Final = 8
MOST_INTERVENTIONS: Final = 6
NOTES: Final = len(HEADINGS)


def run_list(roots: Roots, offset: int) -> str:
    """The runs that can be opened, so many at a time."""
    found: list[Found] = list(roots.runs())
    if not found:
        return "No rollout file lies below the paths that this server was given."
    rows = [(name(one.name, 300), f"{one.size / 1e6:,.1f}") for one in found[offset : offset + MOST_RUNS]]
    here = rows[: fitting(rows)]
    blocks = [
        f"{len(found)} rollout files can be opened; shown: {len(here)} from {offset}.",
        table(("run", "MB"), here, " r"),
        "A folder that holds several files of one evaluation (shards, seeds) can be opened as one run, by its name.",
        "Next: overview(run=…).",
    ]
    if len(found) > offset + len(here):
        blocks.append(f"More: list_runs(offset={offset + len(here)}).")
    return "\n\n".join(blocks)


def overview(document: Mapping[str, Any], run: str) -> str:
    """Score, trust, why it fails and what to do, with the names that the other tools take."""
    silent = {**document, "claims": []}
    blocks = [f"# {name(run, 300)}", *executive_summary(silent, lambda *_: ""), _counted(document)]
    if modes := document.get("modes") or []:
        blocks += ["## Failure modes, largest first", _modes(document, modes)]
    if document.get("interventions"):
        blocks += ["## What could be done", _interventions(document)]
    blocks.append(_next(document))
    return "\n\n".join(block for block in blocks if block)


def _next(document: Mapping[str, Any]) -> str:
    """What to ask now, with a task that is worth it."""
    failing = [task for task in document.get("tasks") or () if task.get("cause")]
    mixed = [task for task in failing if task["bucket"] == "sometimes"]
    first = next(iter(by_importance(document, mixed or failing)), None)
    if first is None:
        return ""
    decisive = first["cause"].get("decisive") or {}
    rollout = decisive.get("rollout") or first["repeats"][0]["rollout"]
    return (
        f"Next: tasks(run, bucket='sometimes', mode='M1'); task(run, task={name(first['task'])}) for one in depth; "
        f"trajectory(run, rollout={name(rollout)}) to read what happened; report_section(run, section=6) for the modes in full."
    )


def _counted(document: Mapping[str, Any]) -> str:
    """Where every expected rollout went, and the stages, in two lines."""
    counts = document["denominator"]
    decided = counts["passed"] is not None
    settled = f"{counts['passed']:,} passed + {counts['failed']:,} failed" if decided else f"{counts['scored']:,} scored"
    lines = [
        f"Expected rollouts: {counts['expected']:,} = {settled} + {counts['errored']:,} errored + {counts['missing']:,} missing."
    ]
    stages = [f"{shown(stage['stage'], 40)} {stage['count']:,}" for stage in document.get("funnel") or ()]
    if stages:
        lines.append(f"Funnel: {' → '.join(stages)}.")
    return "\n".join(lines)


def _modes(document: Mapping[str, Any], modes: Sequence[Mapping[str, Any]]) -> str:
    names, failed = mode_names(document), document["denominator"]["failed"]
    rows = [
        (
            names[mode["id"]],
            shown(mode["label"]),
            clause(mode["title"], 120),
            f"{mode.get('failed_rollouts', mode['rollouts']):,} of {failed or 0:,}",
            f"{mode['tasks']:,}",
            short_lift(mode),
            short_gain(mode.get("gain")),
        )
        for mode in modes[:MOST_MODES]
    ]
    found = table(("", "label", "mode", "failed rollouts", "tasks", "lift, points", "gain, points"), rows, "   rrrr")
    more = len(modes) - MOST_MODES + (document.get("modes_not_listed") or 0)
    return f"{found}\n\n{more} more modes: report_section(run, section=6)." if more > 0 else found


def _interventions(document: Mapping[str, Any]) -> str:
    rows = [
        (
            str(item["rank"]),
            shown(item["family"]),
            clause(title, 160),
            short_gain(item.get("gain")),
            percent(item.get("confidence")),
        )
        for title, item in zip(intervention_titles(document), document["interventions"], strict=True)
    ]
    return table(("", "kind", "what", "gain, points", "confidence"), rows[:MOST_INTERVENTIONS], "r  rr")


def section(document: Mapping[str, Any], number: int) -> str:
    """One of the eleven sections of the report; without citations, except where the claims themselves are listed."""
    if not 1 <= number <= NOTES:
        listed = ", ".join(f"{place} {heading}" for place, heading in enumerate(HEADINGS, 1))
        raise UsageError(f"there is no section {number}", hint=listed)
    text = report(document if number == NOTES else {**document, "claims": []})
    return part(text, number)


def part(text: str, number: int) -> str:
    """The section of a report that has this number."""
    found = re.search(rf"(?ms)^## {number}\. .*?(?=^## \d+\. |\Z)", text)
    return found[0].strip() if found else ""
