"""The tools of a theatre's back office, each under the name of its app (`Contacts__find_person`).

They answer as Python prints its objects: lookups with a list of records, which is empty where nothing was found, changes with a number, and
what is turned down begins with `ToolException`. No tool knows who wrote a play, codes of languages or countries, keys of transposing
instruments, weekdays, Roman numerals, sides of the stage, pounds in kilograms or time zones.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.theatre.house import House, key_of
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "25/12/2026"
"""The day that the schemas of tools give as an example."""
TAGS: Final = (
    "baroque", "fragile", "hand wash", "fire proofed", "sequins", "hired", "quick change", "too heavy to fly", "needs a dresser", "child size",
    "dance weight",
)  # fmt: skip
FIELDS: Final = (
    "status", "stage_side", "sheets", "imprint_year", "premiere_weekday", "surtitle_language", "finale_signature", "part_key",
    "shipment_kilograms", "shipment_country", "note",
)  # fmt: skip


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "description": f"{description}, DD/MM/YYYY", "examples": [EXAMPLE_DAY]}


TOOLS = (
    function("Contacts__find_person", "People of the house by full name, with role and first day in the house.", name="string"),
    function("Schedule__find_room", "A rehearsal room by name.", name="string"),
    function("Repertoire__find_production", "A production by title: the play, language of the surtitles, first performance anywhere, key of the finale, pages of the programme booklet, start of the broadcast (UTC).", name="string"),
    function("BoxOffice__list_performances", "The performances of a production, with what was taken in advance and the seats that are left.", production_id="string"),
    function("Wardrobe__find_item", "A costume or a prop by name.", name="string"),
    function("Hire__find_firm", "A firm that instruments and music are hired from, with its country and the weight (lb) of the shipment going back to it.", name="string"),
    function(
        "Schedule__book_slot",
        "Book a person into a rehearsal room.",
        ("person_id", "room_id", "date", "purpose"),
        person_id="string",
        room_id="string",
        date=_day("Day of the slot"),
        purpose="string",
        hours={"type": "integer", "minimum": 1, "maximum": 8, "default": 3},
    ),
    function(
        "Schedule__set_due_date",
        "Set when a piece of work on a production is due.",
        ("production_id", "work", "date"),
        production_id="string",
        work="string",
        date=_day("Day on which it is due"),
        reminder=_one_of(("none", "weekly"), default="weekly"),
    ),
    function(
        "Wardrobe__set_tags",
        "Set the tags of a costume or prop. They are an unordered set.",
        item_id="string",
        tags={"type": "array", "items": _one_of(TAGS), "uniqueItems": True},
    ),
    function(
        "Programme__file_text",
        "File a text for a programme booklet, as a draft or released for print.",
        ("production_id", "text", "state"),
        production_id="string",
        text="string",
        state=_one_of(("draft", "released")),
        with_picture={"type": "boolean", "default": False},
    ),
    function("BoxOffice__set_discount", "Set the discount of a production for members.", production_id="string", percent={"type": "number", "description": "Per cent of the price", "minimum": 1, "maximum": 80}),
    function("BoxOffice__set_online_sale", "Switch the online sale of a production on or off.", production_id="string", state=_one_of(("on", "off"))),
    function(
        "Records__set_field",
        "Set one field in the record of a production, a costume or prop, or a firm.",
        record_id="string",
        field=_one_of(FIELDS),
        value={"type": ["string", "number"], "description": "Numbers for sheets and shipment_kilograms, text for all others"},
    ),
)  # fmt: skip
READS: Final = frozenset(tool["name"] for tool in TOOLS if tool["name"].partition("__")[2].partition("_")[0] in ("find", "list"))
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS


def written_day(day: date) -> str:
    """A day as the house writes it."""
    return f"{day:%d/%m/%Y}"


def is_house_day(given: object) -> bool:
    try:
        return written_day(datetime.strptime(str(given), "%d/%m/%Y").date()) == given
    except ValueError:
        return False


def refused(answer: str) -> bool:
    return answer.startswith("ToolException")


class Desk:
    """The tools over the records of the house."""

    def __init__(self, house: House) -> None:
        self.house = house

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        return f"[{', '.join(self._found(made.name, str(asked)))}]"

    def _found(self, name: str, asked: str) -> list[str]:
        at = self.house
        match name:
            case "Contacts__find_person":
                return [
                    _printed("Person", person_id=one.id, name=one.name, role=one.role, joined=written_day(one.joined))
                    for one in at.everybody
                    if one.name == asked
                ]
            case "Schedule__find_room":
                return [_printed("Room", room_id=one.id, name=one.name) for one in at.rooms if one.name == asked]
            case "Repertoire__find_production":
                return [
                    _printed(
                        "Production", production_id=one.id, title=one.name, play=one.work, surtitles=one.surtitles,
                        first_performed=written_day(one.premiere), finale_key=key_of(one.fifths), booklet_pages=one.pages,
                        broadcast_utc=f"{one.broadcast:%d/%m/%Y %H:%M}",
                    )
                    for one in at.productions
                    if one.name == asked
                ]  # fmt: skip
            case "BoxOffice__list_performances":
                return [
                    _printed("Performance", date=written_day(show.day), taken_cents=show.cents, seats_left=show.seats)
                    for one in at.productions
                    if one.id == asked
                    for show in one.performances
                ]
            case "Wardrobe__find_item":
                return [
                    _printed("Item", item_id=one.id, name=one.name, status=one.status) for one in at.items if one.name == asked
                ]
        return [
            _printed("Firm", firm_id=one.id, name=one.name, country=one.country, shipment_lb=one.pounds)
            for one in at.firms
            if one.name == asked
        ]

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.house.ids.get(key)
            if known is not None and value not in known:
                return f"ToolException: there is no record with {key}={value!r}; nothing was changed"
            if key == "date" and not is_house_day(value):
                return f"ToolException: date={value!r} is not of the form DD/MM/YYYY; nothing was changed"
        return f"Change(number={dice(*made.key).randrange(20_000, 99_999)}, saved=True)"


def _printed(sort: str, **fields: Any) -> str:
    return f"{sort}({', '.join(f'{key}={value!r}' for key, value in fields.items())})"
