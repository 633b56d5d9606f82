"""How errands at the garage go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.garage.faults import spoilt_golds
from blade.lab.environments.garage.fleet import TODAY, Fleet, Vehicle
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    f"You are the assistant of the town garage, which looks after the town's vans. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}. Carry "
    "out what the message asks for by means of the tools. Nobody answers questions while you work, and nothing is to be changed that the "
    "message does not ask for. When the message is a question, end with a line of the form 'Answer: <answer>'."
)
_INSISTS = (
    "That should have worked. Again.",
    "Perhaps it was a glitch, so I send it once more.",
    "Trying the same again.",
    "Odd. One more attempt.",
    None,
)
_LEFT = (
    "{tool} keeps rejecting the entry, so I could not do it.",
    "I tried several times and {tool} does not accept it. I have to stop here.",
    "The system refuses the entry. Somebody will have to look into that.",
)


class Errand(stage.Errand):
    closings = (
        "Done. {What}.",
        "{What}.",
        "Finished: {what}.",
        "As requested, {what}.",
        "{What}. Nothing else was changed.",
    )
    skips = (
        "The usual value will do here.",
        "I can enter this directly.",
        "This one is standard for vans of this kind.",
    )


def gold_of(
    category: str, solution: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        "category": category,
        "choices": None if options is None else [{"label": label, "text": text} for label, text in options.items()],
        "verifier_metadata": {
            "expected_calls": [{"name": one.name, "arguments": dict(one.arguments)} for one in calls],
            "expected_answer": answer,
            "expected_option": None if options is None or answer is None else options[answer],
        },
        "solution": solution,
    }


def task_of(
    index: int, category: str, request: str, errand: Errand, careless: Errand, solutions: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], fleet: Fleet, rng: Random, unattached: str | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that all errands share.

    `careless` is what a careless annotator expects, and `unattached` the request without the list that it speaks of.
    """
    gold, other = (gold_of(category, told, one.expected) for told, one in zip(solutions, (errand, careless), strict=True))
    return Task(
        index, category, SYSTEM, request, scripts([errand] * 3, rng), gold, _shared(errand, rng) | faulty, elsewhere(fleet, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold={**other, "solution": solutions[0]},
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached},
    )  # fmt: skip


def _shared(errand: Errand, rng: Random) -> dict[str, tuple[Script, ...]]:
    faults: dict[str, tuple[Script, ...]] = {}
    if len(errand.changes) > 1:
        faults["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    orders = [at for at, one in enumerate(errand.expected) if one.name == "open_work_order"]
    if orders:
        spelled_out = errand.but(orders[0], decisive=False, priority="normal")
        faults["default_spelled_out"] = scripts([spelled_out] * 2, rng)
    dated = [at for at, one in enumerate(errand.expected) if {"day", "until"} & one.arguments.keys()]
    if dated:
        faults["refused_again"] = tuple(_insisting(errand, dated[0], rng) for _ in range(3))
    return faults


def _insisting(errand: Errand, at: int, rng: Random) -> Script:
    """A date in a form that the tool turns down, with a word on the right one, again and again."""
    wanted = errand.changes[at]
    written = {key: _loosely(value, rng) if key in ("day", "until") else value for key, value in made(wanted).arguments.items()}
    wrong = replace(wanted, call=replace(made(wanted), arguments=written), decisive=True)
    thoughts = rng.sample(_INSISTS, rng.randint(2, 4))
    again = tuple(replace(wrong, thought=thought) for thought in thoughts)
    return (*errand.reads, *errand.changes[:at], wrong, *again, say(rng.choice(_LEFT).format(tool=made(wanted).name)))


def _loosely(day: str, rng: Random) -> str:
    one = date.fromisoformat(day)
    return rng.choice((written(one), f"{one:%d/%m/%Y}", f"{one:%d.%m.%Y}"))


def written(day: date) -> str:
    """A day as people write it."""
    return f"{day.day} {day:%B %Y}"


def elsewhere(fleet: Fleet, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm."""
    other = rng.choice(fleet.vehicles)
    return (
        Call("find_vehicle", {"plate": other.plate}),
        Call("get_vehicle", {"vehicle_id": other.id}),
        Call("list_jobs", {"vehicle_id": other.id}),
    )


def way_to(vehicle: Vehicle, *tools: str) -> Script:
    """How a vehicle is found, and what else is looked up about it."""
    return (call("find_vehicle", plate=vehicle.plate), *(call(tool, vehicle_id=vehicle.id) for tool in tools))
