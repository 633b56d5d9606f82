"""Errands on board: watches of the crew, checks of vessels, and entries in a log that count by the bells."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import spoken, swallowed
from blade.lab.environments.ferry.desk import CHECKS
from blade.lab.environments.ferry.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.ferry.line import TODAY, Crew, Line, Vessel
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

WATCHES: Final = {
    "first watch": ("20:00", "00:00"), "middle watch": ("00:00", "12:00"), "morning watch": ("04:00", "08:00"),
    "first dog watch": ("16:00", "18:00"), "last dog watch": ("18:00", "20:00"),
}  # fmt: skip
"""When a watch begins, and when people ashore think that it does."""
WATCH_HOURS: Final = {"middle watch": 0, "morning watch": 4, "forenoon watch": 8, "afternoon watch": 12, "first watch": 20}
"""The hour at which a watch of four hours begins."""
_BELLS: Final = ("one bell", "two bells", "three bells", "four bells")
_EVENTS: Final = (
    "short blackout on the car deck", "bow door alarm, found to be false", "fog signal started", "port engine slowed down",
    "man-overboard drill", "lost contact with the pier",
)  # fmt: skip


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2026, 6, number) for number in (1, 2, 3, 4, 5, 8, 9, 10, 11, 12)]
    return rng.choice(early) if rng.random() < 0.8 else TODAY + timedelta(days=rng.randint(5, 40))


def watch(index: int, line: Line, rng: Random) -> Task:
    """One of the crew asks for a watch of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(line.crew, 2)
    vessel, name = rng.choice(line.vessels), rng.choice(tuple(WATCHES))
    right, ashore = WATCHES[name]
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-3, 2, 4, 5)))

    def put(on: str = f"{day}", start: str = right, one: Crew = who, remark: str = "") -> Errand:
        change = call("watch_assign", changes=True, crew_id=one.id, vessel_id=vessel.id, date=on, start=start)
        told = f"{one.name} has the {name} on the {vessel.name} on {spoken(date.fromisoformat(on))}{remark}"
        return Errand(looked_up(one, vessel), (change,), told)

    times = [f"{hour:02}:{half}" for hour in range(24) for half in ("00", "30")]
    others = rng.sample([one for one in times if one not in (right, ashore)], 4)
    named = spoken(day)
    faulty = {
        "wrong_rule": scripts([put(start=ashore).but()] * 2, rng),
        "wavering_argument": scripts([put(start=one).but() for one in others], rng),
        "default_spelled_out": scripts([put().but(decisive=False, hours=4)] * 2, rng),
        "done_for_the_caller": scripts([put(one=caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            "{caller} writing. The {watch} of the {vessel} on {day} is for {who} (I'm ashore then). Assign it to {who}, with the time at which that watch begins.",
            "Please assign the {watch} aboard the {vessel} to {who}, starting when that watch starts. It is on {day}. Thank you, {caller}",
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, vessel=vessel.name, watch=name, day=on)

    why = [f"{who.name} on the {vessel.name}, {one}. The {name} begins at {right}." for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (the message has {beside:%A}, yet {day.day} {day:%B} is a {day:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(), put(remark=remark), put(remark=remark)], rng),
        "gold": gold_of(
            "watches",
            f"{who.name} on the {vessel.name}, {beside:%A} {beside}. The {name} begins at {right}.",
            put(f"{beside}").expected,
        ),
    }
    return task_of(
        index, "watches", asked(named), put(), put(f"{former}"), why, faulty, line, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def check(index: int, line: Line, rng: Random) -> Task:
    """A vessel is checked so many days from now."""
    vessel, neighbour = rng.sample(line.vessels, 2)
    what, theirs = rng.sample(CHECKS, 2)
    days, later = rng.sample(range(24, 90), 2)
    docked = rng.random() < 0.15
    words = rng.choice(
        (
            "Schedule a check of the {what} on the {vessel}, {days} days from today. {dock}",
            "The {vessel} is due for a check ({what}) {days} days after today, please put it in the schedule. {dock}",
        )
    )
    dock = "She has to be in dock for that." if docked else "No need to have her in dock."

    def put(day: date, what: str = what, one: Vessel = vessel) -> Errand:
        change = call("check_schedule", changes=True, vessel_id=one.id, check=what, date=f"{day}", in_dock=docked)
        return Errand(looked_up(one), (change,), f"the {what} of the {one.name} will be checked on {spoken(day)}")

    right = TODAY + timedelta(days=days)
    request, errand = words.format(what=what, vessel=vessel.name, days=days, dock=dock), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-9, -6, -4, -2, -1, 1, 2, 3, 5, 10), 5)]
    faulty = {
        "wavering_due_date": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, inspector="own")] * 2, rng),
    }
    why = [f"{days} days from {TODAY} is {one}. Check of the {what}, {vessel.name}." for one in (right, others[4])]
    merged = swallowed(
        "checks", request, errand, words.format(what=theirs, vessel=neighbour.name, days=later, dock=dock),
        put(TODAY + timedelta(days=later), theirs, neighbour), rng,
    )  # fmt: skip
    return task_of(index, "checks", request, errand, put(others[4]), why, faulty, line, rng, remade={"swallowed_row": merged})


def bells(index: int, line: Line, rng: Random) -> Task:
    """Something that happened at so many bells of a watch is entered with its time."""
    vessel, event = rng.choice(line.vessels), rng.choice(_EVENTS)
    name, struck = rng.choice(tuple(WATCH_HOURS)), rng.randint(1, 4)
    begins = 60 * WATCH_HOURS[name]

    def put(minutes: int) -> Errand:
        at = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
        change = call("log_append", changes=True, record_id=vessel.id, text=event, time=at)
        return Errand(looked_up(vessel), (change,), f'"{event}" is in the log of the {vessel.name}, at {at}')

    right, hours = begins + 30 * struck, begins + 60 * struck
    slip = begins + 30 * (struck + 5)
    request = rng.choice(
        (
            f'Enter in the log of the {vessel.name}: "{event}". It was at {_BELLS[struck - 1]} in the {name}, bells as they are struck at sea; give the time by the clock.',
            f'The mate of the {vessel.name} reports: {event}, at {_BELLS[struck - 1]} of the {name} by the ship\'s bell. Please append that to her log (text: "{event}") with the clock time.',
        )
    )
    faulty: dict[str, tuple[Script, ...]] = {"bells_as_hours": scripts([put(hours).but()] * 2, rng)}
    why = [f"{_BELLS[struck - 1]}, {name}: {one // 60 % 24:02}:{one % 60:02}. Log of the {vessel.name}." for one in (right, slip)]
    return task_of(index, "bells", request, put(right), put(slip), why, faulty, line, rng)
