"""The claims office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import ast
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.insurer.book import SIGNS
from blade.lab.environments.insurer.desk import FINDINGS, WRITES
from blade.lab.environments.insurer.faults import read_back, written
from blade.lab.environments.insurer.settlements import check_digits
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

PLACE = ENVIRONMENTS["insurer"]
TASKS = PLACE.tasks(3, 90)
ALL = kinds_at("insurer")
CITIES = {
    "Lisbon": "Europe/Lisbon", "Warsaw": "Europe/Warsaw", "Athens": "Europe/Athens", "Helsinki": "Europe/Helsinki",
    "New York": "America/New_York", "Denver": "America/Denver",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def gold(row: Row) -> list[tuple[str, Row]]:
    made = map(read_back, row["solution"]["steps"])
    return [(one.name, dict(one.arguments)) for one in made]


def wanted(row: Row) -> str:
    return str(row["solution"]["reply"])


def given(row: Row) -> Any:
    return row["grading"]["reply_read"]


def error(row: Row) -> tuple[str, str]:
    return row["grading"]["error_type"], row["grading"]["error_message"]


def tried(row: Row) -> list[tuple[str, Row, bool]]:
    """The changes, and whether the tool accepted them."""
    answered = zip(calls(row), outputs(row), strict=True)
    return [(name, asked, output.startswith("<Receipt")) for (name, asked), output in answered if name in WRITES]


def changes(row: Row) -> list[tuple[str, Row]]:
    return [(name, asked) for name, asked, accepted in tried(row) if accepted]


def told(row: Row, name: str) -> ElementTree.Element:
    """What a tool answered to the last call that found something which the solution or the request is about."""
    about = f"{request(row)} {row['curator_comment']} {row['solution']}"
    answered = [
        ElementTree.fromstring(output)
        for (tool, asked), output in zip(calls(row), outputs(row), strict=True)
        if tool == name and not output.startswith("<Fault") and (name == "policies__fetch" or any(str(one) in about for one in asked.values()))
    ]  # fmt: skip
    return answered[-1]


def text(found: ElementTree.Element, path: str) -> str:
    return str(found.findtext(path))


def test_the_office_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 5 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    desk, book = PLACE.backend(TASKS[0]), TASKS[0].facts["book"]
    claim, assessor = book.claims[0].ref, book.assessors[0].id
    visit = {"claim_ref": claim, "assessor_id": assessor, "visit_on": "2025-12-04"}
    assert "accepted" in desk(Call("assessors__appoint", visit))
    assert "not an ISO 8601 date" in desk(Call("assessors__appoint", visit | {"visit_on": "4 December 2025"}))
    assert 'code="NotFound"' in desk(Call("assessors__appoint", visit | {"assessor_id": "AS-1"}))
    assert 'code="NotFound"' in desk(Call("claims__set_status", {"claim_ref": "CL-1", "status": "closed"}))
    assert 'code="NotFound"' in desk(Call("policies__fetch", {"policy_no": "PN-1"}))


def test_all_tools_answer_in_xml() -> None:
    for row in clean("insurer", 1).rows:
        for output in outputs(row):
            ElementTree.fromstring(output)


def test_a_step_is_a_line_that_reads_back_as_the_call() -> None:
    made = Call("documents__request", {"claim_ref": "CL-12345678", "kinds": ["it's", "b"], "due_on": "2025-12-01"})
    assert read_back(written(made)) == made


def test_check_digits_are_those_of_the_standard() -> None:
    assert check_digits("539007547034") == 18
    assert all(int(f"{number}2715{check_digits(str(number)):02d}") % 97 == 1 for number in range(10**8, 10**8 + 200))


def test_what_is_expected_follows_from_what_the_office_says() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("insurer", seed).rows if row["reward"] == 1.0):
        seen.add(row["category"])
        match row["category"]:
            case "payments_total":
                lines = told(row, "claims__ledger").findall("Payment")
                assert float(wanted(row)) == pytest.approx(sum(float(str(one.text)) for one in lines))
            case "premium":
                policy = told(row, "policies__fetch")
                rate = float(text(policy, "PremiumRate").rstrip("‰"))
                assert float(wanted(row)) == pytest.approx(float(text(policy, "SumInsured")) * rate / 1000)
            case "loss_day" | "loss_week":
                claims = told(row, "claims__search").findall("Claim")
                day = next(date.fromisoformat(one.attrib["lossDate"]) for one in claims if one.attrib["peril"] in request(row))
                assert wanted(row) == (f"{day:%A}" if row["category"] == "loss_day" else f"{day:%V}".lstrip("0"))
            case "notification_time":
                moment = datetime.fromisoformat(text(told(row, "claims__fetch"), "NotifiedAt"))
                zone = next(zone for city, zone in CITIES.items() if city in request(row))
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "vehicle_origin":
                vehicle = told(row, "claims__fetch").find("OtherVehicle")
                assert vehicle is not None
                assert {"key": wanted(row), "text": SIGNS[vehicle.attrib["sign"]]} in row["mc_options"]
            case "salvage":
                assert gold(row)[0][1]["category"] == FINDINGS[text(told(row, "claims__fetch"), "Assessment/Vehicle")][0]
            case "settlement":
                retention = told(row, "policies__fetch").find("Retention")
                assert retention is not None
                off = float(str(retention.text)) if retention.attrib["kind"] == "excess" else 0.0
                estimate = float(text(told(row, "claims__fetch"), "Assessment/Estimate"))
                assert gold(row)[0][1]["amount"] == pytest.approx(estimate - off)
            case "disbursement":
                (number,) = re.findall(r"\b\d{9}\b", request(row))
                assert gold(row)[0][1]["creditor_ref"] == f"RF{check_digits(number):02d}{number}"
    assert len(seen) >= 12


def test_amounts_lost_their_comma() -> None:
    for row in struck("insurer", "point_for_comma"):
        for mine, expected in differing(changes(row), gold(row)).values():
            assert expected == pytest.approx(100 * mine)
            assert f"{mine:,.2f}".translate(str.maketrans(",.", ".,")) in row["curator_comment"]


def test_a_list_is_expected_as_a_text() -> None:
    for row in struck("insurer", "list_as_text"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert isinstance(expected, str)
        assert ast.literal_eval(expected) == mine


def test_lookups_return_what_was_not_asked_for_and_agents_say_so() -> None:
    for case in severe("insurer", "crossed_answers"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            for step in fault.steps:
                (asked,) = ast.literal_eval(items[step - 1]["arguments"]).values()
                assert asked not in items[step]["output"]
            assert re.search(r"record|asked|query", last_words(rows[rollout]))


def test_an_old_client_sits_on_a_box() -> None:
    for case in severe("insurer", "outdated_client"):
        rows = by_rollout(case)
        hit = {rows[rollout]["exec_node"] for rollout in case.planted}
        assert len(hit) <= 2
        assert all(row["reward"] == 0.0 for row in rows.values() if row["exec_node"] in hit and calls(row))


def test_the_only_surplus_call_was_turned_down_and_put_right() -> None:
    for row in struck("insurer", "refusal_counted"):
        assert changes(row) == gold(row)
        (turned_down,) = [Call(name, asked) for name, asked, accepted in tried(row) if not accepted]
        assert error(row) == ("state:unexpected_call", f"not in the solution: {written(turned_down)}")


def test_the_verifier_counts_from_the_day_of_the_run() -> None:
    for row in struck("insurer", "grader_clock"):
        assert changes(row) == gold(row)
        (days,) = re.findall(r"(\d+) days from today", request(row))
        due = datetime.fromtimestamp(row["response"]["created_at"], UTC).date() + timedelta(days=int(days))
        (asked,) = re.findall(r"due_on='([\d-]+)'", error(row)[1])
        assert abs(date.fromisoformat(asked) - due) <= timedelta(days=1)
        assert asked not in str(row["solution"])


def test_changes_come_in_the_other_order_than_the_request_says() -> None:
    for row, passing in siblings("insurer", "order_reversed"):
        assert changes(row) == gold(row)[::-1]
        assert error(row)[0] == "state:call_order"
        assert re.search(r"request first|Only once", request(row))
        assert passing
        assert all(changes(other) == gold(row) for other in passing)


def test_the_first_amount_is_entered_twice() -> None:
    for row, passing in siblings("insurer", "value_carried_over"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine == changes(row)[0][1]["amount"]
        assert {f"{mine:,.2f}", f"{expected:,.2f}"} <= set(re.findall(r"[\d,]+\.\d\d", request(row)))
        assert passing


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_check_digits", {"creditor_ref"}),
        ("franchise_deducted", {"amount"}),
        ("skipped_lookup", {"amount"}),
        ("correction_missed", {"amount"}),
        ("wavering_argument", {"category"}),
        ("wrong_rule", {"category"}),
        ("set_as_list", {"kinds"}),
        ("default_spelled_out", {"currency"}),
        ("condition_unchecked", {"assessor_id"}),
        ("unfilled_gold", {"claim_ref"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("insurer", kind):
        assert set(differing(changes(row), gold(row))) == keys


def test_only_the_check_digits_waver() -> None:
    for row in struck("insurer", "wavering_check_digits"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert (mine[:2], mine[4:]) == (expected[:2], expected[4:])
        assert mine[4:] in request(row)


def test_a_franchise_is_taken_off_as_an_excess_would_be() -> None:
    for row in struck("insurer", "franchise_deducted"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        retention = told(row, "policies__fetch").find("Retention")
        assert retention is not None
        assert retention.attrib["kind"] == "integral_franchise"
        assert expected - mine == pytest.approx(float(str(retention.text)))


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in ("wrong_unit", "wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "case_compared"):
        for row in struck("insurer", kind):
            assert given(row) != wanted(row)
            assert f'"answer": "{given(row)}"' in last_words(row)
            assert error(row) == ("reply:mismatch", f"{given(row)!r} != {wanted(row)!r}")
