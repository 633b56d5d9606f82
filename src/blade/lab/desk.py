"""The front desk of a tool library: a small world of our own, and the tools an assistant has at that desk.

Members borrow machines, book benches, buy consumables and pay fees. The world is drawn from a seed and never changes: a *read*
tool answers from it, a *write* tool only acknowledges. Writes are lenient on purpose (an unknown member id is accepted as
readily as a true one), because a backend that says "done" to a guess is what makes a skipped lookup silent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

TODAY = date(2026, 3, 4)
"""The Wednesday on which every task takes place."""

_FIRST = ("Aveline", "Bram", "Corisande", "Dorte", "Emrys", "Fenella", "Gethin", "Hedy", "Isolde", "Jorun", "Kasimir", "Lowri")
_LAST = ("Achterberg", "Bellweather", "Crundall", "Dravnik", "Eskeland", "Farthingale", "Gorringe", "Hallworth", "Ilvesaar")
_MACHINES = (
    "band saw, benchtop",
    "belt sander, 75 mm",
    "biscuit jointer",
    "brad nailer, cordless",
    "core drill with stand",
    "dowelling jig, metric",
    "floor polisher, twin head",
    "heat gun, dual speed",
    "laser level, green line",
    "mitre saw, sliding",
    "mortiser, hollow chisel",
    "plunge router, half inch",
    "tile cutter, wet",
    "wallpaper steamer",
)
_SUPPLIES = (
    "abrasive disc, grit 120",
    "brass screw, 4 x 40",
    "cable clip, white",
    "copper rivet, 3 mm",
    "felt pad, self-adhesive",
    "hex bolt, M8",
    "rubber washer, 15 mm",
    "sanding sheet, grit 80",
)
_FEATURES = ("dust extraction", "a metalworking vice", "a lathe", "a spray booth", "a glue press", "wheelchair access")
_CHARGES = (
    "machine hire, block booking",
    "bench hire, quarter",
    "blade replacement",
    "late return",
    "induction course",
    "deposit",
)


@dataclass(frozen=True)
class Member:
    id: str
    name: str
    card_ending: str
    """Printed on the card; the id cannot be derived from it."""


@dataclass(frozen=True)
class Stock:
    id: str
    title: str
    kind: str
    """`machine` (lent) or `supply` (sold)."""


@dataclass(frozen=True)
class Bench:
    id: str
    feature: str


@dataclass(frozen=True)
class Loan:
    id: str
    member: str
    item: str
    due: date


@dataclass(frozen=True)
class Fee:
    member: str
    charge: str
    pence: int


@dataclass(frozen=True)
class World:
    members: tuple[Member, ...]
    stock: tuple[Stock, ...]
    benches: tuple[Bench, ...]
    loans: tuple[Loan, ...]
    fees: tuple[Fee, ...]

    def loans_of(self, member: str) -> tuple[Loan, ...]:
        return tuple(loan for loan in self.loans if loan.member == member)

    def fees_of(self, member: str) -> tuple[Fee, ...]:
        return tuple(fee for fee in self.fees if fee.member == member)

    def of_kind(self, kind: str) -> tuple[Stock, ...]:
        return tuple(stock for stock in self.stock if stock.kind == kind)


@dataclass(frozen=True)
class Call:
    """One tool call. `key` is what makes two calls the same call, whatever the order of the arguments."""

    name: str
    arguments: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, str]:
        return self.name, json.dumps(self.arguments, sort_keys=True)


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: Mapping[str, str]
    """Argument name → JSON type."""
    writes: bool = False
    service: str = "office"
    """The backend that answers; an outage takes down one service, not the desk."""


TOOLS: tuple[Tool, ...] = (
    Tool(
        "find_member", "Find members by name. Returns member id, full name and the last digits of the card.", {"name": "string"}
    ),
    Tool("list_loans", "Current loans of a member with item and due date.", {"member_id": "string"}),
    Tool("list_fees", "Open charges on a member's account, in pounds.", {"member_id": "string"}),
    Tool("list_benches", "Benches that have a piece of equipment.", {"equipment": "string"}),
    Tool("search_stock", "Search machines and consumables by title. Returns stock ids.", {"query": "string"}, service="stock"),
    Tool(
        "extend_loan", "Move the due date of a loan by a number of days.", {"loan_id": "string", "days": "integer"}, writes=True
    ),
    Tool("check_out", "Lend a machine.", {"member_id": "string", "item_id": "string", "days": "integer"}, writes=True),
    Tool(
        "reserve_bench",
        "Reserve a bench for a member from an hour (0-23) of a day on.",
        {"member_id": "string", "bench_id": "string", "date": "string", "start_hour": "integer", "hours": "integer"},
        writes=True,
    ),
    Tool(
        "order_supplies",
        "Order single pieces of a consumable.",
        {"item_id": "string", "pieces": "integer"},
        writes=True,
        service="stock",
    ),
    Tool(
        "send_reminder",
        "Send a member the reminder for one loan.",
        {"member_id": "string", "loan_id": "string", "tone": "string"},
        writes=True,
    ),
)
TOOL = {tool.name: tool for tool in TOOLS}


def dice(*names: object) -> Random:
    """A source of chance of its own for each named thing, so that changing one draw leaves all others as they were."""
    return Random(":".join(map(str, names)))  # noqa: S311 (a reproducible script, not a secret)


def build_world(seed: int, members: int = 96) -> World:
    """Draw the members, stock, benches, loans and fees of one library; the same seed always gives the same world."""
    rng = dice(seed, "world")
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    people = tuple(
        Member(f"M-{number}", name, f"{ending:03d}")
        for name, number, ending in zip(
            rng.sample(names, members), rng.sample(range(2000, 9000), members), rng.sample(range(100, 1000), members), strict=True
        )
    )
    stock = tuple(
        Stock(f"{prefix}{number}", title, kind)
        for kind, prefix, titles in (("machine", "K", _MACHINES), ("supply", "S", _SUPPLIES))
        for title, number in zip(titles, rng.sample(range(1000, 9999), len(titles)), strict=True)
    )
    benches = tuple(
        Bench(f"bench-{number}", feature)
        for number, feature in zip(rng.sample(range(11, 60), len(_FEATURES)), _FEATURES, strict=True)
    )
    machines = [item.title for item in stock if item.kind == "machine"]
    loan_numbers = iter(rng.sample(range(10_000, 99_999), 3 * members))
    loans = tuple(
        Loan(f"L{next(loan_numbers)}", member.id, title, TODAY + timedelta(days=rng.randint(-20, 12)))
        for member in people
        for title in rng.sample(machines, rng.randint(2, 3))
    )
    fees = tuple(
        Fee(member.id, charge, 10 * rng.randint(3_400, 8_900))
        for member in people
        for charge in rng.sample(_CHARGES, rng.randint(3, 5))
    )
    return World(people, stock, benches, loans, fees)


def pounds(pence: int) -> str:
    return f"{pence // 100}.{pence % 100:02d}"


def answer(world: World, call: Call) -> str:
    """What the desk's backend returns for a call: JSON for a read, an acknowledgement for a write."""
    given = call.arguments
    match call.name:
        case "find_member":
            wanted = str(given["name"]).lower()
            found = [
                {"member_id": person.id, "name": person.name, "card_ending": person.card_ending}
                for person in world.members
                if wanted in person.name.lower()
            ]
            return json.dumps({"members": found})
        case "list_loans":
            loans = world.loans_of(given["member_id"])
            return json.dumps({"loans": [{"loan_id": loan.id, "item": loan.item, "due": loan.due.isoformat()} for loan in loans]})
        case "list_fees":
            fees = world.fees_of(given["member_id"])
            return json.dumps({"open": [{"charge": fee.charge, "pounds": pounds(fee.pence)} for fee in fees]})
        case "list_benches":
            wanted = str(given["equipment"]).lower()
            return json.dumps({"benches": [{"bench_id": b.id, "has": b.feature} for b in world.benches if wanted in b.feature]})
        case "search_stock":
            words = str(given["query"]).lower()
            hits = [
                {"item_id": item.id, "title": item.title, "kind": item.kind}
                for item in world.stock
                if words in item.title.lower()
            ]
            return json.dumps({"hits": hits})
        case name if name in TOOL:
            told = ", ".join(f"{key}={value}" for key, value in given.items())
            return f"Accepted: {name} ({told})."
        case name:
            return f"Error: there is no tool named '{name}'."
