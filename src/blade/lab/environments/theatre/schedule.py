"""Errands with a calendar: slots in rehearsal rooms, fittings, and work that is due."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import spoken, swallowed
from blade.lab.environments.theatre.desk import EXAMPLE_DAY, written_day
from blade.lab.environments.theatre.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.theatre.house import TODAY, House, Named, Person, Production
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Row, Script, Task, call, say

_EXAMPLE: Final = datetime.strptime(EXAMPLE_DAY, "%d/%m/%Y").date()
_PURPOSES: Final = (
    "stage fight, second act", "lines with the understudy", "dance call", "sword practice", "notes after the run", "musical call",
)  # fmt: skip
_WORK: Final = ("repainting the backcloth", "the lighting plot", "the prompt book", "sewing the uniforms", "the surtitle file")
_UNCLEAR: Final = (
    "There are two people called {name}, {first} and {second}, and the message does not say which one. I have booked nothing.",
    "I can't tell which {name} is meant: {first} or {second}? No slot has been booked.",
)


def coming_day(rng: Random) -> date:
    """A day in the next weeks that is no Monday, mostly one whose number could be a month."""
    late = [day for day in (TODAY + timedelta(days=gap) for gap in range(15, 50)) if day.weekday()]
    return date(2026, 11, rng.choice((3, 4, 5, 6, 7, 10, 12))) if rng.random() < 0.85 else rng.choice(late)


def _other_day(day: date, rng: Random) -> date:
    """Another day near this one, which is no Monday either."""
    return rng.choice([one for off in (-4, -3, 2, 3, 5) if (one := day + timedelta(days=off)).weekday()])


def _slot(one: Person, room: Named, day: str, purpose: str) -> Move:
    return call("Schedule__book_slot", changes=True, person_id=one.id, room_id=room.id, date=day, purpose=purpose)


def rehearsal(index: int, house: House, rng: Random) -> Task:
    """One person asks for a slot of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(house.people, 2)
    room, purpose = rng.choice(house.rooms), rng.choice(_PURPOSES)
    day = coming_day(rng)
    former = _other_day(day, rng)

    def put(on: date, one: Person = who, remark: str = "") -> Errand:
        told = f"{one.name} has {room.name} on {spoken(on)}{remark}"
        return Errand(looked_up(one, room), (_slot(one, room, written_day(on), purpose),), told)

    errand, named = put(day), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=3)] * 2, rng),
        "schema_example_used": scripts([put(_EXAMPLE).but()] * 2, rng),
        "done_for_the_caller": scripts([put(day, caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(former).but()] * 2, rng)
    words = rng.choice(
        (
            '{who} needs a slot in {room} on {day}; please book it for {who}, not for me. Purpose: "{purpose}". Thank you, {caller}',
            'Please get {who} into {room}: {day}, purpose "{purpose}". Many thanks from {caller}',
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, room=room.name, day=on, purpose=purpose)

    why = [f"{who.name} in {room.name} on {spoken(one)}, for {purpose}" for one in (day, former)]
    beside = rng.choice([one for off in (-1, 1) if (one := day + timedelta(days=off)).weekday()])
    remark = f" (you wrote {beside:%A}, but {day.day} {day:%B} is a {day:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(day), put(day, remark=remark), put(day, remark=remark)], rng),
        "gold": gold_of("rehearsals", f"{who.name} in {room.name} on {spoken(beside)}, for {purpose}", put(beside).expected),
    }
    return task_of(
        index, "rehearsals", asked(named), errand, put(former), why, faulty, house, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def fitting(index: int, house: House, rng: Random) -> Task:
    """A fitting that is wanted on a Monday, on which the house is dark by the rules in the prompt."""
    who, room, item = rng.choice(house.people), rng.choice(house.rooms), rng.choice(house.items)
    monday = rng.choice([date(2026, 11, 2), date(2026, 11, 9), date(2026, 11, 16), date(2026, 11, 30), date(2026, 12, 7)])
    purpose = f"fitting, {item.name}"

    def put(on: date) -> Errand:
        remark = ", since the house is dark on Mondays" if on == monday + timedelta(days=1) else ""
        told = f"the fitting of {who.name} is in {room.name} on {spoken(on)}{remark}"
        return Errand(looked_up(who, room), (_slot(who, room, written_day(on), purpose),), told)

    right, week_later = monday + timedelta(days=1), monday + timedelta(days=8)
    errand = put(right)
    faulty = {
        "house_rule_ignored": scripts([put(monday).but()] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, hours=3)] * 2, rng),
        "schema_example_used": scripts([put(_EXAMPLE).but()] * 2, rng),
    }
    request = rng.choice(
        (
            f'Please book {who.name} into {room.name} for a fitting on {spoken(monday)}. As the purpose put "{purpose}".',
            f'{who.name} should try on the {item.name} on {spoken(monday)}, in {room.name}. Book that slot, purpose "{purpose}".',
        )
    )
    why = [f"{spoken(monday)} is a dark day, so {who.name} is booked for {spoken(one)}" for one in (right, week_later)]
    return task_of(index, "fittings", request, errand, put(week_later), why, faulty, house, rng, who)


