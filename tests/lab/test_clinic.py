"""The clinic's front desk: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.clinic.desk import TOOLS, WRITES
from blade.lab.environments.clinic.files import SITES, TIMES, TIMES_A_DAY, booked, next_free
from blade.lab.environments.clinic.questions import plain_week
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

PLACE = ENVIRONMENTS["clinic"]
TASKS = PLACE.tasks(3, 84)


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["tool"], one["arguments"]) for one in row["target_actions"]]


def changes(row: Row) -> list[tuple[str, Row]]:
    """The changes that a tool accepted."""
    return [made for made, output in zip(calls(row), outputs(row), strict=True) if made[0] in WRITES and '"ok"' in output]


def told(row: Row, name: str) -> Any:
    """What a tool answered to the last call of it."""
    return [json.loads(output) for (tool, _), output in zip(calls(row), outputs(row), strict=True) if tool == name][-1]


def changes_or_answer(row: Row) -> bool:
    called = [item["name"] for item in row["response"]["output"] if item["type"] == "function_call"]
    return bool(row["parsed_answer"]) or any(name in WRITES for name in called)


def test_a_taken_time_is_refused_until_it_is_cancelled() -> None:
    desk, vet, day = PLACE.backend(TASKS[0]), "VET-101", "2026-08-20"
    patient = TASKS[0].facts["files"].patients[0]
    at, ref = next(iter(booked(vet, day).items()))
    book = Call("book_appointment", {"patient": patient.chip, "vet_id": vet, "start": f"{day}T{at}", "reason": "check-up"})
    cancel = Call("cancel_appointment", {"appointment_id": ref, "cause": "other"})
    assert "not free" in json.loads(desk(book))["error"]
    assert "no appointment" in json.loads(desk(cancel))["error"]
    shown = json.loads(desk(Call("day_schedule", {"vet_id": vet, "day": day})))
    assert {"time": at, "appointment_id": ref} in shown["taken"]
    assert sorted([one["time"] for one in shown["taken"]] + shown["free"]) == list(TIMES)
    assert json.loads(desk(cancel))["status"] == "ok"
    assert json.loads(desk(book))["patient_id"] == patient.id
    assert next_free(vet, day, at) > at


def test_expected_answers_follow_from_what_the_files_say() -> None:
    for seed in SEEDS:
        for row in clean("clinic", seed).rows:
            if row["reward"] < 1.0:
                continue
            match row["task_type"]:
                case "balance":
                    owed = sum(float(one["amount"]) for one in told(row, "list_invoices")["invoices"] if one["status"] == "open")
                    assert row["target_answer"] == f"{owed:.2f}"
                case "weight":
                    assert row["target_answer"] == f"{float(told(row, 'get_chart')['weight'].split()[0]) / 2.20462262:.1f}"
                case "medicine":
                    assert told(row, "get_chart")["plan"].startswith(f"{row['target_answer']} ")
                case "prescription":
                    chart, wanted = told(row, "get_chart"), gold(row)[0][1]
                    _, rate, _, _, often, *_ = chart["plan"].replace(";", "").split()
                    assert wanted["dose_mg"] == pytest.approx(float(chart["weight"].split()[0]) * int(rate))
                    assert wanted["times_per_day"] == TIMES_A_DAY[often]
                case "drops":
                    assert gold(row)[0][1]["site"] == SITES[told(row, "get_chart")["plan"].split()[-2]]


def test_a_follow_up_is_counted_from_the_last_visit() -> None:
    for task in (task for task in TASKS if task.family == "booking"):
        found = re.search(r"(\d+) days after", task.request)
        last = re.search(r"Last visit (\S+)", task.gold["rationale"])
        assert found is not None
        assert last is not None
        day = date.fromisoformat(last[1]) + timedelta(days=int(found[1]))
        assert task.gold["target_actions"][0]["arguments"]["start"].startswith(day.isoformat())


def test_the_rationale_of_a_wrong_gold_is_that_of_the_right_one() -> None:
    for row in struck("clinic", "wrong_gold"):
        if row["target_answer"] is not None and row["options"] is None:
            assert row["parsed_answer"] in row["rationale"]
            assert row["target_answer"] not in row["rationale"].replace(row["parsed_answer"], "")


def test_one_expected_action_is_missing_and_the_request_asks_for_it() -> None:
    for row in struck("clinic", "gold_missing_step"):
        assert changes(row)[:-1] == gold(row)
        (left,) = row["unexpected_actions"]
        assert (left["tool"], left["arguments"]) == changes(row)[-1]
        assert row["missing_actions"] == []
        assert re.search(r"remind|chart by|every scheduled|all scheduled", request(row))


def test_the_expected_tools_are_not_those_of_the_row() -> None:
    schemas = {tool["name"]: set(tool["parameters"]["properties"]) for tool in TOOLS}
    for row in struck("clinic", "old_schema_gold"):
        assert not {name for name, _ in gold(row)} & schemas.keys()
        assert [list(given.values()) for _, given in gold(row)] == [list(given.values()) for _, given in changes(row)]


def test_a_locked_database_answers_reads() -> None:
    for case in severe("clinic", "locked_database"):
        for rollout, fault in case.planted.items():
            row = by_rollout(case)[rollout]
            assert len(fault.steps) >= 2
            assert all("lock" in row["response"]["output"][step]["output"].lower() for step in fault.steps)
            assert any("lock" not in output.lower() for output in outputs(row))


def test_what_broke_off_has_no_last_word_and_a_node_to_blame() -> None:
    for row in struck("clinic", "preempted"):
        assert "node-" in row["error"]
        assert row["response"]["output"]
        assert not changes_or_answer(row)
    for case in severe("clinic", "preempted"):
        assert {rollout for rollout, row in by_rollout(case).items() if "error" in row} == set(case.planted)


def test_the_chip_is_that_of_the_expected_animal() -> None:
    for row, passing in siblings("clinic", "alias_identifier"):
        found = differing(changes(row), gold(row))
        assert set(found) == {"patient"}
        ((given, wanted),) = found.values()
        animals = {one["microchip"]: one["patient_id"] for one in told(row, "list_patients")["patients"]}
        assert animals[given] == wanted
        assert all(changes(other) == gold(row) for other in passing)


def test_the_answer_differs_in_capitals_alone() -> None:
    for row in struck("clinic", "case_compared"):
        assert row["parsed_answer"] != row["target_answer"]
        assert row["parsed_answer"].lower() == row["target_answer"].lower()


def test_the_search_never_ends_in_a_change() -> None:
    for row, passing in siblings("clinic", "endless_search"):
        assert not changes(row)
        assert row["response"]["output"][-1]["type"] == "function_call_output"
        assert passing
        assert all(len(calls(row)) >= len(calls(other)) + 5 for other in passing)


def test_room_was_made_by_a_cancellation_that_siblings_do_without() -> None:
    for row, passing in siblings("clinic", "cleared_the_way"):
        (first, given), (second, booking), *_ = changes(row)
        assert (first, second) == ("cancel_appointment", "book_appointment")
        taken = {one["appointment_id"]: one["time"] for one in told(row, "day_schedule")["taken"]}
        assert booking["start"].endswith(taken[given["appointment_id"]])
        assert passing
        assert not any("cancel_appointment" in [name for name, _ in changes(other)] for other in passing)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_dose", {"dose_mg"}),
        ("misread_abbreviation", {"times_per_day", "site"}),
        ("wavering_argument", {"start", "new_start"}),
    ],
)
def test_what_is_not_known_shows_in_one_argument_after_the_usual_lookups(kind: str, keys: set[str]) -> None:
    for row, passing in siblings("clinic", kind):
        found = differing(changes(row), gold(row))
        assert len(found) == 1
        assert set(found) <= keys
        for other in passing:
            assert {name for name, _ in calls(row)} >= {name for name, _ in gold(other)}


def test_weeks_are_counted_in_sevens() -> None:
    assert (plain_week(date(2026, 1, 5)), date(2026, 1, 5).isocalendar().week) == (1, 2)
    for row in struck("clinic", "plain_week_number"):
        found = re.search(r"\d{4}-\d{2}-\d{2}", row["rationale"])
        assert found is not None
        assert row["parsed_answer"] == str(plain_week(date.fromisoformat(found[0])))


def test_the_chart_was_never_opened() -> None:
    for row in struck("clinic", "skipped_lookup"):
        assert "get_chart" not in [name for name, _ in calls(row)]
        assert changes(row)


def test_last_words_have_the_line_asked_for() -> None:
    for row in struck("clinic", "wavering_weekday"):
        assert last_words(row).endswith(f"Final answer: {row['parsed_answer']}")
