"""Questions in a dairy's office: litres, weeks, weekdays, local times, and where breeds and cheeses are from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.dairy.books import CHEESES, LITRES_PER_GALLON, Books
from blade.lab.environments.dairy.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.dairy.faults import spoilt_golds
from blade.lab.environments.draws import mostly_upwards
from blade.lab.stage.script import Script, Task, call, say

LITRES_PER_IMPERIAL_GALLON: Final = 4.54609
OFFSETS: Final = {
    "Madrid": (1, 2), "Athens": (2, 3), "Stockholm": (1, 2), "Riga": (2, 3), "Edinburgh": (0, 1), "Chicago": (-6, -5),
    "Vancouver": (-8, -7), "Boston": (-5, -4),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
BREEDS: Final = {
    "Ayrshire": ("Scotland", "England"), "Brown Swiss": ("Switzerland", "Austria"), "Montbéliarde": ("France", "Switzerland"),
    "Simmental": ("Switzerland", "Germany"), "Girolando": ("Brazil", "Argentina"), "Sahiwal": ("Pakistan", "India"),
    "Kerry": ("Ireland", "Scotland"), "Normande": ("France", "Belgium"), "Illawarra": ("Australia", "New Zealand"),
    "Gir": ("India", "Brazil"), "Pinzgauer": ("Austria", "Germany"), "Lakenvelder": ("Netherlands", "Belgium"),
    "Canadienne": ("Canada", "France"), "Reggiana": ("Italy", "Spain"), "Vorderwald": ("Germany", "Switzerland"),
    "Telemark": ("Norway", "Sweden"), "Dexter": ("Ireland", "England"), "Abondance": ("France", "Italy"),
}  # fmt: skip
"""Where a breed of cattle is from, and where it is often thought to be from."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LETTERS: Final = ("A", "B", "C", "D")
_HOW: Final = (
    "Putting this together gives the result.",
    "There is only one candidate.",
    "With that, the question can be answered.",
    "So the final answer is as follows.",
    "This settles it.",
)
_UNLOOKED: Final = ("Judging by similar cases, this should be right.", "My best estimate:", "As a rule it is this one.")
_GRADED: Final = ("case_compared", "unit_beside_figure")
"""Kinds that the agent has no part in."""


def said(answer: str, how: str) -> str:
    """An answer in the form that the prompt wants."""
    return f"{how}\n\n\\boxed{{{answer}}}"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    hows = iter(rng.sample(_HOW, len(_HOW)))
    return tuple((*reads, say(said(answer, next(hows)), decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, books: Books, rng: Random,
    known: dict[str, Iterable[str]], options: dict[str, str] | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    grounds = [why.format(options[one] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, answer=one, options=options) for reason, one in zip(grounds, (right, careless), strict=True)
    )
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, rng, None if exact is None else right, exact), "options": options,
        "capitals": right != right.lower(),
    }  # fmt: skip
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 4, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name not in _GRADED) for name, answers in known.items()},
        elsewhere(books, request, rng), other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, grounds[0]), facts=facts,
    )  # fmt: skip


def _unread(task: Task, guesses: Iterable[str], right: str, rng: Random) -> Task:
    """The task with agents that answer it without a look at the books."""
    wild = tuple((say(said(one, rng.choice(_UNLOOKED)), decisive=True),) for one in guesses if one != right)
    return replace(task, faulty={**task.faulty, "answered_unread": wild})


