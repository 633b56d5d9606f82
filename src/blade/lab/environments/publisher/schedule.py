"""Errands with a calendar: slots of editors in a studio, and deadlines."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import spoken, swallowed
from blade.lab.environments.publisher.desk import EXAMPLE_DAY, STEPS
from blade.lab.environments.publisher.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.publisher.list import TODAY, Book, Editor, House
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

_PURPOSES: Final = (
    "reading the second proofs aloud", "choosing pictures for the plates", "checking colour prints", "recording the audio sample",
    "comparing two translations", "numbering the footnotes",
)  # fmt: skip


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2026, 10, number) for number in (1, 2, 5, 6, 7, 8, 9, 12)]
    return rng.choice(early) if rng.random() < 0.8 else TODAY + timedelta(days=rng.randint(5, 40))


def slot(index: int, house: House, rng: Random) -> Task:
    """One editor asks for a slot of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(house.editors, 2)
    studio, purpose = rng.choice(house.studios), rng.choice(_PURPOSES)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-4, 2, 3, 6)))

    def put(on: str, one: Editor = who, remark: str = "") -> Errand:
        change = call("book_studio_slot", changes=True, editor_id=one.id, studio_id=studio.id, day=on, purpose=purpose)
        told = f"{one.name} has {studio.name} on {spoken(date.fromisoformat(on))}{remark}"
        return Errand(looked_up(one, studio), (change,), told)

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, half_days=1)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            'This is {caller}. {who} needs {studio} on {day}, so please book it for {who}. Purpose: "{purpose}".',
            'Please book {studio} for {who}: {day}, with "{purpose}" as the purpose. Thanks, {caller}',
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, studio=studio.name, day=on, purpose=purpose)

    why = [f"{who.name} in {studio.name} on {one}: {purpose}" for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = (
        f" (the message says {beside:%A}, but the {day.day}th is a {day:%A})"
        if 3 < day.day < 21
        else f" (not a {beside:%A}, though)"
    )
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of("slots", f"{who.name} in {studio.name} on {beside:%A}, {beside}: {purpose}", put(f"{beside}").expected),
    }
    return task_of(
        index,
        "slots",
        asked(named),
        errand,
        put(f"{former}"),
        why,
        faulty,
        house,
        rng,
        who,
        remade={"weekday_against_date": clash},
    )


def deadline(index: int, house: House, rng: Random) -> Task:
    """A step in the making of a book is due so many days from now."""
    book, neighbour = rng.sample(house.books, 2)
    days, later = rng.sample(range(24, 80), 2)
    step, next_step = rng.choice(STEPS), rng.choice(STEPS)
    words = rng.choice(
        (
            "The {step} of {book} are due {days} days from today. Please set that deadline.",
            "Please set the deadline of {book} for the {step}, which is {days} days after today.",
        )
    )

    def put(day: date, what: str = step, one: Book = book) -> Errand:
        change = call("set_deadline", changes=True, isbn=one.id, step=what, day=f"{day}")
        return Errand(looked_up(one), (change,), f"the deadline of {one.name} for the {what} is {spoken(day)}")

    def asked(what: str, one: Book, number: int) -> str:
        told = words.format(step=what, book=one.name, days=number)
        return told if what.endswith("s") else told.replace(" are due", " is due")

    right = TODAY + timedelta(days=days)
    request, errand = asked(step, book, days), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-8, -6, -3, -2, -1, 1, 2, 4, 7, 9), 5)]
    faulty = {
        "wavering_due_date": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, reminder="weekly")] * 2, rng),
        "schema_example_used": scripts([put(date.fromisoformat(EXAMPLE_DAY)).but()] * 2, rng),
    }
    why = [f"{book.name}, {step}: {TODAY} and {days} days make {one}" for one in (right, others[4])]
    merged = swallowed(
        "deadlines", request, errand, asked(next_step, neighbour, later),
        put(TODAY + timedelta(days=later), next_step, neighbour), rng,
    )  # fmt: skip
    return task_of(index, "deadlines", request, errand, put(others[4]), why, faulty, house, rng, remade={"swallowed_row": merged})
