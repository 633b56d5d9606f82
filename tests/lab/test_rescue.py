"""The mountain rescue: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.rescue.board import SUMMITS, opposite, wind_chill
from blade.lab.environments.rescue.desk import EXAMPLE_DAY, WRITES
from blade.lab.faults.catalogue import KIND
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

PLACE = ENVIRONMENTS["rescue"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("rescue")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Zurich": "Europe/Zurich", "Tallinn": "Europe/Tallinn", "Zagreb": "Europe/Zagreb", "Chisinau": "Europe/Chisinau",
    "Calgary": "America/Edmonton", "Boston": "America/New_York",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["operation"], one["body"]) for one in row["reference_outputs"]["requests"]]


def wanted(row: Row) -> str:
    return str(row["reference_outputs"]["reply"])


def given(row: Row) -> Any:
    return row["outputs"]["reply"]


def failed(row: Row) -> list[str]:
    return [key for key, one in row["feedback"].items() if one["score"] == 0]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("**Recorded**")]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [out for (tool, _), out in zip(calls(row), outputs(row), strict=True) if tool == name and out.startswith("###")]
    return [dict(re.findall(r"^- (.+?): (.+)$", card, re.MULTILINE)) for card in found[-1].split("\n\n")]


def refs(text: object) -> set[str]:
    return set(re.findall(r"\b\d{5}-[a-z]+\b", str(text)))


def test_the_rescue_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 5 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    board, desk = TASKS[0].facts["board"], PLACE.backend(TASKS[0])
    asked = {"volunteer": board.volunteers[0].id, "hut": board.huts[0].id, "day": "2027-02-01"}
    assert desk(Call("post_v1_standbys", asked)).startswith("**Recorded**")
    assert "soon is not a day" in desk(Call("post_v1_standbys", asked | {"day": "soon"}))
    assert "there is no hut" in desk(Call("post_v1_standbys", asked | {"hut": board.volunteers[0].id}))
    assert desk(Call("get_v1_huts", {"hut_name": "Nowhere"})) == '_No entry on the board for "Nowhere"._'


@pytest.mark.parametrize(("celsius", "kmh", "felt"), [(-5, 20, -12), (-10, 30, -20), (-20, 40, -34), (-25, 60, -43)])
def test_wind_chill_is_that_of_the_published_chart(celsius: int, kmh: int, felt: int) -> None:
    assert round(wind_chill(celsius, kmh)) == felt


def test_lee_is_where_the_wind_blows_to() -> None:
    assert {one: opposite(one) for one in ("north", "south-west", "east")} == {
        "north": "south", "south-west": "north-east", "east": "west",
    }  # fmt: skip


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("rescue", seed).rows if row["reward"] == 1.0):
        topic, asked = row["inputs"]["scenario"], request(row)
        seen.add(topic)
        match topic:
            case "ropes":
                feet = sum(int(one["length"].removesuffix(" ft")) for one in told(row, "get_v1_volunteers_ropes"))
                assert float(wanted(row)) == pytest.approx(feet / 3.28084, abs=0.051)
            case "anniversary" | "medals":
                day = date.fromisoformat(told(row, "get_v1_volunteers")[0]["with us since"])
                assert wanted(row) == (f"{day:%A}" if topic == "anniversary" else f"{day:%V}".lstrip("0"))
            case "opening":
                moment = datetime.fromisoformat(told(row, "get_v1_exchanges")[0]["opens"].replace(" UTC", "+00:00"))
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "summit":
                assert row["inputs"]["options"][wanted(row)] == SUMMITS[told(row, "get_v1_exchanges")[0]["summit"]]
            case "walk":
                card = told(row, "get_v1_routes")[0]
                km, ascent = float(card["length"].removesuffix(" km")), int(card["ascent"].removesuffix(" m"))
                assert gold(row)[0][1]["minutes"] == pytest.approx(60 * (km / 5 + ascent / 600))
            case "closure":
                assert gold(row)[0][1]["aspect"] == opposite(told(row, "get_v1_masts")[0]["wind"].partition(",")[0])
            case "flight":
                first, second = re.findall(r"\d{5}-helicopter", asked)
                fuel = {one["ref"]: int(one["fuel"].removesuffix(" min")) for one in told(row, "get_v1_helicopters")}
                needed = int(re.findall(r"(\d+) minutes", asked)[0])
                assert gold(row)[0][1]["helicopter"] == (first if fuel[first] >= needed else second)
    assert len(seen) >= 13


def test_a_word_of_the_gold_is_german() -> None:
    for row in struck("rescue", "untranslated_gold"):
        wrong = differing(changes(row), gold(row))
        assert wrong
        for key, (mine, expected) in wrong.items():
            schema = next(its[key] for name, its in PROPERTIES.items() if name in dict(gold(row)) and key in its)
            words = schema.get("enum") or schema["items"]["enum"]
            assert {*(mine if isinstance(mine, list) else [mine])} <= {*words}
            assert not {*(expected if isinstance(expected, list) else [expected])} & {*words}


def test_the_weekday_of_the_request_is_not_that_of_its_date() -> None:
    for row in struck("rescue", "weekday_against_date"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        day, other = date.fromisoformat(mine), date.fromisoformat(expected)
        assert f"{other:%A} {day.day} {day:%B}" in request(row)
        assert abs((day - other).days) == 1


def test_requests_wait_in_a_queue() -> None:
    for row in struck("rescue", "stuck_queue"):
        assert all(re.search(r"consumers?\b|dispatcher", output, re.IGNORECASE) for output in outputs(row)[-2:])
        assert re.search(r"queue|in line", last_words(row))


def test_the_handlers_are_broken_on_a_slot() -> None:
    for case in severe("rescue", "handler_broken"):
        rows = by_rollout(case)
        hit = {rows[rollout]["span"]["attributes"]["worker.slot"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["span"]["attributes"]["worker.slot"] in hit)
            if rollout in case.planted:
                assert all(output.startswith("Traceback") for output in outputs(row))


def test_the_radius_is_the_same_in_metres() -> None:
    for row, passing in siblings("rescue", "equivalent_quantity"):
        wrong = differing(changes(row), gold(row))
        assert wrong["unit"] == ("m", "km")
        assert math.isclose(wrong["radius"][0], 1_000 * wrong["radius"][1])
        assert passing


def test_the_evaluator_fails_on_what_is_not_ascii() -> None:
    for row, passing in siblings("rescue", "evaluator_ascii_only"):
        assert changes(row) == gold(row)
        assert not last_words(row).isascii()
        assert all(one["score"] is None and "UnicodeEncodeError" in one["comment"] for one in row["feedback"].values())
        assert passing
        assert all(last_words(other).isascii() for other in passing)


def test_the_standby_is_the_callers() -> None:
    for row, passing in siblings("rescue", "done_for_the_caller"):
        assert set(differing(changes(row), gold(row))) == {"volunteer"}
        caller = next(asked["name"] for name, asked in reversed(calls(row)) if name == "get_v1_volunteers")
        assert re.search(rf"^(This is )?{caller}( speaking)?\.", request(row))
        assert passing


def test_the_hut_is_deleted() -> None:
    for row, passing in siblings("rescue", "deleted_instead"):
        assert [name for name, _ in changes(row)] == ["delete_v1_huts"]
        assert re.search(r"entry has to stay|Keep the entry", request(row))
        assert passing


def test_the_windward_side_is_closed() -> None:
    for row in struck("rescue", "lee_as_windward"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert told(row, "get_v1_masts")[0]["wind"].startswith(f"{mine},")
        assert mine == opposite(expected)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_wind_chill", {"celsius"}),
        ("wrong_rule", {"minutes"}),
        ("wavering_argument", {"minutes"}),
        ("value_carried_over", {"francs"}),
        ("correction_missed", {"day"}),
        ("schema_example_used", {"day"}),
        ("set_as_list", {"items"}),
        ("list_as_text", {"items"}),
        ("condition_unchecked", {"helicopter"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("rescue", kind):
        assert set(differing(changes(row), gold(row))) == keys
        assert failed(row) == ["requests_match"]


def test_the_day_is_the_example_of_the_schema() -> None:
    assert PROPERTIES["post_v1_standbys"]["day"]["examples"] == [EXAMPLE_DAY]
    for row in struck("rescue", "schema_example_used"):
        assert changes(row)[0][1]["day"] == EXAMPLE_DAY
        assert "December" not in request(row)


def test_defaults_are_those_of_the_schema() -> None:
    for row in struck("rescue", "default_spelled_out"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert (mine, expected) == (PROPERTIES[changes(row)[0][0]][key]["default"], None)


def test_what_was_graded_is_another_rollouts() -> None:
    for case in severe("rescue", "graded_another_rollout"):
        rows = by_rollout(case)
        for rollout in case.planted:
            row, task = rows[rollout], rollout.partition(":")[0]
            graded = refs(row["outputs"])
            assert changes(row) == gold(row)
            assert graded
            assert not graded & refs(gold(row))
            assert any(graded <= refs(gold(other)) for key, other in rows.items() if key.partition(":")[0] != task)


def test_ids_stand_in_each_others_columns() -> None:
    for row in struck("rescue", "columns_swapped"):
        wrong = differing(changes(row), gold(row))
        (first, second) = wrong.values()
        assert first == second[::-1]
        assert not any(expected.endswith(key) for key, (_, expected) in wrong.items())


def test_the_request_names_somebody_whom_nobody_knows() -> None:
    for row in struck("rescue", "pseudonym_in_prompt"):
        (name,) = {asked["name"] for _, asked in calls(row) if asked.get("name", "?") in last_words(row) and " " in asked["name"]}
        assert name in request(row)
        assert name not in row["metadata"]["derivation"]
        assert not changes(row)


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in ("wrong_unit", "wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "case_compared"):
        for row in struck("rescue", kind):
            assert last_words(row).endswith(f"[[{given(row)}]]")
            assert row["feedback"]["reply_match"]["comment"] == f"reference {wanted(row)!r}, output {given(row)!r}"
            assert failed(row) == ["reply_match"]
