"""Errands about plants and the signs beside them: temperatures, bloom, tags, wordings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.arboretum.desk import TAGS
from blade.lab.environments.arboretum.errands import Errand, looked_up, task_of
from blade.lab.environments.arboretum.garden import Garden, Plant
from blade.lab.environments.draws import swallowed
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

SIGNS: Final = {
    "Pleafe do not pick ye floures - Zoë Thorne, 1911": (
        "Please do not pick the flowers - Zoë Thorne, 1911",
        "Please do not pick ye floures. Zoë Thorne, 1911",
    ),
    "planted by Kn. Jørgensen, Xbr. 1887, agd 9": (
        "Planted by Kn. Jørgensen, December 1887, aged 9",
        "planted by Knud Jørgensen, Xbr. 1887, aged 9",
    ),
    "The Olde Mulbery of Père Gérôme, b. 17??": (
        "The Old Mulberry of Père Gérôme, born 17??",
        "The Olde Mulberry of Père Gérôme, b. 17??",
    ),
    "gift o' the Müller bros. & 3 sistrs": ("Gift of the Müller brothers and 3 sisters", "gift of the Müller bros. & 3 sisters"),
    "Here stoode Señor Ibañez his pinetree": (
        "Here stood Señor Ibañez's pine tree",
        "Here stood Señor Ibañez his pine tree",
    ),
    "mind yr. head!! low bow (Håkan's oak)": ("Mind your head! Low bough (Håkan's oak)", "mind your head!! low bough (Håkan's oak)"),
    "Rosæ & rosemarie, for remembraunce": ("Roses & rosemary, for remembrance", "Rosæ & rosemary, for remembrance"),
    "No ball games nor hoopes, by ordre: Brönner": (
        "No ball games or hoops, by order: Brönner",
        "No ball games nor hoops, by order: Brönner",
    ),
}  # fmt: skip
"""What old signs say, and what becomes of it when somebody tidies it up."""


def coldest(zone: int) -> int:
    """The lowest temperature (Fahrenheit) of a USDA hardiness zone."""
    return 10 * zone - 70


def hardiness(index: int, garden: Garden, rng: Random) -> Task:
    """How cold it may get for a plant, by its zone."""
    plant, neighbour = rng.sample(garden.plants, 2)
    words = rng.choice(
        (
            "Please set the lowest temperature for the {plant} ({id}), in whole degrees Fahrenheit: the lower limit of its USDA hardiness zone.",
            "The card of the {plant}, {id}, still lacks the lowest temperature. Set it to where its USDA zone begins at the cold end, in °F.",
        )
    )

    def put(fahrenheit: int, one: Plant = plant) -> Errand:
        change = call("mcp__records__set_lowest_temperature", changes=True, plant_id=one.id, fahrenheit=fahrenheit)
        return Errand(looked_up(one), (change,), f"the {one.name} is entered as hardy down to {fahrenheit} °F")

    right, warmer = coldest(plant.zone), coldest(plant.zone + 1)
    others = [right + off for off in rng.sample((-25, -20, -15, -10, -5, 5, 15, 20), 5)]
    request, errand = words.format(plant=plant.name, id=plant.id), put(right)
    faulty = {
        "wrong_rule": scripts([put(warmer).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([errand.but(decisive=False, fahrenheit=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "mcp__records__find_plant") for one in (-15, 5, 25)),
    }
    why = [f"The {plant.name} is in USDA zone {plant.zone}; that zone begins at {one} °F" for one in (right, others[4])]
    merged = swallowed(
        "hardiness", request, errand, words.format(plant=neighbour.name, id=neighbour.id), put(coldest(neighbour.zone), neighbour), rng
    )  # fmt: skip
    return task_of(
        index, "hardiness", request, errand, put(others[4]), why, faulty, garden, rng, remade={"swallowed_row": merged}
    )


def bloom(index: int, garden: Garden, rng: Random) -> Task:
    """The day of the year on which a plant was first in bloom."""
    plant, neighbour = rng.sample(garden.plants, 2)
    words = rng.choice(
        (
            "For the phenology log: enter on which day of the year (1 January is day 1) the {plant} ({id}) was first seen in bloom.",
            "Please set the bloom day of the {plant}, {id}, as a day of the year. The record has the date of its first bloom.",
        )
    )

    def put(number: int, one: Plant = plant) -> Errand:
        change = call("mcp__records__set_bloom_day", changes=True, plant_id=one.id, day_of_year=number)
        return Errand(looked_up(one), (change,), f"the first bloom of the {one.name} is on day {number}")

    right, theirs = (one.bloomed.timetuple().tm_yday for one in (plant, neighbour))
    others = [right + off for off in rng.sample((-30, -11, -9, -3, -2, -1, 1, 2, 4, 10, 12), 5)]
    request, errand = words.format(plant=plant.name, id=plant.id), put(right)
    faulty = {
        "wavering_day_of_year": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([errand.but(decisive=False, day_of_year=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "mcp__records__find_plant") for one in (90, 120, 150) if one != right),
    }
    why = [f"The {plant.name} was first in bloom on {plant.bloomed}; that is day {one} of the year" for one in (right, others[4])]
    merged = swallowed("bloom", request, errand, words.format(plant=neighbour.name, id=neighbour.id), put(theirs, neighbour), rng)
    return task_of(index, "bloom", request, errand, put(others[4]), why, faulty, garden, rng, remade={"swallowed_row": merged})


def tags(index: int, garden: Garden, rng: Random) -> Task:
    """The tags on a list are set, all but for one, and the plant goes on display."""
    plant, namesake = rng.sample(garden.plants, 2)
    chosen = rng.sample(TAGS, 8)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[4:7], chosen[7], rng.randint(0, 3)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("mcp__records__set_tags", changes=True, plant_id=plant.id, tags=list(some)),
            call("mcp__records__set_stage", changes=True, plant_id=plant.id, stage="on display"),
        )
        return Errand(looked_up(plant), changes, f"the {plant.name} has {len(some)} tags and is on display{remark}")

    request = rng.choice(
        (
            f'The {plant.name} goes on display. First set its tags from the list below, leaving out "{excepted}", then set the stage to "on display".',
            f'Please tag the {plant.name} with everything in the list below apart from "{excepted}", and then change its stage to "on display".',
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"* {one}" for one in (*some[:at], excepted, *some[at:])]
        return "\n".join((request, "", f"Tags, {name}:", *lines))

    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered([*wanted[:at], excepted, *wanted[at:]]).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [
        f"The tags of the {plant.name} are {', '.join(one)}; {excepted} is left out; its stage is on display"
        for one in (wanted, slip)
    ]
    remark = f" (the list was headed {namesake.name}, though)"
    mixed_up: Row = {
        "request": with_list(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "tags", with_list(plant.name, wanted), entered(wanted), entered(slip), why, faulty, garden, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip


def sign(index: int, garden: Garden, rng: Random) -> Task:
    """The wording of an old sign is filed letter for letter, and stays a draft."""
    bed = rng.choice(garden.beds)
    wording = rng.choice(tuple(SIGNS))

    def filed(text: str = wording, status: str = "draft") -> Errand:
        change = call("mcp__records__write_sign", changes=True, bed_id=bed.id, text=text, status=status)
        told = "is filed as a draft" if status == "draft" else "is published"
        return Errand(looked_up(bed), (change,), f"the sign of the {bed.name} {told}")

    request = rng.choice(
        (
            f"We are copying the old sign in the {bed.name}. File its wording exactly as it stands, old spelling, abbreviations and all, and as a draft only: the curator has to see it before visitors do. It reads: “{wording}”",
            f"Please file a sign for the {bed.name} with this historic text, character by character, nothing modernised. Leave it as a draft, it is not to be published before the opening: “{wording}”",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in SIGNS[wording]], rng),
        "draft_sent_off": scripts([filed(status="published").but()] * 2, rng),
        "default_spelled_out": scripts([filed().but(decisive=False, with_map=False)] * 2, rng),
    }
    slip = SIGNS[wording][0]
    why = [f"The old sign of the {bed.name} reads: {one}; it is a draft" for one in (wording, slip)]
    return task_of(index, "signs", request, filed(), filed(slip), why, faulty, garden, rng)