def namesake(index: int, house: House, rng: Random) -> Task:
    """A slot for one of two people with the same name; the request says which of them, by what they do."""
    first, who = rng.choice(house.namesakes)
    room, purpose = rng.choice(house.rooms), rng.choice(_PURPOSES)
    day = coming_day(rng)
    former = _other_day(day, rng)

    def put(one: Person = who, on: date = day, remark: str = "") -> Errand:
        told = f"{one.name} ({one.role}) has {room.name} on {spoken(on)}{remark}"
        return Errand(looked_up(one, room), (_slot(one, room, written_day(on), purpose),), told)

    words = rng.choice(
        (
            'Book {room} on {day} for {who}, please. The purpose is "{purpose}".',
            'Could you put {who} down for {room}? It is for "{purpose}", on {day}.',
        )
    )

    def asked(named: str) -> str:
        return words.format(who=named, room=room.name, day=spoken(day), purpose=purpose)

    faulty = {
        "first_hit": scripts([put(first).but()] * 2, rng),
        "default_spelled_out": scripts([put().but(decisive=False, hours=3)] * 2, rng),
        "schema_example_used": scripts([put(on=_EXAMPLE).but()] * 2, rng),
    }
    why = [f"It is {who.name} the {who.role}, in {room.name} on {spoken(one)}" for one in (day, former)]
    unsure = [one.format(name=who.name, first=f"the {first.role}", second=f"the {who.role}") for one in _UNCLEAR]
    remark = f"; there is also {who.name} the {who.role}, and you did not say which one you meant"
    taken: tuple[Script, ...] = scripts([put(first), put(first, remark=remark), put(first, remark=remark)], rng)
    vague: Row = {"request": asked(who.name), "sound": (*taken, *((*looked_up(who), say(one)) for one in unsure))}
    return task_of(
        index, "namesakes", asked(f"{who.name} the {who.role}"), put(), put(on=former), why, faulty, house, rng,
        remade={"two_of_that_name": vague},
    )  # fmt: skip


def deadline(index: int, house: House, rng: Random) -> Task:
    """Work on a production is due so many days from now."""
    production, neighbour = rng.sample(house.productions, 2)
    days, later = rng.sample([gap for gap in range(24, 80) if (TODAY + timedelta(days=gap)).weekday()], 2)
    work, other_work = rng.sample(_WORK, 2)
    words = rng.choice(
        (
            'For {production}, "{work}" has to be finished {days} days from today. Set the due date, please.',
            'Please set the due date of "{work}" for {production}: {days} days after today.',
        )
    )

    def put(day: date, what: str = work, one: Production = production) -> Errand:
        change = call("Schedule__set_due_date", changes=True, production_id=one.id, work=what, date=written_day(day))
        return Errand(looked_up(one), (change,), f'"{what}" for {one.name} is due on {spoken(day)}')

    right = TODAY + timedelta(days=days)
    request, errand = words.format(production=production.name, work=work, days=days), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-8, -6, -3, -2, -1, 1, 2, 4, 7, 9), 5)]
    faulty = {
        "wavering_due_date": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, reminder="weekly")] * 2, rng),
        "schema_example_used": scripts([put(_EXAMPLE).but()] * 2, rng),
    }
    why = [f"{days} days after {spoken(TODAY)} it is {spoken(one)}" for one in (right, others[4])]
    merged = swallowed(
        "deadlines", request, errand, words.format(production=neighbour.name, work=other_work, days=later),
        put(TODAY + timedelta(days=later), other_work, neighbour), rng,
    )  # fmt: skip
    return task_of(index, "deadlines", request, errand, put(others[4]), why, faulty, house, rng, remade={"swallowed_row": merged})
