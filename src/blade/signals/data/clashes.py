"""DA: a request that contradicts itself, and gold that goes by one half of it.

A weekday beside a date that is another weekday can be seen in the request alone. That two numbers stand for one thing cannot, so there the reader has
to say it: a last message that names both and says that they do not agree. Either counts only where the work differs from the gold in just that.
"""

import re
from collections.abc import Iterator
from datetime import date
from itertools import permutations
from typing import Any, Final

from blade.answers.languages import WEEKDAYS
from blade.signals.example import Example, call, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import iso_day, plain_day, today_of
from blade.signals.texts.origins import shown
from blade.signals.texts.speech import caseless
from blade.signals.texts.values import dated_places
from blade.signals.wanted.comparison import WRONG, comparison_of

READ: Final = 20_000
NEAR: Final = 14
"""Characters between a weekday and its date."""
WITHIN: Final = 6
"""Days that the date of the same week lies away at most."""
_SHORT: Final = tuple(day[:3] for day in WEEKDAYS)
_NAMED: Final = re.compile(
    rf"\b({'|'.join(WEEKDAYS)}|(?:{'|'.join(_SHORT)}|tues|wednes|thur|thurs)(?=\b\.?,? \d))", re.IGNORECASE
)
_DISAGREE: Final = re.compile(
    r"\b(?:in one place|contradict\w*|inconsistent|conflict(?:s|ing)?|do(?:es)? not (?:agree|match|fit)|don['’]t (?:agree|match|fit)|disagree|mismatch|two different|"
    r"once as|at odds)\b",
    re.IGNORECASE,
)
_DISAGREE_MARKS: Final = ("not ", "n't", "n’t", "contradict", "consistent", "conflict", "disagree", "mismatch", "one place", "two different", "once as", "at odds")  # fmt: skip
"""One of these stands in every such remark, and looking for them is quick."""
MOST_NUMBERS: Final = 8
MAX_SENTENCE: Final = 400
LARGEST: Final = 1e15
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER: Final = re.compile(r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?![\w:/-]|[.,]\d)")


