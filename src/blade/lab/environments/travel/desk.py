"""The tools at the servicing desk of a travel agency, grouped by what they serve (`hotels_find_hotel`, `expenses_add_mileage`).

They answer in JSON: lookups with results, changes with a status and a reference, and what is turned down with the status `error` and a message.
No tool knows codes of airports, countries or languages, capitals, decimals of currencies, what a delay earns, how days are counted at a border
or in a period of notice, weekdays, weeks, time zones, or how long a mile is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.environments.travel.agency import POSITIONS, Agency, Flight, Hotel, Named, Report, Train, Traveller, Trip
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2027-03-18"
"""The day that the schemas of tools give as an example."""
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SERVICES: Final = (
    "airport lounge access", "seat reservations on trains", "travel insurance", "airport parking", "meet and greet on arrival", "fast track", "extra baggage", "visa support",
    "rental car", "phone data pass", "interpreter", "currency order",
)  # fmt: skip
STATUSES: Final = ("planned", "confirmed", "cancelled")


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": f"{description}, YYYY-MM-DD", "examples": [EXAMPLE_DAY]}


TOOLS = (
    function("profiles_find_traveller", "Find the profile of a traveller by full name.", name="string"),
    function("hotels_find_hotel", "Find a hotel by its name.", name="string"),
    function("trips_find_trip", "Find a trip by its name.", name="string"),
    function("flights_find_flight", "Find a booked flight by its number.", name="string"),
    function("rail_find_booking", "Find a rail booking by its route.", name="string"),
    function("expenses_find_report", "Find an expense report by its title.", name="string"),
    function("hotels_get_availability", "How many rooms of a hotel are left.", hotel_id="string"),
    function("hotels_list_quotes", "Rates that a hotel has quoted, in no particular order.", hotel_id="string"),
    function("expenses_list_drives", "The drives in the car log of an expense report.", report_id="string"),
    function(
        "hotels_create_booking",
        "Book a room for a traveller.",
        ("traveller_id", "hotel_id", "check_in", "nights", "breakfast"),
        traveller_id="string",
        hotel_id="string",
        check_in=_day("Day of arrival"),
        nights={"type": "integer", "minimum": 1},
        breakfast="boolean",
        rate=_one_of(("corporate", "public"), default="corporate"),
    ),
    function(
        "hotels_release_allotment",
        "Set the last day on which the rooms that a hotel holds for us can be given back.",
        hotel_id="string",
        date=_day("Last day"),
    ),
    function(
        "hotels_set_payment_date",
        "Set the day on which a hotel gets its deposit.",
        hotel_id="string",
        date=_day("Day of payment"),
    ),
    function("hotels_block_rooms", "Block rooms at a hotel.", hotel_id="string", rooms={"type": "integer", "minimum": 1}),
    function("hotels_join_waitlist", "Put us on a hotel's waiting list.", hotel_id="string", rooms={"type": "integer", "minimum": 1}),
    function(
        "hotels_set_discount",
        "Enter the corporate discount that a hotel grants.",
        hotel_id="string",
        percent={"type": "number", "description": "Per cent of the public rate", "minimum": 1, "maximum": 60},
    ),
    function(
        "profiles_log_schengen_days",
        "Log how many days of the short-stay allowance in the Schengen area a trip takes.",
        traveller_id="string",
        trip_id="string",
        days={"type": "integer", "minimum": 1, "maximum": 90},
    ),
    function(
        "profiles_set_document_country",
        "Set the country that has issued a traveller's passport.",
        traveller_id="string",
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
    ),
    function(
        "profiles_set_language",
        "Set the language in which a traveller gets documents.",
        traveller_id="string",
        language={"type": "string", "description": "ISO 639-1 code", "pattern": "^[a-z]{2}$"},
    ),
    function(
        "ground_book_transfer",
        "Book a car from home to the airport.",
        ("traveller_id", "airport", "weekday", "pick_up"),
        traveller_id="string",
        airport={"type": "string", "description": "IATA code", "pattern": "^[A-Z]{3}$"},
        weekday=_one_of(WEEKDAYS),
        pick_up={"type": "string", "description": "HH:MM", "pattern": "^[0-2][0-9]:[0-5][0-9]$"},
        vehicle=_one_of(("car", "minibus"), default="car"),
    ),
    function(
        "flights_assign_seat",
        "Assign a traveller a seat on a flight.",
        traveller_id="string",
        flight_id="string",
        position=_one_of(POSITIONS),
        day_of_year={"type": "integer", "description": "Day of the flight as the bar code has it, 1 to 366"},
    ),
    function(
        "expenses_reimburse",
        "Pay an amount of an expense report back.",
        report_id="string",
        amount={"type": "number", "description": "In the minor unit of the currency"},
        currency={"type": "string", "description": "ISO 4217 code", "pattern": "^[A-Z]{3}$"},
    ),
    function(
        "expenses_add_mileage",
        "Add the distance driven to an expense report.",
        report_id="string",
        kilometres={"type": "number", "minimum": 0},
    ),
    function(
        "rail_file_claim",
        "Claim compensation for a delayed train.",
        booking_id="string",
        percent={"type": "number", "description": "Per cent of the fare", "minimum": 1, "maximum": 100},
    ),
    function(
        "messages_create",
        "Create a message to everybody on a trip, as a draft or sent at once.",
        ("trip_id", "body", "status", "urgent"),
        trip_id="string",
        body="string",
        status=_one_of(("draft", "sent")),
        urgent="boolean",
        channel=_one_of(("email", "text"), default="email"),
    ),
    function(
        "trips_set_services",
        "Set the services of a trip to these. They are a set, their order means nothing.",
        trip_id="string",
        services={"type": "array", "items": _one_of(SERVICES), "uniqueItems": True},
    ),
    function("trips_set_status", "Set the status of a trip.", trip_id="string", status=_one_of(STATUSES)),
)  # fmt: skip
_READS: Final = re.compile("_(find|get|list)_")
WRITES: Final = frozenset(tool["name"] for tool in TOOLS if not _READS.search(tool["name"]))
_FORMS: Final = {"pick_up": "[0-2][0-9]:[0-5][0-9]", "airport": "[A-Z]{3}", "country": "[A-Z]{2}", "language": "[a-z]{2}"}


def refused(answer: str) -> bool:
    return answer.startswith('{"status": "error"')


def _error(text: str) -> str:
    return json.dumps({"status": "error", "message": text}, ensure_ascii=False)


class Desk:
    """The tools over the records of the agency."""

    def __init__(self, agency: Agency) -> None:
        self.agency = agency

    def __call__(self, made: Call) -> str:
        records: dict[str, tuple[Named, ...]] = {
            "profiles_find_traveller": self.agency.travellers, "hotels_find_hotel": self.agency.hotels,
            "trips_find_trip": self.agency.trips, "flights_find_flight": self.agency.flights,
            "rail_find_booking": self.agency.trains, "expenses_find_report": self.agency.reports,
        }  # fmt: skip
        if made.name in records:
            return _results([_card(one) for one in records[made.name] if one.name == made.arguments.get("name")])
        if made.name not in WRITES:
            found = [one for ones in records.values() for one in ones if one.id in made.arguments.values()]
            return _results([entry for one in found for entry in _entries(one, made.name)])
        return self._changed(made)

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.agency.ids.get(key)
            if known is not None and value not in known:
                return _error(f"unknown {key} {value}")
            if key in ("date", "check_in") and not is_day(value):
                return _error(f"{value} is not a date (YYYY-MM-DD)")
            if key in _FORMS and not re.fullmatch(_FORMS[key], str(value)):
                return _error(f"{key} {value} is not in the right form")
        return json.dumps({"status": "success", "reference": f"{dice(*made.key).randrange(16**6):06x}"})


def _results(found: list[Row]) -> str:
    return json.dumps({"results": found}, ensure_ascii=False)


def _entries(one: Named, tool: str) -> list[Row]:
    match one, tool:
        case Hotel(), "hotels_get_availability":
            return [{"rooms_left": one.left}]
        case Hotel(), "hotels_list_quotes":
            return [{"quoted_on": f"{day}", "eur_per_night": rate} for day, rate in one.quotes]
        case Report(), "expenses_list_drives":
            return [{"drive": number, "distance": far, "unit": one.unit} for number, far in enumerate(one.drives, 1)]
    return []


def _card(one: Named) -> Row:
    """What a search shows of a record."""
    match one:
        case Traveller():
            return {
                "traveller_id": one.id, "name": one.name, "nationality": one.nationality, "speaks": one.speaks, "home_airport": one.airport,
                "seat_preference": one.seat,
            }  # fmt: skip
        case Hotel():
            return {"hotel_id": one.id, "name": one.name, "city": one.city}
        case Trip():
            return {
                "trip_id": one.id, "name": one.name, "departs_utc": f"{one.departs:%Y-%m-%d %H:%M}", "schengen_entry": f"{one.enters}",
                "schengen_exit": f"{one.leaves}",
            }  # fmt: skip
        case Flight():
            return {"flight_id": one.id, "number": one.name, "date": f"{one.day}"}
        case Train():
            return {"booking_id": one.id, "route": one.name, "minutes_late": one.late}
        case Report():
            return {"report_id": one.id, "title": one.name, "currency": one.currency}
    return {"id": one.id, "name": one.name}
