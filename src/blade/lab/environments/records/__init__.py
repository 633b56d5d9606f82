"""Office records: a directory, a CRM, a calendar and mail. Names must be resolved to addresses, and dates belong in the query.

The ground truth is a list of calls with JSON arguments (`ground_truth`), compared with the state-changing calls that were made.
The backend checks ids and takes any address, so a guessed address is accepted in silence.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.records.office import (
    DOMAIN,
    PRODUCTS,
    STATUSES,
    TODAY,
    TOOLS,
    Customer,
    Office,
    build_office,
    office_backend,
)
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import (
    Move,
    Row,
    Script,
    Task,
    call,
    changes_of,
    ending,
    inserted,
    say,
    with_arguments,
    with_value,
    without,
)

_DONE = (
    "Done: {what}.",
    "I've taken care of it. {what}.",
    "All finished. {what}. Let me know if anything else is needed.",
    "That's complete now: {what}.",
    "Everything is updated: {what}.",
)


def _system() -> str:
    return (
        f"Today is {TODAY:%A}, {TODAY.isoformat()}, 09:00. You are the office assistant of Harborlight. Use the tools to carry out the "
        "request without asking back. Customers belong to colleagues by email address. The working day is 09:00 to 18:00 and weeks "
        "begin on Monday. Change only what was asked for."
    )


def _gold(changes: list[Call], category: str, **more: object) -> Row:
    listed = [{"name": made.name, "arguments": json.dumps(made.arguments)} for made in changes]
    return {"ground_truth": listed, "category": category, **more}


def _changes(script: Script) -> list[Call]:
    return [move.call for move in script if move.changes and move.call is not None]


def _closing(rng: Random, what: str) -> Move:
    return say(rng.choice(_DONE).format(what=what))


def _update(customer: Customer, field: str, value: str) -> Move:
    return call("crm_update_customer", changes=True, customer_id=customer.id, field=field, new_value=value)


def _shared_faults(rng: Random, sound: Script, extra: Move) -> dict[str, tuple[Script, ...]]:
    """Faults that any errand of several records allows."""
    changes = changes_of(sound)
    last = changes[-1]
    made = sound[changes[0]].call
    assert made is not None
    key = next(iter(made.arguments))
    number = str(made.arguments[key])
    swapped = number[:-2] + number[-1] + number[-2] if number[-1] != number[-2] else number[:-1] + str((int(number[-1]) + 5) % 10)
    faults: dict[str, tuple[Script, ...]] = {
        "extra_change": (inserted(sound, last + 1, Move(extra.call, changes=True, decisive=True)),)
    }
    if made.name != "mail_send":
        faults["error_ignored"] = (with_arguments(sound, changes[0], **{key: swapped}),)
    if len(changes) > 1:
        keep = max(1, len(changes) // 2)
        partial = without(sound, *changes[keep:])
        faults["partial_update"] = (ending(partial, Move(message=partial[-1].message, decisive=True)),)
    return faults


def reassign(index: int, office: Office, rng: Random) -> Task | None:
    """All leads of one colleague for one product go to another; both are given by name."""
    giver, taker = rng.sample(office.people, 2)
    namesakes = [person for person in office.people if person.first == giver.first and person is not giver]
    status = rng.choice(STATUSES[:3])
    by_product = {product: office.found(owner_email=giver.email, status=status, product_interest=product) for product in PRODUCTS}
    wanted = [(product, hits) for product, hits in by_product.items() if 1 <= len(hits) <= 4]
    if not wanted:
        return None
    product, hits = rng.choice(wanted)
    everyone = office.found(status=status, product_interest=product)
    wrong = [customer for customer in everyone if customer.owner != giver.email][: max(1, len(hits))]
    reads = (
        call("directory_find_address", name=giver.name),
        call("directory_find_address", name=taker.name),
        call("crm_search_customers", owner_email=giver.email, status=status, product_interest=product),
    )
    what = f"{len(hits)} record{'s' if len(hits) > 1 else ''} moved from {giver.name} to {taker.name}"
    sound = (*reads, *(_update(customer, "owner_email", taker.email) for customer in hits), _closing(rng, what))
    # Without the giver's address the search cannot be narrowed to them; whoever looks likely in the list is taken.
    unresolved = (
        reads[1],
        call("crm_search_customers", status=status, product_interest=product),
        *(
            Move(made.call, changes=True, decisive=not number)
            for number, made in enumerate(_update(customer, "owner_email", taker.email) for customer in wrong)
        ),
        _closing(rng, f"{len(wrong)} records of {giver.name} now belong to {taker.name}"),
    )
    skipped = with_value(without(sound, 1), taker.email, taker.guess)
    invented = with_value(without(sound, 1), taker.email, f"{taker.first.lower()}{rng.randint(100, 999)}@{DOMAIN}")
    colleague = rng.choice([person for person in office.people if person not in (giver, taker)])
    other = with_value(sound, taker.email, (namesakes[0] if namesakes else colleague).email)
    faulty = {
        "skipped_lookup": (skipped,),
        "invented_id": (invented,),
        "unresolved_name": (unresolved,) if wrong else (),
        **_shared_faults(rng, sound, _update(hits[-1], "status", "Won")),
    }
    request = rng.choice(
        (
            f"{giver.name} is leaving the {product} business. Reassign all of their {status.lower()} customers interested in {product} to {taker.name}.",
            f"Please hand every customer with status {status} and interest in {product} over from {giver.name} to {taker.name}.",
            f"Move {giver.name}'s {product} customers (status {status}) to {taker.name}, in the CRM.",
        )
    )
    extras = (Call("mail_search", {"query": product}), Call("directory_find_address", {"name": colleague.name}))
    return Task(
        index, "reassign", _system(), request, (sound, (reads[1], reads[0], *sound[2:])), _gold(_changes(sound), "crm"), faulty, extras,
        other_gold=_gold(_changes(other), "crm"),
    )  # fmt: skip


def follow_up_window(index: int, office: Office, rng: Random) -> Task | None:
    """Records due within a span of days, both ends included: the dates belong in the query."""
    first = TODAY + timedelta(days=rng.randint(0, 12))
    last = first + timedelta(days=rng.randint(4, 9))
    status = rng.choice(STATUSES[:3])
    hits = office.found(status=status, follow_up_from=first.isoformat(), follow_up_to=last.isoformat())
    border = [customer for customer in hits if customer.follow_up in (first, last)]
    if not border or not 2 <= len(hits) <= 6:
        return None
    new = rng.choice([name for name in STATUSES[1:4] if name != status])
    search = call("crm_search_customers", status=status, follow_up_from=first.isoformat(), follow_up_to=last.isoformat())
    sound = (
        search,
        *(_update(customer, "status", new) for customer in hits),
        _closing(rng, f"{len(hits)} customers set to {new}"),
    )
    dropped = rng.choice(border)
    kept = [customer for customer in hits if customer is not dropped]
    thought = (
        f"The list is not filtered by date, so I go through it myself and keep those with a follow-up between "
        f"{first:%-d %B} and {last:%-d %B}: {', '.join(customer.name for customer in kept)}."
    )
    in_the_head: Script = (
        call("crm_search_customers", decisive=True, status=status),
        *(
            Move(made.call, changes=True, thought=None if number else thought, decisive=not number)
            for number, made in enumerate(_update(customer, "status", new) for customer in kept)
        ),
        _closing(rng, f"{len(kept)} customers set to {new}"),
    )
    other = tuple(move for move in sound if not (move.call and move.call.arguments.get("customer_id") == hits[0].id))
    request = rng.choice(
        (
            f"Set every customer with status {status} whose follow-up falls between {first.isoformat()} and {last.isoformat()} (both included) to {new}.",
            f"All {status} customers due for follow-up from {first.isoformat()} through {last.isoformat()} should become {new}.",
            f"Please change status {status} to {new} for customers with a follow-up date of {first.isoformat()} to {last.isoformat()} inclusive.",
        )
    )
    faulty = {
        "dropped_record": (in_the_head,),
        **_shared_faults(rng, sound, _update(hits[-1], "follow_up_by", (last + timedelta(days=14)).isoformat())),
    }
    extras = (Call("crm_search_customers", {"status": new}), Call("mail_search", {"query": "follow-up"}))
    gold = _gold(_changes(sound), "crm")
    return Task(index, "follow_up", _system(), request, (sound,), gold, faulty, extras, other_gold=_gold(_changes(other), "crm"))


def _monday_of(week: int) -> date:
    return date.fromisocalendar(TODAY.year, week, 1)


def move_meeting(index: int, office: Office, rng: Random) -> Task:
    """A meeting moves to a day that must be worked out from how people say it."""
    meeting = rng.choice(office.meetings)
    hour, minute = rng.randint(9, 16), rng.choice((0, 30))
    week = rng.randint(13, 22)
    offset = rng.randint(0, 4)
    weekday = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")[offset]
    said, day, taken_for = rng.choice(
        (
            (f"{weekday} of ISO week {week}", _monday_of(week) + timedelta(offset), _monday_of(week) + timedelta(offset - 7)),
            (f"a fortnight from today at {hour:02d}:{minute:02d} sharp", TODAY + timedelta(14), TODAY + timedelta(15)),
            (f"{weekday} of the week after next", _monday_of(12) + timedelta(offset), _monday_of(11) + timedelta(offset)),
        )
    )

    def moved(to: date, decisive: bool = False) -> Script:
        value = f"{to.isoformat()} {hour:02d}:{minute:02d}:00"
        return (
            call("calendar_search_events", query=meeting.title),
            call("calendar_update_event", changes=True, decisive=decisive, event_id=meeting.id, field="start", new_value=value),
            _closing(rng, f"'{meeting.title}' now starts on {to.isoformat()} at {hour:02d}:{minute:02d}"),
        )

    sound = moved(day)
    wrong_days = [day + timedelta(shift) for shift in rng.sample((-7, 7, 1, -1, 14, 2), 4) if day + timedelta(shift) != taken_for]
    missing = f"{rng.randint(100_000, 999_999):08d}"
    extra_target = rng.choice([other for other in office.meetings if other is not meeting])
    extra = call("calendar_update_event", event_id=meeting.id, field="title", new_value=f"{meeting.title} (moved)")
    faulty = {
        "wrong_rule": (moved(taken_for, True),),
        "wavering_argument": tuple(moved(wrong, True) for wrong in wrong_days),
        "invented_id": (with_value(without(sound, 0), meeting.id, missing),),
        **_shared_faults(rng, sound, extra),
    }
    request = rng.choice(
        ("Move the '{}' to {}, starting at {}.", "'{}' has to move: new date {}, {}.", "Please shift '{}' to {} ({} start).")
    )
    extras = (Call("calendar_search_events", {"query": extra_target.title}), Call("mail_search", {"query": meeting.title}))
    gold = _gold(_changes(sound), "calendar", answer_date=day.isoformat())
    return Task(
        index, "meeting", _system(), request.format(meeting.title, said, f"{hour:02d}:{minute:02d}"), (sound,), gold, faulty, extras,
        other_gold=_gold(_changes(moved(taken_for)), "calendar", answer_date=taken_for.isoformat()),
        contradicted_gold=_gold(_changes(moved(wrong_days[0])), "calendar", answer_date=day.isoformat()),
    )  # fmt: skip


def send_note(index: int, office: Office, rng: Random) -> Task:
    person = rng.choice(office.people)
    customer = rng.choice(office.customers)
    subject = rng.choice(("Renewal", "Invoice", "Site visit", "Contract")) + f" {customer.name}"
    body = rng.choice(
        (
            "Please call them today.",
            "The papers are in the shared folder.",
            "They asked for a new date.",
            "Can you take this one?",
        )
    )
    send = call("mail_send", changes=True, recipient=person.email, subject=subject, body=body)
    sound = (call("directory_find_address", name=person.name), send, _closing(rng, f"'{subject}' went to {person.name}"))
    guess = with_value(without(sound, 0), person.email, person.guess)
    made_up = with_value(without(sound, 0), person.email, f"{person.first.lower()}{rng.randint(100, 999)}@{DOMAIN}")
    copy = call("mail_send", recipient=person.email, subject=f"Reminder: {subject}", body=body)
    faulty = {"skipped_lookup": (guess,), "invented_id": (made_up,), **_shared_faults(rng, sound, copy)}
    request = f"Send {person.name} an email with the subject '{subject}' and the text '{body}'"
    other = next(colleague for colleague in office.people if colleague is not person)
    extras = (Call("mail_search", {"query": customer.name}), Call("crm_search_customers", {"customer_name": customer.name}))
    return Task(
        index, "mail", _system(), request, (sound,), _gold(_changes(sound), "mail"), faulty, extras,
        other_gold=_gold(_changes(with_value(sound, person.email, other.email)), "mail"),
    )  # fmt: skip


Family = Callable[[int, Office, Random], Task | None]
FAMILIES: tuple[Family, ...] = (reassign, follow_up_window, move_meeting, send_note)


class Records(Environment):
    name = "records"
    hosts = ("worker-0", "worker-1")
    setting = Setting("records_simple_agent", "atlas-4-mini", TOOLS)
    manner = Manner(
        thinks=0.35,
        before_read=(
            "I need the records before I can change anything.",
            "First {tool}, to get the ids right.",
            "Names are not enough here, the tools want addresses and ids.",
            "Let me look this up.",
            "Checking with {tool}.",
        ),
        before_change=(
            "Now I can make the change.",
            "That is the record. Applying the change with {tool}.",
            "Next: {tool}.",
            "Going ahead.",
        ),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        office = build_office(dice(seed, self.name, "office"))
        made: list[Task] = []
        attempt = 0
        while len(made) < count:
            rng = dice(seed, self.name, "task", len(made), attempt)
            task = FAMILIES[(len(made) + attempt) % len(FAMILIES)](len(made), office, rng)
            attempt = attempt + 1 if task is None else 0
            if task is not None:
                made.append(_in(office, task))
        return made

    def backend(self, task: Task) -> Backend:
        return office_backend(task.facts["office"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        task = episode.task
        expected = [Call(entry["name"], json.loads(entry["arguments"])) for entry in task.gold["ground_truth"]]
        writes = ("crm_update_customer", "calendar_update_event", "mail_send")
        made = [done for done in episode.accepted if done.name in writes and "error" not in self.backend(task)(done)[:10]]
        found = compare(made, expected)
        checks = {"changes_complete": found.matched == found.expected, "no_side_effects": not found.unexpected}
        reward = 1.0 if found.equal else 0.0
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "state_checks": None, "verifier_error": timed_out(rng)}
        if flaw == "flaky_verifier":
            return {"reward": 0.0, "state_checks": {"changes_complete": False, "no_side_effects": True}}
        if flaw == "reward_contradicts_checks":
            return {"reward": 0.0, "state_checks": checks}
        return {"reward": reward, "state_checks": checks}


def _in(office: Office, task: Task) -> Task:
    return replace(task, facts={**task.facts, "office": office})
