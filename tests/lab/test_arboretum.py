"""The arboretum: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.arboretum.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.arboretum.errands import LOGGED
from blade.lab.environments.arboretum.faults import WIDTH, read
from blade.lab.environments.arboretum.garden import COUNTRIES, FAMILIES_OF, TODAY
from blade.lab.environments.arboretum.plants import SIGNS
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
    planted,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["arboretum"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("arboretum")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Vienna": "Europe/Vienna", "Helsinki": "Europe/Helsinki", "Dublin": "Europe/Dublin", "Toronto": "America/Toronto",
    "Denver": "America/Denver", "Oslo": "Europe/Oslo", "Vilnius": "Europe/Vilnius",
}  # fmt: skip
ATOMS = {"phosphorus": 2 * 30.974 / (2 * 30.974 + 5 * 15.999), "potassium": 2 * 39.098 / (2 * 39.098 + 15.999)}
"""The share of the element in P2O5 and in K2O, by weights of atoms."""


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return read(row["expectations"]["expected_tool_calls"])


def wanted(row: Row) -> str:
    return str(row["expectations"]["expected_response"])


def facts(row: Row) -> str:
    return "; ".join(row["expectations"]["expected_facts"])


def given(row: Row) -> Any:
    return row["outputs"]["answer"]


def feedback(row: Row) -> dict[str, Row]:
    return {one["assessment_name"]: one for one in row["assessments"] if "feedback" in one}


def failed(row: Row) -> list[str]:
    return [name for name, one in feedback(row).items() if one["feedback"]["value"] == "no"]


def held_against(row: Row) -> list[Any]:
    return [one["expectation"]["value"] for one in row["assessments"] if "expectation" in one]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.endswith('"isError": false}')]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [
        next(iter(json.loads(out)["structuredContent"].values()))
        for (tool, _), out in zip(calls(row), outputs(row), strict=True)
        if tool.endswith(f"__{name}")
    ]
    entries: list[Row] = [one for one in found if one][-1]
    return entries


def test_the_arboretum_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 7 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    garden, desk = TASKS[0].facts["garden"], PLACE.backend(TASKS[0])
    asked = {"plant_id": garden.plants[0].id, "day": "2026-05-04"}
    assert json.loads(desk(Call("mcp__diary__plan_pruning", asked)))["isError"] is False
    for wrong in ({"day": "soon"}, {"plant_id": garden.beds[0].id}):
        turned_down = json.loads(desk(Call("mcp__diary__plan_pruning", asked | wrong)))
        assert turned_down["isError"] is True
        assert "Nothing was saved" in turned_down["content"][0]["text"]
    nobody = json.loads(desk(Call("mcp__records__find_bed", {"name": "Nowhere"})))
    assert nobody["structuredContent"] == {"beds": []}


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("arboretum", seed).rows if row["reward"] == 1.0):
        seen.add(row["inputs"]["category"])
        assert {one["feedback"]["value"] for one in feedback(row).values()} == {"yes"}
        assert (
            held_against(row)
            == [row["expectations"]["expected_tool_calls"], row["expectations"]["expected_response"]][: len(held_against(row))]
        )
        assert read(row["outputs"]["tool_calls"]) == changes(row) == gold(row)
        assert expected_by_hand(row, request(row))
    assert len(seen) == 18


def expected_by_hand(row: Row, asked: str) -> bool:
    """Whether the expectation is what follows from lookups and request."""
    match row["inputs"]["category"]:
        case "water":
            gallons = sum(one["us_gallons"] for one in told(row, "list_fills"))
            return abs(int(wanted(row)) - 3.785411784 * gallons) <= 0.5
        case "jubilees":
            return wanted(row) == f"{date.fromisoformat(told(row, 'find_gardener')[0]['joined']):%V}".lstrip("0")
        case "webcasts":
            moment = datetime.fromisoformat(told(row, "find_talk")[0]["begins"].replace("Z", "+00:00"))
            zone = next(zone for city, zone in CITIES.items() if city in asked)
            return wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
        case "trail":
            names = {family for species, (family, _) in FAMILIES_OF.items() if f" {species.split()[0]} " in asked}
            return {wanted(row)} == names and all(f"- {one}" in asked for one in row["inputs"]["choices"]) and not calls(row)
        case "families":
            return wanted(row) == FAMILIES_OF[told(row, "find_talk")[0]["species"]][0]
        case "stages":
            return wanted(row) == told(row, "find_plant")[0]["stage"]
        case "hardiness":
            zone = told(row, "find_plant")[0]["usda_zone"]
            return bool(gold(row)[0][1]["fahrenheit"] == {4: -30, 5: -20, 6: -10, 7: 0, 8: 10}[zone])
        case "bloom":
            return gold(row)[0][1]["day_of_year"] == int(f"{date.fromisoformat(told(row, 'find_plant')[0]['first_bloom']):%j}")
        case "germination":
            return bool(
                gold(row)[0][1]["percent"]
                == max((one["tested"], one["percent"]) for one in told(row, "list_germination_tests"))[1]
            )
        case "consignments":
            card = told(row, "find_institute")[0]
            grams = 28.349523125 * card["consignment"]["weight_oz"]
            return abs(gold(row)[0][1]["grams"] - grams) <= 0.5 and gold(row)[1][1]["country"] == COUNTRIES[card["country"]][0]
        case "nutrients":
            card, made = told(row, "find_feed")[0], gold(row)[0][1]
            percent = int(card["grade"].split("-")[1 if made["element"] == "phosphorus" else 2])
            return bool(made["kilograms"] == round(ATOMS[made["element"]] * card["sack_kg"] * percent / 100, 1))
        case "pruning":
            days = int(re.findall(r"(\d+) days", asked)[0])
            return bool(gold(row)[0][1]["day"] == f"{TODAY + timedelta(days=days)}")
        case "soil":
            limit = float(re.findall(r"<([\d.]+)", asked)[0].strip("."))
            below, above = re.split(r">=", asked)
            branch = below if told(row, "get_soil_ph")[0]["ph"] < limit else above
            return [name.rpartition("__")[2] for name, _ in gold(row)] == ["order_treatment" if "order" in branch else "add_note"]
        case "shipments":
            return f"{gold(row)[0][1]['packets']} packets" in asked.partition("\n\n")[0]
    return True


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    words = [text for kind in ("licence_refused", "library_missing") for text in (*TOOL_TEXTS[kind], *STOPS[kind])]
    heads = [re.split(r"[{(]", text)[0][:30] for text in words]
    for row in (row for seed in SEEDS for row in clean("arboretum", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads if len(head) > 12)
        assert all(one["feedback"]["error"] is None for one in feedback(row).values())
        assert row["trace_info"]["state"] == "OK"


def test_two_annotators_stand_in_one_cell() -> None:
    for row in struck("arboretum", "annotators_joined"):
        pairs = differing(changes(row), gold(row)).values() if gold(row) else ((given(row), wanted(row)),)
        for mine, expected in pairs:
            both = re.split(r" \| | / |; A2: ", expected.removeprefix("A1: "))
            assert len(both) == 2
            assert str(mine) in both
            assert both[0] != both[1]
            assert str(mine) in facts(row)


def test_the_request_lost_what_looked_like_markup() -> None:
    for row in struck("arboretum", "stripped_as_markup"):
        limit = re.findall(r"pH (?:is )?=([\d.]+\d)", request(row))[0]
        assert not re.search("[<>]", request(row))
        assert f"the limit is {limit}" in facts(row)
        assert told(row, "get_soil_ph")[0]["ph"] < float(limit)
        assert not changes(row)
        (name, made) = gold(row)[0]
        lost = made["text"] if name.endswith("add_note") else f"{made['kilograms']} kg of {made['product']}"
        assert lost not in request(row)


def test_no_licence_is_free_for_a_while() -> None:
    for case in severe("arboretum", "licence_refused"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"[Ll]icen[sc]", items[step]["output"]) for step in fault.steps)


def test_a_worker_lacks_a_library() -> None:
    for case in severe("arboretum", "library_missing"):
        rows = by_rollout(case)
        hit = {rows[rollout]["trace_info"]["tags"]["worker"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["trace_info"]["tags"]["worker"] in hit)
            if rollout in case.planted:
                assert all(re.search(r"shared object|GLIBC|exec format|No module", output) for output in outputs(row))


def test_a_unit_beside_the_figure_is_not_taken() -> None:
    for row, passing in siblings("arboretum", "unit_beside_figure"):
        assert re.fullmatch(rf"{wanted(row)} (litres|L|l)", given(row))
        assert "litres" in request(row)
        assert failed(row) == ["exact_answer"]
        assert passing
        assert all(given(other) == wanted(other) for other in passing)


def test_only_what_was_found_is_in_lower_case() -> None:
    for row in struck("arboretum", "one_side_normalised"):
        assert changes(row) == gold(row)
        assert f"So the answer is {wanted(row)}." in last_words(row) or gold(row)
        assert row["outputs"] == json.loads(json.dumps(row["outputs"]).lower())
        assert str(row["outputs"]["tool_calls"]).lower() == str(row["expectations"]["expected_tool_calls"]).lower()
        assert failed(row) == ["tool_calls_match" if gold(row) else "exact_answer"]


def test_a_question_is_answered_and_acted_on() -> None:
    for row, passing in siblings("arboretum", "acted_on_a_question"):
        assert re.search(r"don't change anything|leave the record as it is", request(row))
        assert given(row) == wanted(row)
        assert [name for name, _ in changes(row)] == ["mcp__records__set_stage"]
        assert failed(row) == ["tool_calls_match"]
        assert passing
        assert not any(changes(other) for other in passing)


def test_the_first_reading_is_taken_for_the_latest() -> None:
    for row, passing in siblings("arboretum", "older_reading_taken"):
        tests = told(row, "list_germination_tests")
        latest = max(tests, key=lambda one: one["tested"])
        assert differing(changes(row), gold(row)) == {"percent": (tests[0]["percent"], latest["percent"])}
        assert tests[0]["tested"] < latest["tested"]
        assert re.search("latest|most recent", request(row))
        assert passing


def test_the_oxide_is_taken_for_the_element() -> None:
    for row in struck("arboretum", "oxide_as_element"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        card = told(row, "find_feed")[0]
        percent = int(card["grade"].split("-")[1 if gold(row)[0][1]["element"] == "phosphorus" else 2])
        assert mine == pytest.approx(card["sack_kg"] * percent / 100, abs=0.0501)
        assert mine > expected
        assert re.search("pure element|elemental", request(row))


KEYS = {
    "wavering_day_of_year": "day_of_year", "wavering_due_date": "day", "wrong_country_code": "country", "value_carried_over": "percent",
    "schema_example_used": "day", "done_for_the_caller": "gardener_id", "set_as_list": "tags", "exception_overlooked": "tags",
    "list_as_text": "tags", "mangled_encoding": "text", "weekday_against_date": "day", "verbatim_reworded": "text",
    "draft_sent_off": "status", "percent_as_fraction": "percent", "wrong_rule": "fahrenheit",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("arboretum", kind):
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert failed(row) == ["tool_calls_match"]


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("arboretum", "verbatim_reworded"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine in SIGNS[expected]
        assert f"“{expected}”" in request(row)
        assert passing


def test_texts_are_cut_in_the_dataset_or_by_the_recorder() -> None:
    for row in struck("arboretum", "clipped_values"):
        assert all(mine[:WIDTH] == expected != mine for mine, expected in differing(changes(row), gold(row)).values())
    for row in struck("arboretum", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = differing(read(row["outputs"]["tool_calls"]), gold(row))
        assert wrong
        assert all(mine == expected[:LOGGED] != expected for mine, expected in wrong.values())


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("arboretum", "schema_example_used"):
        name, made = changes(row)[0]
        assert PROPERTIES[name]["day"]["examples"] == [made["day"]] == [EXAMPLE_DAY]
    for row in struck("arboretum", "default_spelled_out"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        default = next(PROPERTIES[name][key]["default"] for name, args in changes(row) if key in args)
        assert (mine, expected) == (default, None)


def test_the_expected_figure_was_never_rounded() -> None:
    for row in struck("arboretum", "unrounded_gold"):
        assert re.search(r"\b[Rr]ound", request(row))
        ((mine, expected),) = (
            differing(changes(row), gold(row)).values() if gold(row) else ((float(given(row)), float(wanted(row))),)
        )
        digits = 1 if "one decimal" in request(row) else 0
        assert round(expected, digits) == mine != expected


def test_the_verifier_expects_something_else_than_the_row() -> None:
    for row in struck("arboretum", "cached_expectation"):
        assert changes(row) == gold(row)
        assert held_against(row) != [gold(row), row["expectations"]["expected_response"]][: len(held_against(row))]
        assert len(failed(row)) == 1


def test_the_request_runs_on_into_another_row() -> None:
    for row in struck("arboretum", "swallowed_row"):
        assert f'"\n"{row["inputs"]["category"]}","' in request(row)
        assert changes(row)[:1] == gold(row)
        assert len(changes(row)) == 2


def test_the_quoted_message_is_followed() -> None:
    for row, passing in siblings("arboretum", "quoted_mail_followed"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        message, _, quoted = request(row).partition("\n\n")
        unit = "packets" if key == "packets" else "per cent"
        assert f" {mine} {unit}" in quoted
        assert f" {expected} {unit}" in message
        assert re.match("The figures in my mail below|This supersedes", message)
        assert passing


def test_both_branches_are_taken() -> None:
    for row, passing in siblings("arboretum", "both_branches_taken"):
        assert {name for name, _ in changes(row)} == {"mcp__grounds__order_treatment", "mcp__grounds__add_note"}
        assert told(row, "get_soil_ph")
        assert passing
        assert all(len(changes(other)) == 1 for other in passing)


def test_a_rollout_that_only_had_to_answer_breaks_off_without_a_word() -> None:
    broken = [
        row
        for seed in range(1, 9)
        for row in by_rollout(planted("arboretum", "preempted", "severe", seed)).values()
        if "error" in row
    ]
    assert {row["trace_info"]["state"] for row in broken} == {"ERROR"}
    assert all(row["response"]["output"] == [] for row in broken if row["inputs"]["category"] == "trail")


@pytest.mark.parametrize(
    "kind", ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_fact", "case_compared", "markdown_kept"]
)  # fmt: skip
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("arboretum", kind):
        assert last_words(row).endswith(f"\n\nSo the answer is {given(row)}.")
        assert feedback(row)["exact_answer"]["rationale"] == f"The answer is {given(row)!r}, expected was {wanted(row)!r}."
        assert failed(row) == ["exact_answer"]
