"""What a claims office has on its books: policies, the claims made under them, and the assessors who look at the damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2025, 11, 17)
DISTRICTS: Final = ("Galway", "Limerick", "Cork", "Sligo", "Waterford")
HEADS: Final = ("indemnity", "expenses", "recovery")
STATUSES: Final = ("open", "suspended", "settled", "closed")
PAPERS: Final = (
    "police_report", "repair_invoice", "proof_of_purchase", "photos", "medical_certificate", "witness_statement", "driving_licence",
    "tenancy_agreement",
)  # fmt: skip
SIGNS: Final = {
    "EST": "Estonia", "SLO": "Slovenia", "SK": "Slovakia", "HR": "Croatia", "BIH": "Bosnia and Herzegovina", "NMK": "North Macedonia",
    "MNE": "Montenegro", "FL": "Liechtenstein", "RSM": "San Marino", "AND": "Andorra", "IS": "Iceland", "LV": "Latvia", "LT": "Lithuania",
    "M": "Malta", "SRB": "Serbia",
}  # fmt: skip
"""Distinguishing signs of vehicles in international traffic, and whose they are."""
_PERILS: Final = ("burst pipe", "storm", "theft", "hail", "lightning", "glass breakage", "kitchen fire")
COLLISION: Final = "collision"


@dataclass(frozen=True)
class Policy:
    number: str
    holder: str
    insured: int
    """The sum insured in euros."""
    rate: float
    """The premium in thousandths of that sum."""
    retention: str
    """`excess`, which is taken off each claim, or `integral_franchise`, below which nothing is paid and above which all is."""
    retained: int


@dataclass(frozen=True)
class Claim:
    ref: str
    policy: str
    holder: str
    peril: str
    district: str
    happened: date
    notified: datetime
    """In UTC."""
    estimate: int
    """The assessor's figure, in cents."""
    paid: tuple[int, ...]
    sign: str
    """Of the other vehicle in a collision."""


@dataclass(frozen=True)
class Assessor:
    id: str
    name: str
    district: str
    open_files: int


@dataclass(frozen=True)
class Book:
    policies: tuple[Policy, ...]
    claims: tuple[Claim, ...]
    assessors: tuple[Assessor, ...]

    def policy(self, number: object) -> Policy | None:
        return next((one for one in self.policies if one.number == number), None)

    def claim(self, ref: object) -> Claim | None:
        return next((one for one in self.claims if one.ref == ref), None)

    def of_holder(self, name: object) -> list[Claim]:
        return [one for one in self.claims if one.holder == name]

    @property
    def collisions(self) -> list[Claim]:
        return [one for one in self.claims if one.peril == COLLISION]

    def under(self, retention: str) -> list[tuple[Claim, Policy]]:
        """The claims under policies with that kind of retention."""
        kinds = {one.number: one for one in self.policies if one.retention == retention}
        return [(one, kinds[one.policy]) for one in self.claims if one.policy in kinds]


def build_book(rng: Random) -> Book:
    numbers = iter(rng.sample(range(10_000_000, 99_999_999), 400))
    policies = tuple(
        Policy(
            f"PN-{next(numbers)}", f"{first} {last}", 1_000 * rng.randint(85, 640), rng.choice((1.15, 1.35, 1.6, 1.85, 2.4, 3.2)),
            "integral_franchise" if number % 3 == 0 else "excess", rng.choice((150, 300, 350, 600, 750)),
        )
        for number, (first, last) in enumerate(people(rng, 48))
    )  # fmt: skip
    assessors = tuple(
        Assessor(f"AS-{100 + 7 * number}", f"{first} {last}", DISTRICTS[number % len(DISTRICTS)], rng.randint(3, 29))
        for number, (first, last) in enumerate(people(rng, 20))
    )
    return Book(policies, tuple(claim for policy in policies for claim in _claims(policy, numbers, rng)), assessors)


def _claims(policy: Policy, numbers: Iterator[int], rng: Random) -> list[Claim]:
    """Three or four claims of one holder, each for another peril, and one of them a collision."""
    made = []
    perils = [COLLISION, *rng.sample(_PERILS, rng.randint(2, 3))]
    for peril in rng.sample(perils, len(perils)):
        happened = date(2025, 6, 1) + timedelta(days=rng.randrange(130))
        notified = datetime(happened.year, happened.month, happened.day, tzinfo=UTC) + timedelta(
            days=rng.randint(1, 6), minutes=rng.randint(12 * 60, 16 * 60)
        )
        made.append(
            Claim(
                f"CL-{next(numbers)}", policy.number, policy.holder, peril, rng.choice(DISTRICTS), happened, notified,
                100 * rng.randint(1_050, 8_900) + rng.randint(1, 99), tuple(rng.randint(4_100, 98_000) for _ in range(rng.randint(4, 6))),
                rng.choice(tuple(SIGNS)),
            )
        )  # fmt: skip
    return made


def euros(cents: int) -> float:
    return round(cents / 100, 2)


def spoken(cents: int) -> str:
    """An amount as requests have it."""
    return f"EUR {cents / 100:,.2f}"


def continental(cents: int) -> str:
    """An amount as the head office in Hamburg writes it."""
    return f"{cents / 100:,.2f}".translate(str.maketrans(",.", ".,"))