def litres(index: int, books: Books, rng: Random) -> Task:
    """What was collected on a route, in another unit than on the list."""
    route = mostly_upwards(books.routes, lambda one: LITRES_PER_GALLON * sum(one.gallons), rng)
    total = sum(route.gallons)
    exact = LITRES_PER_GALLON * total
    right, cut, imperial = f"{exact:.0f}", f"{int(exact)}", f"{LITRES_PER_IMPERIAL_GALLON * total:.0f}"
    slips = [f"{LITRES_PER_GALLON * (total + off):.0f}" for off in rng.sample((-100, -80, -30, -11, -10, 9, 10, 20, 90, 110), 5)]
    request = rng.choice(
        (
            f"How much milk did the tanker take on the {route.name} last week? All stops together, in litres, rounded to a whole number.",
            f"I need the total of last week's stops on the {route.name}, converted to litres and rounded to a whole number. What is it?",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wrong_unit": [imperial] * 2,
        "wavering_total": slips[:4],
        "unit_beside_figure": (f"{right} litres", f"{right} L", f"{right} l"),
    }
    if cut != right:
        known["wrong_rounding"] = [cut] * 2
    reads = (*looked_up(route), call("get_readings", record_id=route.id))
    why = f"Stops on the {route.name}: {' + '.join(map(str, route.gallons))} = {total} US gallons. In litres that is {{}}."
    task = _task(index, "litres", request, reads, right, slips[4], why, books, rng, known, exact=exact)
    return _unread(task, ("2800", "3500", "4000"), right, rng)


def week(index: int, books: Books, rng: Random) -> Task:
    """The ISO week in which a driver joined, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in books.drivers if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"Jubilees are kept by ISO calendar week (ISO 8601). In which week of the year did {who.name} join? The number will do.",
            f"What is the ISO 8601 week number of the day on which {who.name} joined the co-operative?",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} joined on {who.joined}. By ISO 8601 that is week {{}}."
    task = _task(index, "jubilees", request, looked_up(who), str(who.week), slips[3], why, books, rng, known)
    return _unread(task, ("8", "17", "31", "46"), str(who.week), rng)


def weekday(index: int, books: Books, rng: Random) -> Task:
    """The day of the week on which a driver joined."""
    who = rng.choice(books.drivers)
    right = f"{who.joined:%A}"
    others = rng.sample([one for one in _DAYS if one != right], 6)
    request = rng.choice(
        (
            f"On what day of the week did {who.name} join us? It is for the speech.",
            f"Which weekday was it when {who.name} joined the co-operative?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{who.name} joined on {who.joined}, which was a {{}}."
    task = _task(index, "weekdays", request, looked_up(who), right, others[4], why, books, rng, known)
    return _unread(task, others[3:], right, rng)


def webinar(index: int, books: Books, rng: Random) -> Task:
    """When a webinar begins by the clocks of a city."""
    event, city = rng.choice(books.webinars), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, careless = (f"{event.begins + timedelta(hours=hours):%H:%M}" for hours in (winter, summer, winter - 3))
    request = rng.choice(
        (
            f"A customer in {city} has signed up for the {event.name}. When does it begin on the clocks there (HH:MM, 24 hours)?",
            f"What will the local time in {city} be when the {event.name} begins? Please as HH:MM, 24-hour clock.",
        )
    )
    why = f"The {event.name} begins on {event.begins:%Y-%m-%d} at {event.begins:%H:%M} UTC, when clocks in {city} show {{}}."
    return _task(index, "webinars", request, looked_up(event), right, careless, why, books, rng, {"wrong_zone": [other] * 2})


def quiz(index: int, books: Books, rng: Random) -> Task:
    """A choice that needs no look at the books: where a breed is from."""
    breed = rng.choice(tuple(BREEDS))
    home, beside = BREEDS[breed]
    rest = sorted({name for names in BREEDS.values() for name in names} - {home, beside})
    names = rng.sample([home, beside, *rng.sample(rest, 2)], 4)
    options = dict(zip(_LETTERS, names, strict=True))
    right = _LETTERS[names.index(home)]
    others = rng.sample([one for one in _LETTERS if one != right], 3)
    request = rng.choice(
        (
            f"For the quiz at the open day: in which country was the {breed} breed of cattle developed? Answer with the letter of the right option.",
            f"Which country does the cattle breed {breed} come from? Give the letter.",
        )
    )
    lines = "\n".join(f"({key}) {name}" for key, name in options.items())
    known: dict[str, Iterable[str]] = {
        "wrong_option": others,
        "wrong_fact": [_LETTERS[names.index(beside)]] * 2,
        "case_compared": [right.lower()] * 2,
    }
    why = f"The {breed} comes from {{}}."
    task = _task(index, "open_day", f"{request}\n{lines}", (), right, others[1], why, books, rng, known, options)
    return replace(task, family="quiz")


def cheese(index: int, books: Books, rng: Random) -> Task:
    """The country that the cheese of a webinar comes from."""
    event = rng.choice(books.webinars)
    right, beside = CHEESES[event.cheese]
    others = rng.sample(sorted({one for one, _ in CHEESES.values()} - {right, beside}), 5)
    request = rng.choice(
        (
            f"We want to put up the flag of the country that the cheese in the {event.name} comes from. Which country is it?",
            f"The cheese at the centre of the {event.name}: what country is it originally from?",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wavering_fact": others[:4],
        "wrong_fact": [beside] * 2,
        "case_compared": (right.lower(), right.upper()),
    }
    why = f"The {event.name} is about {event.cheese}. That cheese comes from {{}}."
    return _task(index, "cheeses", request, looked_up(event), right, others[4], why, books, rng, known)
