"""The town's garage: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.garage.care import kilopascals
from blade.lab.environments.garage.desk import TOOLS, WRITES
from blade.lab.environments.garage.fleet import BAYS, CODES, SPEEDS, YEARS, free_bays
from blade.lab.environments.garage.questions import counted_year
from tests.lab.support import (
    SEEDS,
    Row,
    by_rollout,
    calls,
    differing,
    last_words,
    outputs,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["garage"]
TASKS = PLACE.tasks(3, 96)


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["name"], one["arguments"]) for one in row["verifier_metadata"]["expected_calls"]]


def wanted(row: Row) -> Any:
    return row["verifier_metadata"]["expected_answer"]


def changes(row: Row) -> list[tuple[str, Row]]:
    """The changes that a tool accepted."""
    return [made for made, output in zip(calls(row), outputs(row), strict=True) if made[0] in WRITES and output.startswith("OK")]


def told(row: Row, name: str) -> Any:
    """What a tool answered to the last call of it that it did not turn down."""
    answers = [output for (tool, _), output in zip(calls(row), outputs(row), strict=True) if tool == name]
    return json.loads([output for output in answers if not output.startswith("Error")][-1])


def test_the_tools_turn_down_what_does_not_fit() -> None:
    desk, vehicle = PLACE.backend(TASKS[0]), TASKS[0].facts["fleet"].vehicles[0]
    other = TASKS[0].facts["fleet"].vehicles[1]
    day = "2026-05-20"
    taken = next(one for one in BAYS if one not in free_bays(vehicle.depot, day))
    order = {"vehicle_id": vehicle.id, "job": "brake check", "day": day, "bay": taken}
    free = free_bays(vehicle.depot, day)[0]
    assert "is not free" in desk(Call("open_work_order", order))
    assert desk(Call("open_work_order", {**order, "bay": free})).startswith("OK")
    assert "YYYY-MM-DD" in desk(Call("open_work_order", {**order, "bay": free, "day": "20 May 2026"}))
    assert "does not fit" in desk(Call("reserve_parts", {"vehicle_id": vehicle.id, "part_numbers": [other.parts[0].number]}))
    assert "no vehicle" in desk(Call("get_vehicle", {"vehicle_id": "FV-0"}))
    assert json.loads(desk(Call("find_vehicle", {"plate": vehicle.plate.lower()})))[0]["vehicle_id"] == vehicle.id


def test_what_is_expected_follows_from_what_the_records_say() -> None:
    for seed in SEEDS:
        for row in clean("garage", seed).rows:
            if row["reward"] < 1.0:
                continue
            match row["category"]:
                case "fuel_cost":
                    assert wanted(row) == f"{sum(float(one['cost']) for one in told(row, 'fuel_log')['fills']):.2f}"
                case "litres":
                    log = told(row, "fuel_log")
                    assert log["quantity_unit"] == "imperial gallons"
                    assert float(wanted(row)) == pytest.approx(sum(one["quantity"] for one in log["fills"]) * 4.54609, abs=0.051)
                case "model_year":
                    assert wanted(row) == str(YEARS[told(row, "get_vehicle")["vin"][9]])
                case "last_job":
                    assert wanted(row) == max(told(row, "list_jobs"), key=lambda one: str(one["closed"]))["job"]
                case "tyre_speed":
                    speed = f"{SPEEDS[told(row, 'get_vehicle')['tyres'][-1]]} km/h"
                    assert {"label": wanted(row), "text": speed} in row["choices"]
                    assert row["verifier_metadata"]["expected_option"] == speed
                case "pressure":
                    psi = [int(one) for one in re.findall(r"\d+", told(row, "get_vehicle")["placard"])]
                    assert [given["kpa"] for _, given in gold(row)] == [kilopascals(one) for one in psi]
                case "fault_code":
                    (code,) = told(row, "read_fault_codes")["active"]
                    assert (gold(row)[0][1]["code"], gold(row)[0][1]["system"]) == (code, CODES[code])
                case "brake_check":
                    days = re.search(r"(\d+) days", request(row))
                    assert days is not None
                    day = date.fromisoformat(told(row, "get_vehicle")["next_inspection"]) + timedelta(days=int(days[1]))
                    assert gold(row)[0][1]["day"] == day.isoformat()
                case "service":
                    limit = re.search(r"more than (\d+) km", request(row))
                    assert limit is not None
                    full = told(row, "get_vehicle")["km_since_service"] > int(limit[1])
                    assert gold(row)[0][1]["job"] == ("full service" if full else "interim service")


def test_thirty_six_psi_are_248_kilopascals() -> None:
    assert kilopascals(36) == 248


def test_the_solution_of_a_wrong_gold_is_that_of_the_right_one() -> None:
    for row in struck("garage", "wrong_gold"):
        if wanted(row) is not None and row["choices"] is None:
            assert row["extracted_answer"] in row["solution"]
            assert wanted(row) not in row["solution"].replace(row["extracted_answer"], "")


def test_a_list_that_is_missing_is_missed_by_all() -> None:
    for row in struck("garage", "missing_attachment"):
        assert re.search(r"list|attachment", request(row))
        assert "\n" not in request(row)
        assert re.search(r"\b(list|attached)\b", last_words(row))
        assert not changes(row)
        assert gold(row)


def test_the_expected_letter_is_not_that_of_the_expected_text() -> None:
    for row in struck("garage", "shuffled_letter"):
        texts = {one["label"]: one["text"] for one in row["choices"]}
        assert texts[row["extracted_answer"]] == row["verifier_metadata"]["expected_option"]
        assert texts[wanted(row)] != row["verifier_metadata"]["expected_option"]


def test_a_dead_engine_leaves_no_output() -> None:
    for case in severe("garage", "engine_crash"):
        assert {rollout for rollout, row in by_rollout(case).items() if "error" in row} == set(case.planted)
        assert not any(by_rollout(case)[rollout]["response"]["output"] for rollout in case.planted)


def test_blank_outputs_come_twice_in_a_row() -> None:
    for case in severe("garage", "blank_output"):
        for rollout, fault in case.planted.items():
            items = by_rollout(case)[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert not any(items[step]["output"].strip() for step in fault.steps)


def test_parts_in_several_calls_are_the_expected_ones() -> None:
    (schema,) = (tool for tool in TOOLS if tool["name"] == "reserve_parts")
    assert "several times" in schema["description"]
    for row, passing in siblings("garage", "split_call"):
        reserved = [one for name, given in changes(row) if name == "reserve_parts" for one in given["part_numbers"]]
        assert reserved == gold(row)[0][1]["part_numbers"]
        assert changes(row)[-1] == gold(row)[-1]
        assert all(changes(other) == gold(row) for other in passing)


def test_marks_are_all_that_is_wrong_with_the_answer() -> None:
    for row in struck("garage", "markdown_kept"):
        assert row["extracted_answer"] != wanted(row)
        assert row["extracted_answer"].strip("*`") == wanted(row)


def test_the_value_taken_back_stands_in_the_request() -> None:
    for row, passing in siblings("garage", "correction_missed"):
        found = differing(changes(row), gold(row))
        assert len(found) == 1
        ((key, (given, right)),) = found.items()
        assert key in ("bay", "until")
        shown = [
            f"bay {one}" if key == "bay" else f"{(day := date.fromisoformat(one)).day} {day:%B %Y}" for one in (given, right)
        ]
        assert 0 <= request(row).index(shown[0]) < request(row).index(shown[1])
        assert passing


def test_the_refused_call_is_made_again_unchanged() -> None:
    for row, passing in siblings("garage", "refused_again"):
        refused = [
            made
            for made, output in zip(calls(row), outputs(row), strict=True)
            if output.startswith("Error: ") and "YYYY" in output
        ]
        assert len(refused) >= 3
        assert all(made == refused[0] for made in refused)
        assert passing
        assert not any("YYYY" in output for other in passing for output in outputs(other))


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_conversion", {"kpa"}),
        ("wavering_fault_code", {"system"}),
        ("misread_fault_code", {"system"}),
        ("wavering_argument", {"day"}),
        ("condition_unchecked", {"job"}),
    ],
)
def test_one_argument_is_wrong(kind: str, keys: set[str]) -> None:
    for row in struck("garage", kind):
        assert set(differing(changes(row), gold(row))) == keys


def test_years_are_counted_by_letters_that_no_vin_has() -> None:
    assert [counted_year(letter) for letter in "AHKP"] == [2010, 2017, 2020, 2025]
    for row in struck("garage", "vin_year_miscounted"):
        assert row["extracted_answer"] == str(counted_year(told(row, "get_vehicle")["vin"][9]))


def test_gallons_are_taken_for_american_ones() -> None:
    for row in struck("garage", "wrong_unit"):
        assert float(row["extracted_answer"]) / float(wanted(row)) == pytest.approx(3.785412 / 4.54609, abs=0.001)


def test_the_record_was_never_opened() -> None:
    for kind, tools in (("skipped_lookup", {"get_vehicle", "read_fault_codes"}), ("condition_unchecked", {"get_vehicle"})):
        for row, passing in siblings("garage", kind):
            own = {given["vehicle_id"] for _, given in gold(row)}
            opened = {name for name, given in calls(row) if name in tools and given["vehicle_id"] in own}
            assert not opened
            assert changes(row)
            assert all(tools & {name for name, _ in calls(other)} for other in passing)


def test_last_words_have_the_line_asked_for() -> None:
    for row in struck("garage", "wavering_weekday"):
        assert last_words(row).endswith(f"Answer: {row['extracted_answer']}")
