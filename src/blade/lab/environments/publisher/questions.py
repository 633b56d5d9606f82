"""Questions in a publishing house: weights of parcels, weeks, local times, and who wrote a novel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import mostly_upwards
from blade.lab.environments.publisher.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.publisher.faults import spoilt_golds
from blade.lab.environments.publisher.list import KILOGRAMS_PER_POUND, WORKS, House
from blade.lab.environments.publisher.paper import METRIC_POUND
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Warsaw": (1, 2), "Copenhagen": (1, 2), "Bucharest": (2, 3), "Porto": (0, 1), "Montreal": (-5, -4), "Seattle": (-8, -7),
    "Halifax": (-4, -3),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
_LETTERS: Final = ("A", "B", "C", "D")
_HOW: Final = (
    "Taken from the record and worked out.",
    "That follows from what is known.",
    "Worked out step by step, and checked.",
    "See the files of the house.",
    "There is only one that fits.",
)
_UNLOOKED: Final = ("From experience with similar cases.", "A rough estimate.", "This is what it usually comes to.")
_GRADED = ("case_compared", "markdown_kept")
"""Kinds that the agent has no part in."""
_TAKEN_FOR: Final = {
    "George Eliot": "Thomas Hardy", "Mary Shelley": "Bram Stoker", "Anne Brontë": "Charlotte Brontë", "Emily Brontë": "Charlotte Brontë",
    "Ivan Turgenev": "Leo Tolstoy", "Nikolai Gogol": "Fyodor Dostoevsky", "Gustave Flaubert": "Honoré de Balzac",
    "Wilkie Collins": "Charles Dickens", "Kate Chopin": "Edith Wharton", "Henry James": "Edith Wharton",
    "Robert Louis Stevenson": "Daniel Defoe", "H. G. Wells": "Jules Verne", "Joseph Conrad": "Rudyard Kipling",
}  # fmt: skip
"""Whom a novelist is often mistaken for."""


def said(answer: str, how: str, rng: Random) -> str:
    """An answer in the form that the prompt wants."""
    return f"Explanation: {how}\nExact Answer: {answer}\nConfidence: {rng.randint(81, 97)}%"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    hows = iter(rng.sample(_HOW, len(_HOW)))
    return tuple((*reads, say(said(answer, next(hows), rng), decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, house: House, rng: Random,
    known: dict[str, Iterable[str]], options: dict[str, str] | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    grounds = [why.format(options[one] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, answer=one, options=options) for reason, one in zip(grounds, (right, careless), strict=True)
    )
    given = {"markdown_kept": [f"**{right}**", f"*{right}*", f"`{right}`"], **known}
    rounded = None if exact is None else right
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 4, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name not in _GRADED) for name, answers in given.items()},
        elsewhere(house, request, rng), other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, grounds[0]), facts={"spoilt_gold": spoilt_golds(gold, rounded, exact), "options": options},
    )  # fmt: skip


def _unread(task: Task, guesses: Iterable[str], right: str, rng: Random) -> Task:
    """The task with agents that answer it without a look at the records."""
    wild = tuple((say(said(one, rng.choice(_UNLOOKED), rng), decisive=True),) for one in guesses if one != right)
    return replace(task, faulty={**task.faulty, "answered_unread": wild})


def parcels(index: int, house: House, rng: Random) -> Task:
    """What the parcels of a printer weigh, in another unit than on the list."""
    printer = mostly_upwards(house.printers, lambda one: 10 * KILOGRAMS_PER_POUND * sum(one.parcels), rng)
    total = sum(printer.parcels)
    exact = KILOGRAMS_PER_POUND * total
    right = f"{exact:.1f}"
    slips = [f"{KILOGRAMS_PER_POUND * (total + off):.1f}" for off in rng.sample((-30, -20, -11, -10, -3, 2, 5, 10, 20, 30), 5)]
    request = rng.choice(
        (
            f"How many kilograms do the parcels weigh together that came in from {printer.name}? Round to one decimal and give the figure alone.",
            f"What is the total weight of the parcels from {printer.name} in kilograms, rounded to one decimal? Only the figure, please.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{METRIC_POUND * total:.1f}"] * 2, "wavering_total": slips[:4]}
    if (cut := f"{int(10 * exact) / 10:.1f}") != right:
        known["wrong_rounding"] = [cut] * 2
    reads = (*looked_up(printer), call("list_parcels", printer_id=printer.id))
    why = f"{printer.name}: {' + '.join(map(str, printer.parcels))} = {total} lb, which are {{}} kg"
    task = _task(index, "parcels", request, reads, right, slips[4], why, house, rng, known, exact=exact)
    return _unread(task, ("60.0", "75.0", "48.5"), right, rng)


def week(index: int, house: House, rng: Random) -> Task:
    """The ISO week in which an editor joined, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in house.editors if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"For the anniversary calendar: in which ISO 8601 calendar week did {who.name} join us? The number of the week is enough.",
            f"What is the number of the ISO week in which {who.name} joined the house?",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} joined on {who.joined}, which is in ISO week {{}}"
    task = _task(index, "anniversaries", request, looked_up(who), str(who.week), slips[3], why, house, rng, known)
    return _unread(task, ("9", "18", "27", "41"), str(who.week), rng)