@signal(
    "request_contradicts_itself",
    label="DA",
    needs=("wrong_argument", "one_turn"),
    meaning="the request names two values for one thing (a weekday and a date that is another one, two numbers), and the gold goes by the one that was not taken",
    causal=False,
    example=Example(
        (call("book_visit", "ok", day="2026-06-23"), says("Booked for 23 June.")),
        system="Today is Monday, 8 June 2026.",
        asked="Please book the visit for Monday, 23 June.",
        fields={"expected_calls": [{"name": "book_visit", "arguments": {"day": "2026-06-22"}}]},
    ),
)
def request_contradicts_itself(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared and not rollout.has_dialogue else ():
        if match.outcome != WRONG or match.call is None:
            continue
        for differs in match.differences:
            told = _weekday(rollout, differs.expected, differs.actual) or _numbers(rollout, differs.expected, differs.actual)
            if told is not None:
                quote, why = told
                yield Evidence(match.call.step, quote, why, argument_subject(match.call.name, differs.path))
                return


LONGEST: Final = 1_200
"""Characters of a last message that can be a remark on the request."""
_ASKS: Final = r"(?:request|instructions?|message|prompt|question|task|slip|ticket|note|order|email|wording|requirements?|formats?|forms?|units?|asks?|asked|wants?|wanted|requires?)"
_PART: Final = r"(?:line|sentence|part|instruction|paragraph|half|request|requirement|clause)"
_AT_ODDS: Final = r"(?:contradicts?|conflicts?|disagrees?|differs?|clash(?:es)?|do(?:es)?(?: not|n['’]t) (?:agree|match|fit))"
_EXCLUSIVE: Final = re.compile(
    rf"\b{_ASKS}\b[^.!?\n]{{0,80}}\b(?:contradicts?|excludes?|rules? out|conflicts? with|at odds with) (?:each other|one another|itself|themselves)\b"
    rf"|\b(?:contradictory|conflicting|incompatible|mutually exclusive|irreconcilable) (?:\w+ )?(?:instructions?|formats?|forms?|requirements?|requests?|units?|demands|directions?)\b"
    rf"|\b(?:instructions?|request|prompt|requirements|slip|ticket|task) (?:is|are|seems?|appears?)(?: to be)? (?:self-contradictory|contradictory|at odds|in conflict|incompatible)\b"
    rf"|\b(?:last|first|second|final|other|closing) {_PART}\b[^.!?\n]{{0,40}}\b(?:wants?|asks?|says?|demands?|requires?)\b[^.!?\n]{{0,40}}\b(?:otherwise|differently|something else|the opposite|another (?:form|format|unit|way|order))\b"
    rf"|\b(?:text|request|question|message|body|instructions?|beginning|(?:first|main) {_PART}) and (?:the |its )?(?:(?:last|final|second|closing|other) {_PART}|end|ending)\b[^.!?\n]{{0,30}}\b{_AT_ODDS}\b"
    rf"|\b(?:asks?|wants?|requests?|calls?|requires?) (?:for )?[^.!?\n]{{0,40}}\btwo (?:different |other |separate )?(?:forms|formats|units|ways|orders|languages)\b"
    r"|\b(?:no (?:answer|reply|form) (?:can|could|does|is)|cannot|can['’]t|could not|impossible to|not possible to) (?:do|follow|meet|satisfy|fulfil|obey|be|give) (?:both|in both)\b",
    re.IGNORECASE,
)
_OF_THE_REQUEST: Final = re.compile(
    rf"\b(?:you|your|request|prompt|question|task|slip|ticket|message|instructions?|(?:last|first|second|final|closing) {_PART}|asked|wanted|wants?|asks?)\b",
    re.IGNORECASE,
)
"""Words that say that a remark is about the request, and not about what was worked on."""
_EXCLUSIVE_MARKS: Final = (
    "each other", "one another", "itself", "themselves", "contradict", "conflict", "incompatible", "mutually exclusive", "irreconcilable", "at odds",
    "otherwise", "differ", "something else", "the opposite", "another form", "another unit", "another way", "another order", "disagree", "clash",
    "t agree", "t match", "t fit", "two form", "two unit", "two way", "two order", "two language", "two different ", "two other ", "two separate ",
    "do both", "follow both", "meet both", "satisfy both", "fulfil both", "obey both", "be both", "give both", "in both",
)  # fmt: skip
"""One of these stands in every such remark, and looking for them is quick."""


@signal(
    "instructions_questioned",
    label="BI",
    needs=("one_turn",),
    meaning="the last message says that the request wants two things that exclude each other; no fault of its own",
    causal=False,
    example=Example(
        (says("The last line wants it otherwise than the text above, so I follow the last line. [[171]]"),),
        asked="What did they draw? In megajoules.\nAnswer format: kilowatt-hours.",
    ),
)
def instructions_questioned(rollout: Rollout) -> Iterator[Evidence]:
    closing = rollout.closing
    if closing is None or rollout.has_dialogue or len(closing.text) > LONGEST or "```" in closing.text:
        return
    folded = caseless(closing.text)
    found = _EXCLUSIVE.search(closing.text) if any(mark in folded for mark in _EXCLUSIVE_MARKS) else None
    if found is not None and _OF_THE_REQUEST.search(_sentence(closing.text, found.start())):
        yield Evidence(closing.step, _sentence(closing.text, found.start()), subject="prompt")


def _weekday(rollout: Rollout, expected: Any, actual: Any) -> tuple[str, str] | None:
    """A weekday beside a date of another one, where what was given and what is expected are that date and a day of its week."""
    given, wanted = iso_day(plain_day(rollout, actual)), iso_day(plain_day(rollout, expected))
    if given is None or wanted is None or given == wanted or abs((given - wanted).days) > WITHIN:
        return None
    today = today_of(rollout.prompt_text)
    for said, (year, month, day), weekday in _pairs(rollout.request):
        years = [year] if year is not None else [today.year] if today is not None else [given.year]
        for one in years:
            named = _date(one, month, day)
            if named is None or named.weekday() == weekday:
                continue
            if named in (given, wanted) and weekday in (given.weekday(), wanted.weekday()):
                return said, f"{named} is a {WEEKDAYS[named.weekday()].title()}; {given} was given, {wanted} is expected"
    return None


@once_for_repeats
def _pairs(request: str) -> tuple[tuple[str, tuple[int | None, int, int], int], ...]:
    """The weekdays of a request that stand beside a date, with its words; requests come again with every repeat."""
    text = request[:READ]
    weekdays = list(_NAMED.finditer(text))
    return tuple(
        (" ".join(text[min(at, named.start()) : at + 24].split()), day, _SHORT.index(named[1].lower()[:3]))
        for at, day in (dated_places(text) if weekdays else ())
        for named in weekdays
        if 0 < at - named.end() <= NEAR
    )


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _numbers(rollout: Rollout, expected: Any, actual: Any) -> tuple[str, str] | None:
    """Two numbers of the request of which a sentence of the last message says that they do not agree, and by which the two values differ."""
    closing = rollout.closing
    if closing is None or not all(isinstance(value, int | float) and abs(value) < LARGEST for value in (expected, actual)):
        return None
    folded = caseless(closing.text)
    complaint = _DISAGREE.search(closing.text) if any(mark in folded for mark in _DISAGREE_MARKS) else None
    if complaint is None:
        return None
    sentence = _sentence(closing.text, complaint.start())
    asked = {_value(found) for found in _NUMBER.findall(rollout.request[:READ])}
    said = sorted({_value(found) for found in _NUMBER.findall(sentence)} & asked)[:MOST_NUMBERS]
    for one, other in permutations(said, 2):
        if abs((actual - expected) - (one - other)) < 1e-9 * max(1.0, abs(actual)):
            told = f"{shown(actual)} was given, {shown(expected)} is expected: they differ as {one:g} and {other:g} of the request do"
            return " ".join(sentence.split()), told
    return None


def _sentence(text: str, at: int) -> str:
    """The sentence around a place, by its full stops."""
    start = max(text.rfind(mark, 0, at) for mark in (". ", "! ", "? ", "\n")) + 1
    ends = [end for mark in (". ", "! ", "? ", "\n") if (end := text.find(mark, at)) >= 0]
    return text[start : min(ends, default=len(text))][:MAX_SENTENCE].strip()


def _value(text: str) -> float:
    return float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text.replace(",", "."))
