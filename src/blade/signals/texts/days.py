"""The day that a prompt says it is, and days as tools take them."""

import re
from datetime import date, datetime
from typing import Any, Final

from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.texts.values import dated_places, dates_in

_TODAY: Final = re.compile(
    r"\b(?:today(?:['’]s date)?|current (?:date|day|time)|it is(?: now)?|the date|now|as of|date)\b[^.\n]{0,24}$", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"[T ](\d{2}):(\d{2})")
_ISO: Final = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?!\d)")


@once_for_repeats
def today_of(prompt: str) -> date | None:
    """The day that a prompt says it is, where it says one with its year."""
    for at, (year, month, number) in dated_places(prompt):
        if year is not None and _TODAY.search(prompt, max(0, at - 60), at):
            return date(year, month, number)
    return None


def iso_day(value: Any) -> date | None:
    """The day of a date or a moment as tools take it, or None."""
    found = _ISO.match(value) if isinstance(value, str) else None
    try:
        return None if found is None else date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None


def moment_of(value: Any) -> datetime | None:
    """A day or a moment as tools take it, without its zone, or None."""
    if not isinstance(value, str) or not _ISO.match(value):
        return None
    try:
        return datetime.fromisoformat(value.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def day_of(value: Any) -> tuple[int, int] | None:
    """The month and the day of a date, which is how requests name it."""
    day = iso_day(value)
    return None if day is None else (day.month, day.day)


def day_in_request(rollout: Rollout, value: Any) -> bool:
    """Whether a value is a day that the request names, in words or figures."""
    day = day_of(value)
    return day is not None and any((month, number) == day for _, month, number in dates_in(rollout.request))


def moment_in_request(rollout: Rollout, value: Any) -> bool:
    """Whether a value is a day that the request names, and at a time that it names too where the value has one."""
    if not day_in_request(rollout, value):
        return False
    clock = _CLOCK.search(str(value))
    return clock is None or re.search(rf"(?<!\d)0?{clock[1].lstrip('0') or '0'}[:.]{clock[2]}(?!\d)", rollout.request) is not None
