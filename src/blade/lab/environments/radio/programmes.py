"""Errands with programmes and masts: another time, a stand-in, the year in a credit, and less power."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.radio.errands import Errand, task_of
from blade.lab.environments.radio.log import Log, Voice, clock, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

SHARES: Final = {"half": 3, "a quarter": 6, "a tenth": 10, "a hundredth": 20}
"""Parts of a power, and how many decibels less that is; for a voltage it would be twice as many."""
_VALUES: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"),
    (4, "IV"), (1, "I"),
)  # fmt: skip


def move(index: int, log: Log, rng: Random) -> Task:
    """A programme begins at another time, on one day alone."""
    show = rng.choice(log.shows)
    at, slip = show.minute + rng.choice((35, 50, 70, 85)), show.minute + rng.choice((20, 100, 120))

    def moved(minute: int, extent: str = "once") -> Errand:
        change = call("showMove", changes=True, show=show.id, on=f"{show.next_on}", at=clock(minute), extent=extent)
        return Errand(
            (call("showCard", title=show.title),), (change,), f"{show.title} starts at {clock(minute)} on {spoken(show.next_on)}"
        )

    request = rng.choice(
        (
            f'"{show.title}" has to wait for the match on {spoken(show.next_on)} and begins at {clock(at)}. That day only, the usual slot stays for the weeks after.',
            f'Just for {spoken(show.next_on)}: start "{show.title}" at {clock(at)}. From the following week on it runs as always.',
        )
    )  # fmt: skip
    explained = tuple(f"{show.id} at {clock(one)} on {show.next_on}, that day only" for one in (at, slip))
    faulty = {"series_for_one": scripts([moved(at, "series").but()] * 2, rng)}
    return task_of(index, "schedule", request, moved(at), moved(slip), (explained[0], explained[1]), faulty, log, rng)


def stand_in(index: int, log: Log, rng: Random) -> Task:
    """One presenter if the week leaves room, otherwise another one."""
    show, first = rng.choice(log.shows), rng.choice(log.voices)
    second = rng.choice([one for one in log.voices if one.region == first.region and one is not first])
    limit = first.hours + rng.choice((-4, -3, -2, -2, -1, -1, 3))
    day = show.next_on + timedelta(days=7)

    def entered(one: Voice) -> Errand:
        reads = (call("showCard", title=show.title), call("voiceRota", region=first.region))
        change = call("showStandIn", changes=True, show=show.id, on=f"{day}", voice=one.id)
        return Errand(reads, (change,), f"{one.name} stands in for {show.title} on {spoken(day)}")

    right, wrong = (first, second) if first.hours < limit else (second, first)
    faulty = {"condition_unchecked": tuple(entered(first).unread(rng, "voiceRota") for _ in range(2))} if wrong is first else {}
    request = rng.choice(
        (
            f'"{show.title}" needs a stand-in on {spoken(day)}. {first.name} ({first.id}, {first.region}) does it if the rota has fewer than {limit} hours there this week; if not, {second.name} ({second.id}, same region).',
            f'Stand-in for "{show.title}", {spoken(day)}: with less than {limit} hours on the {first.region} rota it is {first.name} ({first.id}), otherwise {second.name} ({second.id}).',
        )
    )  # fmt: skip
    explained = tuple(
        f"{first.name} has {first.hours} hours against {limit}, so {show.id} gets {one.id}" for one in (right, wrong)
    )
    return task_of(index, "rota", request, entered(right), entered(wrong), (explained[0], explained[1]), faulty, log, rng)


def roman(year: int) -> str:
    written = ""
    for value, letters in _VALUES:
        count, year = divmod(year, value)
        written += letters * count
    return written


def credit(index: int, log: Log, rng: Random) -> Task:
    """The year of the first broadcast in Roman numerals, which no tool writes."""
    show = rng.choice(log.shows)

    def credited(year: str) -> Errand:
        change = call("showCredit", changes=True, show=show.id, year=year)
        return Errand((call("showCard", title=show.title),), (change,), f"the credit of {show.title} ends with {year}")

    right, *others = (roman(show.since + off) for off in (0, *rng.sample((-40, -20, -10, -4, -2, -1, 1, 5, 10, 20), 5)))
    faulty = {"wavering_numerals": scripts([credited(one).but() for one in others[:4]], rng)}
    request = rng.choice(
        (
            f'The closing credit of "{show.title}" should name the year of its first broadcast in Roman numerals. Please set it.',
            f'Set the year in the credit of "{show.title}": the one it was first on the air, in Roman numerals as on old films.',
        )
    )
    explained = tuple(f"{show.id} began in {show.since}: {one}" for one in (right, others[4]))
    return task_of(index, "credit", request, credited(right), credited(others[4]), (explained[0], explained[1]), faulty, log, rng)


def power(index: int, log: Log, rng: Random) -> Task:
    """A transmitter goes down to a part of its power, in decibels."""
    mast, share = rng.choice(log.masts), rng.choice(tuple(SHARES))
    right = SHARES[share]

    def padded(decibels: int) -> Errand:
        change = call("mastPad", changes=True, mast=mast.id, attenuation_db=decibels)
        return Errand((call("mastCard", site=mast.site),), (change,), f"{mast.site} runs with {decibels} dB less")

    request = rng.choice(
        (
            f"Riggers are on the {mast.site} mast tonight. Bring the transmitter down to {share} of its nominal power with the attenuator (whole decibels).",
            f"{mast.site}: set the attenuation, in whole dB, that leaves {share} of the nominal transmitter power.",
        )
    )  # fmt: skip
    explained = tuple(f"{share} of {mast.watts} W: {one} dB on {mast.id}" for one in (right, right + 5))
    faulty = {"power_as_amplitude": scripts([padded(2 * right).but()] * 2, rng)}
    return task_of(
        index, "transmitter", request, padded(right), padded(right + 5), (explained[0], explained[1]), faulty, log, rng
    )
