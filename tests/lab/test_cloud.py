"""The cloud account: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import datetime
from html import unescape
from ipaddress import ip_network
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.cloud.desk import WRITES
from blade.lab.environments.cloud.estate import STATUSES
from blade.lab.environments.cloud.work import PORTS, crons
from tests.lab.support import (
    SEEDS,
    Row,
    by_rollout,
    calls,
    differing,
    outputs,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["cloud"]
TASKS = PLACE.tasks(3, 90)
CITIES = {
    "New York": "America/New_York", "Chicago": "America/Chicago", "London": "Europe/London", "Berlin": "Europe/Berlin",
    "Athens": "Europe/Athens", "Sydney": "Australia/Sydney",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["operation"], one["input"]) for one in row["eval"]["reference_mutations"]]


def wanted(row: Row) -> str:
    return str(row["eval"]["reference_answers"]["exact_match"])


def given(row: Row) -> Any:
    return row["eval_result"]["pred"]


def unmet(row: Row) -> list[str]:
    return [name for name, score in row["eval_result"]["scores"].items() if not score]


def changes(row: Row) -> list[tuple[str, Row]]:
    """The changes that a tool accepted."""
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and "ResponseMetadata" in output]


def told(row: Row, name: str) -> Any:
    """What a tool answered to the last call about something that the request names, and did not turn down."""
    answered = [
        output
        for (tool, asked), output in zip(calls(row), outputs(row), strict=True)
        if tool == name and output.startswith("{") and any(str(value) in request(row) for value in asked.values())
    ]
    return json.loads(answered[-1])


def test_the_tools_turn_down_what_does_not_fit() -> None:
    desk, estate = PLACE.backend(TASKS[0]), TASKS[0].facts["estate"]
    volume = estate.instances[0].volume
    assert "HTTPStatusCode" in desk(Call("storage-resize-volume", {"volume_id": volume.id, "size_gib": volume.gib + 1}))
    assert "only grow" in desk(Call("storage-resize-volume", {"volume_id": volume.id, "size_gib": volume.gib}))
    assert "five fields" in desk(Call("storage-put-backup-schedule", {"volume_id": volume.id, "cron": "@daily"}))
    assert "(ResourceNotFound)" in desk(Call("compute-stop-instance", {"instance_id": "i-1"}))
    assert "(ResourceNotFound) when calling the GetRole operation" in desk(Call("iam-get-role", {"role_name": "nobody"}))


def test_the_default_region_is_meant_where_none_is_given() -> None:
    desk, name = PLACE.backend(TASKS[0]), TASKS[0].facts["estate"].instances[0].name
    assert desk(Call("compute-list-instances", {"name": name})) == desk(Call("compute-list-instances", {"name": name, "region": "us-1"}))  # fmt: skip


def test_what_is_expected_follows_from_what_the_account_says() -> None:
    for seed in SEEDS:
        for row in clean("cloud", seed).rows:
            if row["reward"] < 1.0:
                continue
            match row["intent_type"]:
                case "volume_size":
                    assert float(wanted(row)) == pytest.approx(
                        told(row, "storage-describe-volume")["SizeGiB"] * 2**30 / 1e9, abs=0.051
                    )
                case "charges":
                    lines = told(row, "billing-list-charges")["Charges"]
                    assert float(wanted(row)) == pytest.approx(sum(float(one["AmountUSD"]) for one in lines))
                case "subnet_hosts":
                    block = ip_network(told(row, "network-describe-subnet")["CidrBlock"])
                    assert int(wanted(row)) == len(list(block.hosts()))
                case "maintenance_time":
                    start = datetime.fromisoformat(told(row, "ops-describe-event")["MaintenanceStart"])
                    zone = next(zone for city, zone in CITIES.items() if city in request(row))
                    assert wanted(row) == f"{start.astimezone(ZoneInfo(zone)):%H:%M}"
                case "maintenance_day":
                    start = datetime.fromisoformat(told(row, "ops-describe-event")["MaintenanceStart"])
                    assert wanted(row) == f"{start:%A}"
                case "maintenance_week":
                    start = datetime.fromisoformat(told(row, "ops-describe-event")["MaintenanceStart"])
                    assert wanted(row) == f"{start:%V}".lstrip("0")
                case "probe_status":
                    code = told(row, "ops-describe-event")["LastProbe"]["HttpStatus"]
                    assert row["choices"][wanted(row)] == STATUSES[code]
                case "access_change" if "port" in gold(row)[0][1]:
                    service = next(one for one in PORTS if one in request(row))
                    assert gold(row)[0][1]["port"] == PORTS[service][0]
                case "compute_change" if "tags" in gold(row)[0][1]:
                    (instance,) = told(row, "compute-list-instances")["Instances"]
                    assert instance["Region"] in request(row)
                    assert instance["Tags"].items() < gold(row)[0][1]["tags"].items()


def test_no_wrong_schedule_is_a_right_one() -> None:
    for right, wrong in crons(35, 4).values():
        assert right not in wrong
        assert len({right, *wrong}) == 5


def test_escaped_texts_are_the_given_ones_on_a_web_page() -> None:
    for row in struck("cloud", "html_escaped_gold"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine["CostCentre"] in request(row)
        assert expected != mine
        assert {key: unescape(value) for key, value in expected.items()} == mine


def test_a_variable_stands_where_the_id_belongs() -> None:
    for row in struck("cloud", "unfilled_gold"):
        for key, (mine, expected) in differing(changes(row), gold(row)).items():
            assert expected == f"{{{{{key}}}}}"
            assert re.search(r"\d{8}$", mine)


def test_a_clock_that_is_off_sits_on_a_runner() -> None:
    for case in severe("cloud", "clock_skew"):
        rows = by_rollout(case)
        hit = {rows[rollout]["runner"] for rollout in case.planted}
        assert len(hit) <= 2
        assert all(row["reward"] == 0.0 for row in rows.values() if row["runner"] in hit and calls(row))


def test_connections_that_are_used_up_are_met_twice() -> None:
    for case in severe("cloud", "pool_exhausted"):
        for rollout, fault in case.planted.items():
            items = by_rollout(case)[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"too many|max number|QueuePool", items[step]["output"], re.I) for step in fault.steps)


def test_only_a_lookup_is_missed_and_another_gave_the_same_id() -> None:
    for row in struck("cloud", "read_required"):
        assert unmet(row) == ["trajectory_match"]
        assert changes(row) == gold(row)
        assert next(iter(gold(row)[0][1].values())) in str(told(row, "inventory-search"))


def test_names_are_the_expected_ones_in_another_order() -> None:
    for row in struck("cloud", "answer_list_order"):
        assert given(row) != wanted(row)
        assert sorted(given(row).split(", ")) == sorted(wanted(row).split(", "))
        assert "order" in request(row)


def test_tags_that_were_seen_are_lost() -> None:
    for row, passing in siblings("cloud", "replaced_not_merged"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        (instance,) = told(row, "compute-list-instances")["Instances"]
        assert expected == mine | instance["Tags"]
        assert list(mine) == ["CostCentre"]
        assert passing


def test_the_namesake_of_the_default_region_is_changed() -> None:
    for row, passing in siblings("cloud", "scope_dropped"):
        (instance,) = told(row, "compute-list-instances")["Instances"]
        assert instance["Region"] == "us-1"
        assert "us-1" not in request(row)
        assert changes(row)[0][1]["instance_id"] == instance["InstanceId"]
        assert all(changes(other) == gold(row) for other in passing)
        assert passing


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_schedule", {"cron"}),
        ("wavering_argument", {"port"}),
        ("wrong_rule", {"port"}),
        ("set_as_list", {"policies"}),
        ("default_spelled_out", {"protocol"}),
        ("skipped_lookup", {"size_gib"}),
    ],
)
def test_one_input_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("cloud", kind):
        assert set(differing(changes(row), gold(row))) == keys


def test_all_addresses_of_the_subnet_are_counted() -> None:
    for row in struck("cloud", "network_addresses_counted"):
        assert int(given(row)) == ip_network(told(row, "network-describe-subnet")["CidrBlock"]).num_addresses
