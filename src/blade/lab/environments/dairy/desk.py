"""The tools of a dairy's office: one search over all registers, one list of readings, and a dozen changes.

They answer in YAML: how many entries there are and what is in them, or the status of a change, which is `rejected` where it is turned
down. No tool knows the linear score of a cell count, other scales of acidity, check digits, codes of countries or languages, hundredweights in
kilograms, gallons in litres, clear days, weeks, time zones, or where cheeses and breeds come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.dairy.books import (
    ABROAD,
    STATUSES,
    Batch,
    Books,
    Customer,
    Driver,
    Herd,
    Meeting,
    Member,
    Named,
    Route,
    Webinar,
)
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2027-01-15"
"""The day that the schemas of tools give as an example."""
PANEL: Final = (
    "coliforms", "listeria", "salmonella", "antibiotics", "fat content", "protein content", "moisture", "salt", "phosphatase", "yeasts",
    "aflatoxin",
)  # fmt: skip
FIGURES: Final = ("somatic_cell_score", "acidity_dornic")


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": f"{description}, YYYY-MM-DD", "examples": [EXAMPLE_DAY]}


TOOLS = (
    function("search_records", "Search all registers (drivers, routes, herds, members, batches, customers, products, meetings, webinars) for an entry of this name.", name="string"),
    function("get_readings", "Readings on file for a herd (analyses of its milk), a batch (germ count) or a route (what the tanker took at each stop last week), in no particular order.", record_id="string"),
    function(
        "assign_shift",
        "Put a driver on a route for a day.",
        ("driver_id", "route_id", "day", "start"),
        driver_id="string",
        route_id="string",
        day=_day("Day of the shift"),
        start=_one_of(("early", "late")),
        hours={"type": "integer", "minimum": 4, "maximum": 10, "default": 8},
    ),
    function(
        "enter_collection",
        "Enter milk that was collected.",
        ("herd_id", "route_id", "litres"),
        herd_id="string",
        route_id="string",
        litres={"type": "number", "exclusiveMinimum": 0},
        second_quality={"type": "boolean", "default": False},
    ),
    function("set_supplement", "Set the quality supplement that is paid for a herd's milk.", herd_id="string", percent={"type": "number", "description": "Per cent of the base price", "minimum": 1, "maximum": 25}),
    function("set_herd_figure", "Set a figure on a herd's card.", herd_id="string", figure=_one_of(FIGURES), value="number"),
    function("set_batch_status", "Set the status of a batch.", batch_id="string", status=_one_of(STATUSES)),
    function("add_batch_remark", "Put a remark on a batch.", batch_id="string", text="string"),
    function(
        "set_test_panel",
        "Set what a batch is tested for. The panel is a set; in which order tests are named means nothing.",
        batch_id="string",
        tests={"type": "array", "items": _one_of(PANEL), "uniqueItems": True},
    ),
    function(
        "file_notice",
        "File a notice for the farms on a route, as a draft or so that drivers hand it out.",
        ("route_id", "text", "state"),
        route_id="string",
        text="string",
        state=_one_of(("draft", "handed_out")),
        large_print={"type": "boolean", "default": False},
    ),
    function(
        "plan_invitation",
        "Plan when the invitation to a meeting is posted on the board.",
        ("meeting_id", "post_on"),
        meeting_id="string",
        post_on=_day("Day on which it is posted"),
        by_mail_too={"type": "boolean", "default": True},
    ),
    function(
        "create_delivery",
        "Enter a delivery to a customer.",
        ("customer_id", "product_id", "cases", "deliver_on"),
        customer_id="string",
        product_id="string",
        cases={"type": "number", "minimum": 1},
        deliver_on=_day("Day of the delivery"),
        chilled={"type": "boolean", "default": True},
    ),
    function(
        "label_consignment",
        "Set the export label of a customer's consignment.",
        customer_id="string",
        kilograms={"type": "number", "exclusiveMinimum": 0},
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        language={"type": "string", "description": "ISO 639-1 code", "pattern": "^[a-z]{2}$"},
        collect_on=_day("Day on which it is collected"),
    ),
    function("set_bank_account", "Set the account that a member's milk money goes to.", member_id="string", iban={"type": "string", "description": "IBAN without blanks", "pattern": "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"}),
)  # fmt: skip
READS: Final = frozenset(("search_records", "get_readings"))
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_DAYS: Final = ("day", "post_on", "deliver_on", "collect_on")


def refused(answer: str) -> bool:
    return answer.startswith("status: rejected")


def _entries(word: str, rows: Iterable[Row]) -> str:
    """A list as YAML has it."""
    lines = ["\n  ".join(f"{key}: {value}" for key, value in row.items()) for row in rows]
    return f"{word}: {len(lines)}" + "".join(f"\n- {one}" for one in lines)


class Desk:
    """The tools over the books."""

    def __init__(self, books: Books) -> None:
        self.books = books

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        records = [(sort, one) for sort, ones in self.books.sorts.items() for one in ones]
        if made.name == "search_records":
            return _entries("found", [_card(sort, one) for sort, one in records if one.name == asked])
        return _entries("readings", [reading for _, one in records if one.id == asked for reading in _readings(one)])

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.books.ids.get(key)
            if known is not None and value not in known:
                return f"status: rejected\nreason: there is no {key.removesuffix('_id')} with the id {value}"
            if key in _DAYS and not is_day(value):
                return f"status: rejected\nreason: {key} must be a day written YYYY-MM-DD"
        return f"status: ok\nentry: {dice(*made.key).randrange(200_000, 899_999)}"


def _card(sort: str, one: Named) -> Row:
    """What a search shows of a record."""
    card: Row = {"id": one.id, "register": sort, "name": one.name}
    match one:
        case Driver():
            return card | {"joined": one.joined}
        case Member():
            return card | {"bank_country": "AT", "bank_and_account": one.number}
        case Batch():
            return card | {"status": one.status}
        case Customer():
            return card | {"country": one.country, "papers_in": ABROAD[one.country][2], "consignment_us_cwt": one.hundredweight}
        case Meeting():
            return card | {"held_on": one.day}
        case Webinar():
            return card | {"cheese": one.cheese, "begins": f"{one.begins:%Y-%m-%d %H:%M} UTC"}
    return card


def _readings(one: Named) -> list[Row]:
    match one:
        case Herd():
            return [
                {"sampled": made.sampled, "somatic_cells_per_ml": 1_000 * made.cells, "acidity_sh": made.acidity}
                for made in one.analyses
            ]
        case Batch():
            return [{"germs_thousand_per_ml": one.germs}]
        case Route():
            return [{"stop": at, "us_gallons": much} for at, much in enumerate(one.gallons, 1)]
    return []
