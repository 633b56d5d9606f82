"""The calendar: search, read, create, change and cancel events. It takes any time; the house rules are the assistant's to keep."""

from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.moments import first_moment, last_moment
from resources_servers.workplace_assistant.state import CALENDAR, Row, Workplace

from .values import Page, PageSize, address, answer, known, mentions, minutes, moment, page_of, text

EventId = Annotated[str, "Id of the event, such as ev-0001"]
CHECKS = {"event_name": text, "participant_email": address, "event_start": moment, "duration": minutes}


class CalendarTools:
    @tool
    def calendar_get_event_information_by_id(
        self, state: Workplace, event_id: EventId, field: Annotated[str, "One field only; all of them when left out"] = ""
    ) -> Row:
        """Read one event: event_name, participant_email, event_start, duration in minutes."""
        return answer(state.get(CALENDAR, event_id), field)

    @tool
    def calendar_search_events(
        self,
        state: Workplace,
        query: Annotated[str, "Words that all occur in the event's name or the participant's address"] = "",
        time_min: Annotated[str, "Starts at this day or moment or later"] = "",
        time_max: Annotated[str, "Starts at this day (all of it) or moment or earlier"] = "",
        page: Page = 1,
        page_size: PageSize = 5,
    ) -> dict[str, Any]:
        """Search the calendar, earliest event first."""
        earliest, latest = first_moment(time_min, "time_min"), last_moment(time_max, "time_max")
        found = [
            row
            for row in state.rows(CALENDAR)
            if earliest <= row["event_start"] <= latest and mentions(row, ("event_name", "participant_email"), query)
        ]
        found.sort(key=lambda row: (row["event_start"], row["event_id"]))
        return page_of("events", found, page, page_size)

    @tool
    def calendar_create_event(
        self,
        state: Workplace,
        event_name: Annotated[str, "Name of the event"],
        participant_email: Annotated[str, "Email address of the other participant"],
        event_start: Annotated[str, "Start, as 2025-10-14 10:30:00"],
        duration: Annotated[int, "Length in minutes"],
    ) -> dict[str, str]:
        """Put a new event into the calendar."""
        values = {
            "event_name": text(event_name, "event_name"),
            "participant_email": address(participant_email, "participant_email"),
            "event_start": moment(event_start, "event_start"),
            "duration": minutes(duration, "duration"),
        }
        return {"created": state.create(CALENDAR, values)}

    @tool
    def calendar_delete_event(self, state: Workplace, event_id: EventId) -> dict[str, str]:
        """Cancel an event: it disappears from the calendar."""
        state.delete(CALENDAR, event_id)
        return {"deleted": event_id.strip()}

    @tool
    def calendar_update_event(
        self,
        state: Workplace,
        event_id: EventId,
        field: Annotated[str, "event_name, participant_email, event_start or duration"],
        new_value: Annotated[str | int, "The new value"],
    ) -> dict[str, str]:
        """Change one field of an event."""
        column = known(field, CHECKS)
        state.update(CALENDAR, event_id.strip(), column, CHECKS[column](str(new_value), "new_value"))
        return {"updated": event_id.strip()}
