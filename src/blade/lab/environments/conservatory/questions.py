"""Questions in a conservatory: weights, days, weeks, local times, and where a composer was at home."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.conservatory.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.conservatory.faults import spoilt_golds
from blade.lab.environments.conservatory.roll import COMPOSERS, Roll
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Vienna": (2, 1), "Vilnius": (3, 2), "Ljubljana": (2, 1), "Montreal": (-4, -5), "Vancouver": (-7, -8), "Sofia": (3, 2),
}  # fmt: skip
"""Hours ahead of UTC in summer, and in winter."""
KG_PER_LB: Final = 0.45359237
_TAKEN_FOR_KG: Final = 0.5
"""The pound of those who think of the metric one."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ABROAD: Final = (
    ("Das habe ich in der Kartei nachgesehen; es war ein {}.", ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")),
    ("Selon le registre, c'était un {}.", ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")),
    ("Según la ficha, fue un {}.", ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")),
)  # fmt: skip
"""What is said in other languages, and their names of the days."""
_LEADS = ("", "For the tray.\n", "This is what the records give.\n\n", "Found it.\n", "Here is the answer:\n")
_UNLOOKED = ("That is what such cases weigh.\n", "", "A fair estimate:\n")


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}=> {answer}", decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, roll: Roll, rng: Random,
    known: dict[str, Iterable[str]], options: Sequence[str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    reasons = [why.format(options["wxyz".index(one)] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, answer=one, options=options) for reason, one in zip(reasons, (right, careless), strict=True)
    )
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name != "case_compared") for name, answers in known.items()}, elsewhere(roll, request, rng),
        other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, reasons[0]), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def _and(task: Task, **faulty: tuple[Script, ...]) -> Task:
    return replace(task, faulty={**task.faulty, **faulty})


def weight(index: int, roll: Roll, rng: Random) -> Task:
    """What the instruments weigh that a pupil has on loan, in another unit than the list has."""
    who = rng.choice(roll.pupils)
    parts = [one.pounds for one in roll.loans_of(who.id)]
    total = sum(parts)
    right = f"{KG_PER_LB * total:.1f}"
    slips = [f"{KG_PER_LB * (total + off):.1f}" for off in rng.sample((-10, -9, -6, -4, -2, 2, 3, 5, 9, 10), 5)]
    request = rng.choice(
        (
            f"The courier wants to know what the instruments lent to {who.name} weigh in total, in kilograms with one decimal.",
            f"How many kilograms (one decimal) do all the cases weigh that {who.name} has on loan from us?",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{_TAKEN_FOR_KG * total:.1f}"] * 2, "wavering_total": slips[:4]}
    reads = (*looked_up(who), call("STORE_LIST_LOANS", pupil=who.id))
    why = f"{who.name}: {' + '.join(map(str, parts))} lb make {{}} kg"
    task = _task(index, "weight", request, reads, right, slips[4], why, roll, rng, known)
    wild = [one for one in ("15.0", "18.5", "25.0") if one != right]
    return _and(task, answered_unread=tuple((say(f"{rng.choice(_UNLOOKED)}=> {one}", decisive=True),) for one in wild))


def weekday(index: int, roll: Roll, rng: Random) -> Task:
    """The day of the week on which a pupil began."""
    who = rng.choice(roll.pupils)
    number = who.since.weekday()
    right = _DAYS[number]
    others = rng.sample([one for one in _DAYS if one != right], 5)
    request = rng.choice(
        (
            f"We want to print it in the yearbook: what weekday was the first day of {who.name} with us?",
            f"On what day of the week did {who.name} start at the conservatory?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{who.name} came on {who.since}, a {{}}"
    task = _task(index, "yearbook", request, looked_up(who), right, others[4], why, roll, rng, known)
    abroad = [(words, days[number]) for words, days in _ABROAD]
    says = (say(f"{words.format(day)}\n=> {day}", decisive=True) for words, day in abroad)
    return _and(task, other_language=tuple((*looked_up(who), one) for one in says))


def week(index: int, roll: Roll, rng: Random) -> Task:
    """The ISO week in which a pupil began, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in roll.pupils if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"Files are shelved by calendar week (ISO 8601). In which one, as a bare number, did {who.name} start?",
            f"What is the number of the ISO week in which {who.name} had the first day here?",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} came on {who.since}, in ISO week {{}}"
    return _task(index, "shelf", request, looked_up(who), str(who.week), slips[3], why, roll, rng, known)


def stream(index: int, roll: Roll, rng: Random) -> Task:
    """When a concert begins by the clocks of a city."""
    concert, city = rng.choice(roll.concerts), rng.choice(tuple(OFFSETS))
    summer, winter = OFFSETS[city]
    right, other, careless = (f"{concert.starts + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 4))
    request = rng.choice(
        (
            f"Grandparents in {city} watch the stream of the {concert.name}. At what local time does it begin for them (24-hour HH:MM)?",
            f"What will the clocks show in {city} when the {concert.name} begins? Give HH:MM on the 24-hour clock.",
        )
    )
    why = f"The {concert.name} begins {concert.starts:%Y-%m-%d %H:%M} UTC, that is {{}} in {city}"
    reads = (call("STAGE_FIND_CONCERT", concert_name=concert.name),)
    return _task(index, "stream", request, reads, right, careless, why, roll, rng, {"wrong_zone": [other] * 2})


def country(index: int, roll: Roll, rng: Random) -> Task:
    """A choice: the country of the composer of an album."""
    album = rng.choice(roll.albums)
    home = COMPOSERS[album.composer][1]
    options = rng.sample([home, *rng.sample([one for _, one in COMPOSERS.values() if one != home], 3)], 4)
    right = "wxyz"[options.index(home)]
    others = rng.sample([one for one in "wxyz" if one != right], 3)
    request = rng.choice(
        (
            f"Our shelves go by country. Where does {album.title} belong, going by the composer's homeland? Answer w, x, y or z.",
            f"Which is the home country of the composer of {album.title}? One letter, please.",
        )
    )
    lines = "\n".join(f"[{letter}] {one}" for letter, one in zip("wxyz", options, strict=True))
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    reads = (call("LIBRARY_FIND_SCORE", title=album.title),)
    why = f"{album.composer} was from {{}}"
    task = _task(index, "homeland", f"{request}\n{lines}", reads, right, others[1], why, roll, rng, known, options)
    return replace(task, family="homeland")
