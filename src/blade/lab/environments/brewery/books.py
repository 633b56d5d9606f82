"""What a brewery has on its books: brewers, inns with their deliveries, beers, batches, tanks, maltsters, importers, tastings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2026, 10, 5)
STATIONS: Final = {
    "brewhouse": "Sudhaus", "cellar": "Keller", "bottling hall": "Abfüllhalle", "laboratory": "Labor", "yard": "Hof",
}  # fmt: skip
STAGES: Final = {
    "planned": "geplant", "mashing": "Maischen", "fermenting": "Gärung", "conditioning": "Reifung", "ready": "abfüllbereit",
}  # fmt: skip
"""Where people work and how far a batch is, and what that is called in the German original."""
ORIGINS: Final = {
    "Saaz": "Czechia", "Kazbek": "Czechia", "Sladek": "Czechia", "Premiant": "Czechia", "Cascade": "United States",
    "Centennial": "United States", "Willamette": "United States", "Chinook": "United States", "Spalter": "Germany",
    "Strisselspalt": "France", "Nelson Sauvin": "New Zealand", "Galaxy": "Australia", "Styrian Golding": "Slovenia", "Marynka": "Poland",
    "Sorachi Ace": "Japan",
}  # fmt: skip
"""Hops, and the countries in which they were bred or have always been grown."""
OTHER_NAMES: Final = {
    "Czechia": ("Czech Republic", "The Czech Republic"),
    "United States": ("USA", "United States of America", "The United States"),
}
"""What a country is called as well."""
COUNTRIES: Final = {
    "Switzerland": ("CH", "SW"), "Austria": ("AT", "AU"), "Sweden": ("SE", "SW"), "Denmark": ("DK", "DE"), "Estonia": ("EE", "ES"),
    "Croatia": ("HR", "CR"), "Japan": ("JP", "JA"), "Ukraine": ("UA", "UK"), "Slovenia": ("SI", "SL"), "South Korea": ("KR", "SK"),
    "Chile": ("CL", "CH"), "Spain": ("ES", "SP"), "Portugal": ("PT", "PO"), "Poland": ("PL", "PO"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
_MONTHS: Final = ("MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_INNS: Final = (
    "Golden Lion", "Linden Inn", "Old Mill", "Blue Pike", "Three Crowns", "Post House", "Black Eagle", "Castle Cellar", "Wayside Rest",
    "Ferry House", "Stag and Hound", "Green Wreath", "White Lamb", "Miller's Table", "Tower Gate", "Sun at the Bridge", "Red Ox", "Forge Tavern",
)  # fmt: skip
_BEERS: Final = (
    "Quarry Pale", "Midnight Bock", "Harvest Lager", "Chapel Wheat", "Ember Rauch", "Winter Doppel", "River Kellerbier", "Meadow Helles",
    "Smithy Porter", "Orchard Saison", "Anniversary Ale", "Granite Stout", "Pilgrim Pils", "Cooper Dunkel", "Lantern Export", "Summit Zwickl",
)  # fmt: skip
_BATCHES: Final = (
    "Larch", "Rowan", "Hazel", "Juniper", "Alder", "Maple", "Poplar", "Cedar", "Sorrel", "Bramble", "Heather", "Laurel", "Myrtle", "Willow",
)  # fmt: skip
_MALTSTERS: Final = (
    "Millbrook Maltings", "Hartmann Malt", "Eastfield Maltings", "Castle Floor Malt", "Ridge Valley Malt", "Northgate Maltings",
    "Sundial Malt House", "Old Kiln Maltings", "Barley Row Malt", "Weston Maltings", "Plough Lane Malt", "Stonegate Maltings",
)  # fmt: skip
_TRADES: Final = ("Imports", "Beverages", "Beer Traders", "Cellars", "Provisions")
_HOUSES: Final = (
    "Hudson",
    "Lakeshore",
    "Bayview",
    "Keystone",
    "Prairie",
    "Cardinal",
    "Atlas",
    "Beacon",
    "Sterling",
    "Orion",
    "Concord",
    "Vista",
)
_TASTINGS: Final = (
    "Hop Evening", "Autumn Tasting", "Cellar Hour", "Brewers Talk", "Open Kettle", "Fresh Hop Night", "Malt and More", "Glass by Glass",
    "First Pour", "Members Table", "Founders Round", "Young Brewers Session", "Cask Opening", "Aroma School", "Guild Meeting", "Harvest Toast",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A batch, or anything else of which the books have little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Brewer(Named):
    hired: date

    @property
    def week(self) -> int:
        """The ISO week in which they were hired."""
        return self.hired.isocalendar().week

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return (self.hired.timetuple().tm_yday - 1) // 7 + 1


@dataclass(frozen=True)
class Delivery:
    id: str
    inn: str
    beer: str
    kegs: int
    day: date


@dataclass(frozen=True)
class Beer(Named):
    original: int
    """Points of gravity before it fermented: 48 for 1.048."""
    final: int
    srm: int
    kegs: int
    """In stock."""


@dataclass(frozen=True)
class Tank(Named):
    hectolitres: int


@dataclass(frozen=True)
class Maltster(Named):
    sacks: tuple[int, ...]
    """Pounds in each sack of the last load."""


@dataclass(frozen=True)
class Importer(Named):
    country: str
    barrels: int
    """US beer barrels on order."""


@dataclass(frozen=True)
class Tasting(Named):
    hop: str
    begins: datetime
    """By UTC."""


@dataclass(frozen=True)
class Books:
    brewers: tuple[Brewer, ...]
    inns: tuple[Named, ...]
    deliveries: tuple[Delivery, ...]
    beers: tuple[Beer, ...]
    batches: tuple[Named, ...]
    tanks: tuple[Tank, ...]
    maltsters: tuple[Maltster, ...]
    importers: tuple[Importer, ...]
    tastings: tuple[Tasting, ...]
    strangers: tuple[str, ...]
    """Names that nobody on the books has."""

    @property
    def ids(self) -> frozenset[str]:
        named: tuple[Named, ...] = (
            *self.brewers, *self.inns, *self.beers, *self.batches, *self.tanks, *self.maltsters, *self.importers, *self.tastings,
        )  # fmt: skip
        return frozenset((*(one.id for one in named), *(one.id for one in self.deliveries)))

    def deliveries_to(self, inn: object) -> list[Delivery]:
        return [one for one in self.deliveries if one.inn == inn]


def build_books(rng: Random) -> Books:
    """Books with at least four brewers whose ISO week is not the plain count."""
    books = _drawn(rng)
    while sum(one.week != one.plain_week for one in books.brewers) < 4:
        books = _drawn(rng)
    return books


def _drawn(rng: Random) -> Books:
    numbers = iter(rng.sample(range(10_000, 99_999), 400))
    names = [f"{first} {last}" for first, last in people(rng, 56)]

    def numbered(kind: str) -> str:
        return f"{kind}#{next(numbers)}"

    brewers = tuple(
        Brewer(numbered("brewer"), name, date(2009, 2, 2) + timedelta(days=rng.randrange(5_800))) for name in names[:36]
    )
    inns = tuple(Named(numbered("inn"), name) for name in _INNS)
    beers = tuple(_beer(numbered("beer"), name, rng) for name in _BEERS)
    deliveries = tuple(
        Delivery(numbered("delivery"), inn.id, beer.name, rng.randint(2, 9), TODAY + timedelta(days=day))
        for inn in inns
        for beer, day in zip(rng.sample(beers, 3), rng.sample(range(2, 30), 3), strict=True)
    )
    tanks = tuple(
        Tank(numbered("tank"), f"Tank {number}", rng.randrange(20, 90, 5)) for number in rng.sample(range(101, 190), 20)
    )
    maltsters = tuple(Maltster(numbered("maltster"), name, _sacks(rng)) for name in _MALTSTERS)
    houses = rng.sample([f"{house} {trade}" for house in _HOUSES for trade in _TRADES], 28)
    importers = tuple(
        Importer(numbered("importer"), name, "United States" if at % 2 else rng.choice(tuple(COUNTRIES)), rng.randint(12, 95))
        for at, name in enumerate(houses)
    )
    tastings = tuple(Tasting(numbered("tasting"), name, rng.choice(tuple(ORIGINS)), _evening(rng)) for name in _TASTINGS)
    batches = tuple(Named(numbered("batch"), f"Batch {name}") for name in _BATCHES)
    return Books(brewers, inns, deliveries, beers, batches, tanks, maltsters, importers, tastings, tuple(names[36:]))


def _beer(ref: str, name: str, rng: Random) -> Beer:
    """A beer whose strength does not lie between two tenths of a per cent."""
    original, final = rng.randint(40, 78), rng.randint(8, 16)
    return Beer(ref, name, original + ((original - final) % 16 == 8), final, rng.randint(5, 38), rng.randint(14, 60))


def _sacks(rng: Random) -> tuple[int, ...]:
    return tuple(rng.randrange(50, 125, 5) for _ in range(4))


def _evening(rng: Random) -> datetime:
    """A moment before the clocks go back."""
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 18)), time(rng.randint(9, 17), rng.randrange(0, 60, 5)))


def lot_code(rng: Random) -> str:
    """The code of a lot: the month in which it was filled, and its number in that month."""
    return f"{rng.choice(_MONTHS)}-{rng.randint(1, 28):02d}"


def strength(beer: Beer) -> float:
    """Per cent of alcohol by volume, by the simple formula."""
    return round((beer.original - beer.final) * 0.13125, 1)


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} {day.day} {day:%B}"
