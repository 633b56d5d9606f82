"""The payments desk: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.payments.ledger import CODES, DECIMALS, TODAY, build_books, written
from tests.lab.support import (
    SEEDS,
    by_rollout,
    calls,
    kinds_at,
    last_words,
    outputs,
    planted,
    struck,
)

PLACE = ENVIRONMENTS["payments"]
TASKS = PLACE.tasks(3, 64)
OWN, OF_AGENTS, WEATHER = (kinds_at("payments", means) for means in (None, "script", "weather"))


def gold(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(entry["name"], json.loads(entry["arguments"])) for entry in row["ground_truth"]]


def differing(row: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The arguments in which the last call is not the last expected one: what was given, and what was expected."""
    (name, given), (wanted_name, wanted) = calls(row)[-1], gold(row)[-1]
    assert name == wanted_name
    return {key: (given.get(key), wanted.get(key)) for key in given.keys() | wanted.keys() if given.get(key) != wanted.get(key)}


def test_amounts_are_written_as_their_currency_has_it() -> None:
    shown = [written(125_000, currency) for currency in ("EUR", "JPY", "KWD")]
    assert shown == ["1,250.00", "125,000", "125.000"]
    assert {payment.currency for payment in build_books(Random(1)).payments} == set(DECIMALS)


def test_amounts_are_off_by_the_decimals_of_the_currency() -> None:
    for row in struck("payments", "minor_unit_blindness"):
        found = differing(row)
        given, wanted = found.pop("amount")
        assert not found
        assert given in (wanted * 100, wanted // 10)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("misread_reason_code", {"category"}),
        ("wavering_reason_code", {"category"}),
        ("wrong_country_code", {"tax_country"}),
        ("wavering_due_date", {"due_date", "resume_on"}),
    ],
)
def test_what_is_not_known_shows_in_one_argument_after_the_usual_lookups(kind: str, keys: set[str]) -> None:
    for row in struck("payments", kind):
        found = differing(row)
        assert len(found) == 1
        assert set(found) <= keys


def test_a_code_is_filed_by_what_the_network_means() -> None:
    assert CODES["Visa", "13.1"] == CODES["Amex", "C08"] == "not_received"
    for task in (task for task in TASKS if task.family == "dispute"):
        listing = next(move.call for move in task.sound[0] if move.call and move.call.name == "disputes_list")
        (shown,) = json.loads(PLACE.backend(task)(listing))["data"]
        (entry,) = task.gold["ground_truth"]
        assert json.loads(entry["arguments"])["category"] == CODES[shown["network"], shown["reason_code"]]


def test_due_dates_are_counted_from_today() -> None:
    for task in (task for task in TASKS if task.family in ("invoice", "pause")):
        arguments = json.loads(task.gold["ground_truth"][0]["arguments"])
        day = date.fromisoformat(arguments.get("due_date") or arguments["resume_on"])
        assert (day - TODAY).days == task.gold["metadata"]["values"]["days"]
        assert f"{(day - TODAY).days} days" in task.request


def test_no_approval_was_asked_for() -> None:
    for row in struck("payments", "approval_skipped"):
        assert [name for name, _ in gold(row)] == ["approvals_request", "refunds_create"]
        assert "approvals_request" not in [name for name, _ in calls(row)]
        assert not differing(row)


def test_a_trial_was_all_there_was() -> None:
    for row in struck("payments", "dry_run_left_on"):
        assert differing(row) == {"dry_run": (True, None)}
        assert "nothing was changed" in outputs(row)[-1]


def test_the_announced_call_was_never_made() -> None:
    for row in struck("payments", "announced_not_done"):
        name = gold(row)[-1][0]
        assert name in last_words(row)
        assert name not in [made for made, _ in calls(row)]


def test_a_stand_in_is_turned_down() -> None:
    for row in struck("payments", "placeholder_argument"):
        assert all(not str(given).isdigit() for given, _ in differing(row).values())
        assert "no such" in outputs(row)[-1]


def test_the_default_of_the_schema_is_spelled_out() -> None:
    for row in struck("payments", "default_spelled_out"):
        name = gold(row)[-1][0]
        schema = next(tool for tool in row["responses_create_params"]["tools"] if tool["name"] == name)
        default = schema["parameters"]["properties"]["notify_customer"]["default"]
        assert differing(row) == {"notify_customer": (default, None)}


def test_the_instant_is_the_expected_one() -> None:
    for row in struck("payments", "equivalent_timestamp"):
        ((given, wanted),) = differing(row).values()
        assert datetime.fromisoformat(given) == datetime.fromisoformat(wanted)


def test_the_verifier_saw_nothing_of_what_was_done() -> None:
    for row in struck("payments", "calls_not_collected"):
        assert (row["predicted_calls"], row["num_predicted"], row["extracted_answer"]) == ([], 0, None)
        if gold(row):
            assert not differing(row)
        else:
            assert last_words(row).endswith(f"Answer: {row['expected_answer']}")


def test_the_extracted_figure_stops_at_the_comma() -> None:
    for row in struck("payments", "separator_split"):
        told = last_words(row).rpartition("Answer: ")[2]
        assert told.replace(",", "") == row["expected_answer"]
        assert row["extracted_answer"] == told.partition(",")[0]


def test_long_numbers_went_through_a_spreadsheet() -> None:
    for row in struck("payments", "spreadsheet_gold"):
        told = f"{row['ground_truth']} {row['expected_answer']}"
        assert re.search(r"\d\.\d{5}E\+1\d", told)
        assert not re.search(r"\d{15}", told)


def test_the_expected_ids_are_nowhere_in_the_run() -> None:
    for seed in SEEDS:
        case = planted("payments", "other_snapshot_gold", "severe", seed)
        seen = " ".join(output for row in case.rows for output in outputs(row))
        for rollout in case.planted:
            row = by_rollout(case)[rollout]
            ids = re.findall(r"\d{15,}", f"{row['ground_truth']} {row['expected_answer']}")
            assert ids
            assert not any(number in seen for number in ids)


def test_a_lost_column_leaves_nan() -> None:
    for row in struck("payments", "lost_column"):
        assert row["expected_answer"] == "nan" or "NaN" in row["ground_truth"][-1]["arguments"]


def test_values_and_calls_agree_with_each_other_and_not_with_the_request() -> None:
    for row in struck("payments", "drifted_values"):
        request = row["responses_create_params"]["input"][-1]["content"]
        told = [f"{value} days" if key == "days" else str(value) for key, value in row["metadata"]["values"].items()]
        assert any(value not in request for value in told if value not in ("Visa", "Amex"))
        if row["category"] in ("refund", "invoice", "payout", "pause"):
            assert len(differing(row)) == 1
        else:
            assert row["metadata"]["values"]["customer"] not in request


@pytest.mark.parametrize("kind", WEATHER)
def test_trouble_comes_twice_to_whoever_it_stops(kind: str) -> None:
    case = planted("payments", kind, "severe", 2)
    rows = by_rollout(case)
    for rollout, fault in case.planted.items():
        troubled = {rows[rollout]["response"]["output"][step]["output"] for step in fault.steps}
        assert len(fault.steps) >= 2
        assert not any('"data"' in text for text in troubled)
