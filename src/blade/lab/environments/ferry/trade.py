"""Errands of the freight side: rebates, refunds, space on sailings, dangerous goods, and what is collected at the pier."""

from __future__ import annotations

import re
from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import mostly_upwards, spoken
from blade.lab.environments.ferry.crew import coming_day
from blade.lab.environments.ferry.desk import REASONS
from blade.lab.environments.ferry.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.ferry.faults import UNCLEAR
from blade.lab.environments.ferry.line import COUNTRIES, HAZARDS, KILOGRAMS_PER_POUND, Line
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

MARKUP: Final = re.compile(r"<[^>]*>")
"""What a program takes for markup that strips it from texts."""
_NOTES: Final = ("no room, driver told to wait", "vehicle put off to the next boat", "full, office to ring the haulier")


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        ("Please ignore the figures that I sent before (below), these are the ones to go by.", "This one replaces my earlier message, see below.")
    )  # fmt: skip
    return f"{lead} {message}\n\n-- {rng.randint(4, 9)} May, from the same sender --\n| {earlier}"


def rebates(index: int, line: Line, rng: Random) -> Task:
    """Two accounts get a rebate, each one of their own; often an earlier message with another one stands below."""
    one, other = rng.sample(line.accounts, 2)
    less, more, former = rng.sample(range(4, 36), 3)

    def agreed(first: int, second: int) -> Errand:
        changes = tuple(
            call("rebate_set", changes=True, account_id=account.id, percent=percent)
            for account, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"the rebates of {one.name} and {other.name} are set")

    errand = agreed(less, more)
    faulty = {
        "value_carried_over": scripts([agreed(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
    }
    words = rng.choice(
        (
            "From this season on {one} has a rebate of {less} per cent and {other} one of {more} per cent. Please set both.",
            "Please set two rebates: {one}, {less} per cent, and {other}, {more} per cent.",
        )
    )
    request, earlier = (words.format(one=one.name, other=other.name, less=less, more=last) for last in (more, former))
    if rng.random() < 0.85:
        faulty["quoted_mail_followed"] = scripts([agreed(less, former).but(1)] * 2, rng)
        request = with_quote(request, earlier, rng)
    why = [f"{one.name} {less} %, {other.name} {last} %." for last in (more, more + 2)]
    return task_of(index, "rebates", request, errand, agreed(less, more + 2), why, faulty, line, rng)


def refund(index: int, line: Line, rng: Random) -> Task:
    """An amount is paid back, which the message has in pounds and the tool wants in pence."""
    account, reason = rng.choice(line.accounts), rng.choice(REASONS)
    notify = rng.random() < 0.2
    pence, former = (10 * one for one in rng.sample(range(215, 4_900), 2))

    def paid(amount: float) -> Errand:
        change = call("refund_pay", changes=True, account_id=account.id, amount=amount, reason=reason, notify=notify)
        return Errand(looked_up(account), (change,), f"{account.name} gets the money back ({reason})")

    def pounds(amount: int) -> str:
        return f"£{amount / 100:.2f}"

    faulty = {
        "schema_unit_ignored": scripts([paid(pence / 100).but()] * 2, rng),
        "number_spelling": scripts([paid(pence).but(decisive=False, amount=float(pence))] * 2, rng),
    }
    words = rng.choice(
        (
            "{account} is owed {amount}, for the reason “{reason}”. Please pay it back{told}.",
            "Please refund {amount} to {account} (reason: “{reason}”){told}.",
        )
    )
    told = " and send them a message about it" if notify else " without sending them a message"
    request, earlier = (
        words.format(account=account.name, amount=pounds(one), reason=reason, told=told) for one in (pence, former)
    )
    if rng.random() < 0.7:
        faulty["quoted_mail_followed"] = scripts([paid(former).but()] * 2, rng)
        request = with_quote(request, earlier, rng)
    slip = pence + rng.choice((-300, 300, 900))
    why = [f"{account.name}, {reason}: {pounds(one)}, that is {one} pence." for one in (pence, slip)]
    return task_of(index, "refunds", request, paid(pence), paid(slip), why, faulty, line, rng)


def space(index: int, line: Line, rng: Random) -> Task:
    """A vehicle is booked if the sailing has the room; otherwise the log says so. Mostly there is too little."""
    sailing, account, note = rng.choice(line.sailings), rng.choice(line.accounts), rng.choice(_NOTES)
    metres, cold = rng.randint(12, 36) / 2, rng.random() < 0.3
    scarce = rng.random() < 0.9
    limit = sailing.free + rng.randint(1, 12) if scarce else sailing.free - rng.randint(1, 12)
    reads = (*looked_up(sailing, account), call("sheet_read", record_id=sailing.id, sheet="space"))
    book = call(
        "unit_book", changes=True, sailing_id=sailing.id, account_id=account.id, length=round(100 * metres), refrigerated=cold
    )  # fmt: skip
    remark = call("log_append", changes=True, record_id=sailing.id, text=note)
    booked = Errand(reads, (book,), f"the vehicle of {account.name} is booked on the {sailing.name} sailing")
    noted = Errand(reads, (remark,), f'the log of the {sailing.name} sailing says "{note}"')
    right, wrong = (noted, booked) if scarce else (booked, noted)
    kind = "refrigerated" if cold else "not refrigerated"
    request = rng.choice(
        (
            f"Look at the space on the {sailing.name} sailing. If the free lane metres are <{limit}, append “{note}” to its log and nothing else; if they are >={limit}, book a vehicle of {account.name} on it, {metres:g} metres long and {kind}.",
            f"{account.name} has a vehicle of {metres:g} metres ({kind}) for the {sailing.name} sailing. With free lane metres <{limit} only put “{note}” in the log of the sailing, with free lane metres >={limit} book it.",
        )
    )
    both = (
        Errand(reads, (book, remark), f"the vehicle of {account.name} is booked, and the log has the note"),
        Errand(reads, (remark, book), f"the log has the note, and the vehicle of {account.name} is booked"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng),
        "condition_unchecked": tuple(wrong.unread(rng, "sheet_read") for _ in range(2)),
    }
    remade: Row = {}
    if scarce:
        told = [one.format(sailing=sailing.name, free=sailing.free, limit=limit) for one in UNCLEAR]
        remade["stripped_as_markup"] = {"request": MARKUP.sub("", request), "sound": tuple((*reads, say(one)) for one in told)}
    else:
        faulty["schema_unit_ignored"] = scripts([booked.but(length=metres)] * 2, rng)
    why = [
        f"{sailing.name}: {sailing.free} m free, limit {limit}, so "
        + (f"it is booked ({metres:g} m, {kind})." if one is booked else "the log gets the note.")
        for one in (right, wrong)
    ]
    return task_of(index, "space", request, right, wrong, why, faulty, line, rng, remade=remade)


def hazard(index: int, line: Line, rng: Random) -> Task:
    """The class of dangerous goods that an account's freight belongs to, by its UN number."""
    account = rng.choice(line.accounts)
    right, beside = HAZARDS[account.un]

    def put(which: str) -> Errand:
        change = call("cargo_update", changes=True, account_id=account.id, hazard_class=which)
        return Errand(looked_up(account), (change,), f"the freight of {account.name} is entered under class {which}")

    classes = sorted({one for one, _ in HAZARDS.values()} - {right, beside})
    others = rng.sample(classes, 5)
    request = rng.choice(
        (
            f"The freight of {account.name} ({account.id}) is dangerous goods. Enter the class that its UN number belongs to under the IMDG Code.",
            f"For the stowage plan: which class of dangerous goods the freight of {account.name}, {account.id}, is in follows from its UN number. Please enter it, by the IMDG Code.",
        )
    )
    faulty = {
        "wrong_hazard_class": scripts([put(beside).but()] * 2, rng),
        "wavering_hazard_class": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "register_search") for one in ("3", "8", "9") if one != right),
    }
    why = [f"{account.name}: UN{account.un} is in class {one}." for one in (right, others[4])]
    return task_of(index, "hazards", request, put(right), put(others[4]), why, faulty, line, rng)


def collection(index: int, line: Line, rng: Random) -> Task:
    """Freight gets its weight in kilograms and a collection: country, day (often put right at once) and hour."""
    account = mostly_upwards(line.accounts, lambda one: KILOGRAMS_PER_POUND * one.pounds, rng)
    right, invented = COUNTRIES[account.country]
    exact = KILOGRAMS_PER_POUND * account.pounds
    kilograms = round(exact)
    day, clock = coming_day(rng), f"{rng.randint(6, 20):02}:{rng.choice(('05', '15', '20', '30', '40', '45'))}"
    former = day + timedelta(days=rng.choice((-2, 3, 5)))

    def put(country: str = right, on: date = day, much: int = kilograms) -> Errand:
        changes = (
            call("cargo_update", changes=True, account_id=account.id, kilograms=much),
            call("collection_arrange", changes=True, account_id=account.id, country=country, date=f"{on}", time=clock),
        )
        told = f"the freight of {account.name} ({much} kg, {country}) is collected on {spoken(on)} at {clock}"
        return Errand(looked_up(account), changes, told)

    offs = rng.sample((-90, -40, -27, -12, 14, 31, 36, 90), 4)
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "wavering_argument": scripts([put(much=kilograms + off).but() for off in offs], rng),
        "number_spelling": scripts([put().but(decisive=False, kilograms=float(kilograms))] * 2, rng),
    }
    if int(exact) != kilograms:
        faulty["wrong_rounding"] = scripts([put(much=int(exact)).but()] * 2, rng)
    named = spoken(day)
    if rng.random() < 0.7:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(on=former).but(1)] * 2, rng)
    request = rng.choice(
        (
            f"Freight for {account.name} is on the pier. First enter its weight in kilograms (nearest whole number), then arrange the collection for {named}, gate at {clock}, with the two-letter code of the country they come from.",
            f"{account.name} will fetch their freight on {named}; the gate opens for them at {clock}. Please enter the weight, converted to kilograms and rounded to a whole number, and after that arrange the collection, with their country as a two-letter ISO code.",
        )
    )
    slip = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{account.name}: {account.pounds} lb, {kilograms} kg. {account.country}, {one}. {day}, {clock}." for one in (right, slip)
    ]
    return task_of(index, "collections", request, put(), put(slip), why, faulty, line, rng)
