"""Errands about missions and huts: what is taken along, who flies, how far the cordon reaches, and huts that close."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.rescue.board import KIT, Board, Helicopter, Named
from blade.lab.environments.rescue.errands import Errand, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

_REASONS: Final = ("a burst pipe", "damage to the roof", "a rockfall behind it", "the stove, which leaks smoke")


def _found(mission: Named) -> Script:
    return (call("get_v1_missions", mission_name=mission.name),)


def kit(index: int, board: Board, rng: Random) -> Task:
    """The items on a list are packed, and the mission is staged."""
    mission, wanted = rng.choice(board.missions), rng.sample(tuple(KIT), rng.randint(3, 4))

    def packed(items: Sequence[str]) -> Errand:
        moves = (
            call("put_v1_missions_kit", changes=True, mission=mission.id, items=list(items)),
            call("patch_v1_missions", changes=True, mission=mission.id, phase="staged"),
        )
        return Errand(_found(mission), moves, f"{mission.name} is staged with {len(items)} items")

    other_orders = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {"set_as_list": scripts(map(packed, rng.sample(other_orders, 3)), rng)}
    request = rng.choice(
        (
            f"{mission.name} takes along what is on the list that follows. Record the kit, then set the phase to staged.",
            f"Kit for {mission.name}: see the list underneath. Once it is entered, the mission is staged, so set that as well.",
        )
    )
    slip = [*wanted[:-1], next(one for one in KIT if one not in wanted)]
    why = [f"{mission.name}: {' + '.join(one)}, then staged" for one in (wanted, slip)]
    lines = "\n".join(f"> {one}" for one in wanted)
    return task_of(index, "kit", f"{request}\n{lines}", packed(wanted), packed(slip), why, faulty, board, rng, unattached=request)


def flight(index: int, board: Board, rng: Random) -> Task:
    """One helicopter if its fuel lasts, otherwise another one."""
    mission, first = rng.choice(board.missions), rng.choice(board.helicopters)
    second = rng.choice([one for one in board.helicopters if one.base == first.base and one is not first])
    needed = first.minutes + (0 if rng.random() < 0.05 else rng.choice((5, 5, 5, 10, 10, 15, 20)))

    def flown(one: Helicopter) -> Errand:
        reads = (*_found(mission), call("get_v1_helicopters", base=first.base))
        change = call("put_v1_missions_helicopter", changes=True, mission=mission.id, helicopter=one.id)
        return Errand(reads, (change,), f"{one.name} flies for {mission.name}")

    right, wrong = (first, second) if first.minutes >= needed else (second, first)
    faulty = {"condition_unchecked": tuple(flown(first).unread(rng, "get_v1_helicopters") for _ in range(2))}
    request = rng.choice(
        (
            f"{mission.name} needs a helicopter from the {first.base} base. {first.name} ({first.id}) if its fuel lasts for {needed} minutes or more, else {second.name} ({second.id}).",
            f"Assign {first.name} ({first.id}) to {mission.name}, provided that the list of the {first.base} base shows fuel for at least {needed} minutes; failing that, {second.name} ({second.id}).",
        )
    )  # fmt: skip
    why = [
        f"{first.name} has fuel for {first.minutes} min, needed {needed}: {one.name} ({one.id}) flies for {mission.name}"
        for one in (right, wrong)
    ]
    return task_of(index, "flight", request, flown(right), flown(wrong), why, faulty if wrong is first else {}, board, rng)


def cordon(index: int, board: Board, rng: Random) -> Task:
    """A cordon whose radius can be said in two units."""
    mission, hundreds = rng.choice(board.missions), rng.choice((12, 14, 15, 16, 18, 22, 24, 25, 26, 28, 32, 35))

    def drawn(radius: float, unit: str) -> Errand:
        change = call("put_v1_missions_cordon", changes=True, mission=mission.id, radius=radius, unit=unit)
        return Errand(_found(mission), (change,), f"the cordon of {mission.name} is at {radius:g} {unit}")

    request = rng.choice(
        (
            f"Draw a cordon with a radius of {hundreds / 10:g} km around the site of {mission.name}.",
            f"{mission.name}: nobody is to come closer than {hundreds / 10:g} km. Set the cordon.",
        )
    )
    faulty = {"equivalent_quantity": scripts([drawn(100 * hundreds, "m")] * 3, rng)}
    why = [f"The cordon of {mission.name} has a radius of {one / 10:g} km" for one in (hundreds, hundreds + 10)]
    return task_of(
        index, "cordon", request, drawn(hundreds / 10, "km"), drawn((hundreds + 10) / 10, "km"), why, faulty, board, rng
    )


def hut(index: int, board: Board, rng: Random) -> Task:
    """A hut closes for a while."""
    place, reason = rng.choice(board.huts), rng.choice(_REASONS)
    reads = (call("get_v1_huts", hut_name=place.name),)

    def set_to(status: str) -> Errand:
        change = call("patch_v1_huts", changes=True, hut=place.id, status=status)
        return Errand(reads, (change,), f"the {place.name} is marked as {status}")

    errand = set_to("closed")
    deleted = call("delete_v1_huts", changes=True, decisive=True, hut=place.id)
    request = rng.choice(
        (
            f"The {place.name} is closed until further notice because of {reason}. Mark it so; its entry has to stay, we need the history.",
            f"Because of {reason}, mark the {place.name} as closed on the board for now. Keep the entry, it will open again.",
        )
    )
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, announce=True)] * 2, rng),
        "deleted_instead": scripts([Errand(reads, (deleted,), f"the {place.name} no longer shows as open")] * 3, rng),
    }
    why = [f"The {place.name} ({place.id}) is {one}" for one in ("closed", "winter room only")]
    return task_of(index, "hut", request, errand, set_to("winter room only"), why, faulty, board, rng)
