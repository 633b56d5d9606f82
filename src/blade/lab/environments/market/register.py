"""What a town's market office keeps: traders with their pitches and charges, stewards, and fairs; and the feasts that fairs go by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2026, 6, 9)
ROWS: Final = ("Corn Row", "Butter Cross", "Pudding Lane", "Wool Steps", "Saddlers Yard", "Cheap Street")
HALLS: Final = ("Guildhall", "Malt House", "Old Tannery", "Drill Hall", "Weigh House", "Buttermarket")
GOODS: Final = (
    "jams & chutneys", "bread & buns", "eggs & poultry", "pots & pans", "honey", "cut flowers", "baskets", "candles", "second-hand books",
    "cider",
)  # fmt: skip
ORIGINS: Final = {
    "Manchego": "Spain", "Halloumi": "Cyprus", "Oscypek": "Poland", "Appenzeller": "Switzerland", "Asiago": "Italy", "Comté": "France",
    "Jarlsberg": "Norway", "Havarti": "Denmark", "Leerdammer": "the Netherlands", "Stilton": "England", "Kasseri": "Greece",
}  # fmt: skip
"""Cheeses, and where each comes from."""
FEASTS: Final = {
    "Palm Sunday": -7, "Good Friday": -2, "Easter Monday": 1, "Ascension Day": 39, "Whit Monday": 50, "Corpus Christi": 60,
}  # fmt: skip
"""Feasts that move, in days from Easter Sunday."""
_CHARGES: Final = ("waste collection", "awning repair", "late set-up", "water standpipe", "parking bay", "lost key")
_FAIRS: Final = (
    "Gooseberry Fair", "Cheese Rolling Fair", "Lantern Fair", "Ribbon Fair", "Horn Fair", "Besom Fair", "Copper Kettle Fair", "Plum Fair",
    "Hiring Fair", "Bell Fair", "Garland Fair", "Rush Fair", "Gingerbread Fair", "Quilt Fair",
)  # fmt: skip


@dataclass(frozen=True)
class Trader:
    id: str
    name: str
    cheese: str
    """What the stall is known for."""
    since: date
    fee: int
    """The season's fee in pounds, net of tax."""

    @property
    def week(self) -> int:
        """The ISO week of the first day."""
        return self.since.isocalendar().week

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return (self.since.timetuple().tm_yday - 1) // 7 + 1


@dataclass(frozen=True)
class Pitch:
    id: str
    place: str
    holder: str
    kwh: int


@dataclass(frozen=True)
class Charge:
    id: str
    trader: str
    what: str
    pounds: float


@dataclass(frozen=True)
class Steward:
    id: str
    name: str
    hall: str
    shifts: int


@dataclass(frozen=True)
class Fair:
    id: str
    name: str
    day: date
    booking: datetime
    """When its booking opens, by UTC."""


@dataclass(frozen=True)
class Register:
    traders: tuple[Trader, ...]
    pitches: tuple[Pitch, ...]
    charges: tuple[Charge, ...]
    stewards: tuple[Steward, ...]
    fairs: tuple[Fair, ...]
    lets: tuple[tuple[Pitch, date], ...]
    """Days on which a pitch is let already, all of them in August."""
    strangers: tuple[str, ...]
    """Names that nobody in the register has."""

    @property
    def ids(self) -> frozenset[str]:
        kept: tuple[Trader | Pitch | Charge | Steward | Fair, ...] = (
            *self.traders, *self.pitches, *self.charges, *self.stewards, *self.fairs,
        )  # fmt: skip
        return frozenset(one.id for one in kept)

    def trader(self, name: object) -> Trader | None:
        return next((one for one in self.traders if one.name == name), None)

    def pitches_of(self, trader: object) -> list[Pitch]:
        return [one for one in self.pitches if one.holder == trader]

    def charges_of(self, trader: object) -> list[Charge]:
        return [one for one in self.charges if one.trader == trader]


def build_register(rng: Random) -> Register:
    """A register with at least one trader whose ISO week is not the plain count."""
    register = _drawn(rng)
    while all(one.week == one.plain_week for one in register.traders):
        register = _drawn(rng)
    return register


def _drawn(rng: Random) -> Register:
    numbers = iter(rng.sample(range(20_000, 99_999), 400))
    names = [f"{first} {last}" for first, last in people(rng, 78)]
    traders = tuple(
        Trader(
            f"{next(numbers)}/T", name, rng.choice(tuple(ORIGINS)), date(2017, 1, 9) + timedelta(days=rng.randrange(3_200)),
            20 * rng.randint(12, 48),
        )
        for name in names[:32]
    )  # fmt: skip
    places = iter(rng.sample([f"{row} {number}" for row in ROWS for number in range(1, 17)], 96))
    pitches = tuple(Pitch(f"{next(numbers)}/P", next(places), one.id, rng.randint(21, 94)) for one in traders for _ in range(3))
    charges = tuple(
        Charge(f"{next(numbers)}/C", one.id, what, rng.randrange(850, 4_000, 50) / 100)
        for one in traders
        for what in rng.sample(_CHARGES, 3)
    )
    stewards = tuple(
        Steward(f"{next(numbers)}/S", name, HALLS[number % len(HALLS)], rng.randint(4, 17))
        for number, name in enumerate(names[32:56])
    )
    fairs = tuple(_fair(f"{next(numbers)}/F", name, rng) for name in _FAIRS)
    lets = tuple((one, date(2026, 8, rng.randint(1, 30))) for one in rng.sample(pitches, 40))
    return Register(traders, pitches, charges, stewards, fairs, lets, tuple(names[56:]))


def _fair(number: str, name: str, rng: Random) -> Fair:
    opens = datetime.combine(TODAY + timedelta(days=rng.randint(3, 20)), time(rng.randint(11, 15), rng.randrange(0, 60, 5)))
    return Fair(number, name, TODAY + timedelta(days=rng.randint(30, 90)), opens)


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} the {_ordinal(day.day)} of {day:%B}"


def _ordinal(number: int) -> str:
    ending = "th" if 11 <= number <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def pounds(amount: float) -> str:
    return f"£{amount:.2f}"
