"""Measures of the whole run, in sentences: `pass@1 is 42.0 %`, `14 tasks always pass`, `64 failed`, `160 expected rollouts`.

A phrase is *firm* where it can mean nothing but the run's own figure, and *loose* where it may speak of a part of it (`over 4 tasks`):
a firm figure that differs is wrong, a loose one only was not recognised. A condition in the sentence (`without`, `would`, `target`)
makes all of it loose.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from blade.claims.reading.document import Span, leading_up
from blade.claims.reading.numbers import Number, place_of, within

_FILLER = re.compile(
    r"(?:[\s:=*(|,~≈→]|\b(?:is|was|are|were|of|at|the|an?|to|stands|reaches|reached|equals|equal|rate|score|value|overall|only|about|"
    r"roughly|approximately|around|comes|came|booked|mean|over|all|headline|run|this|model|only|just|sits|scores|scored|gets|got|"
    r"achieves|achieved|has|had|a)\b)*",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:without|excluding|except|after|before|baseline|target|if|would|could|should|when|among|within|goal|expected to|"
    r"previous|earlier|again|confirm|rerun|re-run|other run|published|between|than|against|another|(?:in|for|of) each|per (?!task)|where|whose|such|adding|raise|improve|gain|takes?|"
    r"needs?|requires?|slice|category|split|subset|group)\b",
    re.I,
)
_ASIDE = re.compile(
    r"\b(?:without|excluding|except|baseline|target|if|would|could|should|goal|previous|earlier|published|than|after|before|slice|"
    r"category|split|subset|group|when|among|within|where)\b",
    re.I,
)
_OF_PART = re.compile(
    r"\s*(?:on|for|in|among|within|over)\s+(?:the\s+)?+(?!\d|all\b|this\b|whole\b|full\b|run\b|average\b)[a-z`]", re.I
)
_AHEAD: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern.replace(" ", r"\s+"), re.I), measure, firm)
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
    (re.compile(pattern.replace(" ", r"\s+").replace(r"[-\s+]", r"[-\s]"), re.I), measure, firm)
    for pattern, measure, firm in (
        (
            r"\s+(?:tasks?\s+)?(?:(?:are|is|were)\s+)?(?P<bucket>always|sometimes|never)"
            r"(?:[- ]pass(?:es|ed|ing)?\b|(?=\s*(?:[,.;:)(]|and\b|$)))",
            "bucket ",
            True,
        ),
        (r"\s+tasks?\s+(?:pass|passes|passed)\s+(?P<bucket>always|sometimes|never)\b", "bucket ", True),
        (r"\s+tasks?\s+(?:(?:in total|×|x)|with \d+ (?:to \d+ )?(?:scored )?repeats|and \d+ repeats)", "tasks", True),
        (r"\s+tasks?\b", "tasks", False),
        (r"\s+rollouts\s+in\s+total\b", "rollouts", True),
        (
            r"\s+(?:expected|planned)\b(?!\s+(?:repeats?|calls?|changes?|actions?|answers?|lookups?))(?:\s+rollouts)?",
            "expected",
            True,
        ),
        (r"\s+scored\b(?!\s+repeats?)(?:\s+rollouts)?", "scored", True),
        (r"\s+(?:failed|failing)\s+rollouts\b", "failed", False),
        (r"\s+(?:rollouts\s+)?failed\b(?!\s+(?:rollouts?|calls?|attempts?|repeats?))", "failed", True),
        (r"\s+(?:rollouts\s+)?passed\b", "passed", True),
        (r"\s+(?:passing\s+ones|passing\s+rollouts|passes)\b", "passed", False),
        (r"\s+(?:rollouts\s+)?missing\b", "missing", True),
        (r"\s+(?:rollouts\s+)?errored\b", "errored", True),
        (r"\s+rollouts?\b", "rollouts", False),
        (r"\s+(?P<usage>input|output|reasoning|cached|total) tokens in total\b", "usage total ", True),
        (r"\s+(?P<usage>input|output|reasoning|cached|total) tokens (?:per|for each) rollout\b", "usage mean ", True),
        (r"\s+(?:repeats|rollouts|attempts|samples)\s+(?:per|for each|of each)\s+task\b", "repeats", True),
    )
)
_LISTED = re.compile(r"\s*(?:,\s*(?:and\s+)?\w*\d|and\s+\w*\d|to\s+\d|–)")
COUNTS = ("tasks", "rollouts", "expected", "scored", "repeats", "bucket always", "bucket sometimes", "bucket never")
_TOTAL = re.compile(r"\b(?:total of|total:?|altogether)\s*$", re.I)
_ALONE = re.compile(r"\s+\w+\s*(?:[.,;:×)(]|and\b|were\b|evaluated|in the (?:run|benchmark|dataset)|with \d|$)")
_BRACKET = re.compile(r"\s*[\[(][^\d]*(?:9\d\s?%)?[^\d]*")
_WITH_INTERVAL = re.compile(
    r"\s*(?:,\s*(?:(?:with|and)\s+)?|(?:with|and)\s+)(?:an?\s+|the\s+|its\s+)?(?:9\d\s?(?:%|percent)\s+)?(?:confidence\s+)?(?:CI|interval)"
    r"(?:\s+(?:is|was|of|from|between|being|running|ranging|that\s+runs|reaching))*\s*:?\s*[\[(]?",
    re.I,
)
_TO = re.compile(r"\s*(?:,|to|–|-|—|;)\s*")
_TO_OR_AND = re.compile(r"\s*(?:,|to|and|–|-|—)\s*")
_CONFIDENCE = re.compile(r"\s*(?:CI|interval|confidence)")
_OF = re.compile(r"\s*(?:/|of|out of)\s*(?:(?:the|all|its|their)\s+)?", re.I)
_OUTCOME = re.compile(
    r"\s+(?:(?:scored|expected|planned|collected|graded)\s+)?(?:rollouts?|attempts?|rows?|samples?|episodes?|trials?)\s+(?:have\s+|has\s+)?"
    r"(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?)\b(?=\s*(?:[.,;:)(]|and\b|but\b|while\b|$))",
    re.I,
)
PARTS = {
    **dict.fromkeys(("passed", "failed", "errored", "missing"), "rollouts"),
    **dict.fromkeys(("bucket always", "bucket sometimes", "bucket never"), "tasks"),
}
"""Counts that are part of a whole, and the measure of the whole."""
_TOGETHER = (("bucket always", "bucket sometimes", "bucket never"), ("passed", "failed", "errored", "missing"))
"""Counts that mean the whole run only where a sentence gives several of them: one alone may be of any part."""


@dataclass(frozen=True)
class Statement:
    """A number that is said to be a measure of the run."""

    number: Number
    measure: str
    firm: bool
    out_of: Number | None = None
    """The whole that it is said to be a part of: `84 of 200 rollouts passed`."""


def statements(text: str, found: Sequence[Number], sentence: Span, apart: bool = False) -> list[Statement]:
    """What a sentence says of the run, each number once. `apart`: the sentence is about a part of the run, so nothing is firm."""
    said = list(_statements(text, found, sentence, apart))
    for together in _TOGETHER:
        if len({one.measure for one in said if one.measure in together}) == 1:
            said = [replace(one, firm=False) if one.measure in together and one.out_of is None else one for one in said]
    return said


def _statements(text: str, found: Sequence[Number], sentence: Span, apart: bool) -> Iterator[Statement]:
    inside = within(found, sentence)
    ahead = {one.number.span.start: one for one in _ahead(text, inside, sentence, apart)}
    yield from ahead.values()
    loose = apart or bool(_CONDITION.search(text, sentence.start, sentence.end))
    for part, number in zip((None, *inside), inside, strict=False):
        if number.span.start in ahead or not number.whole:
            continue
        if said := _of_its_part(text, part, number, _behind(text, number, apart, loose), loose):
            yield said


def _of_its_part(text: str, part: Number | None, number: Number, said: Statement | None, loose: bool) -> Statement | None:
    """`84 of 200 rollouts passed` says with its first number, the `part`, how many passed; with its second only where it has no first."""
    if part is None or not part.whole or not _OF.fullmatch(text, part.span.end, number.span.start):
        return said
    if outcome := _OUTCOME.match(text, number.span.end):
        measure = "failed" if outcome["verb"].lower().startswith("fail") else "passed"
        return Statement(part, measure, not loose and part.hedge != "bound", number)
    if said is None or said.measure not in PARTS:
        return said
    return replace(said, number=part, out_of=number, firm=said.firm and said.measure.startswith("bucket "))


def _ahead(text: str, inside: Sequence[Number], sentence: Span, apart: bool) -> Iterator[Statement]:
    """Numbers with the name of their measure in front; the first pattern that takes a number has it."""
    taken: set[int] = set()
    first_aside = _ASIDE.search(text, sentence.start, sentence.end)
    for pattern, measure, firm in _AHEAD:
        for match in pattern.finditer(text, sentence.start, sentence.end):
            number = _first_from(inside, match.end())
            if number is None or (measure in COUNTS and (number.unit or "," in text[match.end() : number.span.start])):
                continue
            if match[0].strip().lower() in ("tasks", "rollouts") and _LISTED.match(text, number.span.end):
                continue  # `Tasks: 5, 7 and 9` are ids
            if number.span.start in taken or not _FILLER.fullmatch(text, match.end(), number.span.start):
                continue
            taken.add(number.span.start)
            after_aside = first_aside is not None and first_aside.end() <= number.span.start
            aside = apart or after_aside or _OF_PART.match(text, number.span.end)
            yield Statement(number, measure + (match.groupdict().get("k") or ""), firm and not aside and number.hedge != "bound")


def _first_from(inside: Sequence[Number], offset: int) -> Number | None:
    at = place_of(inside, offset)
    return inside[at] if at < len(inside) else None


def _behind(text: str, number: Number, apart: bool, loose: bool) -> Statement | None:
    """A count with what it counts behind it."""
    for pattern, measure, firm in _BEHIND:
        match = pattern.match(text, number.span.end)
        if match is None:
            continue
        whole = leading_up(_TOTAL, text, number.span.start) and _ALONE.match(text, number.span.end)
        sure = firm or (measure in ("tasks", "rollouts") and whole is not None)
        open_to_doubt = apart if measure.startswith("usage") else loose
        named = match.groupdict()
        which = (named.get("bucket") or named.get("usage") or "").lower()
        return Statement(number, measure + which, sure and not open_to_doubt and number.hedge != "bound")
    return None


def interval_after(text: str, number: Number, found: Sequence[Number]) -> tuple[Number, Number] | None:
    """The two bounds that stand right behind a value: `[46.4 %, 71.1 %]`, `(95 % CI 46.4 to 71.1)`."""
    at = place_of(found, number.span.end)
    behind = found[at : at + 3]
    if behind and behind[0].value in (90, 95, 99) and behind[0].unit == "%" and _CONFIDENCE.match(text, behind[0].span.end):
        behind = behind[1:]
    if len(behind) < 2:
        return None
    low, high = behind[:2]
    lead, joint = text[number.span.end : low.span.start], text[low.span.end : high.span.start]
    bracketed = _BRACKET.fullmatch(lead) and _TO.fullmatch(joint)
    spoken = _WITH_INTERVAL.fullmatch(lead) and _TO_OR_AND.fullmatch(joint)
    return (low, high) if bracketed or spoken else None
