"""Errands for importers: the volume of an order in barrels, and what the label says."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.brewery.books import COUNTRIES, Books, Importer, lot_code
from blade.lab.environments.brewery.errands import Errand, corrected, looked_up, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Script, Task, call

LITRES_PER_GALLON: Final = 3.785411784
BEER_BARREL: Final = 31 * LITRES_PER_GALLON
OIL_BARREL: Final = 42 * LITRES_PER_GALLON


def _clear(importer: Importer) -> bool:
    """Whether their order does not lie between two litres."""
    return abs(BEER_BARREL * importer.barrels % 1 - 0.5) > 0.05


def _litres(importer: Importer) -> tuple[int, int, int]:
    """What is on order, the same in barrels of oil, and what is left of it by those who drop the fraction."""
    return round(BEER_BARREL * importer.barrels), round(OIL_BARREL * importer.barrels), int(BEER_BARREL * importer.barrels)


def _volume(importer: Importer, litres: int) -> Move:
    return call("Exports_SetVolume", changes=True, importer=importer.id, litres=litres)


def volume(index: int, books: Books, rng: Random) -> Task:
    """An order in US beer barrels is entered in litres."""
    importer = rng.choice([one for one in books.importers if one.country == "United States" and _clear(one)])
    right, oil, cut = _litres(importer)

    def put(litres: int) -> Errand:
        return Errand(looked_up(importer), (_volume(importer, litres),), f"the order of {importer.name} comes to {litres} litres")

    request = rng.choice(
        (
            f"The customs form for {importer.name} ({importer.id}) needs litres. Enter the volume of their open order, rounded to a whole litre.",
            f"Enter how many litres {importer.name} ({importer.id}) have on order, to the nearest litre; the order itself is in barrels.",
        )
    )
    faulty = {
        "oil_barrel_taken": scripts([put(oil).but()] * 2, rng),
        "number_spelling": scripts([put(right).but(decisive=False, litres=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Importers_Get") for one in (2_000, 3_500, 5_000) if one != right),
    }
    if cut != right:
        faulty["wrong_rounding"] = scripts([put(cut).but()] * 2, rng)
    slip = right + 100
    why = [f"{importer.name}: {importer.barrels} US beer barrels are {one} litres" for one in (right, slip)]
    return task_of(index, "volume", request, put(right), put(slip), why, faulty, books, rng)


def label(index: int, books: Books, rng: Random) -> Task:
    """An order gets its volume and its label: the code of the country it goes to and that of the lot, which is often put right at once."""
    importer = rng.choice([one for one in books.importers if one.country in COUNTRIES and _clear(one)])
    right, invented = COUNTRIES[importer.country]
    litres, oil, cut = _litres(importer)
    lot, former = lot_code(rng), lot_code(rng)

    def put(country: str = right, code: str = lot, much: int = litres) -> Errand:
        labelled = call("Exports_SetLabel", changes=True, importer=importer.id, country=country, lot=code)
        told = f"the order of {importer.name} is down with {much} litres and labelled {country}, lot {code}"
        return Errand(looked_up(importer), (_volume(importer, much), labelled), told)

    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(invented).but(1)] * 2, rng),
        "oil_barrel_taken": scripts([put(much=oil).but()] * 2, rng),
        "number_spelling": scripts([put().but(decisive=False, litres=float(litres))] * 2, rng),
    }
    if cut != litres:
        faulty["wrong_rounding"] = scripts([put(much=cut).but()] * 2, rng)
    named = lot
    if former != lot and rng.random() < 0.7:
        named = corrected(former, lot, rng)
        faulty["correction_missed"] = scripts([put(code=former).but(1)] * 2, rng)
    request = rng.choice(
        (
            f"Papers for the open order of {importer.name}, which is in barrels: set the volume, rounded to whole litres, and the label, with the two-letter code of the country they are in and the lot, {named}.",
            f"{importer.name} get lot {named}. Turn the barrels of their order into litres (nearest whole number) and enter the volume; then set the label, with the ISO code (two letters) of their country.",
        )
    )  # fmt: skip
    beside = rng.choice([one for one, _ in COUNTRIES.values() if one not in (right, invented)])
    why = [
        f"{importer.name} in {importer.country}: {one}, lot {lot}, {importer.barrels} US beer barrels are {litres} litres"
        for one in (right, beside)
    ]
    return task_of(index, "papers", request, put(), put(beside), why, faulty, books, rng)
