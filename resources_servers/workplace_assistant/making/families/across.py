"""Tasks that go through several databases: what one says decides what happens in another."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call, spoken
from resources_servers.workplace_assistant.moments import TODAY, days_before, stored
from resources_servers.workplace_assistant.state import Row
from resources_servers.workplace_assistant.tools.projects import BOARDS

from .analytics import MEASURES, before, week
from .calendar import coming_with
from .customers import of as customers_of
from .phrases import between, colleague, inbox_from, working_day_ahead
from .projects import new_task, update
from .slots import first_free

AREA = "multi_area"


def hand_over_if_fell(office: Office, rng: Random) -> Iterator[Task | None]:
    """The lead of a team is named by title, so the directory must say who that is."""
    while True:
        later, wanted, words = week(rng.choice((-1, -2, -3, -4))), *rng.choice(MEASURES)
        now, then = (office.visits_between(one.first, one.last, **wanted) for one in (later, before(later)))
        team = rng.choice(("Engineering", "Design"))
        lead, taker = office.directory.lead(team), rng.choice(office.directory.team("Engineering"))
        late = office.overdue(lead)
        if now == then or taker == lead or not 1 <= len(late) <= 4:
            yield None
            continue
        asked = (
            f"If there were fewer {words} {later.when} than in the week before it, assign all overdue tasks of the {team} lead to "
            f"{office.directory.called(taker, rng)}. If not, change nothing."
        )
        if now < then:
            yield Task(
                asked,
                tuple(update(row, "assigned_to_email", taker.email) for row in late),
                _changed("project_management", len(late)),
            )
        elif rng.random() < 0.4:
            yield Task(asked)
        else:
            yield None


def meet_or_write(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        later, wanted, words = week(rng.choice((-1, -2, -3, -4))), *rng.choice(MEASURES)
        now, then = (office.visits_between(one.first, one.last, **wanted) for one in (later, before(later)))
        person, day = colleague(office, rng), working_day_ahead(rng)
        start = first_free(office.events, day, 30)
        if now == then or start is None:
            yield None
            continue
        asked = (
            f'Compare the number of {words} {later.when} with the week before it. If it fell, book 30 minutes "Site figures" with '
            f"{office.directory.called(person, rng)} at the first free time on {spoken(day)}; if it rose, send them a mail with the subject "
            f'"Site figures" and the text "The figures went up, no meeting needed."'
        )
        if now < then:
            yield Task(asked, (_meeting("Site figures", person.email, start),), {"calendar": {"created": 1}})
        else:
            mail = call(
                "email_send_email", recipient=person.email, subject="Site figures", body="The figures went up, no meeting needed."
            )
            yield Task(asked, (mail,), {"email": {"created": 1}})


def tasks_for_follow_ups(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        owner, board = rng.choice(office.directory.team("Sales")), rng.choice(BOARDS)
        first = TODAY + timedelta(days=rng.randrange(0, 12))
        period = between(first, first + timedelta(days=rng.randrange(2, 7)), rng)
        due = [row for row in customers_of(office, owner) if row["follow_up_by"] in period and row["status"] == "Proposal"]
        if not 1 <= len(due) <= 3 or not any(period.touched_by(row["follow_up_by"]) for row in due):
            yield None
            continue
        asked = (
            f"For each customer of {office.directory.called(owner, rng)} with the status Proposal whose follow-up is due {period.words}, create a "
            f'task "Call" followed by the customer\'s name (like "Call Jane Doe") on the {board} board, in the list Backlog, assigned to the '
            f"same colleague and due on the day of the follow-up."
        )
        calls = tuple(
            new_task(f"Call {row['customer_name']}", owner, "Backlog", date.fromisoformat(row["follow_up_by"]), board)
            for row in due
        )
        yield Task(asked, calls, {"project_management": {"created": len(due)}})


def cancel_and_tell(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        guest = colleague(office, rng)
        ahead = coming_with(office, guest)
        if not ahead or (day := rng.choice(ahead)["event_start"][:10]) == str(TODAY):
            yield None
            continue
        that_day = [row for row in ahead if row["event_start"][:10] == day]
        asked = (
            f"I am ill on {spoken(date.fromisoformat(day))}. Cancel what I have with {office.directory.called(guest, rng)} that day and send "
            f'them one mail with the subject "Cancelled" and the text "Sorry, I have to cancel. I will suggest a new date."'
        )
        calls = [call("calendar_delete_event", event_id=row["event_id"]) for row in that_day]
        text = "Sorry, I have to cancel. I will suggest a new date."
        calls.append(call("email_send_email", recipient=guest.email, subject="Cancelled", body=text))
        yield Task(asked, tuple(calls), {"calendar": {"deleted": len(that_day)}, "email": {"created": 1}})


def remind_owners(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        status, days = rng.choice(("Negotiation", "Proposal", "Qualified", "Lead")), rng.randrange(20, 50)
        bound = str(days_before(days))
        quiet = [row for row in office.customers if row["status"] == status and row["last_contact_date"] <= bound]
        if not 1 <= len(quiet) <= 4 or not any(row["last_contact_date"] == bound for row in quiet):
            yield None
            continue
        asked = (
            f"For every customer with the status {status} whose last contact was {days} days ago or longer, send the colleague they are "
            f'assigned to a mail with the subject "Please call" followed by the customer\'s name (like "Please call Jane Doe") and the text '
            f'"It has been quiet for too long."'
        )
        calls = tuple(
            call(
                "email_send_email",
                recipient=row["assigned_to_email"],
                subject=f"Please call {row['customer_name']}",
                body="It has been quiet for too long.",
            )
            for row in quiet
        )
        yield Task(asked, calls, {"email": {"created": len(quiet)}})


def meet_owner(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        customer, day = rng.choice(office.customers), working_day_ahead(rng)
        start = first_free(office.events, day, 30)
        if start is None or start.hour == 9:
            yield None
            continue
        name = f"About {customer['customer_name']}"
        asked = (
            f"I want to talk to whoever looks after our customer {customer['customer_name']}. Book 30 minutes with them at the first free time on "
            f'{spoken(day)} and call it "{name}".'
        )
        yield Task(asked, (_meeting(name, customer["assigned_to_email"], start),), {"calendar": {"created": 1}})


def task_from_mail(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        sender, taker = colleague(office, rng), rng.choice(office.directory.team("Engineering"))
        mails: list[Row] = inbox_from(office, sender)
        if not mails or sender == taker:
            yield None
            continue
        board, due = rng.choice(BOARDS), TODAY + timedelta(days=rng.randrange(2, 12))
        asked = (
            f"Turn the latest mail that {office.directory.called(sender, rng)} sent me into a task on the {board} board: its name is the subject of the "
            f"mail, it goes into the Backlog of {office.directory.called(taker, rng)} and is due on {spoken(due)}. Then delete the mail."
        )
        calls = (
            new_task(mails[-1]["subject"], taker, "Backlog", due, board),
            call("email_delete_email", email_id=mails[-1]["email_id"]),
        )
        yield Task(asked, calls, {"project_management": {"created": 1}, "email": {"deleted": 1}})


def _meeting(name: str, guest: str, start: datetime) -> Call:
    return call("calendar_create_event", event_name=name, participant_email=guest, event_start=stored(start), duration=30)


def _changed(database: str, records: int) -> dict[str, dict[str, int]]:
    return {database: {"changed": records}}


FAMILIES = (
    Family("across_hand_over_if_fell", AREA, 7, hand_over_if_fell),
    Family("across_meet_or_write", AREA, 6, meet_or_write),
    Family("across_tasks_for_follow_ups", AREA, 6, tasks_for_follow_ups),
    Family("across_cancel_and_tell", AREA, 6, cancel_and_tell),
    Family("across_remind_owners", AREA, 5, remind_owners),
    Family("across_meet_owner", AREA, 5, meet_owner),
    Family("across_task_from_mail", AREA, 5, task_from_mail),
)
