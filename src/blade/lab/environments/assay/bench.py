"""Errands with a calendar: sessions of assayers at an instrument, and calibrations."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.assay.desk import EXAMPLE_DAY
from blade.lab.environments.assay.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.assay.register import TODAY, Assayer, Register, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

_PURPOSES: Final = (
    "cupellation of scrapings, second series", "touchstone training for apprentices", "silver titration, backlog of May",
    "platinum reference samples", "repeat of disputed results", "surface scan of plated pieces",
)  # fmt: skip
_REASONS: Final = (
    "drift seen in the control charts", "moved to another room", "certificate about to run out", "service of the supply unit",
    "readings differ between shifts",
)  # fmt: skip


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2026, 7, number) for number in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)]
    return rng.choice(early) if rng.random() < 0.8 else TODAY + timedelta(days=rng.randint(5, 40))


def session(index: int, register: Register, rng: Random) -> Task:
    """One assayer asks for a session of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(register.assayers, 2)
    instrument, purpose = rng.choice(register.instruments), rng.choice(_PURPOSES)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-3, 2, 4, 6)))

    def put(on: str, one: Assayer = who, remark: str = "") -> Errand:
        change = call("Bench-book_session", changes=True, assayer=one.id, instrument=instrument.id, day=on, purpose=purpose)
        told = f"{one.name} is booked at {instrument.name} on {spoken(date.fromisoformat(on))}{remark}"
        return Errand(looked_up(one, instrument), (change,), told)

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=3)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            '{who} needs {instrument} for a session, writes {caller}; please book it in the name of {who}. Day: {day}. Purpose: "{purpose}".',
            'Please book {who} in at {instrument}, {day}. The purpose reads "{purpose}". This note was left by {caller}.',
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, instrument=instrument.name, day=on, purpose=purpose)

    why = [f"{who.name} at {instrument.name} on {one}: {purpose}" for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (which is no {beside:%A}, as the note has it)"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of(
            "session", f"{who.name} at {instrument.name} on {beside:%A}, {beside}: {purpose}", put(f"{beside}").expected
        ),
    }
    return task_of(
        index, "session", asked(named), errand, put(f"{former}"), why, faulty, register, rng, who,
        remade={"weekday_against_date": clash},
    )  # fmt: skip


def calibration(index: int, register: Register, rng: Random) -> Task:
    """An instrument is calibrated so many days from now."""
    instrument, reason, days = rng.choice(register.instruments), rng.choice(_REASONS), rng.randint(24, 80)
    right = TODAY + timedelta(days=days)

    def planned(day: date) -> Errand:
        change = call("Plant-plan_calibration", changes=True, instrument=instrument.id, day=f"{day}", reason=reason)
        return Errand(looked_up(instrument), (change,), f"{instrument.name} is down for calibration on {spoken(day)}")

    errand = planned(right)
    others = [right + timedelta(days=off) for off in rng.sample((-8, -6, -3, -2, -1, 1, 2, 4, 7, 9), 5)]
    request = rng.choice(
        (
            f'{instrument.name} is due for a calibration {days} days from today. Plan that; the reason is "{reason}".',
            f'Please plan the calibration of {instrument.name} for the day that is {days} days after today, reason "{reason}".',
        )
    )
    faulty = {
        "wavering_due_date": scripts([planned(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, standard="in-house")] * 2, rng),
        "schema_example_used": scripts([planned(date.fromisoformat(EXAMPLE_DAY)).but()] * 2, rng),
    }
    why = [f"{instrument.name}: {TODAY} and {days} days make {one}, {reason}" for one in (right, others[4])]
    return task_of(index, "calibration", request, errand, planned(others[4]), why, faulty, register, rng)
