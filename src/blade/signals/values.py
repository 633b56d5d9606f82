"""The numbers and dates that a text holds, and what follows from them: the arithmetic that a reader would grant.

Generous on purpose: a value counts as derived when some short calculation from what was seen gives it, whether or not the model
made that calculation. So what is not derivable is rarely derived, and the reverse says nothing.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import combinations
from typing import Final

Day = tuple[int | None, int, int]
"""Year (None where it was not given), month and day."""
SMALL: Final = 12
"""Counts up to here need no source: somebody can always have counted that many things."""
FACTORS: Final = (7, 24, 30, 52, 60, 100, 144, 365, 1000, 3600)
"""Days in a week, hours in a day, minutes, percent, a gross, and so on."""
MAX_NUMBERS: Final = 80
"""Beyond this many distinct numbers, sums of three reach nearly everything and are taken for granted up to their total."""
MAX_FOR_PAIRS: Final = 50
"""Up to this many, sums and differences of four are tried too."""
NEAR_DAYS: Final = 14
RELATIVE_DAYS: Final = 400

_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d])")
_EMBEDDED: Final = re.compile(r"\d+(?:\.\d+)?")
_WORDS: Final = {
    word: value
    for value, words in enumerate(
        ("zero no", "one a an single once", "two both twice pair couple", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve dozen")
    )
    for word in words.split()
} | {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "gross": 144, "score": 20, "fortnight": 14, "half": 0.5,
    "quarter": 0.25,
}  # fmt: skip
_WORD: Final = re.compile(r"\b(?:" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b", re.IGNORECASE)

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DATE: Final = re.compile(
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?<!\d)(?P<a2>\d{1,2})[/.-](?P<b2>\d{1,2})(?:[/.-](?P<y2>\d{4}|\d{2}))?(?!\d)"
    rf"|\b{_MONTH.format('m3')}\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y3>\d{{4}}))?"
    rf"|(?<!\d)(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH.format('m4')}(?:,?\s+(?P<y4>\d{{4}}))?",
    re.IGNORECASE,
)
RELATIVE: Final = re.compile(
    r"\b(?:today|tomorrow|yesterday|tonight|now|current (?:date|time)|next|this|last|coming|following|previous|past|later|earlier|before|after|days?|weeks?|months?|years?|"
    r"mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|weekend|midnight|noon)\b",
    re.IGNORECASE,
)


def numbers_in(text: str) -> Iterator[float]:
    """The numbers written in a text, in digits or in words; those inside ids count too, for an id is a source of its digits."""
    for found in _NUMBER.finditer(text):
        yield float(found[1].replace(",", ""))
    for found in _EMBEDDED.finditer(text):
        if len(found[0]) <= 15:
            yield float(found[0])
    for found in _WORD.finditer(text):
        yield float(_WORDS[found[0].lower()])


def dates_in(text: str) -> Iterator[Day]:
    """The dates in a text as (year or None, month, day); 3/4 is given both ways round."""
    for found in _DATE.finditer(text):
        if found["y1"]:
            yield from _valid(int(found["y1"]), int(found["m1"]), int(found["d1"]))
        elif found["a2"]:
            year = None if found["y2"] is None else int(found["y2"]) + (2000 if len(found["y2"]) == 2 else 0)
            yield from _valid(year, int(found["a2"]), int(found["b2"]))
            yield from _valid(year, int(found["b2"]), int(found["a2"]))
        else:
            month, day, year_text = (
                (found["m3"], found["d3"], found["y3"]) if found["m3"] else (found["m4"], found["d4"], found["y4"])
            )
            yield from _valid(int(year_text) if year_text else None, _MONTHS.index(month[:3].lower()) + 1, int(day))


def _valid(year: int | None, month: int, day: int) -> Iterator[Day]:
    try:
        date(year or 2024, month, day)
    except ValueError:
        return
    yield year, month, day


def date_follows(wanted: date, seen: set[Day], numbers: set[float], relative: bool) -> bool:
    """Whether a date was seen, or lies a plausible step from one that was: a few days, a number of days seen, or a relative word."""
    if (wanted.year, wanted.month, wanted.day) in seen or (None, wanted.month, wanted.day) in seen:
        return True
    for year, month, day in seen:
        for guess in (wanted.year - 1, wanted.year, wanted.year + 1) if year is None else (year,):
            try:
                apart = abs(wanted - date(guess, month, day))
            except ValueError:
                continue
            if apart <= timedelta(NEAR_DAYS) or float(apart.days) in numbers or (relative and apart <= timedelta(RELATIVE_DAYS)):
                return True
    return False


def number_follows(wanted: float, seen: set[float]) -> str | None:
    """How a number follows from those seen (`50 × 4`), or None where no short calculation gives it."""
    if abs(wanted) <= SMALL and float(wanted).is_integer():
        return "a small count"
    target = abs(wanted)
    if _has(seen, target):
        return "seen"
    values = sorted(value for value in seen if 0 < value < 1e9)
    counts = [float(count) for count in range(1, SMALL + 1)]
    factors = [*counts, *map(float, FACTORS)]
    for value in (*values, *counts):
        for factor in factors:
            if _close(value * factor, target) or _close(value, target * factor):
                return f"{value:g} × {factor:g}" if _close(value * factor, target) else f"{value:g} / {factor:g}"
    for value in values:
        for other, sign in ((target - value, "+"), (value - target, "-"), (target / value, "×"), (value / target, "/")):
            if _has(seen, other):
                return f"{value:g} {sign} {other:g}"
        for percent in values:
            if percent <= 100 and any(_close(value * share / 100, target) for share in (percent, 100 - percent, 100 + percent)):
                return f"{percent:g} % of {value:g}"
    return _longer(target, values, seen)


def _longer(target: float, values: list[float], seen: set[float]) -> str | None:
    """Sums of several numbers, and multiples of them: fares for a party, with and without fees."""
    if len(values) > MAX_NUMBERS:
        return "a sum of several numbers" if target <= sum(values) * SMALL else None
    for count in range(1, SMALL + 1):
        for value in values:
            rest = target - count * value
            for other in range(1, SMALL + 1):
                if _has(seen, rest / other) or _has(seen, -rest / other):
                    return f"{count} × {value:g} {'+' if rest > 0 else '-'} {other} × {abs(rest) / other:g}"
        part = target / count
        for first, second in combinations(values, 2):
            for combined in (first + second, first - second, second - first):
                if _has(seen, part - combined) or _has(seen, combined - part) or _close(part, combined):
                    return f"{count} × a sum with {first:g} and {second:g}"
    if len(values) <= MAX_FOR_PAIRS:
        pairs = {round(first + second, 2) for first, second in combinations(values, 2)}
        for count in range(1, SMALL + 1):
            part = round(target / count, 2)
            if any(round(pair - part, 2) in pairs or round(part - pair, 2) in pairs for pair in pairs):
                return f"{count} × a sum or difference of four numbers"
    running = 0.0
    for value in values:
        running += value
        if _close(running, target):
            return "a running sum"
    return None


def _close(first: float, second: float) -> bool:
    return abs(first - second) <= 0.005 + 1e-9 * abs(second)


def _has(seen: set[float], value: float) -> bool:
    return value > 0 and (value in seen or round(value, 2) in seen)
