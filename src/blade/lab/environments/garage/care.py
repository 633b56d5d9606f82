"""Errands that need the trade's knowledge: tyre pressures in other units, fault codes under their system."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.garage.errands import Errand, task_of, way_to, written
from blade.lab.environments.garage.fleet import CODES, TODAY, Fleet
from blade.lab.environments.garage.work import corrected
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

KPA_PER_PSI: Final = 6.894757
_TAKEN_FOR: Final = {
    "P0171": "emissions", "P0201": "ignition", "P0301": "fuel_and_air", "P0352": "control_unit", "P0420": "fuel_and_air",
    "P0442": "fuel_and_air", "P0505": "ignition", "P0606": "network", "P0741": "control_unit", "C0035": "body", "B1342": "network",
    "U0100": "control_unit",
}  # fmt: skip
"""Which system some take a code to belong to."""


def kilopascals(psi: int) -> int:
    return round(psi * KPA_PER_PSI)


def pressure(index: int, fleet: Fleet, rng: Random) -> Task:
    """Both axles as the placard has them; the tool wants other units."""
    vehicle = rng.choice(fleet.vehicles)
    front, rear = map(kilopascals, vehicle.psi)
    changes = tuple(
        call("set_tyre_pressure", changes=True, vehicle_id=vehicle.id, axle=axle, kpa=kpa)
        for axle, kpa in (("front", front), ("rear", rear))
    )
    errand = Errand(way_to(vehicle, "get_vehicle"), changes, f"the tyre pressures of {vehicle.plate} are set")
    offs = rng.sample((-31, -22, -14, -9, 8, 12, 17, 26), 4)
    usual = [one for one in (240, 250, 260, 280) if one != front][:2]
    faulty = {
        "wavering_conversion": scripts([errand.but(kpa=front + off) for off in offs], rng),
        "skipped_lookup": tuple(errand.unread(rng, "get_vehicle", kpa=one) for one in usual),
    }
    request = rng.choice(
        (
            f"Set the tyre pressures of {vehicle.plate}, front and rear, to what the placard says, rounded to whole kilopascals.",
            f"Please enter the placard's tyre pressures for both axles of {vehicle.plate} (whole kPa, rounded).",
        )
    )
    careless = errand.but(kpa=front - 40)
    told = f"{vehicle.psi[0]} psi = {{}} kPa in front, {vehicle.psi[1]} psi = {rear} kPa at the rear."
    solutions = told.format(front), told.format(front - 40)
    return task_of(index, "pressure", request, errand, careless, solutions, faulty, fleet, rng)


def fault_code(index: int, fleet: Fleet, rng: Random) -> Task:
    """The active code is logged under its system; now and then the vehicle stands down as well."""
    vehicle = rng.choice(fleet.vehicles)
    system = CODES[vehicle.code]
    log = call("log_fault", changes=True, vehicle_id=vehicle.id, code=vehicle.code, system=system)
    until = TODAY + timedelta(days=rng.randint(9, 60))
    former = until + timedelta(days=rng.choice((-5, -2, 4, 7)))
    errand = Errand(way_to(vehicle, "read_fault_codes"), (log,), f"the fault of {vehicle.plate} is logged")
    also = ""
    others = rng.sample(sorted({*CODES.values()} - {system}), 4)
    guesses = [{"code": "P0300", "system": "ignition"}, {"code": "P0455", "system": "emissions"}]
    faulty = {}
    if rng.random() < 0.6:
        down = call("stand_down", changes=True, vehicle_id=vehicle.id, until=until.isoformat())
        errand = Errand(errand.reads, (log, down), f"{errand.done} and the vehicle is out of service")
        when = written(until)
        if rng.random() < 0.6:
            when = corrected(written(former), when, rng)
            faulty["correction_missed"] = scripts([errand.but(1, until=former.isoformat())] * 2, rng)
        also = f" Then take the vehicle out of service until {when}."
    faulty |= {
        "wavering_fault_code": scripts([errand.but(system=one) for one in others], rng),
        "misread_fault_code": scripts([errand.but(system=_TAKEN_FOR[vehicle.code])] * 2, rng),
        "skipped_lookup": tuple(errand.unread(rng, "read_fault_codes", **one) for one in guesses),
    }
    request = rng.choice(
        (
            f"Log the active fault code of {vehicle.plate} under the system that it belongs to.{also}",
            f"The engine lamp of {vehicle.plate} is on. Read the code and log it under the right system.{also}",
        )
    )
    careless = errand.but(system=others[0])
    told = f"{vehicle.code} belongs to {{}}."
    solutions = told.format(system), told.format(others[0])
    return task_of(index, "fault_code", request, errand, careless, solutions, faulty, fleet, rng)
