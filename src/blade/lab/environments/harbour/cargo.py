"""Errands on the quay: dangerous goods are declared, consignments released, cranes stopped by the wind."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.harbour.errands import Errand, coming_call, task_of
from blade.lab.environments.harbour.register import HAZARDS, Register
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

_TAKEN_FOR: Final = {
    "2.1": "3", "2.2": "2.1", "2.3": "6.1", "3": "2.1", "4.1": "9", "4.2": "4.1", "4.3": "4.1", "5.1": "8", "5.2": "5.1",
    "6.1": "3", "8": "6.1", "9": "8",
}  # fmt: skip
FORCES: Final = {5: 17, 6: 22, 7: 28, 8: 34, 9: 41, 10: 48}
"""Where a force of the Beaufort scale begins, in knots."""


def declaration(index: int, register: Register, rng: Random) -> Task:
    """Dangerous goods are declared by what their UN number stands for, which no tool says."""
    vessel = rng.choice(register.vessels)
    port_call, reads = coming_call(register, vessel)
    goods = next(one for one in register.manifest(port_call.ref) if one.un is not None)
    right = HAZARDS[str(goods.un)]
    declared = call("cargo-declare", changes=True, bl=goods.bl, imdg_class=right)
    looked = (*reads, call("manifest-of", call=port_call.ref))
    errand = Errand(looked, (declared,), f"the dangerous goods on {vessel.name} are declared", vessel.name)
    wrong = rng.sample(sorted({*HAZARDS.values()} - {right}), 4)
    faulty = {
        "wrong_hazard_class": scripts([errand.but(imdg_class=_TAKEN_FOR[right])] * 2, rng),
        "wavering_hazard_class": scripts([errand.but(imdg_class=one) for one in wrong], rng),
        "wavering_argument": scripts([errand.but(imdg_class=one) for one in wrong[:2]], rng),
    }
    request = rng.choice(
        (
            f"Declare the dangerous goods that {vessel.name} brings on its expected call under their IMDG class.",
            f"The expected call of {vessel.name} has a consignment with a UN number. Declare it under the IMDG class that goes with it.",
        )
    )
    return task_of(index, "declaration/1", request, errand, {"vessel": vessel.name}, faulty, register, rng)


def release(index: int, register: Register, rng: Random) -> Task:
    """All that one consignee gets from a call."""
    vessel = rng.choice(register.vessels)
    port_call, reads = coming_call(register, vessel)
    manifest = register.manifest(port_call.ref)
    owner = manifest[0].consignee
    mine = [one for one in manifest if one.consignee == owner]
    released = tuple(call("cargo-release", changes=True, bl=one.bl, consignee=owner) for one in mine)
    looked = (*reads, call("manifest-of", call=port_call.ref))
    errand = Errand(looked, released, f"{owner} can collect {len(mine)} consignments from {vessel.name}", vessel.name)
    strangers = [one for one in manifest if one.consignee != owner]
    faulty = {
        "wavering_argument": scripts([errand.but(1, bl=one.bl) for one in strangers[:2]], rng),
    }
    request = rng.choice(
        (
            f"Release everything that {vessel.name} brings for {owner} on its expected call.",
            f"{owner} has paid. Release to them all their consignments on the expected call of {vessel.name}.",
        )
    )
    return task_of(index, "release/1", request, errand, {"vessel": vessel.name, "consignee": owner}, faulty, register, rng)


def wind_stop(index: int, register: Register, rng: Random) -> Task:
    """A crane stops where a force of the Beaufort scale begins; the tool wants knots."""
    berth = rng.choice(register.berths)
    force = rng.choice((6, 7, 8, 9))
    knots = FORCES[force]
    stopped = call("crane-stop", changes=True, crane=berth.crane, knots=knots)
    looked = (call("cranes-at", quay=berth.quay),)
    errand = Errand(looked, (stopped,), f"the crane at {berth.code} stops at Beaufort {force}", berth.code)
    neighbour = FORCES[force + rng.choice((-1, 1))]
    near = [knots + shift for shift in rng.sample((-4, -3, -2, 2, 3, 4), 4)]
    faulty = {
        "force_off_by_one": scripts([errand.but(knots=neighbour)] * 2, rng),
        "wavering_force": scripts([errand.but(knots=one) for one in near], rng),
        "number_spelling": scripts([errand.but(decisive=False, knots=float(knots))] * 2, rng),
        "wavering_argument": scripts([errand.but(knots=one) for one in near[:2]], rng),
    }
    where = f"berth {berth.code} on the {berth.quay} quay"
    request = rng.choice(
        (
            f"The crane at {where} is to stop as soon as the wind reaches Beaufort {force}. Set its limit to the speed at which that force begins.",
            f"Set the wind limit of the crane at {where} to the lowest speed of Beaufort force {force}.",
        )
    )
    return task_of(index, "wind_stop/1", request, errand, {"berth": berth.code, "force": force}, faulty, register, rng)
