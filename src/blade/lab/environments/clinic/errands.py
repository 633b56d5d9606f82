"""How errands at the clinic's front desk go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.clinic.faults import spoilt_golds
from blade.lab.environments.clinic.files import TODAY, Client, Files, Patient
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = (
    f"You are the front-desk assistant of Larkfield Veterinary Clinic. Today is {TODAY:%A}, {TODAY.isoformat()}. Do what each message asks "
    "with the tools you have. You work alone: do not wait for a confirmation, and change nothing beyond what is asked. If the message is "
    "a question, close with a line that reads 'Final answer: <answer>'."
)
_STILL_LOOKING = (
    "Let me look at a few more files before I do anything.",
    "Perhaps there is more to find elsewhere.",
    "I want to be thorough and see the other records too.",
)


class Errand(stage.Errand):
    closings = (
        "All done: {what}.",
        "{What}.",
        "That is taken care of. {What}.",
        "Done, {what}.",
        "{What}. Let me know if anything else comes up.",
    )
    skips = (
        "I have what I need for this.",
        "No need to open the chart for that.",
        "This can be entered right away.",
    )


def gold_of(kind: str, rationale: str, calls: Sequence[Call] = (), answer: str | None = None, options: Row | None = None) -> Row:
    """The dataset's fields."""
    return {
        "task_type": kind,
        "target_actions": [{"tool": one.name, "arguments": dict(one.arguments)} for one in calls],
        "target_answer": answer,
        "options": options,
        "rationale": rationale,
    }


def task_of(
    index: int, kind: str, request: str, errand: Errand, careless: Errand, rationales: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], files: Files, rng: Random,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that all errands share; `careless` is what a careless annotator expects."""
    gold = gold_of(kind, rationales[0], errand.expected)
    other = gold_of(kind, rationales[1], careless.expected)
    return Task(
        index, kind, SYSTEM, request, scripts([errand] * 3, rng), gold, _shared(errand, files, rng) | faulty, elsewhere(files, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold={**other, "rationale": rationales[0]},
        facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def _shared(errand: Errand, files: Files, rng: Random) -> dict[str, tuple[Script, ...]]:
    faults = {"endless_search": tuple(_searching(errand, files, rng) for _ in range(3))}
    if len(errand.changes) > 1:
        faults["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    patients = [one for one in files.patients if one.id == errand.expected[0].arguments.get("patient")]
    if patients:
        by_chip = errand
        for at, change in enumerate(errand.expected):
            if "patient" in change.arguments:
                by_chip = by_chip.but(at, decisive=False, patient=patients[0].chip)
        faults["alias_identifier"] = scripts([by_chip] * 2, rng)
    return faults


def _searching(errand: Errand, files: Files, rng: Random) -> Script:
    """One file after another is opened, each for the first time, until the steps run out."""
    clients = rng.sample(files.clients, 5)
    looks = [call("find_client", decisive=True, name=one.name) for one in clients[:2]]
    for client in clients:
        looks.append(call("list_patients", decisive=True, client_id=client.id))
        looks += [call("get_chart", decisive=True, patient=one.id) for one in files.patients_of(client)]
    looks += [call("list_invoices", decisive=True, client_id=client.id) for client in clients[:2]]
    first, *rest = looks[: rng.randint(9, len(looks))]
    return (*errand.reads, replace(first, thought=rng.choice(_STILL_LOOKING)), *rest)


def elsewhere(files: Files, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm."""
    other = rng.choice(files.clients)
    return (
        Call("find_client", {"name": other.name}),
        Call("list_patients", {"client_id": other.id}),
        Call("list_vets", {}),
    )


def way_to(files: Files, patient: Patient, chart: bool = True) -> tuple[Client, Script]:
    """The owner of an animal, and how its file is found."""
    owner = files.owner_of(patient)
    reads = (call("find_client", name=owner.name), call("list_patients", client_id=owner.id))
    return owner, (*reads, call("get_chart", patient=patient.id)) if chart else reads
