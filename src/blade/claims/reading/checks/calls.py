"""Does a step hold what a report says it holds: `12:1 calls find_member at step 1`, a value followed by the rollouts and steps that sent it?

A value in front of several places (`M-0664` (12:0 step 4, 12:2 step 4)) is believed to stand at them once it does at most of them; a
place where it does not is then wrong. A single place is only judged where the words leave no doubt that a call is meant.
"""

import re

from blade.claims.reading.checks.outcomes import groups
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.tally import WRONG_NUMBER
from blade.claims.reading.transcripts import words

_CALLS = re.compile(
    r"(?P<rollout>[\w./-]+:\d+)\s+(?:then\s+|first\s+|only\s+)?(?:calls?|called|invokes?|invoked)\s+`(?P<tool>\w+)`\s+(?:at|in)\s+step\s+(?P<step>\d+)"
)
_BEFORE_PLACES = re.compile(r"[`“\"](?P<value>[^`“”\"\n]+)[`”\"]\s*\(\s*$")


def check_calls(reading: Reading) -> None:
    if not reading.bound:
        return
    for read in reading.everywhere():
        _named_calls(reading, read)
        for group in groups(read):
            value = _BEFORE_PLACES.search(read.text[: group[0].span.start])
            placed = [one for one in group if one.step is not None and one.name in reading.names.rollouts]
            if value and len(placed) > 2:
                _places(reading, read, placed, value["value"])


def _named_calls(reading: Reading, read: Read) -> None:
    for found in _CALLS.finditer(read.text):
        rollout, step = found["rollout"], int(found["step"])
        span = next((span for span, _ in read.steps if span.start == found.start("step")), None)
        if span is None or rollout not in reading.names.rollouts:
            continue
        made = [at for run in reading.facts.runs for at in run.transcripts.where(rollout, found["tool"])]
        expected = (
            f"{rollout} has {found['tool']} at step {', '.join(map(str, made[:4]))}"
            if made
            else f"{rollout} never has {found['tool']}"
        )
        reading.tally.judge(step in made, read.passage, span, WRONG_NUMBER, expected, found=found[0])


def _places(reading: Reading, read: Read, placed: list[Reference], value: str) -> None:
    held = [_holds(reading, one, value) for one in placed]
    if sum(held) * 2 <= len(held):
        return
    for one, right in zip(placed, held, strict=True):
        span = one.step_span or one.span
        reading.tally.judge(
            right, read.passage, span, WRONG_NUMBER, f"a step that holds {value}", found=f"{one.name} step {one.step}"
        )


def _holds(reading: Reading, one: Reference, value: str) -> bool:
    steps = [said for run in reading.facts.runs for said in run.transcripts.at(one.name, one.step or 0)]
    return any(words(value) in said for said in steps)
