"""What a dairy co-operative keeps on its books: drivers, routes, herds, members, batches, customers, products, meetings, webinars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import log2
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iban_digits, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 11, 17)
LITRES_PER_GALLON: Final = 3.785411784
KILOGRAMS_PER_HUNDREDWEIGHT: Final = 45.359237
DORNIC_PER_SH: Final = 2.25
"""Degrees Dornic in one degree Soxhlet-Henkel."""
STATUSES: Final = ("fresh", "in testing", "on hold", "released", "dispatched")
ABROAD: Final = {
    "Denmark": ("DK", "DE", "Danish", "da", "dk"), "Sweden": ("SE", "SW", "Swedish", "sv", "se"),
    "Japan": ("JP", "JA", "Japanese", "ja", "jp"), "Greece": ("GR", "GC", "Greek", "el", "gr"),
    "Estonia": ("EE", "ES", "Estonian", "et", "ee"), "Slovenia": ("SI", "SL", "Slovenian", "sl", "si"),
    "Ukraine": ("UA", "UK", "Ukrainian", "uk", "ua"), "Czechia": ("CZ", "CE", "Czech", "cs", "cz"),
    "Georgia": ("GE", "GG", "Georgian", "ka", "ge"), "Armenia": ("AM", "AR", "Armenian", "hy", "am"),
    "Albania": ("AL", "AB", "Albanian", "sq", "al"), "Serbia": ("RS", "SE", "Serbian", "sr", "rs"),
    "Vietnam": ("VN", "VI", "Vietnamese", "vi", "vn"), "Israel": ("IL", "IS", "Hebrew", "he", "il"),
}  # fmt: skip
"""A country's code by ISO 3166 and the one that it is often taken to have; its language, the code of that by ISO 639, and the country's."""
CHEESES: Final = {
    "Havarti": ("Denmark", "Sweden"), "Jarlsberg": ("Norway", "Denmark"), "Manchego": ("Spain", "Portugal"),
    "Halloumi": ("Cyprus", "Greece"), "Oka": ("Canada", "France"), "Graviera": ("Greece", "Italy"), "Oscypek": ("Poland", "Slovakia"),
    "Leerdammer": ("Netherlands", "Germany"), "Sulguni": ("Georgia", "Russia"), "Caerphilly": ("Wales", "England"),
    "Gubbeen": ("Ireland", "Scotland"), "Piave": ("Italy", "Switzerland"), "Appenzeller": ("Switzerland", "Austria"),
    "Reblochon": ("France", "Switzerland"),
}  # fmt: skip
"""Where a cheese is from, and where it is often thought to be from."""
_ROUTES: Final = (
    "Mill Lane Round", "Hill Farms Round", "Valley Round", "Coast Road Round", "Moorland Round", "Canal Round", "Forest Edge Round",
    "River Bend Round", "Northern Round", "Marsh Round", "Old Quarry Round", "Station Round",
    "Chapel Hill Round", "Windmill Round", "Abbey Round", "Ferry Road Round", "Common Round", "Viaduct Round", "Heath Round", "Lower Town Round",
)  # fmt: skip
_HERDS: Final = (
    "Alder Bank", "Briar Croft", "Copper Beech", "Deep Hollow", "Elder Grange", "Foxley Barn", "Gorse Field", "Hazel Dene",
    "Ivy Tower", "Juniper Top", "Kettle Ford", "Long Acre", "Maple Rise", "Nettle Combe", "Oak Hanger", "Pear Tree",
    "Quarry Side", "Rowan Gate", "Stone Byre", "Thistle Brow",
)  # fmt: skip
_BATCHES: Final = (
    "Primrose Cheddar", "Meadow Gouda", "Heather Brie", "Barley Tilsit", "Clover Feta", "Bramble Quark", "Willow Edam",
    "Orchard Ricotta", "Harvest Colby", "Lantern Stilton", "Sorrel Kefir", "Larkspur Skyr", "Juniper Gruyere", "Mallow Paneer",
)  # fmt: skip
_PRODUCTS: Final = (
    "Salted Butter", "Soft Curd", "Clotted Cream", "Whole Yoghurt", "Cultured Butter", "Herb Spread", "Buttermilk", "Vanilla Custard",
    "Soured Cream", "Cottage Cheese",
)  # fmt: skip
_TOWNS: Final = (
    "Arden", "Belmont", "Carrick", "Denholm", "Easton", "Fairlie", "Garston", "Hatton", "Irvine", "Kirkby", "Lorne", "Melrose",
)  # fmt: skip
_FIRMS: Final = ("Foods", "Wholesale", "Catering")
_DISTRICTS: Final = (
    "Upland", "Lowland", "Lakeside", "Border", "Southern", "Western", "Riverside", "Eastern", "Island", "Central",
)  # fmt: skip
_WEBINARS: Final = (
    "Rind Workshop", "Affineur Hour", "Curd Seminar", "Brine Clinic", "Starter Culture Talk", "Cellar Evening", "Tasting Circle",
    "Rennet Lecture", "Smokehouse Session", "Washed Rind Forum", "Maturing Masterclass", "Cheese Board Live",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A product, or anything else of which the books have little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Driver(Named):
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        return plain_week(self.joined)


@dataclass(frozen=True)
class Route(Named):
    gallons: tuple[int, ...]
    """What the tanker's meter said at each stop of last week, in US gallons."""


