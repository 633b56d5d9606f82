"""What a theatre has on record: people, rooms, productions with their performances, costumes and props, hire firms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 10, 20)
KILOGRAMS_PER_POUND: Final = 0.45359237
STATUSES: Final = ("in store", "at the cleaner", "being altered", "on stage", "on loan")
WORKS: Final = {
    "Ghosts": ("Henrik Ibsen", "August Strindberg"), "Miss Julie": ("August Strindberg", "Henrik Ibsen"),
    "Woyzeck": ("Georg Büchner", "Heinrich von Kleist"), "The Broken Jug": ("Heinrich von Kleist", "Georg Büchner"),
    "Volpone": ("Ben Jonson", "Christopher Marlowe"), "The Duchess of Malfi": ("John Webster", "Ben Jonson"),
    "Tartuffe": ("Molière", "Pierre Corneille"), "Andromaque": ("Jean Racine", "Pierre Corneille"),
    "The Rivals": ("Richard Brinsley Sheridan", "Oliver Goldsmith"),
    "She Stoops to Conquer": ("Oliver Goldsmith", "Richard Brinsley Sheridan"),
    "The Government Inspector": ("Nikolai Gogol", "Anton Chekhov"), "The Lower Depths": ("Maxim Gorky", "Anton Chekhov"),
    "Fuente Ovejuna": ("Lope de Vega", "Pedro Calderón de la Barca"), "The Way of the World": ("William Congreve", "William Wycherley"),
    "The Country Wife": ("William Wycherley", "William Congreve"), "Nathan the Wise": ("Gotthold Ephraim Lessing", "Friedrich Schiller"),
    "Mary Stuart": ("Friedrich Schiller", "Johann Wolfgang von Goethe"), "Egmont": ("Johann Wolfgang von Goethe", "Friedrich Schiller"),
}  # fmt: skip
"""Who wrote a play, and who is often taken to have written it."""
LANGUAGES: Final = {
    "Danish": ("da", "dk"), "Swedish": ("sv", "se"), "Czech": ("cs", "cz"), "Greek": ("el", "gr"), "Japanese": ("ja", "jp"),
    "Ukrainian": ("uk", "ua"), "Slovenian": ("sl", "si"), "Korean": ("ko", "kr"), "Estonian": ("et", "ee"), "Georgian": ("ka", "ge"),
}  # fmt: skip
"""The code of a language by ISO 639-1, and the code of the country where it is spoken most."""
COUNTRIES: Final = {
    "Austria": ("AT", "AU"), "Switzerland": ("CH", "SW"), "Poland": ("PL", "PO"), "Slovenia": ("SI", "SL"), "Croatia": ("HR", "CR"),
    "Iceland": ("IS", "IC"), "Latvia": ("LV", "LA"), "Turkey": ("TR", "TU"), "Ireland": ("IE", "IR"), "Serbia": ("RS", "SB"),
    "Portugal": ("PT", "PO"), "Lithuania": ("LT", "LI"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
FIFTHS: Final = ("G flat", "D flat", "A flat", "E flat", "B flat", "F", "C", "G", "D", "A", "E", "B")
"""Major keys, each a fifth above the one before; C has no accidentals."""
RISES: Final = {"clarinet in B flat": 2, "horn in F": 1, "alto saxophone in E flat": 3}
"""By how many fifths the written key of a transposing instrument lies above the sounding one."""
_TITLES: Final = (
    "Paper Crowns", "Night Ferry", "House of Salt", "Borrowed Robes", "Glass Orchard", "Third Lantern", "Broken Bells", "River Masque",
    "Copper Moon", "Winter Comedy", "Empty Throne", "Silent Carnival", "Long Interval", "Seven Doors", "Painted Storm", "Candle Court",
    "False Beards", "Marble Aunt", "Distant Drums", "Stolen Overture", "Wooden Horse", "Velvet Jury", "Last Prompter", "Iron Curtain",
)  # fmt: skip
_ITEMS: Final = (
    "Velvet Cloak", "Ermine Robe", "Beggar Coat", "Tin Crown", "Thunder Sheet", "Wind Machine", "Gilded Throne", "Rubber Dagger",
    "Feather Fan", "Ghost Shroud", "Brass Telescope", "Folding Screen", "Captain Jacket", "Harlequin Suit", "Straw Bonnet",
    "Silver Goblet", "Marble Bust", "Wicker Chest", "Rocking Chair", "Oil Lantern", "Bishop Mitre", "Donkey Mask", "Sailor Blouse",
    "Grandfather Clock", "Rope Ladder", "Stuffed Raven",
)  # fmt: skip
_PLACES: Final = ("Alster", "Bremer", "Calder", "Dorn", "Ebro", "Fenland", "Garonne", "Havel", "Isar", "Jura", "Kinzig", "Loire")
_TRADES: Final = ("Music Hire", "Instruments", "Orchestra Parts")
_ROLES: Final = (
    "actor", "dresser", "oboist", "stage manager", "harpist", "lighting technician", "prompter", "wig maker", "chorus singer", "fly operator",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A room, or anything else of which the records have little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Person(Named):
    role: str
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        return plain_week(self.joined)


@dataclass(frozen=True)
class Performance:
    day: date
    cents: int
    """Taken in advance."""
    seats: int
    """As many are left."""


@dataclass(frozen=True)
class Production(Named):
    work: str
    surtitles: str
    premiere: date
    """When it was first played anywhere."""
    fifths: int
    """The key of its finale: how many fifths it lies above C major."""
    pages: int
    """Of the programme booklet."""
    broadcast: datetime
    """By UTC."""
    performances: tuple[Performance, ...]

    @property
    def takings(self) -> float:
        """In euros."""
        return sum(one.cents for one in self.performances) / 100


@dataclass(frozen=True)
class Item(Named):
    """A costume or a prop."""

    status: str


@dataclass(frozen=True)
class Firm(Named):
    country: str
    pounds: int
    """Weight of the shipment that goes back to it."""


@dataclass(frozen=True)
class House:
    people: tuple[Person, ...]
    namesakes: tuple[tuple[Person, Person], ...]
    """Pairs with one name and different roles."""
    rooms: tuple[Named, ...]
    productions: tuple[Production, ...]
    items: tuple[Item, ...]
    firms: tuple[Firm, ...]
    strangers: tuple[str, ...]
    """Names that nobody on record has."""

    @property
    def everybody(self) -> tuple[Person, ...]:
        return (*self.people, *(one for pair in self.namesakes for one in pair))

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each sort of record, by the name that arguments have for it."""
        sorts: dict[str, tuple[Named, ...]] = {
            "person_id": self.everybody, "room_id": self.rooms, "production_id": self.productions, "item_id": self.items,
            "record_id": (*self.productions, *self.items, *self.firms),
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def key_of(fifths: int) -> str:
    return f"{FIFTHS[fifths + 6]} major"


def signature(fifths: int) -> str:
    """The accidentals of a major key that has some."""
    return f"{abs(fifths)} {'sharp' if fifths > 0 else 'flat'}{'s' * (abs(fifths) > 1)}"


def build_house(rng: Random) -> House:
    """A house with at least six people whose ISO week is not the plain count."""
    house = _drawn(rng)
    while sum(one.week != one.plain_week for one in house.people) < 6:
        house = _drawn(rng)
    return house


def _drawn(rng: Random) -> House:
    names = [f"{first} {last}" for first, last in people(rng, 62)]
    numbers = iter(rng.sample(range(10_000, 99_999), 200))

    def person(name: str, role: str) -> Person:
        return Person(f"PE.{next(numbers)}", name, role, date(2006, 2, 6) + timedelta(days=rng.randrange(7_200)))

    staff = tuple(person(name, rng.choice(_ROLES)) for name in names[:32])
    pairs: list[tuple[Person, Person]] = []
    for name in names[32:46]:
        first, second = rng.sample(_ROLES, 2)
        pairs.append((person(name, first), person(name, second)))
    firms = rng.sample([f"{place} {trade}" for place in _PLACES for trade in _TRADES], 26)
    return House(
        staff,
        tuple(pairs),
        tuple(Named(f"RO.{next(numbers)}", f"Studio {number}") for number in rng.sample(range(11, 99), 14)),
        tuple(_production(f"PR.{next(numbers)}", title, rng) for title in _TITLES),
        tuple(Item(f"IT.{next(numbers)}", name, rng.choice(STATUSES[:3])) for name in _ITEMS),
        tuple(Firm(f"FI.{next(numbers)}", name, rng.choice(tuple(COUNTRIES)), _pounds(rng)) for name in firms),
        tuple(names[46:]),
    )


def _production(number: str, title: str, rng: Random) -> Production:
    premiere = date(1903, 1, 1) + timedelta(days=rng.randrange(42_000))
    broadcast = datetime.combine(
        date(2026, 11, 6) + timedelta(days=rng.randrange(40)), time(rng.randint(9, 18), rng.randrange(0, 60, 5))
    )
    fifths = rng.choice((-3, -2, -1, 1, 2))
    return Production(
        number, title, rng.choice(tuple(WORKS)), rng.choice(tuple(LANGUAGES)), premiere, fifths, 4 * rng.randint(5, 20), broadcast,
        _performances(rng),
    )  # fmt: skip


def _performances(rng: Random) -> tuple[Performance, ...]:
    """Five evenings, none of them a Monday, whose takings are not just between two euros."""
    days = sorted(rng.sample([day for day in (date(2026, 11, 3) + timedelta(days=gap) for gap in range(45)) if day.weekday()], 5))
    shows = tuple(Performance(day, rng.randint(90_000, 390_000), rng.randint(12, 160)) for day in days)
    return shows if clear(sum(one.cents for one in shows) / 100) else _performances(rng)


def _pounds(rng: Random) -> int:
    """A weight that is more than a half beyond whole kilograms as often as not, and never just between two."""
    pounds = rng.randint(60, 700)
    return pounds if clear(KILOGRAMS_PER_POUND * pounds) else _pounds(rng)
