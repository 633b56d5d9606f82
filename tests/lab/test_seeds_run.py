"""The seeds' two findings as a run."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from blade.lab.cases import Case
from blade.lab.seeds_run import seeds_findings
from blade.lab.selftest import diagnose_file


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


@pytest.fixture(scope="module", params=[0, 4])
def diagnosed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, dict[str, Any]]:
    case = seeds_findings(request.param)
    return case, diagnose_file(case.write(tmp_path_factory.mktemp("seeds")))


def told(case: Case, document: dict[str, Any], kind: str) -> dict[str, Any]:
    name = next(task for task in case.tasks if case.kind_of(task) == kind)
    return next(task for task in document["tasks"] if task["task"] == name)


def fix_for(document: dict[str, Any], mode: str) -> dict[str, Any]:
    return next(one for one in document["interventions"] if mode in one["modes"])


def test_the_name_that_was_never_resolved_is_named_as_such(diagnosed: tuple[Case, dict[str, Any]]) -> None:
    case, document = diagnosed
    task = told(case, document, "unresolved_name")
    cause = task["cause"]
    assert (task["bucket"], cause["label"], cause["code"]) == ("never", "BI", "unresolved_name")
    assert cause["subject"] == "crm_search_customers.owner_email"
    assert "a name that was never resolved" in cause["why"]
    request = next(row for row in case.rows if str(row["_ng_task_index"]) == task["task"])["responses_create_params"]["input"][-1]
    person = re.search(r"gives the address of (.+?), and", cause["detail"])
    assert person is not None
    assert person[1] in request["content"]
    assert {piece["rollout"] for piece in cause["evidence"]} == {f"{task['task']}:{repeat}" for repeat in range(4)}
    assert cause["decisive"]["step"] in case.planted[cause["decisive"]["rollout"]].steps
    fix = fix_for(document, "unresolved_name.crm_search_customers.owner_email")
    assert fix["title"].startswith("Resolve names before")
    assert "directory lookup" in fix["detail"]


def test_the_record_lost_by_filtering_in_reasoning_is_named_as_such(diagnosed: tuple[Case, dict[str, Any]]) -> None:
    case, document = diagnosed
    task = told(case, document, "dropped_record")
    cause = task["cause"]
    assert (task["bucket"], task["passed"], cause["label"], cause["code"]) == ("sometimes", 3, "BI", "filtered_by_hand")
    assert "filters dates in its reasoning instead of in the query of `crm_search_customers`" in cause["why"]
    assert "follow_up_from, follow_up_to" in cause["detail"]
    (rollout,) = [name for name in case.planted if name.startswith(f"{task['task']}:")]
    row = next(row for row in case.rows if f"{row['_ng_task_index']}:{row['_ng_rollout_index']}" == rollout)
    wanted = {json.loads(call["arguments"])["customer_id"] for call in row["ground_truth"]}
    (lost,) = wanted - {given["customer_id"] for name, given in calls(row) if name == "crm_update_customer"}
    assert f"{lost} (follow_up_by 2026-" in cause["detail"]
    assert cause["decisive"] == {"rollout": rollout, "step": case.planted[rollout].steps[0]}
    fix = fix_for(document, "filtered_by_hand.crm_search_customers")
    assert fix["title"] == "Filter in the query of `crm_search_customers`, not in the reasoning"


def test_nothing_else_is_blamed(diagnosed: tuple[Case, dict[str, Any]]) -> None:
    case, document = diagnosed
    assert {task["task"] for task in document["tasks"] if task["cause"]} == set(case.tasks)
