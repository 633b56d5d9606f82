"""Errands with money and dates: charges that are levied or waived, tax on a fee, notices, and fairs that go by a feast."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import easter
from blade.lab.environments.market.errands import Errand, looked_up, task_of
from blade.lab.environments.market.register import FEASTS, Charge, Register, pounds, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Task, call

VAT: Final = {
    "Hungary": (27, 25), "Luxembourg": (17, 15), "Germany": (19, 16), "Poland": (23, 22), "Portugal": (23, 21), "Italy": (22, 20),
    "Greece": (24, 23), "Croatia": (25, 23), "Cyprus": (19, 15),
}  # fmt: skip
"""Standard rates of value added tax, and what they were before."""
_REASONS: Final = ("a broken barrier", "a blocked gangway", "the wash-down", "a replaced lock")


def _levy(trader: str, what: str, amount: float) -> Move:
    return call("ledger.levy", changes=True, trader=trader, what=what, amount=amount)


def levies(index: int, register: Register, rng: Random) -> Task:
    """Two traders are charged, each with an amount of its own."""
    one, other = rng.sample(register.traders, 2)
    what, (less, more) = rng.choice(_REASONS), sorted(rng.sample([half / 2 for half in range(25, 130, 3)], 2))

    def levied(first: float, second: float) -> Errand:
        moves = (_levy(one.id, what, first), _levy(other.id, what, second))
        return Errand(looked_up(one, other), moves, f"{one.name} and {other.name} are charged for {what}")

    errand = levied(less, more)
    faulty = {"value_carried_over": scripts([levied(less, less).but(1)] * 2, rng)}
    request = rng.choice(
        (
            f'Two charges for "{what}": {one.name} pays {pounds(less)}, {other.name} pays {pounds(more)}.',
            f'Please charge {one.name} {pounds(less)} and {other.name} {pounds(more)}, both for "{what}".',
        )
    )
    gloss = tuple(f"{one.name}: {pounds(less)}, {other.name}: {pounds(last)}" for last in (more, more + 5))
    return task_of(index, "charges", request, errand, levied(less, more + 5), (gloss[0], gloss[1]), faulty, register, rng)


def waive(index: int, register: Register, rng: Random) -> Task:
    """All charges of a trader but for one are dropped; setting them to nothing does the same."""
    who = rng.choice(register.traders)
    charges = register.charges_of(who.id)
    kept = rng.choice(charges)

    def dropped(some: Sequence[Charge], to_nothing: bool = False) -> Errand:
        moves = tuple(
            call("ledger.adjust", changes=True, charge=one.id, amount=0)
            if to_nothing
            else call("ledger.waive", changes=True, charge=one.id)
            for one in some
        )
        return Errand(
            (*looked_up(who), call("ledger.charges", trader=who.id)), moves, f"{len(some)} charges of {who.name} are gone"
        )

    wanted = [one for one in charges if one is not kept]
    faulty = {
        "exception_overlooked": scripts([dropped(charges).but(charges.index(kept))] * 2, rng),
        "equivalent_tool": scripts([dropped(wanted, to_nothing=True)] * 2, rng),
    }
    request = rng.choice(
        (
            f"{who.name} had a bad spring and need not pay the open charges, apart from the one for {kept.what}, which stays.",
            f"Free {who.name} of all open charges. Only what is owed for {kept.what} is not let off.",
        )
    )
    slip = [one for one in charges if one is not wanted[0]]
    gloss = tuple(f"{who.name} still owes what is open for {left.what}, nothing else" for left in (kept, wanted[0]))
    return task_of(index, "charges", request, dropped(wanted), dropped(slip), (gloss[0], gloss[1]), faulty, register, rng, who)


def invoice(index: int, register: Register, rng: Random) -> Task:
    """The season's fee with the tax of a country, whose rate no tool knows."""
    who, country = rng.choice(register.traders), rng.choice(tuple(VAT))
    rate, former = VAT[country]

    def taxed(percent: int) -> float:
        return round(who.fee * (100 + percent) / 100, 2)

    def charged(amount: float) -> Errand:
        reads = (*looked_up(who), call("ledger.season_fee", trader=who.id))
        return Errand(reads, (_levy(who.id, "season fee", amount),), f"{who.name} is charged {pounds(amount)} for the season")

    others = rng.sample([one for one in range(12, 30) if one not in (rate, former)], 5)
    faulty = {
        "skipped_lookup": tuple(
            charged(one).unread(rng, "ledger.season_fee") for one in (300.0, 480.0, 550.0) if one != taxed(rate)
        ),
        "wrong_rule": scripts([charged(taxed(former)).but()] * 2, rng),
        "wavering_argument": scripts([charged(taxed(one)).but() for one in others[:4]], rng),
    }
    request = rng.choice(
        (
            f'{who.name} is registered for tax in {country}. Charge the season\'s fee with value added tax at that country\'s standard rate, as "season fee".',
            f'Levy the "season fee" on {who.name}: the net fee plus VAT, at the standard rate in {country}.',
        )
    )  # fmt: skip
    gloss = tuple(f"{who.name}: {who.fee} net and {one} % make {taxed(one):.2f}" for one in (rate, others[4]))
    return task_of(
        index, "tax", request, charged(taxed(rate)), charged(taxed(others[4])), (gloss[0], gloss[1]), faulty, register, rng, who
    )


