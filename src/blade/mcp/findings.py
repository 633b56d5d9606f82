"""Signals: which there are and whether they go with failing, and where one of them was seen."""

from collections.abc import Mapping
from typing import Any, Final

from blade.errors import UsageError
from blade.mcp.desk import Study
from blade.mcp.pages import fitting
from blade.reports.wording import name, percent, quoted, shown, table
from blade.signals.plugins import load

MOST_PLACES: Final = 100


def signal_list(document: Mapping[str, Any], offset: int) -> str:
    """Every code with how many failing and passing rollouts show it, and what it means."""
    found = document.get("signals") or ()
    if not found:
        return "No detector found anything in this run's trajectories."
    counts = document["denominator"]
    meanings = {detector.code: detector.meaning for detector in load(()).detectors}
    rows = [
        (
            name(one["code"]),
            shown(one["label"]),
            f"{one['in_failed']:,} of {counts['failed'] or 0:,}" if one.get("in_failed") is not None else f"{one['rollouts']:,}",
            f"{one['in_passed']:,} of {counts['passed'] or 0:,}" if one.get("in_passed") is not None else "",
            f"{one['tasks']:,}",
            "" if one.get("lift") is None else percent(one["lift"]),
            shown(meanings.get(one["code"], ""), 160),
        )
        for one in found[offset:]
    ]
    here = rows[: fitting(rows)]
    head = ("code", "label", "failed with it", "passed with it", "tasks", "lift within tasks", "meaning")
    rest = len(rows) - len(here)
    more = f"\n\n{rest} more signals: the same with offset={offset + len(here)}." if rest else ""
    return f"{table(head, here, '  rrrr')}\n\nNext: signals(run, code=…) for the places.{more}"


def signal_places(study: Study, code: str | None, task: str | None, passed: bool | None, offset: int, limit: int) -> str:
    """Where a signal was seen, with the words that show it."""
    run, task = study.run, None if task is None else study.task(task)
    decides = run.pass_rule.decides
    if passed is not None and not decides:
        raise UsageError("nobody can say what passes here", hint="start blade mcp with --pass-threshold")
    where = """FROM signals AS s JOIN rollouts AS r ON r.rollout = s.rollout AND r.class = s.class
               WHERE s.class = 'scored' AND ($1 IS NULL OR s.code = $1) AND ($2 IS NULL OR s.task = $2)"""
    if passed is not None:
        where += f" AND ({'' if passed else 'NOT '}coalesce(r.rollout IN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}), false))"
    total, rollouts, tasks = run.query(
        f"SELECT count(*), count(DISTINCT s.rollout), count(DISTINCT s.task) {where}", (code, task)
    ).rows[0]
    limit = max(1, min(limit, MOST_PLACES))
    rows = run.query(
        f"SELECT s.rollout, s.step, s.code, s.subject, r.reward, s.quote, s.detail {where} ORDER BY s.code, s.task, s.repeat, s.step "
        f"LIMIT {limit} OFFSET {max(0, offset)}",
        (code, task),
    ).rows
    if not total:
        known = ", ".join(row[0] for row in run.query("SELECT DISTINCT code FROM signals ORDER BY 1").rows)
        return f"No such signal. Codes in this run: {shown(known, 1_000) or 'none'}."
    cells = [
        (
            name(rollout),
            "" if step is None else str(step),
            shown(found),
            shown(subject or "", 80),
            f"{reward:g}",
            quoted(quote, 140) if quote else "",
            shown(detail or "", 160),
        )
        for rollout, step, found, subject, reward, quote, detail in rows
    ]
    cells = cells[: fitting(cells)]
    told = f"{total:,} places in {rollouts:,} rollouts of {tasks:,} tasks; shown: {len(cells)} from {offset}."
    blocks = [told, table(("rollout", "step", "code", "subject", "reward", "quote", "detail"), cells, " r  r")]
    if total > offset + len(cells):
        blocks.append(f"More: the same with offset={offset + len(cells)}.")
    return "\n\n".join(blocks)
