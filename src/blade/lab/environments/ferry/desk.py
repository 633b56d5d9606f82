"""The tools at the desk of a ferry line, named by what they are about and what they do with it (`register_search`, `notice_file`).

They answer with what Python prints of a dictionary: lookups with the number of entries and the entries, changes with the entry's number in the
journal, and what is turned down with the problem. No tool knows when a watch begins, what bells strike when, scales of wind or sea, classes of
dangerous goods, flags of ships, codes of countries, time zones, or how long a mile is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.environments.ferry.line import STATUSES, Account, Crew, Harbour, Line, Named, Sailing, Visitor
from blade.lab.stage.script import Row

REGISTERS: Final = ("crew", "vessels", "visitors", "harbours", "sailings", "accounts")
SHEETS: Final = ("waves", "soundings", "legs", "space")
FACILITIES: Final = (
    "waiting room", "toilets", "fuel", "crane", "ramp", "bicycle stand", "left luggage", "fresh water", "car charging", "cafe", "weighbridge",
    "ice",
)  # fmt: skip
CHECKS: Final = ("fire pumps", "life rafts", "bow door", "engines", "hull")
REASONS: Final = ("cancelled sailing", "late arrival", "overcharged")


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": f"{description}, YYYY-MM-DD", "examples": ["2026-07-01"]}


def _clock(description: str) -> Row:
    return {"type": "string", "description": f"{description}, HH:MM", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}


TOOLS = (
    function("register_search", "Find an entry of a register by its name.", register=_one_of(REGISTERS), name="string"),
    function(
        "sheet_read",
        "Read what is noted for an entry: heights of waves (m) or soundings (depth in m) for a harbour; legs (nautical miles) or space (free lane metres) for a sailing.",
        record_id="string",
        sheet=_one_of(SHEETS),
    ),
    function(
        "watch_assign",
        "Assign one of the crew to a watch on board.",
        ("crew_id", "vessel_id", "date", "start"),
        crew_id="string",
        vessel_id="string",
        date=_day("Day of the watch"),
        start=_clock("When the watch begins"),
        hours={"type": "integer", "minimum": 1, "maximum": 8, "default": 4},
    ),
    function(
        "check_schedule",
        "Schedule a safety check of a vessel.",
        ("vessel_id", "check", "date", "in_dock"),
        vessel_id="string",
        check=_one_of(CHECKS),
        date=_day("Day of the check"),
        in_dock={"type": "boolean", "description": "Whether the vessel has to be in dock for it"},
        inspector=_one_of(("own", "class society"), default="own"),
    ),
    function(
        "notice_file",
        "File a harbour notice, as a draft or posted for everyone to see.",
        ("harbour_id", "text", "status", "pinned"),
        harbour_id="string",
        text="string",
        status=_one_of(("draft", "posted")),
        pinned={"type": "boolean", "description": "Whether it stays above all other notices"},
        language=_one_of(("en", "gd"), default="en"),
    ),
    function(
        "facilities_replace",
        "Replace the facilities of a harbour by these. They are a set, in no order.",
        harbour_id="string",
        facilities={"type": "array", "items": _one_of(FACILITIES), "uniqueItems": True},
    ),
    function("status_set", "Set the status of a harbour.", harbour_id="string", status=_one_of(STATUSES)),
    function(
        "rebate_set",
        "Set the rebate of a freight account.",
        account_id="string",
        percent={"type": "number", "description": "Per cent of the fare", "minimum": 1, "maximum": 50},
    ),
    function(
        "refund_pay",
        "Pay money back to a freight account.",
        account_id="string",
        amount={"type": "number", "description": "In pence", "minimum": 0},
        reason=_one_of(REASONS),
        notify={"type": "boolean", "description": "Whether the account gets a message about it"},
    ),
    function(
        "unit_book",
        "Book a vehicle on a sailing.",
        ("sailing_id", "account_id", "length", "refrigerated"),
        sailing_id="string",
        account_id="string",
        length={"type": "number", "description": "Length of the vehicle in centimetres"},
        refrigerated={"type": "boolean", "description": "Whether it needs a socket for its cooling"},
        deck=_one_of(("main", "upper"), default="main"),
    ),
    function(
        "log_append",
        "Append an entry to the log of a vessel, a harbour or a sailing.",
        ("record_id", "text"),
        record_id="string",
        text="string",
        time=_clock("When it happened"),
    ),
    function(
        "cargo_update",
        "Enter particulars of the freight that an account has waiting.",
        ("account_id",),
        account_id="string",
        kilograms={"type": "number", "description": "Weight in kilograms"},
        hazard_class={"type": "string", "description": "Class of dangerous goods, with its division where it has one", "examples": ["1.4", "7"]},
    ),
    function(
        "collection_arrange",
        "Arrange the collection of an account's freight at the pier.",
        account_id="string",
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        date=_day("Day of collection"),
        time=_clock("When the gate opens for it"),
    ),
    function(
        "weather_post",
        "Put the weather of a harbour on its board.",
        ("harbour_id",),
        harbour_id="string",
        sea_state={"type": "number", "description": "Degree of the Douglas sea scale", "minimum": 0, "maximum": 9},
        wind_knots={"type": "number", "minimum": 0},
    ),
)  # fmt: skip
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - {"register_search", "sheet_read"}


def refused(answer: str) -> bool:
    return answer.startswith("{'saved': False")


def _problem(text: str) -> str:
    return str({"saved": False, "problem": text})


class Desk:
    """The tools over the records of the line."""

    def __init__(self, line: Line) -> None:
        self.line = line

    def __call__(self, made: Call) -> str:
        given = made.arguments
        match made.name:
            case "register_search":
                return self._searched(str(given.get("register")), str(given.get("name")))
            case "sheet_read":
                return self._read(str(given.get("record_id")), str(given.get("sheet")))
        return self._changed(made)

    def _searched(self, register: str, name: str) -> str:
        ones = self.line.registers.get(register)
        if ones is None:
            return str({"problem": f"no register {register!r}", "registers": list(REGISTERS)})
        return _entries([_card(one) for one in ones if one.name == name])

    def _read(self, asked: str, sheet: str) -> str:
        found = next((one for ones in self.line.registers.values() for one in ones if one.id == asked), None)
        if sheet not in SHEETS:
            return str({"problem": f"no sheet {sheet!r}", "sheets": list(SHEETS)})
        return _entries(_noted(found, sheet))

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.line.ids.get(key)
            if known is not None and value not in known:
                return _problem(f"{key} {value} is in no register")
            if key == "date" and not is_day(value):
                return _problem(f"{value} is not a date (YYYY-MM-DD)")
            if key in ("start", "time") and not re.fullmatch("[0-2][0-9]:[0-5][0-9]", str(value)):
                return _problem(f"{value} is not a time (HH:MM)")
        return str({"saved": True, "journal": dice(*made.key).randrange(200_000, 999_999)})


def _entries(found: list[Row]) -> str:
    return str({"count": len(found), "entries": found})


def _noted(one: Named | None, sheet: str) -> list[Row]:
    """What a sheet has for an entry."""
    match one, sheet:
        case Harbour(), "waves":
            return [{"off_the_pier_m": one.wave}]
        case Harbour(), "soundings":
            return [{"sounded": f"{day}", "depth_m": depth} for day, depth in one.soundings]
        case Sailing(), "legs":
            return [{"leg": number, "nautical_miles": miles} for number, miles in enumerate(one.legs, 1)]
        case Sailing(), "space":
            return [{"free_lane_metres": one.free}]
    return []


def _card(one: Named) -> Row:
    """What a search shows of an entry."""
    card: Row = {"id": one.id, "name": one.name}
    match one:
        case Crew():
            return card | {"joined": f"{one.joined}"}
        case Visitor():
            return card | {"mmsi": one.mmsi}
        case Harbour():
            return card | {"status": one.status}
        case Sailing():
            return card | {"departs_utc": f"{one.departs:%Y-%m-%d %H:%M}"}
        case Account():
            return card | {"country": one.country, "freight": {"un_number": f"UN{one.un}", "weight_lb": one.pounds}}
    return card
