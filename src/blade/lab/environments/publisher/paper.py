"""Errands with quantities: sheets of paper, and the papers of deliveries."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import mostly_upwards, spoken
from blade.lab.environments.publisher.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.publisher.list import COUNTRIES, KILOGRAMS_PER_POUND, House
from blade.lab.environments.publisher.schedule import coming_day
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

SHEETS: Final = (500, 25)
"""In a ream, and in a quire."""
_OLD_SHEETS: Final = (480, 24)
"""The same as stationers counted in former times."""
METRIC_POUND: Final = 0.5
"""Kilograms of what people on the Continent call a pound."""


def sheets(index: int, house: House, rng: Random) -> Task:
    """What is left of a paper in sheets, where the record has reams and quires."""
    paper = rng.choice(house.papers)
    right, old = (ream * paper.reams + quire * paper.quires for ream, quire in (SHEETS, _OLD_SHEETS))

    def put(number: int) -> Errand:
        change = call("set_sheets", changes=True, paper_id=paper.id, sheets=number)
        return Errand(looked_up(paper), (change,), f"{paper.name} is down with {number} sheets")

    others = [one for off in rng.sample((-125, -75, -50, -25, 25, 50, 75, 100, 150), 9) if (one := right + off) != old][:5]
    request = rng.choice(
        (
            f"We count {paper.name} ({paper.id}) in sheets from now on. Set the number, from the reams and quires on record, as the paper trade counts them today.",
            f"Set how many sheets of {paper.name} ({paper.id}) we have; the record has reams and quires, by the count that is usual today.",
        )
    )
    faulty = {
        "wrong_rule": scripts([put(old).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([put(right).but(decisive=False, sheets=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "find_paper") for one in (5_000, 8_000, 10_000) if one != right),
    }
    why = [f"{paper.name}: {paper.reams} reams and {paper.quires} quires are {one} sheets" for one in (right, others[4])]
    return task_of(index, "sheets", request, put(right), put(others[4]), why, faulty, house, rng)


def delivery(index: int, house: House, rng: Random) -> Task:
    """A delivery gets its weight in kilograms and its label: the code of the country, and the day, which is often put right at once."""
    printer = mostly_upwards(house.printers, lambda one: KILOGRAMS_PER_POUND * one.pounds, rng)
    right, invented = COUNTRIES[printer.country]
    exact = KILOGRAMS_PER_POUND * printer.pounds
    kilograms, metric = round(exact), round(METRIC_POUND * printer.pounds)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-3, 2, 5)))

    def put(country: str = right, collected: date = day, much: int = kilograms) -> Errand:
        changes = (
            call("set_delivery_weight", changes=True, printer_id=printer.id, kilograms=much),
            call("set_delivery_label", changes=True, printer_id=printer.id, country=country, collect_on=f"{collected}"),
        )
        told = f"the delivery of {printer.name} has {much} kg and is collected in {country} on {spoken(collected)}"
        return Errand(looked_up(printer), changes, told)

    offs = rng.sample((-19, -14, -11, -7, 6, 9, 13, 18), 4)
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "wrong_unit": scripts([put(much=metric).but()] * 2, rng),
        "wavering_argument": scripts([put(much=kilograms + off).but() for off in offs if kilograms + off != metric], rng),
        "number_spelling": scripts([put().but(decisive=False, kilograms=float(kilograms))] * 2, rng),
    }
    if int(exact) != kilograms:
        faulty["wrong_rounding"] = scripts([put(much=int(exact)).but()] * 2, rng)
    named = spoken(day)
    if rng.random() < 0.7:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(collected=former).but(1)] * 2, rng)
    request = rng.choice(
        (
            f"The delivery of {printer.name} needs its papers. First set the weight in kilograms, rounded to a whole number, then the label with the two-letter code of their country; it is collected on {named}.",
            f"For customs: set the weight of the delivery from {printer.name} (kilograms, rounded to whole ones) and then its label, that is the ISO code with two letters for their country and the day of collection, {named}.",
        )
    )  # fmt: skip
    beside = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{printer.name}, {printer.country} ({one}): {printer.pounds} lb are {kilograms} kg, collected on {day}"
        for one in (right, beside)
    ]
    return task_of(
        index, "deliveries", request, put(), put(beside), why, faulty, house, rng, rounded=kilograms, exact=exact
    )  # fmt: skip
