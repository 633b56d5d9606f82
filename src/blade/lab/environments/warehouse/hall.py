"""The hall of the warehouse environment: items in bins, suppliers, shipments, and the tools over them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.environment import function
from blade.lab.stage.play import Backend

TODAY = date(2026, 9, 2)
_GOODS = (
    "cargo strap", "stretch film", "corner guard", "pallet collar", "label roll", "safety vest", "hand lamp", "dock bumper",
    "void filler", "carton sealer", "work glove", "floor marker", "wheel chock", "cable drum", "euro crate", "drum liner",
)  # fmt: skip
SUPPLIERS = (
    "Halden Pack",
    "Ostrom Supply",
    "Kirra Trading",
    "Belfort Industrie",
    "Nakano Works",
    "Tamar Freight",
    "Selwyn & Sons",
)

TOOLS = (
    function("find_item", "Item codes by description.", text="string"),
    function("stock_of", "Where an item lies: bins, loose pieces and full pallets.", item_code="string"),
    function("find_supplier", "Supplier number by name.", name="string"),
    function(
        "list_shipments",
        "Outgoing shipments. Dates include both ends.",
        required=(),
        carrier="string",
        due_from="string",
        due_to="string",
    ),
    function(
        "place_order", "Order pieces of an item from a supplier.", item_code="string", supplier_no="string", pieces="integer"
    ),
    function("release_shipment", "Release one shipment for loading.", shipment_no="string"),
    function(
        "move_stock",
        "Move pieces from one bin to another.",
        item_code="string",
        from_bin="string",
        to_bin="string",
        pieces="integer",
    ),
    function("call_supervisor", "Leave the request to the shift supervisor.", note="string"),
)


@dataclass(frozen=True)
class Item:
    code: str
    name: str
    bin: str
    loose: int
    pallets: int


@dataclass(frozen=True)
class Shipment:
    number: str
    carrier: str
    due: date


@dataclass(frozen=True)
class Hall:
    items: tuple[Item, ...]
    suppliers: tuple[tuple[str, str], ...]
    """(number, name)."""
    shipments: tuple[Shipment, ...]


def build_hall(rng: Random) -> Hall:
    names = [f"{good}, {size}" for good in _GOODS for size in rng.sample(("S", "M", "L", "XL", "heavy", "light"), 3)]
    codes = rng.sample(range(10_000, 99_999), len(names))
    items = tuple(
        Item(
            f"QW{code}",
            name,
            f"{rng.choice('ABCDEF')}-{rng.randint(1, 40):02d}-{rng.randint(1, 6)}",
            rng.randint(5, 46),
            rng.randint(22, 60),
        )
        for name, code in zip(names, codes, strict=True)
    )
    numbers = rng.sample(range(4_000, 9_999), len(SUPPLIERS))
    carriers = ("Norline", "Vantor", "Ruhr Express", "Sealane")
    shipments = tuple(
        Shipment(f"SH{number}", rng.choice(carriers), TODAY + timedelta(days=rng.randint(-2, 21)))
        for number in rng.sample(range(100_000, 999_999), 90)
    )
    return Hall(items, tuple((str(number), name) for number, name in zip(numbers, SUPPLIERS, strict=True)), shipments)


def hall_backend(hall: Hall) -> Backend:
    codes = {item.code: item for item in hall.items}
    numbers = {shipment.number for shipment in hall.shipments}

    def answer(made: Call) -> str:
        given = made.arguments
        match made.name:
            case "find_item":
                hits = [
                    {"item_code": item.code, "name": item.name} for item in hall.items if str(given["text"]).lower() in item.name
                ]
                return json.dumps({"items": hits})
            case "stock_of":
                item = codes.get(str(given["item_code"]))
                if item is None:
                    return json.dumps({"fault": "UNKNOWN_ITEM", "item_code": given["item_code"]})
                return json.dumps({"bin": item.bin, "loose_pieces": item.loose, "full_pallets": item.pallets})
            case "find_supplier":
                hits = [
                    {"supplier_no": number, "name": name}
                    for number, name in hall.suppliers
                    if str(given["name"]).lower() in name.lower()
                ]
                return json.dumps({"suppliers": hits})
            case "list_shipments":
                listed = [
                    {"shipment_no": one.number, "carrier": one.carrier, "due": one.due.isoformat()}
                    for one in hall.shipments
                    if one.carrier == given.get("carrier", one.carrier)
                    and str(given.get("due_from", "")) <= one.due.isoformat() <= str(given.get("due_to", "9999"))
                ]
                return json.dumps({"shipments": listed})
            case "release_shipment" if given["shipment_no"] not in numbers:
                return f"Error: shipment {given['shipment_no']} is not known"
            case "place_order" if given["item_code"] not in codes:
                return f"Error: item {given['item_code']} is not known"
            case "move_stock" if given["item_code"] not in codes:
                return f"Error: item {given['item_code']} is not known"
        return json.dumps({"accepted": True})

    return answer
