"""The theatre: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.theatre.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.theatre.errands import LOGGED, SYSTEM
from blade.lab.environments.theatre.faults import answer_in, read
from blade.lab.environments.theatre.house import COUNTRIES, FIFTHS, LANGUAGES, TODAY, WORKS
from blade.lab.environments.theatre.print import TEXTS, roman
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

PLACE = ENVIRONMENTS["theatre"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("theatre")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Lisbon": "Europe/Lisbon", "Athens": "Europe/Athens", "Chicago": "America/Chicago", "Vancouver": "America/Vancouver",
    "Madrid": "Europe/Madrid", "Boston": "America/New_York", "Riga": "Europe/Riga",
}  # fmt: skip
ACCIDENTALS = {"A flat": "4 flats", "E flat": "3 flats", "B flat": "2 flats", "F": "1 flat", "G": "1 sharp", "D": "2 sharps"}


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return read(row["events"])


def wanted(row: Row) -> str:
    return str(answer_in(row["events"]))


def comment(row: Row) -> str:
    return str(row["annotation"]["comment"])


def given(row: Row) -> Any:
    return answer_in(row["completed_events"])


def failed(row: Row) -> list[Row]:
    return [one for one in row["validation"]["checks"] if not one["success"]]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("Change(")]


def fields(row: Row) -> dict[str, Any]:
    return {made["field"]: made["value"] for name, made in gold(row) if name == "Records__set_field"}


def told(row: Row, sort: str) -> list[Row]:
    """The records of a sort that lookups gave, the last ones for each."""
    found = [one for out in outputs(row) for one in re.findall(rf"\b{sort}\(([^()]*)\)", out)]
    return [{key: text or int(number) for key, text, number in re.findall(r"(\w+)=(?:'([^']*)'|(\d+))", one)} for one in found]


def day(text: str) -> date:
    return datetime.strptime(text, "%d/%m/%Y").date()


def test_the_theatre_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 9 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    house, desk = TASKS[0].facts["house"], PLACE.backend(TASKS[0])
    asked = {"production_id": house.productions[0].id, "work": "the prompt book", "date": "04/12/2026"}
    assert desk(Call("Schedule__set_due_date", asked)).startswith("Change(")
    for wrong in ({"date": "2026-12-04"}, {"production_id": house.items[0].id}):
        assert re.match("ToolException.*nothing was changed$", desk(Call("Schedule__set_due_date", asked | wrong)))
    assert desk(Call("Wardrobe__find_item", {"name": "Nothing"})) == "[]"


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("theatre", seed).rows if row["reward"] == 1.0):
        seen.add(row["definition"]["tags"][0])
        assert (row["validation"]["success"], row["validation"]["exception"], failed(row)) == (True, None, [])
        assert sorted(map(str, gold(row))) == sorted(map(str, changes(row)))
        assert read(row["completed_events"]) == changes(row)
        assert expected_by_hand(row, request(row))
    assert len(seen) == 18


def expected_by_hand(row: Row, asked: str) -> bool:
    """Whether the expectation is what follows from lookups and request."""
    show = next(iter(told(row, "Production")[-1:]), {})
    match row["definition"]["tags"][0]:
        case "takings":
            nights = {one["date"]: one["taken_cents"] for one in told(row, "Performance")}
            return abs(int(wanted(row)) - sum(nights.values()) / 100) <= 0.5
        case "anniversaries":
            who = next(one for one in told(row, "Person") if one["name"] in asked)
            return wanted(row) == f"{day(who['joined']):%V}".lstrip("0")
        case "broadcasts":
            moment = datetime.strptime(f"{show['broadcast_utc']} +0000", "%d/%m/%Y %H:%M %z")
            zone = next(zone for city, zone in CITIES.items() if city in asked)
            return wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
        case "quiz":
            author = row["definition"]["choices"][wanted(row)]
            return f"({wanted(row)}) {author}" in asked and any(author == WORKS[work][0] for work in WORKS if work in asked)
        case "posters":
            return wanted(row) == WORKS[show["play"]][0]
        case "whereabouts":
            return wanted(row) == next(one["status"] for one in told(row, "Item") if one["name"] in asked)
        case "fittings":
            (named,) = set(re.findall(r"Monday (\d+ \w+)", asked))
            monday = datetime.strptime(f"{named} 2026", "%d %B %Y").date()
            return day(gold(row)[0][1]["date"]) == monday + timedelta(days=1) and monday.weekday() == 0
        case "namesakes":
            people = told(row, "Person")
            chosen = next(one for one in people if f"{one['name']} the {one['role']}" in asked)
            return gold(row)[0][1]["person_id"] == chosen["person_id"]
        case "deadlines":
            return day(gold(row)[0][1]["date"]) == TODAY + timedelta(days=int(re.findall(r"(\d+) days", asked)[0]))
        case "booklets":
            return fields(row) == {"sheets": show["booklet_pages"] / 4} and f"“{gold(row)[0][1]['text']}”" in asked
        case "title pages":
            first = day(show["first_performed"])
            expected = {"imprint_year": roman(first.year), "premiere_weekday": f"{first:%A}"}
            return fields(row) == expected | {"surtitle_language": LANGUAGES[show["surtitles"]][0]}
        case "parts":
            sounding, rise = (
                show["finale_key"].removesuffix(" major"),
                {"B": 2, "F": 1, "E": 3}[re.findall(r" in ([BFE])\b", asked)[0]],
            )
            written = FIFTHS[FIFTHS.index(sounding) + rise]
            return fields(row) == {"finale_signature": ACCIDENTALS[sounding], "part_key": f"{written} major"}
        case "shipments":
            firm = next(one for one in told(row, "Firm") if one["name"] in asked)
            kilograms = fields(row)["shipment_kilograms"]
            return (
                abs(kilograms - 0.45359237 * firm["shipment_lb"]) <= 0.5
                and fields(row)["shipment_country"] == COUNTRIES[firm["country"]][0]
            )
        case "props":
            return fields(row)["stage_side"] == ("stage right" if re.search(r"on the left", asked) else "stage left")
        case "sales":
            limit, night = (re.findall(pattern, asked)[0] for pattern in (r"ewer than (\d+)", r"on \w+ (\d+ \w+)"))
            seats = next(
                one["seats_left"] for one in told(row, "Performance") if f"{day(one['date']).day} {day(one['date']):%B}" == night
            )
            return gold(row)[0][0] == ("BoxOffice__set_online_sale" if seats < int(limit) else "Records__set_field")
        case "discounts":
            return all(f"{made['percent']} per cent" in asked.partition("\n\n>")[0] for _, made in gold(row))
    return True


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    heads = [text[:24] for text in (*TOOL_TEXTS["event_loop_closed"], *STOPS["event_loop_closed"])]
    for row in (row for seed in SEEDS for row in clean("theatre", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads)
        assert not row["execution"]["has_exception"]


def test_a_word_of_the_schema_became_a_truth_value() -> None:
    for row in struck("theatre", "boolean_for_word"):
        assert differing(changes(row), gold(row)) == {"state": ("off", False)}
        assert "switched off" in comment(row)
        assert PROPERTIES["BoxOffice__set_online_sale"]["state"]["enum"] == ["on", "off"]
        assert row["events"][0]["action"]["args"][1] == {"name": "state", "value": "False", "value_type": "bool"}


def test_two_people_have_the_name_and_the_request_does_not_say_which() -> None:
    for row in struck("theatre", "two_of_that_name"):
        first, second = [one for one in told(row, "Person") if one["name"] in request(row)][-2:]
        assert gold(row)[0][1]["person_id"] == second["person_id"]
        assert second["role"] in comment(row)
        assert not any(one["role"] in request(row) for one in (first, second))
        assert [made["person_id"] for _, made in changes(row)] in ([], [first["person_id"]])


def test_the_event_loop_is_closed_for_a_while() -> None:
    for case in severe("theatre", "event_loop_closed"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"[Cc]losed|different loop", items[step]["output"]) for step in fault.steps)


def test_the_expected_text_is_taken_for_a_pattern() -> None:
    for row in struck("theatre", "gold_read_as_pattern"):
        assert changes(row) == gold(row) == read(row["completed_events"])
        for check in failed(row):
            assert check["oracle_action"] == check["agent_action"]
            assert re.fullmatch(r"re\.fullmatch\((.*), \1\) is None", check["reason"])
        assert failed(row)


def test_a_room_is_booked_on_a_dark_day() -> None:
    assert "No room is booked on a Monday" in SYSTEM
    for row, passing in siblings("theatre", "house_rule_ignored"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert f"Monday {day(mine).day} {day(mine):%B}" in request(row)
        assert day(expected) - day(mine) == timedelta(days=1)
        assert passing


def test_sides_are_named_as_the_audience_sees_them() -> None:
    for row in struck("theatre", "seen_from_the_house"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert {mine, expected} == {"stage left", "stage right"}
        assert f"the {mine.removeprefix('stage ')}" in request(row)


def test_the_first_of_two_namesakes_is_taken() -> None:
    for row in struck("theatre", "first_hit"):
        first, second = [one for one in told(row, "Person") if one["name"] in request(row)][-2:]
        assert differing(changes(row), gold(row)) == {"person_id": (first["person_id"], second["person_id"])}
        assert f"the {second['role']}" in request(row)


KEYS = {
    "wavering_due_date": "date", "wavering_numerals": "value", "wavering_weekday": "value", "wavering_key_signature": "value",
    "country_for_language": "value", "transposed_downwards": "value", "wrong_country_code": "value", "wrong_rule": "value",
    "value_carried_over": "percent", "quoted_mail_followed": "percent", "schema_example_used": "date", "done_for_the_caller": "person_id",
    "set_as_list": "tags", "exception_overlooked": "tags", "mangled_encoding": "text", "weekday_against_date": "date",
    "verbatim_reworded": "text", "day_month_swapped": "date", "date_through_utc": "date", "wrong_unit": "value",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("theatre", kind):
        wrong = differing(changes(row), gold(row))
        assert set(wrong) == {KEYS[kind]}
        assert len(failed(row)) == 1
        if kind == "schema_example_used":
            assert wrong["date"][0] == EXAMPLE_DAY
        if kind == "verbatim_reworded":
            assert wrong["text"][0] in TEXTS[wrong["text"][1]]


def test_the_verifier_sees_something_else_than_was_done() -> None:
    for row in struck("theatre", "log_clips_text"):
        wrong = differing(read(row["completed_events"]), changes(row))
        assert {mine == made[:LOGGED] != made for mine, made in wrong.values()} == {True}
    for row in struck("theatre", "cached_expectation"):
        held = [one["oracle_action"] for one in row["validation"]["checks"] if one["oracle_event_id"]]
        assert held != [one["action"] for one in row["events"]]
        assert sorted(map(str, gold(row))) == sorted(map(str, changes(row)))
    for row in struck("theatre", "one_side_normalised"):
        assert not re.search("[A-Z]", str([made for _, made in read(row["completed_events"])] or given(row)))
        assert sorted(map(str, gold(row))) == sorted(map(str, changes(row)))


def test_a_rollout_that_breaks_off_says_so() -> None:
    for row in struck("theatre", "preempted"):
        assert (row["execution"]["has_exception"], row["execution"]["exception_message"]) == (True, row["error"])


@pytest.mark.parametrize("kind", ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_fact", "case_compared", "markdown_kept", "unit_beside_figure"])  # fmt: skip
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("theatre", kind):
        assert last_words(row).endswith(f"\n<answer>{given(row)}</answer>")
        assert [one["reason"] for one in failed(row)] == [f"content: agent {given(row)!r}, oracle {wanted(row)!r}"]


def test_meddling_and_both_branches_are_more_than_was_asked() -> None:
    for kind in ("acted_on_a_question", "both_branches_taken", "duplicate_change"):
        for row in struck("theatre", kind):
            assert [one["oracle_event_id"] for one in failed(row)] == [None]
            assert len(changes(row)) == len(gold(row)) + 1
