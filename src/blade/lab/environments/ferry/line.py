"""What a ferry line has on record: crew, vessels, visiting ships, harbours, sailings, and the accounts of those who send freight."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 5, 11)
KILOGRAMS_PER_POUND: Final = 0.45359237
KILOMETRES_PER_NAUTICAL_MILE: Final = 1.852
STATUSES: Final = ("open", "restricted", "closed")
MIDS: Final = {
    "257": ("Norway", "Denmark"), "219": ("Denmark", "Norway"), "265": ("Sweden", "Finland"), "230": ("Finland", "Sweden"),
    "211": ("Germany", "Netherlands"), "244": ("Netherlands", "Belgium"), "205": ("Belgium", "Netherlands"), "250": ("Ireland", "Iceland"),
    "251": ("Iceland", "Ireland"), "261": ("Poland", "Germany"), "275": ("Latvia", "Estonia"), "276": ("Estonia", "Lithuania"),
    "277": ("Lithuania", "Latvia"), "227": ("France", "Spain"), "224": ("Spain", "Portugal"), "263": ("Portugal", "Spain"),
    "247": ("Italy", "Malta"), "238": ("Croatia", "Slovenia"),
}  # fmt: skip
"""The country that a ship's radio identity stands for by its first three digits, and the one that it is often taken for."""
HAZARDS: Final = {
    "1263": ("3", "8"), "3480": ("9", "4.1"), "2794": ("8", "9"), "1845": ("9", "2.2"), "1072": ("2.2", "5.1"), "1057": ("2.1", "3"),
    "1402": ("4.3", "4.1"), "2067": ("5.1", "9"), "1824": ("8", "6.1"), "1888": ("6.1", "3"), "1170": ("3", "2.1"),
    "3373": ("6.2", "6.1"), "1978": ("2.1", "3"), "2014": ("5.1", "8"), "1005": ("2.3", "8"), "1944": ("4.1", "9"), "3268": ("9", "1.4"),
}  # fmt: skip
"""The class of dangerous goods that a UN number belongs to, and the one that it is often taken for."""
COUNTRIES: Final = {
    "Iceland": ("IS", "IC"), "Sweden": ("SE", "SW"), "Latvia": ("LV", "LA"), "Germany": ("DE", "GE"), "Ireland": ("IE", "IR"),
    "Lithuania": ("LT", "LI"), "Denmark": ("DK", "DE"), "Poland": ("PL", "PO"), "Estonia": ("EE", "ES"), "Spain": ("ES", "SP"),
    "Portugal": ("PT", "PO"), "Croatia": ("HR", "CR"), "Switzerland": ("CH", "SW"), "Ukraine": ("UA", "UK"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
_VESSELS: Final = (
    "Sea Campion", "Marsh Harrier", "Silver Darling", "Grey Heron", "Northern Diver", "Salt Wind", "Island Rose", "Storm Petrel",
    "Arctic Tern", "Morning Tide", "Red Shank", "Lady Gannet",
)  # fmt: skip
_VISITORS: Final = (
    "Amalie", "Bornhild", "Castor", "Dorothea", "Eidsvoll", "Florian", "Gudrun", "Helios", "Isabella", "Jutland", "Karolina", "Linnea",
    "Mariken", "Nordkyn", "Ottilie", "Pelikan", "Rosenborg", "Santa Marta", "Tramontana", "Valkyrien",
)  # fmt: skip
_HARBOURS: Final = (
    "Skarn Haven", "Ostrey Pier", "Holmness", "Grunay Voe", "Tarvie Quay", "Burra Sound", "Whalsey", "Port Ellary", "Stennick",
    "Linga Bay", "Kirkholm", "Ardmor", "Scalpsie", "Rona Harbour",
)  # fmt: skip
_TIMES, _ROUTES = ("Early", "Noon", "Evening", "Night"), ("Skerry", "Firth", "Ness", "Sound", "Isles")
_PLACES: Final = (
    "Aldwick", "Brannoch", "Corrie", "Dunnet", "Eastvale", "Fenwick", "Garrow", "Hexley", "Invercraig", "Keldon", "Lomond", "Murton",
)  # fmt: skip
_SORTS: Final = ("Haulage", "Seafoods", "Timber")


@dataclass(frozen=True)
class Named:
    id: str
    name: str


@dataclass(frozen=True)
class Crew(Named):
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        return plain_week(self.joined)


@dataclass(frozen=True)
class Vessel(Named):
    """One of the line's own."""


@dataclass(frozen=True)
class Visitor(Named):
    """A ship of somebody else that calls at the line's harbours."""

    mmsi: str

    @property
    def flag(self) -> tuple[str, str]:
        return MIDS[self.mmsi[:3]]


@dataclass(frozen=True)
class Harbour(Named):
    status: str
    wave: float
    """Height of the waves off the pier, in metres."""
    soundings: tuple[tuple[date, float], ...]
    """Depths alongside, as they were typed in; the first is not the latest."""


@dataclass(frozen=True)
class Sailing(Named):
    departs: datetime
    """By UTC."""
    legs: tuple[int, ...]
    """Nautical miles."""
    free: int
    """Lane metres that are not booked."""


@dataclass(frozen=True)
class Account(Named):
    country: str
    un: str
    """UN number of the freight that waits for it."""
    pounds: int
    """What that freight weighs."""


@dataclass(frozen=True)
class Line:
    crew: tuple[Crew, ...]
    vessels: tuple[Vessel, ...]
    visitors: tuple[Visitor, ...]
    harbours: tuple[Harbour, ...]
    sailings: tuple[Sailing, ...]
    accounts: tuple[Account, ...]
    strangers: tuple[str, ...]
    """Names that nobody on record has."""

    @property
    def registers(self) -> dict[str, tuple[Named, ...]]:
        return {
            "crew": self.crew, "vessels": self.vessels, "visitors": self.visitors, "harbours": self.harbours, "sailings": self.sailings,
            "accounts": self.accounts,
        }  # fmt: skip

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids that an argument can have, by its name."""
        sorts: dict[str, tuple[Named, ...]] = {
            "crew_id": self.crew, "vessel_id": self.vessels, "harbour_id": self.harbours, "sailing_id": self.sailings,
            "account_id": self.accounts, "record_id": tuple(one for ones in self.registers.values() for one in ones),
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def sea_state(metres: float) -> int:
    """The degree of the Douglas scale that waves of this height have."""
    return sum(metres > limit for limit in (0.0, 0.1, 0.5, 1.25, 2.5, 4.0, 6.0, 9.0, 14.0))


def build_line(rng: Random) -> Line:
    """A line with at least four of the crew whose ISO week is not the plain count."""
    line = _drawn(rng)
    while sum(one.week != one.plain_week for one in line.crew) < 4:
        line = _drawn(rng)
    return line


def _drawn(rng: Random) -> Line:
    names = [f"{first} {last}" for first, last in people(rng, 46)]
    numbers = iter(rng.sample(range(10_000, 99_999), 250))
    firms = rng.sample([f"{place} {sort}" for place in _PLACES for sort in _SORTS], 24)
    return Line(
        tuple(Crew(f"CRW.{next(numbers)}", name, date(2009, 1, 5) + timedelta(days=rng.randrange(6_100))) for name in names[:30]),
        tuple(Vessel(f"VSL.{next(numbers)}", name) for name in _VESSELS),
        tuple(Visitor(f"VIS.{next(numbers)}", name, _mmsi(rng)) for name in _VISITORS),
        tuple(Harbour(f"HBR.{next(numbers)}", name, rng.choice(STATUSES[:2]), _wave(rng), _soundings(rng)) for name in _HARBOURS),
        tuple(
            Sailing(f"SLG.{next(numbers)}", f"{hour} {route}", _departure(rng), _legs(rng), rng.randint(24, 90))
            for hour in _TIMES
            for route in _ROUTES
        ),
        tuple(
            Account(f"ACC.{next(numbers)}", name, rng.choice(tuple(COUNTRIES)), rng.choice(tuple(HAZARDS)), _pounds(rng))
            for name in firms
        ),
        tuple(names[30:]),
    )


def _mmsi(rng: Random) -> str:
    return f"{rng.choice(tuple(MIDS))}{rng.randint(100_000, 999_999)}"


def _wave(rng: Random) -> float:
    """A height that lies well within its degree."""
    return rng.choice((0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1.0, 1.6, 1.8, 2.0, 2.2, 2.9, 3.1, 3.4, 3.7, 4.5, 5.0, 5.4, 6.8, 7.5))


def _soundings(rng: Random) -> tuple[tuple[date, float], ...]:
    days = [date(2024, 6, 3) + timedelta(days=gap) for gap in rng.sample(range(0, 690, 11), 4)]
    while days[0] == max(days):
        days = rng.sample(days, 4)
    return tuple(zip(days, [depth / 10 for depth in rng.sample(range(31, 79), 4)], strict=True))


def _departure(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 30)), time(rng.randint(6, 15), rng.randrange(0, 60, 5)))


def _legs(rng: Random) -> tuple[int, ...]:
    """Legs whose sum is not just between two kilometres."""
    legs = tuple(rng.randint(7, 58) for _ in range(rng.randint(3, 5)))
    return legs if clear(KILOMETRES_PER_NAUTICAL_MILE * sum(legs)) else _legs(rng)


def _pounds(rng: Random) -> int:
    pounds = rng.randint(300, 9_800)
    return pounds if clear(KILOGRAMS_PER_POUND * pounds) else _pounds(rng)
