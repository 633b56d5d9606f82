"""What a local radio station keeps: advertisers with their clips and orders, programmes, voices, and masts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2026, 5, 12)
REGIONS: Final = ("Northmavine", "Yell", "Unst", "Fetlar", "Whalsay", "Bressay", "Burra", "Walls")
SITES: Final = ("Ward Hill", "Collafirth", "Saxa Vord", "Scousburgh", "Fitful Head", "Noss Sound", "Ronas Voe", "Sumburgh")
Q_CODES: Final = {
    "QRM": "interference from other stations", "QRN": "static", "QSB": "fading", "QSL": "receipt acknowledged",
    "QSY": "change of frequency", "QTH": "position of the station", "QRP": "reduced power", "QRT": "end of transmission",
    "QRX": "stand by", "QRV": "ready", "QSO": "contact established",
}  # fmt: skip
"""Codes of reception reports, and what they are short for."""
_FIRST: Final = ("Tystie", "Skerry", "Marram", "Corran", "Fulmar", "Kelpie", "Brodie", "Lochend")
_SECOND: Final = ("Bakery", "Motors", "Opticians", "Joinery", "Fisheries", "Bikes")
_SUBJECTS: Final = ("spring sale", "opening hours", "job advert", "anniversary", "gift cards", "delivery", "repair week")
_TITLES: Final = (
    "The Kitchen Fiddle", "Ferry Weather", "Peat and Vinyl", "Long Low Light", "Harmonies at Dusk", "Croft Corner", "The Late Net",
    "Salt and Strings", "Sixareen Sessions", "Simmer Dim", "Knit One", "Voices of Unst", "Tidal Jazz", "The Lodberry Tapes",
)  # fmt: skip


@dataclass(frozen=True)
class Clip:
    id: str
    client: str
    subject: str
    seconds: int
    kbit: int
    """The bitrate in kbit/s."""
    lufs: float
    """The measured loudness."""
    first_aired: date


@dataclass(frozen=True)
class Order:
    id: str
    client: str
    booked: int
    placed: int


@dataclass(frozen=True)
class Show:
    id: str
    title: str
    since: int
    """The year of its first broadcast."""
    next_on: date
    minute: int
    """When it begins, in minutes of the day, by UTC."""


@dataclass(frozen=True)
class Voice:
    id: str
    name: str
    region: str
    hours: int


@dataclass(frozen=True)
class Mast:
    id: str
    site: str
    watts: int
    report: str


@dataclass(frozen=True)
class Log:
    clips: tuple[Clip, ...]
    orders: tuple[Order, ...]
    shows: tuple[Show, ...]
    voices: tuple[Voice, ...]
    masts: tuple[Mast, ...]

    @property
    def clients(self) -> list[str]:
        return [one.client for one in self.orders]

    @property
    def ids(self) -> frozenset[str]:
        kept: tuple[Clip | Order | Show | Voice | Mast, ...] = (*self.clips, *self.orders, *self.shows, *self.voices, *self.masts)
        return frozenset(one.id for one in kept)

    def clip(self, given: object) -> Clip | None:
        return next((one for one in self.clips if one.id == given), None)

    def of_client(self, name: object) -> list[Clip]:
        return [one for one in self.clips if one.client == name]

    def order_of(self, name: object) -> Order | None:
        return next((one for one in self.orders if one.client == name), None)

    def show(self, title: object) -> Show | None:
        return next((one for one in self.shows if one.title == title), None)

    def mast(self, site: object) -> Mast | None:
        return next((one for one in self.masts if one.site == site), None)


def build_log(rng: Random) -> Log:
    numbers = iter(rng.sample(range(20_000, 99_999), 400))
    clients = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    clips = [_clip(f"clip:{next(numbers)}", client, subject, rng) for client in clients for subject in rng.sample(_SUBJECTS, 4)]
    orders = []
    for client in clients:
        booked = rng.randint(6, 14)
        orders.append(Order(f"order:{next(numbers)}", client, booked, booked - 1))
    shows = [
        Show(
            f"show:{next(numbers)}", title, rng.choice([1944, 1948, 1959, 1964, 1969, 1974, 1978, 1984, 1988, 1994, 1996, 1999]),
            TODAY + timedelta(days=rng.randint(2, 60)), 60 * rng.randint(11, 17) + rng.randrange(0, 60, 5),
        )
        for title in _TITLES
    ]  # fmt: skip
    voices = [
        Voice(f"voice:{next(numbers)}", f"{first} {last}", REGIONS[number % len(REGIONS)], rng.randint(6, 31))
        for number, (first, last) in enumerate(people(rng, 3 * len(REGIONS)))
    ]
    masts = [
        Mast(f"mast:{next(numbers)}", site, rng.choice((200, 400, 800, 1_000, 2_000)), rng.choice(tuple(Q_CODES)))
        for site in SITES
    ]
    return Log(tuple(clips), tuple(orders), tuple(shows), tuple(voices), tuple(masts))


def _clip(number: str, client: str, subject: str, rng: Random) -> Clip:
    return Clip(
        number, client, subject, rng.randint(13, 58), rng.choice((128, 192, 256, 320)), -rng.randint(122, 198) / 10,
        date(2025, 2, 1) + timedelta(days=rng.randrange(440)),
    )  # fmt: skip


def clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} {day.day} {day:%B}"
