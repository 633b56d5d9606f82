"""Measures of the whole run, in sentences: `pass@1 is 42.0 %`, `14 tasks always pass`, `64 failed`, `160 expected rollouts`.

A phrase is *firm* where it can mean nothing but the run's own figure, and *loose* where it may speak of a part of it (`over 4 tasks`):
a firm figure that differs is wrong, a loose one only was not recognised. A condition in the sentence (`without`, `would`, `target`)
makes all of it loose.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from blade.claims.reading.document import Span
from blade.claims.reading.numbers import Number

_FILLER = re.compile(
    r"(?:[\s:=*(|,~≈→]|\b(?:is|was|are|were|of|at|the|an?|to|stands|reaches|reached|equals|equal|rate|score|value|overall|only|about|"
    r"roughly|approximately|around|comes|came|booked|mean|over|all|headline|run|this|model|only|just|sits|scores|scored|gets|got|"
    r"achieves|achieved|has|had|a)\b)*",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:without|excluding|except|after|before|baseline|target|if|would|could|should|when|among|within|goal|expected to|"
    r"previous|earlier|other run|published|between|than|against|another|each|per|where|whose|such|adding|raise|improve|gain)\b",
    re.I,
)
_AHEAD: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern, re.I), measure, firm)
    for pattern, measure, firm in (
        (r"\bpass@(?P<k>\d+)", "pass_at_", True),
        (r"\bpass\^(?P<k>\d+)", "pass_hat_", True),
        (r"\b(?:mean|average) reward\b", "mean_reward", True),
        (r"\b(?:overall |total |headline )(?:pass|success) rate\b", "rate", True),
        (r"\b(?:pass|success) rate\b|\baccuracy\b", "rate", False),
        (r"\bbooked score\b", "rate", False),
        (r"\bconsistency\b", "consistency", False),
        (r"\bcoverage\b", "coverage", False),
        (r"\b(?:oracle|best-of-k ceiling)\b", "oracle", False),
        (r"\b(?:total|number of|all) tasks\b|(?:^|\n)tasks(?=\s*[:=])", "tasks", True),
        (r"\b(?:total|number of) rollouts\b|(?:^|\n)rollouts(?=\s*[:=])", "rollouts", True),
        (r"\bexpected rollouts\b|\bplanned rollouts\b", "expected", True),
        (r"\bscored rollouts\b", "scored", False),
        (r"\b(?:repeats|rollouts|attempts|samples) per task\b", "repeats", True),
        (r"^\s*always[- ]pass(?:ing)?(?: tasks)?(?=\s*[:=(–-])", "bucket always", True),
        (r"^\s*sometimes[- ]pass(?:ing)?(?: tasks)?(?=\s*[:=(–-])", "bucket sometimes", True),
        (r"^\s*never[- ]pass(?:ing)?(?: tasks)?(?=\s*[:=(–-])", "bucket never", True),
    )
)
_BEHIND: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern, re.I), measure, firm)
    for pattern, measure, firm in (
        (r"\s+(?:tasks?\s+)?(?:(?:are|is|were)\s+)?(?P<bucket>always|sometimes|never)(?:[- ]pass(?:es|ed|ing)?)?(?![- ]?\w*\s+(?:called|calls|make|made|looked))\b", "bucket ", True),
        (r"\s+tasks?\s+(?:pass|passes|passed)\s+(?P<bucket>always|sometimes|never)\b", "bucket ", True),
        (r"\s+tasks?\s+(?:(?:in total|×|x)|with \d+ (?:to \d+ )?(?:scored )?repeats|and \d+ repeats)", "tasks", True),
        (r"\s+tasks?\b", "tasks", False),
        (r"\s+rollouts\s+in\s+total\b", "rollouts", True),
        (r"\s+(?:expected|planned)(?:\s+rollouts)?\b", "expected", True),
        (r"\s+(?:scored\s+rollouts|scored)\b", "scored", True),
        (r"\s+(?:failed|failing)\s+rollouts\b", "failed", False),
        (r"\s+(?:rollouts\s+)?failed\b(?!\s+(?:rollouts?|calls?|attempts?|repeats?))", "failed", True),
        (r"\s+(?:rollouts\s+)?passed\b", "passed", True),
        (r"\s+(?:passing\s+ones|passing\s+rollouts|passes)\b", "passed", False),
        (r"\s+(?:rollouts\s+)?missing\b", "missing", True),
        (r"\s+(?:rollouts\s+)?errored\b", "errored", True),
        (r"\s+rollouts?\b", "rollouts", False),
        (r"\s+(?:repeats|rollouts|attempts|samples)\s+(?:per|for each|of each)\s+task\b", "repeats", True),
    )
)
_TOTAL = re.compile(r"\b(?:all|total of|total:?|altogether)\s*$", re.I)


@dataclass(frozen=True)
class Statement:
    """A number that is said to be a measure of the run."""

    number: Number
    measure: str
    firm: bool


def statements(text: str, found: Sequence[Number], sentence: Span, apart: bool = False) -> Iterator[Statement]:
    """What a sentence says of the run, each number once. `apart`: the sentence is about a part of the run, so nothing is firm."""
    words = text[sentence.start : sentence.end]
    loose = apart or bool(_CONDITION.search(words))
    inside = [number for number in found if sentence.start <= number.span.start < sentence.end]
    taken: set[int] = set()
    for pattern, measure, firm in _AHEAD:
        for match in pattern.finditer(text, sentence.start, sentence.end):
            number = next((one for one in inside if one.span.start >= match.end()), None)
            if number is None or number.span.start in taken or not _FILLER.fullmatch(text, match.end(), number.span.start):
                continue
            taken.add(number.span.start)
            yield Statement(number, measure + (match.groupdict().get("k") or ""), firm and not loose and not number.hedge == "bound")
    for number in inside:
        if number.span.start in taken or not number.whole:
            continue
        for pattern, measure, firm in _BEHIND:
            if match := pattern.match(text, number.span.end):
                total = measure in ("tasks", "rollouts") and bool(_TOTAL.search(text[: number.span.start]))
                firm = (firm or total) and not loose and number.hedge != "bound"
                yield Statement(number, measure + (match.groupdict().get("bucket") or "").lower(), firm)
                break


def interval_after(text: str, number: Number, found: Sequence[Number]) -> tuple[Number, Number] | None:
    """The two bounds that stand right behind a value: `[46.4 %, 71.1 %]`, `(95 % CI 46.4 to 71.1)`."""
    behind = [one for one in found if one.span.start >= number.span.end]
    if behind and behind[0].value in (90, 95, 99) and behind[0].unit == "%" and re.match(r"\s*(?:CI|interval|confidence)", text[behind[0].span.end :]):
        behind = behind[1:]
    if len(behind) < 2:
        return None
    low, high = behind[:2]
    lead, joint = text[number.span.end : low.span.start], text[low.span.end : high.span.start]
    if re.fullmatch(r"\s*[\[(][^\d]*(?:9\d\s?%)?[^\d]*", lead) and re.fullmatch(r"\s*(?:,|to|–|-|—|;)\s*", joint):
        return low, high
    return None
