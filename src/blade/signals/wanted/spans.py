"""A span that is told by its length in one call and by its other end in another: `arrival` with `nights`, or with `departure`.

A tool that takes either lets both say the same. So where one end is given alike, the length that stands in one call in the place of the other end in the other is
no difference, if the calendar or the clock agrees. Names tell which of two is the end: a span that runs backwards is another one.
"""

import re
from datetime import date, datetime, timedelta
from typing import Any, Final

from blade.signals.calls.mutation import words_of
from blade.signals.texts.days import iso_day, moment_of

_UNITS: Final = {
    "night": timedelta(days=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "hour": timedelta(hours=1),
    "hr": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "min": timedelta(minutes=1),
}
_LIMITS: Final = frozenset(["max", "minimum", "maximum", "per"])
"""Words that make a name that counts something a limit or a rate."""
_STARTS: Final = frozenset(["arrival", "arrive", "arrives", "start", "starts", "begin", "begins", "from", "checkin", "since"])
_ENDS: Final = frozenset(["departure", "depart", "departs", "end", "ends", "until", "till", "checkout", "to", "finish"])
_CHECKED: Final = re.compile(r"check[_ -]?(in|out)(?![a-z])", re.IGNORECASE)
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_DATE_ONLY: Final = re.compile(r"\s*\d{4}-\d{2}-\d{2}\s*")


def told_by_other_end(expected: dict[str, Any], given: dict[str, Any], takes: Any) -> frozenset[str]:
    """The two arguments of which one stands in the place of the other, as the tool (whose properties are `takes`) lets them; empty where there are none."""
    left, added = expected.keys() - given.keys(), given.keys() - expected.keys()
    if len(left) != 1 or len(added) != 1 or not isinstance(takes, dict) or not (left | added) <= takes.keys():
        return frozenset()
    (one,), (other,) = left, added
    shared = [(key, value) for key, value in expected.items() if key in given and given[key] == value]
    for length, end, sides in ((other, one, (given, expected)), (one, other, (expected, given))):
        span = _length(length, sides[0][length])
        if span is not None and any(_apart(*held, end, sides[1][end]) == span for held in shared):
            return frozenset([one, other])
    return frozenset()


def _length(name: str, value: Any) -> timedelta | None:
    """So many of what a name counts: `nights`, `duration_minutes`."""
    words = words_of(name)
    units = [_UNITS[word.removesuffix("s")] for word in words if word.removesuffix("s") in _UNITS]
    if len(units) != 1 or "min" in words[:-1] or _LIMITS & set(words):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 10_000:
        return None
    return value * units[0]


def _apart(name: str, one: Any, other_name: str, other: Any) -> timedelta | None:
    """How far the later of two days, moments or times of a day lies behind the earlier, as their names tell which is which."""
    first, second = _point(one), _point(other)
    ends = _is_end(name), _is_end(other_name)
    if first is None or second is None or first[1] != second[1] or None in ends or ends[0] == ends[1]:
        return None
    return first[0] - second[0] if ends[0] else second[0] - first[0]


def _is_end(name: str) -> bool | None:
    """Whether a name tells the end of a span, or its beginning; None where it tells neither, or both."""
    words = set(words_of(_CHECKED.sub(r"check\1", name)))
    starts, ends = bool(words & _STARTS), bool(words & _ENDS)
    return None if starts == ends else ends


def _point(value: Any) -> tuple[datetime, str] | None:
    if not isinstance(value, str):
        return None
    if (clock := _CLOCK.fullmatch(value.strip())) is not None:
        return datetime(2000, 1, 1, int(clock[1]), int(clock[2])), "time"
    if _DATE_ONLY.fullmatch(value) and (day := iso_day(value)) is not None:
        return datetime.combine(date(day.year, day.month, day.day), datetime.min.time()), "day"
    moment = moment_of(value)
    return None if moment is None else (moment, "moment")
