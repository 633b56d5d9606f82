"""The tools of a brewery, named as the operations of its planning software (`Beers_Get`, `Deliveries_Create`).

Answers are exports with semicolons between the columns and a count of rows at the end; a change is answered with a voucher, what is
turned down with a reason. No tool knows how strong a beer is, how SRM and EBC go together, how much a barrel holds, codes of countries, time
zones or where a hop is from.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.brewery.books import ORIGINS, STAGES, STATIONS, Books
from blade.lab.environments.environment import function
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2026-12-31"
"""The day that the schemas of tools give as an example."""


def _id(what: str) -> Row:
    return {"type": "string", "pattern": f"^{what}#[0-9]{{5}}$"}


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


_DAY: Final = {"type": "string", "format": "date", "examples": [EXAMPLE_DAY]}
TOOLS = (
    function("Brewers_Get", "Read a brewer.", name="string"),
    function("Inns_Get", "Read an inn that we deliver to.", name="string"),
    function("Inns_ListDeliveries", "List the coming deliveries to an inn.", inn=_id("inn")),
    function("Beers_Get", "Read a beer: gravities and colour (SRM).", name="string"),
    function("Beers_GetStock", "Read how many kegs of a beer are in stock.", beer=_id("beer")),
    function("Batches_Get", "Read a batch.", name="string"),
    function("Tanks_Get", "Read a tank.", name="string"),
    function("Maltsters_Get", "Read a maltster.", name="string"),
    function("Maltsters_ListSacks", "List the sacks of a maltster's last load.", maltster=_id("maltster")),
    function("Importers_Get", "Read an importer, with the country and the open order.", name="string"),
    function("Tastings_Get", "Read a tasting, with its hop and when it begins (UTC).", name="string"),
    function(
        "Shifts_Create",
        "Roster a brewer for a shift.",
        ("brewer", "station", "day", "duty"),
        brewer=_id("brewer"),
        station=_one_of(tuple(STATIONS)),
        day=_DAY,
        duty="string",
        hours={"type": "integer", "minimum": 2, "maximum": 12, "default": 8},
    ),
    function(
        "Deliveries_Create",
        "Plan a delivery of kegs for the next tour.",
        ("inn", "beer", "kegs"),
        inn=_id("inn"),
        beer=_id("beer"),
        kegs={"type": "number", "exclusiveMinimum": 0},
        express={"type": "boolean", "description": "Whether the kegs go out ahead of the tour", "default": False},
    ),
    function("Deliveries_Cancel", "Cancel a delivery.", delivery=_id("delivery")),
    function("Backlog_Add", "Put a beer on the backlog, with a note.", beer=_id("beer"), note="string"),
    function(
        "Batches_SetHops",
        "Set the hops of a batch. Their order does not matter.",
        batch=_id("batch"),
        hops={"type": "array", "items": _one_of(tuple(ORIGINS)), "uniqueItems": True},
    ),
    function("Batches_SetStage", "Set how far a batch is.", batch=_id("batch"), stage=_one_of(tuple(STAGES))),
    function("Beers_SetStrength", "Set the strength of a beer, in per cent by volume.", beer=_id("beer"), abv="number"),
    function("Beers_SetColour", "Set the colour of a beer, in whole units of EBC.", beer=_id("beer"), ebc="integer"),
    function(
        "Tanks_PlanCleaning",
        "Plan the cleaning of a tank.",
        ("tank", "day", "reason"),
        tank=_id("tank"),
        day=_DAY,
        reason="string",
        agent=_one_of(("caustic", "acid", "peracetic"), default="caustic"),
    ),
    function("Exports_SetVolume", "Set the volume of an importer's open order, in litres.", importer=_id("importer"), litres="number"),
    function(
        "Exports_SetLabel",
        "Set what the label of an importer's open order says.",
        importer=_id("importer"),
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code of the country that it goes to", "pattern": "^[A-Z]{2}$"},
        lot={"type": "string", "description": "Code of the lot"},
    ),
)  # fmt: skip
READS: Final = frozenset(tool["name"] for tool in TOOLS if "_Get" in tool["name"] or "_List" in tool["name"])
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_IDS: Final = ("brewer", "inn", "delivery", "beer", "batch", "tank", "importer")


def refused(answer: str) -> bool:
    return answer.startswith("status;reason")


class Desk:
    """The tools over the books."""

    def __init__(self, books: Books) -> None:
        self.books = books

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        header, rows = self._found(made.name, asked)
        lines = [";".join(map(str, row)) for row in rows]
        return "\n".join((header, *lines, f"# {len(lines)} row{'' if len(lines) == 1 else 's'}"))

    def _found(self, name: str, asked: object) -> tuple[str, list[tuple[object, ...]]]:
        """The header of a lookup's answer, and its rows."""
        books = self.books
        match name:
            case "Brewers_Get":
                return "id;name;hired", [(one.id, one.name, one.hired) for one in books.brewers if one.name == asked]
            case "Inns_ListDeliveries":
                return "id;beer;kegs;day", [(one.id, one.beer, one.kegs, one.day) for one in books.deliveries_to(asked)]
            case "Beers_Get":
                return "id;name;original_gravity;final_gravity;colour_srm", [
                    (one.id, one.name, f"{1 + one.original / 1000:.3f}", f"{1 + one.final / 1000:.3f}", one.srm)
                    for one in books.beers
                    if one.name == asked
                ]
            case "Beers_GetStock":
                return "id;name;kegs", [(one.id, one.name, one.kegs) for one in books.beers if one.id == asked]
            case "Tanks_Get":
                return "id;name;hl", [(one.id, one.name, one.hectolitres) for one in books.tanks if one.name == asked]
            case "Maltsters_ListSacks":
                return "sack;weight", [
                    (number, f"{pounds} lb")
                    for one in books.maltsters
                    if one.id == asked
                    for number, pounds in enumerate(one.sacks, 1)
                ]
            case "Importers_Get":
                return "id;name;country;open_order", [
                    (one.id, one.name, one.country, f"{one.barrels} US beer barrels")
                    for one in books.importers
                    if one.name == asked
                ]
            case "Tastings_Get":
                return "id;name;hop;begins_utc", [
                    (one.id, one.name, one.hop, f"{one.begins:%Y-%m-%d %H:%M}") for one in books.tastings if one.name == asked
                ]
        kept = {"Inns_Get": books.inns, "Batches_Get": books.batches, "Maltsters_Get": books.maltsters}.get(name, ())
        return "id;name", [(one.id, one.name) for one in kept if one.name == asked]

    def _changed(self, made: Call) -> str:
        given = made.arguments
        for key in _IDS:
            if key in given and not (given[key] in self.books.ids and str(given[key]).startswith(f"{key}#")):
                return f"status;reason\nrejected;no {key} has the id {given[key]}"
        if "day" in given and not _is_day(given["day"]):
            return f"status;reason\nrejected;{given['day']} is not a day"
        return f"status;voucher\nposted;{dice(*made.key).randrange(16**6):06X}"


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False
