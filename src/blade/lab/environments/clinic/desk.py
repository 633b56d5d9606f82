"""The tools at the front desk of a veterinary clinic.

They answer in JSON, and with an `error` where they turn something down. Wherever an animal is meant, its id or the number of its chip
will do. No tool explains the abbreviations in a plan, and none counts days or multiplies.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.clinic.files import REASONS, SITES, TIMES, Files, Patient, booked
from blade.lab.environments.environment import function

_PATIENT = {"type": "string", "description": "Patient id (PT-...) or the 15-digit microchip number."}
_START = {"type": "string", "description": "YYYY-MM-DDTHH:MM"}
TOOLS = (
    function("find_client", "Find clients by name.", name="string"),
    function("list_patients", "Animals of a client with their ids and microchip numbers.", client_id="string"),
    function("get_chart", "Chart of an animal: species, weight, last visit, treatment plan.", patient=_PATIENT),
    function("list_vets", "Vets of the clinic."),
    function(
        "day_schedule", "Taken and free times of a vet on a day.", vet_id="string", day={"type": "string", "format": "date"}
    ),
    function("list_appointments", "Past and scheduled appointments of a client's animals.", client_id="string"),
    function("list_invoices", "Invoices of a client, open and paid.", client_id="string"),
    function(
        "book_appointment",
        "Book an appointment at a free time.",
        patient=_PATIENT,
        vet_id="string",
        start=_START,
        reason={"type": "string", "enum": list(REASONS)},
    ),
    function("move_appointment", "Move a scheduled appointment.", appointment_id="string", new_start=_START),
    function(
        "cancel_appointment",
        "Cancel an appointment. The time becomes free.",
        appointment_id="string",
        cause={"type": "string", "enum": ["client request", "animal is ill", "clinic closed", "other"]},
    ),
    function(
        "set_reminder",
        "Remind the owner of an animal of its appointment.",
        patient=_PATIENT,
        channel={"type": "string", "enum": ["sms", "email", "phone"]},
        days_before="integer",
    ),
    function(
        "issue_prescription",
        "Issue a prescription for tablets or capsules.",
        patient=_PATIENT,
        medicine="string",
        dose_mg={"type": "number", "description": "Milligrams per dose."},
        times_per_day="integer",
    ),
    function(
        "log_treatment",
        "Log drops given at the clinic.",
        patient=_PATIENT,
        product="string",
        site={"type": "string", "enum": sorted(SITES.values())},
    ),
    function(
        "send_chart",
        "Send the chart of an animal to its owner.",
        patient=_PATIENT,
        channel={"type": "string", "enum": ["email", "post"]},
    ),
    function("add_remark", "Add a remark to a client's file.", client_id="string", text="string"),
)
WRITES: Final = frozenset(
    (
        "book_appointment", "move_appointment", "cancel_appointment", "set_reminder", "issue_prescription", "log_treatment",
        "send_chart", "add_remark",
    )
)  # fmt: skip


def refused(answer: str) -> bool:
    return answer.startswith('{"error"')


def _told(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


class Desk:
    """The tools over the files as one rollout meets them: it remembers which appointments it has shown and cancelled."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.shown = {one.id for one in files.appointments if one.status == "scheduled"}
        self.cancelled: set[str] = set()

    def __call__(self, made: Call) -> str:
        return self._changed(made) if made.name in WRITES else self._looked_up(made)

    def _looked_up(self, made: Call) -> str:
        given, files = made.arguments, self.files
        match made.name:
            case "find_client":
                wanted = str(given.get("name", "")).lower()
                hits = [one for one in files.clients if wanted in one.name.lower()]
                return _told(
                    clients=[{"client_id": one.id, "name": one.name, "phone": one.phone, "remarks": one.remarks} for one in hits]
                )
            case "list_patients":
                own = [one for one in files.patients if one.owner == given.get("client_id")]
                return _told(
                    patients=[
                        {"patient_id": one.id, "name": one.name, "species": one.species, "microchip": one.chip} for one in own
                    ]
                )
            case "get_chart":
                patient = files.named(given.get("patient"))
                return _told(error=f"no patient {given.get('patient')}") if patient is None else _chart(patient)
            case "list_vets":
                return _told(vets=[{"vet_id": one.id, "name": one.name} for one in files.vets])
            case "day_schedule":
                return self._schedule(str(given.get("vet_id")), str(given.get("day")))
            case "list_appointments":
                own_ones = [one for one in files.appointments if one.owner == given.get("client_id")]
                return _told(
                    appointments=[
                        {
                            "appointment_id": one.id,
                            "patient_id": one.patient,
                            "vet_id": one.vet,
                            "start": f"{one.start:%Y-%m-%dT%H:%M}",
                            "status": one.status,
                        }
                        for one in own_ones
                    ]
                )
            case "list_invoices":
                bills = [one for one in files.invoices if one.owner == given.get("client_id")]
                return _told(
                    invoices=[
                        {"invoice": one.number, "item": one.charge, "amount": f"{one.cents / 100:.2f}", "status": one.status}
                        for one in bills
                    ]
                )
        return _told(error=f"unknown tool {made.name}")

    def _schedule(self, vet: str, day: str) -> str:
        if vet not in {one.id for one in self.files.vets} or not _is(date, day):
            return _told(error="unknown vet or day")
        taken = {at: ref for at, ref in booked(vet, day).items() if ref not in self.cancelled}
        self.shown.update(taken.values())
        return _told(
            vet_id=vet,
            day=day,
            taken=[{"time": at, "appointment_id": ref} for at, ref in taken.items()],
            free=[at for at in TIMES if at not in taken],
        )

    def _changed(self, made: Call) -> str:
        given = made.arguments
        patient = self.files.named(given.get("patient"))
        if "patient" in given and patient is None:
            return _told(error=f"no patient {given['patient']}")
        if "appointment_id" in given and given["appointment_id"] not in self.shown:
            return _told(error=f"no appointment {given['appointment_id']}")
        if "client_id" in given and given["client_id"] not in {one.id for one in self.files.clients}:
            return _told(error=f"no client {given['client_id']}")
        if made.name in ("book_appointment", "move_appointment") and not _is(
            datetime, str(given.get("start", given.get("new_start")))
        ):
            return _told(error="not a time")
        if made.name == "book_appointment":
            day, _, at = str(given["start"]).partition("T")
            if booked(str(given["vet_id"]), day).get(at, "") not in (*self.cancelled, ""):
                return _told(error=f"{given['vet_id']} is not free at {at} on {day}")
        if made.name == "cancel_appointment":
            self.cancelled.add(str(given["appointment_id"]))
        about = {} if patient is None else {"patient_id": patient.id, "patient": patient.name}
        return _told(status="ok", confirmation=f"LF{dice(*made.key).randrange(10**5, 10**6)}", **about)


def _is(kind: type[date], text: str) -> bool:
    try:
        kind.fromisoformat(text)
    except ValueError:
        return False
    return True


def _chart(one: Patient) -> str:
    return _told(
        patient_id=one.id,
        name=one.name,
        species=one.species,
        weight=f"{one.tenths / 10:.1f} {one.unit}",
        last_visit=one.last_visit.isoformat(),
        plan=one.plan,
    )
