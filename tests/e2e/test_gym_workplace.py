"""A workplace run with planted behaviours, from `gym eval run` to `blade diagnose`: what was planted is found, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.office_worker import ALWAYS, CLEAN, PLANTED
from tests.e2e.offices import Office, rows_of
from tests.e2e.support import blade

ONE_CACHE = True
DIRECTORY = "company_directory_find_email_address"
CUSTOMERS = "customer_relationship_manager_search_customers"


class Expected(NamedTuple):
    """What a task's cause must say: one of these codes, about this tool or argument."""

    codes: tuple[str, ...]
    about: str


EXPECTED = {
    106: Expected(("unresolved_name", "lookup_skipped"), CUSTOMERS),
    71: Expected(("unresolved_name", "lookup_skipped"), "project_management_create_task.assigned_to_email"),
    76: Expected(("unresolved_name", "lookup_skipped"), "project_management_search_tasks.assigned_to_email"),
    10: Expected(("filtered_by_hand", "filtered_in_reasoning"), "email_search_emails"),
    110: Expected(("filtered_by_hand", "filtered_in_reasoning"), CUSTOMERS),
    23: Expected(("unbacked_claim",), ""),
    131: Expected(("unbacked_claim",), ""),
    44: Expected(("ungrounded_argument", "lookup_skipped"), "calendar_update_event.event_id"),
    0: Expected(("ungrounded_argument", "lookup_skipped"), "email_forward_email.recipient"),
    25: Expected(("action_extra", "unasked_call", "unasked_change"), "email_send_email"),
    130: Expected(("action_extra", "unasked_call", "unasked_change"), "email_send_email"),
}


@pytest.fixture(scope="module")
def run(home: Path) -> Iterator[Path]:
    office = Office(home / "office", [*PLANTED, *CLEAN])
    yield office.run("results")
    office.close()


@pytest.fixture(scope="module")
def diagnosis(run: Path, home: Path) -> dict[str, Any]:
    report = home / "report"
    said = blade("diagnose", run.parent, "--json", "--out", report, env={"XDG_CACHE_HOME": str(home / "cache")})
    assert said.code == 0, said.err
    written = json.loads((report / "diagnosis.json").read_text(encoding="utf-8"))
    assert (said.json["tasks"], said.json["modes"]) == (written["tasks"], written["modes"])
    text = (report / "report.md").read_text(encoding="utf-8")
    assert not [mode["title"] for mode in written["modes"] if mode["title"] not in text]
    return said.json


@pytest.fixture(scope="module")
def told(run: Path, diagnosis: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What the diagnosis says of each task, by the task's `id`."""
    ids = {str(row["_ng_task_index"]): row["id"] for row in rows_of(run.with_name("rollouts_materialized_inputs.jsonl"))}
    return {ids[task["task"]]: task for task in diagnosis["tasks"]}


def test_a_repeat_fails_exactly_where_something_was_planted(run: Path) -> None:
    rows = rows_of(run)
    failed = {(row["id"], row["_ng_rollout_index"]) for row in rows if row["reward"] == 0.0}
    assert failed == {(task, seed) for task, plant in PLANTED.items() for seed in plant.seeds}
    assert {row["reward"] for row in rows} == {0.0, 1.0}
    assert {row["_ng_stop_reason"] for row in rows} == {"completed"}
    assert len(rows) == 4 * (len(PLANTED) + len(CLEAN))


def test_the_buckets_are_those_of_the_plan(told: dict[int, dict[str, Any]]) -> None:
    buckets = {task: said["bucket"] for task, said in told.items()}
    planted = {task: "never" if plant.seeds == ALWAYS else "sometimes" for task, plant in PLANTED.items()}
    assert buckets == planted | dict.fromkeys(CLEAN, "always")


def test_a_clean_task_has_no_cause_and_no_mode(told: dict[int, dict[str, Any]]) -> None:
    assert all(told[task]["cause"] is None and not told[task]["modes"] for task in CLEAN)


@pytest.mark.parametrize("task", sorted(PLANTED))
def test_the_cause_of_a_planted_task_is_what_was_planted(told: dict[int, dict[str, Any]], task: int) -> None:
    cause, expected = told[task]["cause"], EXPECTED[task]
    assert cause["label"] == "BI"
    assert cause["code"] in expected.codes, cause["why"]
    assert expected.about in f"{cause['subject']} {cause['why']}"


def test_a_name_is_resolved_by_the_directory(told: dict[int, dict[str, Any]]) -> None:
    """Where the diagnosis says which lookup would have helped, it is the one that gives the value."""
    subjects = {task: told[task]["cause"]["subject"] for task in (71, 44, 0) if told[task]["cause"]["code"] == "lookup_skipped"}
    right = {71: DIRECTORY, 44: "calendar_search_events", 0: DIRECTORY}
    assert subjects == {task: right[task] for task in subjects}


def test_every_mode_is_one_that_was_planted(diagnosis: dict[str, Any]) -> None:
    planted = {code for expected in EXPECTED.values() for code in expected.codes}
    assert {mode["signal"] for mode in diagnosis["modes"]} <= planted, [mode["title"] for mode in diagnosis["modes"]]


def test_no_failed_rollout_is_left_unexplained(diagnosis: dict[str, Any]) -> None:
    assert diagnosis["unexplained"]["rollouts"] == 0
