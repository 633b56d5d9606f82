"""Did the rollouts pass or fail that a report says did: `26:0 and 26:2 pass`, `8:1 (passes)`, `12:0 … fail`; and are lists of them sound?"""

import re
from collections.abc import Iterator
from itertools import pairwise

from blade.claims.reading.document import leading_up
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference, complete
from blade.claims.reading.tally import CONTRADICTS_ITSELF, WRONG_LABEL, WRONG_NUMBER

_JOINT = re.compile(r"\s*(?:,|and|or|&|,\s*and|/)\s*")
_VERB = re.compile(
    r"\s*(?:all |both |also |each )?\(?\s*(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?)\b(?!\s+(?:to|the|an?|its|over)\b)",
    re.I,
)
_SAID_BEFORE = re.compile(
    r"\b(?P<verb>pass|fail)(?:ing|ed)\s+(?:repeats?|rollouts?|attempts?|ones?)\s*(?:is|are|\(|:|,|like)?\s*$", re.I
)
_IN_FAILING = re.compile(r"\bin (?:its )?failing repeats(?: only)?:")
_CLOSES = re.compile(r"\s*[);.]")
_RANGE = re.compile(r"\s*(?:to|–|through|until)\s*")
_COUNTED = re.compile(r"(?<!\d)(?P<part>\d{1,9}) of (?P<whole>\d{1,9})(?:\s+[a-z]+){0,3}\s*[:(]\s*$")


def check_outcomes(reading: Reading) -> None:
    for read in reading.everywhere():
        for group in groups(read):
            _distinct(reading, read, group)
            _verdict(reading, read, group)
            _counted(reading, read, group)
        _ranges(reading, read)
        _strangers(reading, read)
        _listed_tasks(reading, read)


def groups(read: Read) -> Iterator[list[Reference]]:
    """Rollouts that are listed together."""
    group: list[Reference] = []
    for one in read.rollouts:
        if group and not _JOINT.fullmatch(read.text, _end(group[-1]), one.span.start):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def verdict(read: Read, group: list[Reference]) -> re.Match[str] | None:
    """What a text says became of the rollouts that it lists: behind them, or in front."""
    return _VERB.match(read.text, _end(group[-1])) or leading_up(_SAID_BEFORE, read.text, group[0].span.start)


def _end(one: Reference) -> int:
    return one.step_span.end if one.step_span else one.span.end


def _distinct(reading: Reading, read: Read, group: list[Reference]) -> None:
    seen: set[tuple[str, int | None]] = set()
    for one in group:
        if (one.name, one.step) in seen:
            reading.tally.judge(False, read.passage, one.span, CONTRADICTS_ITSELF, "each rollout once", found=f"{one.name} twice")
        seen.add((one.name, one.step))


def _verdict(reading: Reading, read: Read, group: list[Reference]) -> None:
    found = verdict(read, group)
    if not found:
        return
    said = not found["verb"].lower().startswith("fail")
    for one in group:
        outcomes = {facts.passed for facts in reading.facts.rollouts(one.name)} - {None}
        if outcomes:
            truth = "passes" if True in outcomes else "fails"
            right = said in outcomes
            reading.tally.judge(
                right, read.passage, one.span, WRONG_LABEL, f"{one.name} {truth}", found=f"{one.name} {found['verb']}"
            )


def _counted(reading: Reading, read: Read, group: list[Reference]) -> None:
    """`3 of 3: 12:0 step 4, 12:2 step 4, 12:3 step 4`: no more are listed than are counted, all of one task, and of the kind meant."""
    before = leading_up(_COUNTED, read.text, group[0].span.start)
    closes = _CLOSES.match(read.text, _end(group[-1]))
    if not before or not closes or not complete(read.text[group[0].span.start : _end(group[-1]) + 8]):
        return
    part = int(before["part"])
    number = next((one for one in read.numbers if one.span.start == before.start("part")), None)
    if number is not None and len(group) > 1:
        listed = len({one.name for one in group})
        expected = f"{listed} are listed"
        reading.tally.judge(part >= listed, read.passage, number.span, CONTRADICTS_ITSELF, expected, found=before[0].strip(" :("))
    task = reading.scopes.get(read.passage.number)
    for one in group:
        if task is not None and one.task != task and one.name in reading.names.rollouts:
            reading.tally.judge(False, read.passage, one.span, WRONG_NUMBER, f"a repeat of task {task}", found=one.name)
    failing = "failing" in before[0] or (_IN_FAILING.search(read.text[: before.start()]) and "passing" not in before[0])
    if failing and reading.bound and len({one.task for one in group}) == 1:
        _failing(reading, read, group, int(before["whole"]))


def _ranges(reading: Reading, read: Read) -> None:
    """`4:0 to 4:3` is of one task."""
    for one, other in pairwise(read.rollouts):
        if one.task != other.task and _RANGE.fullmatch(read.text, _end(one), other.span.start):
            said = read.text[one.span.start : other.span.end]
            reading.tally.judge(False, read.passage, other.span, CONTRADICTS_ITSELF, "a range within one task", found=said)


def _strangers(reading: Reading, read: Read) -> None:
    """Where a task's section says of as many rollouts as the task has whether they pass, they are the task's own."""
    task = reading.scopes.get(read.passage.number)
    judged = {one.name: one for group in groups(read) if verdict(read, group) for one in group}
    foreign = [one for one in judged.values() if one.task != task]
    counts = {facts.scored for facts in reading.facts.tasks(task or "")}
    if len(foreign) == 1 and len(judged) in counts and len(judged) > 1:
        reading.tally.judge(False, read.passage, foreign[0].span, WRONG_LABEL, f"a repeat of task {task}", found=foreign[0].name)


def _listed_tasks(reading: Reading, read: Read) -> None:
    """A list of tasks names each once."""
    seen: dict[str, int] = {}
    for one in read.tasks:
        joined = one.name in seen and re.fullmatch(r"[\s,\w./`-]*", read.text[seen[one.name] : one.span.start])
        if joined and not re.search(r"\b(?!and\b|or\b)[a-z]{2,}", read.text[seen[one.name] : one.span.start]):
            reading.tally.judge(False, read.passage, one.span, CONTRADICTS_ITSELF, "each task once", found=f"{one.name} twice")
        seen[one.name] = one.span.end


def _failing(reading: Reading, read: Read, group: list[Reference], whole: int) -> None:
    for one in group:
        facts = reading.facts.rollouts(one.name)
        failed = [task.scored - task.passed for task in reading.facts.tasks(one.task) if task.passed is not None]
        if facts and whole in failed and all(rollout.passed for rollout in facts):
            reading.tally.judge(
                False, read.passage, one.span, WRONG_LABEL, f"{one.name} passes", found=f"{one.name} among failing repeats"
            )
