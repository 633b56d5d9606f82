"""How often does a task pass, said in plain words: `task 12 passes in 3 of 4 repeats`, `all four repeats of task 21 failed`?

A sentence is taken where it names one task, says nothing else between the task and the count, and is over behind it.
"""

import re

from blade.claims.reading.counts import CLAUSE_END, COUNT, REPEATS, in_doubt, is_limit, value_of
from blade.claims.reading.document import Span
from blade.claims.reading.facts import named
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.tally import WRONG_DENOMINATOR, WRONG_NUMBER

_VERB = (
    r"(?:(?:has|have|had|was|were|is|are)\s+)?(?:only\s+|all\s+)?(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?|solved)"
)
_ITS = r"(?:(?:the|its|their|all)\s+)*"
_OF = r"\s*(?:/|\bout\s+of\b|\bof\b)\s*"
_SOME = rf"(?P<part>{COUNT}|none|once|twice)(?:\s+times?)?{_OF}{_ITS}(?P<whole>{COUNT})(?:\s+(?:scored\s+)?{REPEATS}|\s+times)?"
_ALL = rf"(?P<every>all|both|none)\s+(?:of\s+)?(?:(?:the|its)\s+)?(?:(?P<each>{COUNT})\s+)?(?:scored\s+)?(?:{REPEATS}|times)"
_EVERY = rf"(?P<single>every|each|no)\s+(?:single\s+)?(?:time|{REPEATS})"
_HOW_OFTEN = rf"(?:(?:in|on|at)\s+)?(?:only\s+|just\s+|exactly\s+)?(?:{_SOME}|{_ALL}|{_EVERY})"
_BEHIND = tuple(
    re.compile(pattern + CLAUSE_END, re.I)
    for pattern in (
        rf"[`*]*\s+{_VERB}\s+{_HOW_OFTEN}",
        rf"[`*]*[,:]?\s+(?:{_SOME}|{_ALL}|{_EVERY})\s+{_VERB}",
    )
)
_AHEAD = re.compile(rf"(?<!\w)(?:{_SOME}|{_ALL}|{_EVERY})\s+(?:of|for|on|at|in)\s+task\s+(?:id\s+)?[#`*]*$", re.I)
_THEN = re.compile(rf"[`*]*\s+{_VERB}{CLAUSE_END}", re.I)


def check_repeats(reading: Reading) -> None:
    if not reading.bound:
        return
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head"):
            continue
        for sentence in read.passage.sentences:
            one = _only_task(read, sentence)
            if one is not None and not in_doubt(read.passage, sentence):
                _sentence(reading, read, sentence, one)


def _only_task(read: Read, sentence: Span) -> Reference | None:
    here = [one for one in (*read.tasks, *read.rollouts) if sentence.start <= one.span.start < sentence.end]
    return here[0] if len(here) == 1 and here[0].sort == "task" else None


def _sentence(reading: Reading, read: Read, sentence: Span, one: Reference) -> None:
    for pattern in _BEHIND:
        if found := pattern.match(read.text, one.span.end, sentence.end):
            _judge(reading, read, one, found, found["verb"])
            return
    ahead = _AHEAD.search(read.text, max(sentence.start, one.span.start - 120), one.span.start)
    then = _THEN.match(read.text, one.span.end, sentence.end)
    if ahead and then:
        _judge(reading, read, one, ahead, then["verb"])


def _judge(reading: Reading, read: Read, one: Reference, found: re.Match[str], verb: str) -> None:
    facts = [task for task in reading.facts.tasks(one.name) if task.passed is not None and task.scored]
    group = next(name for name in ("part", "every", "single") if found[name])
    span = Span(*found.span(group))
    if not facts or is_limit(read.text, span.start):
        return
    stated = "whole" if found["whole"] else "each" if found["each"] else None
    wholes = reading.facts.values(named(f"task {one.name}"), "repeats")
    if stated is not None and value_of(found[stated]) not in wholes:
        expected = f"task {one.name} has {' or '.join(f'{value:g}' for value in wholes)} repeats"
        reading.tally.judge(False, read.passage, Span(*found.span(stated)), WRONG_DENOMINATOR, expected)
        return
    fails = verb.lower().startswith("fail")
    counts = {count for task in facts for count in _counts(task.scored, task.passed or 0, fails, wholes)}
    word = found[group].lower()
    if group == "part":
        right = value_of(word) in counts
    else:
        right = any(task.passed == (0 if _is_naught(fails, word) else task.scored) for task in facts)
    passed = " or ".join(f"{task.passed} of {task.scored}" for task in facts)
    expected = f"{passed} repeats of task {one.name} pass"
    said = f"task {one.name}: {' '.join(read.text[found.start() : found.end()].strip('`* ').split())}"
    reading.tally.judge(right, read.passage, span, WRONG_NUMBER, expected, found=said)
    if right:
        reading.tally.hold(read.passage, one.span)
        if stated is not None:
            reading.tally.hold(read.passage, Span(*found.span(stated)))


def _is_naught(fails: bool, word: str) -> bool:
    """Whether none is said to pass: `none passed`, `all failed`; else all are: `all passed`, `none failed`."""
    return fails != (word in ("no", "none"))


def _counts(scored: int, passed: int, fails: bool, wholes: list[float]) -> set[int]:
    """How many pass; or fail, where repeats without a score may be counted as failed."""
    return {scored - passed, *(int(whole) - passed for whole in wholes)} if fails else {passed}
