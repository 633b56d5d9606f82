"""What an arboretum has on record: gardeners, plants, beds, glasshouses, seed lots, institutes, feeds, tanks, talks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 4, 13)
GRAMS_PER_OUNCE: Final = 28.349523125
LITRES_PER_GALLON: Final = 3.785411784
STAGES: Final = ("in propagation", "in the nursery", "planted out", "on display", "removed")
FAMILIES_OF: Final = {
    "Quercus robur": ("Fagaceae", "Betulaceae"), "Acer palmatum": ("Sapindaceae", "Aceraceae"),
    "Wisteria sinensis": ("Fabaceae", "Oleaceae"), "Tilia cordata": ("Malvaceae", "Tiliaceae"),
    "Syringa vulgaris": ("Oleaceae", "Caprifoliaceae"), "Camellia japonica": ("Theaceae", "Rosaceae"),
    "Rhododendron ferrugineum": ("Ericaceae", "Theaceae"), "Buddleja davidii": ("Scrophulariaceae", "Buddlejaceae"),
    "Fraxinus excelsior": ("Oleaceae", "Sapindaceae"), "Aesculus hippocastanum": ("Sapindaceae", "Hippocastanaceae"),
    "Betula pendula": ("Betulaceae", "Salicaceae"), "Juglans regia": ("Juglandaceae", "Fagaceae"),
    "Morus alba": ("Moraceae", "Rosaceae"), "Laburnum anagyroides": ("Fabaceae", "Oleaceae"),
    "Prunus avium": ("Rosaceae", "Ericaceae"), "Sorbus aucuparia": ("Rosaceae", "Oleaceae"),
    "Viburnum opulus": ("Adoxaceae", "Caprifoliaceae"), "Sambucus nigra": ("Adoxaceae", "Caprifoliaceae"),
    "Paulownia tomentosa": ("Paulowniaceae", "Scrophulariaceae"), "Catalpa bignonioides": ("Bignoniaceae", "Fabaceae"),
    "Nerium oleander": ("Apocynaceae", "Oleaceae"), "Carpinus betulus": ("Betulaceae", "Fagaceae"),
    "Robinia pseudoacacia": ("Fabaceae", "Rosaceae"), "Salix alba": ("Salicaceae", "Betulaceae"),
}  # fmt: skip
"""The family of a species in the APG IV system, and the one that it is often placed in by mistake or by older books."""
COUNTRIES: Final = {
    "Iceland": ("IS", "IC"), "Sweden": ("SE", "SW"), "Latvia": ("LV", "LA"), "Slovakia": ("SK", "SL"), "Germany": ("DE", "GE"),
    "Japan": ("JP", "JA"), "Morocco": ("MA", "MO"), "Lithuania": ("LT", "LI"), "Ireland": ("IE", "IR"), "Chile": ("CL", "CH"),
    "Bosnia and Herzegovina": ("BA", "BH"), "Algeria": ("DZ", "AL"), "Serbia": ("RS", "SE"), "South Africa": ("ZA", "SA"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
SHARES: Final = {"phosphorus": 0.43642, "potassium": 0.83015}
"""How much of the oxide that a grade states (P2O5, K2O) is the element itself."""
_ROUGHLY: Final = {"phosphorus": (0.436, 0.437, 0.44), "potassium": (0.83, 0.8302)}
"""The same as people round it."""
_BEDS: Final = (
    "Rose Walk", "Fern Gully", "Heather Bank", "Maple Glade", "Orchid Terrace", "Physic Border", "Pine Ridge", "Bamboo Hollow",
    "Moss Court", "Iris Margin", "Peony Ring", "Birch Avenue", "Azalea Dell", "Walled Border", "Herb Spiral", "Willow Reach",
)  # fmt: skip
_HOUSES: Final = (
    "Palm House", "Orchid House", "Cactus House", "Alpine House", "Fern House", "Citrus House", "Lily House", "Carnivore House",
    "Succulent House", "Begonia House", "Cycad House", "Bromeliad House",
)  # fmt: skip
_LOTS: Final = (
    "Blue Gentian", "Marsh Orchid", "Corn Poppy", "Meadow Clary", "Field Scabious", "Bog Myrtle", "Sea Holly", "Wood Anemone",
    "Globe Flower", "Spring Vetch", "Moon Daisy", "Sweet Cicely", "Musk Mallow", "Bee Balm", "Rock Rose", "Yellow Rattle",
    "Grass Pea", "Water Avens", "Cuckoo Flower", "Devil Claw",
)  # fmt: skip
_PLACES: Final = (
    "Alderney",
    "Brackwater",
    "Calder",
    "Dunmore",
    "Elmhurst",
    "Farrow",
    "Glenross",
    "Harrow",
    "Inverness",
    "Kelso",
    "Linton",
    "Marlow",
)
_SORTS: Final = ("Botanic Garden", "Seed Bank", "Herbarium")
_FEEDS: Final = (
    "Autumn Potash", "Spring Starter", "Lawn Formula", "Orchard Blend", "Rose Special", "Citrus Mix", "Tree Tonic", "Border Meal",
    "Nursery Base", "Bulb Feed", "Conifer Grain", "Meadow Boost",
)  # fmt: skip
_TANKS: Final = (
    "North Tank", "Lily Tank", "Rain Tank", "Orchard Tank", "Nursery Tank", "Tower Tank", "Quarry Tank", "Boiler Tank", "Lower Tank",
    "Stable Tank", "Valley Tank", "Kitchen Tank",
)  # fmt: skip
_TALKS: Final = (
    "Lichen Talk", "Orchard Evening", "Seed Swap", "Pruning Hour", "Moth Night", "Compost Clinic", "Fern Lecture", "Bulb Forum",
    "Grafting Class", "Pollen Seminar", "Alpine Lecture", "Members Forum", "Bonsai Clinic", "Meadow Lecture",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A glasshouse, or anything else of which the records have little more than the name."""

    id: str
    name: str


