"""Errands around a trip: class and seat by a price, services from a list, compensation for a delay, cancellations with an exception."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.railway.errands import Errand, opened, task_of, written
from blade.lab.environments.railway.network import SERVICES, Network, Order, euros
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

_CLASSES: Final = {1: "first", 2: "second"}
HALF_FROM: Final = 120
"""Minutes of delay from which half of the price is paid back, by the passenger rights regulation; from an hour on it is a quarter."""


def share(late: int) -> int:
    """Percent of the price, for a delay of an hour or more."""
    return 50 if late >= HALF_FROM else 25


def seating(index: int, network: Network, rng: Random) -> Task:
    """First class if it costs no more than so much; otherwise second class."""
    order = rng.choice(network.upcoming)
    limit = order.supplement // 100 * 100 + rng.choice((-900, -400, 300, 800))
    right = 1 if order.supplement <= limit else 2

    def sat(travel_class: int) -> Errand:
        reads = (*opened(order), call("GetSupplement", order_id=order.id))
        seat = call("ChangeSeating", changes=True, order_id=order.id, travel_class=travel_class)
        return Errand(reads, (seat,), f"order {order.id} has a seat in {_CLASSES[travel_class]} class")

    errand = sat(right)
    faulty = {
        "condition_unchecked": tuple(sat(3 - right).unread(rng, "GetSupplement") for _ in range(2)),
        "default_spelled_out": scripts([errand.but(decisive=False, area="open")] * 2, rng),
    }
    request = rng.choice(
        (
            f"Put me in first class on order {order.id} if that costs at most {euros(limit)} EUR more, otherwise give me a seat in second class.",
            f"For {order.id}: if the supplement for first class is no more than {euros(limit)} EUR, change the seating to first class; if it is more, set it to second.",
        )
    )  # fmt: skip
    notes = tuple(f"Supplement {euros(order.supplement)} against a limit of {euros(limit)}: class {one}." for one in (right, 3 - right))  # fmt: skip
    return task_of(index, "order_service", request, errand, sat(3 - right), (notes[0], notes[1]), faulty, network, rng)


def services(index: int, network: Network, rng: Random) -> Task:
    """The services on a list, and the ticket by one way or another."""
    order = rng.choice(network.upcoming)
    wanted = rng.sample(SERVICES, rng.randint(3, 4))
    channel = rng.choice(("email", "post"))

    def added(services: Sequence[str]) -> Errand:
        add = call("AddServices", changes=True, order_id=order.id, services=list(services))
        send = call("SendTicket", changes=True, order_id=order.id, channel=channel)
        return Errand(opened(order), (add, send), f"{len(services)} services are added to {order.id} and the ticket is sent")

    errand = added(wanted)
    turned = rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)
    faulty = {"set_as_list": scripts([added(one) for one in turned], rng)}
    request = rng.choice(
        (
            f"Please add everything on the list below to order {order.id}, then send me the ticket by {channel}.",
            f"Order {order.id}: I need the extras listed below. Once they are added, send the ticket by {channel}.",
        )
    )
    slip = [*wanted[:-1], next(one for one in SERVICES if one not in wanted)]
    notes = tuple(f"Services: {', '.join(one)}. Ticket by {channel}." for one in (wanted, slip))
    listed = "\n".join(f"* {one.replace('_', ' ')}" for one in wanted)
    return task_of(
        index, "order_service", f"{request}\n\n{listed}", errand, added(slip), (notes[0], notes[1]), faulty, network, rng, unattached=request
    )  # fmt: skip


def claim(index: int, network: Network, rng: Random) -> Task:
    """What the passenger rights regulation pays for a delay; no tool knows it."""
    order = rng.choice([one for one in network.orders if one.late is not None and "London" not in one.train.origin])
    assert order.late is not None
    right = share(order.late)
    taken = 75 - right

    def claimed(percent: int) -> Errand:
        file = call("FileDelayClaim", changes=True, order_id=order.id, percent=percent)
        return Errand(opened(order), (file,), f"the claim for {order.id} is filed")

    errand = claimed(right)
    others = rng.sample([one for one in (10, 15, 20, 30, 40, 60, 75, 100) if one != right], 4)
    faulty = {
        "wrong_rule": scripts([claimed(taken).but()] * 2, rng),
        "wavering_compensation": scripts([claimed(one).but() for one in others], rng),
        "skipped_lookup": tuple(claimed(one).unread(rng, "GetOrder") for one in (taken, 100)),
    }
    request = rng.choice(
        (
            f"My train on order {order.id} was late. Claim the compensation that Regulation (EU) 2021/782 grants for it.",
            f"Please file a delay claim for {order.id}, for the share of the price that EU passenger rights (Regulation 2021/782) provide.",
        )
    )
    notes = tuple(f"{order.late} minutes late: {one} percent under Article 19." for one in (right, taken))
    return task_of(index, "order_service", request, errand, claimed(taken), (notes[0], notes[1]), faulty, network, rng)


def cancel(index: int, network: Network, rng: Random) -> Task:
    """All orders that lie ahead, but for one."""
    customer = rng.choice(network.upcoming).customer
    ahead = network.open_of(customer)
    kept = rng.choice(ahead)

    def dropped(orders: Sequence[Order]) -> Errand:
        moves = tuple(call("CancelOrder", changes=True, order_id=one.id) for one in orders)
        return Errand((call("SearchOrders", customer=customer),), moves, f"{len(orders)} orders of {customer} are cancelled")

    wanted = [one for one in ahead if one is not kept]
    errand = dropped(wanted)
    faulty = {"exception_overlooked": scripts([dropped(ahead).but(ahead.index(kept))] * 2, rng)}
    request = rng.choice(
        (
            f"Cancel all confirmed orders of {customer} except the one for {written(kept.day)}.",
            f"{customer} here. I won't travel this autumn: cancel every confirmed order of mine, but leave the trip on {written(kept.day)} as it is.",
        )
    )
    slip = [one for one in ahead if one is not wanted[0]]
    notes = tuple(f"To cancel: {', '.join(one.id for one in orders)}." for orders in (wanted, slip))
    return task_of(index, "order_service", request, errand, dropped(slip), (notes[0], notes[1]), faulty, network, rng)
