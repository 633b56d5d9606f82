"""Errands with claims: reserves, assessors, papers that are asked for, and files that are closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from random import Random

from blade.lab.environments.insurer.book import PAPERS, TODAY, Assessor, Book, Claim, continental, euros, spoken
from blade.lab.environments.insurer.errands import Errand, corrected, found, opened, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Script, Task, call


def _reserve(claim: Claim, cents: int, head: str = "indemnity") -> Move:
    return call("reserves__post", changes=True, claim_ref=claim.ref, head=head, amount=euros(cents))


def _put_right(move: Move, rng: Random) -> Move:
    """A change that is made again after its date was turned down."""
    return replace(move, thought=rng.choice(("The date has to be written the ISO way.", "It wants the date as YYYY-MM-DD.")))


def reserve(index: int, book: Book, rng: Random) -> Task:
    """One reserve; now and then the amount is put right in the same breath."""
    claim, head = rng.choice(book.claims), rng.choice(("indemnity", "expenses"))
    cents = 100 * rng.randint(1_100, 9_400) + rng.randint(5, 95)
    former = cents + 100 * rng.choice((-450, -200, 300, 750))

    def posted(amount: int, opening: bool = False) -> Errand:
        reads = opened(claim) if opening else found(claim)
        return Errand(reads, (_reserve(claim, amount, head),), f"the {head} reserve of {claim.ref} is {spoken(amount)}")

    errand = posted(cents)
    faulty = {"default_spelled_out": scripts([errand.but(decisive=False, currency="EUR")] * 2, rng)}
    named = spoken(cents)
    if rng.random() < 0.85:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([posted(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"{claim.holder} / {claim.peril}: the {head} reserve should stand at {named}. Please post it.",
            f"Please set the {head} reserve on the {claim.peril} claim of {claim.holder} to {named}.",
        )
    )
    comments = tuple(f"{claim.ref}, {head}: {continental(one)}" for one in (cents, former))
    return task_of(
        index, "reserving", request, errand, posted(former), (comments[0], comments[1]), faulty, book, rng,
        also=[posted(cents, opening=True)],
    )  # fmt: skip


def reserves(index: int, book: Book, rng: Random) -> Task:
    """Two claims of one holder, each with an amount of its own."""
    holder = rng.choice(book.policies).holder
    first, second = rng.sample(book.of_holder(holder), 2)
    low, high = (100 * rng.randint(*span) + rng.randint(5, 95) for span in ((900, 3_900), (4_200, 9_800)))

    def posted(one: int, other: int) -> Errand:
        moves = (_reserve(first, one), _reserve(second, other))
        return Errand(found(first), moves, f"the indemnity reserves of {first.ref} and {second.ref} are posted")

    errand = posted(low, high)
    faulty = {"value_carried_over": scripts([posted(low, low).but(1)] * 2, rng)}
    request = rng.choice(
        (
            f"Two indemnity reserves for {holder}, please: {spoken(low)} on the {first.peril} claim and {spoken(high)} on the {second.peril} claim.",
            f"Policyholder {holder}. Indemnity reserve {first.peril}: {spoken(low)}. Indemnity reserve {second.peril}: {spoken(high)}. Post both.",
        )
    )  # fmt: skip
    slip = high + 10_000
    comments = tuple(f"{first.ref}: {continental(low)}; {second.ref}: {continental(one)}" for one in (high, slip))
    return task_of(
        index, "reserving", request, errand, posted(low, slip), (comments[0], comments[1]), faulty, book, rng, also=[errand]
    )


def appoint(index: int, book: Book, rng: Random) -> Task:
    """One assessor if there is room on the desk, otherwise another one."""
    claim = rng.choice(book.claims)
    first, second = rng.sample([one for one in book.assessors if one.district == claim.district], 2)
    limit = first.open_files + rng.choice((-2, -1, 2, 3))
    day = TODAY + timedelta(days=rng.randint(3, 25))

    def appointed(one: Assessor, visit: str = day.isoformat()) -> Errand:
        reads = (*opened(claim), call("assessors__roster", district=claim.district))
        change = call("assessors__appoint", changes=True, claim_ref=claim.ref, assessor_id=one.id, visit_on=visit)
        return Errand(reads, (change,), f"{one.name} visits on {day.day} {day:%B} for {claim.ref}")

    right, wrong = (first, second) if first.open_files < limit else (second, first)
    errand = appointed(right)
    written = appointed(right, f"{day.day} {day:%B %Y}").changes[0]
    faulty = {
        "condition_unchecked": tuple(appointed(wrong).unread(rng, "assessors__roster") for _ in range(2)),
        "refusal_counted": scripts([replace(errand, changes=(written, _put_right(errand.changes[0], rng)))] * 2, rng),
    }
    request = rng.choice(
        (
            f"{claim.holder}, {claim.peril}: an assessor has to see this on {day.day} {day:%B}. Take {first.name} ({first.id}) if that desk has fewer than {limit} open files, otherwise {second.name} ({second.id}).",
            f"Appoint an assessor for the {claim.peril} claim of {claim.holder}, visit on {day.day} {day:%B %Y}. {first.name} ({first.id}) gets it with less than {limit} open files on the roster; if not, {second.name} ({second.id}).",
        )
    )  # fmt: skip
    comments = tuple(f"{first.name} has {first.open_files} files against {limit}: {one.id}" for one in (right, wrong))
    return task_of(
        index, "assignment", request, errand, appointed(wrong), (comments[0], comments[1]), faulty, book, rng, also=[errand]
    )


def papers(index: int, book: Book, rng: Random) -> Task:
    """Papers on a list are asked for, and only then the claim is suspended."""
    claim, wanted, days = rng.choice(book.claims), rng.sample(PAPERS, rng.randint(3, 4)), rng.choice((10, 14, 21, 28))
    due = TODAY + timedelta(days=days)

    def asked(kinds: Sequence[str], until: str = due.isoformat()) -> Errand:
        letter = call("documents__request", changes=True, claim_ref=claim.ref, kinds=list(kinds), due_on=until)
        status = call("claims__set_status", changes=True, claim_ref=claim.ref, status="suspended")
        return Errand(found(claim), (letter, status), f"{len(kinds)} papers are asked for and {claim.ref} is suspended")

    errand = asked(wanted)
    letter, status = errand.changes
    written = asked(wanted, f"{due.day} {due:%B %Y}").changes[0]
    turned = rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)
    faulty = {
        "set_as_list": scripts([asked(one) for one in turned], rng),
        "order_reversed": scripts([replace(errand, changes=(replace(status, decisive=True), letter))] * 2, rng),
        "refusal_counted": scripts([replace(errand, changes=(written, _put_right(letter, rng), status))] * 2, rng),
    }
    request = rng.choice(
        (
            f"We need the papers listed below from {claim.holder} for the {claim.peril} claim, due {days} days from today. Send the request first and suspend the claim after it: the letter quotes the status.",
            f"{claim.holder}, {claim.peril}: request every paper in the following list with a deadline of {days} days from today. Only once that is out, set the claim to suspended, because the letter prints the current status.",
        )
    )  # fmt: skip
    slip = [*wanted[:-1], next(one for one in PAPERS if one not in wanted)]
    comments = tuple(f"{claim.ref}: {', '.join(one)} by {due.day} {due:%B}, then suspended" for one in (wanted, slip))
    listed = "\n".join(f"* {one}" for one in wanted)
    return task_of(
        index, "correspondence", f"{request}\n\n{listed}", errand, asked(slip), (comments[0], comments[1]), faulty, book, rng,
        unattached=request, ordered=True, due_in=days, also=[replace(errand, reads=opened(claim))],
    )  # fmt: skip


def close(index: int, book: Book, rng: Random) -> Task:
    """All claims of a holder but for one."""
    claims = book.of_holder(rng.choice(book.policies).holder)
    kept = rng.choice(claims)

    def closed(some: Sequence[Claim]) -> Errand:
        moves = tuple(call("claims__set_status", changes=True, claim_ref=one.ref, status="closed") for one in some)
        return Errand(found(kept), moves, f"{len(some)} claims of {kept.holder} are closed")

    wanted = [one for one in claims if one is not kept]
    errand = closed(wanted)
    faulty: dict[str, tuple[Script, ...]] = {"exception_overlooked": scripts([closed(claims).but(claims.index(kept))] * 2, rng)}
    request = rng.choice(
        (
            f"{kept.holder} has withdrawn all claims except the one for {kept.peril}. Set the withdrawn ones to closed.",
            f"Please close the claims of {kept.holder}. The {kept.peril} one is in litigation and stays open.",
        )
    )
    slip = [one for one in claims if one is not wanted[0]]
    comments = tuple(f"To close: {', '.join(one.ref for one in some)}" for some in (wanted, slip))
    return task_of(index, "closure", request, errand, closed(slip), (comments[0], comments[1]), faulty, book, rng, also=[errand])
