"""The travel agency: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.travel.agency import AIRPORTS, CAPITALS, COUNTRIES, DECIMALS, LANGUAGES
from blade.lab.environments.travel.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.travel.errands import LOGGED
from blade.lab.environments.travel.faults import read
from blade.lab.environments.travel.papers import WORDINGS
from blade.lab.environments.travel.questions import AIRLINES
from blade.lab.faults.catalogue import KIND
from blade.lab.faults.troubles import STOPS, TOOL_TEXTS
from blade.signals.labels import LABELS
from tests.lab.support import (
    SEEDS,
    Row,
    by_rollout,
    calls,
    check_labels,
    differing,
    kinds_at,
    last_words,
    outputs,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["travel"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("travel")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
TODAY = date(2026, 9, 14)
CITIES = {
    "Lisbon": "Europe/Lisbon", "Helsinki": "Europe/Helsinki", "Denver": "America/Denver", "Montreal": "America/Montreal",
    "Vienna": "Europe/Vienna", "Bucharest": "Europe/Bucharest", "Warsaw": "Europe/Warsaw", "Halifax": "America/Halifax",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return read(row["ground_truth"])


def executed(row: Row) -> list[tuple[str, Row]]:
    return read(row["executed_actions"])


def note(row: Row) -> str:
    return str(row["annotator_notes"])


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and '"success"' in output]


def told(row: Row, tool: str, name: str | None = None) -> list[Row]:
    """What the last call of a lookup gave that found something, or that for one name."""
    found = [
        json.loads(out)["results"]
        for (made, args), out in zip(calls(row), outputs(row), strict=True)
        if made == tool and name in (None, args.get("name"))
    ]
    return next(one for one in reversed(found) if one)


def record(row: Row, tool: str) -> Row:
    """The record that the request names."""
    (found,) = {
        json.dumps(one)
        for (made, args), out in zip(calls(row), outputs(row), strict=True)
        if made == tool and str(args.get("name")) in request(row)
        for one in json.loads(out)["results"]
    }
    kept: Row = json.loads(found)
    return kept


def test_the_travel_agency_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 11 for label in LABELS)
    assert len(ALL) >= 81


def test_the_tools_turn_down_what_does_not_fit() -> None:
    agency, desk = TASKS[0].facts["agency"], PLACE.backend(TASKS[0])
    asked = {"hotel_id": agency.hotels[0].id, "date": "2026-10-01"}
    assert '"success"' in desk(Call("hotels_set_payment_date", asked))
    assert "is not a date" in desk(Call("hotels_set_payment_date", asked | {"date": "tomorrow"}))
    assert "unknown hotel_id" in desk(Call("hotels_set_payment_date", asked | {"hotel_id": agency.trips[0].id}))
    language = {"traveller_id": agency.travellers[0].id, "language": "Danish"}
    assert "not in the right form" in desk(Call("profiles_set_language", language))
    assert desk(Call("trips_find_trip", {"name": "Nowhere"})) == '{"results": []}'
    assert desk(Call("hotels_list_quotes", {"hotel_id": agency.trips[0].id})) == '{"results": []}'


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("travel", seed).rows if row["reward"] == 1.0):
        assert executed(row) == changes(row) == gold(row)
        assert row["mismatches"] == []
        assert row["verify_error"] is None
        assert row["actions_match"] is True
        assert row["answer_match"] is (None if row["answer"] is None else True)
        assert row["started_at"] < row["finished_at"]
        seen.add(expected_by_hand(row))
    assert len(seen) == 18


def expected_by_hand(row: Row) -> str:
    """The family of a task whose expectation is what follows from lookups and request."""
    made = gold(row)
    return answered_by_hand(row) if not made else changed_by_hand(row, made[0][0], made[0][1], made[-1][1])


def answered_by_hand(row: Row) -> str:
    asked, wanted = request(row), row["answer"]
    if row["options"]:
        code = re.findall(r"\b(?:code|with) ([A-Z]\w)\b", asked)[0]
        assert {key: name for one in row["options"] for key, name in one.items()}[wanted] == AIRLINES[code][0]
        assert not calls(row)
        return "airline"
    if "ISO 8601" in asked:
        day = datetime.fromisoformat(record(row, "trips_find_trip")["departs_utc"])
        assert f"{day:%V}" == wanted
        return "week"
    if "HH:MM" in asked:
        day = datetime.fromisoformat(f"{record(row, 'trips_find_trip')['departs_utc']}+00:00")
        assert f"{day.astimezone(ZoneInfo(next(zone for city, zone in CITIES.items() if city in asked))):%H:%M}" == wanted
        return "hour"
    if "Swed" in asked:
        assert int(wanted) == 10 * sum(one["distance"] for one in told(row, "expenses_list_drives"))
        return "car_log"
    if "quote" in asked:
        assert int(wanted) == max((one["quoted_on"], one["eur_per_night"]) for one in told(row, "hotels_list_quotes"))[1]
        return "quote"
    assert wanted == CAPITALS[record(row, "hotels_find_hotel")["city"]][0]
    return "capital"


def changed_by_hand(row: Row, name: str, first: Row, last: Row) -> str:
    asked = request(row)
    match name:
        case "hotels_create_booking":
            day = date.fromisoformat(first["check_in"])
            assert re.search(rf"(?:correction:|no,|make that) {day:%A} {day.day} {day:%B}", asked)
        case "hotels_release_allotment":
            day, month = re.findall(r"(\d+) (October|November|December)", asked)[0]
            arrival = datetime.strptime(f"{day} {month} 2026", "%d %B %Y").date()
            clear, days = re.findall(r"(\d+) clear", asked)[0], re.findall(r"(\d+) days (?:from|after) today", asked)[0]
            assert (arrival - date.fromisoformat(first["date"])).days - 1 == int(clear)
            assert (date.fromisoformat(last["date"]) - TODAY).days == int(days)
        case "hotels_block_rooms" | "hotels_join_waitlist":
            limit = int(re.findall(r"(?:at least|with) (\d+) (?:rooms left|or more)", asked)[0])
            assert (told(row, "hotels_get_availability")[0]["rooms_left"] >= limit) == (name == "hotels_block_rooms")
            return "rooms"
        case "hotels_set_discount":
            assert [f"{one['percent']} per cent" in asked.partition("\n\n")[0] for _, one in gold(row)] == [True, True]
        case "profiles_log_schengen_days":
            card = record(row, "trips_find_trip")
            days = [date.fromisoformat(card[key]).toordinal() for key in ("schengen_entry", "schengen_exit")]
            assert first["days"] == len(range(days[0], days[1] + 1))
        case "ground_book_transfer":
            card, trip = record(row, "profiles_find_traveller"), record(row, "trips_find_trip")
            assert first["airport"] == AIRPORTS[card["home_airport"]][0]
            assert first["weekday"] == f"{datetime.fromisoformat(trip['departs_utc']):%A}"
        case "profiles_set_document_country":
            card = record(row, "profiles_find_traveller")
            assert (first["country"], last["language"]) == (COUNTRIES[card["nationality"]][0], LANGUAGES[card["speaks"]][0])
        case "flights_assign_seat":
            day = date.fromisoformat(record(row, "flights_find_flight")["date"])
            assert first["day_of_year"] == int(f"{day:%j}")
            assert first["position"] in asked
        case "expenses_reimburse":
            code, figure = re.findall(r"([A-Z]{3}) ([\d,.]+\d)", asked)[0]
            assert first["amount"] == round(float(figure.replace(",", "")) * 10 ** DECIMALS[code])
        case "expenses_add_mileage":
            exact = 1.609344 * sum(one["distance"] for one in told(row, "expenses_list_drives"))
            assert abs(first["kilometres"] - exact) < 0.5
            assert last["percent"] == (25 if record(row, "rail_find_booking")["minutes_late"] < 120 else 50)
        case "messages_create":
            assert f"“{first['body']}”" in asked
            assert first["status"] == "draft"
        case "trips_set_services":
            listed = re.findall(r"^\* (.*)$", asked, re.MULTILINE)
            (left_out,) = set(listed) - set(first["services"])
            assert [one for one in listed if one != left_out] == first["services"]
    return name


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    heads = [re.split(r"[{(]", one)[0][:30] for ones in (TOOL_TEXTS, STOPS) for one in ones["approval_unanswered"]]
    for row in (row for seed in SEEDS for row in clean("travel", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads if len(head) > 12)


def test_the_first_of_a_list_was_kept() -> None:
    for row in struck("travel", "first_of_list_kept"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine[:1] == expected
        assert len(mine) > 1
        assert all(one in note(row) and f"* {one}\n" in f"{request(row)}\n" for one in mine)


def test_nobody_answers_when_an_approval_is_asked_for() -> None:
    for case in severe("travel", "approval_unanswered"):
        rows = by_rollout(case)
        for rollout in case.planted:
            assert all(re.search(r"approv|allow list|ermission|want to take", output) for output in outputs(rows[rollout])[-2:])
            assert "approv" not in str(rows[rollout]["responses_create_params"]["input"][0])


def test_the_verifier_makes_texts_of_numbers() -> None:
    for row in struck("travel", "numbers_read_as_text"):
        assert changes(row) == gold(row)
        wrong = differing(executed(row), gold(row))
        assert wrong
        assert all(mine == f"{expected}" and isinstance(expected, int) for mine, expected in wrong.values())


def test_the_profile_prevails_over_the_request() -> None:
    for row, passing in siblings("travel", "profile_over_request"):
        assert differing(changes(row), gold(row)) == {"position": (changes(row)[0][1]["position"], gold(row)[0][1]["position"])}
        assert record(row, "profiles_find_traveller")["seat_preference"] == changes(row)[0][1]["position"]
        assert gold(row)[0][1]["position"] in request(row)
        assert passing


def test_the_day_of_entry_is_left_out() -> None:
    for row in struck("travel", "entry_day_uncounted"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine == expected - 1


def test_the_letter_is_held_against_the_words_of_its_option() -> None:
    for row in struck("travel", "letter_held_against_text"):
        assert last_words(row).endswith(f"\n<solution>{row['answer']}</solution>")
        assert (row["model_answer"], row["answer_match"], row["reward"]) == (row["answer"], False, 0.0)
        words = {letter: text for one in row["options"] for letter, text in one.items()}[row["answer"]]
        assert row["mismatches"] == [{"field": "answer", "expected": words, "actual": row["answer"]}]
        assert words in note(row)


def test_the_weekday_is_that_of_the_year_before() -> None:
    for row in struck("travel", "weekday_of_last_year"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        day = datetime.fromisoformat(record(row, "trips_find_trip")["departs_utc"])
        assert (mine, expected) == (f"{day.replace(year=day.year - 1):%A}", f"{day:%A}")
        assert expected in note(row)


KEYS = {
    "wavering_airport_code": "airport", "wavering_weekday": "weekday", "wavering_day_of_year": "day_of_year", "wavering_argument": "days",
    "wavering_compensation": "percent", "wrong_rule": "percent", "wavering_conversion": "kilometres", "wrong_rounding": "kilometres",
    "clear_days_as_days": "date", "wavering_due_date": "date", "wrong_country_code": "country", "country_for_language": "language",
    "minor_unit_blindness": "amount", "value_carried_over": "percent", "done_for_the_caller": "traveller_id", "set_as_list": "services",
    "exception_overlooked": "services", "list_as_text": "services", "swapped_attachment": "services", "weekday_against_date": "check_in",
    "date_through_utc": "check_in", "day_month_swapped": "check_in", "schema_example_used": "check_in", "verbatim_reworded": "body",
    "draft_sent_off": "status", "mangled_encoding": "body", "html_escaped_gold": "body", "unrounded_gold": "kilometres",
    "percent_as_fraction": "percent", "weekday_of_last_year": "weekday",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("travel", kind):
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert row["actions_match"] is False


SPOILT: dict[str, Callable[[Any], Any]] = {
    "date_through_utc": lambda mine: f"{date.fromisoformat(mine) - timedelta(days=1)}T23:00:00.000Z",
    "html_escaped_gold": lambda mine: mine.replace("&", "&amp;"),
    "mangled_encoding": lambda mine: mine.encode().decode("cp1252"),
    "list_as_text": str,
}


@pytest.mark.parametrize("kind", SPOILT)
def test_expected_values_are_spoilt_as_the_catalogue_says(kind: str) -> None:
    for row in struck("travel", kind):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert SPOILT[kind](mine) == expected


def test_the_verifier_sees_less_or_expects_something_else() -> None:
    for row in struck("travel", "log_clips_text"):
        wrong = differing(executed(row), gold(row))
        assert wrong
        for mine, right in wrong.values():
            pairs = zip(mine, right, strict=True) if isinstance(right, list) else [(mine, right)]
            assert all(one == other[:LOGGED] for one, other in pairs)
    for row in struck("travel", "cached_expectation"):
        assert changes(row) == gold(row)
        assert row["model_answer"] == row["answer"]
        assert not any(one["expected"] in (*row["ground_truth"], row["answer"]) for one in row["mismatches"] if one["expected"])
    for row in struck("travel", "verifier_timeout"):
        assert (row["actions_match"], row["mismatches"]) == (None, [])
        assert row["verify_error"]


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("travel", "verbatim_reworded"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine in WORDINGS[expected]
        assert passing
    for row in struck("travel", "schema_example_used"):
        assert changes(row)[0][1]["check_in"] == EXAMPLE_DAY
        assert EXAMPLE_DAY not in request(row)
        assert PROPERTIES["hotels_create_booking"]["check_in"]["examples"] == [EXAMPLE_DAY]


@pytest.mark.parametrize(
    "kind", ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_fact", "case_compared", "older_reading_taken"]
)  # fmt: skip
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("travel", kind):
        assert last_words(row).endswith(f"\n<solution>{row['model_answer']}</solution>")
        assert row["mismatches"] == [{"field": "answer", "expected": row["answer"], "actual": row["model_answer"]}]
