"""Questions in a claims office: what was paid, premiums, days, weeks, local times, and where a vehicle is from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from blade.lab.environments.insurer.book import SIGNS, Book, Claim, continental
from blade.lab.environments.insurer.errands import SYSTEM, elsewhere, found, gold_of, opened
from blade.lab.stage.errand import made
from blade.lab.stage.script import Row, Script, Task, call, say

OFFSETS: Final = {
    "Lisbon": (1, 0),
    "Warsaw": (2, 1),
    "Athens": (3, 2),
    "Helsinki": (3, 2),
    "New York": (-4, -5),
    "Denver": (-6, -7),
}
"""Hours ahead of UTC between June and October, and in winter."""
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = ("", "From the file:\n", "Here is the information requested.\n\n", "Looked up as asked.\n", "Answer to the ticket:\n\n")
_UNLOOKED = ("This is a standard case.\n", "I can answer this without the file.\n\n", "")
_UNDECIDED = ("case_compared",)
"""Kinds where the agent did nothing wrong."""


def _reply(lead: str, answer: str) -> str:
    return lead + json.dumps({"answer": answer}, ensure_ascii=False)


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(_reply(next(leads), answer), decisive=decisive)) for answer in answers)


def _task(
    index: int, category: str, request: str, reads: Script, right: str, careless: str, why: str, book: Book, rng: Random,
    known: dict[str, Iterable[str]], guesses: Iterable[str] = (), options: Sequence[Row] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer.

    `guesses` are the wrong answers of those who look nothing up.
    """
    named = {one["key"]: one["text"] for one in options or ()}

    def gold(answer: str, told: str) -> Row:
        return gold_of(category, why.format(named.get(told, told)), reply=answer, options=options)

    faulty = {name: _told(reads, answers, rng, name not in _UNDECIDED) for name, answers in known.items()}
    if guesses:
        faulty["answered_unread"] = tuple((say(_reply(rng.choice(_UNLOOKED), one), decisive=True),) for one in guesses)
    return Task(
        index, category, SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold(right, right), faulty,
        elsewhere(book, made(reads[0]).arguments["policyholder"], rng), other_gold=gold(careless, careless),
        other_script=_told(reads, [careless], rng, decisive=False)[0], contradicted_gold=gold(careless, right),
    )  # fmt: skip


def _named(claim: Claim) -> str:
    return f"the {claim.peril} claim of {claim.holder}"


def paid(index: int, book: Book, rng: Random) -> Task:
    """What a claim has cost so far."""
    claim = rng.choice(book.claims)
    total = sum(claim.paid)
    right, *slips = (
        f"{(total + off) / 100:.2f}" for off in (0, *rng.sample((-10_000, -1_000, -900, -90, 100, 110, 1_000, 9_000), 5))
    )
    request = rng.choice(
        (
            f"How much has been paid on {_named(claim)} so far, in euros with two decimals?",
            f"Please total the payments on {_named(claim)} (euros, two decimals, digits only).",
        )
    )
    reads = (*found(claim), call("claims__ledger", claim_ref=claim.ref))
    why = f"{claim.ref}: {' + '.join(map(continental, claim.paid))} = {{}}"
    return _task(
        index, "payments_total", request, reads, right, slips[4], why, book, rng, {"wavering_total": slips[:4]},
        rng.sample(("1500.00", "2250.00", "3000.00"), 2),
    )  # fmt: skip


def premium(index: int, book: Book, rng: Random) -> Task:
    """A premium from a rate in thousandths."""
    claim = rng.choice(book.claims)
    policy = next(one for one in book.policies if one.number == claim.policy)
    amount = policy.insured * policy.rate / 1000
    slips = [f"{amount + off:.2f}" for off in rng.sample((-90.0, -45.5, -18.0, 12.6, 27.0, 54.0, 81.0), 5)]
    request = rng.choice(
        (
            f"What annual premium follows from the sum insured and the rate of the policy behind {_named(claim)}? Euros, two decimals.",
            f"{claim.holder} asks for the yearly premium of the policy under which {claim.peril} was claimed. Work it out from sum insured and rate (euros, two decimals).",
        )
    )  # fmt: skip
    reads = (*found(claim), call("policies__fetch", policy_no=claim.policy))
    why = f"{policy.insured} at {policy.rate}\N{PER MILLE SIGN} is {{}}"
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{amount * 10:.2f}"] * 2, "scattered_numbers": slips[:4]}
    return _task(
        index, "premium", request, reads, f"{amount:.2f}", slips[4], why, book, rng, known, rng.sample(("480.00", "650.00", "725.00"), 2)
    )  # fmt: skip