def notice(index: int, register: Register, rng: Random) -> Task:
    """The last day for a notice that has to stand for so many clear days."""
    fair, clear = rng.choice(register.fairs), rng.choice((7, 10, 14, 21))

    def posted(days: int) -> Errand:
        on = fair.day - timedelta(days=days)
        change = call("calendar.notice", changes=True, fair=fair.id, day=f"{on}")
        return Errand((call("calendar.fair", name=fair.name),), (change,), f"the {fair.name} is announced on {spoken(on)}")

    request = rng.choice(
        (
            f"By the charter, {clear} clear days' notice must be given of the {fair.name}. Have it posted on the last day that will do.",
            f"Post the notice of the {fair.name} as late as the rule allows, which is {clear} clear days before the fair.",
        )
    )
    gloss = tuple(
        f"{clear} whole days between {fair.day - timedelta(days=one)} and {fair.day}, neither of which counts"
        for one in (clear + 1, clear + 4)
    )
    faulty = {"clear_days_as_days": scripts([posted(clear).but()] * 2, rng)}
    return task_of(index, "notice", request, posted(clear + 1), posted(clear + 4), (gloss[0], gloss[1]), faulty, register, rng)


def feast(index: int, register: Register, rng: Random) -> Task:
    """A fair goes by a feast that moves, in a year to come."""
    fair, year, name = rng.choice(register.fairs), rng.randint(2027, 2034), rng.choice(tuple(FEASTS))
    right = easter(year) + timedelta(days=FEASTS[name])

    def fixed(day: date) -> Errand:
        change = call("calendar.fix", changes=True, fair=fair.id, day=f"{day}")
        return Errand(
            (call("calendar.fair", name=fair.name),), (change,), f"the {fair.name} of {year} is fixed for {spoken(day)}"
        )

    others = [right + timedelta(days=off) for off in rng.sample((-28, -21, -14, -7, 7, 14, 21, 28), 5)]
    request = rng.choice(
        (
            f"In {year} the {fair.name} is to be held on {name}. Fix the day.",
            f"The council wants the {fair.name} on {name} in {year}; fix that date in the calendar.",
        )
    )
    gloss = tuple(f"{name} {year} falls on {one}, the day of the {fair.name}" for one in (right, others[4]))
    faulty = {"wavering_feast": scripts([fixed(one).but() for one in others[:4]], rng)}
    return task_of(index, "feast", request, fixed(right), fixed(others[4]), (gloss[0], gloss[1]), faulty, register, rng)
