"""Errands that move a trip: to another train, to a day counted from the present one, to a day counted from today."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from blade.lab.environments.railway.errands import Errand, corrected, moved, opened, task_of, trains_on, written
from blade.lab.environments.railway.network import TODAY, Network, Order, Train, clock
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call


def _change(order: Order, train: Train, day: date) -> Script:
    return (call("ChangeTrain", changes=True, order_id=order.id, train=train.number, departure=train.on(day)),)


def change(index: int, network: Network, rng: Random) -> Task:
    """Another train on a day that is written out; now and then the time is put right in the same breath."""
    order = rng.choice(network.upcoming)
    month = rng.choice((10, 11, 12))
    early = [one for one in range(1, 13) if one != month]
    day = date(2026, month, rng.choice(early) if rng.random() < 0.8 else rng.randint(13, 28))
    others = [one for one in network.between(order.train.origin, order.train.destination) if one != order.train]
    train, former = rng.sample(others, 2)

    def to(train: Train) -> Errand:
        done = f"order {order.id} is now for {train.number} on {written(day)}"
        return Errand((*opened(order), *trains_on(order, day)), _change(order, train, day), done)

    errand = to(train)
    faulty = moved(errand, order, rng)
    when = clock(train.departs)
    if rng.random() < 0.75:
        when = corrected(clock(former.departs), when, rng)
        faulty["correction_missed"] = scripts([to(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"Please move my order {order.id} to {written(day)}, to the train that leaves at {when}.",
            f"I have to travel on another day. Can you put {order.id} on the {when} departure on {written(day)}? Same route.",
        )
    )
    notes = tuple(f"{one.number} leaves at {clock(one.departs)} on {written(day)}." for one in (train, former))
    return task_of(
        index, "rebooking", request, errand, to(former), (notes[0], notes[1]), faulty, network, rng, dated=True
    )  # fmt: skip


def after(index: int, network: Network, rng: Random) -> Task:
    """The same train so many days after the present date of travel, and the ticket is sent."""
    order = rng.choice(network.upcoming)
    days = rng.choice([one for one in range(16, 60) if one % 7 and one % 30])

    def on(day: date) -> Errand:
        send = call("SendTicket", changes=True, order_id=order.id, channel=channel)
        done = f"{order.id} is moved to {written(day)} and the ticket is on its way"
        return Errand((*opened(order), *trains_on(order, day)), (*_change(order, order.train, day), send), done)

    channel = rng.choice(("email", "post", "app"))
    day = order.day + timedelta(days=days)
    errand = on(day)
    near = [day + timedelta(days=off) for off in rng.sample((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5), 4)]
    faulty = moved(errand, order, rng) | {
        "wavering_argument": scripts([on(one).but() for one in near], rng),
        "skipped_lookup": tuple(on(TODAY + timedelta(days=days)).unread(rng, "GetOrder") for _ in range(2)),
    }
    route = f"{order.train.number}, {order.train.origin} to {order.train.destination}"
    by = {"email": "by email", "post": "by post", "app": "to the app"}[channel]
    request = rng.choice(
        (
            f"Move order {order.id} ({route}) to exactly {days} days after the date it is booked for, same train, and send the ticket {by}.",
            f"Order {order.id} ({route}): I need to go {days} days later than booked, with the same train. Send me the ticket {by} afterwards.",
        )
    )
    careless = on(day + timedelta(days=7))
    notes = tuple(f"Booked for {order.day.isoformat()}; {days} days later is {one.isoformat()}. Ticket {by}." for one in (day, day + timedelta(days=7)))  # fmt: skip
    return task_of(index, "rebooking", request, errand, careless, (notes[0], notes[1]), faulty, network, rng)


def postpone(index: int, network: Network, rng: Random) -> Task:
    """The same train so many days from today."""
    order = rng.choice(network.upcoming)
    days, former = rng.sample([one for one in range(12, 60) if one % 7 and one % 30], 2)

    def on(days: int) -> Errand:
        day = TODAY + timedelta(days=days)
        reads = (*opened(order), *trains_on(order, day))
        return Errand(reads, _change(order, order.train, day), f"{order.id} is booked for {written(day)} now")

    errand = on(days)
    near = [days + off for off in rng.sample((-4, -3, -2, -1, 1, 2, 3, 4), 4)]
    faulty = moved(errand, order, rng) | {"wavering_argument": scripts([on(one).but() for one in near], rng)}
    span = str(days)
    if rng.random() < 0.7:
        span = corrected(former, days, rng)
        faulty["correction_missed"] = scripts([on(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"My plans changed: put order {order.id} on the same train, but for the day that is {span} days from today.",
            f"Please rebook {order.id}. Same train, leaving {span} days from today.",
        )
    )
    notes = tuple(f"{one} days from today: {order.train.number}, {(TODAY + timedelta(days=one)).isoformat()}." for one in (days, days + 10))  # fmt: skip
    return task_of(
        index, "rebooking", request, errand, on(days + 10), (notes[0], notes[1]), faulty, network, rng, days_from_today=days
    )  # fmt: skip
