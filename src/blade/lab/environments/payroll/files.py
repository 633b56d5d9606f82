"""What a payroll office has on file: employees with their pay, overtime and mileage, offices abroad, and teams at home."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2027, 2, 8)
KILOMETRES_PER_MILE: Final = 1.609344
JOBS: Final = {
    "purchasing manager": 1, "human resource manager": 1, "accountant": 2, "software developer": 2, "mechanical engineer": 2,
    "engineering technician": 3, "sales representative": 3, "payroll clerk": 4, "receptionist": 4, "data entry clerk": 4,
    "canteen cook": 5, "security guard": 5, "electrician": 7, "welder": 7, "toolmaker": 7, "forklift driver": 8, "lorry driver": 8,
    "office cleaner": 9, "hand packer": 9,
}  # fmt: skip
"""The major group of an occupation by ISCO-08."""


@dataclass(frozen=True)
class Country:
    name: str
    code: str
    invented: str
    """The code that it is often taken to have."""
    language: str
    tongue: str
    """The code of that language by ISO 639-1."""
    confused: str
    """The country's code in its place."""
    currency: str
    mistaken: str
    """What is often taken for the code of the currency."""


ABROAD: Final = {
    "Aarhus": Country("Denmark", "DK", "DN", "Danish", "da", "dk", "DKK", "DKR"),
    "Malmö": Country("Sweden", "SE", "SW", "Swedish", "sv", "se", "SEK", "SKR"),
    "Lviv": Country("Ukraine", "UA", "UK", "Ukrainian", "uk", "ua", "UAH", "UKH"),
    "Brno": Country("Czechia", "CZ", "CR", "Czech", "cs", "cz", "CZK", "CZC"),
    "Niš": Country("Serbia", "RS", "SR", "Serbian", "sr", "rs", "RSD", "SRD"),
    "Nagoya": Country("Japan", "JP", "JA", "Japanese", "ja", "jp", "JPY", "YEN"),
    "Busan": Country("South Korea", "KR", "KO", "Korean", "ko", "kr", "KRW", "WON"),
    "Hanoi": Country("Vietnam", "VN", "VT", "Vietnamese", "vi", "vn", "VND", "VTD"),
    "Penang": Country("Malaysia", "MY", "ML", "Malay", "ms", "my", "MYR", "RGT"),
    "Batumi": Country("Georgia", "GE", "GR", "Georgian", "ka", "ge", "GEL", "LAR"),
    "Durrës": Country("Albania", "AL", "AB", "Albanian", "sq", "al", "ALL", "LEK"),
    "Suzhou": Country("China", "CN", "CH", "Chinese", "zh", "cn", "CNY", "RMB"),
}
_MILES: Final = {
    "Aarhus": 590, "Malmö": 510, "Lviv": 740, "Brno": 810, "Niš": 1_180, "Nagoya": 4_790, "Busan": 4_560, "Hanoi": 4_630, "Penang": 5_240,
    "Batumi": 1_490, "Durrës": 1_330, "Suzhou": 4_610,
}  # fmt: skip
"""About how far away a city is."""
_TEAMS: Final = (
    "Foundry", "Paint Shop", "Optics", "Test Bench", "Goods Inward", "Dispatch", "Tool Room", "Calibration", "Field Service", "Press Room",
    "Assembly", "Clean Room", "Night Shift", "Packing", "Lens Grinding", "Repairs",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    id: str
    name: str


@dataclass(frozen=True)
class Employee(Named):
    job: str
    joined: date
    rates: tuple[tuple[date, int], ...]
    """Hourly pay in cents from a day on, as it was typed in; the first is not the latest."""
    overtime: int
    """Hours that are not paid out."""
    claims: tuple[int, ...]
    """Miles driven on duty."""
    account: str
    """The national number of a Finnish bank account."""

    @property
    def group(self) -> int:
        return JOBS[self.job]

    @property
    def week(self) -> int:
        """The ISO week in which they joined."""
        return iso_week(self.joined)

    @property
    def plain_week(self) -> int:
        return plain_week(self.joined)

    @property
    def exact_kilometres(self) -> float:
        return KILOMETRES_PER_MILE * sum(self.claims)


@dataclass(frozen=True)
class Office(Named):
    country: Country
    miles: int
    """Distance from the head office."""
    briefing: datetime
    """By UTC, in summer."""

    @property
    def exact_kilometres(self) -> float:
        return KILOMETRES_PER_MILE * self.miles


@dataclass(frozen=True)
class Files:
    employees: tuple[Employee, ...]
    offices: tuple[Office, ...]
    teams: tuple[Named, ...]
    strangers: tuple[str, ...]
    """Names that nobody on file has."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids that an argument can have, by its name."""
        sorts: dict[str, tuple[Named, ...]] = {
            "employee_id": self.employees, "substitute_id": self.employees, "office_id": self.offices, "team_id": self.teams,
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def build_files(rng: Random) -> Files:
    """Files with at least six employees whose ISO week is not the plain count."""
    files = _drawn(rng)
    while sum(one.week != one.plain_week for one in files.employees) < 6:
        files = _drawn(rng)
    return files


def _drawn(rng: Random) -> Files:
    names = [f"{first} {last}" for first, last in people(rng, 64)]
    numbers = iter(rng.sample(range(10_000, 99_999), 120))
    return Files(
        tuple(
            Employee(
                f"EMP-{next(numbers)}", name, rng.choice(tuple(JOBS)), date(2004, 3, 1) + timedelta(days=rng.randrange(7_900)),
                _rates(rng), rng.randint(12, 90), _claims(rng), f"{rng.randrange(10**13, 10**14)}",
            )
            for name in names[:46]
        ),
        tuple(
            Office(f"OFF-{next(numbers)}", f"{city} office", country, _miles(city, rng), _briefing(rng))
            for city, country in ABROAD.items()
        ),
        tuple(Named(f"TEA-{next(numbers)}", name) for name in _TEAMS),
        tuple(names[46:]),
    )  # fmt: skip


def _rates(rng: Random) -> tuple[tuple[date, int], ...]:
    """Four rates, none of them alike, of which the first is not the latest."""
    days = [date(year, rng.choice((1, 4, 7, 10)), 1) for year in (2022, 2023, 2024, 2025)]
    cents = sorted(5 * one for one in rng.sample(range(331, 780), 4))
    rates = list(zip(days, cents, strict=True))
    order = rng.sample(rates, 4)
    while order[0] == rates[3]:
        order = rng.sample(rates, 4)
    return tuple(order)


def _claims(rng: Random) -> tuple[int, ...]:
    """Claims whose sum is not just between two kilometres."""
    claims = tuple(rng.randint(14, 230) for _ in range(rng.randint(4, 5)))
    return claims if clear(KILOMETRES_PER_MILE * sum(claims)) else _claims(rng)


def _miles(city: str, rng: Random) -> int:
    miles = _MILES[city] + rng.randint(-60, 60)
    return miles if clear(KILOMETRES_PER_MILE * miles) else _miles(city, rng)


def _briefing(rng: Random) -> datetime:
    return datetime.combine(
        date(2027, 6, 7) + timedelta(days=rng.randrange(60)), time(rng.randint(8, 15), rng.randrange(0, 60, 5))
    )
