"""What a travel agency has on record: travellers, hotels, trips, flights, trains, and reports of expenses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import clear, iso_week, plain_week
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 9, 14)
KILOMETRES_PER_MILE: Final = 1.609344
KILOMETRES_PER_MIL: Final = 10
COUNTRIES: Final = {
    "Switzerland": ("CH", "SW"), "Austria": ("AT", "AU"), "Croatia": ("HR", "CR"), "Morocco": ("MA", "MO"), "Vietnam": ("VN", "VI"),
    "South Korea": ("KR", "SK"), "South Africa": ("ZA", "SA"), "Chile": ("CL", "CH"), "Slovakia": ("SK", "SL"), "Serbia": ("RS", "SE"),
    "Japan": ("JP", "JA"), "Philippines": ("PH", "PI"), "Ukraine": ("UA", "UK"), "Algeria": ("DZ", "AL"),
}  # fmt: skip
"""The code of a country by ISO 3166, and the one that it is often taken to have."""
LANGUAGES: Final = {
    "Danish": ("da", "dk"), "Swedish": ("sv", "se"), "Czech": ("cs", "cz"), "Greek": ("el", "gr"), "Japanese": ("ja", "jp"),
    "Korean": ("ko", "kr"), "Estonian": ("et", "ee"), "Slovenian": ("sl", "si"), "Vietnamese": ("vi", "vn"), "Albanian": ("sq", "al"),
    "Chinese": ("zh", "cn"), "Georgian": ("ka", "ge"),
}  # fmt: skip
"""The code of a language by ISO 639, and that of a country where it is spoken."""
AIRPORTS: Final = {
    "Montréal-Trudeau": ("YUL", "YMX", "YMQ", "YOW", "YQB"), "Toronto Pearson": ("YYZ", "YTZ", "YTO", "YYT", "YKZ"),
    "Calgary": ("YYC", "YCG", "YEG", "YYJ", "YXC"), "Nashville": ("BNA", "NSH", "BHM", "MEM", "NAS"),
    "New Orleans": ("MSY", "NOL", "NEW", "MOB", "NOR"), "Orlando International": ("MCO", "ORL", "SFB", "MLB", "OIA"),
    "Kansas City": ("MCI", "KCI", "MKC", "KAN", "ICT"), "Bologna": ("BLQ", "BOL", "BGY", "BLG", "BRI"),
    "Bengaluru": ("BLR", "BNG", "BAN", "BGL", "BLU"), "Guangzhou Baiyun": ("CAN", "GZH", "GUA", "CGO", "KWE"),
    "Ottawa": ("YOW", "OTT", "YOT", "YOO", "YTW"), "Genoa": ("GOA", "GEN", "GNV", "GVA", "GNO"),
    "Poznań": ("POZ", "PZN", "POM", "PON", "PNZ"), "Wrocław": ("WRO", "WRC", "WAW", "WRW", "WCL"),
    "Catania": ("CTA", "CAT", "CTN", "CIA", "CAG"), "Rzeszów": ("RZE", "RZS", "RZW", "RSZ", "KRK"),
}  # fmt: skip
"""The code of an airport by IATA, and others that come to mind."""
CAPITALS: Final = {
    "Sydney": ("Canberra", "Sydney", "Melbourne", "Perth", "Brisbane", "Adelaide"),
    "Istanbul": ("Ankara", "Istanbul", "Izmir", "Bursa", "Konya", "Antalya"),
    "Toronto": ("Ottawa", "Toronto", "Montreal", "Quebec City", "Vancouver", "Winnipeg"),
    "Casablanca": ("Rabat", "Casablanca", "Fez", "Marrakesh", "Tangier", "Agadir"),
    "Lagos": ("Abuja", "Lagos", "Kano", "Ibadan", "Port Harcourt", "Kaduna"),
    "Almaty": ("Astana", "Almaty", "Shymkent", "Karaganda", "Aktau", "Atyrau"),
    "Karachi": ("Islamabad", "Karachi", "Lahore", "Rawalpindi", "Peshawar", "Quetta"),
    "Zürich": ("Bern", "Zürich", "Geneva", "Basel", "Lausanne", "Lucerne"),
    "Geneva": ("Bern", "Geneva", "Zürich", "Basel", "Lausanne", "Lucerne"),
    "Auckland": ("Wellington", "Auckland", "Christchurch", "Hamilton", "Dunedin", "Nelson"),
    "Ho Chi Minh City": ("Hanoi", "Ho Chi Minh City", "Da Nang", "Hue", "Haiphong", "Can Tho"),
    "Melbourne": ("Canberra", "Sydney", "Melbourne", "Perth", "Brisbane", "Adelaide"),
    "Vancouver": ("Ottawa", "Toronto", "Montreal", "Quebec City", "Calgary", "Winnipeg"),
    "Dubai": ("Abu Dhabi", "Dubai", "Sharjah", "Ajman", "Al Ain", "Fujairah"),
    "Curitiba": ("Brasília", "Rio de Janeiro", "São Paulo", "Salvador", "Recife", "Belo Horizonte"),
}
"""The capital of the country that a city is in, the city that is often taken for it, and others of that country."""
DECIMALS: Final = {"JPY": 0, "KRW": 0, "VND": 0, "ISK": 0, "KWD": 3, "BHD": 3, "JOD": 3, "TND": 3}
"""How many decimals a currency has, where it is not two."""
VISITORS: Final = frozenset({"South Korea", "Serbia", "Chile", "Japan", "Ukraine"})
"""Nationalities that visit the Schengen area without a visa."""
POSITIONS: Final = ("window", "aisle")
_HOUSES: Final = ("Astoria", "Belvedere", "Corona", "Diplomat", "Excelsior", "Kaiserhof", "Majestic", "Regina")
_STYLES: Final = ("Grand {}", "Hotel {}", "{} Suites")
_PURPOSES: Final = ("Kick-off", "Audit", "Roadshow", "Workshop", "Site Visit", "Summit")
_NAMES: Final = ("Amber", "Basalt", "Cobalt", "Delta", "Ember", "Falcon", "Granite", "Harrier")
_CARRIERS: Final = ("Meridian", "Sundial", "Polaris", "Corona Air", "Levant")
_PLACES: Final = ("Aarau", "Bruges", "Colmar", "Dijon", "Erfurt", "Fulda", "Gouda", "Hamm", "Jena", "Krems", "Linz", "Metz")
_QUARTERS: Final = ("Spring", "Summer", "Autumn", "Winter")
_TOURS: Final = ("Sales Tour", "Service Calls", "Fair", "Training", "Recruiting", "Moves")


@dataclass(frozen=True)
class Named:
    id: str
    name: str


@dataclass(frozen=True)
class Traveller(Named):
    nationality: str
    speaks: str
    airport: str
    seat: str
    """The position that the profile prefers."""


@dataclass(frozen=True)
class Hotel(Named):
    city: str
    left: int
    """Rooms that nobody has booked."""
    quotes: tuple[tuple[date, int], ...]
    """Rates for a night in euros, as they came in; the first is not the latest."""


@dataclass(frozen=True)
class Trip(Named):
    departs: datetime
    """By UTC."""
    enters: date
    leaves: date
    """When it crosses the border of the Schengen area, both ways."""

    @property
    def nights(self) -> int:
        return (self.leaves - self.enters).days


@dataclass(frozen=True)
class Flight(Named):
    day: date

    @property
    def day_of_year(self) -> int:
        return self.day.timetuple().tm_yday


@dataclass(frozen=True)
class Train(Named):
    late: int
    """Minutes of delay at the destination."""


@dataclass(frozen=True)
class Report(Named):
    currency: str
    unit: str
    """Of the drives: statute miles or Scandinavian ones (`mil`)."""
    drives: tuple[int, ...]

    @property
    def kilometres(self) -> float:
        return sum(self.drives) * (KILOMETRES_PER_MILE if self.unit == "mi" else KILOMETRES_PER_MIL)


@dataclass(frozen=True)
class Agency:
    travellers: tuple[Traveller, ...]
    hotels: tuple[Hotel, ...]
    trips: tuple[Trip, ...]
    flights: tuple[Flight, ...]
    trains: tuple[Train, ...]
    reports: tuple[Report, ...]
    strangers: tuple[str, ...]
    """Names that nobody on record has."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids that an argument can have, by its name."""
        sorts: dict[str, tuple[Named, ...]] = {
            "traveller_id": self.travellers, "hotel_id": self.hotels, "trip_id": self.trips, "flight_id": self.flights,
            "booking_id": self.trains, "report_id": self.reports,
        }  # fmt: skip
        return {sort: frozenset(one.id for one in ones) for sort, ones in sorts.items()}


