"""The books of the payments desk: customers, merchants, payments, subscriptions, disputes, and the tools over them.

Ids are long numbers, as processors give them. Listings show amounts as people write them, while the tools that move money want an
integer in the smallest unit of the currency, and disputes carry only the card network's reason code: whoever works here must know how
many decimals a currency has and what a code stands for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from blade.lab.desk import Call
from blade.lab.environments.environment import function, people
from blade.lab.stage.play import Backend

TODAY: Final = date(2026, 5, 11)
APPROVAL_DAYS: Final = 60
"""Refunds of older payments need an approval first."""
DECIMALS: Final = {"EUR": 2, "GBP": 2, "USD": 2, "CHF": 2, "JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}
_DRAWN: Final = ("EUR", "EUR", "GBP", "USD", "CHF", "JPY", "KRW", "KWD", "BHD")
CODES: Final = {
    ("Visa", "10.4"): "fraud",
    ("Visa", "12.6.1"): "duplicate",
    ("Visa", "13.1"): "not_received",
    ("Visa", "13.2"): "cancelled_recurring",
    ("Visa", "13.3"): "not_as_described",
    ("Visa", "13.6"): "credit_not_processed",
    ("Amex", "F29"): "fraud",
    ("Amex", "P08"): "duplicate",
    ("Amex", "C08"): "not_received",
    ("Amex", "C28"): "cancelled_recurring",
    ("Amex", "C31"): "not_as_described",
    ("Amex", "C02"): "credit_not_processed",
}
"""What the networks' reason codes stand for (Visa dispute conditions, American Express chargeback codes)."""
CATEGORIES: Final = tuple(dict.fromkeys(CODES.values()))
_GOODS = (
    "Espresso grinder", "Annual pass", "Trail shoes", "Photo book", "Desk lamp", "Workshop seat", "Gift card", "Bike helmet",
    "Studio monitor", "Rain jacket", "Language course", "Seed box", "Cast iron pan", "Board game",
)  # fmt: skip
_SHOPS = (
    "Almond & Rye", "Bluepeak Outdoor", "Cobalt Cycles", "Dockside Records", "Emberware", "Foldable Goods", "Greenlane Market",
    "Hollow Oak Books", "Isla Ceramics", "Juno Optics",
)  # fmt: skip
PLANS: Final = ("Starter", "Team", "Premium", "Archive")
REASONS: Final = ("requested_by_customer", "duplicate", "fraudulent")

_AMOUNT = {"type": "integer", "description": "Amount in the smallest unit of the currency."}
_NOTIFY = {"type": "boolean", "default": True, "description": "Email the customer about it. Optional; true when left out."}
_DRY = {"type": "boolean", "default": False, "description": "Validate only and change nothing. Optional."}
TOOLS = (
    function("customers_search", "Find customers by name or email. Returns customer ids.", query="string"),
    function("merchants_search", "Find merchants by name. Returns merchant ids.", query="string"),
    function("payments_list", "Payments of a customer, newest first.", customer_id="string"),
    function("payments_get", "One payment with its acquirer reference, card and fee.", payment_id="string"),
    function("subscriptions_list", "Subscriptions of a customer.", customer_id="string"),
    function("disputes_list", "Open disputes of a customer with the network's reason code.", customer_id="string"),
    function(
        "approvals_request", "Ask for the approval that refunds of older payments need. Granted at once.", payment_id="string"
    ),
    function(
        "refunds_create",
        "Refund a payment in full or in part.",
        required=("payment_id", "amount", "reason"),
        payment_id="string",
        amount=_AMOUNT,
        reason={"type": "string", "enum": list(REASONS)},
        notify_customer=_NOTIFY,
        dry_run=_DRY,
    ),
    function(
        "invoices_create",
        "Issue an invoice.",
        required=("customer_id", "amount", "currency", "due_date", "tax_country"),
        customer_id="string",
        amount=_AMOUNT,
        currency={"type": "string", "description": "ISO 4217 code."},
        due_date={"type": "string", "description": "YYYY-MM-DD"},
        tax_country={"type": "string", "description": "ISO 3166-1 alpha-2 code."},
        notify_customer=_NOTIFY,
        dry_run=_DRY,
    ),
    function(
        "payouts_schedule",
        "Schedule a payout to a merchant.",
        merchant_id="string",
        amount=_AMOUNT,
        currency={"type": "string", "description": "ISO 4217 code."},
        run_at={"type": "string", "description": "ISO 8601 time with offset or Z."},
    ),
    function(
        "subscriptions_pause",
        "Pause billing of a subscription until a day.",
        required=("subscription_id", "resume_on"),
        subscription_id="string",
        resume_on={"type": "string", "description": "YYYY-MM-DD"},
        notify_customer=_NOTIFY,
    ),
    function(
        "disputes_classify",
        "File a dispute under a category.",
        dispute_id="string",
        category={"type": "string", "enum": list(CATEGORIES)},
    ),
)
WRITES: Final = frozenset(
    (
        "approvals_request",
        "refunds_create",
        "invoices_create",
        "payouts_schedule",
        "subscriptions_pause",
        "disputes_classify",
    )
)


@dataclass(frozen=True)
class Customer:
    id: str
    name: str
    email: str


@dataclass(frozen=True)
class Merchant:
    id: str
    name: str


@dataclass(frozen=True)
class Payment:
    id: str
    customer: str
    minor: int
    currency: str
    status: str
    created: date
    title: str
    reference: str
    """The acquirer's reference number; only the single payment shows it."""


@dataclass(frozen=True)
class Subscription:
    id: str
    customer: str
    plan: str


