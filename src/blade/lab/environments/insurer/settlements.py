"""Errands with money and wrecks: settlements under two kinds of retention, payments with a reference, and salvage categories."""

from __future__ import annotations

from random import Random

from blade.lab.environments.insurer.book import Book, Claim, Policy, continental, euros, spoken
from blade.lab.environments.insurer.desk import FINDINGS, finding_of
from blade.lab.environments.insurer.errands import Errand, found, opened, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call


def _settled(claim: Claim, cents: int) -> Errand:
    reads = (*opened(claim), call("policies__fetch", policy_no=claim.policy))
    pay = call("payments__release", changes=True, claim_ref=claim.ref, payee="policyholder", amount=euros(cents))
    status = call("claims__set_status", changes=True, claim_ref=claim.ref, status="settled")
    return Errand(reads, (pay, status), f"{spoken(cents)} went to {claim.holder} and {claim.ref} is settled")


def _settlement(
    index: int, claim: Claim, policy: Policy, right: int, faulty: dict[str, tuple[Script, ...]], book: Book, rng: Random
) -> Task:
    request = rng.choice(
        (
            f"Settle the {claim.peril} claim of {claim.holder}: pay the policyholder the assessor's estimate in line with the retention in the policy, then set the claim to settled.",
            f"{claim.holder}, {claim.peril}. The estimate is accepted. Pay out what is due to the policyholder under the policy's retention and mark the claim as settled.",
        )
    )  # fmt: skip
    errand, careless = _settled(claim, right), _settled(claim, right - 5_000)
    words = policy.retention.replace("_", " ")
    terms = f"Estimate {continental(claim.estimate)}, {words} of {continental(100 * policy.retained)}"
    comments = tuple(f"{terms}: {continental(one)} is due on {claim.ref}" for one in (right, right - 5_000))
    return task_of(
        index, "settlement", request, errand, careless, (comments[0], comments[1]), faulty, book, rng, also=[errand]
    )  # fmt: skip


def settle(index: int, book: Book, rng: Random) -> Task:
    """The estimate less the excess."""
    claim, policy = rng.choice(book.under("excess"))
    guesses = [_settled(claim, claim.estimate - one) for one in (25_000, 50_000)]
    faulty = {"skipped_lookup": tuple(one.unread(rng, "policies__fetch") for one in guesses)}
    return _settlement(index, claim, policy, claim.estimate - 100 * policy.retained, faulty, book, rng)


def franchise(index: int, book: Book, rng: Random) -> Task:
    """The whole estimate: an integral franchise is not taken off what exceeds it."""
    claim, policy = rng.choice(book.under("integral_franchise"))
    deducted = _settled(claim, claim.estimate - 100 * policy.retained)
    return _settlement(
        index, claim, policy, claim.estimate, {"franchise_deducted": scripts([deducted.but()] * 2, rng)}, book, rng
    )


def check_digits(reference: str) -> int:
    """By ISO 11649: digits and letters as numbers, RF00 moved to the end, and the remainder of 97 is 1."""
    return 98 - int(f"{reference}271500") % 97


def invoice(index: int, book: Book, rng: Random) -> Task:
    """A payment that quotes an invoice as a creditor reference, whose check digits no tool works out."""
    claim = rng.choice(book.claims)
    number = str(rng.randint(10**8, 10**9 - 1))
    cents = 100 * rng.randint(320, 2_900) + rng.randint(5, 95)
    right = check_digits(number)

    def paid(check: int) -> Errand:
        reference = f"RF{check:02d}{number}"
        pay = call(
            "payments__release", changes=True, claim_ref=claim.ref, payee="repairer", amount=euros(cents), creditor_ref=reference
        )
        return Errand(found(claim), (pay,), f"the repairer gets {spoken(cents)} on {claim.ref}, reference {reference}")

    errand = paid(right)
    others = rng.sample([one for one in range(3, 98) if one != right], 5)
    faulty = {"wavering_check_digits": scripts([paid(one).but() for one in others[:4]], rng)}
    request = rng.choice(
        (
            f"Pay the repairer {spoken(cents)} on the {claim.peril} claim of {claim.holder}. The invoice number is {number}; quote it as an RF creditor reference (ISO 11649).",
            f"{claim.holder}, {claim.peril}: release {spoken(cents)} to the repairer. Payment reference: their invoice {number} in ISO 11649 form (RF with check digits).",
        )
    )  # fmt: skip
    comments = tuple(f"{claim.ref}: {continental(cents)}, reference RF{one:02d}{number}" for one in (right, others[4]))
    return task_of(
        index, "disbursement", request, errand, paid(others[4]), (comments[0], comments[1]), faulty, book, rng, also=[errand]
    )


def salvage(index: int, book: Book, rng: Random) -> Task:
    """The category that follows from what the assessor found; no tool knows the code."""
    claim = rng.choice(book.collisions)
    right, former = FINDINGS[finding_of(claim)]

    def marked(category: str) -> Errand:
        change = call("claims__mark_salvage", changes=True, claim_ref=claim.ref, category=category)
        return Errand(opened(claim), (change,), f"the vehicle of {claim.ref} is in category {category}")

    errand = marked(right)
    others = rng.sample([one for one in "ABXUSN" if one != right], 4)
    faulty = {
        "wrong_rule": scripts([marked(former).but()] * 2, rng),
        "wavering_argument": scripts([marked(one).but() for one in others], rng),
    }
    request = rng.choice(
        (
            f"The vehicle in the {claim.peril} file of {claim.holder} is a constructive total loss. Record its category under the ABI salvage code in force, going by the assessor's finding.",
            f"{claim.holder}, {claim.peril}: salvage category still missing. Read the assessor's finding on the vehicle and enter the letter of the current ABI Code of Practice.",
        )
    )  # fmt: skip
    comments = tuple(f"{claim.ref}: {finding_of(claim)} is category {one}" for one in (right, others[0]))
    return task_of(
        index, "salvage", request, errand, marked(others[0]), (comments[0], comments[1]), faulty, book, rng, also=[errand]
    )
