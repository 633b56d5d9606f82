"""The people of the company: made so that names mislead. First names are shared, one full name is shared, and not every address follows
from the name, so that whoever guesses an address instead of looking it up writes to somebody else or to nobody."""

from dataclasses import dataclass
from random import Random

COMPANY = "Larkfell Instruments"
DOMAIN = "larkfell.example"

FIRST = (
    "Bram", "Wanda", "Elif", "Pavel", "Oskar", "Thandi", "Jonas", "Hilde", "Mateo", "Signe", "Farid", "Ruth", "Alba", "Dario", "Piet",
    "Zofia", "Nell", "Ivo", "Hana", "Cyril", "Vera", "Osian", "Malin", "Tarek", "Edda", "Rufus", "Ilse", "Joaquim", "Petra", "Sunniva",
)  # fmt: skip
LAST = (
    "Okafor", "Castellan", "Whitlock", "Aydin", "Iversen", "Mokoena", "Rossi", "Dufour", "Petrenko", "Quist", "Hallam", "Bergen", "Ortega",
    "Pike", "Marchetti", "Stroud", "Eklund", "Vasquez", "Thorne", "Bakker", "Ferreira", "Lund", "Abara", "Kowal", "Sellers", "Draper",
    "Winther", "Olsen", "Brandt", "Cassidy",
)  # fmt: skip
TEAMS = {"Sales": 6, "Engineering": 7, "Support": 5, "Marketing": 5, "Design": 3, "Finance": 2, "Operations": 2}

SHARED_NAMES = (
    ("Noor Haddad", "Sales", "noor.haddad2"),
    ("Noor Haddad", "Finance", "noor.haddad"),
    ("Noor Vermeer", "Sales", "noor.vermeer"),
    ("Greta Lindqvist", "Sales", "greta.lindqvist"),
    ("Greta Farrow", "Engineering", "g.farrow"),
    ("Tomas Novak", "Engineering", "tomas.novak"),
    ("Tomas Keller", "Engineering", "tomas.keller"),
)


@dataclass(frozen=True)
class Person:
    name: str
    email: str
    team: str
    title: str

    @property
    def first(self) -> str:
        return self.name.split()[0]


ME = Person("Marit Solheim", f"marit.solheim@{DOMAIN}", "Operations", "Head of operations")


def make_people(rng: Random) -> list[Person]:
    """Everybody, by name; each team has one lead."""
    names = [f"{first} {last}" for first, last in zip(FIRST, rng.sample(LAST, len(FIRST)), strict=True)]
    rng.shuffle(names)
    found = [ME]
    for team, size in TEAMS.items():
        for place in range(size):
            name = names.pop()
            title = f"{team} lead" if place == 0 else f"{team} staff"
            found.append(Person(name, f"{_local_part(name, odd=rng.random() < 0.3)}@{DOMAIN}", team, title))
    found += [Person(name, f"{local}@{DOMAIN}", team, f"{team} staff") for name, team, local in SHARED_NAMES]
    return sorted(found, key=lambda person: (person.name, person.team))


def _local_part(name: str, *, odd: bool) -> str:
    first, last = name.lower().split()
    return f"{first[0]}.{last}" if odd else f"{first}.{last}"


@dataclass(frozen=True)
class Directory:
    """Everybody, and how to speak of each so that exactly one person is meant."""

    people: tuple[Person, ...]

    def team(self, team: str) -> list[Person]:
        return [person for person in self.people if person.team == team and person != ME]

    def lead(self, team: str) -> Person:
        return next(person for person in self.people if person.title == f"{team} lead")

    def called(self, person: Person, rng: Random) -> str:
        """A first name where it is enough, a full name where it is needed, with the team where even that is shared."""
        if sum(other.name == person.name for other in self.people) > 1:
            return f"{person.name} from {person.team}"
        if sum(other.first == person.first for other in self.people) > 1 or rng.random() < 0.4:
            return person.name
        return person.first

    def shared_first_names(self) -> list[str]:
        """First names that do not say who is meant."""
        firsts = [person.first for person in self.people]
        return sorted({first for first in firsts if firsts.count(first) > 1})
