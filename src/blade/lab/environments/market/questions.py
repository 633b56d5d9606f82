"""Questions in a market office: energy, days, weeks, local times, and where a cheese comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.market.errands import SYSTEM, elsewhere, glossed, gold_of, looked_up
from blade.lab.environments.market.faults import spoilt_golds
from blade.lab.environments.market.register import ORIGINS, Register
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Porto": (1, 0),
    "Bologna": (2, 1),
    "Tampere": (3, 2),
    "Lviv": (3, 2),
    "Boston": (-4, -5),
    "Seattle": (-7, -8),
}
"""Hours ahead of UTC in summer, and in winter."""
MJ_PER_KWH: Final = 3.6
_TAKEN_FOR_MJ: Final = 4.2
"""The factor of those who think of kilojoules in a kilocalorie."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = ("", "From the books:\n", "I have looked it up. ", "The slip can be answered.\n\n", "The register says so: ")
_UNLOOKED = ("About what a stall of that size takes. ", "", "Going by experience:\n")
_UNDECIDED = ("case_compared",)
"""Kinds where the agent did nothing wrong."""


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}[[{answer}]]", decisive=decisive)) for answer in answers)


def _task(
    index: int, subject: str, request: str, reads: Script, right: str, careless: str, why: str, register: Register, rng: Random,
    known: dict[str, Iterable[str]], guesses: Iterable[str] = (), choices: Sequence[str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer.

    `guesses` are the answers of those who look nothing up, if they are wrong.
    """
    glosses = [why.format(choices[int(one) - 1] if choices else one) for one in (right, careless)]
    gold, other = (
        gold_of(subject, gloss, text=one, choices=choices) for gloss, one in zip(glosses, (right, careless), strict=True)
    )
    faulty = {name: _told(reads, answers, rng, name not in _UNDECIDED) for name, answers in known.items()}
    wild = [one for one in guesses if one != right]
    if wild:
        faulty["answered_unread"] = tuple((say(f"{rng.choice(_UNLOOKED)}[[{one}]]", decisive=True),) for one in wild)
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold, faulty,
        elsewhere(register, request, rng), other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=glossed(other, glosses[0]), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def energy(index: int, register: Register, rng: Random) -> Task:
    """What the pitches of a trader drew, in another unit than the meters have."""
    who = rng.choice(register.traders)
    parts = [one.kwh for one in register.pitches_of(who.id)]
    total = sum(parts)
    slips = [f"{MJ_PER_KWH * (total + off):.1f}" for off in rng.sample((-20, -11, -10, -9, -2, 1, 9, 10, 18, 100), 5)]
    request = rng.choice(
        (
            f"What did the pitches of {who.name} draw last month, all together? In megajoules, with one decimal.",
            f"{who.name} wants last month's power for all pitches held, as one figure in MJ (one decimal).",
        )
    )
    reads = (*looked_up(who), call("stalls.holdings", trader=who.id))
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{_TAKEN_FOR_MJ * total:.1f}"] * 2, "wavering_total": slips[:4]}
    why = f"{who.name}: {' + '.join(map(str, parts))} kWh are {{}} MJ"
    guesses = ("360.0", "540.0", "720.0")
    return _task(index, "energy", request, reads, f"{MJ_PER_KWH * total:.1f}", slips[4], why, register, rng, known, guesses)


def weekday(index: int, register: Register, rng: Random) -> Task:
    """The day of the week on which a trader began."""
    who = rng.choice(register.traders)
    right = _DAYS[who.since.weekday()]
    others = rng.sample([one for one in _DAYS if one != right], 5)
    request = rng.choice(
        (
            f"For the anniversary card: on which weekday did {who.name} first trade here?",
            f"{who.name} asks what day of the week it was when the stall was first entered in the register.",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    return _task(
        index,
        "anniversary",
        request,
        looked_up(who),
        right,
        others[4],
        f"{who.name}: {who.since} was a {{}}",
        register,
        rng,
        known,
    )


def week(index: int, register: Register, rng: Random) -> Task:
    """The ISO week in which a trader began, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in register.traders if one.plain_week != one.week])
    number = who.week
    near = [str(one) for one in range(number - 5, number + 6) if one not in (number, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"Permits are numbered by ISO week. Which one (number only) was it when {who.name} was entered?",
            f"Give the ISO 8601 week number of the day since which {who.name} has been trading.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name}: {who.since} lies in ISO week {{}}"
    return _task(index, "anniversary", request, looked_up(who), str(number), slips[3], why, register, rng, known)


def abroad(index: int, register: Register, rng: Random) -> Task:
    """When a booking opens by the clocks of a city."""
    fair, city = rng.choice(register.fairs), rng.choice(tuple(OFFSETS))
    summer, winter = OFFSETS[city]
    right, other, careless = (f"{fair.booking + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 3))
    request = rng.choice(
        (
            f"A basket maker in {city} wants to be first when booking for the {fair.name} opens. What time is that there? HH:MM, 24 hours.",
            f"By the clocks in {city}, at what time does booking open for the {fair.name}? Write it as HH:MM (24 h).",
        )
    )
    why = f"The {fair.name} can be booked from {fair.booking:%Y-%m-%d %H:%M} UTC, {{}} in {city}"
    reads = (call("calendar.fair", name=fair.name),)
    return _task(index, "booking", request, reads, right, careless, why, register, rng, {"wrong_zone": [other] * 2})


def origin(index: int, register: Register, rng: Random) -> Task:
    """A choice: where the cheese comes from that a stall is known for."""
    who = rng.choice(register.traders)
    home = ORIGINS[who.cheese]
    choices = rng.sample([home, *rng.sample([one for one in ORIGINS.values() if one != home], 3)], 4)
    right = str(choices.index(home) + 1)
    others = rng.sample([one for one in "1234" if one != right], 3)
    request = rng.choice(
        (
            f"For the map at the gate: from which of these countries comes the cheese that {who.name} is known for? Only the number.",
            f"{who.name} is known for a cheese. Which country is its home? Answer with the number.",
        )
    )
    lines = "\n".join(f"{number}) {one}" for number, one in enumerate(choices, start=1))
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    task = _task(
        index, "origin", f"{request}\n{lines}", looked_up(who), right, others[1], f"{who.cheese} comes from {{}}", register, rng, known,
        choices=choices,
    )  # fmt: skip
    return replace(task, family="origin")
