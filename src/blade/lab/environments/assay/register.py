"""What an assay office has on its register: assayers, workshops, articles, rings, bullion, instruments, dealers, viewings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Final

from blade.lab.environments.draws import clear
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 6, 8)
STANDARDS: Final = {9: 375, 14: 585, 18: 750, 22: 916}
"""The fineness that is struck for so many carats, in parts per thousand."""
MINERALS: Final = {
    "ruby": "corundum", "sapphire": "corundum", "emerald": "beryl", "aquamarine": "beryl", "morganite": "beryl", "amethyst": "quartz",
    "citrine": "quartz", "alexandrite": "chrysoberyl", "peridot": "olivine", "tanzanite": "zoisite", "kunzite": "spodumene",
    "rubellite": "tourmaline", "tsavorite": "garnet",
}  # fmt: skip
"""Stones, and the minerals that they are varieties of."""
COUNTRIES: Final = {
    "Germany": ("DE", "GE"), "Netherlands": ("NL", "NE"), "Turkey": ("TR", "TU"), "Ireland": ("IE", "IR"), "Lithuania": ("LT", "LI"),
    "Latvia": ("LV", "LA"), "Iceland": ("IS", "IC"), "Morocco": ("MA", "MO"), "Serbia": ("RS", "SE"), "Slovakia": ("SK", "SL"),
    "Malaysia": ("MY", "MA"), "Bulgaria": ("BG", "BU"), "Sweden": ("SE", "SW"), "Spain": ("ES", "SP"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
GRAMS_PER_TROY_OUNCE: Final = 31.1034768
_WORKSHOPS: Final = (
    "Larkspur Silver", "Quayside Goldsmiths", "Hollins Workshop", "Amberley Metals", "Redfern Jewellers", "Copperfield Bench", "Tolland Castings",
    "Whitsun Studio", "Marlow Chains", "Ostler Rings", "Pembury Plate", "Sallow Enamels", "Harrow Cufflinks", "Juno Filigree",
)  # fmt: skip
_ARTICLES: Final = (
    "Fern Brooch", "Anchor Locket", "Swallow Pendant", "Ivy Bangle", "Harbour Medal", "Crescent Clasp", "Rowan Thimble", "Falcon Snuffbox",
    "Thistle Buckle", "Comet Earring", "Lattice Compact", "Acorn Goblet", "Heron Salver", "Laurel Chalice", "Marten Watchcase",
    "Bramble Necklace", "Pilgrim Cross", "Sextant Paperknife", "Tulip Inkstand", "Wren Caddy", "Delta Torque", "Orchid Hairpin",
)  # fmt: skip
_RINGS: Final = (
    "Tide Band", "Beck Signet", "Moor Solitaire", "Fell Eternity", "Glen Cluster", "Dale Claddagh", "Holm Halo", "Wold Trilogy", "Firth Posy",
    "Carr Keeper", "Strand Gimmel", "Combe Cocktail", "Heath Puzzle", "Shaw Regard", "Mere Toggle", "Clough Wishbone",
)  # fmt: skip
_LOTS: Final = (
    "Meridian", "Solstice", "Zenith", "Aurora", "Equinox", "Horizon", "Corona", "Eclipse", "Perihelion", "Umbra", "Nadir", "Azimuth", "Transit",
    "Parallax", "Apogee", "Sidereal", "Gnomon", "Penumbra",
)  # fmt: skip
_INSTRUMENTS: Final = ("Balance", "Furnace", "Spectrometer", "Laser")
_HOUSES: Final = (
    "Vandermeer", "Castellan", "Brightwater", "Montclair", "Osterhaus", "Sandringham", "Kingsway", "Palatine", "Whitehall", "Rosemount",
    "Trevanion", "Ashgrove",
)  # fmt: skip
_TRADES: Final = ("Bullion", "Gems", "Antiques")
_VIEWINGS: Final = (
    "Spring Viewing", "Gallery Evening", "Collectors Hour", "Guild Reception", "Cabinet Tour", "Summer Preview", "Patrons Night", "Trade Morning",
    "Vault Visit", "Designers Forum", "Heritage Talk", "Auction Preview", "Members Showing", "Bench Demonstration",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """An instrument, a workshop, or anything else of which the register has little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Assayer(Named):
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return self.joined.isocalendar().week

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return (self.joined.timetuple().tm_yday - 1) // 7 + 1


@dataclass(frozen=True)
class Article(Named):
    carats: int
    reading: int
    """Parts per thousand of gold that the spectrometer found."""

    @property
    def standard(self) -> int:
        return STANDARDS[self.carats]

    @property
    def share(self) -> int:
        """The plain share of 24 in parts per thousand, which is not always what is struck."""
        return round(1_000 * self.carats / 24)


