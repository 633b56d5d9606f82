"""How errands at the clinic's front desk go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from blade.lab.desk import Call
from blade.lab.environments.clinic_faults import spoilt_golds
from blade.lab.environments.clinic_files import TODAY, Client, Files, Patient
from blade.lab.stage.script import Move, Row, Script, Task, call, say

SYSTEM: Final = (
    f"You are the front-desk assistant of Larkfield Veterinary Clinic. Today is {TODAY:%A}, {TODAY.isoformat()}. Do what each message asks "
    "with the tools you have. You work alone: do not wait for a confirmation, and change nothing beyond what is asked. If the message is "
    "a question, close with a line that reads 'Final answer: <answer>'."
)
_CLOSINGS = (
    "All done: {what}.",
    "{What}.",
    "That is taken care of. {What}.",
    "Done, {what}.",
    "{What}. Let me know if anything else comes up.",
)
_STILL_LOOKING = (
    "Let me look at a few more files before I do anything.",
    "Perhaps there is more to find elsewhere.",
    "I want to be thorough and see the other records too.",
)
_OLD_HABIT = (
    "I have what I need for this.",
    "No need to open the chart for that.",
    "This can be entered right away.",
)


@dataclass(frozen=True)
class Errand:
    """What is looked up, what is changed, and what is said about it afterwards."""

    reads: Script
    changes: Script
    done: str

    @property
    def expected(self) -> list[Call]:
        return [made(move) for move in self.changes]

    def script(self, rng: Random) -> Script:
        what = self.done
        return (*self.reads, *self.changes, say(rng.choice(_CLOSINGS).format(what=what, What=what[0].upper() + what[1:])))

    def but(self, at: int = 0, decisive: bool = True, **arguments: Any) -> Errand:
        """The errand with other values in one of its changes."""
        changed = self.changes[at]
        wrong = replace(made(changed), arguments={**made(changed).arguments, **arguments})
        moves = (*self.changes[:at], replace(changed, call=wrong, decisive=decisive), *self.changes[at + 1 :])
        return replace(self, changes=moves)

    def without_the_chart(self, rng: Random, /, **arguments: Any) -> Script:
        """The errand by an agent that never opened the chart and put something plausible in place of what it says."""
        wrong = self.but(**arguments)
        reads = tuple(move for move in self.reads if made(move).name != "get_chart")
        first = replace(wrong.changes[0], thought=rng.choice(_OLD_HABIT))
        return replace(wrong, reads=reads, changes=(first, *wrong.changes[1:])).script(rng)


def made(move: Move) -> Call:
    assert move.call is not None
    return move.call


def scripts(errands: Iterable[Errand], rng: Random) -> tuple[Script, ...]:
    return tuple(errand.script(rng) for errand in errands)


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
        *kept, last = errand.changes[:-1]
        short = replace(errand, changes=(*kept, replace(last, decisive=True)))
        faults["partial_update"] = scripts([short] * 2, rng)
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
