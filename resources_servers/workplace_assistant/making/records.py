"""The records of the five databases, from one seed. Times and days are spread around `TODAY` so that every period has records at its ends."""

from datetime import date, datetime, time, timedelta
from random import Random

from resources_servers.workplace_assistant.moments import TODAY, stored
from resources_servers.workplace_assistant.state import Row
from resources_servers.workplace_assistant.tools.analytics import SOURCES
from resources_servers.workplace_assistant.tools.customers import PRODUCTS, STATUSES
from resources_servers.workplace_assistant.tools.projects import BOARDS, LISTS

from .people import Directory, Person

BUYERS_FIRST = (
    "Agathe", "Benno", "Carys", "Dunja", "Emeka", "Fintan", "Gudrun", "Hakim", "Isolde", "Jorma", "Katja", "Leif", "Mirela", "Njeri", "Otto",
    "Pilar", "Quirin", "Renske", "Stellan", "Tuva", "Ulrik", "Vesna", "Willem", "Xenia", "Ylva", "Zoltan",
)  # fmt: skip
BUYERS_LAST = (
    "Amsel", "Birch", "Corrigan", "Daalder", "Engstrom", "Fontaine", "Grimaldi", "Hutchins", "Ibarra", "Jansen", "Kessler", "Lowry", "Mancini",
    "Nygaard", "Ostrova", "Paxton", "Rademaker", "Sandoval", "Tveit", "Umland", "Vinter", "Wexler", "Yarrow", "Zeller",
)  # fmt: skip
FIRMS = (
    "pinecrest-dairy", "halden-waterworks", "orchard-cold", "bluefjord-fish", "stonemill-bakery", "nordhaven-port", "greenacre-labs",
    "copperline-rail", "saltmarsh-power", "hillside-vineyards",
)  # fmt: skip
NOTES = (
    "Asked for a data sheet.", "Wants a quote in euro.", "Prefers calls before noon.", "Met at the spring fair.", "Needs approval from head office.",
    "Compares us with two others.", "Had a loan unit in summer.", "",
)  # fmt: skip
TOPICS = (
    "cold chain trial", "autumn catalogue", "warehouse move", "battery recall", "trade fair", "office lease", "data logger launch",
    "supplier audit", "training week", "price list", "calibration backlog", "website relaunch",
)  # fmt: skip
SUBJECTS = (
    "{Topic}: next steps",
    "Question about the {topic}",
    "{Topic}, numbers attached",
    "Update on the {topic}",
    "{Topic}: please confirm",
)
OPENINGS = ("Hello Marit,", "Hi Marit,", "Good morning Marit,", "Marit,")
SENTENCES = (
    "the plan for the {topic} is ready for a look.", "we are two days behind with the {topic}.", "the budget of the {topic} needs your word.",
    "nothing is blocked on the {topic} at the moment.", "the supplier has answered about the {topic}.", "could we talk about the {topic} this week?",
)  # fmt: skip
MEETINGS = ("{Topic} check-in", "{Topic} review", "Planning: {topic}", "One-to-one", "{Topic} retrospective")
VERBS = ("Draft", "Check", "Replace", "Measure", "Document", "Prototype", "Review", "Test", "Clean up", "Estimate")
OBJECTS = (
    "probe connector", "login page", "alarm thresholds", "battery gauge", "checkout form", "firmware updater", "humidity curve", "test rig wiring",
    "map view", "export to CSV", "Bluetooth pairing", "shipping labels", "error log", "boot time", "price filter", "offline mode", "enclosure seal",
    "search index",
)  # fmt: skip


def make_customers(rng: Random, directory: Directory) -> list[Row]:
    names = [f"{first} {last}" for first in BUYERS_FIRST for last in BUYERS_LAST]
    owners = directory.team("Sales")
    return [_customer(rng, number, name, rng.choice(owners)) for number, name in enumerate(rng.sample(names, 160), 1)]


def _customer(rng: Random, number: int, name: str, owner: Person) -> Row:
    status = rng.choices(STATUSES, (3, 3, 4, 2, 2, 1))[0]
    return {
        "customer_id": f"cu-{number:04d}",
        "customer_name": name,
        "assigned_to_email": owner.email,
        "customer_email": f"{name.lower().replace(' ', '.')}@{rng.choice(FIRMS)}.example",
        "customer_phone": f"+00 {rng.randrange(200, 999)} {rng.randrange(100000, 999999)}",
        "last_contact_date": str(TODAY - timedelta(days=rng.randrange(50))),
        "product_interest": rng.choice(PRODUCTS),
        "status": status,
        "follow_up_by": str(TODAY + timedelta(days=rng.randrange(-8, 25))),
        "notes": rng.choice(NOTES),
    }


