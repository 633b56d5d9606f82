"""The tools of an assay office, named by the plugin that offers them and its function (`Stock-find_article`).

Lookups answer in JSON with `columns` and `data`, as tables are split for transport; a change is answered with a receipt, what is turned down
with `"filed": false` and the cause. No tool knows which fineness is struck for a carat, scales of ring sizes, troy weights, codes
of countries, time zones or minerals.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.assay.register import Register
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2026-09-30"
"""The day that the schemas of tools give as an example."""
MARKS: Final = (
    "sponsor's mark", "fineness mark", "office mark", "date letter", "convention mark", "crown", "duty mark", "part mark",
)  # fmt: skip
STAGES: Final = ("received", "sampled", "tested", "to be struck", "struck")
_ID: Final = {"type": "string", "pattern": "^[0-9]{18}$"}


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": description, "examples": [EXAMPLE_DAY]}


TOOLS = (
    function("Staff-find_assayer", "An assayer by name.", name="string"),
    function("Register-find_workshop", "A registered workshop by name.", name="string"),
    function("Stock-find_article", "An article on the premises by name, with its carats.", name="string"),
    function("Stock-read_spectrum", "What the spectrometer found in an article, in parts of gold per thousand.", article=_ID),
    function("Stock-find_ring", "A ring on the premises by name, with its size (US scale).", name="string"),
    function("Vault-find_lot", "A lot of bullion by name, with its weight.", name="string"),
    function("Vault-list_bars", "Bars that were added to a lot of bullion.", lot=_ID),
    function("Plant-find_instrument", "An instrument by name.", name="string"),
    function("Export-find_dealer", "A dealer abroad by name, with country and open order.", name="string"),
    function("Events-find_viewing", "A viewing by name, with the stone that is shown and when it begins (UTC).", name="string"),
    function(
        "Bench-book_session",
        "Book an assayer's session at an instrument.",
        ("assayer", "instrument", "day", "purpose"),
        assayer=_ID,
        instrument=_ID,
        day=_day("Day of the session"),
        purpose="string",
        hours={"type": "integer", "minimum": 1, "maximum": 8, "default": 3},
    ),
    function(
        "Plant-plan_calibration",
        "Plan when an instrument is calibrated.",
        ("instrument", "day", "reason"),
        instrument=_ID,
        day=_day("Day of the calibration"),
        reason="string",
        standard=_one_of(("in-house", "national"), default="in-house"),
    ),
    function("Stock-set_fineness", "Set the fineness that is struck on an article.", article=_ID, fineness={"type": "integer", "description": "Parts per thousand"}),
    function("Stock-set_diameter", "Set the inner diameter of a ring.", ring=_ID, millimetres="number"),
    function(
        "Stock-set_marks",
        "Set the marks that an article gets. They form a set, in no order.",
        article=_ID,
        marks={"type": "array", "items": _one_of(MARKS), "uniqueItems": True},
    ),
    function("Stock-set_stage", "Set how far an article is.", article=_ID, stage=_one_of(STAGES)),
    function("Stock-release", "Release an article to its owner.", article=_ID),
    function("Stock-hold", "Hold an article back, with a note.", article=_ID, note="string"),
    function(
        "Engraving-order",
        "Order an engraving.",
        ("article", "inscription"),
        article=_ID,
        inscription="string",
        height_mm={"type": "integer", "minimum": 1, "maximum": 6, "default": 2},
    ),
    function(
        "Ledger-charge",
        "Charge a workshop.",
        ("workshop", "amount"),
        workshop=_ID,
        amount={"type": "number", "description": "Pounds sterling", "exclusiveMinimum": 0},
        by_post={"type": "boolean", "description": "Whether the invoice also goes out on paper", "default": False},
    ),
    function("Vault-set_weight", "Set the weight of a lot in troy ounces.", lot=_ID, troy_ounces="number"),
    function("Export-set_weight", "Set the weight of a dealer's open order.", dealer=_ID, grams="number"),
    function(
        "Export-set_label",
        "Set the label of a dealer's open order.",
        dealer=_ID,
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        dispatch=_day("Day on which it leaves"),
    ),
)  # fmt: skip
READS: Final = frozenset(
    tool["name"] for tool in TOOLS if tool["name"].partition("-")[2].split("_")[0] in ("find", "list", "read")
)
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_DAYS: Final = ("day", "dispatch")


def refused(answer: str) -> bool:
    return answer.startswith('{"filed": false')


class Desk:
    """The tools over the register."""

    def __init__(self, register: Register) -> None:
        self.register = register

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        columns, data = self._found(made.name, asked)
        return json.dumps({"columns": columns.split(), "index": [*range(len(data))], "data": data}, ensure_ascii=False)

    def _found(self, name: str, asked: object) -> tuple[str, list[list[object]]]:
        """The columns of a lookup's answer, and its rows."""
        at = self.register
        match name:
            case "Staff-find_assayer":
                return "id name joined", [[one.id, one.name, f"{one.joined}"] for one in at.assayers if one.name == asked]
            case "Stock-find_article":
                return "id name carats", [[one.id, one.name, one.carats] for one in at.articles if one.name == asked]
            case "Stock-read_spectrum":
                return "id name au_permille", [[one.id, one.name, one.reading] for one in at.articles if one.id == asked]
            case "Stock-find_ring":
                return "id name us_size", [[one.id, one.name, one.size] for one in at.rings if one.name == asked]
            case "Vault-find_lot":
                return "id name troy_lb troy_oz", [
                    [one.id, one.name, one.pounds, one.ounces] for one in at.lots if one.name == asked
                ]  # fmt: skip
            case "Vault-list_bars":
                bars = [one.bars for one in at.lots if one.id == asked]
                return "bar troy_lb troy_oz", [[at, *divmod(ounces, 12)] for some in bars for at, ounces in enumerate(some, 1)]
            case "Export-find_dealer":
                return "id name country open_order", [
                    [one.id, one.name, one.country, f"{one.ounces} troy oz"] for one in at.dealers if one.name == asked
                ]
            case "Events-find_viewing":
                return "id name stone begins_utc", [
                    [one.id, one.name, one.stone, f"{one.begins:%Y-%m-%d %H:%M}"] for one in at.viewings if one.name == asked
                ]
        kept = at.workshops if name == "Register-find_workshop" else at.instruments
        return "id name", [[one.id, one.name] for one in kept if one.name == asked]

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            if value not in self.register.ids.get(key, (value,)):
                return json.dumps({"filed": False, "cause": f"{value} is the id of no {key}"})
            if key in _DAYS and not is_day(value):
                return json.dumps({"filed": False, "cause": f"{value} is not a day"})
        return json.dumps({"filed": True, "receipt": f"{dice(*made.key).randrange(36**2, 10**6):06d}"})
