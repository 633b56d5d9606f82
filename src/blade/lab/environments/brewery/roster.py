"""Errands with a calendar: shifts of brewers, and the cleaning of tanks."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.brewery.books import STATIONS, TODAY, Books, Brewer, spoken
from blade.lab.environments.brewery.desk import EXAMPLE_DAY
from blade.lab.environments.brewery.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

_DUTIES: Final = (
    "rinse lines & couplings", "yeast counts & pH log", "count of crates & kegs", "pumps & heat exchanger", "sampling, all open tanks",
    "labels & closures check", "hoses, valves & gaskets", "draff silo, empty & wash",
)  # fmt: skip
_REASONS: Final = (
    "beerstone at outlet & valve", "change of yeast & style", "seal & manway inspection", "souring found, lab & cellar", "rest, rinse & refill plan",
    "yearly check by the insurer",
)  # fmt: skip


def shift(index: int, books: Books, rng: Random) -> Task:
    """One brewer asks for a shift of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(books.brewers, 2)
    station, duty = rng.choice(tuple(STATIONS)), rng.choice(_DUTIES)
    day = TODAY + timedelta(days=rng.randint(3, 40))
    former = day + timedelta(days=rng.choice((-2, 2, 3, 5)))

    def put(on: str, one: Brewer = who, remark: str = "") -> Errand:
        change = call("Shifts_Create", changes=True, brewer=one.id, station=station, day=on, duty=duty)
        told = f"{one.name} has a shift in the {station} on {spoken(date.fromisoformat(on))}{remark}"
        return Errand(looked_up(one), (change,), told)

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=8)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            '{caller} here. {who} takes over a shift in the {station}, please roster {who} for it. Duty: "{duty}". Day: {day}.',
            'From {caller}: a shift for {who}, who is away from the office. Where: {station}. When: {day}. Duty as on the board, "{duty}".',
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, station=station, duty=duty, day=on)

    why = [f"{who.name} works in the {station} on {one}: {duty}" for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (the slip has {beside:%A} for it, which it is not)"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of(
            "shift", f"{who.name} works in the {station} on {beside:%A}, {beside}: {duty}", put(f"{beside}").expected
        ),
    }
    return task_of(
        index, "shift", asked(named), errand, put(f"{former}"), why, faulty, books, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def cleaning(index: int, books: Books, rng: Random) -> Task:
    """A tank is cleaned so many days from now."""
    tank, reason, days = rng.choice(books.tanks), rng.choice(_REASONS), rng.randint(23, 75)
    right = TODAY + timedelta(days=days)

    def planned(day: date) -> Errand:
        change = call("Tanks_PlanCleaning", changes=True, tank=tank.id, day=f"{day}", reason=reason)
        return Errand(looked_up(tank), (change,), f"{tank.name} will be cleaned on {spoken(day)}")

    errand = planned(right)
    others = [right + timedelta(days=off) for off in rng.sample((-10, -7, -3, -2, -1, 1, 2, 3, 7, 10), 5)]
    request = rng.choice(
        (
            f'{tank.name} has to be cleaned {days} days from today. Plan it, with "{reason}" as the reason.',
            f'Plan a cleaning of {tank.name}, in {days} days as of today. Reason: "{reason}".',
        )
    )
    faulty = {
        "wavering_due_date": scripts([planned(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, agent="caustic")] * 2, rng),
        "schema_example_used": scripts([planned(date.fromisoformat(EXAMPLE_DAY)).but()] * 2, rng),
    }
    why = [f"{tank.name}: {days} days after {TODAY} is {one}, {reason}" for one in (right, others[4])]
    return task_of(index, "cleaning", request, errand, planned(others[4]), why, faulty, books, rng)
