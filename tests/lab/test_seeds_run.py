"""The seeds' two findings as a run."""

import json
from collections import Counter
from typing import Any

from blade.lab.seeds_run import seeds_findings


def calls(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (item["name"], json.loads(item["arguments"])) for item in row["response"]["output"] if item["type"] == "function_call"
    ]


def test_one_task_never_passes_and_one_passes_three_of_four() -> None:
    for seed in range(5):
        case = seeds_findings(seed)
        failed = Counter(row["_ng_task_index"] for row in case.rows if row["reward"] == 0.0)
        struck = Counter(int(rollout.rpartition(":")[0]) for rollout in case.planted)
        assert failed == struck
        assert sorted(struck.values()) == [1, 4]
        assert not case.noise
        assert {case.kind_of(task): struck[int(task)] for task in case.tasks} == {"unresolved_name": 4, "dropped_record": 1}


def test_the_name_is_never_resolved_and_the_dates_never_asked_for() -> None:
    case = seeds_findings(1)
    by_kind = {
        kind: [
            row
            for row in case.rows
            if case.planted.get(f"{row['_ng_task_index']}:{row['_ng_rollout_index']}", None)
            and case.kind_of(str(row["_ng_task_index"])) == kind
        ]
        for kind in ("unresolved_name", "dropped_record")
    }
    for row in by_kind["unresolved_name"]:
        looked_up = [given["name"] for name, given in calls(row) if name == "directory_find_address"]
        request = row["responses_create_params"]["input"][-1]["content"]
        assert len([name for name in looked_up if name in request]) == 1  # of the two colleagues that it names
        wanted = {json.loads(call["arguments"])["customer_id"] for call in row["ground_truth"]}
        assert not wanted & {given["customer_id"] for name, given in calls(row) if name == "crm_update_customer"}
    (row,) = by_kind["dropped_record"]
    searches = [given for name, given in calls(row) if name == "crm_search_customers" and "status" in given]
    assert any("follow_up_from" not in given for given in searches)
    made = [given["customer_id"] for name, given in calls(row) if name == "crm_update_customer"]
    assert len(made) == len(row["ground_truth"]) - 1
