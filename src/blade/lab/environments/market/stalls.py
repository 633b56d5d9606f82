"""Errands about stalls: pitches that are let or taken already, permits, and who keeps a hall."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import permutations
from random import Random

from blade.lab.environments.market.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.market.register import GOODS, TODAY, Pitch, Register, Steward, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Task, call


def _let(pitch: Pitch, trader: str, day: date) -> Move:
    return call("stalls.let", changes=True, pitch=pitch.id, trader=trader, day=f"{day}")


def let(index: int, register: Register, rng: Random) -> Task:
    """A pitch for a day, which is mostly put right in the same breath."""
    who, pitch = rng.choice(register.traders), rng.choice(register.pitches)
    day = TODAY + timedelta(days=rng.randint(5, 40))
    former = day + timedelta(days=rng.choice((-3, -2, 2, 7)))

    def entered(on: date) -> Errand:
        reads = (*looked_up(who), call("stalls.locate", place=pitch.place))
        return Errand(reads, (_let(pitch, who.id, on),), f"{pitch.place} is let to {who.name} for {spoken(on)}")

    errand, named = entered(day), spoken(day)
    faulty = {"default_spelled_out": scripts([errand.but(decisive=False, hookup="none")] * 2, rng)}
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([entered(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"{who.name} would like {pitch.place} for {named}. Let it, please.",
            f"To let: {pitch.place}, to {who.name}, for {named}.",
        )
    )
    gloss = tuple(f"{pitch.place} goes to {who.name} on {one}" for one in (day, former))
    return task_of(index, "letting", request, errand, entered(former), (gloss[0], gloss[1]), faulty, register, rng, who)


def clash(index: int, register: Register, rng: Random) -> Task:
    """A pitch that turns out to be let, and what the slip says to do then."""
    pitch, day = rng.choice(register.lets)
    second, third = rng.sample([one for one in register.pitches if one not in [taken for taken, _ in register.lets]], 2)
    who = rng.choice([one for one in register.traders if one.id != pitch.holder])

    def entered(at: Pitch) -> Errand:
        reads = (*looked_up(who), call("stalls.locate", place=pitch.place), _let(pitch, who.id, day))
        if at is not pitch:
            reads = (*reads, call("stalls.locate", place=at.place))
        return Errand(reads, (_let(at, who.id, day),), f"{who.name} has {at.place} on {spoken(day)}")

    request = rng.choice(
        (
            f"{pitch.place} on {spoken(day)} for {who.name}. Should it turn out to be let already, nobody is to be overridden: then {second.place} it is.",
            f"Let {who.name} have {pitch.place} on {spoken(day)}; if somebody has it by then, leave them there and let {second.place} instead.",
        )
    )  # fmt: skip
    gloss = tuple(f"{pitch.place} is taken on {day}, so {who.name} gets {one.place}" for one in (second, third))
    faulty = {"forced_through": scripts([entered(pitch).but(override=True)] * 2, rng)}
    return task_of(index, "letting", request, entered(second), entered(third), (gloss[0], gloss[1]), faulty, register, rng, who)


def permit(index: int, register: Register, rng: Random) -> Task:
    """The goods on a list go into a permit, which becomes valid."""
    who = rng.choice(register.traders)
    wanted = rng.sample([rng.choice(GOODS[:4]), *rng.sample(GOODS[4:], rng.randint(2, 3))], 3)
    wanted = wanted if any("&" in one for one in wanted) else [rng.choice(GOODS[:4]), *wanted[1:]]

    def permitted(goods: Sequence[str]) -> Errand:
        moves = (
            call("permits.goods", changes=True, trader=who.id, goods=list(goods)),
            call("permits.status", changes=True, trader=who.id, status="valid"),
        )
        return Errand(looked_up(who), moves, f"the permit of {who.name} is valid for {len(goods)} kinds of goods")

    turned = rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)
    faulty = {"set_as_list": scripts(map(permitted, turned), rng)}
    request = rng.choice(
        (
            f"The permit of {who.name}: enter the goods that are listed underneath, then make it valid.",
            f"{who.name} may sell what is on this list. Put that into the permit and set it to valid.",
        )
    )
    slip = [*wanted[:-1], next(one for one in GOODS[4:] if one not in wanted)]
    gloss = tuple(f"{who.name} may sell {', '.join(one)}; permit valid" for one in (wanted, slip))
    lines = "\n".join(f"* {one}" for one in wanted)
    return task_of(
        index, "permit", f"{request}\n{lines}", permitted(wanted), permitted(slip), (gloss[0], gloss[1]), faulty, register, rng, who,
        unattached=request,
    )  # fmt: skip


def steward(index: int, register: Register, rng: Random) -> Task:
    """One steward if the month leaves room, otherwise another one."""
    fair, first = rng.choice(register.fairs), rng.choice(register.stewards)
    second = rng.choice([one for one in register.stewards if one.hall == first.hall and one is not first])
    limit = first.shifts + rng.choice((-3, -2, -2, -1, -1, -1, 0, 0, 0, 2))

    def put(one: Steward) -> Errand:
        reads = (call("calendar.fair", name=fair.name), call("rota.of_hall", hall=first.hall))
        change = call("rota.put", changes=True, steward=one.id, fair=fair.id)
        return Errand(reads, (change,), f"{one.name} is on duty at the {fair.name}")

    right, wrong = (first, second) if first.shifts < limit else (second, first)
    faulty = {"condition_unchecked": tuple(put(first).unread(rng, "rota.of_hall") for _ in range(2))} if wrong is first else {}
    request = rng.choice(
        (
            f"Duty at the {fair.name}: {first.name} ({first.id}) if the {first.hall} rota shows fewer than {limit} shifts this month, else {second.name} ({second.id}).",
            f"Put {first.name} ({first.id}) on duty at the {fair.name}, provided the rota of the {first.hall} has under {limit} shifts there. Failing that, {second.name} ({second.id}).",
        )
    )  # fmt: skip
    gloss = tuple(
        f"{first.name} has {first.shifts} shifts against {limit}: {one.name} does the {fair.name}" for one in (right, wrong)
    )
    return task_of(index, "duty", request, put(right), put(wrong), (gloss[0], gloss[1]), faulty, register, rng)
