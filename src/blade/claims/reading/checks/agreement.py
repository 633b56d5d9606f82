"""Does a report say the same thing twice in two ways? The same measure of the same thing must have one value, whatever the run says."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from blade.claims.reading.document import Passage
from blade.claims.reading.entities import measures, run_measure
from blade.claims.reading.facts import named
from blade.claims.reading.metrics import interval_after, statements
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Reading
from blade.claims.reading.scope import pair_of
from blade.claims.reading.tally import CONTRADICTS_ITSELF

_SOME_RUN = re.compile(
    r"\b(?:model|run|agent|checkpoint|variant|harness|seed)(?:[_-]\w+|\s+(?:[A-Z]\b|\d+\b))|\b(?i:baseline|candidate)\b|"
    r"`[^`]+`\s+(?:scores?|reaches|gets|has|passes)"
)
_SAME = 1e-9
AGREED = ("pass_at_", "pass_hat_", "mean_reward", "rate", "tasks", "rollouts", "expected", "repeats", "bucket ")
"""Measures of the run that its report must not give two values for."""


@dataclass(frozen=True)
class Said:
    """A number that a passage gives for a measure of a thing."""

    passage: Passage
    number: Number

    @property
    def line(self) -> int:
        return self.passage.line_at(self.number.span.start)

    @property
    def range(self) -> tuple[float, float]:
        """What it may have been before it was rounded, as a plain number; a percentage is its hundredth."""
        scale = 0.01 if self.number.unit in ("%", "points") else 1.0
        slack = 0.5 * self.number.ulp * scale + _SAME
        if self.number.unit == "%" and self.number.ulp == 1:
            slack *= 2
        return self.number.value * scale - slack, self.number.value * scale + slack

    def agrees(self, other: "Said") -> bool:
        (low, high), (other_low, other_high) = self.range, other.range
        return low <= other_high and other_low <= high


def check_agreement(reading: Reading) -> None:
    given: dict[tuple[str, str, str], list[Said]] = defaultdict(list)
    for thing, measure, said in (*_in_text(reading), *_in_tables(reading)):
        given[pair_of(said.passage.section), thing, measure].append(said)
    for (_, thing, measure), several in given.items():
        _judge(reading, thing, measure, several)


def _judge(reading: Reading, thing: str, measure: str, several: list[Said]) -> None:
    """The one that most of the others disagree with is named; where two stand against each other, both are."""
    supported = _support(several)
    if min(supported) == len(several):
        if len(several) > 1:
            for one in several:
                reading.tally.hold(one.passage, one.number.span)
        return
    best = max(supported)
    lines = {one.line for one in several if reading.tally.is_false(one.passage, one.number.span)}
    settled = [one for one in several if one.line in lines] if lines else []
    for one, support in zip(several, supported, strict=True):
        if support == len(several) or (support == best and best * 2 > len(several)):
            continue
        if all(one.agrees(other) for other in settled):
            others = list(islice((other for other in several if not one.agrees(other)), 5))
            told = [f"line {other.line}: {other.number.text}" for other in others]
            whose = f"{measure.replace('_', ' ')}{f' of {thing}' if thing else ''}"
            expected = f"{whose}: {others[0].number.text}"
            reading.tally.judge(False, one.passage, one.number.span, CONTRADICTS_ITSELF, expected, told)


def _support(several: Sequence[Said]) -> list[int]:
    """How many each agrees with, itself included: all but those that end below it or begin above it."""
    ranges = [one.range for one in several]
    lows, highs = (sorted(bounds) for bounds in zip(*ranges, strict=True))
    return [bisect_right(lows, high) - bisect_left(highs, low) for low, high in ranges]


def _in_text(reading: Reading) -> Iterator[tuple[str, str, Said]]:
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head") or read.passage.number in reading.scopes:
            continue
        for sentence in read.passage.sentences:
            words = read.text[sentence.start : sentence.end]
            apart = bool(_SOME_RUN.search(words)) or any(
                sentence.start <= one.span.start < sentence.end for one in (*read.tasks, *read.rollouts)
            )
            for statement in statements(read.text, read.numbers, sentence, apart):
                if statement.firm and not statement.number.hedge and statement.measure.startswith(AGREED):
                    yield "", statement.measure, Said(read.passage, statement.number)
                    for bound, which in zip(
                        interval_after(read.text, statement.number, read.numbers) or (), ("low", "high"), strict=False
                    ):
                        yield "", f"{statement.measure}_{which}", Said(read.passage, bound)


def _in_tables(reading: Reading) -> Iterator[tuple[str, str, Said]]:
    """Rows that name a measure of the run, in tables with one column of values; and cells with the same row and column elsewhere."""
    for table in reading.report.tables:
        columns = [place for place, head in enumerate(table.head) if place and head.text.strip()]
        for row in table.rows:
            measure = run_measure(row[0].text) if row else None
            for place, (head, cell) in enumerate(zip(table.head, row, strict=False)):
                numbers = reading.reads[cell.number].numbers
                if not place or not numbers or numbers[0].hedge or numbers[0].span.start > 2:
                    continue
                said = Said(cell, numbers[0])
                if measure is not None and (len(columns) == 1 or named(head.text) in ("value", "result", "count")):
                    yield "", measure, said
                    continue
                meant = measures(head.text)
                if meant and row[0].text.strip() and not numbers_only(row[0].text) and meant[0] not in ("interval", "p"):
                    context = "" if measure is None else " " + named(table.section[-1] if table.section else "")
                    yield _as_written(row[0].text) + context, f"{meant[0]}", said


def _as_written(text: str) -> str:
    """A row's name with its capitals, which may be all that tells two tools apart."""
    return " ".join(re.sub(r"\[c\d+\]|[`*]", " ", text).split())


def numbers_only(text: str) -> bool:
    return bool(re.fullmatch(r"[\d\s.,:%-]*", text))
