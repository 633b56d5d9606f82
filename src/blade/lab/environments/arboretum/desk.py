"""The tools of an arboretum, named as a client names those of its MCP servers (`mcp__records__find_plant`).

They answer as MCP tools do, in JSON: a sentence under `content`, the data under `structuredContent`, and `isError`, which is true where
something is turned down. No tool knows families of plants, what a hardiness zone stands for, which day of the year a date is, how much
of an oxide is the element, ounces in grams, gallons in litres, codes of countries or time zones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.arboretum.garden import SHARES, STAGES, Garden, Named
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2026-08-15"
"""The day that the schemas of tools give as an example."""
TAGS: Final = (
    "native", "evergreen", "autumn colour", "scented", "poisonous", "for bees", "winter interest", "edible fruit", "bark", "veteran tree",
    "grafted",
)  # fmt: skip


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": description, "examples": [EXAMPLE_DAY]}


_PERCENT: Final = {"type": "number", "description": "Seeds that came up, in per cent", "minimum": 1, "maximum": 100}
_KILOGRAMS: Final = {"type": "number", "exclusiveMinimum": 0}
TOOLS = (
    function("mcp__records__find_gardener", "Find a gardener by full name.", name="string"),
    function("mcp__records__find_plant", "Find a plant by its species, with hardiness zone (USDA), stage and the day it was first seen in bloom.", name="string"),
    function("mcp__records__find_bed", "Find a bed by name.", name="string"),
    function("mcp__records__find_glasshouse", "Find a glasshouse by name.", name="string"),
    function("mcp__seeds__find_lot", "Find a seed lot by name.", name="string"),
    function("mcp__seeds__list_germination_tests", "Germination tests of a seed lot, in no particular order.", lot_id="string"),
    function("mcp__seeds__find_institute", "Find an institute that seeds are exchanged with, with country and the consignment being packed for it.", name="string"),
    function("mcp__grounds__get_soil_ph", "What the probe in a bed reads.", bed_id="string"),
    function("mcp__grounds__find_feed", "Find a fertiliser by name, with the N-P-K grade that its sack states.", name="string"),
    function("mcp__grounds__find_tank", "Find a water tank by name.", name="string"),
    function("mcp__grounds__list_fills", "Fillings of a water tank this season.", tank_id="string"),
    function("mcp__diary__find_talk", "Find an online talk by name, with the species that it is about and when it begins (UTC).", name="string"),
    function(
        "mcp__diary__book_duty",
        "Book a gardener's duty in a glasshouse.",
        ("gardener_id", "house_id", "day", "task"),
        gardener_id="string",
        house_id="string",
        day=_day("Day of the duty"),
        task="string",
        hours={"type": "integer", "minimum": 1, "maximum": 8, "default": 4},
    ),
    function(
        "mcp__diary__plan_pruning",
        "Plan when a plant is pruned.",
        ("plant_id", "day"),
        plant_id="string",
        day=_day("Day on which it is pruned"),
        crew=_one_of(("own", "contractor"), default="own"),
    ),
    function("mcp__records__set_lowest_temperature", "Set the lowest temperature that a plant is expected to stand.", plant_id="string", fahrenheit="number"),
    function("mcp__records__set_bloom_day", "Set on which day of the year a plant was first seen in bloom.", plant_id="string", day_of_year={"type": "number", "description": "1 for 1 January", "minimum": 1, "maximum": 366}),
    function(
        "mcp__records__set_tags",
        "Set the tags of a plant. They are a set, their order means nothing.",
        plant_id="string",
        tags={"type": "array", "items": _one_of(TAGS), "uniqueItems": True},
    ),
    function("mcp__records__set_stage", "Set the stage of a plant.", plant_id="string", stage=_one_of(STAGES)),
    function(
        "mcp__records__write_sign",
        "File the text of a bed's sign, as a draft or so that it is shown to visitors.",
        ("bed_id", "text", "status"),
        bed_id="string",
        text="string",
        status=_one_of(("draft", "published")),
        with_map={"type": "boolean", "default": False},
    ),
    function("mcp__seeds__set_germination", "Set the germination rate of a seed lot.", lot_id="string", percent=_PERCENT),
    function(
        "mcp__seeds__create_shipment",
        "Enter a shipment of seed packets.",
        ("institute_id", "lot_id", "packets"),
        institute_id="string",
        lot_id="string",
        packets={"type": "number", "minimum": 1},
        cooled={"type": "boolean", "default": False},
    ),
    function("mcp__seeds__set_consignment_weight", "Set the weight of an institute's consignment.", institute_id="string", grams="number"),
    function(
        "mcp__seeds__set_consignment_label",
        "Set the label of an institute's consignment.",
        institute_id="string",
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        collect_on=_day("Day on which it is collected"),
    ),
    function("mcp__grounds__order_treatment", "Order a soil treatment for a bed.", bed_id="string", product=_one_of(("lime", "sulphur")), kilograms=_KILOGRAMS),
    function("mcp__grounds__add_note", "Put a note on a bed's file.", bed_id="string", text="string"),
    function("mcp__grounds__set_element_content", "Set how much of an element a sack of a fertiliser holds.", feed_id="string", element=_one_of(tuple(SHARES)), kilograms=_KILOGRAMS),
)  # fmt: skip
READS: Final = frozenset(
    tool["name"] for tool in TOOLS if tool["name"].rpartition("__")[2].partition("_")[0] in ("find", "get", "list")
)
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_DAYS: Final = ("day", "collect_on")
_LISTED: Final = {
    "get_soil_ph": "readings", "list_germination_tests": "tests", "list_fills": "fills", "find_glasshouse": "glasshouses",
}  # fmt: skip


def refused(answer: str) -> bool:
    return answer.endswith('"isError": true}')


def _answer(text: str, data: Row | None, error: bool = False) -> str:
    told: Row = {"content": [{"type": "text", "text": text}]}
    return json.dumps(told | ({} if data is None else {"structuredContent": data}) | {"isError": error}, ensure_ascii=False)


class Desk:
    """The tools over the records of the garden."""

    def __init__(self, garden: Garden) -> None:
        self.garden = garden

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        short = made.name.rpartition("__")[2]
        listed = _LISTED.get(short) or f"{short.partition('_')[2]}s"
        found = self._found(short, str(asked))
        return _answer(f"{len(found)} {listed if len(found) != 1 else listed[:-1]} found.", {listed: found})

    def _found(self, name: str, asked: str) -> list[Row]:
        at = self.garden
        match name:
            case "list_germination_tests":
                tests = [test for one in at.lots if one.id == asked for test in one.tests]
                return [{"tested": f"{day}", "percent": percent} for day, percent in tests]
            case "get_soil_ph":
                return [{"bed_id": one.id, "ph": one.ph} for one in at.beds if one.id == asked]
            case "list_fills":
                fills = [one.fills for one in at.tanks if one.id == asked]
                return [{"filling": number, "us_gallons": much} for some in fills for number, much in enumerate(some, 1)]
        sorts: dict[str, Sequence[Named]] = {
            "gardener": at.gardeners, "plant": at.plants, "bed": at.beds, "glasshouse": at.houses, "lot": at.lots,
            "institute": at.institutes, "feed": at.feeds, "tank": at.tanks, "talk": at.talks,
        }  # fmt: skip
        sort = name.partition("_")[2]
        return [_card(sort, one) for one in sorts[sort] if one.name == asked]

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.garden.ids.get(key)
            if known is not None and value not in known:
                return _answer(f"{key} {value} is not on record. Nothing was saved.", None, error=True)
            if key in _DAYS and not is_day(value):
                return _answer(f"{key} has to be a day (YYYY-MM-DD), not {value}. Nothing was saved.", None, error=True)
        revision = dice(*made.key).randrange(40_000, 99_999)
        return _answer(f"Saved as revision {revision}.", {"revision": revision})


def _card(sort: str, one: Any) -> Row:
    """What a lookup shows of a record."""
    key = {"glasshouse": "house_id"}.get(sort, f"{sort}_id")
    card: Row = {key: one.id, "species" if sort == "plant" else "name": one.name}
    match sort:
        case "gardener":
            return card | {"joined": f"{one.joined}"}
        case "plant":
            return card | {"usda_zone": one.zone, "stage": one.stage, "first_bloom": f"{one.bloomed}"}
        case "institute":
            return card | {"country": one.country, "consignment": {"weight_oz": one.ounces}}
        case "feed":
            return card | {"grade": "-".join(map(str, one.grade)), "sack_kg": one.sack}
        case "talk":
            return card | {"species": one.species, "begins": f"{one.begins:%Y-%m-%dT%H:%M}Z"}
    return card
