"""Errands about costumes and props: their tags, and where they stand on the stage."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.draws import swallowed
from blade.lab.environments.theatre.desk import TAGS
from blade.lab.environments.theatre.errands import Errand, looked_up, set_field, task_of
from blade.lab.environments.theatre.house import House, Item
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

SIDES: Final = {"left": "stage right", "right": "stage left"}
"""The side of the stage, as players name it who face the audience, by where the audience sees a thing."""


def tags(index: int, house: House, rng: Random) -> Task:
    """The tags on a list are set, all but for one, and the thing goes on stage."""
    item, namesake = rng.sample(house.items, 2)
    chosen = rng.sample(TAGS, 8)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[4:7], chosen[7], rng.randint(0, 3)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("Wardrobe__set_tags", changes=True, item_id=item.id, tags=list(some)),
            set_field(item, "status", "on stage"),
        )
        return Errand(looked_up(item), changes, f"the {item.name} has {len(some)} tags and is on stage{remark}")

    request = rng.choice(
        (
            f'Tags for the {item.name}: take the list below, but leave out "{excepted}", and when they are set change its status to "on stage".',
            f'Set the tags of the {item.name} as in the list below, with the exception of "{excepted}", and then its status to "on stage".',
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"+ {one}" for one in (*some[:at], excepted, *some[at:])]
        return "\n".join((request, "", f"{name}:", *lines))

    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered([*wanted[:at], excepted, *wanted[at:]]).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{item.name}: {', '.join(one)} (not {excepted}); then on stage" for one in (wanted, slip)]
    remark = f" (the list you sent is headed {namesake.name}, by the way)"
    mixed_up: Row = {
        "request": with_list(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "tags", with_list(item.name, wanted), entered(wanted), entered(slip), why, faulty, house, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip


def props(index: int, house: House, rng: Random) -> Task:
    """On which side of the stage a thing stands, where the request says how the audience sees it."""
    item, neighbour = rng.sample(house.items, 2)
    seen, theirs = rng.choice(tuple(SIDES)), rng.choice(tuple(SIDES))
    words = rng.choice(
        (
            'Prompt book: seen from the audience, the {item} stands on the {seen} in this show. Set its stage_side, "stage left" or "stage right", the way stage crews say it, and after that its status to "on stage".',
            'In this show the {item} is what the audience sees on the {seen}. Please enter the stage_side for the crew ("stage left" or "stage right" in the proper stage sense), then the status "on stage".',
        )
    )

    def put(side: str, one: Item = item) -> Errand:
        changes = (set_field(one, "stage_side", side), set_field(one, "status", "on stage"))
        return Errand(looked_up(one), changes, f"the {one.name} is entered for {side} and as on stage")

    right, literal = SIDES[seen], f"stage {seen}"
    request, errand = words.format(item=item.name, seen=seen), put(right)
    faulty = {"seen_from_the_house": scripts([put(literal).but()] * 2, rng)}
    why = [f"{item.name}: on the audience's {seen}, which is {one}" for one in (right, "centre stage")]
    merged = swallowed(
        "props", request, errand, words.format(item=neighbour.name, seen=theirs), put(SIDES[theirs], neighbour), rng
    )  # fmt: skip
    return task_of(
        index, "props", request, errand, put("centre stage"), why, faulty, house, rng, remade={"swallowed_row": merged}
    )
