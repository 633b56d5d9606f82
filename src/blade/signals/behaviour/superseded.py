"""BI: a value that the other side took back: "on the 6th, sorry, I mean the 8th", and the 6th is what was entered.

Both values stand in what was asked for, the given one first and the expected one soon after it, with words between or right behind them that put
something right; or a message quotes an earlier one below, and the given value is that of the quotation, as it stands there or converted as the expected one
is. That is no rule that somebody does not know: it was read over.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from blade.signals.data.premises import is_figure
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.cues import cues, may_say
from blade.signals.texts.days import day_of, iso_day, moment_of, plain_day, today_of
from blade.signals.texts.origins import shown
from blade.signals.texts.quoted import own_and_quoted
from blade.signals.texts.values import dated_places
from blade.signals.wanted.comparison import WRONG, comparison_of

NEAR: Final = 160
"""Characters between a value and the one that takes its place; those of a later turn may stand further on."""
BEHIND: Final = 60
MOST_FIGURES: Final = 100
"""Figures of a message, and of what it quotes, that are held against each other."""
_PUT_RIGHT: Final = re.compile(
    r"\b(?:sorry|apologies|i mean(?:t)?|actually|correction|make (?:that|it)|scratch that|strike that|scrap that|cancel that|ignore that|no,|no wait|wait|rather|on second thoughts?|"
    r"change[ds]? (?:my mind|to|that|it)|my mistake|oops|should (?:be|read|have been)|disregard|forget (?:that|the|about)|instead|not \S+ but|update:|edit:|"
    r"i was wrong|better)\b|—\s*no\b|\bno\b[,:;]",
    re.IGNORECASE,
)
_CUES: Final = cues(
    "sorry apologies mean meant actually correction make scratch strike scrap cancel ignore no wait rather second change changed changes mistake oops should "
    "disregard forget instead not update edit wrong better"
)
_FIGURE: Final = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]*\d)")
_PARTS: Final = re.compile(r"(?<=\d)T(?=\d)|\s+")
_PARTS_OF_NAME: Final = re.compile(r"[\s_]+")


@signal(
    "superseded_value",
    label="BI",
    needs=("wrong_argument",),
    meaning="a value that was asked for at first and taken back afterwards was given",
    causal=False,
    example=Example(
        (call("book_table", "booked", day="2026-06-06", guests=4),),
        asked="A table for four on 6 June 2026, please. Sorry, I mean 8 June 2026.",
        fields={"expected_calls": [{"name": "book_table", "arguments": {"day": "2026-06-08", "guests": 4}}]},
    ),
)
def superseded_value(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        if match.outcome != WRONG or match.call is None:
            continue
        asked = _asked(rollout, match.call.position)
        puts_right, (own, quoted) = _puts_right(asked), own_and_quoted(rollout.request)
        for differs in match.differences if puts_right or quoted else ():
            given, wanted = plain_day(rollout, differs.actual), plain_day(rollout, differs.expected)
            words = _of_quotation(own, quoted, differs.actual, differs.expected) if quoted else ""
            if puts_right:
                words = (
                    words
                    or _taken_back(asked, given, wanted)
                    or _taken_back(asked, _days_ahead(rollout, given), _days_ahead(rollout, wanted))
                    or _counted_on(asked, given, wanted)
                )
            if words:
                subject = argument_subject(match.expected.name, differs.path)
                yield Evidence(
                    match.call.step, words, f"{shown(differs.actual)} was given, {shown(differs.expected)} is meant", subject
                )


def _of_quotation(own: str, quoted: str, given: Any, wanted: Any) -> str:
    """The words of a quotation that have the given value, where the message above it has the expected one in its place."""
    if _places(quoted, given) and _places(own, wanted) and not _places(own, given) and not _places(quoted, wanted):
        at = _places(quoted, given)[0]
        return " ".join(quoted[max(0, at - BEHIND) : at + BEHIND].split())
    if not all(is_figure(value) and value for value in (given, wanted)):
        return ""
    for one, before, behind, words in _figures(quoted):
        for other, before_it, behind_it, _ in _figures(own):
            alike = (before and before == before_it) or (behind and behind == behind_it)
            if alike and one != other and abs(given * other - wanted * one) < 1e-9 * abs(given * other):
                return words
    return ""


class _Figure(NamedTuple):
    value: float
    before: list[str]
    behind: list[str]
    words: str


@once_for_repeats
def _figures(text: str) -> tuple[_Figure, ...]:
    """The first figures of a text, each with the word before it, the two behind it, and what it stands in."""
    return tuple(
        _Figure(
            float(found[0].replace(",", "")),
            text[max(0, found.start() - BEHIND) : found.start()].split()[-1:],
            text[found.end() : found.end() + BEHIND].split()[:2],
            " ".join(text[max(0, found.start() - BEHIND) : found.end() + BEHIND].split()),
        )
        for found in islice(_FIGURE.finditer(text), MOST_FIGURES)
    )


@once_for_repeats
def _puts_right(asked: str) -> tuple[tuple[int, int], ...]:
    """Where words stand that put something right."""
    return tuple(cue.span() for cue in _PUT_RIGHT.finditer(asked)) if may_say(asked, _CUES) else ()


def _days_ahead(rollout: Rollout, value: Any) -> int | None:
    """How many days from the prompt's today a value lies, where it is a day."""
    day, today = iso_day(value), today_of(rollout.prompt_text)
    return None if day is None or today is None else (day - today).days


