"""The assay office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

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
from blade.lab.environments.assay.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.assay.errands import LOGGED
from blade.lab.environments.assay.faults import WIDTH, answer_in, uses_in
from blade.lab.environments.assay.marks import INSCRIPTIONS
from blade.lab.environments.assay.register import COUNTRIES, MINERALS, TODAY
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

PLACE = ENVIRONMENTS["assay"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("assay")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Oslo": "Europe/Oslo", "Athens": "Europe/Athens", "Chicago": "America/Chicago", "Vancouver": "America/Vancouver",
    "Madrid": "Europe/Madrid", "Edinburgh": "Europe/London", "Riga": "Europe/Riga",
}  # fmt: skip
STANDARDS = {9: 375, 14: 585, 18: 750, 22: 916}


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def listed(invocation: Row) -> list[tuple[str, Row]]:
    return [(one["name"], one["args"]) for one in uses_in(invocation)]


def gold(row: Row) -> list[tuple[str, Row]]:
    return listed(row["eval_case"]["expected_invocation"])


def wanted(row: Row) -> str:
    return str(answer_in(row["eval_case"]["expected_invocation"]))


def given(row: Row) -> Any:
    return answer_in(row["eval_case_result"]["actual_invocation"])


def failed(row: Row) -> list[str]:
    return [one["metric_name"] for one in row["eval_case_result"]["eval_metric_results"] if one["eval_status"] == "FAILED"]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith('{"filed": true')]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [json.loads(out) for (tool, _), out in zip(calls(row), outputs(row), strict=True) if tool == name]
    table = [one for one in found if one["data"]][-1]
    return [dict(zip(table["columns"], line, strict=True)) for line in table["data"]]


def test_the_assay_office_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 7 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    register, desk = TASKS[0].facts["register"], PLACE.backend(TASKS[0])
    asked = {"instrument": register.instruments[0].id, "day": "2026-07-02", "reason": "drift"}
    assert desk(Call("Plant-plan_calibration", asked)).startswith('{"filed": true')
    assert "soon is not a day" in desk(Call("Plant-plan_calibration", asked | {"day": "soon"}))
    assert "is the id of no instrument" in desk(Call("Plant-plan_calibration", asked | {"instrument": register.lots[0].id}))
    assert json.loads(desk(Call("Register-find_workshop", {"name": "Nobody"})))["data"] == []


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("assay", seed).rows if row["reward"] == 1.0):
        topic, asked = row["eval_case"]["eval_set_id"].partition(".")[2], request(row)
        seen.add(topic)
        assert row["eval_case_result"]["expected_invocation"] == row["eval_case"]["expected_invocation"]
        assert row["eval_case_result"]["final_eval_status"] == "PASSED"
        match topic:
            case "bars":
                ounces = sum(12 * one["troy_lb"] + one["troy_oz"] for one in told(row, "Vault-list_bars"))
                assert float(wanted(row)) == pytest.approx(31.1034768 * ounces, abs=0.0501)
            case "jubilee":
                assert wanted(row) == f"{date.fromisoformat(told(row, 'Staff-find_assayer')[0]['joined']):%V}".lstrip("0")
            case "broadcast":
                moment = datetime.fromisoformat(f"{told(row, 'Events-find_viewing')[0]['begins_utc']}+00:00")
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "quiz":
                assert (
                    row["eval_case"]["session_input"]["state"]["options"][wanted(row)]
                    == MINERALS[told(row, "Events-find_viewing")[0]["stone"]]
                )
            case "catalogue":
                assert wanted(row) == MINERALS[told(row, "Events-find_viewing")[0]["stone"]]
            case "fineness":
                assert gold(row)[0][1]["fineness"] == STANDARDS[told(row, "Stock-find_article")[0]["carats"]]
            case "stamp":
                assert wanted(row) == str(STANDARDS[told(row, "Stock-find_article")[0]["carats"]])
            case "size":
                across = 11.63 + 0.8128 * told(row, "Stock-find_ring")[0]["us_size"]
                assert gold(row)[0][1]["millimetres"] == pytest.approx(across, abs=0.0501)
            case "vault":
                card = told(row, "Vault-find_lot")[0]
                assert gold(row)[0][1]["troy_ounces"] == 12 * card["troy_lb"] + card["troy_oz"]
            case "papers":
                card = told(row, "Export-find_dealer")[0]
                ounces = int(card["open_order"].removesuffix(" troy oz"))
                assert gold(row)[0][1]["grams"] == pytest.approx(31.1034768 * ounces, abs=0.501)
                assert gold(row)[1][1]["country"] == COUNTRIES[card["country"]][0]
            case "calibration":
                days = int(re.findall(r"(\d+) days", asked)[0])
                assert gold(row)[0][1]["day"] == f"{TODAY + timedelta(days=days)}"
            case "verdict":
                limit = int(re.findall(r"(\d+) parts", asked)[0])
                enough = told(row, "Stock-read_spectrum")[0]["au_permille"] >= limit
                assert [name for name, _ in gold(row)] == ["Stock-release" if enough else "Stock-hold"]
    assert len(seen) == 16


def test_a_double_kept_the_first_digits_of_ids() -> None:
    for row in struck("assay", "id_through_double"):
        wrong = differing(changes(row), gold(row))
        assert wrong
        for mine, expected in wrong.values():
            assert re.fullmatch("[0-9]{18}", mine)
            assert float(mine) == float(expected)
            assert 0 < abs(int(mine) - int(expected)) < 100
            assert expected.endswith("0")
            assert not any(expected in output for output in outputs(row))


def test_the_expected_figure_was_never_rounded() -> None:
    for row in struck("assay", "unrounded_gold"):
        assert re.search(r"\b[Rr]ound|nearest whole", request(row))
        if gold(row):
            ((mine, expected),) = differing(changes(row), gold(row)).values()
            assert str(mine) in row["eval_case"]["session_input"]["state"]["grounds"]
        else:
            mine, expected = float(given(row)), float(wanted(row))
            assert given(row) in row["eval_case"]["session_input"]["state"]["grounds"]
        digits = len(f"{mine}".partition(".")[2])
        assert round(expected, digits) == mine != expected


def test_a_breaker_is_open_for_a_while() -> None:
    for case in severe("assay", "circuit_open"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"circuit", items[step]["output"], re.IGNORECASE) for step in fault.steps)


def test_a_worker_has_no_handles_left() -> None:
    for case in severe("assay", "handles_exhausted"):
        rows = by_rollout(case)
        hit = {rows[rollout]["session_details"]["worker"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["session_details"]["worker"] in hit)
            if rollout in case.planted:
                assert all(re.search(r"open files|thread|fork", output) for output in outputs(row))


def test_the_order_of_arguments_is_compared() -> None:
    for row, passing in siblings("assay", "key_order_compared"):
        assert changes(row) == gold(row)
        assert json.dumps(changes(row)) != json.dumps(gold(row))
        assert failed(row) == ["tool_trajectory_exact"]
        assert passing
        assert all(json.dumps(changes(other)) == json.dumps(gold(other)) for other in passing)


def test_the_verifier_expects_something_else_than_the_row() -> None:
    for row in struck("assay", "cached_expectation"):
        result, expected = row["eval_case_result"], row["eval_case"]["expected_invocation"]
        assert result["actual_invocation"] == expected
        assert changes(row) == gold(row)
        assert result["expected_invocation"] != expected
        assert len(failed(row)) == 1


def test_both_branches_are_taken() -> None:
    for row, passing in siblings("assay", "both_branches_taken"):
        assert {name for name, _ in changes(row)} == {"Stock-release", "Stock-hold"}
        assert told(row, "Stock-read_spectrum")
        assert passing
        assert all(len(changes(other)) == 1 for other in passing)


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("assay", "verbatim_reworded"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert key == "inscription"
        assert mine in INSCRIPTIONS[expected]
        assert f"“{expected}”" in request(row)
        assert re.search(r"letter for letter|exactly as it stands", request(row))
        assert passing
        assert all(changes(other) == gold(other) for other in passing)


def test_the_share_of_24_is_taken_for_the_standard() -> None:
    for row in struck("assay", "share_for_standard"):
        ((mine, expected),) = differing(changes(row), gold(row)).values() if gold(row) else ((int(given(row)), int(wanted(row))),)
        assert (told(row, "Stock-find_article")[0]["carats"], int(mine), int(expected)) in ((14, 583, 585), (22, 917, 916))


KEYS = {
    "wavering_ring_size": "millimetres", "wavering_due_date": "day", "wrong_country_code": "country", "value_carried_over": "amount",
    "schema_example_used": "day", "done_for_the_caller": "assayer", "set_as_list": "marks", "exception_overlooked": "marks",
    "list_as_text": "marks", "mangled_encoding": "inscription", "columns_swapped": "assayer instrument", "weekday_against_date": "day",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("assay", kind):
        assert set(differing(changes(row), gold(row))) == {*KEYS[kind].split()}
        assert failed(row) == ["tool_trajectory_exact"]


def test_texts_are_cut_in_the_dataset_or_by_the_recorder() -> None:
    for row in struck("assay", "clipped_values"):
        assert all(mine[:WIDTH] == expected != mine for mine, expected in differing(changes(row), gold(row)).values())
    for row in struck("assay", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = differing(listed(row["eval_case_result"]["actual_invocation"]), gold(row))
        assert wrong
        assert all(mine == expected[:LOGGED] != expected for mine, expected in wrong.values())


def test_day_and_month_changed_places() -> None:
    for row in struck("assay", "day_month_swapped"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert key in ("day", "dispatch")
        assert expected == f"{mine[:4]}-{mine[8:]}-{mine[5:7]}" != mine


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("assay", "schema_example_used"):
        name, made = changes(row)[0]
        assert PROPERTIES[name]["day"]["examples"] == [made["day"]] == [EXAMPLE_DAY]
    for row in struck("assay", "default_spelled_out"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        default = next(PROPERTIES[name][key]["default"] for name, args in changes(row) if key in args)
        assert (mine, expected) == (default, None)


def test_a_troy_pound_is_taken_to_have_sixteen_ounces() -> None:
    for row in struck("assay", "wrong_rule"):
        if gold(row):
            ((mine, expected),) = differing(changes(row), gold(row)).values()
            assert mine - expected == 4 * told(row, "Vault-find_lot")[0]["troy_lb"]
        else:
            pounds = sum(one["troy_lb"] for one in told(row, "Vault-list_bars"))
            assert float(given(row)) - float(wanted(row)) == pytest.approx(4 * 31.1034768 * pounds, abs=0.11)


def test_the_list_is_that_of_another_article() -> None:
    for row in struck("assay", "swapped_attachment"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        left_out = re.findall(r"(?:except for|leave out) the ([a-z' ]+),", request(row))
        assert [one for one in re.findall(r"^\* (.+)$", request(row), re.MULTILINE) if one not in left_out] == mine
        assert not {*mine} & {*expected}
        heading = re.findall(r"^Marks, (.+):$", request(row), re.MULTILINE)[0]
        assert heading not in str(row["eval_case"])


@pytest.mark.parametrize(
    "kind", ["wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "wavering_fact", "case_compared", "markdown_kept"]
)
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("assay", kind):
        assert last_words(row).endswith(f"```result\n{given(row)}\n```")
        metric = row["eval_case_result"]["eval_metric_results"][-1]
        assert metric["details"] == f"want {wanted(row)!r}, have {given(row)!r}"
        assert failed(row) == ["final_response_exact"]
