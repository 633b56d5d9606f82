"""Errands with a calendar: absences, reminders, and days on which a team does not work."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import easter, spoken, swallowed
from blade.lab.environments.payroll.desk import EXAMPLE_DAY, KINDS
from blade.lab.environments.payroll.errands import Errand, column, corrected, gold_of, looked_up, task_of
from blade.lab.environments.payroll.files import TODAY, Employee, Files, Named
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

FEASTS: Final = {"Good Friday": -2, "Easter Monday": 1, "Ascension Day": 39, "Whit Monday": 50}
"""Feasts that move, in days from Easter Sunday."""
_SUBJECTS: Final = (
    "end of trial period",
    "residence permit runs out",
    "first-aid course",
    "return of the laptop",
    "review of the grade",
)


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2027, 3, number) for number in (1, 2, 4, 5, 8, 9, 10, 11, 12)]
    return rng.choice(early) if rng.random() < 0.85 else TODAY + timedelta(days=rng.randint(6, 44))


def absence(index: int, files: Files, rng: Random) -> Task:
    """A colleague reports the absence of another one, and who stands in; mostly the day is put right in the same breath."""
    caller, who, substitute = rng.sample(files.employees, 3)
    kind, day = rng.choice(KINDS), coming_day(rng)
    former = day + timedelta(days=rng.choice((-4, -2, 3, 5)))

    def put(first_day: str = f"{day}", one: Employee = who, remark: str = "") -> Errand:
        change = call(
            "record_absence", changes=True, employee_id=one.id, substitute_id=substitute.id, kind=kind, first_day=first_day
        )  # fmt: skip
        told = f"{one.name} is on {kind} from {spoken(date.fromisoformat(first_day))}, {substitute.name} stands in{remark}"
        return Errand(looked_up(one, substitute), (change,), told)

    errand, named = put(), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, certified=False)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(one=caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            "this is {caller}, calling about a colleague: {who} will be on {kind} from {day}. The one who stands in is {substitute}. Please record that for {who}.",
            "please record that {who} goes on {kind}, first day {day}, with {substitute} standing in. I'm reporting it because {who} can't. Regards, {caller}",
        )
    )

    def asked(on: str) -> str:
        told = words.format(caller=caller.name, who=who.name, kind=kind, day=on, substitute=substitute.name)
        return told[0].upper() + told[1:]

    why = [f"{who.name} is absent ({kind}) from {one}; {substitute.name} is the substitute." for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (note that {day.day} {day:%B} is a {day:%A} and not a {beside:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(), put(remark=remark), put(remark=remark)], rng),
        "gold": gold_of(
            "absences",
            f"{who.name} is absent ({kind}) from {beside:%A}, {beside}; {substitute.name} is the substitute.",
            put(f"{beside}").expected,
        ),
    }
    return task_of(
        index, "absences", asked(named), errand, put(f"{former}"), why, faulty, files, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def reminder(index: int, files: Files, rng: Random) -> Task:
    """Something on an employee's file is due so many days from now."""
    who, neighbour = rng.sample(files.employees, 2)
    subject, theirs = rng.sample(_SUBJECTS, 2)
    days, later = rng.sample(range(23, 95), 2)
    words = rng.choice(
        (
            'We need a reminder on the file of {who}, subject "{subject}", due {days} days from today.',
            'Please put a reminder on file for {who}: "{subject}". It is due {days} days after today.',
        )
    )

    def put(day: date, what: str = subject, one: Employee = who) -> Errand:
        change = call("set_reminder", changes=True, employee_id=one.id, subject=what, due_on=f"{day}")
        return Errand(looked_up(one), (change,), f'the reminder "{what}" for {one.name} is due on {spoken(day)}')

    right = TODAY + timedelta(days=days)
    request, errand = words.format(who=who.name, subject=subject, days=days), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-10, -7, -4, -3, -2, -1, 1, 2, 3, 6), 5)]
    faulty = {
        "wavering_due_date": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, addressee="payroll")] * 2, rng),
        "schema_example_used": scripts([put(date.fromisoformat(EXAMPLE_DAY)).but()] * 2, rng),
    }
    why = [f"{TODAY} plus {days} days is {one}. The reminder is for {who.name}." for one in (right, others[4])]
    merged = swallowed(
        column("reminders"), request, errand, words.format(who=neighbour.name, subject=theirs, days=later),
        put(TODAY + timedelta(days=later), theirs, neighbour), rng,
    )  # fmt: skip
    return task_of(
        index, "reminders", request, errand, put(others[4]), why, faulty, files, rng, who, remade={"swallowed_row": merged}
    )  # fmt: skip


def holiday(index: int, files: Files, rng: Random) -> Task:
    """A team does not work on a feast that moves, in a year to come."""
    team, neighbour = rng.sample(files.teams, 2)
    name, year = rng.choice(tuple(FEASTS)), rng.randint(2028, 2036)
    words = rng.choice(
        (
            "In {year} the team {team} has {feast} off. Enter that day as closed for the team.",
            "The team {team} does not work on {feast} {year}; please enter that in the calendar as a day on which it is closed.",
        )
    )

    def put(day: date, one: Named = team) -> Errand:
        change = call("close_team", changes=True, team_id=one.id, day=f"{day}")
        return Errand(looked_up(one), (change,), f"{one.name} is closed on {spoken(day)} {day.year}")

    right = easter(year) + timedelta(days=FEASTS[name])
    request, errand = words.format(team=team.name, year=year, feast=name), put(right)
    others = [right + timedelta(days=off) for off in rng.sample((-35, -28, -21, -14, -7, 7, 14, 21, 28), 5)]
    faulty: dict[str, tuple[Script, ...]] = {
        "wavering_feast": scripts([put(one).but() for one in others[:4]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, paid=True)] * 2, rng),
    }
    why = [f"{name} {year} is {one}, and {team.name} is closed then." for one in (right, others[4])]
    merged = swallowed(
        column("holidays"), request, errand, words.format(team=neighbour.name, year=year, feast=name), put(right, neighbour), rng
    )  # fmt: skip
    return task_of(index, "holidays", request, errand, put(others[4]), why, faulty, files, rng, remade={"swallowed_row": merged})
