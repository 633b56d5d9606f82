"""The register of a port: vessels and their calls, berths with their cranes, manifests, pilots, tides and tariffs.

Every vessel has one call that is expected, one that was cancelled and one that is over. Manifests give UN numbers and no hazard classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from blade.lab.desk import dice
from blade.lab.environments.environment import people

QUAYS: Final = {"North": "N", "Mole": "M", "Timber": "T", "Inner": "I"}
SERVICES: Final = ("tug", "line handling", "waste collection", "fresh water", "gangway")
HAZARDS: Final = {
    "1066": "2.2", "1978": "2.1", "1017": "2.3", "1203": "3", "1230": "3", "1263": "3", "1350": "4.1", "1361": "4.2",
    "1402": "4.3", "1428": "4.3", "1942": "5.1", "3101": "5.2", "1593": "6.1", "1888": "6.1", "1824": "8", "1830": "8",
    "2794": "8", "3082": "9", "3480": "9",
}  # fmt: skip
"""The class of some UN numbers (UN Model Regulations, dangerous goods list)."""
_NAMES = (
    "Aldersund", "Baltic Heron", "Carrowmore", "Dunmere", "Eastern Reach", "Fairhaven", "Grey Petrel", "Halcyon Bay", "Inverlea",
    "Juniper Star", "Kittiwake", "Lady Thessaly", "Merrow", "Northern Lark", "Orrin Trader", "Polar Thrift", "Quintana",
    "Rosewater", "Saltholm", "Tern Island", "Ulvsund", "Vesper Light", "Whinchat", "Yarrow Sea", "Zephyrine", "Amber Coast",
)  # fmt: skip
_TYPES = ("general cargo", "container", "bulk carrier", "ro-ro")
_AGENTS = ("Brightwater Agencies", "Corrigan Shipping", "Delft & Vane", "Estuary Lines")
CONSIGNEES: Final = (
    "Åkerblom & Söner", "Bjørnstad Fisk", "Müller Spedition", "Peña Cítricos", "Çelik Dış Ticaret", "Château Vermeil",
    "Grüneberg Stahl", "São Brás Têxteis", "Hólmgarð Sjófang", "Kjærsgård Møbler",
)  # fmt: skip
_GOODS = ("sawn timber", "machine parts", "frozen fish", "ceramic tiles", "paper reels", "wind turbine bolts", "canned fruit")
_PACKED = ("drums on pallets", "intermediate bulk containers", "cylinders in cradles", "boxes, shrink-wrapped")


@dataclass(frozen=True)
class Vessel:
    imo: str
    name: str
    type: str
    gt: int
    decimetres: int
    """Draught."""

    @property
    def draught(self) -> float:
        return self.decimetres / 10


@dataclass(frozen=True)
class PortCall:
    ref: str
    imo: str
    status: str
    eta: datetime
    agent: str
    acknowledged: bool = True


@dataclass(frozen=True)
class Berth:
    code: str
    quay: str
    decimetres: int
    """Depth at chart datum."""
    crane: str


@dataclass(frozen=True)
class Consignment:
    bl: str
    call: str
    container: str
    feet: int
    goods: str
    un: str | None
    consignee: str


@dataclass(frozen=True)
class Pilot:
    licence: str
    name: str


@dataclass(frozen=True)
class Register:
    vessels: tuple[Vessel, ...]
    calls: tuple[PortCall, ...]
    berths: tuple[Berth, ...]
    consignments: tuple[Consignment, ...]
    pilots: tuple[Pilot, ...]
    rates: dict[tuple[str, str], int]
    """By charge and type of vessel: cents per gross ton."""

    def call_of(self, vessel: Vessel, status: str = "expected") -> PortCall:
        return next(one for one in self.calls if one.imo == vessel.imo and one.status == status)

    def manifest(self, ref: str) -> list[Consignment]:
        return [one for one in self.consignments if one.call == ref]


CHARGES: Final = ("quay dues", "light dues", "mooring")


def tides(day: str) -> list[tuple[str, str, int]]:
    """High and low waters of a day: kind, time and decimetres above chart datum."""
    rng = dice("tides", day)
    first = timedelta(minutes=rng.randrange(20, 300))
    high, low = rng.sample(range(31, 49), 2), rng.sample(range(3, 14), 2)
    heights = (("HW", high[0]), ("LW", low[0]), ("HW", high[1]), ("LW", low[1]))
    start = datetime(2026, 1, 1) + first
    return [(kind, f"{start + turn * timedelta(minutes=372):%H:%M}", height) for turn, (kind, height) in enumerate(heights)]


def imo_number(rng: Random) -> str:
    """Six digits, and the one that checks them."""
    digits = f"9{rng.randrange(10**5):05d}"
    return digits + str(sum(int(digit) * weight for digit, weight in zip(digits, range(7, 1, -1), strict=True)) % 10)


def build_register(rng: Random) -> Register:
    refs = iter(rng.sample(range(2_000, 9_999), 120))
    vessels = [
        Vessel(imo_number(rng), name, rng.choice(_TYPES), rng.randint(2_400, 48_000), rng.randint(52, 118))
        for name in rng.sample(_NAMES, len(_NAMES))
    ]
    calls: list[PortCall] = []
    consignments: list[Consignment] = []
    for vessel in vessels:
        eta = datetime(
            2026, rng.randint(7, 11), rng.choice((*range(1, 13), *range(1, 29))), rng.randrange(24), rng.choice((0, 30))
        )
        near = eta - timedelta(days=rng.randint(1, 3), hours=rng.randint(1, 9))
        gone = eta - timedelta(days=rng.randint(60, 150))
        agents = rng.sample(_AGENTS, 3)
        own = [
            PortCall(f"SKH-26-0{next(refs)}", vessel.imo, "expected", eta, agents[0], rng.random() < 0.6),
            PortCall(f"SKH-26-0{next(refs)}", vessel.imo, "cancelled", near, agents[rng.randrange(2)]),
            PortCall(f"SKH-26-0{next(refs)}", vessel.imo, "departed", gone, agents[2]),
        ]
        consignments += _loaded(own[0].ref, rng)
        calls += rng.sample(own, len(own))
    licences = rng.sample(range(101, 999), 14)
    pilots = tuple(
        Pilot(f"0{number}", f"{first} {last}") for number, (first, last) in zip(licences, people(rng, 14), strict=True)
    )
    codes = [(quay, f"{letter}{number}") for quay, letter in QUAYS.items() for number in range(1, 6)]
    cranes = rng.sample(range(10, 99), len(codes))
    berths = tuple(
        Berth(code, quay, rng.randint(64, 138), f"CR{crane}") for (quay, code), crane in zip(codes, cranes, strict=True)
    )
    rates = {(charge, kind): rng.randint(11, 96) for charge in CHARGES for kind in _TYPES}
    return Register(tuple(vessels), tuple(calls), berths, tuple(consignments), pilots, rates)


def _loaded(ref: str, rng: Random) -> Iterable[Consignment]:
    """What a call brings: one consignment of dangerous goods, and one consignee who gets two."""
    count = rng.randint(5, 8)
    twice, *others = rng.sample(CONSIGNEES, count - 1)
    for number, consignee in enumerate([twice, twice, *others]):
        un = rng.choice(tuple(HAZARDS)) if number == 2 else None
        goods = rng.choice(_PACKED if un else _GOODS)
        feet = 40 if number in (0, 3) else rng.choice((20, 40))
        letters = "".join(rng.sample("ABCDEGHKLMNPRSTX", 3))
        container, bl = f"{letters}U{rng.randrange(10**6, 10**7)}", f"SKHM{rng.randrange(10**8, 10**9)}"
        yield Consignment(bl, ref, container, feet, goods, un, consignee)
