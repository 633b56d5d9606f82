"""The energy supplier of the dialogue environment: one customer, their profile, and the agent's tools."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from blade.lab.desk import Call
from blade.lab.environments.environment import function
from blade.lab.stage.play import Backend

TODAY = date(2026, 4, 14)
WRITES = ("issue_credit", "change_tariff", "set_payment_method", "book_visit", "end_contract")

TOOLS = (
    function("find_customer", "Find a customer by email. Returns the customer id.", email="string"),
    function("get_customer", "Profile of a customer: tier, contracts, payment methods.", customer_id="string"),
    function("list_outages", "Outages at a customer's address in the last months.", customer_id="string"),
    function("list_invoices", "Open invoices of a customer.", customer_id="string"),
    function("issue_credit", "Credit an amount in euros to a customer.", customer_id="string", amount="number"),
    function("change_tariff", "Change the tariff of a contract.", contract_id="string", tariff="string"),
    function("set_payment_method", "Set the payment method of a contract.", contract_id="string", payment_id="string"),
    function("book_visit", "Book a technician.", contract_id="string", date="string", slot="string"),
    function("end_contract", "End a contract on a day.", contract_id="string", end_date="string"),
    function("transfer_to_human", "Hand the conversation over to a person.", summary="string"),
)


@dataclass(frozen=True)
class Customer:
    id: str
    name: str
    email: str
    tier: str
    contract: str
    payments: tuple[tuple[str, str, str], ...]
    """(id, kind, last digits)."""
    outage_days: int
    invoices: tuple[int, ...]
    """In cents."""


def draw_customer(rng: Random, first: str, last: str) -> Customer:
    kinds = rng.sample(("card", "card", "bank_account", "voucher"), 3)
    return Customer(
        f"C{rng.randint(10_000, 99_999)}",
        f"{first} {last}",
        f"{first}.{last}{rng.randint(1, 99)}@mail.example".lower().replace(" ", ""),
        rng.choice(("basic", "plus", "premium")),
        f"CT-{rng.randint(100_000, 999_999)}",
        tuple((f"pm_{rng.randint(1_000_000, 9_999_999)}", kind, str(rng.randint(1_000, 9_999))) for kind in kinds),
        rng.randint(3, 9),
        tuple(rng.randint(21_000, 68_000) for _ in range(3)),
    )


def service_backend(customer: Customer) -> Backend:
    def answer(made: Call) -> str:
        given: dict[str, Any] = dict(made.arguments)
        if made.name == "find_customer":
            if given["email"].lower() != customer.email:
                return "Error: no customer with this email"
            return json.dumps({"customer_id": customer.id, "name": customer.name})
        if given.get("customer_id", customer.id) != customer.id:
            return f"Error: customer {given['customer_id']} not found"
        if given.get("contract_id", customer.contract) != customer.contract:
            return f"Error: contract {given['contract_id']} not found"
        match made.name:
            case "get_customer":
                payments = [{"payment_id": one, "kind": kind, "ending": ending} for one, kind, ending in customer.payments]
                return json.dumps(
                    {
                        "customer_id": customer.id, "name": customer.name, "tier": customer.tier,
                        "contracts": [{"contract_id": customer.contract, "tariff": "Flex", "since": "2023-06-01"}], "payment_methods": payments,
                    }
                )  # fmt: skip
            case "list_outages":
                start = TODAY - timedelta(days=30)
                end = start + timedelta(days=customer.outage_days - 1)
                return json.dumps([{"from": start.isoformat(), "to": end.isoformat(), "full_days": customer.outage_days}])
            case "list_invoices":
                return json.dumps(
                    [{"invoice": f"2026-0{month}", "open": cents / 100} for month, cents in enumerate(customer.invoices, 1)]
                )
            case "transfer_to_human":
                return "Transfer successful"
        return json.dumps({"status": "ok", **given})

    return answer
