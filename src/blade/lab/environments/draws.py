"""What environments of one world share: tasks that are drawn family by family, ways in which errands and datasets go wrong whatever they are
about, and what their verifiers find of changes and answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random
from re import Pattern
from typing import Any, Final, TypeVar

from blade.lab.desk import Call, dice
from blade.lab.stage.errand import Errand, made, scripts
from blade.lab.stage.play import Backend, Episode
from blade.lab.stage.script import Row, Script, Task, call, say

Arguments = list[tuple[str, Row]]
"""Names and arguments of calls."""
World = TypeVar("World")
Weighed = TypeVar("Weighed")
_OTHER_VOWEL: Final = {"a": "e", "e": "a", "i": "e", "o": "u", "u": "o"}


def drawn(
    name: str,
    kept: str,
    build: Callable[[Random], World],
    families: Sequence[Callable[[int, World, Random], Task]],
    seed: int,
    count: int,
) -> list[Task]:
    """So many tasks of an environment over one world, families in turn; each has the world among its facts, under the name `kept`."""
    world = build(dice(seed, name, kept))
    tasks = (
        families[(number + seed) % len(families)](number, world, dice(seed, name, "task", number)) for number in range(count)
    )
    return [replace(task, facts={**task.facts, kept: world}) for task in tasks]


def changes_found(
    episode: Episode, desk: Backend, writes: frozenset[str], refused: Callable[[str], bool], flaw: str | None
) -> list[Call]:
    """The changes that a verifier finds: those which the tools took, as far as its own way of looking (`flaw`) keeps them."""
    made = [one for one in episode.accepted if one.name in writes and not refused(desk(one))]
    if flaw == "same_tool_overwritten":
        made = list({one.name: one for one in made}.values())
    if flaw == "late_snapshot":
        made = made[:-1]
    return made


def unmatched(
    found: Iterable[Row], wanted: Iterable[Row], key: Callable[[Row], Hashable]
) -> tuple[list[Row], list[Row]]:  # fmt: skip
    """What was wanted and not found, and what was found and not wanted; each entry serves once."""
    left, absent = list(found), []
    for one in wanted:
        at = next((at for at, mine in enumerate(left) if key(mine) == key(one)), None)
        if at is None:
            absent.append(one)
        else:
            left.pop(at)
    return absent, left


def last_match(pattern: Pattern[str], text: str) -> str | None:
    """What the last match of a pattern holds."""
    return next(iter(pattern.findall(text)[-1:]), None)


def misspelt(name: str, rng: Random) -> str:
    """A name with one letter too many, too few, or wrong."""
    spots = [at for at in range(1, len(name) - 1) if name[at - 1 : at + 2].isalpha() and name[at] in _OTHER_VOWEL]
    at = rng.choice(spots)
    return name[:at] + rng.choice(("", 2 * name[at], _OTHER_VOWEL[name[at]])) + name[at + 1 :]


def misread(text: str) -> str:
    """UTF-8 that was read as Windows-1252."""
    return text.encode().decode("cp1252")


def is_day(given: object) -> bool:
    """Whether something is a day as ISO 8601 writes it."""
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def turned(text: str) -> str:
    """A day whose number and month changed places, where its number can be a month; any other text as it is."""
    year, _, rest = text.partition("-")
    month, _, number = rest.partition("-")
    return f"{year}-{number}-{month}" if is_day(text) and int(number) <= 12 else text


def clear(number: float) -> bool:
    """Whether a number lies well away from the middle between two whole ones, and is none itself."""
    return abs(number % 1 - 0.5) > 0.05 and 0.02 < number % 1 < 0.98


def mostly_upwards(ones: Sequence[Weighed], figure: Callable[[Weighed], float], rng: Random) -> Weighed:
    """One of these records, mostly one whose figure has more than a half beyond the whole number, so that it is rounded upwards."""
    upwards = [one for one in ones if figure(one) % 1 > 0.5]
    return rng.choice(upwards) if upwards and rng.random() < 0.8 else rng.choice(ones)


def spoken(day: date) -> str:
    """A day as requests have it."""
    return f"{day:%A} {day.day} {day:%B}"


def iso_week(day: date) -> int:
    return day.isocalendar().week


def plain_week(day: date) -> int:
    """The week of a day by a plain count of sevens from 1 January."""
    return (day.timetuple().tm_yday - 1) // 7 + 1


def easter(year: int) -> date:
    """Easter Sunday by the Gregorian calendar (Meeus 1991, after the anonymous rule in Nature, 1876)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def iban_digits(country: str, account: str) -> str:
    """The check digits of an IBAN by ISO 13616, for the code of a country and an account of figures."""
    return f"{98 - int(account + ''.join(str(int(letter, 36)) for letter in country) + '00') % 97:02d}"


