"""What a publishing house has on file: editors, books, authors, shops, studios, papers, printers, readings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 9, 14)
KILOGRAMS_PER_POUND: Final = 0.45359237
LANGUAGES: Final = {
    "Danish": ("da", "dk"), "Swedish": ("sv", "se"), "Czech": ("cs", "cz"), "Greek": ("el", "gr"), "Japanese": ("ja", "jp"),
    "Ukrainian": ("uk", "ua"), "Slovenian": ("sl", "si"), "Korean": ("ko", "kr"), "Chinese": ("zh", "cn"), "Albanian": ("sq", "al"),
    "Georgian": ("ka", "ge"), "Vietnamese": ("vi", "vn"), "Estonian": ("et", "ee"),
}  # fmt: skip
"""The code of a language by ISO 639-1, and the code of the country where it is spoken most."""
SUBJECTS: Final = {
    "logic": 160, "ethics": 170, "economics": 330, "law": 340, "education": 370, "mathematics": 510, "astronomy": 520, "physics": 530,
    "chemistry": 540, "geology": 550, "botany": 580, "zoology": 590, "medicine": 610, "engineering": 620, "architecture": 720,
    "sculpture": 730, "painting": 750, "photography": 770, "music": 780,
}  # fmt: skip
"""The class that the Dewey Decimal Classification has for a subject."""
WORKS: Final = {
    "Middlemarch": "George Eliot", "Frankenstein": "Mary Shelley", "Agnes Grey": "Anne Brontë", "Wuthering Heights": "Emily Brontë",
    "Fathers and Sons": "Ivan Turgenev", "Dead Souls": "Nikolai Gogol", "Madame Bovary": "Gustave Flaubert",
    "The Moonstone": "Wilkie Collins", "The Awakening": "Kate Chopin", "Washington Square": "Henry James",
    "Treasure Island": "Robert Louis Stevenson", "The Time Machine": "H. G. Wells", "Lord Jim": "Joseph Conrad",
}  # fmt: skip
"""Novels that nobody holds the rights in any more, and who wrote them."""
COUNTRIES: Final = {
    "Austria": ("AT", "AU"), "Denmark": ("DK", "DE"), "Poland": ("PL", "PO"), "Portugal": ("PT", "PO"), "Estonia": ("EE", "ES"),
    "Slovenia": ("SI", "SL"), "Croatia": ("HR", "CR"), "Switzerland": ("CH", "SW"), "Ukraine": ("UA", "UK"), "Malta": ("MT", "MA"),
    "China": ("CN", "CH"), "South Korea": ("KR", "SK"), "Turkey": ("TR", "TU"), "Spain": ("ES", "SP"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
_BOOKS: Final = (
    "Salt Meadow", "Glass Orchard", "Nine Lanterns", "Winter Ledger", "Paper Harbour", "Slow Compass", "Quiet Acre",
    "Copper Rain", "Northern Keys", "Borrowed Tide", "Field of Hours", "Linen and Ash", "Last Sundial", "Marsh Country",
    "Seven Ladders", "Velvet Quarry", "Ember Street", "Hollow Bells", "Ninth Ferry", "Cedar Letters", "Open Granite",
    "Weather Clerk", "Small Republics", "Blue Meridian",
)  # fmt: skip
_SHOPS: Final = (
    "Fenwick Books", "Corner Folio", "Lantern Bookshop", "Brook Books", "Page and Pier", "Octavo Cellar", "Riverside Readers",
    "Hatchlane Books", "Garnet Bookroom", "Owlet Books", "Hillside Books", "Vellum House", "Signal Books", "Tramway Books",
)  # fmt: skip
_PAPERS: Final = (
    "Ivory Wove", "Bone Laid", "Cartridge Cream", "Bible White", "Antique Book", "Silk Matt", "Natural Bulky", "Ash Recycled",
    "Pearl Bond", "Ochre Endleaf", "Chalk Coated", "Linen Cover", "Cloud Offset", "Birch Board",
)  # fmt: skip
_HOUSES: Final = (
    "Adler", "Bellamy", "Corvina", "Dornier", "Estuary", "Fulmar", "Garamond", "Halcyon", "Imprimatur", "Juniper", "Kestrel", "Lindisfarne",
)  # fmt: skip
_TRADES: Final = ("Press", "Binders", "Litho")
_READINGS: Final = (
    "Autumn Reading", "Candle Evening", "Library Matinee", "Members Reading", "Garden Recital", "Midnight Reading", "Cellar Session",
    "Students Hour", "Harvest Reading", "Bridge Reading", "Parlour Evening", "Station Reading", "Abbey Reading", "Chapter Night",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A studio, a shop, an author, or anything else of which the house has little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Editor(Named):
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return plain_week(self.joined)


@dataclass(frozen=True)
class Book(Named):
    """A title; its id is the ISBN in thirteen digits."""

    language: str
    subject: str
    copies: int
    """As many are in stock."""


@dataclass(frozen=True)
class Author(Named):
    pass


@dataclass(frozen=True)
class Shop(Named):
    pass


@dataclass(frozen=True)
class Paper(Named):
    reams: int
    quires: int


@dataclass(frozen=True)
class Printer(Named):
    country: str
    pounds: int
    """Weight of the delivery that is under way."""
    parcels: tuple[int, ...]
    """Pounds of each parcel that came in before."""


@dataclass(frozen=True)
class Reading(Named):
    work: str
    begins: datetime
    """By UTC."""


@dataclass(frozen=True)
class House:
    editors: tuple[Editor, ...]
    books: tuple[Book, ...]
    authors: tuple[Author, ...]
    shops: tuple[Shop, ...]
    studios: tuple[Named, ...]
    papers: tuple[Paper, ...]
    printers: tuple[Printer, ...]
    readings: tuple[Reading, ...]
    strangers: tuple[str, ...]
    """Names that nobody on file has."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each sort of record, by the name that arguments have for it."""
        sorts: dict[str, tuple[Named, ...]] = {
            "editor_id": self.editors, "isbn": self.books, "author_id": self.authors, "shop_id": self.shops, "studio_id": self.studios,
            "paper_id": self.papers, "printer_id": self.printers,
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def build_house(rng: Random) -> House:
    """A house with at least four editors whose ISO week is not the plain count."""
    house = _drawn(rng)
    while sum(one.week != one.plain_week for one in house.editors) < 4:
        house = _drawn(rng)
    return house


def _drawn(rng: Random) -> House:
    names = [f"{first} {last}" for first, last in people(rng, 76)]
    numbers = iter(rng.sample(range(10_000, 99_999), 200))
    editors = tuple(
        Editor(f"ED-{next(numbers)}", name, date(2009, 2, 2) + timedelta(days=rng.randrange(6_100))) for name in names[:34]
    )
    authors = tuple(Author(f"AU-{next(numbers)}", name) for name in names[34:58])
    titles = zip(_BOOKS, rng.sample(range(100, 1_000), len(_BOOKS)), strict=True)
    books = tuple(
        Book(_isbn(number), name, rng.choice(tuple(LANGUAGES)), rng.choice(tuple(SUBJECTS)), rng.randint(60, 900))
        for name, number in titles
    )
    shops = tuple(Shop(f"SP-{next(numbers)}", name) for name in _SHOPS)
    studios = tuple(Named(f"ST-{next(numbers)}", f"Studio {number}") for number in rng.sample(range(11, 99), 16))
    papers = tuple(Paper(f"PA-{next(numbers)}", name, rng.randint(4, 30), rng.randint(1, 19)) for name in _PAPERS)
    firms = rng.sample([f"{house} {trade}" for house in _HOUSES for trade in _TRADES], 26)
    printers = tuple(
        Printer(f"PR-{next(numbers)}", name, rng.choice(tuple(COUNTRIES)), _pounds(rng), _parcels(rng)) for name in firms
    )
    readings = tuple(Reading(f"RE-{next(numbers)}", name, rng.choice(tuple(WORKS)), _evening(rng)) for name in _READINGS)
    return House(editors, books, authors, shops, studios, papers, printers, readings, tuple(names[58:]))


def _isbn(number: int) -> str:
    """The ISBN of the house's book with this number, with its check digit."""
    digits = f"978191540{number}"
    return digits + str(-sum((3 if at % 2 else 1) * int(digit) for at, digit in enumerate(digits)) % 10)


def hyphenated(isbn: str) -> str:
    """An ISBN as it is printed on the cover."""
    return f"{isbn[:3]}-{isbn[3]}-{isbn[4:9]}-{isbn[9:12]}-{isbn[12:]}"


def _parcels(rng: Random) -> tuple[int, ...]:
    """Parcels whose weight does not lie between two tenths of a kilogram."""
    parcels = tuple(rng.randint(9, 70) for _ in range(4))
    return parcels if clear(10 * KILOGRAMS_PER_POUND * sum(parcels)) else _parcels(rng)


def _pounds(rng: Random) -> int:
    pounds = rng.randint(120, 900)
    return pounds if clear(KILOGRAMS_PER_POUND * pounds) else _pounds(rng)


def _evening(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 36)), time(rng.randint(9, 16), rng.randrange(0, 60, 5)))