def share(late: int) -> int:
    """Per cent of the fare that a passenger gets back for a delay, by Regulation (EU) 2021/782, Article 19."""
    return 0 if late < 60 else 25 if late < 120 else 50


def build_agency(rng: Random) -> Agency:
    """An agency with four trips at least that leave in an ISO week which is not the plain count, and four travellers who need no visa."""
    agency = _drawn(rng)
    while not (
        sum(iso_week(one.departs.date()) != plain_week(one.departs.date()) for one in agency.trips) >= 4
        and sum(one.nationality in VISITORS for one in agency.travellers) >= 4
    ):
        agency = _drawn(rng)
    return agency


def _drawn(rng: Random) -> Agency:
    names = [f"{first} {last}" for first, last in people(rng, 44)]
    numbers = iter(rng.sample(range(100_000, 999_999), 300))
    houses = rng.sample([style.format(house) for house in _HOUSES for style in _STYLES], 20)
    trips = rng.sample([f"{name} {purpose}" for name in _NAMES for purpose in _PURPOSES], 24)
    flights = [f"{rng.choice(_CARRIERS)} {number}" for number in rng.sample(range(200, 990), 20)]
    pairs = rng.sample([f"{one}-{other}" for one in _PLACES for other in _PLACES if one != other], 20)
    reports = [f"{quarter} {tour}" for quarter in _QUARTERS for tour in _TOURS]
    return Agency(
        tuple(
            Traveller(
                f"TRV{next(numbers)}", name, rng.choice(tuple(COUNTRIES)), rng.choice(tuple(LANGUAGES)),
                rng.choice(tuple(AIRPORTS)), rng.choice(POSITIONS),
            )
            for name in names[:28]
        ),
        tuple(
            Hotel(f"HTL{next(numbers)}", name, rng.choice(tuple(CAPITALS)), rng.randint(6, 40), _quotes(rng)) for name in houses
        ),
        tuple(_trip(f"TRP{next(numbers)}", name, rng) for name in trips),
        tuple(Flight(f"FLT{next(numbers)}", name, TODAY + timedelta(days=rng.randint(6, 100))) for name in flights),
        tuple(Train(f"RLB{next(numbers)}", name, rng.choice((66, 74, 83, 91, 104, 113, 126, 138, 147, 171, 192))) for name in pairs),
        tuple(
            Report(f"RPT{next(numbers)}", name, rng.choice(tuple(DECIMALS)), unit, _drives(unit, rng))
            for name, unit in zip(reports, ("mi", "mil") * 12, strict=True)
        ),
        tuple(names[28:]),
    )  # fmt: skip


def _quotes(rng: Random) -> tuple[tuple[date, int], ...]:
    days = [TODAY - timedelta(days=gap) for gap in rng.sample(range(3, 90, 4), 4)]
    while days[0] == max(days):
        days = rng.sample(days, 4)
    return tuple(zip(days, rng.sample(range(96, 260), 4), strict=True))


def _trip(number: str, name: str, rng: Random) -> Trip:
    day = TODAY + timedelta(days=rng.randint(4, 30))
    enters = day + timedelta(days=rng.randint(0, 1))
    departs = datetime.combine(day, time(rng.randint(6, 15), rng.randrange(0, 60, 5)))
    return Trip(number, name, departs, enters, enters + timedelta(days=rng.randint(8, 40)))


def _drives(unit: str, rng: Random) -> tuple[int, ...]:
    """Drives whose sum in kilometres is rounded upwards, where it is rounded at all."""
    drives = tuple(rng.randint(12, 96) for _ in range(rng.randint(3, 5)))
    exact = KILOMETRES_PER_MILE * sum(drives)
    return drives if unit == "mil" or (clear(exact) and exact % 1 > 0.5) else _drives(unit, rng)
