"""Tasks with the calendar: book, find room, cancel, move."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call, spoken
from resources_servers.workplace_assistant.making.people import Person
from resources_servers.workplace_assistant.moments import NOW, stored
from resources_servers.workplace_assistant.state import Row

from .phrases import between, colleague, one_of, working_day_ahead
from .slots import first_free, is_free

NAMES = (
    "Budget round",
    "Stock review",
    "Catalogue proofs",
    "Hiring plan",
    "Loan units",
    "Customer visit",
    "Spare parts",
    "Year-end plan",
)


def book(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        guest, name, minutes = colleague(office, rng), rng.choice(NAMES), rng.choice((30, 45, 60))
        start = datetime.combine(working_day_ahead(rng), time(rng.randrange(9, 16), rng.choice((0, 30))))
        if not is_free(office.events, start, minutes):
            yield None
            continue
        who = office.directory.called(guest, rng)
        asked = one_of(
            rng,
            f'Book {minutes} minutes with {who} on {spoken(start.date())} at {start:%H:%M} and call it "{name}".',
            f'Put a meeting "{name}" with {who} into my calendar: {spoken(start.date())}, {start:%H:%M}, {minutes} minutes.',
        )
        yield Task(asked, (_create(name, guest.email, start, minutes),), {"calendar": {"created": 1}})


def book_first_free(office: Office, rng: Random) -> Iterator[Task | None]:
    """The first free time is seldom the first of the day: a meeting is in the way."""
    while True:
        guest, name, minutes, day = colleague(office, rng), rng.choice(NAMES), rng.choice((30, 60, 90)), working_day_ahead(rng)
        start = first_free(office.events, day, minutes)
        if start is None or start.time() == time(9):
            yield None
            continue
        who = office.directory.called(guest, rng)
        asked = one_of(
            rng,
            f'Book "{name}" with {who} on {spoken(day)}, {minutes} minutes, as early as my calendar allows.',
            f'Find the first free {minutes} minutes on {spoken(day)} and book "{name}" with {who} there.',
        )
        yield Task(asked, (_create(name, guest.email, start, minutes),), {"calendar": {"created": 1}})


def cancel_period(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        guest = colleague(office, rng)
        ahead = coming_with(office, guest)
        if len(ahead) < 3:
            yield None
            continue
        first, last = sorted(rng.sample(range(len(ahead)), 2))
        days = [datetime.fromisoformat(ahead[place]["event_start"]).date() for place in (first, last)]
        period = between(days[0], days[1], rng)
        inside = [row for row in ahead if row["event_start"] in period]
        if not 2 <= len(inside) <= 4 or len(inside) == len(ahead) or period.first == period.last:
            yield None
            continue
        who = office.directory.called(guest, rng)
        asked = one_of(
            rng,
            f"Cancel all my meetings with {who} {period.words}.",
            f"{who} is away {period.words}. Please take our meetings in that time out of my calendar.",
        )
        calls = tuple(call("calendar_delete_event", event_id=row["event_id"]) for row in inside)
        yield Task(asked, calls, {"calendar": {"deleted": len(inside)}})


def move_next(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        guest = colleague(office, rng)
        ahead = coming_with(office, guest)
        if not ahead:
            yield None
            continue
        event, who = ahead[0], office.directory.called(guest, rng)
        minutes = int(event["duration"])
        others = [row for row in office.events if row is not event]
        if rng.random() < 0.5:
            start = datetime.combine(working_day_ahead(rng), time(rng.randrange(9, 16)))
            asked = f"Move my next meeting with {who} to {spoken(start.date())} at {start:%H:%M}."
        else:
            later = rng.choice((30, 60, 90))
            start = datetime.fromisoformat(event["event_start"]) + timedelta(minutes=later)
            asked = f"Let my next meeting with {who} start {later} minutes later than planned; it keeps its length."
        closes = datetime.combine(start.date(), time(17, 30))
        if (
            not is_free(others, start, minutes)
            or start + timedelta(minutes=minutes) > closes
            or stored(start) == event["event_start"]
        ):
            yield None
            continue
        move = call("calendar_update_event", event_id=event["event_id"], field="event_start", new_value=stored(start))
        yield Task(asked, (move,), {"calendar": {"changed": 1}})


def coming_with(office: Office, guest: Person) -> list[Row]:
    """Meetings with somebody that have not begun, earliest first."""
    return [row for row in office.events if row["participant_email"] == guest.email and row["event_start"] > stored(NOW)]


def _create(name: str, guest: str, start: datetime, minutes: int) -> Call:
    return call("calendar_create_event", event_name=name, participant_email=guest, event_start=stored(start), duration=minutes)


FAMILIES = (
    Family("calendar_book", "calendar", 6, book),
    Family("calendar_book_first_free", "calendar", 7, book_first_free),
    Family("calendar_cancel_period", "calendar", 7, cancel_period),
    Family("calendar_move_next", "calendar", 6, move_next),
)
