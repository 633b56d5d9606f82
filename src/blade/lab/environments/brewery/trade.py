"""Errands for inns: kegs that are sent or called off, and orders that the stock may not cover."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from blade.lab.environments.brewery.books import Beer, Books, Delivery, Named
from blade.lab.environments.brewery.errands import Errand, looked_up, stock_of, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Task, call

_NOTES: Final = ("short for two inns, sales & cellar", "not enough kegs for both orders", "two orders open & waiting for stock")


def _sent(inn: Named, beer: Beer, kegs: float) -> Move:
    return call("Deliveries_Create", changes=True, inn=inn.id, beer=beer.id, kegs=kegs)


def kegs(index: int, books: Books, rng: Random) -> Task:
    """Two inns get kegs of a beer, each a number of its own."""
    one, other = rng.sample(books.inns, 2)
    beer, (less, more) = rng.choice(books.beers), sorted(rng.sample(range(2, 30), 2))

    def sent(first: int, second: int) -> Errand:
        changes = (_sent(one, beer, first), _sent(other, beer, second))
        return Errand(looked_up(one, other, beer), changes, f"{beer.name} goes to the {one.name} and the {other.name}")

    errand = sent(less, more)
    request = rng.choice(
        (
            f"Next tour, {beer.name}: {less} kegs for the {one.name} and {more} kegs for the {other.name}.",
            f"Please plan two deliveries of {beer.name}. The {one.name} gets {less} kegs, the {other.name} gets {more}.",
        )
    )
    faulty = {
        "value_carried_over": scripts([sent(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, kegs=float(more))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, express=False)] * 2, rng),
    }
    why = [f"{beer.name}: {less} kegs to the {one.name}, {last} to the {other.name}" for last in (more, more + 2)]
    return task_of(index, "kegs", request, errand, sent(less, more + 2), why, faulty, books, rng)


def called_off(index: int, books: Books, rng: Random) -> Task:
    """All deliveries to an inn but for one are called off."""
    inn = rng.choice(books.inns)
    coming = books.deliveries_to(inn.id)
    kept = rng.choice(coming)

    def cancelled(some: Sequence[Delivery]) -> Errand:
        reads = (*looked_up(inn), call("Inns_ListDeliveries", inn=inn.id))
        changes = tuple(call("Deliveries_Cancel", changes=True, delivery=one.id) for one in some)
        return Errand(reads, changes, f"{len(some)} deliveries to the {inn.name} are called off")

    wanted = [one for one in coming if one is not kept]
    request = rng.choice(
        (
            f"The {inn.name} closes for repairs. Cancel what is due to go there, except for the {kept.beer}, which they still want.",
            f"Call off the deliveries to the {inn.name}, all but the one with {kept.beer}.",
        )
    )
    faulty = {"exception_overlooked": scripts([cancelled(coming).but(coming.index(kept))] * 2, rng)}
    slip = [one for one in coming if one is not wanted[0]]
    why = [f"Of the deliveries to the {inn.name}, {one.beer} stays and no other" for one in (kept, wanted[0])]
    return task_of(index, "called off", request, cancelled(wanted), cancelled(slip), why, faulty, books, rng)


def allotted(index: int, books: Books, rng: Random) -> Task:
    """Both inns are served if the stock covers both orders; otherwise none is, and the beer goes on the backlog. Mostly it does not."""
    one, other = rng.sample(books.inns, 2)
    beer, note = rng.choice(books.beers), rng.choice(_NOTES)
    covered = rng.random() < 0.06
    first = rng.randint(beer.kegs // 3, 2 * beer.kegs // 3)
    second = beer.kegs - first - rng.randint(0, 2) if covered else beer.kegs - first + rng.randint(1, 5)

    def served(*inns: tuple[Named, int]) -> Errand:
        changes = tuple(_sent(inn, beer, number) for inn, number in inns)
        told = f"{beer.name} goes to the {' and the '.join(inn.name for inn, _ in inns)}"
        return Errand((*looked_up(one, other, beer), *stock_of(beer)), changes, told)

    both = served((one, first), (other, second))
    put_off = Errand(
        (*looked_up(beer), *stock_of(beer)),
        (call("Backlog_Add", changes=True, beer=beer.id, note=note),),
        f"{beer.name} is on the backlog",
    )
    request = rng.choice(
        (
            f'Orders for {beer.name}: {first} kegs for the {one.name}, {second} kegs for the {other.name}. It is both or neither: if the stock does not cover the two of them, send none and put the beer on the backlog instead, note "{note}".',
            f'The {one.name} wants {first} kegs of {beer.name}, the {other.name} wants {second}. Plan both deliveries if there are enough kegs in stock for both. If not, plan neither of them, and add the beer to the backlog with the note "{note}".',
        )
    )  # fmt: skip
    right, wrong = (both, put_off) if covered else (put_off, both)
    faulty = {}
    if not covered:
        faulty = {
            "half_of_a_pair": scripts(
                [served(pair).but() for pair in ((one, first), (other, second)) if pair[1] <= beer.kegs], rng
            ),
            "condition_unchecked": tuple(both.unread(rng, "Beers_GetStock") for _ in range(2)),
        }
    did = {True: "both are served", False: "neither is served, backlog"}
    why = [
        f"{first} + {second} kegs of {beer.name} ordered, {beer.kegs} in stock: {did[case]}" for case in (covered, not covered)
    ]
    return task_of(index, "allotment", request, right, wrong, why, faulty, books, rng)
