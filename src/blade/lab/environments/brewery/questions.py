"""Questions in a brewery: weights of malt, weeks, local times, and where a hop is from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.brewery.books import ORIGINS, OTHER_NAMES, Books
from blade.lab.environments.brewery.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.brewery.faults import spoilt_golds
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Lisbon": (0, 1), "Prague": (1, 2), "Helsinki": (2, 3), "Denver": (-7, -6), "Toronto": (-5, -4), "Dublin": (0, 1),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
KILOGRAMS_PER_POUND: Final = 0.45359237
_HALF_A_KILOGRAM: Final = 0.5
"""For those who take a metric pound."""
_LETTERS: Final = "abcd"
_LEADS = ("", "Found it in the records.\n", "From the planning software:\n", "Here you are.\n\n", "For the slip in the tray:\n\n")
_UNLOOKED = ("That should be about this.\n", "", "Going by what is usual:\n")
_GRADED = ("case_compared", "markdown_kept", "other_name_rejected")
"""Kinds that the agent has no part in."""
_TAKEN_FOR: Final = {
    "Czechia": "Germany", "United States": "United Kingdom", "Germany": "Austria", "France": "Belgium", "New Zealand": "Australia",
    "Australia": "New Zealand", "Slovenia": "Austria", "Poland": "Czechia", "Japan": "United States",
}  # fmt: skip
"""Where a hop is often thought to be from."""


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}#### {answer}", decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, books: Books, rng: Random,
    known: dict[str, Iterable[str]], choices: Sequence[str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    reasons = [why.format(choices[_LETTERS.index(one)] if choices else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, answer=one, choices=choices) for reason, one in zip(reasons, (right, careless), strict=True)
    )
    given = {"markdown_kept": [f"**{right}**", f"`{right}`", f"*{right}*"], **known}
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 4, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name not in _GRADED) for name, answers in given.items()}, elsewhere(books, request, rng),
        other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, reasons[0]), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def _unread(task: Task, guesses: Iterable[str], right: str, rng: Random) -> Task:
    """The task with agents that answer it without a look at the records."""
    wild = tuple((say(f"{rng.choice(_UNLOOKED)}#### {one}", decisive=True),) for one in guesses if one != right)
    return replace(task, faulty={**task.faulty, "answered_unread": wild})


def malt(index: int, books: Books, rng: Random) -> Task:
    """What a load of malt weighs, in another unit than on the sacks."""
    maltster = rng.choice(books.maltsters)
    total = sum(maltster.sacks)
    right = f"{KILOGRAMS_PER_POUND * total:.1f}"
    slips = [f"{KILOGRAMS_PER_POUND * (total + off):.1f}" for off in rng.sample((-60, -50, -20, -10, -5, 5, 10, 15, 40, 60), 5)]
    request = rng.choice(
        (
            f"What did the last load from {maltster.name} weigh altogether? Kilograms, rounded to one decimal.",
            f"How many kilograms of malt came with the last load of {maltster.name}, all sacks together? Rounded to one decimal.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{_HALF_A_KILOGRAM * total:.1f}"] * 2, "wavering_total": slips[:4]}
    if (cut := f"{int(10 * KILOGRAMS_PER_POUND * total) / 10:.1f}") != right:
        known["wrong_rounding"] = [cut] * 2
    reads = (*looked_up(maltster), call("Maltsters_ListSacks", maltster=maltster.id))
    why = f"{maltster.name}: {' + '.join(map(str, maltster.sacks))} lb are {{}} kg"
    task = _task(index, "malt", request, reads, right, slips[4], why, books, rng, known)
    return _unread(task, ("150.0", "180.0", "200.5"), right, rng)


def week(index: int, books: Books, rng: Random) -> Task:
    """The ISO week in which a brewer was hired, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in books.brewers if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"Payroll files people by the ISO week in which they were hired. Which number is it for {who.name}?",
            f"In which calendar week (ISO 8601) was {who.name} hired? Just the number.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} was hired on {who.hired}, in ISO week {{}}"
    task = _task(index, "payroll", request, looked_up(who), str(who.week), slips[3], why, books, rng, known)
    return _unread(task, ("14", "23", "36", "40"), str(who.week), rng)


def stream(index: int, books: Books, rng: Random) -> Task:
    """When a tasting begins by the clocks of a city."""
    tasting, city = rng.choice(books.tastings), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, careless = (f"{tasting.begins + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 3))
    request = rng.choice(
        (
            f"The {tasting.name} is streamed to {city}. When does it begin there, by their own clocks? 24-hour HH:MM.",
            f"Guests in {city} ask when the {tasting.name} starts. Give the local time there as HH:MM, on the 24-hour clock.",
        )
    )
    why = f"The {tasting.name} begins at {tasting.begins:%Y-%m-%d %H:%M} UTC, {{}} in {city}"
    return _task(index, "stream", request, looked_up(tasting), right, careless, why, books, rng, {"wrong_zone": [other] * 2})


def quiz(index: int, books: Books, rng: Random) -> Task:
    """A choice: the country of a hop, by its letter in a list."""
    tasting = rng.choice(books.tastings)
    home = ORIGINS[tasting.hop]
    beside = _TAKEN_FOR[home]
    rest = sorted({one for one in (*ORIGINS.values(), "Austria", "Belgium") if one not in (home, beside)})
    choices = rng.sample([home, beside, *rng.sample(rest, 2)], 4)
    right = _LETTERS[choices.index(home)]
    others = rng.sample([one for one in _LETTERS if one != right], 3)
    request = rng.choice(
        (
            f"Quiz card for the {tasting.name}: which country is its hop from? Answer with the letter from this list.",
            f"The hop of the {tasting.name} comes from one of these countries. Which one? The letter will do.",
        )
    )
    lines = "\n".join(f"{letter}) {country}" for letter, country in zip(_LETTERS, choices, strict=True))
    known: dict[str, Iterable[str]] = {
        "wrong_option": others,
        "wrong_fact": [_LETTERS[choices.index(beside)]] * 2,
        "case_compared": [right.upper()] * 2,
    }
    task = _task(index, "quiz", f"{request}\n{lines}", looked_up(tasting), right, others[1], f"{tasting.hop} is from {{}}", books, rng, known, choices)  # fmt: skip
    return replace(task, family="quiz")


def origin(index: int, books: Books, rng: Random) -> Task:
    """The country of a hop, by its name, which is mostly one of several in use."""
    several = [one for one in books.tastings if ORIGINS[one.hop] in OTHER_NAMES]
    tasting = rng.choice(several if several and rng.random() < 0.92 else books.tastings)
    right = ORIGINS[tasting.hop]
    others = rng.sample(sorted({*ORIGINS.values()} - {right, _TAKEN_FOR[right]}), 5)
    request = rng.choice(
        (
            f"The menu for the {tasting.name} lists the hop with its country of origin. Which country is that, in English?",
            f"Name the country, in English, that the hop of the {tasting.name} comes from.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wavering_fact": others[:4],
        "wrong_fact": [_TAKEN_FOR[right]] * 2,
        "case_compared": (right.lower(), right.upper()),
    }
    if right in OTHER_NAMES:
        known["other_name_rejected"] = OTHER_NAMES[right]
    why = f"{tasting.hop} is a hop from {{}}"
    return _task(index, "menu", request, looked_up(tasting), right, others[4], why, books, rng, known)
