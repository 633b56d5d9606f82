"""Questions at the payments desk: a number that must be looked up, and a sum that must be added up from a listing."""

from __future__ import annotations

from random import Random

from blade.lab.environments.payments.ledger import DECIMALS, Books, Customer, written
from blade.lab.environments.payments.work import SYSTEM, elsewhere, expected
from blade.lab.stage.script import Script, Task, call, say

_LEADS = (
    "I went through the payments of {name}.",
    "This is what the books say for {name}:",
    "Looked it up for {name}.",
    "{name}'s account has the details.",
    "Here is the figure for {name}.",
)


def _answers(reads: Script, name: str, value: str, rng: Random, decisive: bool = False, count: int = 3) -> tuple[Script, ...]:
    leads = rng.sample(_LEADS, count)
    return tuple((*reads, say(f"{lead.format(name=name)}\n\nAnswer: {value}", decisive=decisive)) for lead in leads)


def reference(index: int, books: Books, rng: Random) -> Task:
    """The acquirer's reference of one payment, which only the single payment shows."""
    payment = rng.choice(books.payments)
    customer = next(one for one in books.customers if one.id == payment.customer)
    reads = (
        call("customers_search", query=customer.name),
        call("payments_list", customer_id=customer.id),
        call("payments_get", payment_id=payment.id),
    )
    sound = _answers(reads, customer.name, payment.reference, rng)
    request = rng.choice(
        (
            f"Which acquirer reference does {customer.name}'s payment for '{payment.title}' have?",
            f"I need the acquirer reference of the '{payment.title}' payment by {customer.name}. What is it?",
        )
    )
    values = {"customer": customer.name, "title": payment.title}
    extras = elsewhere(books, customer, rng)
    gold = expected([], "reference.v1", values, payment.reference)
    other = rng.choice([one for one in books.payments if one.customer != customer.id])
    stranger = next(one for one in books.customers if one.id == other.customer)
    drifted = expected([], "reference.v1", {"customer": stranger.name, "title": other.title}, other.reference)
    return Task(index, "reference", SYSTEM, request, sound, gold, {}, extras, facts={"drifted": drifted})


def total(index: int, books: Books, rng: Random) -> Task | None:
    """What a customer's succeeded payments in one currency come to."""
    customer = rng.choice(books.customers)
    currencies = [one.currency for one in books.payments_of(customer.id) if one.status == "succeeded"]
    currency = max(currencies, key=currencies.count, default="")
    if currencies.count(currency) < 3:
        return None
    places, whole = DECIMALS[currency], _sum_of(books, customer, currency)
    value = f"{whole / 10**places:.{places}f}"
    reads = (call("customers_search", query=customer.name), call("payments_list", customer_id=customer.id))
    unit = int(10 ** max(places, 2)) if places else 100
    slips = rng.sample([shift * unit for shift in (-30, -9, -1, 1, 2, 10, 27, 90) if whole + shift * unit > 0], 4)
    wavering = tuple(
        script
        for slip in slips
        for script in _answers(reads, customer.name, f"{(whole + slip) / 10**places:.{places}f}", rng, decisive=True, count=1)
    )
    faulty: dict[str, tuple[Script, ...]] = {"wavering_total": wavering, "scattered_numbers": wavering}
    if whole >= 1000 * 10**places:
        faulty["separator_split"] = _answers(reads, customer.name, written(whole, currency), rng)
    request = rng.choice(
        (
            f"What do the succeeded {currency} payments of {customer.name} add up to? Give the sum in {currency}.",
            f"Add up all {currency} payments of {customer.name} that succeeded. What is the total in {currency}?",
        )
    )
    values = {"customer": customer.name, "currency": currency}
    extras = elsewhere(books, customer, rng)
    gold = expected([], "total.v1", values, value)
    stranger = rng.choice([one for one in books.customers if _sum_of(books, one, currency) not in (0, whole)])
    others = f"{_sum_of(books, stranger, currency) / 10**places:.{places}f}"
    drifted = expected([], "total.v1", {**values, "customer": stranger.name}, others)
    return Task(
        index, "total", SYSTEM, request, _answers(reads, customer.name, value, rng), gold, faulty, extras, facts={"drifted": drifted}
    )  # fmt: skip


def _sum_of(books: Books, customer: Customer, currency: str) -> int:
    """What succeeded in this currency, in its smallest unit."""
    return sum(one.minor for one in books.payments_of(customer.id) if (one.status, one.currency) == ("succeeded", currency))
