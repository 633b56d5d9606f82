"""The tools of a market office, named by the book and what is done in it (`ledger.waive`).

Lookups answer in YAML, one document for each entry and a line of dots after the last; changes with `ok: true` and a number, what is
turned down with `ok: false` and the reason. No tool knows feasts, taxes, time zones, terms of notice or where a cheese comes from.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.market.register import GOODS, HALLS, Register
from blade.lab.stage.script import Row


def _text(description: str, **more: Any) -> Row:
    return {"type": "string", "description": description, **more}


_TRADER, _FAIR, _CHARGE = _text("Number of the trader"), _text("Number of the fair"), _text("Number of the charge")
_DAY, _POUNDS = _text("ISO date", format="date"), {"type": "number", "description": "Pounds", "minimum": 0}
TOOLS = (
    function("register.look_up", "A trader's entry, by full name.", name=_text("First and last name")),
    function("stalls.holdings", "The pitches that a trader holds, with last month's meter readings.", trader=_TRADER),
    function("stalls.locate", "The pitch at a place on the stall plan.", place=_text("Row and number, e.g. Long Row 40")),
    function("ledger.charges", "Open charges of a trader.", trader=_TRADER),
    function("ledger.season_fee", "The season's fee of a trader, net of tax.", trader=_TRADER),
    function("calendar.fair", "A fair: its number, its day, and when booking opens (UTC).", name=_text("Name of the fair")),
    function("rota.of_hall", "Stewards of a hall and their shifts this month.", hall=_text("Hall", enum=list(HALLS))),
    function(
        "stalls.let",
        "Let a pitch to a trader for a day.",
        ("pitch", "trader", "day"),
        pitch=_text("Number of the pitch"),
        trader=_TRADER,
        day=_DAY,
        hookup=_text("Power supply; none if left out", enum=["none", "16A", "32A"], default="none"),
        override={"type": "boolean", "description": "Let it even if it is let already; false if left out", "default": False},
    ),
    function("ledger.levy", "Charge a trader.", trader=_TRADER, what=_text("What for"), amount=_POUNDS),
    function("ledger.waive", "Waive a charge. The same as ledger.adjust to an amount of 0.", charge=_CHARGE),
    function("ledger.adjust", "Set an open charge to another amount; 0 waives it.", charge=_CHARGE, amount=_POUNDS),
    function(
        "permits.goods",
        "Set what a trader may sell. The goods are kept as a set; they can be given in any order.",
        trader=_TRADER,
        goods={"type": "array", "items": {"type": "string", "enum": list(GOODS)}, "uniqueItems": True},
    ),
    function("permits.status", "Set the status of a trader's permit.", trader=_TRADER, status=_text("", enum=["paused", "valid"])),
    function("rota.put", "Put a steward on duty at a fair.", steward=_text("Number of the steward"), fair=_FAIR),
    function("calendar.notice", "Have the public notice of a fair posted.", fair=_FAIR, day=_DAY),
    function("calendar.fix", "Fix the day of a fair in another year.", fair=_FAIR, day=_DAY),
)  # fmt: skip
WRITES: Final = frozenset(
    (
        "stalls.let", "ledger.levy", "ledger.waive", "ledger.adjust", "permits.goods", "permits.status", "rota.put", "calendar.notice",
        "calendar.fix",
    )
)  # fmt: skip
_IDS: Final = ("trader", "pitch", "charge", "steward", "fair")


def refused(answer: str) -> bool:
    return answer.startswith("ok: false")


class Desk:
    """The tools over the office's register."""

    def __init__(self, register: Register) -> None:
        self.register = register

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        return _documents(self._looked_up(made.name, asked)) or _turned_down(f"no entry for {asked}")

    def _looked_up(self, name: str, asked: object) -> list[Row]:
        book = self.register
        match name:
            case "register.look_up":
                found = book.trader(asked)
                return (
                    []
                    if found is None
                    else [{"trader": found.id, "name": found.name, "known_for": found.cheese, "since": found.since}]
                )
            case "stalls.holdings":
                return [{"pitch": one.id, "place": one.place, "meter_kwh": one.kwh} for one in book.pitches_of(asked)]
            case "stalls.locate":
                return [{"pitch": one.id, "place": one.place} for one in book.pitches if one.place == asked]
            case "ledger.charges":
                return [{"charge": one.id, "what": one.what, "pounds": f"{one.pounds:.2f}"} for one in book.charges_of(asked)]
            case "ledger.season_fee":
                return [{"trader": one.id, "season": 2026, "net_pounds": one.fee} for one in book.traders if one.id == asked]
            case "calendar.fair":
                return [
                    {"fair": one.id, "name": one.name, "day": one.day, "booking_opens": f"{one.booking:%Y-%m-%dT%H:%MZ}"}
                    for one in book.fairs
                    if one.name == asked
                ]
            case "rota.of_hall":
                return [{"steward": one.id, "name": one.name, "shifts": one.shifts} for one in book.stewards if one.hall == asked]
        return []

    def _changed(self, made: Call) -> str:
        given = made.arguments
        for key in _IDS:
            if key in given and given[key] not in self.register.ids:
                return _turned_down(f"unknown {key} {given[key]}")
        if "day" in given and not _is_day(given["day"]):
            return _turned_down(f"not a date: {given['day']}")
        clash = any((one.id, f"{day}") == (given.get("pitch"), given.get("day")) for one, day in self.register.lets)
        if clash and given.get("override") is not True:
            return _turned_down(f"{given['pitch']} is already let on {given['day']}. Set override to let it all the same.")
        return f"ok: true\nentry: {dice(*made.key).randrange(10**6):06d}\n..."


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def _turned_down(why: str) -> str:
    return f"ok: false\nreason: {why}\n..."


def _documents(entries: Iterable[Row]) -> str:
    told = ["".join(f"{key}: {value}\n" for key, value in one.items()) for one in entries]
    return "---\n".join(told) + "..." if told else ""
