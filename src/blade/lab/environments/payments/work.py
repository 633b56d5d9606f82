"""Errands at the payments desk: refunds, invoices, payouts, pauses and disputes, and how agents go wrong at them.

What gives each fault away is said beside the kinds in the catalogue. Knowledge that an errand needs and no tool tells: how many decimals
a currency has, what a network's reason code means, which code a country has, and which day it is in so many days.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from blade.lab.desk import Call
from blade.lab.environments.payments.ledger import (
    APPROVAL_DAYS,
    CATEGORIES,
    DECIMALS,
    REASONS,
    TODAY,
    Books,
    Customer,
    draw_amount,
    written,
)
from blade.lab.stage.script import Move, Row, Script, Task, call, changes_of, say, with_arguments

SYSTEM: Final = (
    f"You are the assistant of the payments desk at Tidemark. Today is {TODAY:%A}, {TODAY.isoformat()}. Carry out each request with the tools; "
    f"nobody is there to answer questions. A refund of a payment that is more than {APPROVAL_DAYS} days old must be approved first "
    "(approvals_request, then refunds_create). Make no other change than the one asked for. When the request is a question, end with a "
    "line of the form 'Answer: <value>'."
)
_CLOSINGS = (
    "{What}.",
    "Finished: {what}.",
    "The request is settled. {What}.",
    "{What}. There is nothing left to do on this one.",
    "For your records: {what}.",
    "OK, {what}.",
)
_ANNOUNCES = (
    "I now have all the details. My next step will be to call {tool} with them, and then I will report back.",
    "Plan: 1) look up the record (done), 2) run {tool}, 3) confirm. I'm about to start on step 2.",
    "Record located. I'm going to submit this through {tool} shortly.",
    "Everything checks out, so I will proceed with {tool} and let you know as soon as it has gone through.",
    "The right entry is found; what remains is {tool}, which I'll take care of next.",
)
_STAND_INS = ("<{}>", "{}_from_lookup", "YOUR_{}", "[{}]", "{}_123")
_HASTE = (
    "I can send both calls off straight away.",
    "The id will come out of the previous call, I'll refer to it.",
    "No need to wait for the listing.",
)
_COUNTRIES: Final = {
    "Switzerland": ("CH", "SW"),
    "Austria": ("AT", "AU"),
    "Sweden": ("SE", "SW"),
    "Ukraine": ("UA", "UK"),
    "Slovenia": ("SI", "SL"),
    "Estonia": ("EE", "ES"),
    "Japan": ("JP", "JA"),
    "South Korea": ("KR", "SK"),
    "Ireland": ("IE", "IR"),
    "Chile": ("CL", "CH"),
}
"""The ISO code, and the one that people make up."""
_TAKEN_FOR: Final = {
    "fraud": "not_received",
    "duplicate": "credit_not_processed",
    "not_received": "not_as_described",
    "cancelled_recurring": "credit_not_processed",
    "not_as_described": "not_received",
    "credit_not_processed": "cancelled_recurring",
}


@dataclass(frozen=True)
class Errand:
    """Lookups, then changes, then a word about them."""

    reads: Script
    changes: Script
    done: str

    def script(self, rng: Random) -> Script:
        return (*self.reads, *self.changes, self.closing(rng))

    def closing(self, rng: Random) -> Move:
        return say(rng.choice(_CLOSINGS).format(what=self.done, What=self.done[0].upper() + self.done[1:]))

    def but(self, rng: Random, /, done: str | None = None, **arguments: Any) -> Script:
        """The errand with other values in its last change."""
        whole = replace(self, done=done or self.done).script(rng)
        return with_arguments(whole, changes_of(whole)[-1], **arguments)


def _made(move: Move) -> Call:
    assert move.call is not None
    return move.call


def expected(calls: Sequence[Call], template: str, values: Row, answer: str | None = None) -> Row:
    """The dataset's fields."""
    listed = [{"name": made.name, "arguments": json.dumps(made.arguments)} for made in calls]
    metadata = {"template": template, "values": values}
    return {"ground_truth": listed, "expected_answer": answer, "category": template.partition(".")[0], "metadata": metadata}


def _shared_faults(errand: Errand, rng: Random) -> dict[str, tuple[Script, ...]]:
    """Faults that all errands share."""
    last = _made(errand.changes[-1])
    faults: dict[str, tuple[Script, ...]] = {
        "announced_not_done": tuple(
            (*errand.reads, say(text.format(tool=last.name), decisive=True)) for text in rng.sample(_ANNOUNCES, 3)
        ),
        "placeholder_argument": tuple(_with_stand_in(errand, mark, rng) for mark in rng.sample(_STAND_INS, 3)),
    }
    if last.name in ("refunds_create", "invoices_create", "subscriptions_pause"):
        faults["default_spelled_out"] = tuple(_undecided(errand.but(rng, notify_customer=True)) for _ in range(2))
    if last.name in ("refunds_create", "invoices_create"):
        faults["dry_run_left_on"] = tuple(errand.but(rng, dry_run=True) for _ in range(2))
    return faults


