"""Errands for workshops and owners: charges, and articles that are released or held back."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.assay.errands import Errand, looked_up, task_of
from blade.lab.environments.assay.register import Register
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

_NOTES: Final = ("below the limit, ask the sponsor", "second test with fresh scrapings", "owner to be told by the counter")


def charges(index: int, register: Register, rng: Random) -> Task:
    """Two workshops are charged, each an amount of its own."""
    one, other = rng.sample(register.workshops, 2)
    less, more = sorted(rng.sample(range(18, 240), 2))

    def charged(first: int, second: int) -> Errand:
        changes = tuple(
            call("Ledger-charge", changes=True, workshop=shop.id, amount=amount)
            for shop, amount in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"{one.name} and {other.name} are charged for their last pieces")

    errand = charged(less, more)
    request = rng.choice(
        (
            f"Last pieces, to be charged: {less} pounds to {one.name} and {more} pounds to {other.name}.",
            f"Please charge {one.name} {less} pounds and {other.name} {more} pounds, for what they had tested last week.",
        )
    )
    faulty = {
        "value_carried_over": scripts([charged(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, amount=float(more))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, by_post=False)] * 2, rng),
    }
    why = [f"{one.name} pays {less}, {other.name} pays {last}" for last in (more, more + 5)]
    return task_of(index, "charges", request, errand, charged(less, more + 5), why, faulty, register, rng)


def verdict(index: int, register: Register, rng: Random) -> Task:
    """An article is released if its reading is high enough and held back otherwise, which is what it mostly comes to."""
    article, note = rng.choice(register.articles), rng.choice(_NOTES)
    enough = rng.random() < 0.1
    limit = article.reading - rng.randint(0, 3) if enough else article.reading + rng.randint(1, 6)
    release = call("Stock-release", changes=True, article=article.id)
    hold = call("Stock-hold", changes=True, article=article.id, note=note)
    reads = (*looked_up(article), call("Stock-read_spectrum", article=article.id))
    released = Errand(reads, (release,), f"the {article.name} is released")
    held = Errand(reads, (hold,), f"the {article.name} is held back")
    right, wrong = (released, held) if enough else (held, released)
    request = rng.choice(
        (
            f'If the spectrometer found at least {limit} parts per thousand in the {article.name}, release it. If it found less, hold it back instead, with the note "{note}".',
            f'Look at the reading of the {article.name}: with {limit} parts per thousand or more it is released, with anything below that it is held back, note "{note}".',
        )
    )  # fmt: skip
    both = (
        Errand(reads, (release, hold), f"the {article.name} is released, and the note is on it"),
        Errand(reads, (hold, release), f"the {article.name} has its note and is released"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng)
    }
    if not enough:
        faulty["condition_unchecked"] = tuple(released.unread(rng, "Stock-read_spectrum") for _ in range(2))
    did = {True: "released", False: "held back"}
    why = [f"{article.name}: {article.reading} found, {limit} wanted, {did[case]}" for case in (enough, not enough)]
    return task_of(index, "verdict", request, right, wrong, why, faulty, register, rng)
