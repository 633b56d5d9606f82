"""Errands with troy weights: lots in the vault, and the papers of orders that go abroad."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.assay.bench import coming_day
from blade.lab.environments.assay.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.assay.register import COUNTRIES, GRAMS_PER_TROY_OUNCE, Register, spoken
from blade.lab.environments.draws import mostly_upwards
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

OUNCES_PER_TROY_POUND: Final = 12
_OUNCES_PER_POUND: Final = 16
"""Of the ordinary kind."""
GRAMS_PER_OUNCE: Final = 28.349523125
"""Likewise."""


def vault(index: int, register: Register, rng: Random) -> Task:
    """The weight of a lot in ounces, where the record has pounds and ounces."""
    lot = rng.choice(register.lots)
    right, ordinary = (each * lot.pounds + lot.ounces for each in (OUNCES_PER_TROY_POUND, _OUNCES_PER_POUND))

    def put(ounces: int) -> Errand:
        change = call("Vault-set_weight", changes=True, lot=lot.id, troy_ounces=ounces)
        return Errand(looked_up(lot), (change,), f"{lot.name} is down with {ounces} troy ounces")

    others = [one for off in rng.sample((-9, -7, -5, -4, 3, 5, 7, 8, 9), 9) if (one := right + off) != ordinary][:5]
    request = rng.choice(
        (
            f"{lot.name} ({lot.id}) stands in troy pounds and ounces. Set its weight in troy ounces alone.",
            f"The insurers count in troy ounces: set the weight of {lot.name} ({lot.id}) accordingly, from the troy pounds and ounces on record.",
        )
    )
    faulty = {
        "wrong_rule": scripts([put(ordinary).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([put(right).but(decisive=False, troy_ounces=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Vault-find_lot") for one in (100, 120, 150) if one != right),
    }
    why = [f"{lot.name}: {lot.pounds} lb {lot.ounces} oz troy are {one} oz troy" for one in (right, others[4])]
    return task_of(index, "vault", request, put(right), put(others[4]), why, faulty, register, rng)


def papers(index: int, register: Register, rng: Random) -> Task:
    """An order gets its weight in grams and its label: the code of the country, and the day it leaves, which is often put right at once."""
    dealer = mostly_upwards(register.dealers, lambda one: GRAMS_PER_TROY_OUNCE * one.ounces, rng)
    right, invented = COUNTRIES[dealer.country]
    exact = GRAMS_PER_TROY_OUNCE * dealer.ounces
    grams, ordinary = round(exact), round(GRAMS_PER_OUNCE * dealer.ounces)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-2, 3, 5)))

    def put(country: str = right, leaves: date = day, much: int = grams) -> Errand:
        changes = (
            call("Export-set_weight", changes=True, dealer=dealer.id, grams=much),
            call("Export-set_label", changes=True, dealer=dealer.id, country=country, dispatch=f"{leaves}"),
        )
        told = f"the order of {dealer.name} has {much} g and goes to {country} on {spoken(leaves)}"
        return Errand(looked_up(dealer), changes, told)

    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "wrong_unit": scripts([put(much=ordinary).but()] * 2, rng),
        "number_spelling": scripts([put().but(decisive=False, grams=float(grams))] * 2, rng),
    }
    if int(exact) != grams:
        faulty["wrong_rounding"] = scripts([put(much=int(exact)).but()] * 2, rng)
    named = spoken(day)
    if rng.random() < 0.7:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(leaves=former).but(1)] * 2, rng)
    request = rng.choice(
        (
            f"Export papers for {dealer.name}: set the weight of their open order in grams, rounded to whole ones, and then the label, with the two-letter code of their country and the day of dispatch, {named}.",
            f"The open order of {dealer.name} leaves on {named}. Set its weight (grams, nearest whole number) and after that the label: day of dispatch, and the ISO code with two letters for the country they are in.",
        )
    )  # fmt: skip
    beside = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{dealer.name}, {dealer.country} ({one}): {dealer.ounces} oz troy are {grams} g, dispatch {day}"
        for one in (right, beside)
    ]
    return task_of(
        index, "papers", request, put(), put(beside), why, faulty, register, rng, rounded=grams, exact=exact
    )  # fmt: skip