@dataclass(frozen=True)
class Ring(Named):
    size: float
    """By the scale of the United States."""

    @property
    def diameter(self) -> float:
        """Millimetres inside."""
        return 11.63 + 0.8128 * self.size


@dataclass(frozen=True)
class Lot(Named):
    pounds: int
    """Troy pounds, and ounces beyond them."""
    ounces: int
    bars: tuple[int, ...]
    """Troy ounces of each bar that was added since."""


@dataclass(frozen=True)
class Dealer(Named):
    country: str
    ounces: int
    """Troy ounces on order."""


@dataclass(frozen=True)
class Viewing(Named):
    stone: str
    begins: datetime
    """By UTC."""


@dataclass(frozen=True)
class Register:
    assayers: tuple[Assayer, ...]
    workshops: tuple[Named, ...]
    articles: tuple[Article, ...]
    rings: tuple[Ring, ...]
    lots: tuple[Lot, ...]
    instruments: tuple[Named, ...]
    dealers: tuple[Dealer, ...]
    viewings: tuple[Viewing, ...]
    strangers: tuple[str, ...]
    """Names that nobody on the register has."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each sort of record, by the name that arguments have for it."""
        sorts: dict[str, tuple[Named, ...]] = {
            "assayer": self.assayers, "workshop": self.workshops, "article": self.articles, "ring": self.rings, "lot": self.lots,
            "instrument": self.instruments, "dealer": self.dealers,
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def build_register(rng: Random) -> Register:
    """A register with at least four assayers whose ISO week is not the plain count."""
    register = _drawn(rng)
    while sum(one.week != one.plain_week for one in register.assayers) < 4:
        register = _drawn(rng)
    return register


def _drawn(rng: Random) -> Register:
    names = [f"{first} {last}" for first, last in people(rng, 52)]
    assayers = tuple(Assayer(_id(rng), name, date(2008, 3, 3) + timedelta(days=rng.randrange(6_200))) for name in names[:34])
    workshops = tuple(Named(_id(rng), name) for name in _WORKSHOPS)
    articles = tuple(_article(_id(rng), name, rng) for name in _ARTICLES)
    rings = tuple(_ring(_id(rng), name, rng) for name in _RINGS)
    lots = tuple(Lot(_id(rng), f"Lot {name}", rng.randint(3, 15), rng.randint(1, 11), _bars(rng)) for name in _LOTS)
    instruments = tuple(Named(_id(rng), f"{rng.choice(_INSTRUMENTS)} {number}") for number in rng.sample(range(11, 99), 18))
    houses = rng.sample([f"{house} {trade}" for house in _HOUSES for trade in _TRADES], 26)
    dealers = tuple(Dealer(_id(rng), name, rng.choice(tuple(COUNTRIES)), _ounces(rng)) for name in houses)
    viewings = tuple(Viewing(_id(rng), name, rng.choice(tuple(MINERALS)), _evening(rng)) for name in _VIEWINGS)
    return Register(assayers, workshops, articles, rings, lots, instruments, dealers, viewings, tuple(names[34:]))


def _id(rng: Random) -> str:
    """Eighteen digits, of which a double keeps only the first ones."""
    made = str(rng.randrange(4 * 10**17, 9 * 10**17))
    return made if through_double(made) != made else _id(rng)


def through_double(number: str) -> str:
    """The digits that are left of a long number when a program took it for a floating-point one and wrote it out again."""
    return f"{Decimal(repr(float(number))):f}"


def _article(ref: str, name: str, rng: Random) -> Article:
    carats = rng.choice((14, 14, 22, 22, 9, 18))
    return Article(ref, name, carats, STANDARDS[carats] + rng.randint(-9, 9))


def _ring(ref: str, name: str, rng: Random) -> Ring:
    """A ring whose diameter does not lie between two tenths of a millimetre."""
    ring = Ring(ref, name, rng.randint(8, 24) / 2)
    return ring if clear(10 * ring.diameter) else _ring(ref, name, rng)


def _bars(rng: Random) -> tuple[int, ...]:
    """Bars of a pound or more, whose weight does not lie between two tenths of a gram."""
    bars = tuple(rng.randint(12, 60) for _ in range(4))
    return bars if clear(10 * GRAMS_PER_TROY_OUNCE * sum(bars)) else _bars(rng)


def _ounces(rng: Random) -> int:
    ounces = rng.randint(20, 180)
    return ounces if clear(GRAMS_PER_TROY_OUNCE * ounces) else _ounces(rng)


def _evening(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 40)), time(rng.randint(8, 16), rng.randrange(0, 60, 5)))


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} {day.day} {day:%B}"