@dataclass(frozen=True)
class Gardener(Named):
    joined: date

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        return plain_week(self.joined)


@dataclass(frozen=True)
class Plant(Named):
    """A plant by its species, of which the arboretum labels one each."""

    zone: int
    """USDA hardiness zone."""
    stage: str
    bloomed: date
    """When it was first seen in bloom, this year or in an earlier one."""


@dataclass(frozen=True)
class Bed(Named):
    ph: float


@dataclass(frozen=True)
class Lot(Named):
    tests: tuple[tuple[date, int], ...]
    """Germination tests and the per cent that came up, as they were typed in; the first is not the latest."""


@dataclass(frozen=True)
class Institute(Named):
    country: str
    ounces: int
    """Weight of the consignment that is being packed for it."""


@dataclass(frozen=True)
class Feed(Named):
    grade: tuple[int, int, int]
    """Nitrogen, phosphorus and potassium as a sack has them: the latter two as oxides."""
    sack: int

    def oxide(self, element: str) -> float:
        """Kilograms in a sack, by its grade."""
        return self.sack * self.grade[1 if element == "phosphorus" else 2] / 100

    def exact(self, element: str) -> float:
        """Kilograms of the element itself in a sack."""
        return SHARES[element] * self.oxide(element)


@dataclass(frozen=True)
class Tank(Named):
    fills: tuple[int, ...]
    """Gallons (US) of each filling."""


@dataclass(frozen=True)
class Talk(Named):
    species: str
    """What is shown and spoken about."""
    begins: datetime
    """By UTC."""