def _counted_on(asked: str, given: Any, wanted: Any) -> str:
    """The words in which one number takes the place of another, where two values differ by as much as these, or by the same factor.

    Moments differ by that many minutes, hours or days.
    """
    moments = moment_of(given), moment_of(wanted)
    if moments[0] is not None and moments[1] is not None:
        minutes = (moments[0] - moments[1]).total_seconds() / 60
        return next((words for unit in (1, 60, 1440) if (words := _counted_on(asked, minutes / unit, 0.0))), "")
    if not is_figure(given) or not is_figure(wanted):
        return ""
    for start, end in _puts_right(asked):
        before = [*_FIGURE.finditer(asked, max(0, start - BEHIND), start)][-1:]
        after = [*_FIGURE.finditer(asked, end, end + BEHIND)][:1]
        for former, latter in zip(before, after, strict=False):
            one, other = float(former[0].replace(",", "")), float(latter[0].replace(",", ""))
            apart = abs((given - wanted) - (one - other)) < 1e-9 * max(1.0, abs(given))
            if one != other and (
                apart or (abs(wanted) > 0 and abs(given * other - wanted * one) < 1e-9 * max(1.0, abs(given * other)))
            ):
                return " ".join(asked[max(0, former.start() - 20) : latter.end() + 20].split())
    return ""


def _asked(rollout: Rollout, position: int) -> str:
    """What was asked for until a call, the later turns behind the request."""
    turns = (
        item.text for at, item in enumerate(rollout.output) if at < position and item.kind == "message" and item.role == "user"
    )
    return "\n".join((rollout.request, *turns))


def _taken_back(asked: str, given: Any, wanted: Any) -> str:
    """The words in which one value takes the place of another, or nothing."""
    if isinstance(given, str) and isinstance(wanted, str):
        given, wanted = _differing(given, wanted)
    for start in _places(asked, given):
        for end in _places(asked, wanted):
            if 0 < end - start <= NEAR and _PUT_RIGHT.search(asked, start, end + BEHIND):
                return " ".join(asked[max(0, start - 20) : end + BEHIND].split())
    return ""


def _differing(one: str, other: str) -> tuple[str, str]:
    """The parts in which two values of one build differ: the times of two moments on one day; both whole where they are built differently."""
    first, second = _PARTS.split(one.strip()), _PARTS.split(other.strip())
    apart = [(left, right) for left, right in zip(first, second, strict=False) if left != right]
    return apart[0] if len(first) == len(second) and len(apart) == 1 else (one, other)


def _places(text: str, value: Any) -> list[int]:
    """Where a text names a value, as it is written or, for a day, in any form."""
    day = day_of(value)
    if day is not None:
        return [at for at, (_, month, number) in dated_places(text) if (month, number) == day]
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        return []
    if _PARTS_OF_NAME.split(str(value).strip())[0].lower() not in text.lower():
        return []  # without it, no expression has to be made for the value
    written = re.escape(" ".join(str(value).split())).replace(r"\ ", r"\s+").replace("_", "[_ ]")
    return [found.start() for found in re.finditer(rf"(?<![\w.]){written}(?!\w|\.\d)", text, re.IGNORECASE)]
