"""The files of a veterinary clinic: clients, their animals and charts, vets, appointments, invoices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Final

from blade.lab.desk import dice
from blade.lab.environments.environment import people

TODAY: Final = date(2026, 5, 11)
TIMES: Final = tuple(f"{hour:02d}:{minute}" for hour in (8, 9, 10, 11, 13, 14, 15, 16) for minute in ("00", "30"))
REASONS: Final = ("check-up", "vaccination", "dental cleaning", "follow-up")
TIMES_A_DAY: Final = {"SID": 1, "BID": 2, "TID": 3, "QID": 4, "q6h": 4, "q8h": 3}
"""How often a day, by the abbreviation in a plan."""
SITES: Final = {
    "OS": "left_eye", "OD": "right_eye", "OU": "both_eyes", "AS": "left_ear", "AD": "right_ear", "AU": "both_ears",
}  # fmt: skip
"""Where drops go, by the abbreviation in a plan."""
_ANIMALS = (
    "Biscuit", "Captain", "Domino", "Ember", "Figaro", "Gizmo", "Hazel", "Inky", "Jasper", "Kiwi", "Lotte", "Mango", "Nacho", "Olive",
    "Pepper", "Quincy", "Rufus", "Snickers", "Truffle", "Umber", "Velvet", "Waffle", "Ziggy", "Acorn", "Barley", "Clover", "Dusty",
    "Eddie", "Fern", "Ginger", "Hobbes", "Ivy", "Juno", "Koda", "Lumi", "Marble", "Nutmeg", "Otto", "Pixel", "Ruby",
)  # fmt: skip
_SPECIES: Final = {"dog": (60, 420), "cat": (25, 75), "rabbit": (20, 50)}
"""From which weight to which, in tenths of a kilogram."""
_MEDICINES = ("Amoxicillin", "Carprofen", "Cephalexin", "Doxycycline", "Gabapentin", "Metronidazole", "Trazodone")
_EYE_DROPS, _EAR_DROPS = ("Ofloxacin drops", "Tobramycin drops"), ("Miconazole drops", "Gentamicin drops")
_REMARKS = ("pays by card", "prefers text messages", "new address since March", "has a spare key", "drives from far away", "")
_CHARGES = ("consultation", "blood panel", "vaccine", "nail trim", "x-ray", "boarding", "ultrasound")


@dataclass(frozen=True)
class Patient:
    id: str
    chip: str
    name: str
    species: str
    owner: str
    tenths: int
    """Weight in tenths of its unit."""
    unit: str
    last_visit: date
    medicine: str
    mg_per_kg: int
    often: str
    drops: str
    site: str

    @property
    def plan(self) -> str:
        return f"{self.medicine} {self.mg_per_kg} mg/kg PO {self.often}; {self.drops} {self.site} BID"

    @property
    def dose(self) -> float | int:
        """What the plan comes to in milligrams, for a weight in kilograms."""
        return number(self.tenths * self.mg_per_kg)


@dataclass(frozen=True)
class Client:
    id: str
    name: str
    phone: str
    remarks: str


@dataclass(frozen=True)
class Vet:
    id: str
    name: str


@dataclass(frozen=True)
class Appointment:
    id: str
    patient: str
    owner: str
    vet: str
    start: datetime
    status: str


@dataclass(frozen=True)
class Invoice:
    number: str
    owner: str
    charge: str
    cents: int
    status: str


@dataclass(frozen=True)
class Files:
    clients: tuple[Client, ...]
    patients: tuple[Patient, ...]
    vets: tuple[Vet, ...]
    appointments: tuple[Appointment, ...]
    invoices: tuple[Invoice, ...]

    def owner_of(self, patient: Patient) -> Client:
        return next(one for one in self.clients if one.id == patient.owner)

    def patients_of(self, client: Client) -> list[Patient]:
        return [one for one in self.patients if one.owner == client.id]

    def upcoming(self, client: Client) -> list[Appointment]:
        return [one for one in self.appointments if (one.owner, one.status) == (client.id, "scheduled")]

    def named(self, given: object) -> Patient | None:
        """The animal with this id or this chip."""
        return next((one for one in self.patients if given in (one.id, one.chip)), None)


def number(tenths: int) -> float | int:
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def booked(vet: str, day: str) -> dict[str, str]:
    """The times that are taken with a vet on a day, and by which appointment."""
    rng = dice("schedule", vet, day)
    return {at: f"AP-{rng.randrange(50_000, 99_999)}" for at in sorted(rng.sample(TIMES[:-3], 7))}


def next_free(vet: str, day: str, wanted: str) -> str:
    """The wanted time if it is free, otherwise the next one that is."""
    taken = booked(vet, day)
    return next(at for at in TIMES if at >= wanted and at not in taken)


def build_files(rng: Random) -> Files:
    numbers = iter(rng.sample(range(10_000, 49_999), 400))
    names = iter(rng.sample(_ANIMALS, len(_ANIMALS)))
    folk = people(rng, 27)
    vets = tuple(Vet(f"VET-{at + 101}", f"Dr. {first} {last}") for at, (first, last) in enumerate(folk[:5]))
    clients = tuple(
        Client(f"CL-{next(numbers)}", f"{first} {last}", f"555-0{rng.randrange(100, 999)}", rng.choice(_REMARKS))
        for first, last in folk[5:]
    )
    patients: list[Patient] = []
    appointments: list[Appointment] = []
    invoices: list[Invoice] = []
    for at, client in enumerate(clients):
        own = [_animal(client, f"PT-{next(numbers)}", next(names), rng) for _ in range(2 if at < len(_ANIMALS) - 22 else 1)]
        patients += own
        for patient in own:
            ahead = datetime(2026, 5, 11) + timedelta(days=rng.randint(3, 170))
            back = datetime.combine(patient.last_visit, datetime.min.time())
            for day, status in ((ahead, "scheduled"), (back, "completed")):
                hour, minute = map(int, rng.choice(TIMES).split(":"))
                start = day.replace(hour=hour, minute=minute)
                appointments.append(Appointment(f"AP-{next(numbers)}", patient.id, client.id, rng.choice(vets).id, start, status))
        charges = rng.sample(_CHARGES, rng.randint(4, 6))
        invoices += [
            Invoice(f"IN-{next(numbers)}", client.id, charge, 5 * rng.randint(460, 7_900), "paid" if spot == 3 else "open")
            for spot, charge in enumerate(charges)
        ]
    return Files(clients, tuple(patients), vets, tuple(appointments), tuple(invoices))


def _animal(client: Client, ref: str, name: str, rng: Random) -> Patient:
    site = rng.choice(tuple(SITES))
    drops = rng.choice(_EYE_DROPS if site.startswith("O") else _EAR_DROPS)
    unit = rng.choice(("kg", "kg", "lb"))
    species = rng.choice(("dog", "dog", "cat", "cat", "rabbit"))
    tenths = rng.randint(*_SPECIES[species])
    tenths = tenths // 5 * 5 if unit == "kg" else tenths * 22 // 10 + rng.randrange(3)
    return Patient(
        ref, f"9{rng.randrange(10**13, 10**14)}", name, species, client.id, tenths, unit,
        TODAY - timedelta(days=rng.randint(4, 150)), rng.choice(_MEDICINES), rng.choice((3, 4, 6, 7, 8, 12, 15)),
        rng.choice(tuple(TIMES_A_DAY)), drops, site,
    )  # fmt: skip
