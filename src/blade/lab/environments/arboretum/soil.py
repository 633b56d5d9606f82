"""Errands of the grounds: soil that is treated if it needs to be, and what a sack of fertiliser holds."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from blade.lab.environments.arboretum.errands import Errand, looked_up, task_of
from blade.lab.environments.arboretum.faults import UNCLEAR
from blade.lab.environments.arboretum.garden import SHARES, Garden
from blade.lab.environments.draws import mostly_upwards
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

_NOTES: Final = ("soil is fine, look again in autumn", "no treatment this year", "leave it, the roses like it so")
MARKUP: Final = re.compile(r"<[^>]*>")
"""What a program takes for markup that strips it from texts."""


def treatment(index: int, garden: Garden, rng: Random) -> Task:
    """A bed is treated or gets a note, by what the probe reads; mostly it is what the message names first."""
    bed, note, kilograms = rng.choice(garden.beds), rng.choice(_NOTES), rng.randint(10, 60)
    limed = bed.ph < 6.6
    product = "lime" if limed else "sulphur"
    below = rng.random() < 0.9
    limit = round(bed.ph + (rng.randint(2, 6) if below else -rng.randint(2, 6)) / 10, 1)
    reads = (*looked_up(bed), call("mcp__grounds__get_soil_ph", bed_id=bed.id))
    order = call("mcp__grounds__order_treatment", changes=True, bed_id=bed.id, product=product, kilograms=kilograms)
    remark = call("mcp__grounds__add_note", changes=True, bed_id=bed.id, text=note)
    treated = Errand(reads, (order,), f"{kilograms} kg of {product} are ordered for the {bed.name}")
    noted = Errand(reads, (remark,), f"the note is on the file of the {bed.name}")
    right, wrong = (treated, noted) if limed == below else (noted, treated)
    ordered, written = f"order {kilograms} kg of {product} for it", f'just put the note "{note}" on its file'
    first, second = (ordered, written) if limed else (written, ordered)
    request = rng.choice(
        (
            f"Check the soil of the {bed.name}. If the pH is <{limit}, {first}; if it is >={limit}, {second}.",
            f"Please look at what the probe in the {bed.name} says. With a pH <{limit} {first}, with a pH >={limit} {second}.",
        )
    )
    both = (
        Errand(reads, (order, remark), f"{kilograms} kg of {product} are ordered for the {bed.name}, and the note is on file"),
        Errand(reads, (remark, order), f"the {bed.name} has its note, and {kilograms} kg of {product} are ordered"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng),
        "condition_unchecked": tuple(wrong.unread(rng, "mcp__grounds__get_soil_ph") for _ in range(2)),
    }
    why = [
        f"The soil of the {bed.name} has a pH of {bed.ph}; the limit is {limit}; "
        + (f"{kilograms} kg of {product} are ordered" if one is treated else "it gets a note")
        for one in (right, wrong)
    ]
    remade: Row = {}
    if below:
        told = [one.format(bed=bed.name, ph=bed.ph, limit=limit) for one in UNCLEAR]
        remade["stripped_as_markup"] = {"request": MARKUP.sub("", request), "sound": tuple((*reads, say(one)) for one in told)}
    return task_of(index, "soil", request, right, wrong, why, faulty, garden, rng, remade=remade)


def nutrients(index: int, garden: Garden, rng: Random) -> Task:
    """How much of an element a sack holds, where the grade on it counts the oxide."""
    element = rng.choice(tuple(SHARES))
    feed = mostly_upwards(garden.feeds, lambda one: 10 * one.exact(element), rng)
    exact = feed.exact(element)
    right, oxide = round(exact, 1), round(feed.oxide(element), 1)

    def put(kilograms: float) -> Errand:
        change = call(
            "mcp__grounds__set_element_content", changes=True, feed_id=feed.id, element=element, kilograms=kilograms
        )  # fmt: skip
        return Errand(looked_up(feed), (change,), f"a sack of {feed.name} is down with {kilograms} kg of {element}")

    cut = int(10 * exact) / 10
    others = [
        one
        for off in rng.sample((-0.6, -0.5, -0.4, -0.3, -0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), 12)
        if (one := round(right + off, 1)) not in (oxide, cut, right) and one > 0
    ][:5]
    request = rng.choice(
        (
            f"For the nutrient balance I need the elements and not the fertiliser: set how many kilograms of {element} one sack of {feed.name} ({feed.id}) holds, reckoned as the pure element and rounded to one decimal. Go by its grade.",
            f"Please set the content of elemental {element} in a sack of {feed.name}, {feed.id}: kilograms, rounded to one decimal, worked out from the grade and the size of the sack.",
        )
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "oxide_as_element": scripts([put(oxide).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "mcp__grounds__find_feed") for one in (0.9, 1.9, 4.4) if one != right),
    }
    if cut != right:
        faulty["wrong_rounding"] = scripts([put(cut).but()] * 2, rng)
    formula = "P2O5" if element == "phosphorus" else "K2O"
    why = [
        f"A sack of {feed.sack} kg with the grade {'-'.join(map(str, feed.grade))} has {oxide} kg of {formula}; that is {one} kg of {element}"
        for one in (right, others[4])
    ]
    return task_of(index, "nutrients", request, put(right), put(others[4]), why, faulty, garden, rng, rounded=right, exact=exact)