@dataclass(frozen=True)
class Analysis:
    """What the laboratory found in a sample of a herd's milk."""

    sampled: date
    cells: int
    """Somatic cells, thousands per millilitre."""
    acidity: float
    """In degrees Soxhlet-Henkel."""

    @property
    def score(self) -> int:
        """The linear score of the cell count: 3 for a hundred thousand, one more for each doubling."""
        return round(log2(self.cells / 100)) + 3

    @property
    def exact_dornic(self) -> float:
        return DORNIC_PER_SH * self.acidity

    @property
    def dornic(self) -> float:
        return round(self.exact_dornic, 1)


@dataclass(frozen=True)
class Herd(Named):
    analyses: tuple[Analysis, ...]
    """As they were typed in; the first is not the latest."""

    @property
    def latest(self) -> Analysis:
        return max(self.analyses, key=lambda one: one.sampled)


@dataclass(frozen=True)
class Member(Named):
    number: str
    """Bank and account number of an Austrian account, without country and check digits."""

    @property
    def check_digits(self) -> str:
        return iban_digits("AT", self.number)


@dataclass(frozen=True)
class Batch(Named):
    status: str
    germs: int
    """Thousands per millilitre."""


@dataclass(frozen=True)
class Customer(Named):
    country: str
    hundredweight: float
    """Weight (US) of the consignment that is packed for them."""


@dataclass(frozen=True)
class Meeting(Named):
    day: date


@dataclass(frozen=True)
class Webinar(Named):
    cheese: str
    begins: datetime
    """By UTC."""


@dataclass(frozen=True)
class Books:
    drivers: tuple[Driver, ...]
    routes: tuple[Route, ...]
    herds: tuple[Herd, ...]
    members: tuple[Member, ...]
    batches: tuple[Batch, ...]
    customers: tuple[Customer, ...]
    products: tuple[Named, ...]
    meetings: tuple[Meeting, ...]
    webinars: tuple[Webinar, ...]
    strangers: tuple[str, ...]
    """Names that nobody on the books has."""

    @property
    def sorts(self) -> dict[str, tuple[Named, ...]]:
        """All registers."""
        return {
            "driver": self.drivers, "route": self.routes, "herd": self.herds, "member": self.members, "batch": self.batches,
            "customer": self.customers, "product": self.products, "meeting": self.meetings, "webinar": self.webinars,
        }  # fmt: skip

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each sort of record, by the name that arguments have for it."""
        return {f"{sort}_id": frozenset(one.id for one in ones) for sort, ones in self.sorts.items()}


def build_books(rng: Random) -> Books:
    """Books with at least four drivers whose ISO week is not the plain count."""
    books = _drawn(rng)
    while sum(one.week != one.plain_week for one in books.drivers) < 4:
        books = _drawn(rng)
    return books


def _drawn(rng: Random) -> Books:
    names = [f"{first} {last}" for first, last in people(rng, 72)]
    numbers = iter(rng.sample(range(10_000, 99_999), 250))
    firms = rng.sample([f"{town} {sort}" for town in _TOWNS for sort in _FIRMS], 22)
    return Books(
        tuple(
            Driver(f"DR.{next(numbers)}", name, date(2007, 3, 5) + timedelta(days=rng.randrange(6_600))) for name in names[:30]
        ),
        tuple(Route(f"RT.{next(numbers)}", name, _gallons(rng)) for name in _ROUTES),
        tuple(Herd(f"HE.{next(numbers)}", name, _analyses(rng)) for name in _HERDS),
        tuple(Member(f"MB.{next(numbers)}", name, f"{rng.randrange(10**15, 10**16)}") for name in names[30:54]),
        tuple(
            Batch(f"BA.{next(numbers)}", name, rng.choice((STATUSES[0], STATUSES[2])), rng.randint(18, 95)) for name in _BATCHES
        ),
        tuple(Customer(f"CU.{next(numbers)}", name, rng.choice(tuple(ABROAD)), _hundredweight(rng)) for name in firms),
        tuple(Named(f"PR.{next(numbers)}", name) for name in _PRODUCTS),
        tuple(
            Meeting(f"MT.{next(numbers)}", f"{name} District Meeting", TODAY + timedelta(days=rng.randint(36, 80)))
            for name in _DISTRICTS
        ),
        tuple(Webinar(f"WE.{next(numbers)}", name, rng.choice(tuple(CHEESES)), _evening(rng)) for name in _WEBINARS),
        tuple(names[54:]),
    )


def _gallons(rng: Random) -> tuple[int, ...]:
    """Stops whose sum is not just between two litres."""
    stops = tuple(rng.randint(60, 390) for _ in range(4))
    return stops if clear(LITRES_PER_GALLON * sum(stops)) else _gallons(rng)


def _hundredweight(rng: Random) -> float:
    weight = rng.randint(60, 480) / 10
    return weight if clear(KILOGRAMS_PER_HUNDREDWEIGHT * weight) else _hundredweight(rng)


def _analyses(rng: Random) -> tuple[Analysis, ...]:
    """Four analyses, the first not the latest and unlike it in both figures."""
    days = [date(2026, 7, 2) + timedelta(days=gap) for gap in rng.sample(range(0, 130, 6), 4)]
    made = tuple(Analysis(day, 100 * 2 ** rng.randint(0, 4), _acidity(rng)) for day in days)
    latest = max(made, key=lambda one: one.sampled)
    alike = made[0].cells == latest.cells or made[0].dornic == latest.dornic
    return _analyses(rng) if alike or latest.cells == 100 else made


def _acidity(rng: Random) -> float:
    """A degree whose Dornic value has one decimal, or is well away from the middle between two such."""
    acidity = rng.randint(56, 84) / 10
    exact = 10 * DORNIC_PER_SH * acidity
    return acidity if abs(exact - round(exact)) < 0.01 or clear(exact) else _acidity(rng)


def _evening(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 36)), time(rng.randint(8, 16), rng.randrange(0, 60, 5)))
