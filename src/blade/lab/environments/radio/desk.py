"""The tools of a radio station, named by the thing first (`clipInfo`), as its old automation has them.

Lookups answer in tables with bars between the columns and a count at the end, changes with a line that begins with `+`, and what is
turned down with one that begins with `-`. No tool knows decibels, Roman numerals, time zones, loudness rules or Q codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.radio.log import REGIONS, Log, clock
from blade.lab.stage.script import Row


def _text(description: str, **more: Any) -> Row:
    return {"type": "string", "description": description, **more}


_CLIP, _SHOW = _text("clip:NNNNN"), _text("show:NNNNN")
_DAY, _TIME = _text("YYYY-MM-DD"), _text("HH:MM, station time", pattern=r"^\d{2}:\d{2}$")
TOOLS = (
    function("clipsOf", "Clips of an advertiser with the day of their first airing.", client=_text("Advertiser")),
    function("clipInfo", "Technical data of a clip: length, bitrate, measured loudness.", clip=_CLIP),
    function("orderOf", "The running order of an advertiser: spots booked and placed.", client=_text("Advertiser")),
    function("showCard", "A programme: id, year of first broadcast, next transmission (UTC).", title=_text("Title")),
    function("voiceRota", "Presenters of a region and their hours this week.", region=_text("Region", enum=list(REGIONS))),
    function("mastCard", "A transmitter: id, nominal power, code of the last reception report.", site=_text("Site")),
    function(
        "spotPlace",
        "Put a clip into the log.",
        ("clip", "on", "at"),
        clip=_CLIP,
        on=_DAY,
        at=_TIME,
        channel=_text("FM or DAB; FM if left out", enum=["FM", "DAB"], default="FM"),
    ),
    function("clipPull", "Take a clip off the air.", clip=_CLIP),
    function("clipTrim", "Trim a clip.", clip=_CLIP, gain_db={"type": "number", "description": "Gain relative to the recording"}),
    function(
        "clipOptOut",
        "Name the regions in which a clip is not heard. They are kept as a set, so their order does not matter.",
        clip=_CLIP,
        regions={"type": "array", "items": {"type": "string", "enum": list(REGIONS)}, "uniqueItems": True},
    ),
    function("clipState", "Set the state of a clip.", clip=_CLIP, state=_text("New state", enum=["held", "live"])),
    function("orderAmend", "Alter the number of spots that an order has booked.", order=_text("order:NNNNN"), booked="integer"),
    function(
        "showMove",
        "Give a programme another time.",
        show=_SHOW,
        on=_DAY,
        at=_TIME,
        extent=_text("once: on that day alone; series: on that day and on all later ones", enum=["once", "series"]),
    ),
    function("showStandIn", "Enter a stand-in for one transmission.", show=_SHOW, on=_DAY, voice=_text("voice:NNNNN")),
    function("showCredit", "Set the year in the closing credit.", show=_SHOW, year=_text("As it is to be printed")),
    function("mastPad", "Set the attenuation of a transmitter.", mast=_text("mast:NNNNN"), attenuation_db="integer"),
)  # fmt: skip
WRITES: Final = frozenset(
    (
        "spotPlace", "clipPull", "clipTrim", "clipOptOut", "clipState", "orderAmend", "showMove", "showStandIn", "showCredit", "mastPad",
    )
)  # fmt: skip
_IDS: Final = ("clip", "order", "show", "voice", "mast")


def refused(answer: str) -> bool:
    return answer.startswith("-")


class Desk:
    """The tools over the station's log."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        return self._looked_up(made.name, asked) or f"- nothing on file for {asked}"

    def _looked_up(self, name: str, asked: object) -> str | None:
        log = self.log
        match name:
            case "clipsOf":
                return _table(
                    "clip|subject|first_aired", ((one.id, one.subject, one.first_aired) for one in log.of_client(asked))
                )
            case "clipInfo":
                clip = log.clip(asked)
                found = [] if clip is None else [(clip.id, clip.seconds, f"{clip.kbit} kbit/s", f"{clip.lufs} LUFS")]
                return _table("clip|seconds|bitrate|loudness", found)
            case "orderOf":
                order = log.order_of(asked)
                return _table("order|booked|placed", [] if order is None else [(order.id, order.booked, order.placed)])
            case "showCard":
                show = log.show(asked)
                slot = [] if show is None else [(show.id, show.since, f"{show.next_on} {clock(show.minute)}Z")]
                return _table("show|since|next", slot)
            case "voiceRota":
                return _table("voice|name|hours", ((one.id, one.name, one.hours) for one in log.voices if one.region == asked))
            case "mastCard":
                mast = log.mast(asked)
                return _table("mast|nominal|last_report", [] if mast is None else [(mast.id, f"{mast.watts} W", mast.report)])
        return None

    def _changed(self, made: Call) -> str:
        given = made.arguments
        for key in _IDS:
            if key in given and given[key] not in self.log.ids:
                return f"- no such {key}: {given[key]}"
        if "on" in given and not _is_day(given["on"]):
            return f"- bad day: {given['on']}"
        if "at" in given and not re.fullmatch(r"\d{2}:\d{2}", str(given["at"])):
            return f"- bad time: {given['at']}"
        return f"+ {made.name} filed, slip {dice(*made.key).getrandbits(24):06x}"


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def _table(head: str, lines: Iterable[tuple[object, ...]]) -> str | None:
    told = ["|".join(map(str, line)) for line in lines]
    return "\n".join((head, *told, f"({len(told)} found)")) if told else None
