"""What a rail travel desk sells: stations in several time zones, trains that run daily, customers and their orders, lines of old."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2026, 9, 14)
ZONES: Final = {
    "London St Pancras": 1, "Lisboa Oriente": 1, "Porto Campanhã": 1, "Paris Gare du Nord": 2, "Bruxelles-Midi": 2, "Madrid Chamartín": 2,
    "Vigo-Guixar": 2, "Budapest Keleti": 2, "Warszawa Wschodnia": 2, "Aix-en-Provence TGV": 2, "Paris Gare de Lyon": 2, "Köln Hbf": 2,
    "Amsterdam Centraal": 2, "Zürich HB": 2, "Milano Centrale": 2, "Wien Hbf": 2, "Timișoara Nord": 3, "Kaunas Central": 3,
}  # fmt: skip
"""Hours ahead of UTC in summer."""
_ROUTES: Final = (
    ("London St Pancras", "Bruxelles-Midi", 121), ("London St Pancras", "Paris Gare du Nord", 137), ("Lisboa Oriente", "Madrid Chamartín", 582),
    ("Porto Campanhã", "Vigo-Guixar", 142), ("Timișoara Nord", "Budapest Keleti", 318), ("Kaunas Central", "Warszawa Wschodnia", 456),
    ("Paris Gare de Lyon", "Aix-en-Provence TGV", 184), ("Köln Hbf", "Amsterdam Centraal", 163), ("Zürich HB", "Milano Centrale", 197),
    ("Wien Hbf", "Budapest Keleti", 159), ("Bruxelles-Midi", "Köln Hbf", 113),
)  # fmt: skip
"""From, to, and the minutes between them."""
COUNTRIES: Final = {
    "51": "Poland", "54": "Czechia", "55": "Hungary", "70": "United Kingdom", "71": "Spain", "80": "Germany", "81": "Austria",
    "83": "Italy", "84": "Netherlands", "85": "Switzerland", "87": "France", "88": "Belgium",
}  # fmt: skip
"""The country that the third and fourth digit of a coach's number stand for."""
SERVICES: Final = ("bicycle", "dog", "extra_luggage", "meal", "power_socket", "table_seat")
_LINES = (
    "Borders Fell Line", "Cambrian Slate Line", "Esk and Moors Line", "Heart of the Marches Line", "Lochs and Kyle Line", "Peak Valley Line",
    "Ribble Viaduct Line", "Wensum Coast Line",
)  # fmt: skip
_TYPES = ("EC", "ICE", "TGV", "IC")


@dataclass(frozen=True)
class Train:
    number: str
    origin: str
    destination: str
    departs: int
    """Minutes after midnight, local time."""
    minutes: int
    """How long it takes."""

    @property
    def arrives(self) -> int:
        return self.departs + self.minutes + 60 * (ZONES[self.destination] - ZONES[self.origin])

    @property
    def crosses(self) -> bool:
        return ZONES[self.origin] != ZONES[self.destination]

    def on(self, day: date) -> str:
        """Its departure on a day."""
        return f"{day.isoformat()}T{clock(self.departs)}"


@dataclass(frozen=True)
class Order:
    id: str
    customer: str
    train: Train
    day: date
    cents: int
    supplement: int
    """Cents that first class costs more."""
    coach: str
    """The number painted on it."""
    late: int | None
    """Minutes by which the train came late, once it has run."""
    cancelled: bool = False


@dataclass(frozen=True)
class Line:
    name: str
    miles: int
    chains: int


@dataclass(frozen=True)
class Network:
    trains: tuple[Train, ...]
    orders: tuple[Order, ...]
    lines: tuple[Line, ...]

    def order(self, given: object) -> Order | None:
        return next((one for one in self.orders if one.id == given), None)

    def of(self, customer: str) -> list[Order]:
        return [one for one in self.orders if one.customer == customer]

    def open_of(self, customer: str) -> list[Order]:
        """What can still be changed."""
        return [one for one in self.of(customer) if one.late is None and not one.cancelled]

    @property
    def upcoming(self) -> list[Order]:
        return [one for one in self.orders if one.late is None and not one.cancelled]

    def between(self, origin: object, destination: object) -> list[Train]:
        return [one for one in self.trains if (one.origin, one.destination) == (origin, destination)]


def clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def euros(cents: int) -> str:
    return f"{cents / 100:.2f}"


def build_network(rng: Random) -> Network:
    numbers = iter(rng.sample(range(100, 999), len(_ROUTES) * 5))
    trains = tuple(
        Train(f"{rng.choice(_TYPES)} {next(numbers)}", origin, destination, 60 * hour + rng.randrange(1, 60), minutes)
        for origin, destination, minutes in _ROUTES
        for hour in rng.sample(range(6, 14), 4)
    )
    names = [f"{first} {last}" for first, last in people(rng, 22)]
    refs = iter(rng.sample(range(100_000, 999_999), 200))
    orders = tuple(order for name in names for order in _orders(name, trains, refs, rng))
    lines = tuple(Line(name, rng.randint(18, 130), rng.randint(25, 79)) for name in _LINES)
    return Network(trains, orders, lines)


def _orders(customer: str, trains: tuple[Train, ...], refs: Iterator[int], rng: Random) -> list[Order]:
    """A trip behind the customer, three to four ahead, and now and then one that was cancelled."""
    chosen = rng.sample(trains, 6)
    ahead = [TODAY + timedelta(days=away) for away in rng.sample(range(6, 90), rng.randint(3, 4))]
    past = TODAY - timedelta(days=rng.randint(4, 40))
    late = rng.choice((rng.randint(62, 117), rng.randint(122, 190)))
    made = [_order(customer, chosen[0], past, late, refs, rng)]
    made += [_order(customer, train, day, None, refs, rng) for train, day in zip(chosen[1:], ahead, strict=False)]
    if rng.random() < 0.5:
        made.append(_order(customer, chosen[5], TODAY + timedelta(days=rng.randint(6, 90)), None, refs, rng, cancelled=True))
    return sorted(made, key=lambda one: one.day)


def _order(
    customer: str, train: Train, day: date, late: int | None, refs: Iterator[int], rng: Random, cancelled: bool = False
) -> Order:
    owner = rng.choice(tuple(COUNTRIES))
    coach = f"{rng.choice((61, 73))} {owner} {rng.randint(10, 29)}-{rng.randint(70, 95)} {rng.randint(0, 999):03d}-{rng.randint(0, 9)}"
    cents, supplement = rng.randrange(2_905, 18_990, 5), rng.randrange(1_205, 6_900, 5)
    return Order(f"TX{next(refs)}", customer, train, day, cents, supplement, coach, late, cancelled)
