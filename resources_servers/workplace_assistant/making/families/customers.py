"""Tasks with the customer database: reassign, close what went quiet, add, plan follow-ups, remove."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call, spoken
from resources_servers.workplace_assistant.making.people import Person
from resources_servers.workplace_assistant.making.records import BUYERS_FIRST, BUYERS_LAST, FIRMS
from resources_servers.workplace_assistant.moments import TODAY, days_before
from resources_servers.workplace_assistant.state import Row
from resources_servers.workplace_assistant.tools.customers import PRODUCTS, STATUSES

from .phrases import between, one_of, two_of

AREA = "customer_relationship_manager"


def reassign(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        giver, taker = two_of(office, rng, "Sales")
        status, product = rng.choice(STATUSES[:4]), rng.choice((*PRODUCTS, "", "", "", ""))
        theirs = [row for row in of(office, giver) if _fits(row, status, product)]
        if not 1 <= len(theirs) <= 4 or (len(theirs) == 1 and rng.random() < 0.7):
            yield None
            continue
        yield _reassigned(office, rng, (giver, taker), (status, product), theirs)


def reassign_namesake(office: Office, rng: Random) -> Iterator[Task | None]:
    """Somebody with the same first name has customers that fit too: who never looks the name up moves them as well."""
    while True:
        giver, taker = two_of(office, rng, "Sales")
        status, product = rng.choice(STATUSES[:4]), rng.choice((*PRODUCTS, "", "", "", ""))
        fitting = [row for row in office.customers if _fits(row, status, product)]
        theirs = [row for row in fitting if row["assigned_to_email"] == giver.email]
        alike = [row for row in fitting if giver.first.lower() in row["assigned_to_email"]]
        if not 2 <= len(theirs) <= 4 or not set(_ids(theirs)) < set(_ids(alike)) or taker.first == giver.first:
            yield None
            continue
        yield _reassigned(office, rng, (giver, taker), (status, product), theirs)


def _reassigned(office: Office, rng: Random, pair: tuple[Person, Person], which: tuple[str, str], theirs: list[Row]) -> Task:
    (giver, taker), (status, product) = pair, which
    old, new = office.directory.called(giver, rng), office.directory.called(taker, rng)
    who = f"customers of {old} with the status {status}" + (f" who are interested in {product}" if product else "")
    asked = one_of(
        rng,
        f"{new} takes over from {old}: please reassign all {who}.",
        f"{old} hands over to {new}. Assign all {who} to {new}, and nothing else.",
    )
    return Task(asked, tuple(update(row, "assigned_to_email", taker.email) for row in theirs), {AREA: {"changed": len(theirs)}})


def _fits(row: Row, status: str, product: str) -> bool:
    return row["status"] == status and product in ("", row["product_interest"])


def _ids(rows: list[Row]) -> list[str]:
    return [row["customer_id"] for row in rows]


def close_quiet(office: Office, rng: Random) -> Iterator[Task | None]:
    """At least one customer was last contacted on the very day that decides, and one the day after it or so."""
    while True:
        status, product, days = rng.choice(STATUSES[:4]), rng.choice(PRODUCTS), rng.randrange(14, 45)
        bound = days_before(days)
        those = [row for row in office.customers if row["status"] == status and row["product_interest"] == product]
        quiet = [row for row in those if row["last_contact_date"] <= str(bound)]
        if (
            not 1 <= len(quiet) <= 4
            or not any(row["last_contact_date"] == str(bound) for row in quiet)
            or len(quiet) == len(those)
        ):
            yield None
            continue
        asked = one_of(
            rng,
            f"Set all {product} customers with the status {status} to Lost if the last contact was {days} days ago or longer.",
            f"Customers interested in {product} with the status {status} whose last contact was on {spoken(bound)} or earlier are lost. "
            f"Please update their status.",
        )
        yield Task(asked, tuple(update(row, "status", "Lost") for row in quiet), {AREA: {"changed": len(quiet)}})


def add(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        name, owner = f"{rng.choice(BUYERS_FIRST)} {rng.choice(BUYERS_LAST)}", rng.choice(office.directory.team("Sales"))
        product, firm, due = rng.choice(PRODUCTS), rng.choice(FIRMS), TODAY + timedelta(days=rng.randrange(3, 20))
        if any(row["customer_name"] == name for row in office.customers):
            yield None
            continue
        email = f"{name.lower().replace(' ', '.')}@{firm}.example"
        asked = (
            f"Add {name} ({email}) as a new customer with the status Lead, interested in {product}, assigned to "
            f"{office.directory.called(owner, rng)}, to be followed up by {spoken(due)}."
        )
        new = call(
            "customer_relationship_manager_add_customer",
            customer_name=name,
            assigned_to_email=owner.email,
            status="Lead",
            customer_email=email,
            product_interest=product,
            follow_up_by=str(due),
        )
        yield Task(asked, (new,), {AREA: {"created": 1}})


def plan_follow_up(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        owner = rng.choice(office.directory.team("Sales"))
        first = TODAY + timedelta(days=rng.randrange(-8, 12))
        period = between(first, first + timedelta(days=rng.randrange(3, 8)), rng)
        due = [row for row in of(office, owner) if row["follow_up_by"] in period and row["status"] not in ("Won", "Lost")]
        new = period.last + timedelta(days=rng.randrange(3, 12))
        if not 2 <= len(due) <= 4 or not any(period.touched_by(row["follow_up_by"]) for row in due) or new <= TODAY:
            yield None
            continue
        asked = (
            f"{office.directory.called(owner, rng)} is travelling. All follow-ups with their customers that are due {period.words} "
            f"shall take place on {spoken(new)} instead, except for customers with the status Won or Lost."
        )
        yield Task(asked, tuple(update(row, "follow_up_by", str(new)) for row in due), {AREA: {"changed": len(due)}})


def remove(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        row = rng.choice(office.customers)
        asked = one_of(
            rng,
            f"Delete the customer {row['customer_name']}.",
            f"{row['customer_name']} asked us to remove their record. Please do.",
        )
        gone = call("customer_relationship_manager_delete_customer", customer_id=row["customer_id"])
        yield Task(asked, (gone,), {AREA: {"deleted": 1}})


def of(office: Office, owner: Person) -> list[Row]:
    return [row for row in office.customers if row["assigned_to_email"] == owner.email]


def update(row: Row, field: str, value: str) -> Call:
    return call("customer_relationship_manager_update_customer", customer_id=row["customer_id"], field=field, new_value=value)


FAMILIES = (
    Family("customer_reassign", AREA, 6, reassign),
    Family("customer_reassign_namesake", AREA, 4, reassign_namesake),
    Family("customer_close_quiet", AREA, 8, close_quiet),
    Family("customer_add", AREA, 5, add),
    Family("customer_plan_follow_up", AREA, 7, plan_follow_up),
    Family("customer_remove", AREA, 4, remove),
)
