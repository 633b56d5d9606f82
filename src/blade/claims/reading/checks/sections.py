"""Is a section about the task that its heading names?

One whose rollouts are all of another task has the wrong heading; and one that cites many of its own and a single other, with no word
that looks elsewhere (`like`, `same`, `see`), has a wrong id.
"""

import re
from collections import defaultdict

from blade.claims.reading.document import Passage, Span
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference, tasks
from blade.claims.reading.tally import CONTRADICTS_ITSELF

ENOUGH = 2
"""Rollouts that a section must cite before it speaks for a task."""
MANY = 4
"""Rollouts of its own that a section cites before another one is a stranger in it."""
_ELSEWHERE = re.compile(
    r"\b(?:same|like|alike|similar\w*|also|see|compare\w*|cf|unlike|as in|other|another|elsewhere|tasks?|too|whereas|both|again)\b",
    re.I,
)


def check_sections(reading: Reading) -> None:
    cited: dict[tuple[str, int], list[str]] = defaultdict(list)
    strange: dict[tuple[str, int], list[tuple[Read, Reference]]] = defaultdict(list)
    leads: dict[tuple[str, int], tuple[Passage, Span]] = {}
    lead = -1
    previous: str | None = None
    for read in reading.everywhere():
        task = reading.scopes.get(read.passage.number)
        if task is None:
            previous = None
            continue
        named = next((one for one in tasks(read.text, reading.names) if one.name == task), None)
        if task != previous or (read.passage.kind == "heading" and named):
            lead, previous = read.passage.number, task
        if named is not None:
            leads.setdefault((task, lead), (read.passage, named.span))
        known = [one for one in read.rollouts if one.name in reading.names.rollouts]
        cited[task, lead] += [one.task for one in known]
        strange[task, lead] += [(read, one) for one in known if one.task != task]
    for (task, lead), found in cited.items():
        if len(found) >= ENOUGH and task not in found and (task, lead) in leads:
            passage, span = leads[task, lead]
            evidence = f"its rollouts are of task {', '.join(sorted(set(found))[:3])}"
            reading.tally.judge(False, passage, span, CONTRADICTS_ITSELF, evidence, found=f"task {task}")
        if found.count(task) >= MANY and len(strange[task, lead]) == 1:
            _stranger(reading, task, *strange[task, lead][0])


def _stranger(reading: Reading, task: str, read: Read, one: Reference) -> None:
    sentence = read.passage.sentence_at(one.span.start)
    if read.passage.kind != "heading" and not _ELSEWHERE.search(read.text, sentence.start, sentence.end):
        expected = f"a repeat of task {task}, which this section is about"
        reading.tally.judge(False, read.passage, one.span, CONTRADICTS_ITSELF, expected, found=one.name)
