"""The harbour office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from random import Random
from typing import Any

import pytest

from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.harbour.cargo import FORCES
from blade.lab.environments.harbour.desk import TOOLS, WRITES
from blade.lab.environments.harbour.faults import WIDTH
from blade.lab.environments.harbour.register import HAZARDS, QUAYS, imo_number, tides
from tests.lab.support import (
    SEEDS,
    by_rollout,
    calls,
    kinds_at,
    last_words,
    outputs,
    planted,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["harbour"]
TASKS = PLACE.tasks(3, 72)
OWN, OF_AGENTS, WEATHER = (kinds_at("harbour", means) for means in (None, "script", "weather"))


def request(row: dict[str, Any]) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def told(row: dict[str, Any], name: str, **given: Any) -> Any:
    """What a tool answered to a call."""
    return next(
        json.loads(output)["result"] for made, output in zip(calls(row), outputs(row), strict=True) if made == (name, given)
    )


def gold(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(step["fn"], step["kwargs"]) for step in row["reference"]["steps"]]


def changes(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The changes that a tool accepted."""
    return [made for made, output in zip(calls(row), outputs(row), strict=True) if made[0] in WRITES and '"ok": true' in output]


def differing(row: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The arguments in which the changes are not the expected ones: what was given, and what was expected."""
    made, wanted = changes(row), gold(row)
    assert [name for name, _ in made] == [name for name, _ in wanted]
    pairs = [(given, right) for (_, given), (_, right) in zip(made, wanted, strict=True)]
    return {
        key: (given[key], right[key])
        for given, right in pairs
        for key in right
        if json.dumps(given[key]) != json.dumps(right[key])
    }


def test_the_register_is_as_ports_have_it() -> None:
    digits = [int(digit) for digit in imo_number(Random(5))]
    assert sum(digit * weight for digit, weight in zip(digits[:6], range(7, 1, -1), strict=True)) % 10 == digits[6]
    assert [kind for kind, _, _ in tides("2026-09-01")] == ["HW", "LW", "HW", "LW"]
    assert (HAZARDS["1203"], HAZARDS["3480"], FORCES[8]) == ("3", "9", 34)


def test_a_call_takes_no_orders_before_it_is_acknowledged() -> None:
    task = next(task for task in TASKS if "hint_not_followed" in task.faulty)
    desk, first = PLACE.backend(task), task.gold["reference"]["steps"]
    acknowledge, order = (Call(step["fn"], step["kwargs"]) for step in first[:2])
    assert acknowledge.name == "call-acknowledge"
    assert "call-acknowledge" in json.loads(desk(order))["error"]
    assert json.loads(desk(acknowledge))["ok"]
    assert json.loads(desk(order))["ok"]


def test_a_day_that_is_none_has_no_tides() -> None:
    answers = [json.loads(PLACE.backend(TASKS[0])(Call("tides-on", {"day": day}))) for day in ("2026-70-02", "2026-07-02")]
    assert [answer["ok"] for answer in answers] == [False, True]


def test_a_name_was_read_in_another_code_page() -> None:
    for row in struck("harbour", "mangled_encoding"):
        ((given, wanted),) = differing(row).values()
        assert wanted.encode("cp1252").decode() == given != wanted
        assert given in request(row)


def test_day_and_month_changed_places() -> None:
    for row in struck("harbour", "day_month_swapped"):
        ((given, wanted),) = differing(row).values()
        assert (given[5:7], given[8:10]) == (wanted[8:10], wanted[5:7])
        assert row["scenario"]["slots"]["when"] in request(row)


def test_texts_end_where_the_column_ends() -> None:
    for row in struck("harbour", "clipped_values"):
        found = differing(row)
        assert found
        assert all(len(given) > WIDTH == len(wanted) and given.startswith(wanted) for given, wanted in found.values())


def test_every_expected_call_stands_twice() -> None:
    for row in struck("harbour", "fanned_out_gold"):
        wanted = gold(row)
        assert wanted[::2] == wanted[1::2] == changes(row)


def test_a_licence_lost_its_zero() -> None:
    for row in struck("harbour", "zeros_stripped"):
        ((given, wanted),) = differing(row).values()
        assert given == f"{wanted:04d}"


def test_the_one_surplus_call_only_reads() -> None:
    for row in struck("harbour", "reads_counted"):
        assert row["outcome"]["actions"]["hit"] == len(gold(row))
        assert set(row["outcome"]["actions"]["surplus"]) == {"berth-availability"}
        assert not differing(row)
    (tool,) = (tool for tool in TOOLS if tool["name"] == "berth-availability")
    assert "Reads only" in tool["description"]


def test_a_remark_has_other_words() -> None:
    for row, passing in siblings("harbour", "free_text_compared"):
        ((given, wanted),) = differing(row).values()
        assert set(differing(row)) == {"text"}
        assert len(set(given.lower().strip(".").split()) & set(wanted.split())) >= 2
        assert f"'{wanted}'" not in request(row)
        assert all(changes(other) == gold(row) for other in passing)


def test_a_list_has_the_same_members() -> None:
    for row in struck("harbour", "set_as_list"):
        ((given, wanted),) = differing(row).values()
        assert sorted(given) == sorted(wanted)


def test_a_number_is_the_same_number() -> None:
    for row in struck("harbour", "number_spelling"):
        ((given, wanted),) = differing(row).values()
        assert given == wanted
        assert str(given) == f"{wanted}.0"


def test_the_log_ends_before_the_last_change() -> None:
    for row in struck("harbour", "late_snapshot"):
        assert not differing(row)
        assert [(one["fn"], one["kwargs"]) for one in row["outcome"]["actions"]["log"]] == changes(row)[:-1]


def test_the_call_was_cancelled() -> None:
    for row, passing in siblings("harbour", "cancelled_record"):
        listing = next(output for output in outputs(row) if '"status"' in output)
        states = {entry["call"]: entry["status"] for entry in json.loads(listing)["result"]}
        assert {states[given["call"]] for _, given in changes(row) if given["call"] in states} == {"cancelled"}
        assert "expected call" in request(row)
        assert passing


def test_the_condition_was_never_looked_at() -> None:
    for row, passing in siblings("harbour", "condition_unchecked"):
        asked = row["scenario"]["slots"]
        assert differing(row) == {"berth": (asked["preferred"], asked["fallback"])}
        assert ("berths-at", {"quay": asked["quay"]}) not in calls(row)
        assert passing
        assert all(("berths-at", {"quay": asked["quay"]}) in calls(other) for other in passing)


def test_what_was_done_was_undone() -> None:
    for row in struck("harbour", "rolled_back"):
        assert changes(row)[:-1] == gold(row)
        assert changes(row)[-1][0] in ("berth-release", "pilot-cancel", "departure-withdraw")


def test_siblings_do_what_the_tool_asked_for() -> None:
    for row, passing in siblings("harbour", "hint_not_followed"):
        assert "send call-acknowledge" in outputs(row)[-1]
        assert not changes(row)
        assert passing
        assert all(outputs(row)[-1] in outputs(other) for other in passing)


def test_the_observation_is_the_agents_own() -> None:
    for row in struck("harbour", "imagined_observation"):
        assert not changes(row)
        assert '"ok": true' in last_words(row)
        assert any(name in last_words(row) for name, _ in gold(row))


def test_nothing_was_looked_up_for_the_figure() -> None:
    for row, passing in siblings("harbour", "answered_unread"):
        assert not calls(row)
        assert passing
        assert all(calls(other) for other in passing)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("wavering_hazard_class", "imdg_class"),
        ("wrong_hazard_class", "imdg_class"),
        ("wavering_force", "knots"),
        ("force_off_by_one", "knots"),
        ("made_up_locode", "next_port"),
    ],
)
def test_what_is_not_known_shows_in_one_argument_after_the_usual_lookups(kind: str, key: str) -> None:
    for row, passing in siblings("harbour", kind):
        assert set(differing(row)) == {key}
        for other in passing:
            assert {name for name, _ in gold(row)} <= {name for name, _ in calls(other)}


def test_boxes_are_counted_by_the_line() -> None:
    for row in struck("harbour", "teu_as_boxes"):
        manifest = json.loads(outputs(row)[-1])["result"]
        assert row["outcome"]["reply"]["read"] == str(len(manifest))
        assert row["reference"]["reply"] == str(sum(line["size_ft"] // 20 for line in manifest))


def test_figures_follow_from_what_was_looked_up() -> None:
    for row in struck("harbour", "wavering_dues"):
        slots = row["scenario"]["slots"]
        (vessel,) = told(row, "vessel-search", q=slots["vessel"])
        cents = round(told(row, "tariff", item=slots["item"], vessel_type=vessel["type"])["eur_per_gt"] * 100)
        assert row["reference"]["reply"] == f"{vessel['gt'] * cents / 100:.2f}"
    for row in struck("harbour", "wavering_clearance"):
        slots = row["scenario"]["slots"]
        (vessel,) = told(row, "vessel-search", q=slots["vessel"])
        quay = next(quay for quay, letter in QUAYS.items() if letter == slots["berth"][0])
        depth = next(one["depth_m"] for one in told(row, "berths-at", quay=quay) if one["berth"] == slots["berth"])
        day = f"{datetime.strptime(slots['day'], '%d %B %Y'):%Y-%m-%d}"
        tide = max(one["height_m"] for one in told(row, "tides-on", day=day) if one["water"] == "HW")
        assert row["reference"]["reply"] == f"{depth + tide - vessel['draught_m']:.1f}"


@pytest.mark.parametrize("kind", WEATHER)
def test_trouble_is_met_twice_by_whoever_it_stops(kind: str) -> None:
    case = planted("harbour", kind, "severe", 2)
    rows = by_rollout(case)
    for rollout, fault in case.planted.items():
        assert len(fault.steps) >= 2
        assert rows[rollout]["response"]["output"][fault.steps[-1] - 1]["type"] == "function_call"
    if kind == "egress_blocked":
        bad = {rows[rollout]["worker_name"] for rollout in case.planted}
        assert len(bad) == 2
        assert not [row for row in case.rows if row["worker_name"] in bad and row["reward"] == 1.0]


def test_lookups_that_found_nothing_find_it_at_other_times() -> None:
    answered: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for seed in SEEDS:
        for row in planted("harbour", "empty_index", "mild", seed).rows:
            for (name, given), output in zip(calls(row), outputs(row), strict=True):
                answered[name, f"{seed}:{given}"].add('"result": []' in output)
    assert sum(seen == {True, False} for seen in answered.values()) >= 5
