"""Periods, and the wording that families share. A period includes both of its days, as the assistant's rules say."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Office, spoken
from resources_servers.workplace_assistant.making.people import ME, Person
from resources_servers.workplace_assistant.moments import TODAY, days_before, monday
from resources_servers.workplace_assistant.state import Row


@dataclass(frozen=True)
class Period:
    first: date
    last: date
    words: str

    @property
    def when(self) -> str:
        """The period as part of a sentence about what happened in it."""
        if self.words == "last week" or self.words.startswith(("from", "between")):
            return self.words
        return self.words.removeprefix("the time ") if self.words.startswith("the time since") else f"in {self.words}"

    def __contains__(self, stored: str) -> bool:
        return str(self.first) <= stored[:10] <= str(self.last)

    def touched_by(self, stored: str) -> bool:
        """Whether a record lies on the first or the last day: the ones that careless filtering drops."""
        return stored[:10] in (str(self.first), str(self.last))


def between(first: date, last: date, rng: Random) -> Period:
    words = f"from {spoken(first)} to {spoken(last)}"
    return Period(first, last, rng.choice((words, f"between {spoken(first)} and {spoken(last)}", f"between {first} and {last}")))


def past_period(rng: Random) -> Period:
    """A period that ends today or earlier, said in one of the ways people say it."""
    days = rng.choice((5, 7, 10, 14, 21))
    since = days_before(rng.randrange(4, 40))
    first = days_before(rng.randrange(12, 45))
    return rng.choice(
        (
            Period(monday(-1), monday() - timedelta(days=1), "last week"),
            Period(monday(-2), monday(-1) - timedelta(days=1), "the week before last"),
            Period(days_before(days), TODAY, f"the last {days} days"),
            Period(since, TODAY, f"the time since {spoken(since)}"),
            Period(date(2025, 9, 1), date(2025, 9, 30), "September"),
            between(first, first + timedelta(days=rng.randrange(3, 11)), rng),
        )
    )


def working_day_ahead(rng: Random) -> date:
    """A working day of the next three weeks, from tomorrow on."""
    while True:
        day = TODAY + timedelta(days=rng.randrange(1, 18))
        if day.weekday() < 5:
            return day


def colleague(office: Office, rng: Random) -> Person:
    return rng.choice([person for person in office.directory.people if person != ME])


def two_of(office: Office, rng: Random, team: str) -> tuple[Person, Person]:
    one, other = rng.sample(office.directory.team(team), 2)
    return one, other


def inbox_from(office: Office, person: Person) -> list[Row]:
    """What somebody sent me, oldest first."""
    return [row for row in office.emails if row["correspondent"] == person.email and row["folder"] == "inbox"]


def one_of(rng: Random, *wordings: str) -> str:
    return rng.choice(wordings)
