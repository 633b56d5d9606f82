"""What a mountain rescue has on its board: volunteers with their ropes and standbys, huts, routes, masts, helicopters, missions, exchanges."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2027, 1, 11)
ASPECTS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
KIT: Final = {
    "stretcher": "Trage", "vacuum splint": "Vakuumschiene", "ice screws": "Eisschrauben", "probe": "Sonde", "snow shovel": "Schneeschaufel",
    "bivouac bag": "Biwaksack", "headlamps": "Stirnlampen", "static rope": "Statikseil", "warming blanket": "Rettungsdecke",
}  # fmt: skip
"""What a mission takes along, and what it is called in the German original."""
GERMAN: Final = {
    **KIT, "closed": "gesperrt", "staged": "bereitgestellt", "north": "Nord", "north-east": "Nordost", "east": "Ost", "south-east": "Südost",
    "south": "Süd", "south-west": "Südwest", "north-west": "Nordwest",
}  # fmt: skip
"""Words of the schemas in the original; without west, which has the same name there but for its capital."""
SUMMITS: Final = {
    "Triglav": "Slovenia", "Musala": "Bulgaria", "Galdhopiggen": "Norway", "Kebnekaise": "Sweden", "Ben Nevis": "Scotland",
    "Mulhacen": "Spain", "Moldoveanu": "Romania", "Aragats": "Armenia", "Toubkal": "Morocco", "Hoverla": "Ukraine",
    "Carrauntoohil": "Ireland", "Damavand": "Iran",
}  # fmt: skip
_HUTS: Final = (
    "Rotkar Hut", "Upper Lake Hut", "Gamswand Hut", "Three Cairns Hut", "Old Toll Hut", "Larchwood Hut", "Windgap Hut", "Moraine Hut",
    "Saddle Hut", "Marmot Hut", "Blackstone Hut", "Spring Meadow Hut", "Hermit Hut", "Lower Glacier Hut",
)  # fmt: skip
_LINES: Final = ("Ridge", "Couloir", "Traverse", "Gully", "Ascent", "Circuit")
_PLACES: Final = ("Kestrel", "Grey Tooth", "Pilgrim", "Ibex", "Chamois", "Thunder", "Juniper", "Long Shadow")
_MASTS: Final = (
    "Kulm", "Scharte", "Plattach", "Hochjoch", "Sonnblick", "Eisgrat", "Rauheck", "Seekopf", "Tauern", "Madritsch", "Schneid", "Gletscherblick",
)  # fmt: skip
_BASES: Final = ("Valley", "Plateau", "East Ridge", "Lakeside")
_MISSIONS: Final = (
    "Copper", "Lantern", "Falcon", "Granite", "Sparrow", "Meadow", "Anvil", "Harvest", "Beacon", "Thistle", "Cobalt", "Willow", "Ember", "Pepper",
)  # fmt: skip
_EXCHANGES: Final = (
    "Winter Rope Days", "Avalanche Dog Week", "Young Leaders Meet", "Glacier Course", "Night Search Drill", "Cave Seminar",
    "Medics Forum", "Winch Practice", "Ski Patrol Swap", "Radio Workshop",
)  # fmt: skip


@dataclass(frozen=True)
class Volunteer:
    id: str
    name: str
    joined: date
    ropes: tuple[int, ...]
    """Feet of each rope that they keep at home."""

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return self.joined.isocalendar().week

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return (self.joined.timetuple().tm_yday - 1) // 7 + 1


@dataclass(frozen=True)
class Standby:
    id: str
    volunteer: str
    hut: str
    day: date


@dataclass(frozen=True)
class Named:
    """A hut or a mission."""

    id: str
    name: str


@dataclass(frozen=True)
class Route(Named):
    half_km: int
    ascent: int

    @property
    def km(self) -> float:
        return self.half_km / 2


@dataclass(frozen=True)
class Mast(Named):
    """A mast with instruments."""

    celsius: int
    kmh: int
    wind: str
    """Where the wind comes from."""


@dataclass(frozen=True)
class Helicopter(Named):
    base: str
    minutes: int
    """For which the fuel lasts."""


@dataclass(frozen=True)
class Exchange(Named):
    summit: str
    opens: datetime
    """By UTC."""


@dataclass(frozen=True)
class Board:
    volunteers: tuple[Volunteer, ...]
    standbys: tuple[Standby, ...]
    huts: tuple[Named, ...]
    routes: tuple[Route, ...]
    masts: tuple[Mast, ...]
    helicopters: tuple[Helicopter, ...]
    missions: tuple[Named, ...]
    exchanges: tuple[Exchange, ...]
    strangers: tuple[str, ...]
    """Names that nobody on the board has."""

    @property
    def ids(self) -> frozenset[str]:
        named = (*self.huts, *self.routes, *self.masts, *self.helicopters, *self.missions, *self.exchanges)
        others: tuple[Volunteer | Standby, ...] = (*self.volunteers, *self.standbys)
        return frozenset((*(one.id for one in named), *(one.id for one in others)))

    def standbys_of(self, volunteer: object) -> list[Standby]:
        return [one for one in self.standbys if one.volunteer == volunteer]


def build_board(rng: Random) -> Board:
    """A board with at least four volunteers whose ISO week is not the plain count."""
    board = _drawn(rng)
    while sum(one.week != one.plain_week for one in board.volunteers) < 4:
        board = _drawn(rng)
    return board


def _drawn(rng: Random) -> Board:
    numbers = iter(rng.sample(range(10_000, 99_999), 400))
    names = [f"{first} {last}" for first, last in people(rng, 56)]

    def numbered(kind: str) -> str:
        return f"{next(numbers)}-{kind}"

    volunteers = tuple(
        Volunteer(numbered("volunteer"), name, date(2012, 3, 5) + timedelta(days=rng.randrange(5_000)), _ropes(rng)) for name in names[:36]
    )  # fmt: skip
    huts = tuple(Named(numbered("hut"), name) for name in _HUTS)
    standbys = tuple(
        Standby(numbered("standby"), one.id, hut.name, TODAY + timedelta(days=day))
        for one in volunteers
        for hut, day in zip(rng.sample(huts, 3), rng.sample(range(3, 40), 3), strict=True)
    )
    titles = rng.sample([f"{place} {line}" for place in _PLACES for line in _LINES], 30)
    routes = tuple(Route(numbered("route"), title, rng.randint(11, 37), 10 * rng.randint(42, 165)) for title in titles)
    masts = tuple(
        Mast(numbered("mast"), f"{name} mast", -rng.randint(3, 22), rng.randrange(20, 75, 5), rng.choice(ASPECTS)) for name in _MASTS
    )  # fmt: skip
    helicopters = tuple(
        Helicopter(numbered("helicopter"), f"Rotor {number}", _BASES[at % 4], rng.randrange(35, 140, 5))
        for at, number in enumerate(rng.sample(range(11, 99), 16))
    )
    missions = tuple(Named(numbered("mission"), f"Mission {name}") for name in _MISSIONS)
    exchanges = tuple(Exchange(numbered("exchange"), name, rng.choice(tuple(SUMMITS)), _morning(rng)) for name in _EXCHANGES)
    return Board(volunteers, standbys, huts, routes, masts, helicopters, missions, exchanges, tuple(names[36:]))


def _ropes(rng: Random) -> tuple[int, ...]:
    return tuple(rng.randrange(60, 340, 5) for _ in range(3))


def _morning(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(4, 30)), time(rng.randint(8, 16), rng.randrange(0, 60, 5)))


def opposite(aspect: str) -> str:
    return ASPECTS[(ASPECTS.index(aspect) + 4) % 8]


def wind_chill(celsius: float, kmh: float) -> float:
    """The index in use since 2001 (Osczevski and Bluestein 2005), in degrees Celsius."""
    force = math.pow(kmh, 0.16)
    return 13.12 + 0.6215 * celsius - 11.37 * force + 0.3965 * celsius * force


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} {day.day} {day:%B}"
