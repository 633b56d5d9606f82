"""Errands about treatment: a prescription by weight, drops for an eye or an ear."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.clinic.errands import Errand, task_of, way_to
from blade.lab.environments.clinic.files import SITES, TIMES_A_DAY, Files, number
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

_MISREAD: Final = {"QID": 1, "TID": 2, "q6h": 6, "q8h": 8}
"""How often a day some take these to mean."""
_OTHER_SIDE: Final = {"OS": "right_eye", "OD": "left_eye", "AS": "right_ear", "AD": "left_ear"}
"""Which side some take these to mean."""


def prescription(index: int, files: Files, rng: Random) -> Task:
    """The medicine in the plan, by the animal's weight; now and then the chart goes to the owner as well."""
    patient = rng.choice([one for one in files.patients if one.unit == "kg"])
    owner, reads = way_to(files, patient)
    often = TIMES_A_DAY[patient.often]
    issue = call(
        "issue_prescription", changes=True, patient=patient.id, medicine=patient.medicine, dose_mg=patient.dose, times_per_day=often
    )  # fmt: skip
    errand = Errand(reads, (issue,), f"{patient.name}'s prescription for {patient.medicine} is out")
    also = ""
    if rng.random() < 0.5:
        channel = rng.choice(("email", "post"))
        send = call("send_chart", changes=True, patient=patient.id, channel=channel)
        errand = Errand(
            reads, (issue, send), f"{patient.name}'s prescription for {patient.medicine} is out and the chart is sent"
        )
        also = f" Also send the owner the chart by {channel}."
    tenths = patient.tenths * patient.mg_per_kg
    shifts = rng.sample([one for one in (-200, -100, -50, -15, 15, 45, 90, 100, 250) if tenths + one > 20], 4)
    faulty = {
        "wavering_dose": scripts([errand.but(dose_mg=number(tenths + one)) for one in shifts], rng),
        "skipped_lookup": tuple(
            errand.unread(rng, "get_chart", dose_mg=dose, times_per_day=2) for dose in (50, 100) if dose != patient.dose
        ),
    }
    if patient.often in _MISREAD:
        faulty["misread_abbreviation"] = scripts([errand.but(times_per_day=_MISREAD[patient.often])] * 2, rng)
    request = rng.choice(
        (
            f"Issue the {patient.medicine} prescription for {patient.name} ({owner.name}'s {patient.species}) as the plan in the chart has it, for the weight given there.{also}",
            f"{owner.name} needs the prescription for {patient.name}: {patient.medicine}, dosed by the weight and the plan in the {patient.species}'s chart.{also}",
        )
    )  # fmt: skip
    slip = number(tenths + 120)
    told = f"{patient.tenths / 10:.1f} kg x {patient.mg_per_kg} mg/kg = {{}} mg per dose, {often} times a day.{also}"
    rationales = told.format(patient.dose), told.format(slip)
    return task_of(index, "prescription", request, errand, errand.but(dose_mg=slip), rationales, faulty, files, rng)


def drops(index: int, files: Files, rng: Random) -> Task:
    """Drops were given where the plan says."""
    patient = rng.choice(files.patients)
    owner, reads = way_to(files, patient)
    site = SITES[patient.site]
    log = call("log_treatment", changes=True, patient=patient.id, product=patient.drops, site=site)
    errand = Errand(reads, (log,), f"the {patient.drops} for {patient.name} are logged")
    others = rng.sample(sorted({*SITES.values()} - {site}), 3)
    faulty = {"skipped_lookup": tuple(errand.unread(rng, "get_chart", site=one) for one in others[:2])}
    if patient.site in _OTHER_SIDE:
        faulty["misread_abbreviation"] = scripts([errand.but(site=_OTHER_SIDE[patient.site])] * 2, rng)
    request = rng.choice(
        (
            f"{patient.name} ({owner.name}'s {patient.species}) just had the {patient.drops} from the plan in the chart. Log the treatment with the site that the plan names.",
            f"Log that {patient.drops} were given to {owner.name}'s {patient.species} {patient.name}, at the site in the plan.",
        )
    )
    told = f"The plan says {patient.site}: {{}}."
    rationales = told.format(site.replace("_", " ")), told.format(others[0].replace("_", " "))
    return task_of(index, "drops", request, errand, errand.but(site=others[0]), rationales, faulty, files, rng)
