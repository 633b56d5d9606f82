"""The tools of a town's garage.

Lookups answer in JSON, changes with a line that begins with `OK`, and what is turned down with one that begins with `Error`. No tool
reads a VIN, a fault code or the letter on a tyre, none converts units, and none counts days.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.garage.fleet import BAYS, CODES, DEPOTS, Fleet, Vehicle, free_bays

_DAY = {"type": "string", "description": "YYYY-MM-DD"}
JOBS: Final = ("interim service", "full service", "brake check", "parts fitting")
TOOLS = (
    function("find_vehicle", "Find a vehicle by its number plate.", plate="string"),
    function("get_vehicle", "Record of a vehicle: VIN, distance since service, tyres, placard, inspection.", vehicle_id="string"),
    function("read_fault_codes", "Active codes of the on-board diagnosis of a vehicle.", vehicle_id="string"),
    function("list_jobs", "Closed work orders of a vehicle.", vehicle_id="string"),
    function("list_parts", "Parts that fit a vehicle, with part numbers and prices.", vehicle_id="string"),
    function("fuel_log", "Fills of a vehicle in the last two months.", vehicle_id="string"),
    function("bay_calendar", "Free bays of a depot on a day.", depot={"type": "string", "enum": list(DEPOTS)}, day=_DAY),
    function(
        "open_work_order",
        "Open a work order for a vehicle in a free bay of its depot.",
        ("vehicle_id", "job", "day", "bay"),
        vehicle_id="string",
        job={"type": "string", "enum": list(JOBS)},
        day=_DAY,
        bay={"type": "integer", "enum": list(BAYS)},
        priority={"type": "string", "enum": ["low", "normal", "urgent"], "default": "normal"},
    ),
    function(
        "reserve_parts",
        "Reserve one each of some parts for a vehicle. Can be called several times: parts are added to those already reserved.",
        vehicle_id="string",
        part_numbers={"type": "array", "items": {"type": "string"}},
    ),
    function(
        "set_tyre_pressure",
        "Set the pressure that the tyres of an axle are filled to.",
        vehicle_id="string",
        axle={"type": "string", "enum": ["front", "rear"]},
        kpa={"type": "integer", "description": "Kilopascals."},
    ),
    function(
        "log_fault",
        "Log a fault code under the system that it belongs to.",
        vehicle_id="string",
        code="string",
        system={"type": "string", "enum": sorted({*CODES.values()})},
    ),
    function("stand_down", "Take a vehicle out of service until a day.", vehicle_id="string", until=_DAY),
    function("add_note", "Add a note to the record of a vehicle.", vehicle_id="string", text="string"),
)
WRITES: Final = frozenset(
    ("open_work_order", "reserve_parts", "set_tyre_pressure", "log_fault", "stand_down", "add_note")
)  # fmt: skip


def refused(answer: str) -> bool:
    return answer.startswith("Error")


def _told(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Desk:
    """The tools over the fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet

    def __call__(self, made: Call) -> str:
        given = made.arguments
        if made.name == "find_vehicle":
            plate = str(given.get("plate", "")).replace(" ", "").upper()
            hits = [one for one in self.fleet.vehicles if one.plate.replace(" ", "") == plate]
            return _told([{"vehicle_id": one.id, "plate": one.plate, "model": one.model, "depot": one.depot} for one in hits])
        if made.name == "bay_calendar":
            if given.get("depot") not in DEPOTS or not _is_day(given.get("day")):
                return "Error: unknown depot or day"
            depot, day = str(given["depot"]), str(given["day"])
            return _told({"depot": depot, "day": day, "free_bays": free_bays(depot, day)})
        vehicle = self.fleet.of_id(given.get("vehicle_id"))
        if vehicle is None:
            return f"Error: no vehicle with id {given.get('vehicle_id')}"
        return _changed(made, vehicle) if made.name in WRITES else _looked_up(made.name, vehicle)


def _looked_up(tool: str, vehicle: Vehicle) -> str:
    match tool:
        case "get_vehicle":
            front, rear = vehicle.psi
            return _told(
                {
                    "vehicle_id": vehicle.id,
                    "plate": vehicle.plate,
                    "model": vehicle.model,
                    "depot": vehicle.depot,
                    "vin": vehicle.vin,
                    "km_since_service": vehicle.since_service,
                    "tyres": vehicle.tyre,
                    "placard": f"front {front} psi, rear {rear} psi",
                    "next_inspection": vehicle.inspection.isoformat(),
                }
            )
        case "read_fault_codes":
            return _told({"vehicle_id": vehicle.id, "active": [vehicle.code]})
        case "list_jobs":
            return _told(
                [
                    {"work_order": one.number, "job": one.work, "mechanic": one.mechanic, "closed": one.closed.isoformat()}
                    for one in vehicle.jobs
                ]
            )
        case "list_parts":
            return _told(
                [{"part_number": one.number, "name": one.name, "price": f"{one.cents / 100:.2f}"} for one in vehicle.parts]
            )
        case "fuel_log":
            fills = [
                {"day": one.day.isoformat(), "quantity": one.tenths / 10, "cost": f"{one.cents / 100:.2f}"}
                for one in vehicle.fills
            ]
            return _told({"vehicle_id": vehicle.id, "quantity_unit": vehicle.pump, "fills": fills})
    return f"Error: unknown tool {tool}"


def _changed(made: Call, vehicle: Vehicle) -> str:
    given = made.arguments
    for key in ("day", "until"):
        if key in given and not _is_day(given[key]):
            return f"Error: {key} must be a date in the form YYYY-MM-DD, got '{given[key]}'"
    if made.name == "open_work_order" and given.get("bay") not in free_bays(vehicle.depot, str(given["day"])):
        return f"Error: bay {given.get('bay')} at {vehicle.depot} is not free on {given['day']}"
    if made.name == "reserve_parts":
        unknown = [one for one in given.get("part_numbers", ()) if one not in {part.number for part in vehicle.parts}]
        if unknown:
            return f"Error: {', '.join(unknown)} does not fit {vehicle.id}"
    return f"OK, {made.name} recorded for {vehicle.plate} (entry {dice(*made.key).randrange(10**5, 10**6)})"


def _is_day(text: object) -> bool:
    try:
        return date.fromisoformat(str(text)).isoformat() == text
    except ValueError:
        return False
