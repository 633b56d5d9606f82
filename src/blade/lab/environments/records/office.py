"""The office of the records environment: colleagues with odd addresses, customers, meetings, and the tools over them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.environment import function, people
from blade.lab.stage.play import Backend

TODAY = date(2026, 3, 5)
PRODUCTS = ("Analytics", "Hosting", "Backup", "Payroll", "Helpdesk", "Training")
STATUSES = ("Lead", "Qualified", "Proposal", "Won", "Lost")
_COMPANIES = (
    "Brightwater", "Calder", "Dunmore", "Eastgate", "Fernhill", "Glasswing", "Harrow", "Inkwell", "Juniper", "Kestrel",
    "Larkfield", "Moorland", "Norden", "Oakhurst", "Pinecrest", "Quarry", "Redfern", "Silverbrook", "Thornbury", "Umber",
)  # fmt: skip
_SUFFIXES = ("Ltd", "GmbH", "Foods", "Logistics", "Clinic", "Studios", "Bakery", "Motors", "Press", "Energy")
_MEETINGS = ("Budget review", "Onboarding call", "Roadmap sync", "Vendor check-in", "Hiring panel", "Retro", "Press briefing")
DOMAIN = "harborlight.example"

TOOLS = (
    function("directory_find_address", "Find the email address of a colleague by name.", name="string"),
    function(
        "crm_search_customers",
        "Search customers. All filters are optional; dates are inclusive (YYYY-MM-DD). Returns at most 50 records.",
        required=(),
        owner_email="string",
        status={"type": "string", "enum": list(STATUSES)},
        product_interest="string",
        follow_up_from="string",
        follow_up_to="string",
        customer_name="string",
    ),
    function(
        "crm_update_customer", "Set one field of a customer record.", customer_id="string", field="string", new_value="string"
    ),
    function("calendar_search_events", "Search events by words in the title.", query="string"),
    function("calendar_update_event", "Change one field of an event.", event_id="string", field="string", new_value="string"),
    function("mail_send", "Send an email.", recipient="string", subject="string", body="string"),
    function("mail_search", "Search the mailbox.", query="string"),
)


@dataclass(frozen=True)
class Person:
    name: str
    first: str
    email: str
    guess: str
    """The address one would guess from the name; it is not theirs."""


@dataclass(frozen=True)
class Customer:
    id: str
    name: str
    owner: str
    status: str
    product: str
    follow_up: date


@dataclass(frozen=True)
class Meeting:
    id: str
    title: str
    start: str


@dataclass(frozen=True)
class Office:
    people: tuple[Person, ...]
    customers: tuple[Customer, ...]
    meetings: tuple[Meeting, ...]

    def found(self, **filters: str) -> list[Customer]:
        return [customer for customer in self.customers if _fits(customer, filters)]


def _fits(customer: Customer, filters: dict[str, str]) -> bool:
    return (
        filters.get("owner_email", customer.owner).lower() == customer.owner
        and filters.get("status", customer.status) == customer.status
        and filters.get("product_interest", customer.product).lower() == customer.product.lower()
        and filters.get("customer_name", "").lower() in customer.name.lower()
        and filters.get("follow_up_from", "") <= customer.follow_up.isoformat() <= filters.get("follow_up_to", "9999")
    )


def build_office(rng: Random) -> Office:
    staff = []
    for first, last in people(rng, 16, first_names=9):
        plain = f"{first}.{last}".lower().replace(" ", "")
        odd = rng.choice(
            (
                f"{first[0]}.{last}{rng.randint(2, 9)}",
                f"{last}{first[0]}",
                f"{first}{last[0]}{rng.randint(10, 99)}",
                f"{first[0]}{last}",
            )
        )
        staff.append(Person(f"{first} {last}", first, f"{odd.lower().replace(' ', '')}@{DOMAIN}", f"{plain}@{DOMAIN}"))
    names = [f"{company} {suffix}" for company in _COMPANIES for suffix in _SUFFIXES]
    customers = tuple(
        Customer(
            f"{number:08d}",
            name,
            rng.choice(staff).email,
            rng.choice(STATUSES[:3]),
            rng.choice(PRODUCTS),
            TODAY + timedelta(days=rng.randint(-10, 40)),
        )
        for name, number in zip(rng.sample(names, 140), rng.sample(range(100_000, 999_999), 140), strict=True)
    )
    meetings = tuple(
        Meeting(
            f"{number:08d}",
            f"{title} {rng.choice(_COMPANIES)}",
            f"{(TODAY + timedelta(days=rng.randint(1, 20))).isoformat()} {rng.randint(9, 16):02d}:{rng.choice((0, 30)):02d}:00",
        )
        for title, number in zip(_MEETINGS * 3, rng.sample(range(100_000, 999_999), 21), strict=True)
    )
    return Office(tuple(staff), customers, meetings)


def office_backend(office: Office) -> Backend:
    ids = {customer.id for customer in office.customers}
    events = {meeting.id for meeting in office.meetings}

    def answer(made: Call) -> str:
        given = made.arguments
        match made.name:
            case "directory_find_address":
                found = [person for person in office.people if str(given["name"]).lower() in person.name.lower()]
                hits = [{"name": person.name, "email": person.email} for person in found]
                return json.dumps({"results": hits} if hits else {"results": [], "message": "no colleague of that name"})
            case "crm_search_customers":
                listed = [
                    {
                        "customer_id": customer.id,
                        "customer_name": customer.name,
                        "owner_email": customer.owner,
                        "status": customer.status,
                        "product_interest": customer.product,
                        "follow_up_by": customer.follow_up.isoformat(),
                    }
                    for customer in office.found(**given)
                ]
                return json.dumps({"customers": listed[:50], "count": len(listed)})
            case "crm_update_customer":
                if given["customer_id"] not in ids:
                    return json.dumps({"error": f"customer {given['customer_id']} does not exist"})
                return json.dumps({"message": "customer updated", "customer_id": given["customer_id"]})
            case "calendar_search_events":
                hits = [
                    {"event_id": meeting.id, "title": meeting.title, "start": meeting.start}
                    for meeting in office.meetings
                    if str(given["query"]).lower() in meeting.title.lower()
                ]
                return json.dumps({"events": hits})
            case "calendar_update_event":
                if given["event_id"] not in events:
                    return json.dumps({"error": f"event {given['event_id']} does not exist"})
                return json.dumps({"message": "event updated"})
            case "mail_send":
                return json.dumps({"message": "email queued for delivery"})
            case _:
                return json.dumps({"emails": []})

    return answer