def weekday(index: int, book: Book, rng: Random) -> Task:
    """The day of the week of a loss."""
    claim = rng.choice(book.claims)
    right = _WEEKDAYS[claim.happened.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"On what day of the week did the loss in {_named(claim)} happen?",
            f"The statement form asks for the weekday of the loss. Which one is it for {_named(claim)}?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{claim.ref}: {claim.happened} was a {{}}"
    return _task(index, "loss_day", request, found(claim), right, others[4], why, book, rng, known)


def sevens(claim: Claim) -> int:
    """The week by a plain count from 1 January."""
    return (claim.happened.timetuple().tm_yday - 1) // 7 + 1


def week(index: int, book: Book, rng: Random) -> Task:
    """The ISO week of a loss, where a plain count of sevens gives another one."""
    claim = rng.choice([one for one in book.claims if sevens(one) != one.happened.isocalendar().week])
    number = claim.happened.isocalendar().week
    slips = [
        str(one) for one in rng.sample([one for one in range(number - 5, number + 6) if one not in (number, sevens(claim))], 4)
    ]
    request = rng.choice(
        (
            f"Statistics are kept by ISO week. Which ISO week number does the loss date of {_named(claim)} fall in?",
            f"Give the ISO 8601 week (number only) of the loss in {_named(claim)}.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(sevens(claim))] * 2, "scattered_numbers": slips[:3]}
    why = f"{claim.ref}: {claim.happened} is in ISO week {{}}"
    return _task(index, "loss_week", request, found(claim), str(number), slips[3], why, book, rng, known)


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def notice(index: int, book: Book, rng: Random) -> Task:
    """When a claim was notified by the clocks of a city."""
    claim, city = rng.choice(book.claims), rng.choice(tuple(OFFSETS))
    minutes = 60 * claim.notified.hour + claim.notified.minute
    right, other = (_clock(minutes + 60 * offset) for offset in OFFSETS[city])
    request = rng.choice(
        (
            f"The policyholder was in {city} when {_named(claim)} was notified. What time was it there? HH:MM, 24 hours.",
            f"At what local time in {city} did the notification of {_named(claim)} come in? Answer as HH:MM.",
        )
    )
    why = f"{claim.ref}: {claim.notified:%Y-%m-%d %H:%M} UTC is {{}} in {city}"
    careless = _clock(minutes + 180 + 60 * OFFSETS[city][0])
    return _task(index, "notification_time", request, opened(claim), right, careless, why, book, rng, {"wrong_zone": [other] * 2})


def origin(index: int, book: Book, rng: Random) -> Task:
    """A choice: which country the sign on the other vehicle belongs to."""
    claim = rng.choice(book.collisions)
    name = SIGNS[claim.sign]
    texts = rng.sample([name, *rng.sample([one for one in SIGNS.values() if one != name], 3)], 4)
    options = [{"key": key, "text": text} for key, text in zip("abcd", texts, strict=True)]
    right = "abcd"[texts.index(name)]
    others = rng.sample([key for key in "abcd" if key != right], 3)
    request = rng.choice(
        (
            f"Where is the other vehicle in {_named(claim)} registered, going by its distinguishing sign? Answer with the letter.",
            f"Which country's distinguishing sign does the other vehicle in {_named(claim)} carry? One letter, please.",
        )
    )
    listed = "\n".join(f"({one['key']}) {one['text']}" for one in options)
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    why = f"{claim.ref}: {claim.sign} is {{}}"
    return _task(
        index, "vehicle_origin", f"{request}\n{listed}", opened(claim), right, others[1], why, book, rng, known, options=options
    )  # fmt: skip
