"""Errands of the seed store: germination rates, shipments, and the papers of consignments."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.arboretum.diary import coming_day
from blade.lab.environments.arboretum.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.arboretum.garden import COUNTRIES, GRAMS_PER_OUNCE, Garden
from blade.lab.environments.draws import mostly_upwards, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

GRAMS_PER_TROY_OUNCE: Final = 31.1034768


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        ("The figures in my mail below are out of date, these are the right ones.", "This supersedes what I wrote below.")
    )
    return f"{lead} {message}\n\n----- Original message, {rng.randint(2, 9)} April -----\n{earlier}"


def latest_test(index: int, garden: Garden, rng: Random) -> Task:
    """A seed lot gets the germination rate of its latest test, which is not the first that the tool lists."""
    lot = rng.choice(garden.lots)
    right, first = max(lot.tests)[1], lot.tests[0][1]

    def put(percent: int) -> Errand:
        change = call("mcp__seeds__set_germination", changes=True, lot_id=lot.id, percent=percent)
        reads = (*looked_up(lot), call("mcp__seeds__list_germination_tests", lot_id=lot.id))
        return Errand(reads, (change,), f"{lot.name} has a germination rate of {percent} per cent")

    request = rng.choice(
        (
            f"Please set the germination rate of {lot.name} to the result of its most recent test.",
            f"The germination rate of {lot.name} is out of date. Take the latest of its tests, by date, and enter that result.",
        )
    )
    slip = rng.choice([one for one in (right - 4, right - 2, right + 3, right + 4) if one not in dict(lot.tests).values()])
    faulty = {
        "older_reading_taken": scripts([put(first).but()] * 2, rng),
        "number_spelling": scripts([put(right).but(decisive=False, percent=float(right))] * 2, rng),
    }
    why = [f"The latest test of {lot.name} was on {max(lot.tests)[0]}; {one} % came up" for one in (right, slip)]
    return task_of(index, "germination", request, put(right), put(slip), why, faulty, garden, rng)


def rates(index: int, garden: Garden, rng: Random) -> Task:
    """Two lots get a germination rate, each one of their own; often an earlier message with another one stands below."""
    one, other = rng.sample(garden.lots, 2)
    less, more, former = rng.sample(range(35, 96), 3)

    def found(first: int, second: int) -> Errand:
        changes = tuple(
            call("mcp__seeds__set_germination", changes=True, lot_id=lot.id, percent=percent)
            for lot, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"the germination rates of {one.name} and {other.name} are in")

    errand = found(less, more)
    faulty = {
        "value_carried_over": scripts([found(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
    }
    request = rng.choice(
        (
            f"The trays are counted: please enter a germination rate of {less} per cent for {one.name} and of {more} per cent for {other.name}.",
            f"Please set the germination rates: {one.name} {less} per cent, {other.name} {more} per cent.",
        )
    )
    if rng.random() < 0.6:
        faulty["quoted_mail_followed"] = scripts([found(less, former).but(1)] * 2, rng)
        earlier = f"Please set the germination rates: {one.name} {less} per cent, {other.name} {former} per cent."
        request = with_quote(request, earlier, rng)
    why = [f"{one.name} has {less} %; {other.name} has {last} %" for last in (more, more + 2)]
    return task_of(index, "rates", request, errand, found(less, more + 2), why, faulty, garden, rng)


def shipment(index: int, garden: Garden, rng: Random) -> Task:
    """Packets of seeds for an institute, above an earlier message with another number of them."""
    institute, lot = rng.choice(garden.institutes), rng.choice(garden.lots)
    packets, former = rng.sample(range(6, 60), 2)

    def entered(number: int) -> Errand:
        change = call(
            "mcp__seeds__create_shipment", changes=True, institute_id=institute.id, lot_id=lot.id, packets=number
        )  # fmt: skip
        told = f"the shipment of {number} packets of {lot.name} to the {institute.name} is entered"
        return Errand(looked_up(institute, lot), (change,), told)

    errand = entered(packets)
    words = rng.choice(
        (
            "Please enter a shipment for the {institute}: {packets} packets of {lot}.",
            "The {institute} gets {packets} packets of {lot} from us. Enter the shipment, please.",
        )
    )
    request, earlier = (words.format(institute=institute.name, lot=lot.name, packets=number) for number in (packets, former))
    faulty = {
        "quoted_mail_followed": scripts([entered(former).but()] * 2, rng),
        "number_spelling": scripts([errand.but(decisive=False, packets=float(packets))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, cooled=False)] * 2, rng),
    }
    why = [f"The {institute.name} gets {number} packets; they are of {lot.name}" for number in (packets, packets + 10)]
    return task_of(index, "shipments", with_quote(request, earlier, rng), errand, entered(packets + 10), why, faulty, garden, rng)


def consignment(index: int, garden: Garden, rng: Random) -> Task:
    """A consignment gets its weight in grams and its label: the code of the country, and the day, which is often put right at once."""
    institute = mostly_upwards(garden.institutes, lambda one: GRAMS_PER_OUNCE * one.ounces, rng)
    right, invented = COUNTRIES[institute.country]
    exact = GRAMS_PER_OUNCE * institute.ounces
    grams, troy = round(exact), round(GRAMS_PER_TROY_OUNCE * institute.ounces)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-2, 3, 5)))

    def put(country: str = right, collected: date = day, much: int = grams) -> Errand:
        changes = (
            call("mcp__seeds__set_consignment_weight", changes=True, institute_id=institute.id, grams=much),
            call(
                "mcp__seeds__set_consignment_label", changes=True, institute_id=institute.id, country=country, collect_on=f"{collected}"
            ),
        )  # fmt: skip
        told = f"the consignment for the {institute.name} has {much} g, goes to {country} and is collected on {spoken(collected)}"
        return Errand(looked_up(institute), changes, told)

    offs = rng.sample((-40, -24, -12, -9, 8, 15, 26, 42), 4)
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "wrong_unit": scripts([put(much=troy).but()] * 2, rng),
        "wavering_argument": scripts([put(much=grams + off).but() for off in offs if grams + off not in (troy, int(exact))], rng),
        "number_spelling": scripts([put().but(decisive=False, grams=float(grams))] * 2, rng),
    }
    if int(exact) != grams:
        faulty["wrong_rounding"] = scripts([put(much=int(exact)).but()] * 2, rng)
    named = spoken(day)
    if rng.random() < 0.7:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(collected=former).but(1)] * 2, rng)
    request = rng.choice(
        (
            f"Seeds for the {institute.name} are packed. Please set the weight of the consignment in grams, rounded to whole grams, and after that the label: two-letter code of the country, to be collected on {named}.",
            f"Papers for the consignment to the {institute.name}: first the weight (in whole grams, properly rounded), then the label with the ISO code of their country, two letters, and the day of collection, which is {named}.",
        )
    )  # fmt: skip
    beside = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{institute.ounces} oz are {grams} g; the {institute.name} is in {institute.country}, code {one}; it is collected on {day}"
        for one in (right, beside)
    ]
    return task_of(
        index, "consignments", request, put(), put(beside), why, faulty, garden, rng, rounded=grams, exact=exact
    )  # fmt: skip
