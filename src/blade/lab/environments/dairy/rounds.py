"""Errands about milk on its way: shifts of drivers, loads, supplements, and deliveries to customers."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from blade.lab.environments.dairy.books import TODAY, Books, Driver
from blade.lab.environments.dairy.desk import EXAMPLE_DAY
from blade.lab.environments.dairy.errands import Errand, corrected, gold_of, looked_up, task_of
from blade.lab.environments.draws import spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call


def coming_day(rng: Random) -> date:
    """A day in the next weeks, mostly one whose number could be a month."""
    early = [date(2026, 12, number) for number in (1, 2, 3, 4, 7, 8, 9, 10, 11)]
    return rng.choice(early) if rng.random() < 0.8 else TODAY + timedelta(days=rng.randint(5, 40))


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        (
            "Please disregard the numbers in my earlier mail (see below).",
            "New figures, the ones I sent before are no longer valid.",
        )
    )
    sent = TODAY - timedelta(days=rng.randint(2, 9))
    return f"{lead} {message}\n\n> Sent: {sent:%d.%m.%Y}\n> {earlier}"


def shift(index: int, books: Books, rng: Random) -> Task:
    """One driver asks for a shift of another one; mostly the day is put right in the same breath."""
    caller, who = rng.sample(books.drivers, 2)
    route, start = rng.choice(books.routes), rng.choice(("early", "late"))
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-4, 2, 3, 5)))

    def put(on: str, one: Driver = who, remark: str = "") -> Errand:
        change = call("assign_shift", changes=True, driver_id=one.id, route_id=route.id, day=on, start=start)
        told = f"{one.name} drives the {route.name} on {spoken(date.fromisoformat(on))}, {start} shift{remark}"
        return Errand(looked_up(one, route), (change,), told)

    errand, named = put(f"{day}"), spoken(day)
    faulty = {
        "default_spelled_out": scripts([errand.but(decisive=False, hours=8)] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "done_for_the_caller": scripts([put(f"{day}", caller).but()] * 2, rng),
    }
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(f"{former}").but()] * 2, rng)
    words = rng.choice(
        (
            "This is {caller}, I'm arranging the cover. {who} takes the {route} on {day}, {start} shift. Please put {who} down for it.",
            "{caller} speaking. Not I but {who} will drive the {route} on {day}: {start} shift, please assign it.",
        )
    )

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, route=route.name, day=on, start=start)

    why = [f"{who.name} has the {start} shift on the {route.name} on {one}." for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (that is a {day:%A}, not a {beside:%A})"
    clash: Row = {
        "request": asked(f"{beside:%A} {day.day} {day:%B}"),
        "sound": scripts([put(f"{day}"), put(f"{day}", remark=remark), put(f"{day}", remark=remark)], rng),
        "gold": gold_of(
            "shifts",
            f"{who.name} has the {start} shift on the {route.name} on {beside:%A}, {beside}.",
            put(f"{beside}").expected,
        ),
    }
    return task_of(
        index, "shifts", asked(named), errand, put(f"{former}"), why, faulty, books, rng, who, remade={"weekday_against_date": clash}
    )  # fmt: skip


def loads(index: int, books: Books, rng: Random) -> Task:
    """Milk from two tanks of a herd, each of which is a collection of its own."""
    herd, route = rng.choice(books.herds), rng.choice(books.routes)
    first, second = rng.sample(range(180, 990), 2)

    def entered(*litres: int) -> Errand:
        changes = tuple(
            call("enter_collection", changes=True, herd_id=herd.id, route_id=route.id, litres=much) for much in litres
        )  # fmt: skip
        told = f"{' and '.join(map(str, litres))} litres are entered for {herd.name}"
        return Errand(looked_up(herd, route), changes, told)

    errand = entered(first, second)
    request = rng.choice(
        (
            f"The tanker on the {route.name} emptied two tanks at {herd.name}: {first} litres in the first, {second} litres in the second. Enter a separate collection for each tank, first tank first. The laboratory tests them apart, so do not add them up.",
            f"Please enter what was collected from {herd.name} on the {route.name}, one entry for each of the two tanks and in this order: tank one {first} litres, tank two {second} litres. They must not be merged into one entry, since they are paid separately.",
        )
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "lumped_together": scripts([entered(first + second).but()] * 2, rng),
        "number_spelling": scripts([errand.but(at, decisive=False, litres=float((first, second)[at])) for at in (0, 1)], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, second_quality=False)] * 2, rng),
    }
    slip = second + rng.choice((-20, -10, 10, 20))
    why = [f"Two tanks at {herd.name}: {first} l, then {last} l, both on the {route.name}." for last in (second, slip)]
    return task_of(index, "collections", request, errand, entered(first, slip), why, faulty, books, rng)


def supplements(index: int, books: Books, rng: Random) -> Task:
    """Two herds get a supplement, each one of their own; often an earlier message with another one stands below."""
    one, other = rng.sample(books.herds, 2)
    less, more, former = rng.sample(range(2, 21), 3)

    def paid(first: int, second: int) -> Errand:
        changes = tuple(
            call("set_supplement", changes=True, herd_id=herd.id, percent=percent)
            for herd, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"the supplements of {one.name} and {other.name} are set")

    errand = paid(less, more)
    faulty = {
        "value_carried_over": scripts([paid(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
    }
    request = rng.choice(
        (
            f"The board has decided on the quality supplements: {less} per cent for {one.name}, {more} per cent for {other.name}. Please set them.",
            f"Set the supplement for {one.name} to {less} per cent and the one for {other.name} to {more} per cent, please.",
        )
    )
    if rng.random() < 0.6:
        faulty["quoted_mail_followed"] = scripts([paid(less, former).but(1)] * 2, rng)
        earlier = f"Supplements to set: {one.name} {less} per cent, {other.name} {former} per cent."
        request = with_quote(request, earlier, rng)
    slip = more + 2
    why = [f"{one.name} is paid {less} % more, {other.name} {last} % more." for last in (more, slip)]
    return task_of(index, "supplements", request, errand, paid(less, slip), why, faulty, books, rng)


def delivery(index: int, books: Books, rng: Random) -> Task:
    """Cases for a customer in so many days, above an earlier message with another number of them."""
    customer, product = rng.choice(books.customers), rng.choice(books.products)
    cases, former = rng.sample(range(8, 120), 2)
    days = rng.randint(19, 60)
    right = TODAY + timedelta(days=days)

    def entered(number: int, day: date = right) -> Errand:
        change = call(
            "create_delivery", changes=True, customer_id=customer.id, product_id=product.id, cases=number, deliver_on=f"{day}"
        )  # fmt: skip
        told = f"{customer.name} gets {number} cases of {product.name} on {spoken(day)}"
        return Errand(looked_up(customer, product), (change,), told)

    errand = entered(cases)
    words = rng.choice(
        (
            "Please enter a delivery for {customer}: {cases} cases of {product}, to arrive {days} days from today.",
            "{customer} wants {cases} cases of {product}. The delivery is due {days} days from today, please enter it.",
        )
    )
    request, earlier = (
        words.format(customer=customer.name, product=product.name, cases=number, days=days) for number in (cases, former)
    )
    others = [right + timedelta(days=off) for off in rng.sample((-8, -7, -3, -2, -1, 1, 2, 3, 5, 10), 4)]
    faulty = {
        "quoted_mail_followed": scripts([entered(former).but()] * 2, rng),
        "wavering_due_date": scripts([entered(cases, one).but() for one in others], rng),
        "number_spelling": scripts([errand.but(decisive=False, cases=float(cases))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, chilled=True)] * 2, rng),
    }
    why = [
        f"{customer.name} gets {number} cases of {product.name}. Today is {TODAY}, and {days} days later it is {right}."
        for number in (cases, cases + 10)
    ]
    return task_of(
        index, "deliveries", with_quote(request, earlier, rng), errand, entered(cases + 10), why, faulty, books, rng
    )  # fmt: skip
