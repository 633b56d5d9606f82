"""The clock of the workplace, which stands still, and dates as people and tools write them.

A stored moment is `YYYY-MM-DD HH:MM:SS`, a stored day `YYYY-MM-DD`; both sort as text. Filters include both of their ends, and a filter that
names only a day means the whole day.
"""

from datetime import date, datetime, timedelta

NOW = datetime(2025, 10, 14, 10, 30)
TODAY = NOW.date()
MOMENT = "%Y-%m-%d %H:%M:%S"


def parse_moment(text: str, name: str) -> datetime:
    """A moment from ISO text; a day alone is its midnight."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{name} must look like 2025-10-14 or 2025-10-14 10:30:00, not {text[:60]!r}") from None
    if found.tzinfo is not None:
        raise ValueError(f"{name} must not name a time zone: all times are office times")
    return found.replace(microsecond=0)


def parse_day(text: str, name: str) -> date:
    return parse_moment(text, name).date()


def names_only_a_day(text: str) -> bool:
    return len(text.strip()) <= len("2025-10-14")


def stored(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")


def first_moment(text: str, name: str) -> str:
    """The lower end of a filter as stored text, or the earliest text of all when there is none."""
    return stored(parse_moment(text, name)) if text else ""


def last_moment(text: str, name: str) -> str:
    """The upper end of a filter as stored text; a day alone ends with its last second."""
    if not text:
        return "~"
    moment = parse_moment(text, name)
    if names_only_a_day(text):
        moment = moment.replace(hour=23, minute=59, second=59)
    return stored(moment)


def first_day(text: str, name: str) -> str:
    return parse_day(text, name).isoformat() if text else ""


def last_day(text: str, name: str) -> str:
    return parse_day(text, name).isoformat() if text else "~"


def within(value: str, first: str, last: str) -> bool:
    """Whether a stored day or moment lies between two ends; what has no date lies in no period that has an end."""
    return first <= value <= last and (bool(value) or (first, last) == ("", "~"))


def days_before(days: int) -> date:
    return TODAY - timedelta(days=days)


def monday(weeks: int = 0) -> date:
    """The Monday of this week, or of the week so many weeks later (earlier when negative)."""
    return TODAY - timedelta(days=TODAY.weekday()) + timedelta(weeks=weeks)
