"""Errands with money: amounts that are shared, net amounts that are grossed up, and overtime."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from blade.lab.environments.payroll.errands import Errand, looked_up, opened, task_of
from blade.lab.environments.payroll.files import Files
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

CURRENCIES: Final = {
    "JPY": ("yen", 0, 1_000), "KRW": ("won", 0, 10_000), "VND": ("dong", 0, 100_000), "KWD": ("Kuwaiti dinars", 3, 2),
    "TND": ("Tunisian dinars", 3, 20), "OMR": ("Omani rials", 3, 2),
}  # fmt: skip
"""What a currency is called, how many decimals its minor unit has, and what amounts are multiples of."""
MARKUP: Final = re.compile(r"<[^>]*>")
"""What a program takes for markup that strips it from texts."""
_NOTES: Final = ("overtime stays as time off", "no pay-out, balance too low", "hours left for the summer")
_UNCLEAR: Final = (
    "{who} has {hours} hours of overtime. What is to be done in that case is not in the message, which only has a case for {limit}. I entered nothing.",
    "A part of the sentence seems to have got lost: the message says what happens at {limit} hours, and {who} has {hours}. Nothing is paid or noted.",
    "The overtime of {who} is {hours} hours, for which I find no instruction, only one for {limit}. I left the file alone.",
)


def shared(index: int, files: Files, rng: Random) -> Task:
    """An amount in a currency without the usual minor unit is shared evenly by two employees."""
    one, other = rng.sample(files.employees, 2)
    currency = rng.choice(tuple(CURRENCIES))
    name, decimals, step = CURRENCIES[currency]
    whole = 2 * step * rng.randint(11, 90)

    def paid(each: int, last: int | None = None) -> Errand:
        changes = tuple(
            call("pay_one_off", changes=True, employee_id=who.id, currency=currency, amount_minor=much)
            for who, much in ((one, each), (other, each if last is None else last))
        )
        return Errand(looked_up(one, other), changes, f"the award in {name} is paid to {one.name} and {other.name}")

    half = whole // 2
    right = half * 10**decimals
    errand = paid(right)
    faulty: dict[str, tuple[Script, ...]] = {
        "total_for_each": scripts([paid(whole * 10**decimals).but()] * 2, rng),
        "minor_unit_blindness": scripts([paid(100 * half).but()] * 2, rng),
        "number_spelling": scripts([errand.but(at, decisive=False, amount_minor=float(right)) for at in (0, 1)], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, line="award")] * 2, rng),
    }
    request = rng.choice(
        (
            f"An award of {whole} {name} ({currency}) goes to {one.name} and {other.name} together. Split it evenly between the two, so that each gets half, and pay the halves in this order.",
            f"There is one award of {whole} {name} ({currency}) in all. It is shared in equal parts by {one.name} and {other.name}; please pay the first part to the former, then the second to the latter.",
        )
    )
    slip = right + right // 10
    why = [
        f"{whole} {currency} for both, {half} each. The minor unit has {decimals} decimals: {right} for {one.name}, {last} for {other.name}."
        for last in (right, slip)
    ]
    return task_of(index, "awards", request, errand, paid(right, slip), why, faulty, files, rng)


def net(index: int, files: Files, rng: Random) -> Task:
    """A net amount is grossed up for a flat tax, mostly above an earlier message with another amount."""
    who = rng.choice(files.employees)
    rate = rng.choice((20, 25, 40, 50))
    keeps, former = (one * (100 - rate) for one in rng.sample(range(2, 15), 2))

    def paid(cents: int) -> Errand:
        change = call("pay_one_off", changes=True, employee_id=who.id, currency="EUR", amount_minor=cents, line="allowance")
        return Errand(looked_up(who), (change,), f"{who.name} gets a gross allowance of {cents / 100:.2f} euros")

    def gross(euros: int) -> int:
        return 100 * euros * 100 // (100 - rate)

    right, added = gross(keeps), keeps * (100 + rate)
    offs = [
        right + off
        for off in rng.sample((-6_000, -3_500, -1_500, 1_000, 2_500, 4_500, 7_000), 7)
        if right + off not in (added, 100 * keeps)
    ]
    errand = paid(right)
    faulty: dict[str, tuple[Script, ...]] = {
        "grossed_up_by_adding": scripts([paid(added).but()] * 2, rng),
        "wavering_argument": scripts([paid(one).but() for one in offs[:4]], rng),
        "number_spelling": scripts([errand.but(decisive=False, amount_minor=float(right))] * 2, rng),
    }
    words = rng.choice(
        (
            "Please pay an allowance to {who} (line: allowance) that leaves {keeps} euros net. A flat tax of {rate} per cent is taken off the gross amount, so gross it up.",
            "An allowance for {who} (line: allowance): {keeps} euros have to remain after the flat tax, which is {rate} per cent of the gross amount. Enter the gross amount that this takes.",
        )
    )
    request, earlier = (words.format(who=who.name, keeps=one, rate=rate) for one in (keeps, former))
    if rng.random() < 0.9:
        faulty["quoted_mail_followed"] = scripts([paid(gross(former)).but()] * 2, rng)
        lead = rng.choice(
            ("Note the new amount; my mail below is void.", "My earlier mail, quoted below, had a wrong amount. This one counts.")
        )
        request = f"{lead} {request}\n\nOn Friday {rng.choice(('5 February', '29 January'))} I wrote:\n> {earlier}"
    why = [
        f"{who.name} keeps {keeps} euros of a gross amount taxed at {rate} %, that is {one} cents." for one in (right, offs[4])
    ]
    return task_of(index, "allowances", request, errand, paid(offs[4]), why, faulty, files, rng, who)


def overtime(index: int, files: Files, rng: Random) -> Task:
    """Overtime is paid out if there is enough of it; otherwise the journal says why not. Mostly there is too little."""
    who, note, hours = rng.choice(files.employees), rng.choice(_NOTES), rng.randint(4, 10)
    scarce = rng.random() < 0.9
    limit = who.overtime + rng.randint(2, 15) if scarce else who.overtime - rng.randint(1, 10)
    reads = opened(who, "overtime")
    pay = call("pay_overtime", changes=True, employee_id=who.id, hours=hours)
    remark = call("add_journal_note", changes=True, employee_id=who.id, text=note)
    paid = Errand(reads, (pay,), f"{hours} hours of overtime are paid out to {who.name}")
    noted = Errand(reads, (remark,), f'the journal of {who.name} says "{note}"')
    right, wrong = (noted, paid) if scarce else (paid, noted)
    request = rng.choice(
        (
            f"Check the unpaid overtime of {who.name}. With <{limit} hours, just note “{note}” in the journal and pay nothing; with >={limit} hours, pay out {hours} of them and leave the journal alone.",
            f"About the overtime of {who.name}: should the balance be <{limit} hours, put the note “{note}” in the journal, that is all. Should it be >={limit} hours, pay out {hours} of them and write no note.",
        )
    )
    both = (
        Errand(reads, (pay, remark), f"{who.name} is paid {hours} hours of overtime, and the journal has the note"),
        Errand(reads, (remark, pay), f"the journal of {who.name} has the note, and {hours} hours of overtime are paid out"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng),
        "condition_unchecked": tuple(wrong.unread(rng, "open_file") for _ in range(2)),
    }
    remade: Row = {}
    if scarce:
        told = [one.format(who=who.name, hours=who.overtime, limit=limit) for one in _UNCLEAR]
        remade["stripped_as_markup"] = {"request": MARKUP.sub("", request), "sound": tuple((*reads, say(one)) for one in told)}
    why = [
        f"{who.name} has {who.overtime} hours and the limit is {limit}, so "
        + (f"{hours} hours are paid out." if one is paid else "only the note is written.")
        for one in (right, wrong)
    ]
    return task_of(index, "overtime", request, right, wrong, why, faulty, files, rng, remade=remade)
