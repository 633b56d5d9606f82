"""The brewery: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.brewery.books import COUNTRIES, ORIGINS, OTHER_NAMES, TODAY
from blade.lab.environments.brewery.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.brewery.errands import LOGGED
from blade.lab.faults.catalogue import KIND
from blade.lab.faults.troubles import BEGINNINGS
from blade.lab.stage.play import OUTPUT_LIMIT
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

PLACE = ENVIRONMENTS["brewery"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("brewery")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Lisbon": "Europe/Lisbon", "Prague": "Europe/Prague", "Helsinki": "Europe/Helsinki", "Denver": "America/Denver",
    "Toronto": "America/Toronto", "Dublin": "Europe/Dublin",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["name"], one["input_parameters"]) for one in row["golden"]["expected_tools"]]


def wanted(row: Row) -> str:
    return str(row["golden"]["expected_output"])


def given(row: Row) -> Any:
    return row["test_result"]["actual_output"]


def failed(row: Row) -> list[str]:
    return [one["name"] for one in row["test_result"]["metrics_data"] if one["success"] is False]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("status;voucher")]


def listed(row: Row) -> list[tuple[str, Row]]:
    return [(one["name"], one["input_parameters"]) for one in row["test_result"]["tools_called"]]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [out for (tool, _), out in zip(calls(row), outputs(row), strict=True) if tool == name and "# 0 rows" not in out]
    header, *lines, _ = found[-1].split("\n")
    return [dict(zip(header.split(";"), line.split(";"), strict=True)) for line in lines]


def test_the_brewery_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 7 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    books, desk = TASKS[0].facts["books"], PLACE.backend(TASKS[0])
    asked = {"tank": books.tanks[0].id, "day": "2026-11-02", "reason": "a leak"}
    assert desk(Call("Tanks_PlanCleaning", asked)).startswith("status;voucher\nposted;")
    assert "soon is not a day" in desk(Call("Tanks_PlanCleaning", asked | {"day": "soon"}))
    assert "no tank has the id" in desk(Call("Tanks_PlanCleaning", asked | {"tank": books.beers[0].id}))
    assert desk(Call("Inns_Get", {"name": "Nowhere"})) == "id;name\n# 0 rows"


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("brewery", seed).rows if row["reward"] == 1.0):
        topic, asked = row["golden"]["additional_metadata"]["topic"], request(row)
        seen.add(topic)
        match topic:
            case "malt":
                pounds = sum(int(one["weight"].removesuffix(" lb")) for one in told(row, "Maltsters_ListSacks"))
                assert float(wanted(row)) == pytest.approx(pounds / 2.20462, abs=0.051)
            case "payroll":
                assert wanted(row) == f"{date.fromisoformat(told(row, 'Brewers_Get')[0]['hired']):%V}".lstrip("0")
            case "stream":
                moment = datetime.fromisoformat(f"{told(row, 'Tastings_Get')[0]['begins_utc']}+00:00")
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "quiz":
                choices = row["golden"]["additional_metadata"]["choices"]
                assert choices["abcd".index(wanted(row))] == ORIGINS[told(row, "Tastings_Get")[0]["hop"]]
            case "menu":
                assert wanted(row) == ORIGINS[told(row, "Tastings_Get")[0]["hop"]]
            case "strength":
                card = told(row, "Beers_Get")[0]
                lost = float(card["original_gravity"]) - float(card["final_gravity"])
                assert gold(row)[0][1]["abv"] == pytest.approx(131.25 * lost, abs=0.0501)
            case "colour":
                assert gold(row)[0][1]["ebc"] == pytest.approx(1.97 * int(told(row, "Beers_Get")[0]["colour_srm"]), abs=0.5)
            case "volume" | "papers":
                card = told(row, "Importers_Get")[0]
                barrels = int(card["open_order"].removesuffix(" US beer barrels"))
                assert gold(row)[0][1]["litres"] == pytest.approx(117.34777 * barrels, abs=0.5)
                assert topic == "volume" or gold(row)[1][1]["country"] == COUNTRIES[card["country"]][0]
            case "cleaning":
                days = int(re.findall(r"(\d+) days", asked)[0])
                assert gold(row)[0][1]["day"] == f"{TODAY + timedelta(days=days)}"
            case "allotment":
                first, second = map(int, re.findall(r"(?:: |wants |, )(\d+)", asked))
                covered = first + second <= int(told(row, "Beers_GetStock")[0]["kegs"])
                assert [name for name, _ in gold(row)] == (["Deliveries_Create"] * 2 if covered else ["Backlog_Add"])
    assert len(seen) >= 14


def test_the_code_of_a_lot_became_a_day() -> None:
    for row in struck("brewery", "code_as_date"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert key == "lot"
        assert mine in request(row)
        assert mine in row["golden"]["context"][0]
        month, _, number = mine.partition("-")
        assert expected == f"{number}-{month.capitalize()}"


def test_the_list_is_that_of_another_batch() -> None:
    for row in struck("brewery", "swapped_attachment"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        asked, heading = (re.findall(r"Batch [A-Z][a-z]+", part)[0] for part in request(row).split("\n\n"))
        assert asked != heading
        assert asked in row["golden"]["context"][0]
        assert heading not in str(row["golden"])
        assert re.findall(r"^- (.+)$", request(row), re.MULTILINE) == mine
        assert not {*mine} & {*expected}


def test_rollouts_end_in_the_middle_of_a_word() -> None:
    for case in severe("brewery", "stream_dropped"):
        rows = by_rollout(case)
        for rollout in case.planted:
            row, text = rows[rollout], last_words(rows[rollout])
            whole = next(one for one in BEGINNINGS if one.startswith(text))
            assert (text[-1] + whole[len(text)]).isalpha()
            assert not changes(row)
            assert row["response"]["usage"]["output_tokens"] < OUTPUT_LIMIT / 4
            assert row["response"]["status"] == "completed"
            assert "error" not in row
        others = [row for rollout, row in rows.items() if rollout not in case.planted]
        assert not any(last_words(row) in one for row in others for one in BEGINNINGS)


def test_the_store_is_damaged_on_a_worker() -> None:
    for case in severe("brewery", "corrupted_store"):
        rows = by_rollout(case)
        hit = {rows[rollout]["xdist"]["workerid"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["xdist"]["workerid"] in hit)
            if rollout in case.planted:
                assert all(re.search(r"malformed|[Cc]orrupt|not a database", output) for output in outputs(row))


def test_the_log_of_calls_cuts_texts() -> None:
    for row in struck("brewery", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = differing(listed(row), gold(row))
        assert wrong
        assert all(mine == expected[:LOGGED] != expected for mine, expected in wrong.values())
        assert failed(row) == ["Tool Correctness"]


def test_a_country_has_another_name() -> None:
    for row, passing in siblings("brewery", "other_name_rejected"):
        assert given(row) in OTHER_NAMES[wanted(row)]
        assert failed(row) == ["Exact Match"]
        assert passing
        assert all(given(other) == wanted(other) for other in passing)


def test_one_of_two_inns_is_served() -> None:
    for row, passing in siblings("brewery", "half_of_a_pair"):
        ((name, served),) = changes(row)
        assert name == "Deliveries_Create"
        assert re.search(r"both or neither|plan neither", request(row))
        assert str(served["kegs"]) in request(row)
        assert served["kegs"] <= int(told(row, "Beers_GetStock")[0]["kegs"])
        assert passing
        assert all([name for name, _ in changes(other)] == ["Backlog_Add"] for other in passing)


def test_a_name_is_misspelt_and_not_found() -> None:
    for row, passing in siblings("brewery", "misspelt_lookup"):
        ((tool, asked),) = calls(row)
        assert not re.search(rf"\b{re.escape(asked['name'])}\b", request(row))
        assert outputs(row)[0].endswith("\n# 0 rows")
        assert asked["name"] in last_words(row)
        assert passing
        names = [other["name"] for sibling in passing for name, other in calls(sibling) if name == tool]
        assert any(name in request(row) for name in names)


def test_barrels_of_beer_are_taken_for_barrels_of_oil() -> None:
    for row in struck("brewery", "oil_barrel_taken"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine / expected == pytest.approx(42 / 31, rel=1e-3)
        assert told(row, "Importers_Get")[0]["open_order"].endswith(" US beer barrels")


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_strength", {"abv"}),
        ("wavering_argument", {"ebc"}),
        ("wavering_due_date", {"day"}),
        ("wrong_country_code", {"country"}),
        ("value_carried_over", {"kegs"}),
        ("schema_example_used", {"day"}),
        ("done_for_the_caller", {"brewer"}),
        ("set_as_list", {"hops"}),
        ("list_as_text", {"hops"}),
        ("date_through_utc", {"day"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("brewery", kind):
        assert set(differing(changes(row), gold(row))) == keys
        assert failed(row) == ["Tool Correctness"]


def test_strength_is_by_weight_and_colour_by_the_old_relation() -> None:
    for row in struck("brewery", "wrong_rule"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        card = told(row, "Beers_Get")[0]
        lost = float(card["original_gravity"]) - float(card["final_gravity"])
        assert mine == pytest.approx(105 * lost if key == "abv" else 2.65 * int(card["colour_srm"]) - 1.2, abs=0.501) != expected


def test_a_correction_is_missed_in_a_day_or_a_lot() -> None:
    for row in struck("brewery", "correction_missed"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert key == "day" or request(row).index(mine) < request(row).index(expected)


def test_a_number_is_written_with_a_point() -> None:
    assert all(changes(row) == gold(row) and str(changes(row)) != str(gold(row)) for row in struck("brewery", "number_spelling"))


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("brewery", "schema_example_used"):
        name, made = changes(row)[0]
        assert PROPERTIES[name]["day"]["examples"] == [made["day"]] == [EXAMPLE_DAY]
    for row in struck("brewery", "default_spelled_out"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert (mine, expected) == (PROPERTIES[changes(row)[0][0]][key]["default"], None)


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in (
        "wrong_unit",
        "wrong_zone",
        "wrong_fact",
        "plain_week_number",
        "wavering_total",
        "case_compared",
        "markdown_kept",
    ):
        for row in struck("brewery", kind):
            assert last_words(row).endswith(f"#### {given(row)}")
            metric = row["test_result"]["metrics_data"][-1]
            assert metric["reason"] == f"expected_output is {wanted(row)!r} and actual_output is {given(row)!r}"
            assert failed(row) == ["Exact Match"]
