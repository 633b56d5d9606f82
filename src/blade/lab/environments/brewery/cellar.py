"""Errands in the cellar: hops for a batch, the strength of a beer, and its colour."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.brewery.books import ORIGINS, Books, strength
from blade.lab.environments.brewery.errands import Errand, looked_up, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

EBC_PER_SRM: Final = 1.97


def hops(index: int, books: Books, rng: Random) -> Task:
    """The hops on a list are entered, and the batch moves on."""
    batch, namesake = rng.sample(books.batches, 2)
    chosen = rng.sample(tuple(ORIGINS), 7)
    wanted, theirs = chosen[: rng.randint(3, 4)], chosen[4:]

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("Batches_SetHops", changes=True, batch=batch.id, hops=list(some)),
            call("Batches_SetStage", changes=True, batch=batch.id, stage="mashing"),
        )
        return Errand(looked_up(batch), changes, f"{batch.name} has {len(some)} hops and is at mashing{remark}")

    request = rng.choice(
        (
            f"Enter the hops of {batch.name}, see the hop bill below, and then set its stage to mashing.",
            f"{batch.name} is about to start: take over the attached list of hops, and after that put the batch at mashing.",
        )
    )

    def with_bill(name: str, some: Sequence[str]) -> str:
        return "\n".join((request, "", f"Hop bill {name}", *(f"- {one}" for one in some)))

    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {"set_as_list": scripts(map(entered, rng.sample(others, 3)), rng)}
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{batch.name}: {' + '.join(one)}, then mashing" for one in (wanted, slip)]
    remark = f", going by a bill that is headed {namesake.name}"
    mixed_up: Row = {
        "request": with_bill(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "hops", with_bill(batch.name, wanted), entered(wanted), entered(slip), why, faulty, books, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip


def alcohol(index: int, books: Books, rng: Random) -> Task:
    """The strength of a beer from its two gravities, by the simple formula; its constant is another one for per cent by weight."""
    beer = rng.choice(books.beers)
    right, by_weight = strength(beer), round((beer.original - beer.final) * 0.105, 1)

    def put(abv: float) -> Errand:
        change = call("Beers_SetStrength", changes=True, beer=beer.id, abv=abv)
        return Errand(looked_up(beer), (change,), f"{beer.name} has {abv} % by volume")

    others = [round(right + off / 10, 1) for off in rng.sample((-5, -4, -3, -2, 2, 3, 4, 5, 7, 8), 5)]
    request = rng.choice(
        (
            f"{beer.name} ({beer.id}) needs its strength for the label. Work out the alcohol by volume from the two gravities, by the simple formula (their difference times a constant), and enter it rounded to one decimal.",
            f"Enter the alcohol by volume of {beer.name} ({beer.id}): the simple formula, gravity lost times the usual constant, rounded to one decimal.",
        )
    )  # fmt: skip
    faulty = {
        "wavering_strength": scripts([put(one).but() for one in others[:4]], rng),
        "wrong_rule": scripts([put(by_weight).but()] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Beers_Get") for one in (4.7, 5.2, 5.5) if one != right),
    }
    if (cut := (beer.original - beer.final) * 13_125 // 10_000 / 10) != right:
        faulty["wrong_rounding"] = scripts([put(cut).but()] * 2, rng)
    why = [f"{beer.name}: {beer.original} points less {beer.final} make {one} % by volume" for one in (right, others[4])]
    return task_of(index, "strength", request, put(right), put(others[4]), why, faulty, books, rng)


def colour(index: int, books: Books, rng: Random) -> Task:
    """The colour of a beer in EBC, where the record has SRM."""
    beer = rng.choice(books.beers)
    right, outdated = round(EBC_PER_SRM * beer.srm), round(2.65 * beer.srm - 1.2)

    def put(ebc: int) -> Errand:
        change = call("Beers_SetColour", changes=True, beer=beer.id, ebc=ebc)
        return Errand(looked_up(beer), (change,), f"{beer.name} shows a colour of {ebc} EBC")

    offs = (-5, -4, -3, -2, 2, 3, 4, 6, 8, 9)
    others = [one for off in rng.sample(offs, len(offs)) if (one := right + off) != outdated and one > 0][:5]
    request = rng.choice(
        (
            f"The wholesaler wants the colour of {beer.name} ({beer.id}) in EBC. Convert what the record has, by the relation in use today, and enter the nearest whole number.",
            f"Convert the colour of {beer.name} ({beer.id}) from SRM to present-day EBC and enter it, rounded to a whole number.",
        )
    )  # fmt: skip
    faulty = {
        "wrong_rule": scripts([put(outdated).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Beers_Get") for one in (12, 20, 35) if one != right),
    }
    why = [f"{beer.name}: {beer.srm} SRM are {one} EBC" for one in (right, others[4])]
    return task_of(index, "colour", request, put(right), put(others[4]), why, faulty, books, rng)
