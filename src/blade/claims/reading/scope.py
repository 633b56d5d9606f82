"""Which task a passage is about: the one its heading names, or the bold words that open it or a passage before it.

And which two runs: a report on several runs has a section for each pair, and the B of one is not the B of another.
"""

import re

from blade.claims.reading.document import Passage, Report
from blade.claims.reading.references import Names, rollouts, tasks

_PAIR = re.compile(r"^\s*(?:\d+\.\s*)?(?P<a>\w{1,4})\s*(?:→|->|vs\.?)\s*(?P<b>\w{1,4})\b(?=\s*(?:$|[:—–(-]))", re.I)
_LEAD = re.compile(r"^\s*(?:\d+\.\s*)?(?:#+\s*)?task\b", re.I)


def task_scopes(report: Report, names: Names) -> dict[int, str]:
    """Passage by passage, the task in whose section it stands."""
    found: dict[int, str] = {}
    by_heading: dict[tuple[str, ...], str | None] = {}
    section: tuple[str, ...] = ()
    current: str | None = None
    in_list = False
    for passage in report.passages:
        if passage.section != section:
            section, current = passage.section, None
        if passage.kind not in ("cell", "head", "heading") and (lead := _lead_task(passage, names)):
            current, in_list = lead, passage.kind == "item"
        elif in_list and passage.kind == "text" and passage.bold:
            current = None  # the list is over, and what follows is headed by words of its own
        if section not in by_heading:
            by_heading[section] = next((task for text in reversed(section) if (task := named_task(text, names))), None)
        task = current or by_heading[section]
        if task is not None:
            found[passage.number] = task
    return found


def pair_of(section: tuple[str, ...]) -> str:
    """The two runs that a section is about, as its heading names them (`A → C: …`); empty where it is about no pair."""
    found = next((match for heading in section if (match := _PAIR.match(heading))), None)
    return f"{found['a']} → {found['b']}" if found else ""


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
