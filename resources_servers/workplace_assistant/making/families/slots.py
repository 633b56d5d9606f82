"""Free time in the calendar, by the house rules: on the full or half hour, from 9:00 to 17:30, meetings may touch but not overlap."""

from datetime import date, datetime, time, timedelta

from resources_servers.workplace_assistant.state import Row

OPENS, CLOSES = time(9), time(17, 30)


def is_free(events: list[Row], start: datetime, minutes: int) -> bool:
    end = start + timedelta(minutes=minutes)
    return all(end <= begins or start >= ends for begins, ends in map(_span, events))


def first_free(events: list[Row], day: date, minutes: int) -> datetime | None:
    start = datetime.combine(day, OPENS)
    while start + timedelta(minutes=minutes) <= datetime.combine(day, CLOSES):
        if is_free(events, start, minutes):
            return start
        start += timedelta(minutes=30)
    return None


def _span(event: Row) -> tuple[datetime, datetime]:
    start = datetime.fromisoformat(event["event_start"])
    return start, start + timedelta(minutes=int(event["duration"]))
