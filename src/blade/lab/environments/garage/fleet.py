"""The fleet of a town's garage: vehicles and their records, parts, past jobs, fault codes, fills of fuel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.desk import dice
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 4, 20)
DEPOTS: Final = ("Millgate", "Quarry Road", "Southside")
BAYS: Final = (1, 2, 3, 4, 5, 6)
YEARS: Final = {"K": 2019, "L": 2020, "M": 2021, "N": 2022, "P": 2023}
"""Model years by the tenth character of a VIN; I, O and Q stand for none."""
SPEEDS: Final = {"Q": 160, "R": 170, "S": 180, "T": 190, "H": 210, "V": 240, "W": 270}
"""The speed in km/h that a tyre with this letter is made for."""
CODES: Final = {
    "P0171": "fuel_and_air", "P0201": "fuel_and_air", "P0301": "ignition", "P0352": "ignition", "P0420": "emissions", "P0442": "emissions",
    "P0505": "idle_and_speed", "P0606": "control_unit", "P0741": "transmission", "C0035": "chassis", "B1342": "body", "U0100": "network",
}  # fmt: skip
"""Which system a code of the on-board diagnosis belongs to."""
_MODELS = ("Ford Transit", "Fiat Ducato", "Renault Master", "VW Crafter", "Iveco Daily", "Opel Vivaro")
_SIZES = ("195/70 R15", "205/65 R16", "215/65 R16", "225/75 R16", "235/65 R16")
_PARTS = (
    "oil filter", "air filter", "front brake pads", "rear brake discs", "wiper blades", "alternator belt", "cabin filter", "fuel filter",
    "glow plugs", "door mirror",
)  # fmt: skip
_JOBS = (
    "clutch replacement",
    "wheel alignment",
    "coolant flush",
    "exhaust repair",
    "battery replacement",
    "windscreen replacement",
)
_VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_PLATE_LETTERS = "BCDFGHJKLMNPRSTVWX"


@dataclass(frozen=True)
class Part:
    number: str
    name: str
    cents: int


@dataclass(frozen=True)
class Fill:
    day: date
    tenths: int
    """Tenths of the unit that the pump counts in."""
    cents: int


@dataclass(frozen=True)
class Job:
    number: str
    work: str
    mechanic: str
    closed: date


@dataclass(frozen=True)
class Vehicle:
    id: str
    plate: str
    model: str
    depot: str
    vin: str
    since_service: int
    """Kilometres since the last service."""
    tyre: str
    psi: tuple[int, int]
    """What the placard in the door says for the front and for the rear."""
    inspection: date
    code: str
    parts: tuple[Part, ...]
    jobs: tuple[Job, ...]
    """The latest one last."""
    fills: tuple[Fill, ...]
    pump: str

    @property
    def letter(self) -> str:
        return self.tyre[-1]


@dataclass(frozen=True)
class Fleet:
    vehicles: tuple[Vehicle, ...]
    mechanics: tuple[str, ...]

    def of_id(self, given: object) -> Vehicle | None:
        return next((one for one in self.vehicles if one.id == given), None)


def free_bays(depot: str, day: str) -> list[int]:
    return sorted(dice("bays", depot, day).sample(BAYS, 4))


def build_fleet(rng: Random) -> Fleet:
    numbers = iter(rng.sample(range(1_000, 9_999), 900))
    mechanics = tuple(f"{first} {last}" for first, last in people(rng, 6))
    vehicles = tuple(_vehicle(f"FV-{next(numbers)}", numbers, mechanics, rng) for _ in range(30))
    return Fleet(vehicles, mechanics)


def _vehicle(ref: str, numbers: Iterator[int], mechanics: tuple[str, ...], rng: Random) -> Vehicle:
    letters = "".join(rng.choices(_PLATE_LETTERS, k=5))
    fills = tuple(
        Fill(TODAY - timedelta(days=9 * back + rng.randint(1, 8)), rng.randint(121, 389), rng.randint(3_105, 9_790))
        for back in range(rng.randint(4, 6))
    )
    jobs = [
        Job(f"WO-{next(numbers)}", work, rng.choice(mechanics), TODAY - timedelta(days=70 * (3 - at) + rng.randint(0, 50)))
        for at, work in enumerate(rng.sample(_JOBS, 3))
    ]
    return Vehicle(
        id=ref,
        plate=f"{letters[:2]}{rng.randint(21, 74)} {letters[2:]}",
        model=rng.choice(_MODELS),
        depot=rng.choice(DEPOTS),
        vin=_vin(rng),
        since_service=rng.randint(6_010, 29_990),
        tyre=f"{rng.choice(_SIZES)} {rng.randint(98, 115)}{rng.choice(tuple(SPEEDS))}",
        psi=(rng.randint(32, 44), rng.randint(46, 62)),
        inspection=TODAY + timedelta(days=rng.randint(10, 240)),
        code=rng.choice(tuple(CODES)),
        parts=tuple(Part(f"PN-{next(numbers)}", name, rng.randint(690, 18_990)) for name in rng.sample(_PARTS, 7)),
        jobs=tuple(jobs),
        fills=fills,
        pump=rng.choice(("litres", "imperial gallons")),
    )


def _vin(rng: Random) -> str:
    head = "".join(rng.choices(_VIN_LETTERS, k=3)) + "".join(rng.choices(_VIN_LETTERS + "0123456789", k=6))
    return f"{head}{rng.choice(tuple(YEARS))}{rng.choice(_VIN_LETTERS)}{rng.randrange(10**5, 10**6)}"
