"""Questions at the garage: a model year, sums over fills, a weekday, a week, the last job, and a choice about tyres."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from blade.lab.environments.garage.errands import SYSTEM, elsewhere, gold_of, way_to
from blade.lab.environments.garage.faults import with_metadata
from blade.lab.environments.garage.fleet import SPEEDS, YEARS, Fleet, Vehicle
from blade.lab.stage.script import Row, Script, Task, say

LITRES_PER_GALLON: Final = 4.54609
LITRES_PER_US_GALLON: Final = 3.785412
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = (
    "I looked at the record of {plate}.",
    "This is what the garage has on {plate}.",
    "For {plate}:",
    "According to the records of {plate}:",
    "Here you are.",
)
_MARKED = ("Answer: **{}**", "**Answer: {}**", "Answer: `{}`")
_UNDECIDED = ("case_compared", "markdown_kept")
"""Kinds where the agent did nothing wrong."""


def _told(reads: Script, plate: str, lines: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads).format(plate=plate)}\n\n{line}", decisive=decisive)) for line in lines)


def _task(
    index: int, category: str, request: str, vehicle: Vehicle, tool: str, right: str, careless: str, why: str, fleet: Fleet,
    rng: Random, known: dict[str, Iterable[str]], options: dict[str, str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    reads = way_to(vehicle, tool)

    def gold(answer: str, told: str) -> Row:
        return gold_of(category, why.format(options[told] if options else told), answer=answer, options=options)

    lines = {kind: [f"Answer: {one}" for one in answers] for kind, answers in known.items()}
    if not options:
        lines["markdown_kept"] = [form.format(right) for form in _MARKED]
    faulty = {kind: _told(reads, vehicle.plate, given, rng, kind not in _UNDECIDED) for kind, given in lines.items()}
    sound = _told(reads, vehicle.plate, [f"Answer: {right}"] * 3, rng, decisive=False)
    spoilt = {"shuffled_letter": with_metadata(gold(right, right), expected_answer=careless)} if options else {}
    return Task(
        index, category, SYSTEM, request, sound, gold(right, right), faulty, elsewhere(fleet, rng), other_gold=gold(careless, careless),
        other_script=_told(reads, vehicle.plate, [f"Answer: {careless}"], rng, decisive=False)[0],
        contradicted_gold=gold(careless, right), facts={"spoilt_gold": spoilt},
    )  # fmt: skip


def counted_year(letter: str) -> int:
    """The model year for those who take every letter of the alphabet to stand for one."""
    return 2010 + ord(letter) - ord("A")


def model_year(index: int, fleet: Fleet, rng: Random) -> Task:
    """What the tenth character of the VIN stands for."""
    vehicle = rng.choice(fleet.vehicles)
    letter = vehicle.vin[9]
    year = YEARS[letter]
    slips = [str(year + off) for off in rng.sample((-4, -3, -2, -1, 1, 2, 3), 5)]
    request = rng.choice(
        (
            f"Which model year does the VIN of {vehicle.plate} stand for, by its tenth character?",
            f"What is the model year of {vehicle.plate} according to the tenth character of its VIN? Four digits.",
        )
    )
    known: dict[str, Iterable[str]] = {"vin_year_miscounted": [str(counted_year(letter))] * 2, "scattered_numbers": slips[:4]}
    why = f"The tenth character is {letter}: model year {{}}."
    return _task(index, "model_year", request, vehicle, "get_vehicle", str(year), slips[4], why, fleet, rng, known)


def fuel_cost(index: int, fleet: Fleet, rng: Random) -> Task:
    """What all fills cost together."""
    vehicle = rng.choice(fleet.vehicles)
    cents = [one.cents for one in vehicle.fills]
    right = f"{sum(cents) / 100:.2f}"
    slips = [f"{(sum(cents) + off) / 100:.2f}" for off in rng.sample((-1_100, -1_000, -200, -90, 10, 100, 910, 2_000), 5)]
    request = rng.choice(
        (
            f"What did all fills in the fuel log of {vehicle.plate} cost together? Two decimals.",
            f"Add up the cost of the fills of {vehicle.plate} in the fuel log, to two decimals.",
        )
    )
    why = f"{' + '.join(f'{one / 100:.2f}' for one in cents)} = {{}}."
    known: dict[str, Iterable[str]] = {"scattered_numbers": slips[:4]}
    return _task(index, "fuel_cost", request, vehicle, "fuel_log", right, slips[4], why, fleet, rng, known)


def litres(index: int, fleet: Fleet, rng: Random) -> Task:
    """What was filled, in litres, where the pump counts in imperial gallons."""
    vehicle = rng.choice([one for one in fleet.vehicles if one.pump == "imperial gallons"])
    gallons = sum(one.tenths for one in vehicle.fills) / 10
    right, short = f"{gallons * LITRES_PER_GALLON:.1f}", f"{gallons * LITRES_PER_US_GALLON:.1f}"
    slips = [f"{float(right) + off:.1f}" for off in rng.sample((-21.3, -14.6, -9.1, 4.5, 8.2, 13.6, 19.7), 5)]
    request = rng.choice(
        (
            f"How many litres did {vehicle.plate} take in all, by the fuel log? One decimal.",
            f"Please convert the total of the fuel log of {vehicle.plate} to litres, with one decimal.",
        )
    )
    why = f"{gallons:.1f} imperial gallons x {LITRES_PER_GALLON} = {{}} litres."
    known: dict[str, Iterable[str]] = {"wrong_unit": [short] * 2, "scattered_numbers": slips[:4]}
    return _task(index, "litres", request, vehicle, "fuel_log", right, slips[4], why, fleet, rng, known)


def weekday(index: int, fleet: Fleet, rng: Random) -> Task:
    """The day of the week of an inspection."""
    vehicle = rng.choice(fleet.vehicles)
    right = _WEEKDAYS[vehicle.inspection.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"On which day of the week is the next inspection of {vehicle.plate}?",
            f"Which weekday does the next inspection of {vehicle.plate} fall on?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{vehicle.inspection.isoformat()} is a {{}}."
    return _task(index, "weekday", request, vehicle, "get_vehicle", right, others[4], why, fleet, rng, known)


def week(index: int, fleet: Fleet, rng: Random) -> Task:
    """The ISO week of an inspection, where a plain count of sevens gives another one."""
    vehicle = rng.choice([one for one in fleet.vehicles if _sevens(one) != one.inspection.isocalendar().week])
    number, plain = vehicle.inspection.isocalendar().week, _sevens(vehicle)
    slips = [str(number + off) for off in rng.sample((-4, -3, -2, 1, 2, 3), 5)]
    request = rng.choice(
        (
            f"Which ISO week is the next inspection of {vehicle.plate} in? Just the number.",
            f"Give me the number of the ISO calendar week of the next inspection of {vehicle.plate}.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(plain)] * 2, "scattered_numbers": slips[:4]}
    why = f"{vehicle.inspection.isoformat()} is in ISO week {{}}."
    return _task(index, "week", request, vehicle, "get_vehicle", str(number), slips[4], why, fleet, rng, known)


def _sevens(vehicle: Vehicle) -> int:
    return (vehicle.inspection.timetuple().tm_yday - 1) // 7 + 1


def last_job(index: int, fleet: Fleet, rng: Random) -> Task:
    """What was done last."""
    vehicle = rng.choice(fleet.vehicles)
    right, careless = vehicle.jobs[-1].work, vehicle.jobs[0].work
    request = rng.choice(
        (
            f"What was the most recent job that was closed for {vehicle.plate}?",
            f"Which job was done last on {vehicle.plate}, going by the closed work orders?",
        )
    )
    known: dict[str, Iterable[str]] = {"case_compared": (right.capitalize(), right.title())}
    why = "The work order that was closed last is the {}."
    return _task(index, "last_job", request, vehicle, "list_jobs", right, careless, why, fleet, rng, known)


def tyre_speed(index: int, fleet: Fleet, rng: Random) -> Task:
    """A choice: the speed that the letter on a tyre stands for."""
    vehicle = rng.choice(fleet.vehicles)
    speed = SPEEDS[vehicle.letter]
    shown = rng.sample([speed, *rng.sample([one for one in SPEEDS.values() if one != speed], 3)], 4)
    options = {letter: f"{one} km/h" for letter, one in zip("ABCD", shown, strict=True)}
    right = next(letter for letter, text in options.items() if text == f"{speed} km/h")
    others = rng.sample([letter for letter in options if letter != right], 3)
    listed = "\n".join(f"{letter}. {text}" for letter, text in options.items())
    request = rng.choice(
        (
            f"Up to which speed may the tyres in the record of {vehicle.plate} be driven? Give the letter of the right choice.",
            f"Which top speed are the tyres of {vehicle.plate} rated for, by the marking in its record? Answer with one letter.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    why = f"The speed index {vehicle.letter} stands for {{}}."
    return _task(
        index, "tyre_speed", f"{request}\n\n{listed}", vehicle, "get_vehicle", right, others[1], why, fleet, rng, known, options
    )  # fmt: skip