def make_tasks(rng: Random, directory: Directory) -> list[Row]:
    names = [f"{verb} {thing}" for verb in VERBS for thing in OBJECTS]
    makers = directory.team("Engineering") + directory.team("Design")
    return [
        {
            "task_id": f"pt-{number:04d}",
            "task_name": name,
            "assigned_to_email": rng.choice(makers).email,
            "list_name": rng.choices(LISTS, (3, 4, 2, 3))[0],
            "due_date": str(TODAY + timedelta(days=rng.randrange(-12, 22))),
            "board": rng.choice(BOARDS),
        }
        for number, name in enumerate(rng.sample(names, 170), 1)
    ]


def make_emails(rng: Random, directory: Directory, customers: list[Row]) -> list[Row]:
    """Mails of seven weeks, some of them close to midnight."""
    found: list[Row] = []
    colleagues = [person.email for person in directory.people if person.title != "Head of operations"]
    for _ in range(330):
        at = _moment(rng, TODAY - timedelta(days=rng.randrange(1, 46)), late=rng.random() < 0.25)
        topic = rng.choice(TOPICS)
        correspondent = rng.choice(colleagues) if rng.random() < 0.8 else rng.choice(customers)["customer_email"]
        folder = "inbox" if rng.random() < 0.8 else "outbox"
        greeting = rng.choice(OPENINGS) if folder == "inbox" else "Hello,"
        sentences = [_filled(sentence, topic) for sentence in rng.sample(SENTENCES, 2)]
        found.append(
            {
                "folder": folder,
                "correspondent": correspondent,
                "subject": _filled(rng.choice(SUBJECTS), topic),
                "sent_at": stored(at),
                "body": f"{greeting} {sentences[0]} Also, {sentences[1]}",
            }
        )
    found.sort(key=lambda row: row["sent_at"])
    return [{"email_id": f"em-{number:04d}", **row} for number, row in enumerate(found, 1)]


def _moment(rng: Random, day: date, *, late: bool) -> datetime:
    hour = 23 if late else rng.randrange(7, 19)
    return datetime.combine(day, time(hour, rng.randrange(60), rng.randrange(60)))


def make_events(rng: Random, directory: Directory) -> list[Row]:
    """Working days of six weeks with up to five events each, on the half-hour and never overlapping."""
    guests = [person for person in directory.people if person.title != "Head of operations"]
    regulars = rng.sample(guests, 14)
    found: list[Row] = []
    for shift in range(-20, 22):
        day = TODAY + timedelta(days=shift)
        if day.weekday() >= 5:
            continue
        start = datetime.combine(day, time(9))
        while start < datetime.combine(day, time(16, 30)):
            length = rng.choice((30, 30, 60, 60, 90))
            if rng.random() < 0.5:
                guest = rng.choice(regulars if rng.random() < 0.8 else guests)
                name = _filled(rng.choice(MEETINGS), rng.choice(TOPICS))
                event = {
                    "event_name": name,
                    "participant_email": guest.email,
                    "event_start": stored(start),
                    "duration": str(length),
                }
                found.append(event)
            start += timedelta(minutes=length)
    return [{"event_id": f"ev-{number:04d}", **row} for number, row in enumerate(found, 1)]


def make_visits(rng: Random) -> list[Row]:
    """Nine weeks of visits; how busy a week is changes from week to week."""
    found: list[Row] = []
    levels = [rng.randrange(8, 17) for _ in range(54)]
    for shift in range(-62, 0):
        day = TODAY + timedelta(days=shift)
        level = levels[day.isocalendar().week]
        for _ in range(max(2, level + rng.randrange(-3, 4) - 4 * (day.weekday() >= 5))):
            at = _moment(rng, day, late=rng.random() < 0.1)
            found.append(
                {
                    "visitor_id": f"vi-{rng.randrange(1, 700):04d}",
                    "visited_at": stored(at),
                    "source": rng.choices(SOURCES, (3, 4, 2, 1))[0],
                    "pages": str(rng.randrange(1, 14)),
                    "seconds": str(rng.randrange(8, 900)),
                    "engaged": rng.choices(("yes", "no"), (1, 2))[0],
                }
            )
    return sorted(found, key=lambda row: (row["visited_at"], row["visitor_id"]))


def _filled(template: str, topic: str) -> str:
    return template.format(topic=topic, Topic=topic.capitalize())