def moment(seconds: float) -> str:
    """A time as logs have it, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def clipped(value: Any, width: int | None) -> Any:
    """What a recorder has of a value that keeps only so many characters of each text; all of it where no width is given."""
    return value[:width] if isinstance(value, str) else value


def kept(value: Any, width: int | None, lowers: bool) -> Any:
    """What a recorder has of a value that clips texts, or writes them in lower case."""
    if isinstance(value, list):
        return [kept(one, width, lowers) for one in value]
    value = clipped(value, width)
    return value.lower() if lowers and isinstance(value, str) else value


def each_argument(calls: Arguments, change: Callable[[str, Any], Any]) -> Arguments:
    """The calls with each value replaced by what `change` makes of its name and itself."""
    return [(name, {key: change(key, value) for key, value in given.items()}) for name, given in calls]


def ids_swapped(name: str, given: Row, is_id: Callable[[Any], bool]) -> tuple[str, Row]:
    """The call whose two ids stand in each other's columns; any other call as it is."""
    ids = [key for key, value in given.items() if is_id(value)]
    if len(ids) != 2:
        return name, given
    first, second = ids
    return name, {**given, first: given[second], second: given[first]}


def joined(calls: Arguments, others: Arguments, forms: Sequence[str], rng: Random) -> Arguments:
    """The calls with both values in one cell where two annotators did not agree; as they are where they differ in more than a value."""
    if [name for name, _ in calls] != [name for name, _ in others]:
        return calls
    return [
        (name, {key: value if value == theirs[key] or isinstance(value, list) else both(value, theirs[key], forms, rng) for key, value in mine.items()})
        for (name, mine), (_, theirs) in zip(calls, others, strict=True)
    ]  # fmt: skip


def both(one: Any, other: Any, forms: Sequence[str], rng: Random) -> str:
    """What two annotators wrote, in one cell."""
    return rng.choice(forms).format(*rng.sample((one, other), 2))


def swallowed(topic: str, request: str, errand: Errand, next_request: str, other: Errand, rng: Random) -> Row:
    """The task as it is when a quotation mark was lost in the file of the dataset, so that the request runs on into the next row."""
    both = replace(
        errand,
        reads=(*errand.reads, *other.reads),
        changes=(*errand.changes, *other.changes),
        done=f"{errand.done}, and {other.done}",
    )
    return {"request": f'{request}"\n"{topic}","{next_request}', "sound": scripts([both] * 3, rng)}


def told_instead(reads: Script, words: Sequence[str], rng: Random, **about: str) -> tuple[Script, ...]:
    """Agents that look, and then say something in place of the change."""
    return tuple((*reads, say(one.format(**about), decisive=True)) for one in rng.sample(words, len(words)))


def lookup_misspelt(reads: Script, words: Sequence[str], rng: Random) -> tuple[Script, ...]:
    """Agents that type a name wrongly and believe what comes of it."""
    first = made(rng.choice([move for move in reads if "name" in made(move).arguments]))
    ways: list[Script] = []
    for one in rng.sample(words, len(words)):
        name = misspelt(str(first.arguments["name"]), rng)
        ways.append((call(first.name, name=name, decisive=True), say(one.format(name=name))))
    return tuple(ways)


def under_a_pseudonym(request: str, name: str, stranger: str, tool: str, words: Sequence[str], rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call(tool, name=stranger)
    last = call(tool, name=stranger.split()[-1])
    ways: tuple[Script, ...] = ((look,), (look, last), (look,))
    says = [say(one.format(name=stranger)) for one in rng.sample(words, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, one) for way, one in zip(ways, says, strict=True)),
    }
