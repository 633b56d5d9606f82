"""The five databases of one session.

The base data are the same for every session, are read once per process and never change; a session holds only what it changed
(`Changes`: rows written, rows deleted, rows created so far). So the state that travels between processes is small, and what two sessions
did can be compared without looking at what neither of them touched.

Ids of new rows count up from the base data in the order of creation and are never given twice. Verification leaves them out (`replay.py`),
because the order in which rows are created means nothing.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

Row = dict[str, str]
TABLES = Path(__file__).parent / "data" / "tables"


@dataclass(frozen=True)
class Kind:
    """One kind of record: the name of its database, the column that identifies it, how its ids begin, and all its columns."""

    name: str
    key: str
    prefix: str
    columns: tuple[str, ...]
    called: str
    exact: frozenset[str] = frozenset()
    """Columns whose case means something when tables are compared."""


EMAIL = Kind("email", "email_id", "em-", ("email_id", "folder", "correspondent", "subject", "sent_at", "body"), "email")
CALENDAR = Kind(
    "calendar", "event_id", "ev-", ("event_id", "event_name", "participant_email", "event_start", "duration"), "event"
)
ANALYTICS = Kind("analytics", "plot", "", ("plot", "time_min", "time_max", "value_to_plot", "plot_type"), "plot")
PROJECTS = Kind(
    "project_management",
    "task_id",
    "pt-",
    ("task_id", "task_name", "assigned_to_email", "list_name", "due_date", "board"),
    "task",
    frozenset({"list_name", "board"}),
)
CUSTOMERS = Kind(
    "customer_relationship_manager",
    "customer_id",
    "cu-",
    (
        "customer_id",
        "customer_name",
        "assigned_to_email",
        "customer_email",
        "customer_phone",
        "last_contact_date",
        "product_interest",
        "status",
        "follow_up_by",
        "notes",
    ),
    "customer",
    frozenset({"status"}),
)
DATABASES = (EMAIL, CALENDAR, ANALYTICS, PROJECTS, CUSTOMERS)


def read_table(name: str) -> tuple[Row, ...]:
    with (TABLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def base(kind: Kind) -> Mapping[str, Row]:
    """The records that every session starts with, by id. No plots are drawn yet."""
    return {} if kind is ANALYTICS else {row[kind.key]: row for row in read_table(kind.name)}


@cache
def people() -> tuple[Row, ...]:
    """The company directory: name, email, team, title."""
    return read_table("company_directory")


@cache
def visits() -> tuple[Row, ...]:
    """Every visit to the company's site: visitor_id, visited_at, source, pages, seconds, engaged."""
    return read_table("visits")


@dataclass
class Changes:
    """What a session did to one database."""

    written: dict[str, Row] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    created: int = 0


@dataclass
class Workplace:
    """The databases as one session sees them."""

    changes: dict[str, Changes] = field(default_factory=dict)

    def rows(self, kind: Kind) -> Iterator[Row]:
        """Every record there is now; not to be changed."""
        changes = self.changes.get(kind.name)
        if changes is None:
            yield from base(kind).values()
            return
        for key, row in base(kind).items():
            if key not in changes.deleted and key not in changes.written:
                yield row
        yield from changes.written.values()

    def find(self, kind: Kind, key: str) -> Row | None:
        changes = self.changes.get(kind.name)
        if changes is None:
            return base(kind).get(key)
        if key in changes.deleted:
            return None
        return changes.written.get(key) or base(kind).get(key)

    def get(self, kind: Kind, key: str) -> Row:
        row = self.find(kind, key.strip())
        if row is None:
            raise ValueError(f"there is no {kind.called} with {kind.key} {key[:60]!r}; search for it first")
        return row

    def create(self, kind: Kind, values: Row) -> str:
        """Add a record under the next free id."""
        changes = self._of(kind)
        changes.created += 1
        key = f"{kind.prefix}{len(base(kind)) + changes.created:04d}"
        self.put(kind, {kind.key: key, **values})
        return key

    def put(self, kind: Kind, row: Row) -> None:
        """Write a whole record under its own id."""
        changes = self._of(kind)
        changes.written[row[kind.key]] = row
        changes.deleted.discard(row[kind.key])

    def update(self, kind: Kind, key: str, column: str, value: str) -> None:
        self.put(kind, {**self.get(kind, key), column: value})

    def delete(self, kind: Kind, key: str) -> None:
        gone = self.get(kind, key)[kind.key]
        changes = self._of(kind)
        changes.written.pop(gone, None)
        if gone in base(kind):
            changes.deleted.add(gone)

    def _of(self, kind: Kind) -> Changes:
        return self.changes.setdefault(kind.name, Changes())
