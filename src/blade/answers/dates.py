"""Dates, times of day and ratios: `2024-01-05`, `January 5th, 2024`, `5 Jan 2024`, `05/01/2024`, `10:30 PM`, `22:30`, `3:4`.

`05/01/2024` is a different day on each side of the Atlantic: both readings are kept, neither is sure, unless one is impossible.
`10:30` is a time of day, but it can also be meant in the evening or be a ratio; those readings are unsure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

_MONTH_NAMES: Final = (
    "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, "
    "september sep sept, october oct, november nov, december dec"
)
_MONTHS: Final = {name: number for number, names in enumerate(_MONTH_NAMES.split(","), 1) for name in names.split()}
_WEEKDAY: Final = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+", re.IGNORECASE)
_ISO: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")
_LOCAL: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_MONTH_FIRST: Final = re.compile(r"([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.IGNORECASE)
_DAY_FIRST: Final = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]([a-z]+)\.?,?[ -](\d{4})", re.IGNORECASE)
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?|(\d{1,2}) ?([ap])\.?m\.?", re.IGNORECASE)
_RATIO: Final = re.compile(r"(\d{1,6}) ?: ?(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Dated:
    """A reading of a date (day number), a time of day (seconds) or a ratio (its value)."""

    kind: str
    value: Fraction
    form: str
    sure: bool = True


def dates(text: str) -> Iterator[Dated]:
    """Every reading of a text as a calendar day."""
    text = _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text
    if found := _ISO.fullmatch(text):
        yield from _day(
            found[1], found[3], found[4], sure=True, form="" if len(text) == 10 and found[2] == "-" else "date format"
        )
    elif found := _LOCAL.fullmatch(text):
        clear = found[2] == "." or found[1] == found[3] or int(found[1]) > 12 or int(found[3]) > 12
        yield from _day(found[4], found[3], found[1], sure=clear)
        if found[2] != "." and found[1] != found[3]:
            yield from _day(found[4], found[1], found[3], sure=clear)
    elif (found := _MONTH_FIRST.fullmatch(text)) and found[1].casefold() in _MONTHS:
        yield from _day(found[3], str(_MONTHS[found[1].casefold()]), found[2], sure=True)
    elif (found := _DAY_FIRST.fullmatch(text)) and found[2].casefold() in _MONTHS:
        yield from _day(found[3], str(_MONTHS[found[2].casefold()]), found[1], sure=True)


def _day(year: str, month: str, day: str, *, sure: bool, form: str = "date format") -> Iterator[Dated]:
    try:
        yield Dated("date", Fraction(date(int(year), int(month), int(day)).toordinal()), form, sure)
    except ValueError:
        return


def times(text: str) -> Iterator[Dated]:
    """Every reading of a text as a time of day; without am or pm, an hour up to twelve may be meant in either half."""
    found = _TIME.fullmatch(text)
    if not found:
        return
    hour, minute, second = int(found[1] or found[5]), int(found[2] or 0), int(found[3] or 0)
    half = (found[4] or found[6] or "").casefold()
    if minute > 59 or second > 59 or hour > (12 if half else 23) or (half and hour == 0):
        return
    rest = Fraction(60 * minute + second)
    if half:
        yield Dated("time", 3600 * (hour % 12 + (12 if half == "p" else 0)) + rest, "12-hour clock")
        return
    yield Dated("time", 3600 * hour + rest, "")
    if 1 <= hour <= 12 and not found[1].startswith("0"):
        yield Dated("time", 3600 * ((hour + 12) % 24) + rest, "12-hour clock", sure=False)


def ratios(text: str) -> Iterator[Dated]:
    """A text as a ratio; unsure where it could be a time of day."""
    found = _RATIO.fullmatch(text)
    if found and int(found[2]) > 0:
        yield Dated("ratio", Fraction(int(found[1]), int(found[2])), "ratio", sure=not _TIME.fullmatch(text))
