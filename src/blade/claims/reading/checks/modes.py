"""What a report says of a failure mode that the diagnosis knows by the same title: how many rollouts and tasks, what it costs."""

import re
from functools import lru_cache

from blade.claims.reading.document import Span
from blade.claims.reading.facts import named
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.tally import WRONG_NUMBER

LEAST = 10
"""Letters of a title below which it may stand in any sentence."""
_OVER_TASKS = re.compile(r"\bover\s+$")
_BOUND = re.compile(r"(?:at most|up to|≤)\s*(?:about\s*)?$")
_GAIN = re.compile(r"\b(?:add|gain|recover)\b[^.]*$")
_LOSS = re.compile(r"less often\b[^.]*\bby\s*$")


def check_modes(reading: Reading) -> None:
    titles = sorted(
        {title for run in reading.facts.runs for title, found in run.measures.items() if "share_of_loss" in found},
        key=len,
        reverse=True,
    )
    if not titles:
        return
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head") or read.passage.number in reading.scopes:
            continue
        for sentence in read.passage.sentences:
            title = _about(read, sentence, tuple(titles))
            if title is not None:
                _sentence(reading, read, sentence, title)


def _about(read: Read, sentence: Span, titles: tuple[str, ...]) -> str | None:
    """The mode a sentence speaks of: named in it, in the bold words of its passage, or in the heading above."""
    for text in (read.text[sentence.start : sentence.end], read.passage.bold, *read.passage.section[-1:]):
        held = _held(named(text), titles)
        if held:
            return held[0] if len(held) == 1 else None
    return None


@lru_cache(maxsize=4096)
def _held(text: str, titles: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for title in titles:
        if len(title) >= LEAST and title in text and not any(title in longer for longer in found):
            found.append(title)
    return found


def _sentence(reading: Reading, read: Read, sentence: Span, title: str) -> None:
    for fraction in read.fractions:
        if sentence.start <= fraction.span.start < sentence.end and fraction.noun.endswith(
            ("failed rollouts", "failing rollouts")
        ):
            _judge(reading, read, fraction.part, title, "failed")
    for number in read.within(sentence):
        before = read.text[sentence.start : number.span.start]
        if number.whole and _OVER_TASKS.search(before) and re.match(r"\s+tasks?\b(?!\s+with)", read.text[number.span.end :]):
            _judge(reading, read, number, title, "tasks")
        elif number.unit == "points" and _GAIN.search(before) and (_BOUND.search(before) or not number.hedge):
            _judge(reading, read, number, title, "gain")
        elif number.unit == "points" and _LOSS.search(before):
            _judge(reading, read, number, title, "lift")


def _judge(reading: Reading, read: Read, number: Number, title: str, measure: str) -> None:
    values = reading.facts.values(title, measure)
    if values:
        right = any(number.is_rate(value) if measure in ("gain", "lift") else number.equals(value) for value in values)
        reading.tally.judge(right, read.passage, number.span, WRONG_NUMBER, reading.facts.described(title, measure, values))
