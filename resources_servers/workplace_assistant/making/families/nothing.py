"""Tasks where the right state is the one we started with: the name fits several people, or nothing fits the request."""

from collections.abc import Iterator
from random import Random

from resources_servers.workplace_assistant.making.office import Family, Office, Proposals, Task
from resources_servers.workplace_assistant.moments import days_before
from resources_servers.workplace_assistant.tools.customers import PRODUCTS, STATUSES
from resources_servers.workplace_assistant.tools.projects import BOARDS

from .calendar import coming_with
from .customers import of as customers_of
from .phrases import colleague, inbox_from, two_of
from .projects import NEW


def unclear_owner(office: Office, rng: Random) -> Iterator[Task | None]:
    """By the rules the assistant asks who is meant and changes nothing."""
    while True:
        giver, _ = two_of(office, rng, "Sales")
        name = rng.choice(office.directory.shared_first_names())
        status = rng.choice(STATUSES[:4])
        if giver.first == name or not any(row["status"] == status for row in customers_of(office, giver)):
            yield None
            continue
        yield Task(f"Reassign the customers of {office.directory.called(giver, rng)} with the status {status} to {name}.")


def unclear_assignee(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        name, board, what = rng.choice(office.directory.shared_first_names()), rng.choice(BOARDS), rng.choice(NEW)
        yield Task(f'Create the task "{what}" on the {board} board for {name}, due on Friday, 24 October, in the list Backlog.')


def no_meeting(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        guest = colleague(office, rng)
        yield (
            None
            if coming_with(office, guest)
            else Task(f"Cancel all meetings that I still have with {office.directory.called(guest, rng)}.")
        )


def no_mail(office: Office, rng: Random) -> Iterator[Task | None]:
    """There are mails, but the newest is from the day before the period begins."""
    while True:
        sender = colleague(office, rng)
        days = rng.randrange(3, 20)
        mails = inbox_from(office, sender)
        if not mails or mails[-1]["sent_at"][:10] != str(days_before(days + 1)):
            yield None
            continue
        yield Task(f"Delete everything that {office.directory.called(sender, rng)} sent me in the last {days} days.")


def no_quiet_customer(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        status, product, days = rng.choice(STATUSES[:4]), rng.choice(PRODUCTS), rng.randrange(15, 48)
        those = [
            row["last_contact_date"] for row in office.customers if row["status"] == status and row["product_interest"] == product
        ]
        if not those or min(those) != str(days_before(days - 1)):
            yield None
            continue
        yield Task(
            f"Set all {product} customers with the status {status} to Lost if the last contact was {days} days ago or longer."
        )


def _family(name: str, area: str, count: int, propose: Proposals) -> Family:
    return Family(f"nothing_{name}", area, count, propose)


FAMILIES = (
    _family("unclear_owner", "customer_relationship_manager", 4, unclear_owner),
    _family("unclear_assignee", "project_management", 3, unclear_assignee),
    _family("no_meeting", "calendar", 3, no_meeting),
    _family("no_mail", "email", 3, no_mail),
    _family("no_quiet_customer", "customer_relationship_manager", 3, no_quiet_customer),
)
