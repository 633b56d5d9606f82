"""Which task a passage is about: the one its heading names, or the bold words that open it or a passage before it."""

import re

from blade.claims.reading.document import Passage, Report
from blade.claims.reading.references import Names, rollouts, tasks

_LEAD = re.compile(r"^\s*(?:\d+\.\s*)?(?:#+\s*)?task\b", re.I)


def task_scopes(report: Report, names: Names) -> dict[int, str]:
    """Passage by passage, the task in whose section it stands."""
    found: dict[int, str] = {}
    by_heading: dict[tuple[str, ...], str | None] = {}
    section: tuple[str, ...] = ()
    current: str | None = None
    for passage in report.passages:
        if passage.section != section:
            section, current = passage.section, None
        if passage.kind not in ("cell", "head", "heading") and (lead := _lead_task(passage, names)):
            current = lead
        if section not in by_heading:
            by_heading[section] = next((task for text in reversed(section) if (task := named_task(text, names))), None)
        task = current or by_heading[section]
        if task is not None:
            found[passage.number] = task
    return found


def _lead_task(passage: Passage, names: Names) -> str | None:
    return named_task(passage.bold, names) if passage.bold else None


def named_task(text: str, names: Names) -> str | None:
    """The one task that a heading names; None where it names none, or several."""
    first = next(tasks(text, names), None)
    if first is not None and first.span.start <= len("10. Task #") and _LEAD.match(text):
        following = next(iter(list(tasks(text, names))[1:]), None)
        return first.task if following is None or following.task == first.task else None
    named = {reference.task for reference in (*tasks(text, names), *rollouts(text, names))}
    return named.pop() if len(named) == 1 else None
