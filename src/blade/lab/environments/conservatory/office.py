"""Errands about people and money: trial lessons, lessons that end, tests, coaches, charges, and money that is paid back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.conservatory.desk import EXAMPLE_DAY
from blade.lab.environments.conservatory.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.conservatory.roll import TEST_PARTS, TODAY, Lesson, Roll, Teacher, euros, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

_COSTS: Final = ("sheet music", "a broken bow", "the summer course", "room hire", "accompaniment")
_PAID: Final = ("the cancelled workshop", "a lesson that fell through", "the instrument deposit", "the choir weekend")


def trial(index: int, roll: Roll, rng: Random) -> Task:
    """A trial lesson, whose day is mostly put right in the same breath."""
    who, teacher = rng.choice(roll.pupils), rng.choice(roll.teachers)
    day = TODAY + timedelta(days=rng.randint(4, 36))
    former = day + timedelta(days=rng.choice((-2, -1, 3, 7)))

    def booked(on: str, said: str = f"{who.name} ({who.id})") -> Errand:
        reads = (*looked_up(who), call("ROSTER_FIND_TEACHER", full_name=teacher.name))
        change = call("TIMETABLE_BOOK_TRIAL", changes=True, pupil=who.id, teacher=teacher.id, day=on)
        when = spoken(date.fromisoformat(on))
        return Errand(reads, (change,), f"{said} has a trial lesson with {teacher.name} on {when}")

    errand, named = booked(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, minutes=30)] * 2, rng),
        "schema_example_used": scripts([booked(EXAMPLE_DAY).but()] * 2, rng),
        "unstated_mention": scripts([booked(f"{day}", who.name)] * 3, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([booked(f"{former}").but()] * 2, rng)
    request = rng.choice(
        (
            f"A trial lesson for {who.name}, please, with {teacher.name}. The day: {named}.",
            f"{teacher.name} will give {who.name} a trial lesson on {named}. Book it.",
        )
    )
    why = [f"{who.name} is taught by {teacher.name} on {one}" for one in (day, former)]
    return task_of(index, "trial lesson", request, errand, booked(f"{former}"), why, faulty, roll, rng, who, mention=who.id)


def ended(index: int, roll: Roll, rng: Random) -> Task:
    """All lessons of a pupil but for one end."""
    who = rng.choice(roll.pupils)
    lessons = roll.lessons_of(who.id)
    kept = rng.choice(lessons)

    def stopped(some: Sequence[Lesson]) -> Errand:
        reads = (*looked_up(who), call("TIMETABLE_LIST_LESSONS", pupil=who.id))
        moves = tuple(call("TIMETABLE_END_LESSON", changes=True, lesson=one.id) for one in some)
        return Errand(reads, moves, f"{len(some)} lessons of {who.name} have ended")

    wanted = [one for one in lessons if one is not kept]
    request = rng.choice(
        (
            f"{who.name} has too much to do at school and gives up all weekly lessons except {kept.subject}. Take them out of the timetable.",
            f"Please end the weekly lessons of {who.name}, every one of them but {kept.subject}.",
        )
    )
    faulty = {"exception_overlooked": scripts([stopped(lessons).but(lessons.index(kept))] * 2, rng)}
    slip = [one for one in lessons if one is not wanted[0]]
    why = [f"{who.name} goes on with {one.subject} alone" for one in (kept, wanted[0])]
    return task_of(index, "lessons end", request, stopped(wanted), stopped(slip), why, faulty, roll, rng, who)


def test(index: int, roll: Roll, rng: Random) -> Task:
    """The parts on a list make up a test, which is opened."""
    who, wanted = rng.choice(roll.pupils), rng.sample(TEST_PARTS, rng.randint(3, 4))

    def opened(parts: Sequence[str]) -> Errand:
        moves = (
            call("TESTS_SET_PARTS", changes=True, pupil=who.id, parts=list(parts)),
            call("TESTS_SET_STATE", changes=True, pupil=who.id, state="open"),
        )
        return Errand(looked_up(who), moves, f"the test of {who.name} is open and has {len(parts)} parts")

    faulty = {
        "set_as_list": scripts(map(opened, rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)), rng)
    }
    request = rng.choice(
        (
            f"{who.name} sits a test made up of the parts in the list below. Enter them and then open the test.",
            f"Below is the list of parts for the test of {who.name}. Set them, after that set the test to open.",
        )
    )
    slip = [*wanted[:-1], next(one for one in TEST_PARTS if one not in wanted)]
    why = [f"{who.name}: {', '.join(one)}; test open" for one in (wanted, slip)]
    lines = "\n".join(f"~ {one}" for one in wanted)
    return task_of(
        index, "test", f"{request}\n{lines}", opened(wanted), opened(slip), why, faulty, roll, rng, who, unattached=request
    )


def coach(index: int, roll: Roll, rng: Random) -> Task:
    """One teacher if the week leaves room, otherwise another one."""
    ensemble, first = rng.choice(roll.ensembles), rng.choice(roll.teachers)
    second = rng.choice([one for one in roll.teachers if one.department == first.department and one is not first])
    limit = first.hours + rng.choice((-3, -2, -2, -1, -1, -1, -1, -1, 0))

    def led(one: Teacher) -> Errand:
        reads = (
            call("STAGE_FIND_ENSEMBLE", ensemble_name=ensemble.name),
            call("ROSTER_LIST_DEPARTMENT", department=first.department),
        )
        change = call("STAGE_SET_COACH", changes=True, ensemble=ensemble.id, teacher=one.id)
        return Errand(reads, (change,), f"{one.name} coaches the {ensemble.name}")

    right, wrong = (first, second) if first.hours <= limit else (second, first)
    faulty = {"condition_unchecked": tuple(led(first).unread(rng, "ROSTER_LIST_DEPARTMENT") for _ in range(2))}
    request = rng.choice(
        (
            f"The {ensemble.name} needs a coach: {first.name} ({first.id}) if the list of the {first.department} department has no more than {limit} weekly hours there, otherwise {second.name} ({second.id}).",
            f"Make {first.name} ({first.id}) coach of the {ensemble.name}, but only with {limit} hours a week or less in the {first.department} list; with more than that, {second.name} ({second.id}) does it.",
        )
    )  # fmt: skip
    why = [
        f"{first.name} teaches {first.hours} hours, limit {limit}: {one.name} coaches the {ensemble.name}"
        for one in (right, wrong)
    ]
    return task_of(
        index, "coach", request, led(right), led(wrong), why, faulty if wrong is first else {}, roll, rng
    )  # fmt: skip


def charges(index: int, roll: Roll, rng: Random) -> Task:
    """Two pupils are charged, each with an amount of its own."""
    one, other = rng.sample(roll.pupils, 2)
    reason, (less, more) = rng.choice(_COSTS), sorted(rng.sample([quarter / 4 for quarter in range(41, 230, 3)], 2))

    def charged(first: float, second: float) -> Errand:
        moves = tuple(
            call("BILLING_ADD_CHARGE", changes=True, pupil=who.id, reason=reason, euros=amount)
            for who, amount in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), moves, f"{one.name} and {other.name} are charged for {reason}")

    request = rng.choice(
        (
            f'For "{reason}" {one.name} owes us {euros(less)} and {other.name} {euros(more)}. Charge them.',
            f'Add a charge for {one.name} ({euros(less)}) and one for {other.name} ({euros(more)}), reason "{reason}" for both.',
        )
    )
    faulty = {"value_carried_over": scripts([charged(less, less).but(1)] * 2, rng)}
    why = [f"{reason}: {less:.2f} from {one.name}, {last:.2f} from {other.name}" for last in (more, more + 4)]
    return task_of(index, "charges", request, charged(less, more), charged(less, more + 4), why, faulty, roll, rng)


def refund(index: int, roll: Roll, rng: Random) -> Task:
    """Money goes back to a pupil."""
    who, reason, amount = rng.choice(roll.pupils), rng.choice(_PAID), rng.randrange(1_150, 9_900, 35) / 100

    def paid(sum_: float, said: str = f"{who.name} ({who.id})") -> Errand:
        change = call("BILLING_PAY_BACK", changes=True, pupil=who.id, reason=reason, euros=sum_)
        return Errand(looked_up(who), (change,), f"{said} gets {euros(sum_)} back for {reason}")

    request = rng.choice(
        (
            f'{who.name} paid {euros(amount)} for "{reason}" and gets all of it back. Please see to that.',
            f'Pay back to {who.name} what "{reason}" cost, {euros(amount)}.',
        )
    )
    faulty = {
        "default_spelled_out": scripts([paid(amount).but(decisive=False, by="transfer")] * 2, rng),
        "unstated_mention": scripts([paid(amount, who.name)] * 3, rng),
    }
    why = [f"{who.name} is paid back {one:.2f} for {reason}" for one in (amount, amount + 10)]
    return task_of(
        index, "refund", request, paid(amount), paid(round(amount + 10, 2)), why, faulty, roll, rng, who, mention=who.id
    )