def stream(index: int, house: House, rng: Random) -> Task:
    """When a reading begins by the clocks of a city."""
    reading, city = rng.choice(house.readings), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, careless = (f"{reading.begins + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 3))
    request = rng.choice(
        (
            f"Our agent in {city} listens to the {reading.name} over the internet. When does it begin by local time there? HH:MM, 24 hours.",
            f"At what local time (HH:MM, 24-hour clock) does the {reading.name} begin for listeners in {city}?",
        )
    )
    why = f"The {reading.name} begins at {reading.begins:%Y-%m-%d %H:%M} UTC, in {city} at {{}}"
    return _task(index, "streams", request, looked_up(reading), right, careless, why, house, rng, {"wrong_zone": [other] * 2})


def quiz(index: int, house: House, rng: Random) -> Task:
    """A choice that needs no look at the files: who wrote a novel."""
    work = rng.choice(tuple(WORKS))
    author = WORKS[work]
    beside = _TAKEN_FOR[author]
    rest = sorted({*WORKS.values(), *_TAKEN_FOR.values()} - {author, beside})
    names = rng.sample([author, beside, *rng.sample(rest, 2)], 4)
    options = dict(zip(_LETTERS, names, strict=True))
    right = _LETTERS[names.index(author)]
    others = rng.sample([one for one in _LETTERS if one != right], 3)
    request = rng.choice(
        (
            f"A question for the quiz night of the booksellers: which of these novelists is the author of {work}? Answer with the letter.",
            f"For the reading group's leaflet: who of the following wrote the novel {work}? The letter is enough.",
        )
    )
    lines = "\n".join(f"{key}) {name}" for key, name in options.items())
    known: dict[str, Iterable[str]] = {
        "wrong_option": others,
        "wrong_fact": [_LETTERS[names.index(beside)]] * 2,
        "case_compared": [right.lower()] * 2,
    }
    task = _task(index, "quiz", f"{request}\n\n{lines}", (), right, others[1], f"{work} is by {{}}", house, rng, known, options)
    return replace(task, family="quiz")


def writer(index: int, house: House, rng: Random) -> Task:
    """The author of the novel that is read somewhere, by name."""
    reading = rng.choice(house.readings)
    right = WORKS[reading.work]
    others = rng.sample(sorted({*WORKS.values()} - {right, _TAKEN_FOR[right]}), 5)
    request = rng.choice(
        (
            f"The poster of the {reading.name} has to say who wrote the work that is read there. The author's name?",
            f"Who is the author of the work at the {reading.name}? Give the name under which it is published.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wavering_fact": others[:4],
        "wrong_fact": [_TAKEN_FOR[right]] * 2,
        "case_compared": (right.lower(), right.upper()),
    }
    return _task(index, "posters", request, looked_up(reading), right, others[4], f"{reading.work} is by {{}}", house, rng, known)
