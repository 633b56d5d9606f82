"""Do the tasks, rollouts and steps exist that a report names? That one exists makes nothing true that is said of it."""

import re

from blade.claims.reading.document import leading_up
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.tally import UNKNOWN_ROLLOUT, UNKNOWN_TASK, WRONG_NUMBER

ENOUGH = 2
"""Rollouts that the run has, cited in a report, after which `a:b` means a rollout in it and no ratio."""

_RATIO = re.compile(r"\b(?:ratio|odds|split|mix|proportion|score)\s+(?:of\s+|is\s+|was\s+)?[`*]*$", re.I)
_CALLED = re.compile(r"\b(?:rollouts?|repeats?|attempts?|episodes?|trials?|trajector(?:y|ies))\s*[#:]?\s*[`*]*$", re.I)
_DOES = re.compile(
    r"[`*]*,?\s+(?:(?:(?:the|its)\s+)?(?:agent|model|assistant)\b|(?:calls?|called|pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?)\b|step\s+\d)",
    re.I,
)


def check_references(reading: Reading) -> None:
    if not reading.bound:
        return
    known = sum(one.name in reading.names.rollouts for read in reading.everywhere() for one in read.rollouts)
    for read in reading.everywhere():
        for one in read.rollouts:
            _rollout(reading, read, one, known >= ENOUGH)
        for one in read.tasks:
            if one.name not in reading.names.tasks:
                near = _near(one.name, reading.names.tasks)
                reading.tally.judge(False, read.passage, one.span, UNKNOWN_TASK, near)


def _rollout(reading: Reading, read: Read, one: Reference, certain: bool) -> None:
    facts = reading.facts.rollouts(one.name)
    if not facts:
        if certain or re.search(r"[A-Za-z]", one.name) or _is_called_one(read, one):
            repeats = sorted(reading.facts.repeats_of(one.task))
            expected = f"task {one.task} has {', '.join(f'{one.task}:{repeat}' for repeat in repeats[:8])}" if repeats else None
            reading.tally.judge(False, read.passage, one.span, UNKNOWN_ROLLOUT, expected or _near(one.task, reading.names.tasks))
        return
    _step(reading, read, one)


def _is_called_one(read: Read, one: Reference) -> bool:
    """Whether the words around it say that it is a rollout and no ratio: `rollout 3:7`, `3:7 failed`, `in 3:7 the agent`."""
    if leading_up(_RATIO, read.text, one.span.start):
        return False
    return bool(leading_up(_CALLED, read.text, one.span.start) or _DOES.match(read.text, one.span.end))


def _step(reading: Reading, read: Read, one: Reference) -> None:
    """A step beyond the end of its rollout; one within it is held against its quotation, where there is one."""
    lengths = [facts.steps for facts in reading.facts.rollouts(one.name) if facts.steps is not None]
    if one.step is not None and one.step_span is not None and lengths and one.step >= max(lengths):
        expected = f"{one.name} ends with step {max(lengths) - 1}"
        reading.tally.judge(False, read.passage, one.step_span, WRONG_NUMBER, expected, found=f"step {one.step}")


def _near(name: str, tasks: frozenset[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, tasks, n=3, cutoff=0.6) if len(tasks) <= 5_000 else []
    return f"the run has {len(tasks):,} tasks" + (f", {' and '.join(close)} among them" if close else "")
