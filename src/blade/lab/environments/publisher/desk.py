"""The tools of a publishing house, named by what they do (`find_book`, `set_dewey_class`).

Lookups answer in JSON with `results` and `total`; a change is answered with `"success": true` and a reference, what is turned down with
`"success": false` and the error. An ISBN is taken with or without its hyphens. No tool knows codes of languages or countries, classes
of libraries, how many sheets a ream has, pounds in kilograms, time zones, or who wrote what.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.environments.publisher.list import Book, House, Named, hyphenated
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2026-12-31"
"""The day that the schemas of tools give as an example."""
KEYWORDS: Final = (
    "debut", "translation", "family saga", "island", "war years", "letters", "coming of age", "seafaring", "satire", "city life", "travel",
)  # fmt: skip
STAGES: Final = ("acquired", "in editing", "in proof", "ready for press", "printed")
STEPS: Final = ("first proofs", "second proofs", "index", "cover")


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": f"{description} (YYYY-MM-DD)", "examples": [EXAMPLE_DAY]}


_ISBN: Final = {"type": "string", "description": "ISBN-13, with or without hyphens"}
_PERCENT: Final = {"type": "number", "description": "Per cent of the list price", "minimum": 1, "maximum": 60}
TOOLS = (
    function("find_editor", "Look up an editor by full name.", name="string"),
    function("find_book", "Look up a book by its title: ISBN, language of the edition, subject.", name="string"),
    function("get_stock", "Copies of a book that are in stock.", isbn=_ISBN),
    function("find_author", "Look up an author under contract by full name.", name="string"),
    function("find_shop", "Look up a bookshop by name.", name="string"),
    function("find_studio", "Look up a studio by name.", name="string"),
    function("find_paper", "Look up a paper in the store by name, with what is left of it.", name="string"),
    function("find_printer", "Look up a printer by name, with country and the delivery under way.", name="string"),
    function("list_parcels", "Parcels that came in from a printer.", printer_id="string"),
    function("find_reading", "Look up a public reading by name, with the work that is read and when it begins (UTC).", name="string"),
    function(
        "book_studio_slot",
        "Book an editor's slot in a studio.",
        ("editor_id", "studio_id", "day", "purpose"),
        editor_id="string",
        studio_id="string",
        day=_day("Day of the slot"),
        purpose="string",
        half_days={"type": "integer", "minimum": 1, "maximum": 4, "default": 1},
    ),
    function(
        "set_deadline",
        "Set when a step in the making of a book is due.",
        ("isbn", "step", "day"),
        isbn=_ISBN,
        step=_one_of(STEPS),
        day=_day("Day on which it is due"),
        reminder=_one_of(("none", "weekly"), default="weekly"),
    ),
    function("set_language_code", "Set the language of an edition.", isbn=_ISBN, language={"type": "string", "description": "ISO 639-1 code", "pattern": "^[a-z]{2}$"}),
    function("set_dewey_class", "Set the class that libraries shelve a book under.", isbn=_ISBN, dewey={"type": "integer", "description": "Main class and division of the Dewey Decimal Classification, three digits", "minimum": 0, "maximum": 999}),
    function(
        "set_keywords",
        "Set the keywords of a book. They form a set, in no order.",
        isbn=_ISBN,
        keywords={"type": "array", "items": _one_of(KEYWORDS), "uniqueItems": True},
    ),
    function("set_stage", "Set how far a book is.", isbn=_ISBN, stage=_one_of(STAGES)),
    function(
        "write_letter",
        "File a letter to a printer, as a draft or so that it goes out at once.",
        ("printer_id", "text", "status"),
        printer_id="string",
        text="string",
        status=_one_of(("draft", "sent")),
        on_letterhead={"type": "boolean", "default": True},
    ),
    function("set_royalty", "Set the royalty of an author.", author_id="string", percent=_PERCENT),
    function(
        "create_order",
        "Enter a shop's order.",
        ("shop_id", "isbn", "copies", "discount_percent"),
        shop_id="string",
        isbn=_ISBN,
        copies={"type": "integer", "minimum": 1},
        discount_percent=_PERCENT,
        express={"type": "boolean", "default": False},
    ),
    function("order_reprint", "Order a reprint of a book.", isbn=_ISBN, copies={"type": "integer", "minimum": 1}),
    function("add_note", "Put a note on a book's file.", isbn=_ISBN, text="string"),
    function("set_sheets", "Set how many sheets of a paper there are.", paper_id="string", sheets="number"),
    function("set_delivery_weight", "Set the weight of a printer's delivery.", printer_id="string", kilograms="number"),
    function(
        "set_delivery_label",
        "Set the label of a printer's delivery.",
        printer_id="string",
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        collect_on=_day("Day on which it is collected"),
    ),
)  # fmt: skip
READS: Final = frozenset(tool["name"] for tool in TOOLS if tool["name"].partition("_")[0] in ("find", "get", "list"))
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_DAYS: Final = ("day", "collect_on")


def refused(answer: str) -> bool:
    return answer.startswith('{"success": false')


def _turned_down(code: str, message: str) -> str:
    return json.dumps({"success": False, "error": {"code": code, "message": message}}, ensure_ascii=False)


class Desk:
    """The tools over the files of the house."""

    def __init__(self, house: House) -> None:
        self.house = house

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        results = self._found(made.name, str(asked))
        return json.dumps({"results": results, "total": len(results)}, ensure_ascii=False)

    def _found(self, name: str, asked: str) -> list[Row]:
        at = self.house
        match name:
            case "find_editor":
                return [
                    {"editor_id": one.id, "name": one.name, "joined": f"{one.joined}"} for one in at.editors if one.name == asked
                ]
            case "find_book":
                return [_card(one) for one in at.books if one.name == asked]
            case "get_stock":
                return [{"isbn": one.id, "copies": one.copies} for one in at.books if one.id == asked.replace("-", "")]
            case "find_paper":
                return [
                    {"paper_id": one.id, "name": one.name, "reams": one.reams, "quires": one.quires}
                    for one in at.papers
                    if one.name == asked
                ]
            case "find_printer":
                return [
                    {"printer_id": one.id, "name": one.name, "country": one.country, "delivery": {"weight_lb": one.pounds}}
                    for one in at.printers
                    if one.name == asked
                ]
            case "list_parcels":
                parcels = [one.parcels for one in at.printers if one.id == asked]
                return [{"parcel": at, "weight_lb": pounds} for some in parcels for at, pounds in enumerate(some, 1)]
            case "find_reading":
                return [
                    {"reading_id": one.id, "name": one.name, "work": one.work, "begins": f"{one.begins:%Y-%m-%dT%H:%M}Z"}
                    for one in at.readings
                    if one.name == asked
                ]
        kept: dict[str, Sequence[Named]] = {"find_author": at.authors, "find_shop": at.shops, "find_studio": at.studios}
        key = f"{name.partition('_')[2]}_id"
        return [{key: one.id, "name": one.name} for one in kept[name] if one.name == asked]

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.house.ids.get(key)
            if known is not None and (value.replace("-", "") if key == "isbn" else value) not in known:
                return _turned_down("not_found", f"no record with {key} {value}")
            if key in _DAYS and not is_day(value):
                return _turned_down("invalid_argument", f"{key}: {value} is not a day")
        return json.dumps({"success": True, "reference": f"{dice(*made.key).randrange(16**7, 16**8):08x}"})


def _card(one: Book) -> Row:
    return {
        "isbn": one.id, "isbn_printed": hyphenated(one.id), "title": one.name, "language": one.language, "subject": one.subject,
    }  # fmt: skip
