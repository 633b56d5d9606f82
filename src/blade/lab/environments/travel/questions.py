"""Questions at the desk of a travel agency: weeks, local times, distances, rates, capitals and codes of airlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.draws import iso_week, plain_week
from blade.lab.environments.travel.agency import CAPITALS, KILOMETRES_PER_MIL, KILOMETRES_PER_MILE, Agency
from blade.lab.environments.travel.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.travel.faults import ANSWER, Stated, spoilt_golds
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Lisbon": (0, 1), "Helsinki": (2, 3), "Denver": (-7, -6), "Montreal": (-5, -4), "Vienna": (1, 2), "Bucharest": (2, 3), "Warsaw": (1, 2),
    "Halifax": (-4, -3),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
AIRLINES: Final = {
    "FI": ("Icelandair", "Finnair"), "AY": ("Finnair", "Air Malta"), "LX": ("Swiss", "Luxair"), "LG": ("Luxair", "LOT Polish Airlines"),
    "EI": ("Aer Lingus", "Emirates"), "BT": ("airBaltic", "Bulgaria Air"), "SN": ("Brussels Airlines", "Singapore Airlines"),
    "UX": ("Air Europa", "Ukraine International"), "JU": ("Air Serbia", "Jeju Air"), "WY": ("Oman Air", "WestJet"),
    "TG": ("Thai Airways", "TAP Air Portugal"), "A3": ("Aegean Airlines", "Air France"), "VY": ("Vueling", "Virgin Atlantic"),
    "RO": ("TAROM", "Royal Air Maroc"), "KQ": ("Kenya Airways", "Kuwait Airways"),
}  # fmt: skip
"""The airline that a code of IATA stands for, and the one that it is often taken for."""
_LETTERS: Final = ("A", "B", "C", "D")
_HOW: Final = (
    "The records give what is needed.",
    "That is what it comes to.",
    "From this it follows.",
    "I have been over it once more and it stays the same.",
    "There is one fitting answer.",
)
_UNLOOKED: Final = ("From experience with similar requests:", "This is usually about right.", "Going by the average.")
_GRADED: Final = ("case_compared", "markdown_kept", "unit_beside_figure")
"""Kinds that the agent has no part in."""


def said(answer: str, how: str) -> str:
    """An answer in the form that the prompt wants."""
    return f"{how}\n<solution>{answer}</solution>"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    return tuple(
        (*reads, say(said(answer, how), decisive=decisive))
        for answer, how in zip(answers, rng.sample(_HOW, len(_HOW)), strict=False)
    )


def _task(
    index: int, category: str, request: str, reads: Script, right: str, careless: str, why: str, agency: Agency, rng: Random,
    known: Mapping[str, Iterable[str]], options: dict[str, str] | None = None, guesses: Iterable[str] = (),
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    notes = [why.format(options[one] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(category, note, answer=one, options=options) for note, one in zip(notes, (right, careless), strict=True)
    )
    faulty = {name: _told(reads, answers, rng, name not in _GRADED) for name, answers in known.items()}
    if guesses:
        faulty["answered_unread"] = tuple(
            (say(said(one, rng.choice(_UNLOOKED)), decisive=True),) for one in guesses if one != right
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, Stated()),
        "options": options,
        "answer_field": ANSWER,
        "capitals": right != right.lower(),
    }
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 4, rng, decisive=False), gold, faulty, elsewhere(agency, request, rng),
        other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0], contradicted_gold=explained(other, notes[0]),
        facts=facts,
    )  # fmt: skip


def week(index: int, agency: Agency, rng: Random) -> Task:
    """The ISO week in which a trip leaves, where a plain count of sevens gives another one."""
    trip = rng.choice([one for one in agency.trips if iso_week(one.departs.date()) != plain_week(one.departs.date())])
    right, plain = iso_week(trip.departs.date()), plain_week(trip.departs.date())
    slips = rng.sample([f"{one}" for one in range(right - 5, right + 6) if one not in (right, plain)], 4)
    request = rng.choice(
        (
            f"Duty rosters go by calendar week (ISO 8601). What is the number of the week in which the {trip.name} trip departs?",
            f"In which ISO 8601 week does the {trip.name} trip depart? I need its number.",
        )
    )
    known = {"plain_week_number": [f"{plain}"] * 2, "scattered_numbers": slips[:3]}
    why = f"{trip.name} departs on {trip.departs:%Y-%m-%d}, ISO week {{}}."
    return _task(
        index, "trips", request, looked_up(trip), f"{right}", slips[3], why, agency, rng, known, guesses=("36", "44", "45", "46")
    )


def hour(index: int, agency: Agency, rng: Random) -> Task:
    """When a trip departs by the clocks of a city."""
    trip, city = rng.choice(agency.trips), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, slip = (f"{trip.departs + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 4))
    request = rng.choice(
        (
            f"A colleague in {city} wants to ring us when the {trip.name} trip departs. What time is that in {city}, on the 24-hour clock (HH:MM)?",
            f"What does the clock in {city} show when the {trip.name} trip departs? HH:MM, 24 hours.",
        )
    )
    why = f"{trip.name} departs at {trip.departs:%H:%M} UTC on {trip.departs:%Y-%m-%d}; in {city} it is {{}} then."
    return _task(index, "trips", request, looked_up(trip), right, slip, why, agency, rng, {"wrong_zone": [other] * 2})


def airline(index: int, agency: Agency, rng: Random) -> Task:
    """A choice that needs no lookup: the airline behind a code."""
    code = rng.choice(tuple(AIRLINES))
    right, beside = AIRLINES[code]
    rest = sorted({one for ones in AIRLINES.values() for one in ones} - {right, beside})
    names = rng.sample([right, beside, *rng.sample(rest, 2)], 4)
    options = dict(zip(_LETTERS, names, strict=True))
    letter = _LETTERS[names.index(right)]
    others = rng.sample([one for one in _LETTERS if one != letter], 3)
    request = rng.choice(
        (
            f"A ticket of a new client has flight numbers that begin with {code}. Which airline has this IATA code? Answer with the letter.",
            f"Which of these airlines does the IATA code {code} belong to? One letter, please.",
        )
    )
    lines = "\n".join(f"{key}: {name}" for key, name in options.items())
    known = {"wrong_option": others, "wrong_fact": [_LETTERS[names.index(beside)]] * 2, "case_compared": [letter.lower()] * 2}
    why = f"{code} is the code of {{}}."
    task = _task(index, "flights", f"{request}\n\n{lines}", (), letter, others[1], why, agency, rng, known, options)
    return replace(task, family="choice")


def capital(index: int, agency: Agency, rng: Random) -> Task:
    """The capital of the country that a hotel is in."""
    hotel = rng.choice(agency.hotels)
    right, beside, *others = CAPITALS[hotel.city]
    slip = rng.choice(sorted({ones[0] for ones in CAPITALS.values()} - {right}))
    request = rng.choice(
        (
            f"A guest at the {hotel.name} has lost a passport and wants to know where the embassy is, so in the capital of the country that the hotel is in. Which city is that?",
            f"What is the capital of the country where the {hotel.name} is?",
        )
    )
    known = {
        "wavering_fact": others,
        "wrong_fact": [beside] * 2,
        "case_compared": (right.lower(), right.upper()),
        "markdown_kept": (f"**{right}**", f"*{right}*", f"`{right}`"),
    }
    why = f"The {hotel.name} is in {hotel.city}; the capital of that country is {{}}."
    return _task(index, "hotels", request, looked_up(hotel), right, slip, why, agency, rng, known)


def car_log(index: int, agency: Agency, rng: Random) -> Task:
    """How far somebody drove in Sweden, in kilometres, where the log counts in `mil`."""
    report = rng.choice([one for one in agency.reports if one.unit == "mil"])
    total = sum(report.drives)
    right, ashore = f"{total * KILOMETRES_PER_MIL}", f"{total * KILOMETRES_PER_MILE:.0f}"
    slips = [f"{(total + off) * KILOMETRES_PER_MIL}" for off in rng.sample((-20, -11, -10, -9, -4, 3, 7, 9, 10, 20), 5)]
    request = rng.choice(
        (
            f"The car log of the {report.name} report is from Sweden. How many kilometres are all its drives together, as a whole number?",
            f"How far is it in kilometres if you add up the drives (Swedish car log) of the {report.name} report? Round to a whole number.",
        )
    )
    known = {
        "wrong_unit": [ashore] * 2,
        "wavering_total": slips[:4],
        "unit_beside_figure": (f"{right} km", f"{right} kilometres", f"{right}km"),
    }
    reads = (*looked_up(report), call("expenses_list_drives", report_id=report.id))
    why = f"{report.name}: {' + '.join(map(str, report.drives))} = {total} mil, {{}} km."
    guesses = ("450", "800", "1200")
    return _task(index, "expenses", request, reads, right, slips[4], why, agency, rng, known, guesses=guesses)


def quote(index: int, agency: Agency, rng: Random) -> Task:
    """The latest rate that a hotel has quoted, where no rooms are to be blocked although somebody would like it."""
    hotel, who = rng.choice(agency.hotels), rng.choice(agency.travellers)
    latest, first = max(hotel.quotes), hotel.quotes[0]
    rates = {rate for _, rate in hotel.quotes}
    slip = next(one for one in range(latest[1] + 6, latest[1] + 40) if one not in rates)
    count = rng.randint(2, 6)
    request = rng.choice(
        (
            f"What is the latest rate that the {hotel.name} has quoted us, in euros a night? {who.name} would like {count} rooms blocked there, but finance decides that next week, so this is only a question: block nothing.",
            f"{who.name} is thinking of {count} rooms at the {hotel.name}. We are not blocking any for now. All I want to know is its most recent quote, euros per night.",
        )
    )
    reads = (*looked_up(hotel), call("hotels_list_quotes", hotel_id=hotel.id))
    known = {
        "older_reading_taken": [f"{first[1]}"] * 2,
        "unit_beside_figure": (f"{latest[1]} EUR", f"€{latest[1]}", f"{latest[1]} euros"),
    }
    why = f"{hotel.name}, quote of {latest[0]}: {{}} EUR. Nothing is blocked."
    task = _task(
        index, "hotels", request, reads, f"{latest[1]}", f"{slip}", why, agency, rng, known, guesses=("120", "150", "185", "240")
    )  # fmt: skip
    change = call("hotels_block_rooms", changes=True, decisive=True, hotel_id=hotel.id, rooms=count)
    words = ("I have blocked the rooms as well.", "The rooms are blocked, too.", "To be safe, the rooms are blocked now.")
    meddled = tuple((*reads, change, say(said(f"{latest[1]}", one))) for one in words)
    return replace(task, faulty={**task.faulty, "acted_on_a_question": meddled})
