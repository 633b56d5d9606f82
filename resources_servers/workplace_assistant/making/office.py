"""Everything there is before the first task, and the task itself: what families of tasks are made from."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from resources_servers.workplace_assistant.moments import TODAY
from resources_servers.workplace_assistant.state import Row

from .people import Directory, Person, make_people
from .records import make_customers, make_emails, make_events, make_tasks, make_visits

SEED = "larkfell-1"


@dataclass(frozen=True)
class Office:
    directory: Directory
    emails: list[Row]
    events: list[Row]
    tasks: list[Row]
    customers: list[Row]
    visits: list[Row]

    def visits_between(self, first: date, last: date, **wanted: str) -> int:
        """Visits from a day to a day, both included, whose columns have the given values."""
        return sum(
            str(first) <= row["visited_at"][:10] <= str(last) and all(row[column] == value for column, value in wanted.items())
            for row in self.visits
        )

    def overdue(self, person: Person) -> list[Row]:
        """Tasks due before today and not done."""
        return [
            row
            for row in self.tasks
            if row["assigned_to_email"] == person.email and row["due_date"] < str(TODAY) and row["list_name"] != "Done"
        ]


def make_office() -> Office:
    """The same office every time."""
    directory = Directory(tuple(make_people(_rng("people"))))
    customers = make_customers(_rng("customers"), directory)
    return Office(
        directory,
        make_emails(_rng("emails"), directory, customers),
        make_events(_rng("events"), directory),
        make_tasks(_rng("tasks"), directory),
        customers,
        make_visits(_rng("visits")),
    )


def _rng(part: str) -> Random:
    return Random(f"{SEED}:{part}")  # noqa: S311  # data, not secrets


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What is asked, the calls that do it, and what they change: (`created`, `changed` or `deleted`, number of records) by database."""

    request: str
    calls: tuple[Call, ...] = ()
    changes: dict[str, dict[str, int]] = field(default_factory=dict)


Proposals = Callable[[Office, Random], Iterator[Task | None]]
"""Endless proposals; None where the draw gave no good task."""


@dataclass(frozen=True)
class Family:
    """Tasks of one shape: its area (the last part of the category) and how many of them there are."""

    name: str
    area: str
    count: int
    propose: Proposals

    def tasks(self, office: Office) -> list[Task]:
        """The first good proposals that differ in what is asked and in what is to be done."""
        found: dict[str, Task] = {}
        done: set[str] = set()
        for tries, task in enumerate(self.propose(office, _rng(f"family:{self.name}"))):
            if task is not None and repr(task.calls or task.request) not in done:
                found.setdefault(task.request, task)
                done.add(repr(task.calls or task.request))
            if len(found) == self.count:
                return list(found.values())
            if tries > 50_000:
                break
        raise RuntimeError(f"{self.name}: only {len(found)} tasks of {self.count} came up")


def call(name: str, **arguments: Any) -> Call:
    return Call(name, arguments)


def as_ground_truth(calls: tuple[Call, ...]) -> list[dict[str, str]]:
    return [{"name": one.name, "arguments": json.dumps(one.arguments, ensure_ascii=False)} for one in calls]


def spoken(day: date) -> str:
    """A day as people say it: Friday, 3 October."""
    return f"{day:%A}, {day.day} {day:%B}"