@dataclass(frozen=True)
class Garden:
    gardeners: tuple[Gardener, ...]
    plants: tuple[Plant, ...]
    beds: tuple[Bed, ...]
    houses: tuple[Named, ...]
    lots: tuple[Lot, ...]
    institutes: tuple[Institute, ...]
    feeds: tuple[Feed, ...]
    tanks: tuple[Tank, ...]
    talks: tuple[Talk, ...]
    strangers: tuple[str, ...]
    """Names that nobody on record has."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each sort of record, by the name that arguments have for it."""
        sorts: dict[str, tuple[Named, ...]] = {
            "gardener_id": self.gardeners, "plant_id": self.plants, "bed_id": self.beds, "house_id": self.houses, "lot_id": self.lots,
            "institute_id": self.institutes, "feed_id": self.feeds,
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def build_garden(rng: Random) -> Garden:
    """A garden with at least four gardeners whose ISO week is not the plain count."""
    garden = _drawn(rng)
    while sum(one.week != one.plain_week for one in garden.gardeners) < 4:
        garden = _drawn(rng)
    return garden


def _drawn(rng: Random) -> Garden:
    names = [f"{first} {last}" for first, last in people(rng, 52)]
    numbers = iter(rng.sample(range(100_000, 999_999), 250))
    firms = rng.sample([f"{place} {sort}" for place in _PLACES for sort in _SORTS], 24)
    return Garden(
        tuple(
            Gardener(f"GA{next(numbers)}", name, date(2008, 2, 4) + timedelta(days=rng.randrange(6_300))) for name in names[:34]
        ),
        tuple(
            Plant(f"PL{next(numbers)}", name, rng.randint(4, 8), rng.choice(STAGES[:2]), _spring_day(rng)) for name in FAMILIES_OF
        ),
        tuple(Bed(f"BD{next(numbers)}", name, rng.randint(52, 79) / 10) for name in _BEDS),
        tuple(Named(f"GH{next(numbers)}", name) for name in _HOUSES),
        tuple(Lot(f"SL{next(numbers)}", name, _tests(rng)) for name in _LOTS),
        tuple(Institute(f"IN{next(numbers)}", name, rng.choice(tuple(COUNTRIES)), _ounces(rng)) for name in firms),
        tuple(_feed(f"FD{next(numbers)}", name, rng) for name in _FEEDS),
        tuple(Tank(f"TK{next(numbers)}", name, _fills(rng)) for name in _TANKS),
        tuple(Talk(f"EV{next(numbers)}", name, rng.choice(tuple(FAMILIES_OF)), _evening(rng)) for name in _TALKS),
        tuple(names[34:]),
    )


def _spring_day(rng: Random) -> date:
    return date(rng.randint(2022, 2025), 1, 1) + timedelta(days=rng.randint(66, 210))


def _tests(rng: Random) -> tuple[tuple[date, int], ...]:
    """Four tests, the latest neither first nor, mostly, last."""
    days = [date(2024, 5, 6) + timedelta(days=gap) for gap in rng.sample(range(0, 690, 9), 4)]
    days = rng.sample(days, 4)
    while days[0] == max(days):
        days = rng.sample(days, 4)
    return tuple(zip(days, rng.sample(range(31, 96), 4), strict=True))


def _ounces(rng: Random) -> int:
    ounces = rng.randint(14, 160)
    return ounces if clear(GRAMS_PER_OUNCE * ounces) else _ounces(rng)


def _fills(rng: Random) -> tuple[int, ...]:
    """Fillings whose sum is not just between two litres."""
    fills = tuple(rng.randint(40, 310) for _ in range(4))
    return fills if clear(LITRES_PER_GALLON * sum(fills)) else _fills(rng)


def _feed(number: str, name: str, rng: Random) -> Feed:
    """A feed whose contents are the same to a tenth of a kilogram however its shares are rounded, and no whole number of tenths."""
    feed = Feed(number, name, (rng.randint(4, 20), rng.randint(6, 30), rng.randint(6, 30)), rng.choice((10, 20, 25)))
    shares = [(one, feed.oxide(one), feed.exact(one)) for one in SHARES]
    steady = all(f"{rough * oxide:.1f}" == f"{exact:.1f}" for one, oxide, exact in shares for rough in _ROUGHLY[one])
    return feed if steady and all(clear(10 * exact) for _, _, exact in shares) else _feed(number, name, rng)


def _evening(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(2, 36)), time(rng.randint(8, 16), rng.randrange(0, 60, 5)))
