"""The day that a prompt says it is, and days as tools take them.

Tools take days in one form, which need not be ISO 8601: 06/11/2026 is a day of November or of June. Which one, the prompt or a schema says
(DD/MM/YYYY), or a day that reads one way only, elsewhere in the rollout. `plain_day` gives the same day as ISO has it, and whoever compares days asks
it first; where nothing tells the form, a value stays as it is.
"""

import re
from datetime import date, datetime
from typing import Any, Final

from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts.values import date_follows, dated_places, dates_in, numbers_in

_TODAY: Final = re.compile(
    r"\b(?:today(?:['’]s date)?|current (?:date|day|time)|it is(?: now)?|the date|now|as of|date)\b[^.\n]{0,24}$", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"[T ](\d{2}):(\d{2})")
_ISO: Final = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?!\d)")
_LOCAL: Final = re.compile(r"\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4})((?:[T ]\d{1,2}:\d{2}.*)?)", re.DOTALL)
_YEAR_FIRST: Final = re.compile(r"\s*(\d{4})([/.])(\d{1,2})\2(\d{1,2})((?:[T ]\d{1,2}:\d{2}.*)?)", re.DOTALL)
_LOCAL_IN_TEXT: Final = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2\d{4}(?![/.-]?\d)")
_FORM: Final = re.compile(
    r"(?<![\w%])(?:%?(?P<day>d{1,2})([/.-])%?m{1,2}|%?(?P<month>m{1,2})([/.-])%?d{1,2})[/.-]%?y{1,4}(?!\w)", re.IGNORECASE
)
MONTHS: Final = 12


@once_for_repeats
def today_of(prompt: str) -> date | None:
    """The day that a prompt says it is, where it says one with its year."""
    for at, (year, month, number) in dated_places(prompt):
        if year is not None and _TODAY.search(prompt, max(0, at - 60), at):
            return date(year, month, number)
    return None


def plain_day(rollout: Rollout, value: Any) -> Any:
    """A day or a moment in the form of this rollout's days as ISO 8601 has it (2026-11-06 for 06/11/2026); anything else as it is.

    The numbers change places and nothing else: a thirteenth month stays one.
    """
    if not isinstance(value, str) or not value[:1].strip().isdigit():
        return value
    if (found := _YEAR_FIRST.fullmatch(value)) is not None:
        return f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}{found[5]}"
    found = _LOCAL.fullmatch(value)
    first = None if found is None else day_first(rollout)
    if found is None or first is None:
        return value
    day, month = (found[1], found[3]) if first else (found[3], found[1])
    return f"{found[4]}-{int(month):02}-{int(day):02}{found[5]}"


@once_for_each
def day_first(rollout: Rollout) -> bool | None:
    """Whether days in figures begin with the day and not with the month; None where nothing tells, or both ways are told."""
    declared = (f"{tool.description}\n{tool.parameters}" for tool in rollout.tools.values())
    named = {found["day"] is not None for text in (rollout.prompt_text, *declared) for found in _FORM.finditer(text)}
    if named:
        return named.pop() if len(named) == 1 else None
    outputs = (made.output.text for made in rollout.calls if made.output is not None)
    seen = {way for text in (rollout.prompt_text, *outputs) for way in _ways(text)}
    return seen.pop() if len(seen) == 1 else None


def _ways(text: str) -> set[bool]:
    """Whether days in figures, of those that read one way only, begin with the day."""
    numbers = [(int(found[1]), int(found[3])) for found in _LOCAL_IN_TEXT.finditer(text)]
    return {one > MONTHS for one, other in numbers if min(one, other) <= MONTHS < max(one, other)}


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


days_named: Final = once_for_repeats(lambda text: tuple(dates_in(text)))
"""The dates that a request names, which is asked for every value of a call."""


def day_in_request(rollout: Rollout, value: Any) -> bool:
    """Whether a value is a day that the request names, in words or figures; of the same year, where it names that too."""
    day = iso_day(plain_day(rollout, value))
    return day is not None and any(
        (month, number) == (day.month, day.day) and year in (None, day.year)
        for year, month, number in days_named(rollout.request)
    )


def counted_to(rollout: Rollout, value: Any) -> bool:
    """Whether a value is a day that the request leads to: some days from one that it names, or as many from today as it says."""
    day, today = iso_day(plain_day(rollout, value)), today_of(rollout.prompt_text)
    if day is None:
        return False
    named = set(days_named(rollout.request))
    if date_follows(day, named, set(), relative=False):
        return True
    return today is not None and float((day - today).days) in set(numbers_in(rollout.request))


def moment_in_request(rollout: Rollout, value: Any) -> bool:
    """Whether a value is a day that the request names, and at a time that it names too where the value has one."""
    if not day_in_request(rollout, value):
        return False
    clock = _CLOCK.search(str(value))
    return clock is None or re.search(rf"(?<!\d)0?{clock[1].lstrip('0') or '0'}[:.]{clock[2]}(?!\d)", rollout.request) is not None
