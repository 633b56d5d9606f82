"""Errands for authors and shops: royalties, orders, and reprints that depend on the stock."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.publisher.errands import Errand, looked_up, task_of
from blade.lab.environments.publisher.list import House
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

_NOTES: Final = (
    "enough for the winter, look again in March",
    "no reprint for the time being",
    "sells slowly, ask the travellers",
)


def royalties(index: int, house: House, rng: Random) -> Task:
    """Two authors get a royalty, each one of their own; often an earlier message with another one stands below."""
    one, other = rng.sample(house.authors, 2)
    less, more, former = rng.sample(range(6, 24), 3)

    def agreed(first: int, second: int) -> Errand:
        changes = tuple(
            call("set_royalty", changes=True, author_id=author.id, percent=percent)
            for author, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"the royalties of {one.name} and {other.name} are set")

    errand = agreed(less, more)
    faulty = {
        "value_carried_over": scripts([agreed(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
    }
    request = rng.choice(
        (
            f"Contracts are signed: set the royalty of {one.name} to {less} per cent and that of {other.name} to {more} per cent.",
            f"Please set royalties as follows: {less} per cent for {one.name}, {more} per cent for {other.name}.",
        )
    )
    if rng.random() < 0.6:
        faulty["quoted_mail_followed"] = scripts([agreed(less, former).but(1)] * 2, rng)
        request = with_quote(
            request, f"Royalties: {one.name} {less} per cent, {other.name} {former} per cent. Please set them.", rng
        )
    why = [f"{one.name} gets {less} %, {other.name} gets {last} %" for last in (more, more + 2)]
    return task_of(index, "royalties", request, errand, agreed(less, more + 2), why, faulty, house, rng)


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        ("This replaces my message from last week, which is below.", "Please go by these figures and not by my earlier mail.")
    )
    day = rng.randint(7, 11)
    return f"{lead} {message}\n\nOn {day} September 2026 you were sent:\n> {earlier}"


def orders(index: int, house: House, rng: Random) -> Task:
    """A shop's order, above an earlier message with another number of copies."""
    shop, book = rng.choice(house.shops), rng.choice(house.books)
    copies, former = rng.sample(range(12, 160), 2)
    discount = rng.randint(20, 45)

    def entered(number: int) -> Errand:
        change = call(
            "create_order", changes=True, shop_id=shop.id, isbn=book.id, copies=number, discount_percent=discount
        )  # fmt: skip
        return Errand(looked_up(shop, book), (change,), f"the order of {shop.name} for {number} copies of {book.name} is in")

    errand = entered(copies)
    words = rng.choice(
        (
            "Please enter an order of {shop}: {copies} copies of {book} at {discount} per cent discount.",
            "{shop} would like {copies} copies of {book}, with {discount} per cent off. Enter the order, please.",
        )
    )
    request, earlier = (
        words.format(shop=shop.name, book=book.name, discount=discount, copies=number) for number in (copies, former)
    )
    faulty = {
        "quoted_mail_followed": scripts([entered(former).but()] * 2, rng),
        "number_spelling": scripts([errand.but(decisive=False, discount_percent=float(discount))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, express=False)] * 2, rng),
    }
    why = [f"{shop.name}: {number} copies of {book.name}, {discount} % off" for number in (copies, copies + 10)]
    return task_of(index, "orders", with_quote(request, earlier, rng), errand, entered(copies + 10), why, faulty, house, rng)


def reprint(index: int, house: House, rng: Random) -> Task:
    """A book is reprinted if few copies are left and gets a note otherwise, which is what it mostly comes to."""
    book, note, number = rng.choice(house.books), rng.choice(_NOTES), 100 * rng.randint(4, 20)
    few = rng.random() < 0.1
    limit = book.copies + rng.randint(1, 20) if few else book.copies - rng.randint(0, 20)
    order = call("order_reprint", changes=True, isbn=book.id, copies=number)
    remark = call("add_note", changes=True, isbn=book.id, text=note)
    reads = (*looked_up(book), call("get_stock", isbn=book.id))
    ordered = Errand(reads, (order,), f"{number} copies of {book.name} are on order")
    noted = Errand(reads, (remark,), f"{book.name} has the note on file")
    right, wrong = (ordered, noted) if few else (noted, ordered)
    request = rng.choice(
        (
            f'If fewer than {limit} copies of {book.name} are in stock, order a reprint of {number}. If not, just put the note "{note}" on its file.',
            f'Check the stock of {book.name}: below {limit} copies it is to be reprinted ({number} copies), with {limit} or more it only gets a note, "{note}".',
        )
    )
    both = (
        Errand(reads, (order, remark), f"{number} copies of {book.name} are on order, and the note is on file"),
        Errand(reads, (remark, order), f"{book.name} has its note, and {number} copies are on order"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng)
    }
    if not few:
        faulty["condition_unchecked"] = tuple(ordered.unread(rng, "get_stock") for _ in range(2))
    did = {True: f"reprint of {number}", False: "note"}
    why = [f"{book.name}: {book.copies} in stock, limit {limit}, so {did[case]}" for case in (few, not few)]
    return task_of(index, "reprints", request, right, wrong, why, faulty, house, rng)
