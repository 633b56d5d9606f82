"""Did the rollouts pass or fail that a report says did: `26:0 and 26:2 pass`, `8:1 (passes)`, `12:0 … fail`; and are lists of them sound?"""

import re
from collections.abc import Iterator

from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference, complete
from blade.claims.reading.tally import CONTRADICTS_ITSELF, WRONG_LABEL, WRONG_NUMBER

_JOINT = re.compile(r"\s*(?:,|and|or|&|,\s*and|/)\s*")
_VERB = re.compile(r"\s*(?:all |both |also |each )?\(?\s*(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?)\b(?!\s+(?:to|the|an?|its|over)\b)", re.I)
_COUNTED = re.compile(r"(?P<part>\d+) of (?P<whole>\d+)(?:\s+[a-z]+){0,3}\s*[:(]\s*$")


def check_outcomes(reading: Reading) -> None:
    for read in reading.everywhere():
        for group in groups(read):
            _distinct(reading, read, group)
            _verdict(reading, read, group)
            _counted(reading, read, group)


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


def _end(one: Reference) -> int:
    return one.step_span.end if one.step_span else one.span.end


def _distinct(reading: Reading, read: Read, group: list[Reference]) -> None:
    seen: set[tuple[str, int | None]] = set()
    for one in group:
        if (one.name, one.step) in seen:
            reading.tally.judge(False, read.passage, one.span, CONTRADICTS_ITSELF, "each rollout once", found=f"{one.name} twice")
        seen.add((one.name, one.step))


def _verdict(reading: Reading, read: Read, group: list[Reference]) -> None:
    found = _VERB.match(read.text, _end(group[-1]))
    if not found:
        return
    said = not found["verb"].lower().startswith("fail")
    for one in group:
        outcomes = {facts.passed for facts in reading.facts.rollouts(one.name)} - {None}
        if outcomes:
            truth = "passes" if True in outcomes else "fails"
            right = said in outcomes
            reading.tally.judge(right, read.passage, one.span, WRONG_LABEL, f"{one.name} {truth}", found=f"{one.name} {found['verb']}")


def _counted(reading: Reading, read: Read, group: list[Reference]) -> None:
    """`3 of 3: 12:0 step 4, 12:2 step 4, 12:3 step 4`: as many are listed as are counted, all of one task, and of the kind meant."""
    before = _COUNTED.search(read.text[: group[0].span.start])
    closes = re.match(r"\s*[);.]", read.text[_end(group[-1]) :])
    if not before or not closes or not complete(read.text[group[0].span.start : _end(group[-1]) + 8]):
        return
    part = int(before["part"])
    number = next((one for one in read.numbers if one.span.start == before.start("part")), None)
    if number is not None and len(group) > 1:
        listed = len({one.name for one in group})
        expected = f"{listed} are listed"
        reading.tally.judge(part == listed, read.passage, number.span, CONTRADICTS_ITSELF, expected, found=before[0].strip(" :("))
    task = reading.scopes.get(read.passage.number)
    for one in group:
        if task is not None and one.task != task and one.name in reading.names.rollouts:
            reading.tally.judge(False, read.passage, one.span, WRONG_NUMBER, f"a repeat of task {task}", found=one.name)
    if "failing repeats" in read.text and reading.bound and len({one.task for one in group}) == 1:
        _failing(reading, read, group, int(before["whole"]))


def _failing(reading: Reading, read: Read, group: list[Reference], whole: int) -> None:
    for one in group:
        facts = reading.facts.rollouts(one.name)
        failed = [task.scored - task.passed for task in reading.facts.tasks(one.task) if task.passed is not None]
        if facts and whole in failed and all(rollout.passed for rollout in facts):
            reading.tally.judge(False, read.passage, one.span, WRONG_LABEL, f"{one.name} passes", found=f"{one.name} among failing repeats")
