"""Errands about appointments: a follow-up some days after the last visit, a postponement, a cancellation."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random

from blade.lab.environments.clinic.errands import Errand, task_of, way_to
from blade.lab.environments.clinic.files import REASONS, TIMES, TODAY, Files, booked, next_free
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

_MAKES_ROOM = (
    "That time is taken. I'll clear it first.",
    "The time asked for is occupied, so the other entry has to go.",
    "Freeing the slot that was asked for.",
)
_CAUSES = ("client request", "animal is ill", "clinic closed")


def booking(index: int, files: Files, rng: Random) -> Task:
    """A follow-up so many days after the last visit, at a time or the next free one, and a reminder."""
    patient, vet = rng.choice(files.patients), rng.choice(files.vets)
    owner, reads = way_to(files, patient)
    days = rng.choice([one for one in range(161, 230) if one % 7 and one % 30])
    day = patient.last_visit + timedelta(days=days)
    taken = booked(vet.id, day.isoformat())
    wanted = rng.choice(tuple(taken) if rng.random() < 0.6 else TIMES[:-3])
    reason, channel, before = rng.choice(REASONS), rng.choice(("sms", "email", "phone")), rng.randint(2, 5)

    def on(day: date, at: str | None = None) -> Errand:
        at = at or next_free(vet.id, day.isoformat(), wanted)
        book = call(
            "book_appointment", changes=True, patient=patient.id, vet_id=vet.id, start=f"{day.isoformat()}T{at}", reason=reason
        )  # fmt: skip
        remind = call("set_reminder", changes=True, patient=patient.id, channel=channel, days_before=before)
        looked = (*reads, call("list_vets"), call("day_schedule", vet_id=vet.id, day=day.isoformat()))
        done = f"{patient.name} sees {vet.name} on {day.isoformat()} at {at}, and the reminder is set"
        return Errand(looked, (book, remind), done)

    errand = on(day)
    wrong = [_decisive(on(day + timedelta(days=off))) for off in rng.sample((-3, -2, -1, 1, 2, 3), 3)]
    hasty = [on(TODAY + timedelta(days=days + off)) for off in (0, 1)]
    faulty = {
        "wavering_argument": scripts(wrong, rng),
        "skipped_lookup": tuple(one.unread(rng, "get_chart") for one in hasty),
    }
    if wanted in taken:
        faulty["cleared_the_way"] = scripts([_making_room(on(day, wanted), taken[wanted], text) for text in _MAKES_ROOM], rng)
    request = rng.choice(
        (
            f"{patient.name}, {owner.name}'s {patient.species}, is to come back exactly {days} days after the last visit. Book it with {vet.name} at {wanted}, or if that is taken at the next free time that day; reason: {reason}. Then set a reminder by {channel}, {before} days ahead.",
            f"Please book {owner.name}'s {patient.species} {patient.name} with {vet.name} for {days} days after its last visit. Preferred time is {wanted}; if it isn't free, take the next free one after it on that day. Reason is {reason}. The owner wants a reminder by {channel} {before} days before.",
        )
    )  # fmt: skip
    careless = errand.but(reason=rng.choice([one for one in REASONS if one != reason]))
    told = f"Last visit {patient.last_visit.isoformat()} plus {days} days, {wanted} or the next free time; reason {{}}; reminder by {channel}, {before} days before."
    rationales = told.format(reason), told.format(careless.expected[0].arguments["reason"])
    return task_of(index, "booking", request, errand, careless, rationales, faulty, files, rng)


def _decisive(errand: Errand) -> Errand:
    return replace(errand, changes=(replace(errand.changes[0], decisive=True), *errand.changes[1:]))


def _making_room(errand: Errand, ref: str, thought: str) -> Errand:
    """Another animal's appointment is cancelled before its time is taken."""
    cancel = call("cancel_appointment", thought=thought, changes=True, decisive=True, appointment_id=ref, cause="other")
    return replace(errand, changes=(cancel, *errand.changes))


def postponement(index: int, files: Files, rng: Random) -> Task:
    """All scheduled appointments of a client, each by so many days."""
    client = rng.choice([one for one in files.clients if len(files.upcoming(one)) > 1])
    days = rng.choice([one for one in range(9, 60) if one % 7 and one % 10])
    coming = files.upcoming(client)
    reads = (call("find_client", name=client.name), call("list_appointments", client_id=client.id))

    def later(start: datetime, by: int) -> str:
        return f"{start + timedelta(days=by):%Y-%m-%dT%H:%M}"

    moves = tuple(
        call("move_appointment", changes=True, appointment_id=one.id, new_start=later(one.start, days)) for one in coming
    )
    errand = Errand(reads, moves, f"the appointments of {client.name} are {days} days later")
    offs = rng.sample((-3, -2, -1, 1, 2, 3), 3)
    faulty = {"wavering_argument": scripts([errand.but(new_start=later(coming[0].start, days + off)) for off in offs], rng)}
    request = rng.choice(
        (
            f"{client.name} will be travelling. Move every scheduled appointment of theirs to {days} days later, same time of day.",
            f"Postpone all scheduled appointments of {client.name} by {days} days and keep the times of day.",
        )
    )
    slip, careless = days + 10, errand
    for at, one in enumerate(coming):
        careless = careless.but(at, decisive=False, new_start=later(one.start, slip))
    told = "Every appointment with status scheduled moves by {} days; the hour stays."
    return task_of(index, "postponement", request, errand, careless, (told.format(days), told.format(slip)), faulty, files, rng)


def cancellation(index: int, files: Files, rng: Random) -> Task:
    """The scheduled appointment of one animal."""
    patient = rng.choice(files.patients)
    owner, found = way_to(files, patient, chart=False)
    visit = next(one for one in files.upcoming(owner) if one.patient == patient.id)
    cause = rng.choice(_CAUSES)
    reads = (*found, call("list_appointments", client_id=owner.id))
    cancel = call("cancel_appointment", changes=True, appointment_id=visit.id, cause=cause)
    errand = Errand(reads, (cancel,), f"the appointment of {patient.name} is cancelled ({cause})")
    if rng.random() < 0.5:
        send = call("send_chart", changes=True, patient=patient.id, channel=rng.choice(("email", "post")))
        errand = Errand(reads, (cancel, send), f"{patient.name}'s appointment is cancelled and the chart is on its way")
    also = f" Then send {owner.name} the chart by {errand.expected[1].arguments['channel']}." if len(errand.changes) > 1 else ""
    request = rng.choice(
        (
            f"Cancel the scheduled appointment of {patient.name} ({patient.species} of {owner.name}). Cause: {cause}.{also}",
            f"{owner.name} called about {patient.name}, their {patient.species}: please cancel the scheduled appointment, cause '{cause}'.{also}",
        )
    )
    careless = errand.but(cause=rng.choice([one for one in _CAUSES if one != cause]))
    told = f"{patient.name}'s scheduled appointment is cancelled with the cause '{{}}'.{also}"
    rationales = told.format(cause), told.format(careless.expected[0].arguments["cause"])
    return task_of(index, "cancellation", request, errand, careless, rationales, {}, files, rng)
