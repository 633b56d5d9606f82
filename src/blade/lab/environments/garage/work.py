"""Errands about work orders and vehicles out of service: a service by distance, a brake check, parts to be fitted, a list to stand down."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.garage.errands import Errand, task_of, way_to, written
from blade.lab.environments.garage.fleet import TODAY, Fleet, Vehicle, free_bays
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Script, Task, call

_CORRECTIONS: Final = ("{old}, no, make that {new}", "{old} (correction: {new})", "{old}. Sorry, I mean {new}")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def _order(vehicle: Vehicle, job: str, day: date, bay: int) -> Script:
    return (call("open_work_order", changes=True, vehicle_id=vehicle.id, job=job, day=day.isoformat(), bay=bay),)


def _calendar(vehicle: Vehicle, day: date) -> Script:
    return (call("bay_calendar", depot=vehicle.depot, day=day.isoformat()),)


def service(index: int, fleet: Fleet, rng: Random) -> Task:
    """A full service or an interim one, by the distance since the last; now and then the bay is put right in the same breath."""
    vehicle = rng.choice(fleet.vehicles)
    day = TODAY + timedelta(days=rng.randint(5, 40))
    bay, former = rng.sample(free_bays(vehicle.depot, day.isoformat()), 2)
    limit = vehicle.since_service // 1_000 * 1_000 + rng.choice((-3_000, -1_000, 2_000, 4_000))
    jobs = ("full service", "interim service") if vehicle.since_service > limit else ("interim service", "full service")
    reads = (*way_to(vehicle, "get_vehicle"), *_calendar(vehicle, day))
    done = f"the work order for {vehicle.plate} on {written(day)} is open"
    errand = Errand(reads, _order(vehicle, jobs[0], day, bay), done)
    faulty = {"condition_unchecked": tuple(errand.unread(rng, "get_vehicle", job=jobs[1]) for _ in range(2))}
    where = f"bay {bay}"
    if rng.random() < 0.5:
        where = corrected(f"bay {former}", f"bay {bay}", rng)
        faulty["correction_missed"] = scripts([errand.but(bay=former)] * 2, rng)
    request = rng.choice(
        (
            f"Open a work order for {vehicle.plate} on {written(day)}: a full service if it has done more than {limit} km since the last service, otherwise an interim service. Put it in {where}.",
            f"{vehicle.plate} is due in the workshop on {written(day)}. If more than {limit} km have been driven since the last service it gets a full service, else an interim one. Open the work order in {where}.",
        )
    )  # fmt: skip
    compared = "over" if jobs[0] == "full service" else "not over"
    told = f"{vehicle.since_service} km since the last service is {compared} {limit} km: {{}} in bay {bay}."
    careless = errand.but(job=jobs[1])
    return task_of(index, "service", request, errand, careless, (told.format(jobs[0]), told.format(jobs[1])), faulty, fleet, rng)


def brake_check(index: int, fleet: Fleet, rng: Random) -> Task:
    """So many days after the inspection, with a note in the record."""
    vehicle = rng.choice(fleet.vehicles)
    days = rng.choice([one for one in range(33, 140) if one % 7 and one % 30])
    day = vehicle.inspection + timedelta(days=days)
    bay = rng.choice(free_bays(vehicle.depot, day.isoformat()))

    def is_free(day: date) -> bool:
        return bay in free_bays(vehicle.depot, day.isoformat())

    def on(day: date) -> Errand:
        note = call("add_note", changes=True, vehicle_id=vehicle.id, text="brake check booked")
        reads = (*way_to(vehicle, "get_vehicle"), *_calendar(vehicle, day))
        done = f"{vehicle.plate} has its brake check on {written(day)}, and the note is in the record"
        return Errand(reads, (*_order(vehicle, "brake check", day, bay), note), done)

    errand = on(day)
    near = [one for off in (-4, -3, -2, -1, 1, 2, 3, 4) if is_free(one := day + timedelta(days=off))]
    hasty = next(one for off in range(60) if is_free(one := TODAY + timedelta(days=days + off)))
    faulty = {
        "wavering_argument": scripts([_decisive(on(one)) for one in rng.sample(near, min(4, len(near)))], rng),
        "skipped_lookup": tuple(on(hasty).unread(rng, "get_vehicle") for _ in range(2)),
    }
    request = rng.choice(
        (
            f"Open a work order for a brake check of {vehicle.plate} exactly {days} days after its next inspection, in bay {bay}, and add the note 'brake check booked' to its record.",
            f"{vehicle.plate} needs a brake check {days} days after the date of its next inspection. Open the work order in bay {bay}. Then note 'brake check booked' in the vehicle's record.",
        )
    )  # fmt: skip
    careless = errand.but(job="interim service")
    told = (
        f"Next inspection {vehicle.inspection.isoformat()} plus {days} days is {day.isoformat()}; {{}} in bay {bay}, and a note."
    )
    solutions = told.format("brake check"), told.format("interim service")
    return task_of(index, "brake_check", request, errand, careless, solutions, faulty, fleet, rng)


def _decisive(errand: Errand) -> Errand:
    return replace(errand, changes=(replace(errand.changes[0], decisive=True), *errand.changes[1:]))


def fitting(index: int, fleet: Fleet, rng: Random) -> Task:
    """The parts on a list are reserved, and a work order is opened to fit them."""
    vehicle = rng.choice(fleet.vehicles)
    day = TODAY + timedelta(days=rng.randint(5, 40))
    bay = rng.choice(free_bays(vehicle.depot, day.isoformat()))
    wanted = rng.sample(vehicle.parts, rng.randint(2, 4))
    numbers = [one.number for one in wanted]
    reads = (*way_to(vehicle, "list_parts"), *_calendar(vehicle, day))
    reserve = call("reserve_parts", changes=True, vehicle_id=vehicle.id, part_numbers=numbers)
    done = f"{len(wanted)} parts are reserved for {vehicle.plate} and will be fitted on {written(day)}"
    errand = Errand(reads, (reserve, *_order(vehicle, "parts fitting", day, bay)), done)
    cuts = sorted({1, len(numbers) - 1, len(numbers)})
    faulty = {"split_call": scripts([_split(errand, numbers, at) for at in cuts], rng)}
    request = rng.choice(
        (
            f"Reserve the parts on the list below for {vehicle.plate} and open a work order for parts fitting on {written(day)} in bay {bay}.",
            f"For {vehicle.plate}: reserve one each of the parts listed below, then open a work order (parts fitting) for {written(day)}, bay {bay}.",
        )
    )
    spare = next(one for one in vehicle.parts if one not in wanted)
    careless = errand.but(part_numbers=[*numbers[:-1], spare.number])
    told = f"Reserved for {vehicle.id}: {{}}. Work order on {day.isoformat()} in bay {bay}."
    solutions = told.format(", ".join(numbers)), told.format(", ".join([*numbers[:-1], spare.number]))
    listed = "\n".join(f"- {one.name}" for one in wanted)
    return task_of(
        index, "fitting", f"{request}\n\n{listed}", errand, careless, solutions, faulty, fleet, rng, unattached=request
    )  # fmt: skip


def _split(errand: Errand, numbers: list[str], at: int) -> Errand:
    """The same parts in two calls, or in one call for each."""
    portions = [numbers[:at], numbers[at:]] if at < len(numbers) else [[one] for one in numbers]
    first = made(errand.changes[0])
    calls = [replace(first, arguments={**first.arguments, "part_numbers": portion}) for portion in portions]
    return replace(errand, changes=(*(replace(errand.changes[0], call=one) for one in calls), *errand.changes[1:]))


def stand_down(index: int, fleet: Fleet, rng: Random) -> Task:
    """All vehicles on a list are out of service until a day, which is now and then put right in the same breath."""
    vehicles = rng.sample(fleet.vehicles, rng.randint(2, 4))
    until = TODAY + timedelta(days=rng.randint(9, 60))
    former = until + timedelta(days=rng.choice((-5, -2, 4, 7)))
    reads = tuple(move for one in vehicles for move in way_to(one))

    def down(day: date) -> Errand:
        changes = tuple(call("stand_down", changes=True, vehicle_id=one.id, until=day.isoformat()) for one in vehicles)
        return Errand(reads, changes, f"{len(vehicles)} vehicles are out of service until {written(day)}")

    errand = down(until)
    faulty: dict[str, tuple[Script, ...]] = {}
    when = written(until)
    if rng.random() < 0.5:
        when = corrected(written(former), written(until), rng)
        faulty["correction_missed"] = scripts([_decisive(down(former))] * 2, rng)
    request = rng.choice(
        (
            f"Take the vehicles on the attached list out of service until {when}.",
            f"The vehicles in the attachment are to stand down until {when}. Please enter that for each of them.",
        )
    )
    slip = until + timedelta(days=10)
    told = "{} stand down until {}."
    solutions = tuple(told.format(", ".join(one.id for one in vehicles), day.isoformat()) for day in (until, slip))
    listed = "Attachment:\n" + "\n".join(one.plate for one in vehicles)
    return task_of(
        index, "stand_down", f"{request}\n\n{listed}", errand, down(slip), (solutions[0], solutions[1]), faulty, fleet, rng,
        unattached=request,
    )  # fmt: skip
