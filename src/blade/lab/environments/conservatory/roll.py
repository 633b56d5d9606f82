"""What a conservatory keeps: pupils with their lessons and loans, teachers, albums of scores, ensembles and concerts; and keys in music."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from blade.lab.environments.environment import people

TODAY: Final = date(2026, 9, 14)
DEPARTMENTS: Final = ("strings", "woodwind", "brass", "keyboard", "percussion", "voice")
TEST_PARTS: Final = (
    "scales", "sight reading", "prepared study", "own choice", "aural test", "duet", "memory piece", "improvisation", "theory paper",
)  # fmt: skip
COMPOSERS: Final = {
    "Jean Sibelius": (1957, "Finland"), "Heitor Villa-Lobos": (1959, "Brazil"), "Alberto Ginastera": (1983, "Argentina"),
    "Francis Poulenc": (1963, "France"), "Zoltán Kodály": (1967, "Hungary"), "Joaquín Rodrigo": (1999, "Spain"),
    "Benjamin Britten": (1976, "England"), "Aaron Copland": (1990, "the United States"), "Witold Lutosławski": (1994, "Poland"),
    "Toru Takemitsu": (1996, "Japan"), "Dmitri Shostakovich": (1975, "Russia"),
}  # fmt: skip
"""Composers: the year of death, and the country."""
KEYS: Final = (
    "D flat major", "A flat major", "E flat major", "B flat major", "F major", "C major", "G major", "D major", "A major", "E major",
    "B major",
)  # fmt: skip
"""Keys in fifths, C major in the middle."""
_MIDDLE: Final = KEYS.index("C major")
RISES: Final = {"B flat clarinet": 2, "B flat trumpet": 2, "horn in F": 1, "E flat alto saxophone": 3}
"""Transposing instruments: by how many fifths the written key lies above the sounding one."""
_COLOURS: Final = ("Blue", "Crimson", "Ochre", "Silver", "Green")
_SUBJECTS: Final = ("violin", "cello", "oboe", "flute", "trombone", "piano", "harp", "marimba", "singing")
_LENT: Final = ("cello", "bassoon", "tuba", "accordion", "French horn", "keyboard")
_ENSEMBLES: Final = (
    "Foundation Strings", "Tuesday Winds", "Big Band", "Brass Dectet", "Chamber Choir", "Marimba Circle", "Sinfonietta", "Guitar Consort",
    "Piano Trio", "Early Music Group",
)  # fmt: skip
_CONCERTS: Final = (
    "Autumn Serenade", "Staff Recital", "New Voices Evening", "Duo Marathon", "Founders Concert", "Open Stage", "Baroque Matinee",
    "Jazz Cellar", "Quartet Night", "Prize Winners Gala",
)  # fmt: skip


@dataclass(frozen=True)
class Lesson:
    id: str
    pupil: str
    subject: str


@dataclass(frozen=True)
class Loan:
    pupil: str
    item: str
    pounds: int


@dataclass(frozen=True)
class Pupil:
    id: str
    name: str
    since: date

    @property
    def week(self) -> int:
        """The ISO week of the first day."""
        return self.since.isocalendar().week

    @property
    def plain_week(self) -> int:
        """The same by a plain count of sevens from 1 January."""
        return (self.since.timetuple().tm_yday - 1) // 7 + 1


@dataclass(frozen=True)
class Teacher:
    id: str
    name: str
    department: str
    hours: int
    """Taught each week."""


@dataclass(frozen=True)
class Album:
    id: str
    title: str
    composer: str
    key: str


@dataclass(frozen=True)
class Named:
    """An ensemble."""

    id: str
    name: str


@dataclass(frozen=True)
class Concert(Named):
    starts: datetime
    """By UTC."""


@dataclass(frozen=True)
class Roll:
    pupils: tuple[Pupil, ...]
    teachers: tuple[Teacher, ...]
    lessons: tuple[Lesson, ...]
    loans: tuple[Loan, ...]
    albums: tuple[Album, ...]
    ensembles: tuple[Named, ...]
    concerts: tuple[Concert, ...]
    strangers: tuple[str, ...]
    """Names that nobody on the roll has."""

    @property
    def ids(self) -> frozenset[str]:
        kept: tuple[Pupil | Teacher | Lesson | Album | Named, ...] = (
            *self.pupils, *self.teachers, *self.lessons, *self.albums, *self.ensembles, *self.concerts,
        )  # fmt: skip
        return frozenset(one.id for one in kept)

    def lessons_of(self, pupil: object) -> list[Lesson]:
        return [one for one in self.lessons if one.pupil == pupil]

    def loans_of(self, pupil: object) -> list[Loan]:
        return [one for one in self.loans if one.pupil == pupil]


def build_roll(rng: Random) -> Roll:
    """A roll with at least four pupils whose ISO week is not the plain count."""
    roll = _drawn(rng)
    while sum(one.week != one.plain_week for one in roll.pupils) < 4:
        roll = _drawn(rng)
    return roll


def _drawn(rng: Random) -> Roll:
    numbers = iter(rng.sample(range(10_000, 99_999), 400))
    names = [f"{first} {last}" for first, last in people(rng, 80)]
    pupils = tuple(
        Pupil(f"pupils/{next(numbers)}", name, date(2016, 1, 11) + timedelta(days=rng.randrange(3_700))) for name in names[:34]
    )
    teachers = tuple(
        Teacher(f"teachers/{next(numbers)}", name, DEPARTMENTS[at % len(DEPARTMENTS)], rng.randint(6, 22))
        for at, name in enumerate(names[34:58])
    )
    lessons = tuple(Lesson(f"lessons/{next(numbers)}", one.id, subject) for one in pupils for subject in rng.sample(_SUBJECTS, 3))
    loans = tuple(Loan(one.id, item, rng.randint(8, 30)) for one in pupils for item in rng.sample(_LENT, 3))
    titles = rng.sample([f"{colour} Album no. {number}" for colour in _COLOURS for number in range(1, 13)], 30)
    albums = tuple(
        Album(f"scores/{next(numbers)}", title, rng.choice(tuple(COMPOSERS)), rng.choice(KEYS[3:8])) for title in titles
    )
    ensembles = tuple(Named(f"ensembles/{next(numbers)}", name) for name in _ENSEMBLES)
    concerts = tuple(Concert(f"concerts/{next(numbers)}", name, _evening(rng)) for name in _CONCERTS)
    return Roll(pupils, teachers, lessons, loans, albums, ensembles, concerts, tuple(names[58:]))


def _evening(rng: Random) -> datetime:
    return datetime.combine(TODAY + timedelta(days=rng.randint(3, 20)), time(rng.randint(11, 18), rng.randrange(0, 60, 5)))


def signature(key: str) -> str:
    """The key signature of a major key."""
    fifths = KEYS.index(key) - _MIDDLE
    if not fifths:
        return "none"
    return f"{abs(fifths)} {'sharp' if fifths > 0 else 'flat'}{'' if abs(fifths) == 1 else 's'}"


def transposed(key: str, fifths: int) -> str:
    return KEYS[KEYS.index(key) + fifths]


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A}, {day.day} {day:%B}"


def euros(amount: float) -> str:
    return f"{amount:.2f} euros"
