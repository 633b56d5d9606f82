"""What a cloud account holds: machines with volumes in three regions, networks, roles, charges, and what its operations centre announces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

REGIONS: Final = ("us-1", "eu-2", "ap-3")
DEFAULT_REGION: Final = REGIONS[0]
TYPES: Final = ("t1.small", "t1.medium", "m2.large", "m2.xlarge", "c4.large", "c4.2xlarge", "r3.xlarge")
POLICIES: Final = ("AuditTrailRead", "BucketRead", "DnsEdit", "LogsRead", "MetricsRead", "QueueSend", "SecretsRead")
COST_CENTRES: Final = ("R&D", "Sales & Service", "M&A", "Legal & Tax", "Research & Labs", "Q&A Desk", "Parts & Repair")
STATUSES: Final = {
    409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 416: "Range Not Satisfiable",
    421: "Misdirected Request", 425: "Too Early", 428: "Precondition Required", 431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons", 508: "Loop Detected", 511: "Network Authentication Required",
}  # fmt: skip
"""HTTP status codes and what they are called."""
_SERVICES = (
    "billing-worker", "cart-api", "catalog-index", "checkout-api", "edge-proxy", "fraud-score", "image-resizer", "ledger-sync", "mail-relay",
    "metrics-sink", "orders-db", "search-node", "session-cache", "wiki",
)  # fmt: skip
_GROUPS = (
    "backoffice",
    "build-farm",
    "directory",
    "iot-gateway",
    "lab-net",
    "mail",
    "monitoring",
    "partners",
    "remote-access",
    "vpn-edge",
)
_ROLES = ("audit-bot", "backup-runner", "ci-deployer", "data-loader", "dns-sync", "export-job", "log-shipper", "report-mailer")
_PROJECTS = (
    "aurora", "basalt", "cobalt", "drift", "ember", "fjord", "garnet", "halo", "indigo", "juniper", "krill", "lumen", "mistral", "nimbus",
    "onyx", "pollen",
)  # fmt: skip
_ITEMS = ("compute", "block storage", "object storage", "data transfer", "managed database", "load balancing", "support")


@dataclass(frozen=True)
class Snapshot:
    id: str
    taken: str
    """The day."""


@dataclass(frozen=True)
class Volume:
    id: str
    gib: int
    snapshots: tuple[Snapshot, ...]


@dataclass(frozen=True)
class Instance:
    id: str
    name: str
    region: str
    type: str
    stopped: bool
    cpu: float
    """Percent, on average over a week."""
    tags: tuple[tuple[str, str], ...]
    volume: Volume

    @property
    def owner(self) -> str:
        return dict(self.tags)["Owner"]


@dataclass(frozen=True)
class Named:
    """A security group or a role, which tools know by its id."""

    id: str
    name: str


@dataclass(frozen=True)
class Subnet:
    id: str
    cidr: str
    prefix: int


@dataclass(frozen=True)
class Event:
    id: str
    begins: datetime
    """In UTC."""
    status: int
    """What the load balancer of the machine answered when it was probed."""


@dataclass(frozen=True)
class Estate:
    instances: tuple[Instance, ...]
    groups: tuple[Named, ...]
    roles: tuple[Named, ...]
    subnets: tuple[Subnet, ...]
    charges: dict[str, tuple[tuple[str, int], ...]]
    """By project: what is charged for, and cents."""
    events: tuple[Event, ...]

    def named(self, name: str, region: str) -> Instance:
        return next(one for one in self.instances if (one.name, one.region) == (name, region))

    def within(self, region: object) -> list[Instance]:
        return [one for one in self.instances if one.region == region]

    def volume(self, given: object) -> Volume | None:
        return next((one.volume for one in self.instances if one.volume.id == given), None)


def dollars(cents: int) -> str:
    return f"{cents / 100:.2f}"


def build_estate(rng: Random) -> Estate:
    ids = iter(rng.sample(range(10_000_000, 99_999_999), 600))
    owners = [first.lower() for first, _ in people(rng, 12)]
    instances = tuple(instance for region in REGIONS for instance in _instances(region, owners, ids, rng))
    subnets = tuple(
        Subnet(f"subnet-{next(ids)}", f"10.{rng.randint(8, 250)}.{4 * rng.randint(0, 60)}.0/{prefix}", prefix)
        for prefix in (22, 23, 24, 25, 26, 27, 28, 29) * 3
    )
    first = datetime(2026, 11, 9, tzinfo=UTC)
    events = tuple(
        Event(f"evt-{next(ids)}", first + timedelta(days=rng.randrange(90), minutes=15 * rng.randint(48, 64)), status)
        for status in (*STATUSES, *STATUSES)
    )
    charges = {
        project: tuple((item, rng.randint(2_100, 96_000)) for item in rng.sample(_ITEMS, rng.randint(4, 6)))
        for project in _PROJECTS
    }
    groups, roles = (
        tuple(Named(f"{prefix}-{next(ids)}", name) for name in names) for prefix, names in (("sg", _GROUPS), ("role", _ROLES))
    )
    return Estate(instances, groups, roles, subnets, charges, events)


def _instances(region: str, owners: list[str], ids: Iterator[int], rng: Random) -> list[Instance]:
    """The services of one region, four or five of them stopped."""
    stopped = rng.sample(_SERVICES, rng.randint(4, 5))
    return [
        Instance(
            f"i-{next(ids)}", name, region, rng.choice(TYPES), name in stopped, round(rng.uniform(4.0, 71.0), 1),
            (("Owner", rng.choice(owners)), ("Tier", rng.choice(("gold", "silver", "bronze")))),
            Volume(f"vol-{next(ids)}", rng.choice((60, 80, 120, 160, 250, 320, 480, 750)), _snapshots(ids, rng)),
        )
        for name in _SERVICES
    ]  # fmt: skip


def _snapshots(ids: Iterator[int], rng: Random) -> tuple[Snapshot, ...]:
    first = datetime(2026, 6, 1, tzinfo=UTC)
    days = sorted(rng.sample(range(120), rng.randint(3, 4)))
    return tuple(Snapshot(f"snap-{next(ids)}", f"{first + timedelta(days=day):%Y-%m-%d}") for day in days)