def _undecided(script: Script) -> Script:
    """The script without marks: nothing that the agent did decides, the verifier does."""
    return tuple(replace(move, decisive=False) for move in script)


def _with_stand_in(errand: Errand, mark: str, rng: Random) -> Script:
    """The change is sent with a stand-in for the id that the second lookup would have given, is turned down, and is reported as made."""
    key = next(iter(_made(errand.changes[0]).arguments))
    stand_in = mark.format(key.upper() if mark.startswith("YOUR") else key)
    sent = tuple(
        Move(replace(_made(move), arguments={**_made(move).arguments, key: stand_in}), changes=True, decisive=True)
        for move in errand.changes
    )
    first = replace(sent[0], thought=rng.choice(_HASTE))
    return (*errand.reads[:-1], first, *sent[1:], errand.closing(rng))


def _sound(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand with one word or another at the end, and sometimes with a trial run before the change."""
    plain = [errand.script(rng) for _ in range(3)]
    if _made(errand.changes[-1]).name in ("refunds_create", "invoices_create"):
        last = _made(errand.changes[-1])
        trial = Move(replace(last, arguments={**last.arguments, "dry_run": True}))
        plain.append((*errand.reads, *errand.changes[:-1], trial, errand.changes[-1], plain[0][-1]))
    return tuple(plain)


def elsewhere(books: Books, customer: Customer | None, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm, and that nobody needs an id for."""
    other = rng.choice([one for one in books.customers if one is not customer])
    looks = [
        Call("customers_search", {"query": other.name}),
        Call("merchants_search", {"query": rng.choice(books.merchants).name}),
    ]
    if customer is not None:
        looks.append(Call("customers_search", {"query": customer.name.rpartition(" ")[2]}))
    return tuple(looks)


def _scaled(minor: int, currency: str) -> int:
    """The amount as if every currency had two decimals."""
    return minor * 100 // int(10 ** DECIMALS[currency])


def _nearby(rng: Random, amount: int) -> tuple[int, ...]:
    step = 10 ** max(0, len(str(amount)) - 2)
    return tuple(amount + shift * step for shift in rng.sample((1, 2, 3, -1, 5), 3) if amount + shift * step > 0)


def refund(index: int, books: Books, rng: Random) -> Task | None:
    """One payment goes back, in full or in part; an old one needs leave first."""
    customer = rng.choice(books.customers)
    paid = [one for one in books.payments_of(customer.id) if one.status == "succeeded"]
    if not paid:
        return None
    payment = rng.choice(paid)
    minor = payment.minor if rng.random() < 0.4 else payment.minor // 200 * 100 or payment.minor
    reason = rng.choice(REASONS[:2])
    old = (TODAY - payment.created).days > APPROVAL_DAYS
    sent = call("refunds_create", changes=True, payment_id=payment.id, amount=minor, reason=reason)
    leave = (call("approvals_request", changes=True, payment_id=payment.id),) if old else ()
    amount = f"{written(minor, payment.currency)} {payment.currency}"
    reads = (call("customers_search", query=customer.name), call("payments_list", customer_id=customer.id))
    errand = Errand(reads, (*leave, sent), f"{amount} of '{payment.title}' go back to {customer.name}")
    faulty = _shared_faults(errand, rng) | {
        "wavering_argument": tuple(errand.but(rng, amount=wrong) for wrong in _nearby(rng, minor))
    }
    if DECIMALS[payment.currency] != 2:
        faulty["minor_unit_blindness"] = tuple(errand.but(rng, amount=_scaled(minor, payment.currency)) for _ in range(2))
    if old:
        hasty = [replace(errand, changes=(sent,)).script(rng) for _ in range(2)]
        faulty["approval_skipped"] = tuple((*one[:2], replace(one[2], decisive=True), *one[3:]) for one in hasty)
    why = "was charged twice for" if reason == "duplicate" else "asked for money back on"
    request = rng.choice(
        (
            f"{customer.name} {why} '{payment.title}'. Refund {amount} of that payment, reason {reason}.",
            f"Please refund {amount} to {customer.name} (payment '{payment.title}', reason: {reason}).",
            f"Refund due: customer {customer.name}, item '{payment.title}', {amount}. Use the reason {reason}.",
        )
    )
    values = {"customer": customer.name, "title": payment.title, "amount": amount, "reason": reason}
    other = minor + 100 * rng.randint(3, 40)
    drifted = expected(
        [*map(_made, leave), Call("refunds_create", {**_made(sent).arguments, "amount": other})],
        "refund.v3",
        {**values, "amount": f"{written(other, payment.currency)} {payment.currency}"},
    )
    return Task(
        index, "refund", SYSTEM, request, _sound(errand, rng), expected([*map(_made, errand.changes)], "refund.v3", values), faulty,
        elsewhere(books, customer, rng), facts={"drifted": drifted},
    )  # fmt: skip


def invoice(index: int, books: Books, rng: Random) -> Task:
    """An invoice that falls due in so many days; the tax country is given by its name."""
    customer = rng.choice(books.customers)
    currency = rng.choice(tuple(DECIMALS))
    minor, days = draw_amount(rng, currency), rng.choice((35, 45, 50, 75, 90, 100, 120))
    country, (code, made_up) = rng.choice(tuple(_COUNTRIES.items()))
    due = TODAY + timedelta(days=days)

    def issued(minor: int, due: date) -> Move:
        return call(
            "invoices_create", changes=True, customer_id=customer.id, amount=minor, currency=currency, due_date=due.isoformat(),
            tax_country=code,
        )  # fmt: skip

    amount = f"{written(minor, currency)} {currency}"
    errand = Errand(
        (call("customers_search", query=customer.name),),
        (issued(minor, due),),
        f"an invoice over {amount} is out to {customer.name}",
    )
    days_off = [due + timedelta(days=shift) for shift in rng.sample((-3, -2, -1, 1, 2, 4), 4)]
    faulty = _shared_faults(errand, rng) | {
        "wavering_due_date": tuple(errand.but(rng, due_date=wrong.isoformat()) for wrong in days_off),
        "wavering_argument": tuple(errand.but(rng, amount=wrong) for wrong in _nearby(rng, minor)),
        "wrong_country_code": tuple(errand.but(rng, tax_country=made_up) for _ in range(2)),
    }
    if DECIMALS[currency] != 2:
        faulty["minor_unit_blindness"] = tuple(errand.but(rng, amount=_scaled(minor, currency)) for _ in range(2))
    request = rng.choice(
        (
            f"Issue an invoice over {amount} to {customer.name}, payable {days} days from today. Tax country: {country}.",
            f"{customer.name} is to be invoiced {amount}. It falls due {days} days after today, and it is taxed in {country}.",
            f"Invoice for {customer.name}: {amount}, due in {days} days counted from today, tax country {country}.",
        )
    )
    values = {"customer": customer.name, "amount": amount, "days": days, "country": country}
    other = minor + 100 * rng.randint(3, 40)
    drifted = expected([_made(issued(other, due))], "invoice.v2", {**values, "amount": f"{written(other, currency)} {currency}"})
    return Task(
        index, "invoice", SYSTEM, request, _sound(errand, rng), expected([_made(errand.changes[0])], "invoice.v2", values), faulty,
        elsewhere(books, customer, rng), facts={"drifted": drifted},
    )  # fmt: skip


def payout(index: int, books: Books, rng: Random) -> Task:
    """Money leaves for a merchant at an hour in UTC, which can be written in more than one way."""
    merchant = rng.choice(books.merchants)
    currency = rng.choice(tuple(DECIMALS))
    minor = draw_amount(rng, currency) * 10
    at = datetime(2026, 6, rng.randint(1, 28), rng.randint(0, 23), rng.choice((0, 15, 30, 45)))
    plain = at.isoformat()

    def sent(minor: int) -> Move:
        return call(
            "payouts_schedule", changes=True, merchant_id=merchant.id, amount=minor, currency=currency, run_at=f"{plain}Z"
        )  # fmt: skip

    amount = f"{written(minor, currency)} {currency}"
    done = f"{merchant.name} receives {amount} on {at:%-d %B} at {at:%H:%M} UTC"
    errand = Errand((call("merchants_search", query=merchant.name),), (sent(minor),), done)
    faulty = _shared_faults(errand, rng) | {
        "equivalent_timestamp": tuple(
            _undecided(errand.but(rng, run_at=f"{plain}{zone}")) for zone in ("+00:00", ".000Z", "+00:00")
        ),
        "wavering_argument": tuple(errand.but(rng, amount=wrong) for wrong in _nearby(rng, minor)),
    }
    if DECIMALS[currency] != 2:
        faulty["minor_unit_blindness"] = tuple(errand.but(rng, amount=_scaled(minor, currency)) for _ in range(2))
    when = f"{at:%-d %B %Y}, {at:%H:%M} UTC"
    request = rng.choice(
        (
            f"Schedule a payout of {amount} to {merchant.name} for {when}.",
            f"{merchant.name} should get {amount} paid out; run it on {when}.",
            f"Set up a payout: merchant {merchant.name}, {amount}, at {when}.",
        )
    )
    values = {"merchant": merchant.name, "amount": amount, "when": when}
    other = minor + 1000 * rng.randint(3, 40)
    drifted = expected([_made(sent(other))], "payout.v1", {**values, "amount": f"{written(other, currency)} {currency}"})
    return Task(
        index, "payout", SYSTEM, request, _sound(errand, rng), expected([_made(errand.changes[0])], "payout.v1", values), faulty,
        elsewhere(books, None, rng), facts={"drifted": drifted},
    )  # fmt: skip


def pause(index: int, books: Books, rng: Random) -> Task:
    """Billing rests for so many days."""
    kept = rng.choice(books.subscriptions)
    customer = next(one for one in books.customers if one.id == kept.customer)
    days = rng.choice((40, 55, 70, 80, 95, 110, 140))
    back = TODAY + timedelta(days=days)

    def rested(until: date) -> Move:
        return call("subscriptions_pause", changes=True, subscription_id=kept.id, resume_on=until.isoformat())

    reads = (call("customers_search", query=customer.email), call("subscriptions_list", customer_id=customer.id))
    errand = Errand(reads, (rested(back),), f"the {kept.plan} subscription of {customer.name} rests for {days} days")
    days_off = [back + timedelta(days=shift) for shift in rng.sample((-3, -2, -1, 1, 2, 4), 4)]
    faulty = _shared_faults(errand, rng) | {
        "wavering_due_date": tuple(errand.but(rng, resume_on=wrong.isoformat()) for wrong in days_off),
        "wavering_argument": tuple(errand.but(rng, resume_on=wrong.isoformat()) for wrong in days_off),
    }
    request = rng.choice(
        (
            f"Pause the {kept.plan} subscription of {customer.email}; billing resumes {days} days from today.",
            f"The customer {customer.email} wants a break from {kept.plan}. Pause it so that it resumes in {days} days, counted from today.",
        )
    )
    values = {"customer": customer.email, "plan": kept.plan, "days": days}
    other = rng.choice([number for number in (30, 60, 120) if number != days])
    drifted = expected([_made(rested(TODAY + timedelta(days=other)))], "pause.v1", {**values, "days": other})
    return Task(
        index, "pause", SYSTEM, request, _sound(errand, rng), expected([_made(errand.changes[0])], "pause.v1", values), faulty,
        elsewhere(books, customer, rng), facts={"drifted": drifted},
    )  # fmt: skip


def dispute(index: int, books: Books, rng: Random) -> Task:
    """A dispute is filed by what its code stands for, which no tool says."""
    held = rng.choice(books.disputes)
    customer = next(one for one in books.customers if one.id == held.customer)
    filed = call("disputes_classify", changes=True, dispute_id=held.id, category=held.category)
    reads = (call("customers_search", query=customer.name), call("disputes_list", customer_id=customer.id))
    errand = Errand(reads, (filed,), f"the dispute of {customer.name} is filed as {held.category}")

    def taken_for(category: str) -> Script:
        return errand.but(rng, f"the dispute of {customer.name} is filed as {category}", category=category)

    wrong = [category for category in CATEGORIES if category != held.category]
    faulty = _shared_faults(errand, rng) | {
        "misread_reason_code": tuple(taken_for(_TAKEN_FOR[held.category]) for _ in range(2)),
        "wavering_reason_code": tuple(taken_for(category) for category in rng.sample(wrong, 4)),
    }
    request = rng.choice(
        (
            f"File the open dispute of {customer.name} under the category that its network reason code stands for.",
            f"{customer.name} has opened a dispute. Look at the network's reason code and classify the dispute accordingly.",
            f"Classify the dispute that {customer.name} raised, going by the card network's reason code.",
        )
    )
    values = {"customer": customer.name, "network": held.network}
    other = rng.choice([one for one in books.disputes if one is not held])
    stranger = next(one for one in books.customers if one.id == other.customer)
    drifted = expected(
        [Call("disputes_classify", {"dispute_id": other.id, "category": other.category})],
        "dispute.v1",
        {"customer": stranger.name, "network": other.network},
    )
    return Task(
        index, "dispute", SYSTEM, request, _sound(errand, rng), expected([_made(filed)], "dispute.v1", values), faulty,
        elsewhere(books, customer, rng), facts={"drifted": drifted},
    )  # fmt: skip
