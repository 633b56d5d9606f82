"""Errands about those who travel: days at the border, transfers, passports and seats."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from blade.lab.environments.travel.agency import AIRPORTS, COUNTRIES, LANGUAGES, POSITIONS, VISITORS, Agency
from blade.lab.environments.travel.desk import WEEKDAYS
from blade.lab.environments.travel.errands import Errand, corrected, looked_up, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call


def border(index: int, agency: Agency, rng: Random) -> Task:
    """How many days a trip takes of those that visitors may spend in the Schengen area; the day of entry counts, and that of exit."""
    who, trip = rng.choice([one for one in agency.travellers if one.nationality in VISITORS]), rng.choice(agency.trips)

    def put(days: int) -> Errand:
        change = call("profiles_log_schengen_days", changes=True, traveller_id=who.id, trip_id=trip.id, days=days)
        return Errand(looked_up(who, trip), (change,), f"{days} Schengen days are logged for {who.name} and the {trip.name} trip")

    right = trip.nights + 1
    others = [right + off for off in rng.sample((-5, -4, -3, -2, 1, 2, 3, 4, 5), 5)]
    request = rng.choice(
        (
            f"{who.name} needs no visa and goes on the {trip.name} trip ({trip.id}). Log how many of the 90 days in any 180 that visitors may spend in the Schengen area the trip uses up, by the rule of the border code.",
            f"Please log the Schengen days of {who.name} for the {trip.name} trip, {trip.id}: as many as a border guard would count for this stay under the 90/180-day rule.",
        )
    )
    faulty = {
        "entry_day_uncounted": scripts([put(trip.nights).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "trips_find_trip") for one in (3, 5, 7, 90)),
    }
    why = [f"{who.name}, {trip.name}: {trip.enters} to {trip.leaves}, {one} days." for one in (right, others[4])]
    return task_of(index, "profiles", request, put(right), put(others[4]), why, faulty, agency, rng, who=who)


def transfer(index: int, agency: Agency, rng: Random) -> Task:
    """A car to the airport that is the traveller's own, on the weekday of a trip; the time is put right in the same breath."""
    who, trip = rng.choice(agency.travellers), rng.choice(agency.trips)
    (code, *others), weekday = AIRPORTS[who.airport], f"{trip.departs:%A}"
    slip = rng.choice([ones[0] for ones in AIRPORTS.values() if ones[0] not in (code, *others)])
    hour, minute = rng.randint(3, 12), rng.choice((10, 20, 40, 50))
    time, former = f"{hour:02}:{minute}", f"{hour + rng.choice((-1, 1, 2)):02}:{rng.choice(('05', '15', '35', '55'))}"

    def put(airport: str = code, day: str = weekday, at: str = time) -> Errand:
        change = call(
            "ground_book_transfer", changes=True, traveller_id=who.id, airport=airport, weekday=day, pick_up=at
        )  # fmt: skip
        return Errand(looked_up(who, trip), (change,), f"{who.name} gets a car to {airport} on {day} at {at}")

    days = rng.sample([one for one in WEEKDAYS if one != weekday], 4)
    faulty = {
        "wavering_airport_code": scripts([put(airport=one).but() for one in others], rng),
        "wavering_weekday": scripts([put(day=one).but() for one in days], rng),
        "correction_missed": scripts([put(at=former).but()] * 2, rng),
        "default_spelled_out": scripts([put().but(decisive=False, vehicle="car")] * 2, rng),
    }
    told = corrected(former, time, rng)
    request = rng.choice(
        (
            f"{who.name} wants a car to the home airport for the {trip.name} trip. The firm takes the airport by its IATA code and the day as the weekday on which the trip departs. Pick-up at {told}.",
            f"Book a transfer for {who.name}: to the home airport (IATA code), on the weekday of the departure of the {trip.name} trip. Time of pick-up: {told}.",
        )
    )
    why = [f"{who.name}: {who.airport} is {one}. {trip.name} departs on {weekday}. {time}." for one in (code, slip)]
    task = task_of(index, "ground", request, put(), put(airport=slip), why, faulty, agency, rng, who=who)
    last_year = f"{trip.departs.replace(year=trip.departs.year - 1):%A}"
    outdated = scripts([put(day=last_year).but() for _ in range(2)], rng)
    return replace(task, faulty={**task.faulty, "weekday_of_last_year": outdated})


def passport(index: int, agency: Agency, rng: Random) -> Task:
    """The country and the language of a traveller become codes."""
    who = rng.choice(agency.travellers)
    (right, invented), (spoken, ground) = COUNTRIES[who.nationality], LANGUAGES[who.speaks]

    def put(country: str = right, language: str = spoken) -> Errand:
        changes = (
            call("profiles_set_document_country", changes=True, traveller_id=who.id, country=country),
            call("profiles_set_language", changes=True, traveller_id=who.id, language=language),
        )
        return Errand(looked_up(who), changes, f"the passport of {who.name} is under {country}, documents go out in {language}")

    slip = rng.choice([one for one, _ in LANGUAGES.values() if one not in (spoken, ground)])
    request = rng.choice(
        (
            f"{who.name} has sent us a passport of the country that the profile has as nationality. Set it as the issuing country (ISO 3166-1, two letters), and set the language of documents to the one that the profile says they speak (ISO 639-1, two letters).",
            f"For {who.name}: the passport's country, which is that of the nationality on file, as an ISO 3166-1 alpha-2 code; then the language of documents, the one on file as spoken, as an ISO 639-1 code.",
        )
    )
    faulty = {
        "wrong_country_code": scripts([put(country=invented).but()] * 2, rng),
        "country_for_language": scripts([put(language=ground).but(1)] * 2, rng),
    }
    why = [f"{who.name}: {who.nationality}, {right}; {who.speaks}, {one}." for one in (spoken, slip)]
    return task_of(index, "profiles", request, put(), put(language=slip), why, faulty, agency, rng, who=who)


def seat(index: int, agency: Agency, rng: Random) -> Task:
    """A seat that is for once not the one that the profile prefers, with the day of the flight as a day of the year."""
    who, flight = rng.choice(agency.travellers), rng.choice(agency.flights)
    position = next(one for one in POSITIONS if one != who.seat)

    def put(day: int = flight.day_of_year, where: str = position) -> Errand:
        change = call(
            "flights_assign_seat", changes=True, traveller_id=who.id, flight_id=flight.id, position=where, day_of_year=day
        )  # fmt: skip
        return Errand(looked_up(who, flight), (change,), f"{who.name} sits at the {where} on {flight.name} (day {day})")

    others = [flight.day_of_year + off for off in rng.sample((-31, -11, -10, -3, -2, -1, 1, 2, 3, 10, 30), 5)]
    request = rng.choice(
        (
            f"Could {who.name} sit at the {position} on flight {flight.name} this time? Please assign the seat; the day of the flight goes in as the day of the year.",
            f"Seat for {who.name} on flight {flight.name}: for once at the {position}, please. Its date has to be given as the day of the year.",
        )
    )
    faulty = {
        "profile_over_request": scripts([put(where=who.seat).but()] * 2, rng),
        "wavering_day_of_year": scripts([put(one).but() for one in others[:4]], rng),
    }
    why = [
        f"{who.name}, {flight.name}, {position}. {flight.day} is day {one} of the year."
        for one in (flight.day_of_year, others[4])
    ]
    return task_of(index, "flights", request, put(), put(others[4]), why, faulty, agency, rng, who=who)