@dataclass(frozen=True)
class Dispute:
    id: str
    customer: str
    network: str
    code: str

    @property
    def category(self) -> str:
        return CODES[self.network, self.code]


@dataclass(frozen=True)
class Books:
    customers: tuple[Customer, ...]
    merchants: tuple[Merchant, ...]
    payments: tuple[Payment, ...]
    subscriptions: tuple[Subscription, ...]
    disputes: tuple[Dispute, ...]

    def payments_of(self, customer: str) -> list[Payment]:
        return sorted((one for one in self.payments if one.customer == customer), key=lambda one: one.created, reverse=True)


def written(minor: int, currency: str) -> str:
    """An amount as people write it: 1,250.00 in euro, 1,250 in yen, 12.500 in dinar."""
    places = DECIMALS[currency]
    return f"{minor / 10**places:,.{places}f}"


def draw_amount(rng: Random, currency: str) -> int:
    """A round price in the smallest unit."""
    if DECIMALS[currency] == 0:
        return rng.randint(12, 480) * 100
    if DECIMALS[currency] == 3:
        return rng.randint(10, 320) * 500
    return rng.randint(900, 64_000)


def number(rng: Random, digits: int) -> str:
    """An id of so many digits, none of them a leading zero."""
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


def build_books(rng: Random) -> Books:
    customers = tuple(
        Customer(number(rng, 16), f"{first} {last}", f"{last}.{first}@mailbox.example".lower().replace(" ", ""))
        for first, last in people(rng, 42)
    )
    payments: list[Payment] = []
    for customer in customers:
        days = rng.sample(range(2, 130), rng.randint(4, 7))
        home = rng.choice(_DRAWN)
        for title, ago in zip(rng.sample(_GOODS, len(days)), days, strict=True):
            currency = home if rng.random() < 0.75 else rng.choice(_DRAWN)
            status = rng.choice(("succeeded", "succeeded", "succeeded", "succeeded", "failed"))
            minor, created = draw_amount(rng, currency), TODAY - timedelta(days=ago)
            payments.append(Payment(number(rng, 17), customer.id, minor, currency, status, created, title, number(rng, 16)))
    subscriptions = tuple(
        Subscription(number(rng, 17), customer.id, plan)
        for customer in customers
        for plan in rng.sample(PLANS, rng.randint(1, 3))
    )
    disputes = tuple(Dispute(number(rng, 17), customer.id, *rng.choice(tuple(CODES))) for customer in customers)
    merchants = tuple(Merchant(number(rng, 16), name) for name in _SHOPS)
    return Books(customers, merchants, tuple(payments), subscriptions, disputes)


def _shown(payment: Payment) -> dict[str, Any]:
    return {
        "payment_id": payment.id,
        "total": f"{payment.currency} {written(payment.minor, payment.currency)}",
        "status": payment.status,
        "created": payment.created.isoformat(),
        "title": payment.title,
    }


def _refusal(kind: str, given: object) -> str:
    return json.dumps({"error": {"type": "invalid_request", "message": f"no such {kind}: '{given}'"}})


def refused(answer: str) -> bool:
    return answer.startswith('{"error"')


def books_backend(books: Books) -> Backend:
    known: dict[str, Sequence[str]] = {
        "payment": [one.id for one in books.payments],
        "customer": [one.id for one in books.customers],
        "merchant": [one.id for one in books.merchants],
        "subscription": [one.id for one in books.subscriptions],
        "dispute": [one.id for one in books.disputes],
    }

    def searched(made: Call) -> str:
        wanted = str(made.arguments.get("query", "")).lower()
        if made.name == "merchants_search":
            shops = [{"merchant_id": one.id, "name": one.name} for one in books.merchants if wanted in one.name.lower()]
            return json.dumps({"data": shops})
        found = [one for one in books.customers if wanted in f"{one.name} {one.email}".lower()]
        return json.dumps({"data": [{"customer_id": one.id, "name": one.name, "email": one.email} for one in found]})

    def listed(made: Call) -> str:
        customer = made.arguments.get("customer_id")
        if customer not in known["customer"]:
            return _refusal("customer", customer)
        if made.name == "payments_list":
            return json.dumps({"data": [_shown(one) for one in books.payments_of(str(customer))]})
        if made.name == "subscriptions_list":
            mine = [{"subscription_id": one.id, "plan": one.plan} for one in books.subscriptions if one.customer == customer]
            return json.dumps({"data": mine})
        open_ones = [one for one in books.disputes if one.customer == customer]
        return json.dumps(
            {"data": [{"dispute_id": one.id, "network": one.network, "reason_code": one.code} for one in open_ones]}
        )

    def answer(made: Call) -> str:
        if made.name.endswith("_search"):
            return searched(made)
        if made.name.endswith("_list"):
            return listed(made)
        key = next(iter(made.arguments), "")
        kind, given = key.removesuffix("_id"), made.arguments.get(key)
        if given not in known.get(kind, ()):
            return _refusal(kind, given)
        if made.name == "payments_get":
            payment = next(one for one in books.payments if one.id == given)
            return json.dumps({**_shown(payment), "acquirer_reference": payment.reference, "card": f"**** {payment.id[-4:]}"})
        if made.arguments.get("dry_run"):
            return json.dumps({"dry_run": True, "valid": True, "message": "validated only, nothing was changed"})
        noun = made.name.partition("_")[0].removesuffix("s")
        return json.dumps(
            {"object": noun, "id": str(int(str(given)[-9:]) * len(made.name) + 10**10), "status": "accepted", key: given}
        )

    return answer
