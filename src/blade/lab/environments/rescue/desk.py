"""The tools of a mountain rescue, named as the operations of its web interface (`get_v1_huts`, `patch_v1_huts`).

Answers are written for people to read, in Markdown: a heading and a list for each entry, a line in bold for a change. No tool knows on
which side of a mountain snow gathers, how cold wind feels, how long a walk takes, time zones, or in which country a summit is.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.rescue.board import ASPECTS, KIT, Board
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2027-12-24"
"""The day that the schema of a tool gives as an example."""


def _ref(what: str) -> Row:
    return {"type": "string", "title": f"ref of the {what}"}


def _one_of(*words: str, **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


TOOLS = (
    function("get_v1_volunteers", "One volunteer.", name="string"),
    function("get_v1_volunteers_ropes", "Ropes that a volunteer keeps at home, with their lengths in feet.", volunteer=_ref("volunteer")),
    function("get_v1_volunteers_standbys", "Coming standbys of a volunteer.", volunteer=_ref("volunteer")),
    function("get_v1_huts", "One hut.", hut_name="string"),
    function("get_v1_routes", "One route: its length and its ascent.", route_name="string"),
    function("get_v1_masts", "The last readings of a mast.", mast_name="string"),
    function("get_v1_missions", "One mission.", mission_name="string"),
    function("get_v1_helicopters", "Helicopters at a base, with the minutes for which their fuel lasts.", base="string"),
    function("get_v1_exchanges", "One exchange with another rescue service: its summit, and when it opens (UTC).", exchange_name="string"),
    function(
        "post_v1_standbys",
        "Put a volunteer on standby at a hut.",
        ("volunteer", "hut", "day"),
        volunteer=_ref("volunteer"),
        hut=_ref("hut"),
        day={"type": "string", "format": "date", "examples": [EXAMPLE_DAY]},
        hours={"type": "integer", "minimum": 4, "maximum": 24, "default": 12},
    ),
    function("delete_v1_standbys", "Take a volunteer off a standby.", standby=_ref("standby")),
    function("post_v1_expenses", "Enter what a volunteer gets for expenses.", volunteer=_ref("volunteer"), purpose="string", francs={"type": "number", "minimum": 0}),
    function(
        "patch_v1_huts",
        "Set the status of a hut. Its entry stays on the board.",
        ("hut", "status"),
        hut=_ref("hut"),
        status=_one_of("open", "winter room only", "closed"),
        announce={"type": "boolean", "description": "Whether walkers are told on the web site", "default": True},
    ),
    function("delete_v1_huts", "Remove a hut from the board, with its whole history.", hut=_ref("hut")),
    function(
        "put_v1_missions_kit",
        "What a mission takes along. Order is of no importance.",
        mission=_ref("mission"),
        items={"type": "array", "items": _one_of(*KIT), "uniqueItems": True},
    ),
    function("patch_v1_missions", "Set the phase of a mission.", mission=_ref("mission"), phase=_one_of("planned", "staged", "under way", "over")),
    function("put_v1_missions_helicopter", "Assign a helicopter to a mission.", mission=_ref("mission"), helicopter=_ref("helicopter")),
    function(
        "put_v1_missions_cordon",
        "Set the cordon around the site of a mission. The radius may be given in either unit.",
        mission=_ref("mission"),
        radius={"type": "number", "exclusiveMinimum": 0},
        unit=_one_of("m", "km"),
    ),
    function("put_v1_routes_time", "Enter the planned walking time of a route.", route=_ref("route"), minutes="integer"),
    function("put_v1_masts_felt", "Enter the felt temperature at a mast, in whole degrees Celsius.", mast=_ref("mast"), celsius="integer"),
    function("post_v1_closures", "Close the slopes of one aspect around a mast.", mast=_ref("mast"), aspect=_one_of(*ASPECTS)),
)  # fmt: skip
READS: Final = frozenset(tool["name"] for tool in TOOLS if tool["name"].startswith("get_"))
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_REFS: Final = ("volunteer", "hut", "standby", "mission", "helicopter", "route", "mast")


def refused(answer: str) -> bool:
    return answer.startswith("**Not recorded")


class Desk:
    """The tools over the board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        return "\n\n".join(map(_card, self._found(made.name, asked))) or f'_No entry on the board for "{asked}"._'

    def _found(self, name: str, asked: object) -> list[Row]:
        board = self.board
        match name:
            case "get_v1_volunteers":
                return [
                    {"": one.name, "ref": one.id, "with us since": one.joined} for one in board.volunteers if one.name == asked
                ]
            case "get_v1_volunteers_ropes":
                return [
                    {"": f"Rope {number}", "length": f"{feet} ft"}
                    for one in board.volunteers
                    if one.id == asked
                    for number, feet in enumerate(one.ropes, 1)
                ]
            case "get_v1_volunteers_standbys":
                return [{"": one.hut, "ref": one.id, "day": one.day} for one in board.standbys_of(asked)]
            case "get_v1_huts":
                return [{"": one.name, "ref": one.id, "status": "open"} for one in board.huts if one.name == asked]
            case "get_v1_missions":
                return [{"": one.name, "ref": one.id, "phase": "planned"} for one in board.missions if one.name == asked]
            case "get_v1_routes":
                return [
                    {"": one.name, "ref": one.id, "length": f"{one.km:g} km", "ascent": f"{one.ascent} m"}
                    for one in board.routes
                    if one.name == asked
                ]
            case "get_v1_masts":
                return [
                    {"": one.name, "ref": one.id, "air": f"{one.celsius} C", "wind": f"{one.wind}, {one.kmh} km/h"}
                    for one in board.masts
                    if one.name == asked
                ]
            case "get_v1_helicopters":
                return [
                    {"": one.name, "ref": one.id, "fuel": f"{one.minutes} min"} for one in board.helicopters if one.base == asked
                ]
            case "get_v1_exchanges":
                return [
                    {"": one.name, "ref": one.id, "summit": one.summit, "opens": f"{one.opens:%Y-%m-%d %H:%M} UTC"}
                    for one in board.exchanges
                    if one.name == asked
                ]
        return []

    def _changed(self, made: Call) -> str:
        given = made.arguments
        for key in _REFS:
            if key in given and not (given[key] in self.board.ids and str(given[key]).endswith(f"-{key}")):
                return f"**Not recorded:** there is no {key} {given[key]}."
        if "day" in given and not _is_day(given["day"]):
            return f"**Not recorded:** {given['day']} is not a day."
        return f"**Recorded** as journal entry {dice(*made.key).randrange(16**5):05x}."


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def _card(entry: Row) -> str:
    heading, *rest = entry.items()
    return "\n".join((f"### {heading[1]}", *(f"- {key}: {value}" for key, value in rest)))
