"""The world of the observatory environment: targets, programmes, blocks in the queue, and the tools over them.

Searches are fuzzy and come in pages, so the right record need not be the first one, nor on the first page. The queue keeps UTC and
seconds; people speak of civil time and minutes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from blade.lab.desk import Call
from blade.lab.environments.environment import function, people
from blade.lab.stage.play import Backend

TONIGHT = date(2026, 7, 14)
UTC_OFFSET, OFFSET_TAKEN = 4, 3
"""Hours from civil time at the site to UTC: in July, and in the summer, for which it is easily mistaken."""
TARGETS_PER_PAGE, BLOCKS_PER_PAGE = 3, 4
_FIELDS = ("Corvane", "Ellisandre", "Thule Major", "Pirrha", "Okeanos", "Dromund", "Sathis", "Velarion")
_PARTS = ("core", "north rim", "south rim", "halo", "east arm", "west arm", "bridge")

TOOLS = (
    function("lookupTarget", "Fuzzy search over target names, by page.", required=("query",), query="string", page="integer"),
    function("findProgramme", "Observing programmes by principal investigator.", investigator="string"),
    function("listBlocks", "The blocks of a programme, by page.", required=("programme",), programme="string", page="integer"),
    function(
        "scheduleBlock",
        "Put a block into the queue.",
        programme="string",
        targetId="string",
        startUtc="string",
        exposures="integer",
        secondsEach="number",
    ),
    function("cancelBlock", "Take a queued block out of the queue.", blockId="string"),
    function("offsetPointing", "Shift the pointing of a block. Arcseconds.", blockId="string", east="number", north="number"),
    function("startReduction", "Start the reduction pipeline (release 5) on a block.", blockId="string", options="string"),
    function("messageInvestigator", "Write to the investigator of a programme.", programme="string", text="string"),
    function("handToAstronomer", "Leave the request to the astronomer on duty.", remark="string"),
)
WRITES = ("scheduleBlock", "cancelBlock", "offsetPointing", "startReduction", "messageInvestigator")


@dataclass(frozen=True)
class Target:
    id: str
    name: str


@dataclass(frozen=True)
class Block:
    id: str
    target: Target
    night: date
    state: str
    exposures: int
    seconds: int

    def shown(self) -> dict[str, Any]:
        return {
            "blockId": self.id, "target": self.target.name, "night": self.night.isoformat(), "state": self.state,
            "exposures": self.exposures, "secondsEach": self.seconds,
        }  # fmt: skip


@dataclass(frozen=True)
class Programme:
    code: str
    investigator: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Sky:
    targets: tuple[Target, ...]
    """In the order of their ids, as searches give them."""
    programmes: tuple[Programme, ...]

    def found(self, query: str) -> list[Target]:
        """The targets whose field the query names."""
        return [target for target in self.targets if _field(target.name).lower() in query.lower()]


def _field(name: str) -> str:
    return next(field for field in _FIELDS if name.startswith(field))


def build_sky(rng: Random) -> Sky:
    names = [f"{field} {part}" for field in _FIELDS for part in rng.sample(_PARTS, 6)]
    ids = rng.sample(range(100_000, 999_999), len(names))
    targets = sorted((Target(f"T{number}", name) for number, name in zip(ids, names, strict=True)), key=lambda one: one.id)
    numbers = iter(rng.sample(range(10_000, 99_999), 300))
    programmes = []
    for first, last in people(rng, 14):
        nights = sorted(rng.sample(range(1, 40), rng.randint(6, 10)))
        blocks = tuple(
            Block(
                f"B-{next(numbers)}",
                rng.choice(targets),
                TONIGHT + timedelta(days=shift),
                rng.choices(("queued", "on hold"), (4, 1))[0],
                rng.randint(3, 24),
                rng.choice((30, 45, 75, 90, 110, 140, 200, 310, 420)),
            )
            for shift in nights
        )
        programmes.append(Programme(f"117.{rng.choice('ABCDEF')}-0{rng.randint(100, 999)}", f"{first} {last}", blocks))
    return Sky(tuple(targets), tuple(programmes))


def _page(found: Sequence[dict[str, Any]], number: int, size: int, name: str) -> str:
    pages = max(1, -(-len(found) // size))
    shown = list(found[(number - 1) * size : number * size])
    return json.dumps({name: shown, "page": number, "pages": pages, "total": len(found)})


def sky_backend(sky: Sky) -> Backend:
    blocks = {block.id: block for programme in sky.programmes for block in programme.blocks}
    targets = {target.id for target in sky.targets}
    codes = {programme.code: programme for programme in sky.programmes}

    def answer(made: Call) -> str:
        given = made.arguments
        match made.name:
            case "lookupTarget":
                found = [{"targetId": one.id, "name": one.name} for one in sky.found(str(given["query"]))]
                return _page(found, int(given.get("page", 1)), TARGETS_PER_PAGE, "targets")
            case "findProgramme":
                name = str(given["investigator"]).lower()
                hits = [one for one in sky.programmes if name in one.investigator.lower()]
                return json.dumps([{"programme": one.code, "investigator": one.investigator} for one in hits])
            case "listBlocks":
                listed = codes.get(str(given["programme"]))
                shown = [block.shown() for block in listed.blocks] if listed else []
                return _page(shown, int(given.get("page", 1)), BLOCKS_PER_PAGE, "blocks")
            case "scheduleBlock" if given["targetId"] not in targets:
                return json.dumps({"status": "rejected", "reason": f"targetId {given['targetId']} does not exist"})
            case "cancelBlock" | "offsetPointing" | "startReduction" if given["blockId"] not in blocks:
                return json.dumps({"status": "rejected", "reason": f"blockId {given['blockId']} does not exist"})
        return json.dumps({"status": "ok"})

    return answer


def rejected(output: str) -> bool:
    return output.startswith('{"status": "rejected"')
