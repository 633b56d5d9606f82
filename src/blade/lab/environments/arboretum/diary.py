"""Errands with a calendar: duties of gardeners, and when a plant is pruned."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.arboretum.desk import EXAMPLE_DAY
from blade.lab.environments.arboretum.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.arboretum.garden import TODAY, Garden, Gardener, Plant
from blade.lab.environments.draws import spoken, swallowed
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

_TASKS: Final = (
    "repotting the seedlings", "cleaning the vents and the glass", "checking for scale insects", "misting and shading",
    "taking cuttings for the spring sale", "counting the labels",
)  # fmt: skip


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2026, 5, number) for number in (1, 4, 6, 7, 8, 11, 12)]
    return rng.choice(early) if rng.random() < 0.8 else TODAY + timedelta(days=rng.randint(5, 40))


def duty(index: int, garden: Garden, rng: Random) -> Task:
    """One gardener asks for a duty of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(garden.gardeners, 2)
    house, work = rng.choice(garden.houses), rng.choice(_TASKS)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-3, 2, 4, 5)))

    def put(on: str, one: Gardener = who, remark: str = "") -> Errand:
        change = call("mcp__diary__book_duty", changes=True, gardener_id=one.id, house_id=house.id, day=on, task=work)
        told = f"{one.name} is down for the {house.name} on {spoken(date.fromisoformat(on))}{remark}"
        return Errand(looked_up(one, house), (change,), told)

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=4)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            '{caller} here. I need {who} (not me) in the {house} on {day}. Please book the duty for {who}, task: "{work}".',
            'Could you put {who} down for the {house}? The day is {day}, the task "{work}". Regards, {caller}',
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, house=house.name, day=on, work=work)

    why = [f"{who.name} is on duty in the {house.name} on {one}; the task is {work}" for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (the message calls it a {beside:%A}, but {day.day} {day:%B} is a {day:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of(
            "duties",
            f"{who.name} is on duty in the {house.name} on {beside:%A}, {beside}; the task is {work}",
            put(f"{beside}").expected,
        ),
    }
    return task_of(
        index, "duties", asked(named), errand, put(f"{former}"), why, faulty, garden, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def pruning(index: int, garden: Garden, rng: Random) -> Task:
    """A plant is pruned so many days from now."""
    plant, neighbour = rng.sample(garden.plants, 2)
    days, later = rng.sample(range(24, 90), 2)
    words = rng.choice(
        (
            "Please plan the pruning of the {plant}: {days} days from today.",
            "The {plant} is due for pruning, and it should happen {days} days after today. Put that in the diary.",
        )
    )

    def put(day: date, one: Plant = plant) -> Errand:
        change = call("mcp__diary__plan_pruning", changes=True, plant_id=one.id, day=f"{day}")
        return Errand(looked_up(one), (change,), f"the {one.name} is to be pruned on {spoken(day)}")

    right = TODAY + timedelta(days=days)
    request, errand = words.format(plant=plant.name, days=days), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-9, -7, -4, -2, -1, 1, 2, 3, 6, 10), 5)]
    faulty = {
        "wavering_due_date": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, crew="own")] * 2, rng),
        "schema_example_used": scripts([put(date.fromisoformat(EXAMPLE_DAY)).but()] * 2, rng),
    }
    why = [f"Today is {TODAY}; {days} days later it is {one}" for one in (right, others[4])]
    merged = swallowed(
        "pruning", request, errand, words.format(plant=neighbour.name, days=later), put(TODAY + timedelta(days=later), neighbour), rng
    )  # fmt: skip
    return task_of(index, "pruning", request, errand, put(others[4]), why, faulty, garden, rng, remade={"swallowed_row": merged})
