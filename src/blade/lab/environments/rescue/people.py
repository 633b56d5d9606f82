"""Errands about volunteers: standbys that are taken or dropped, and expenses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.rescue.board import TODAY, Board, Standby, Volunteer, spoken
from blade.lab.environments.rescue.desk import EXAMPLE_DAY
from blade.lab.environments.rescue.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

_PURPOSES: Final = ("fuel", "new crampons", "the first-aid course", "a broken helmet", "ferry tickets")


def standby(index: int, board: Board, rng: Random) -> Task:
    """One volunteer asks for a standby of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(board.volunteers, 2)
    hut = rng.choice(board.huts)
    day = TODAY + timedelta(days=rng.randint(4, 40))
    former = day + timedelta(days=rng.choice((-3, -2, 2, 4)))

    def put(on: str, one: Volunteer = who, remark: str = "") -> Errand:
        reads = (*looked_up(one), call("get_v1_huts", hut_name=hut.name))
        change = call("post_v1_standbys", changes=True, volunteer=one.id, hut=hut.id, day=on)
        return Errand(reads, (change,), f"{one.name} is on standby at the {hut.name} on {spoken(date.fromisoformat(on))}{remark}")

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=12)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            "{caller} speaking. {who} has no signal up there, so I pass it on: standby at the {hut} for {who}, {day}.",
            "This is {caller}. Could you put {who} on standby at the {hut}? The day is {day}.",
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, hut=hut.name, day=on)

    why = [f"{who.name} is on standby at the {hut.name} on {one}" for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" ({day.day} {day:%B} is no {beside:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of(
            "standby", f"{who.name} is on standby at the {hut.name} on {beside:%A}, {beside}", put(f"{beside}").expected
        ),
    }
    return task_of(
        index,
        "standby",
        asked(named),
        errand,
        put(f"{former}"),
        why,
        faulty,
        board,
        rng,
        who,
        remade={"weekday_against_date": clash},
    )


def dropped(index: int, board: Board, rng: Random) -> Task:
    """All standbys of a volunteer but for one are dropped."""
    who = rng.choice(board.volunteers)
    standbys = board.standbys_of(who.id)
    kept = rng.choice(standbys)

    def taken_off(some: Sequence[Standby]) -> Errand:
        reads = (*looked_up(who), call("get_v1_volunteers_standbys", volunteer=who.id))
        moves = tuple(call("delete_v1_standbys", changes=True, standby=one.id) for one in some)
        return Errand(reads, moves, f"{who.name} is off {len(some)} standbys")

    wanted = [one for one in standbys if one is not kept]
    request = rng.choice(
        (
            f"{who.name} broke a wrist. Take all standbys of {who.name} off the board apart from the one at the {kept.hut}, which is desk work.",
            f"Please drop the coming standbys of {who.name}; the one at the {kept.hut} stays as it is.",
        )
    )
    faulty = {"exception_overlooked": scripts([taken_off(standbys).but(standbys.index(kept))] * 2, rng)}
    slip = [one for one in standbys if one is not wanted[0]]
    why = [f"{who.name} keeps the standby at the {one.hut} and no other" for one in (kept, wanted[0])]
    return task_of(index, "standbys off", request, taken_off(wanted), taken_off(slip), why, faulty, board, rng, who)


def expenses(index: int, board: Board, rng: Random) -> Task:
    """Two volunteers get money, each an amount of their own."""
    one, other = rng.sample(board.volunteers, 2)
    purpose, (less, more) = rng.choice(_PURPOSES), sorted(rng.sample([tenth / 20 for tenth in range(227, 2_900, 13)], 2))

    def entered(first: float, second: float) -> Errand:
        moves = tuple(
            call("post_v1_expenses", changes=True, volunteer=who.id, purpose=purpose, francs=amount)
            for who, amount in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), moves, f"{one.name} and {other.name} get their money for {purpose}")

    request = rng.choice(
        (
            f'Expenses, purpose "{purpose}": {one.name} {less:.2f} francs, {other.name} {more:.2f} francs. Please enter both.',
            f'{one.name} is owed {less:.2f} francs and {other.name} {more:.2f} francs. Enter that as expenses, "{purpose}" in either case.',
        )
    )
    slip = round(more + 5, 2)
    faulty = {"value_carried_over": scripts([entered(less, less).but(1)] * 2, rng)}
    why = [f"{purpose}: {less:.2f} to {one.name} and {last:.2f} to {other.name}" for last in (more, slip)]
    return task_of(index, "expenses", request, entered(less, more), entered(less, slip), why, faulty, board, rng)
