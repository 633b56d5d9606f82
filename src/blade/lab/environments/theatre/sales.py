"""Errands of the box office and of the hire desk: discounts, online sale, shipments that go back."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.environments.draws import mostly_upwards, spoken
from blade.lab.environments.theatre.errands import Errand, corrected, looked_up, set_field, task_of
from blade.lab.environments.theatre.house import COUNTRIES, KILOGRAMS_PER_POUND, House
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

METRIC_POUND: Final = 0.5
"""Kilograms of what people on the Continent call a pound."""
_NOTES: Final = (
    "sells slowly, ask the schools",
    "keep the gallery closed for now",
    "leave the sale as it is, look again on Friday",
)


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        (
            "Please forget the numbers I sent before (see below) and use these.",
            "This takes the place of my earlier mail, quoted below.",
        )
    )
    return f"{lead} {message}\n\n> On {rng.randint(12, 16)} October I wrote:\n> {earlier}"


def discounts(index: int, house: House, rng: Random) -> Task:
    """Two productions get a discount, each one of its own, above an earlier message with another one for the second."""
    one, other = rng.sample(house.productions, 2)
    less, more, former = rng.sample(range(5, 45), 3)

    def given(first: int, second: int) -> Errand:
        changes = tuple(
            call("BoxOffice__set_discount", changes=True, production_id=show.id, percent=percent)
            for show, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"{one.name} and {other.name} have their discounts")

    errand = given(less, more)
    faulty = {
        "value_carried_over": scripts([given(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
        "quoted_mail_followed": scripts([given(less, former).but(1)] * 2, rng),
    }
    words = rng.choice(
        (
            "Members get {first} per cent off {one} and {second} per cent off {other}. Please set both discounts.",
            "Set the members' discount of {one} to {first} per cent and the one of {other} to {second} per cent, please.",
        )
    )
    earlier = words.format(one=one.name, other=other.name, first=less, second=former)
    request = with_quote(words.format(one=one.name, other=other.name, first=less, second=more), earlier, rng)
    first, second = errand.changes
    turned = replace(errand, changes=(second, first)).script(rng)
    by_turns = (*looked_up(one), first, *looked_up(other), second, errand.closing(rng))
    why = [f"{one.name} {less} %, {other.name} {last} %" for last in (more, more + 3)]
    return task_of(
        index, "discounts", request, errand, given(less, more + 3), why, faulty, house, rng, ways=(turned, by_turns)
    )  # fmt: skip


def sale(index: int, house: House, rng: Random) -> Task:
    """The online sale is switched or a note is made, by how many seats are left; mostly it comes to the switch."""
    show, note = rng.choice(house.productions), rng.choice(_NOTES)
    night = rng.choice(show.performances)
    low = rng.random() < 0.85
    limit = night.seats + rng.randint(2, 9) if low else night.seats - rng.randint(1, 6)
    reads = (*looked_up(show), call("BoxOffice__list_performances", production_id=show.id))
    switch = call("BoxOffice__set_online_sale", changes=True, production_id=show.id, state="off")
    remark = set_field(show, "note", note)
    switched = Errand(reads, (switch,), f"the online sale of {show.name} is off")
    noted = Errand(reads, (remark,), f"{show.name} has the note")
    right, wrong = (switched, noted) if low else (noted, switched)
    request = rng.choice(
        (
            f'If fewer than {limit} seats are left for {show.name} on {spoken(night.day)}, switch its online sale off. If there are {limit} or more, only set its note to "{note}".',
            f'Check how many seats {show.name} has left on {spoken(night.day)}. {limit} or more: put "{note}" as its note and leave the sale alone. Fewer than {limit}: turn the online sale off.',
        )
    )
    both = (
        Errand(reads, (switch, remark), f"the online sale of {show.name} is off, and the note is there"),
        Errand(reads, (remark, switch), f"{show.name} has its note, and the online sale is off"),
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng),
        "condition_unchecked": tuple(wrong.unread(rng, "BoxOffice__list_performances") for _ in range(2)),
    }
    done = {True: "its online sale is switched off", False: "it only gets the note"}
    why = [
        f"{show.name} has {night.seats} seats left on {spoken(night.day)}, the limit is {limit}: {done[one]}"
        for one in (low, not low)
    ]
    return task_of(index, "sales", request, right, wrong, why, faulty, house, rng)


def shipment(index: int, house: House, rng: Random) -> Task:
    """A shipment that goes back: its weight, the code of the country, and a note with the day, which is mostly put right at once."""
    firm = mostly_upwards(house.firms, lambda one: KILOGRAMS_PER_POUND * one.pounds, rng)
    right, invented = COUNTRIES[firm.country]
    exact = KILOGRAMS_PER_POUND * firm.pounds
    kilograms, metric = round(exact), round(METRIC_POUND * firm.pounds)
    told_once, told_now = rng.sample(("Wednesday", "Thursday", "Friday", "Saturday"), 2)

    def put(country: str = right, much: int = kilograms, day: str = told_now) -> Errand:
        changes = (
            set_field(firm, "shipment_kilograms", much),
            set_field(firm, "shipment_country", country),
            set_field(firm, "note", f"to be collected on {day}"),
        )
        return Errand(
            looked_up(firm), changes, f"the papers for {firm.name} say {much} kg and {country}, to be collected on {day}"
        )

    offs = rng.sample((-19, -14, -11, -7, 6, 9, 13, 18), 5)
    others = [kilograms + off for off in offs if kilograms + off not in (metric, int(exact))]
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "wrong_unit": scripts([put(much=metric).but()] * 2, rng),
        "wavering_argument": scripts([put(much=one).but() for one in others], rng),
        "number_spelling": scripts([put().but(decisive=False, value=float(kilograms))] * 2, rng),
    }
    if int(exact) != kilograms:
        faulty["wrong_rounding"] = scripts([put(much=int(exact)).but()] * 2, rng)
    named = told_now
    if rng.random() < 0.8:
        named = corrected(told_once, told_now, rng)
        faulty["correction_missed"] = scripts([put(day=told_once).but(2)] * 2, rng)
    request = rng.choice(
        (
            f'The hired instruments go back to {firm.name}. Set the weight of the shipment in kilograms, rounded to whole ones, then their country by its two-letter ISO code, and last the note "to be collected on" with the weekday, which is {named}.',
            f'Papers for the return to {firm.name}, please: shipment_kilograms (rounded to a whole number), shipment_country (ISO code with two letters), and the note "to be collected on" plus the day: {named}.',
        )
    )
    beside = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{firm.name} is in {firm.country} ({one}); {firm.pounds} lb are {kilograms} kg; to be collected on {told_now}"
        for one in (right, beside)
    ]
    return task_of(
        index, "shipments", request, put(), put(beside), why, faulty, house, rng, rounded=kilograms, exact=exact
    )  # fmt: skip
