"""How errands at the travel desk go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.railway.faults import spoilt_golds
from blade.lab.environments.railway.network import TODAY, Network, Order
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = (
    f"You work at a rail travel desk and carry out what customers write in, with the tools of the booking portal. Today is {TODAY:%A}, "
    f"{TODAY.day} {TODAY:%B %Y}. Customers cannot reply. Change nothing that was not asked for. To move a trip use ChangeTrain; an order is "
    "cancelled only where the customer asks for a cancellation. When a question is asked, put the answer, and nothing else, between "
    "<answer> and </answer> at the end of your reply."
)
_STARTS_OVER = (
    "The simplest way is to cancel the old order and make a new one.",
    "I'll release the present booking first and then book the new train.",
    "First cancel, then book again.",
)
_CORRECTIONS: Final = ("{old}, no, wait, {new}", "{old} (sorry, I meant {new})", "{old} - scratch that, {new}")


class Errand(stage.Errand):
    closings = (
        "All done: {what}.",
        "{What}. Have a good trip!",
        "I have taken care of it: {what}.",
        "{What}.",
        "Your request has been handled, {what}.",
    )
    skips = (
        "I can fill this in right away.",
        "No need to open the order for that.",
        "The details are clear enough from the message.",
    )


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def annotation_day(rng: Random) -> date:
    """When a task was written, months before it is played."""
    return date(2025, 10, 1) + timedelta(days=rng.randrange(140))


def gold_of(
    kind: str, note: str, annotated: date, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:  # fmt: skip
    """The dataset's fields."""
    return {
        "task_type": kind,
        "annotated_on": annotated.isoformat(),
        "answer_options": options,
        "oracle": {
            "api_calls": [{"api_name": one.name, "parameters": dict(one.arguments)} for one in calls],
            "final_answer": answer,
        },
        "reference_note": note,
    }


def task_of(
    index: int, kind: str, request: str, errand: Errand, careless: Errand, notes: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], network: Network, rng: Random, unattached: str | None = None,
    days_from_today: int | None = None, dated: bool = False,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `notes` are the reasons for both, and `unattached` is the request without the list
    that it speaks of.
    """
    annotated = annotation_day(rng)
    gold, other = (gold_of(kind, told, annotated, one.expected) for told, one in zip(notes, (errand, careless), strict=True))
    shared: dict[str, tuple[Script, ...]] = {}
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    return Task(
        index, kind, SYSTEM, request, scripts([errand] * 3, rng), gold, shared | faulty, elsewhere(network, rng), other_gold=other,
        other_script=careless.script(rng), contradicted_gold={**other, "reference_note": notes[0]},
        facts={"spoilt_gold": spoilt_golds(gold, annotated, days_from_today, dated), "unattached": unattached},
    )  # fmt: skip


def moved(errand: Errand, order: Order, rng: Random) -> dict[str, tuple[Script, ...]]:
    """What can go wrong with any change of train."""
    change, *rest = errand.changes
    given = made(change).arguments
    cancel = call("CancelOrder", changes=True, decisive=True, thought=rng.choice(_STARTS_OVER), order_id=order.id)
    book = call(
        "BookTrain", changes=True, decisive=True, customer=order.customer, train=given["train"], departure=given["departure"]
    )
    anew = replace(errand, changes=(cancel, book, *rest))
    return {
        "cancelled_and_rebooked": scripts([anew] * 2, rng),
        "equivalent_timestamp": scripts([errand.but(decisive=False, departure=f"{given['departure']}:00")] * 2, rng),
    }


def written(day: date) -> str:
    """A day as people write it."""
    return f"{day.day} {day:%B %Y}"


def elsewhere(network: Network, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm."""
    other = rng.choice(network.orders)
    return (
        Call("SearchOrders", {"customer": other.customer}),
        Call("GetOrder", {"order_id": other.id}),
        Call("GetSupplement", {"order_id": other.id}),
    )


def trains_on(order: Order, day: date) -> Script:
    return (call("SearchTrains", origin=order.train.origin, destination=order.train.destination, date=day.isoformat()),)


def opened(order: Order) -> Script:
    return (call("GetOrder", order_id=order.id),)
