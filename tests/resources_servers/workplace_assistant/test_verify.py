"""Verification: state decides, not the way there."""

import json
from typing import Any

import pytest

from blade.gym.servers.tools import tools_of
from resources_servers.workplace_assistant.state import CUSTOMERS, Workplace, base
from resources_servers.workplace_assistant.tools.customers import PRODUCTS

from .perfect_solutions import do
from .playing import Row, expected, item, request, row_of, rows, server, task, use, verdict

SEND = "email_send_email"
MAIL = {"recipient": "tomas.novak@larkfell.example", "subject": "Hello", "body": "All well?"}
OTHER = {**MAIL, "subject": "Again"}
UPDATE = "project_management_update_task"


def test_the_expected_calls_pass_in_any_order() -> None:
    for row in rows():
        assert verdict(row, list(reversed(expected(row))))["reward"] == 1.0


def test_new_records_are_equal_in_any_order_and_counted() -> None:
    row = task((SEND, MAIL), (SEND, OTHER), (SEND, OTHER))
    assert verdict(row, [item(SEND, OTHER), item(SEND, MAIL), item(SEND, OTHER)])["reward"] == 1.0
    assert verdict(row, [item(SEND, OTHER), item(SEND, MAIL)])["reward"] == 0.0


SAME: list[tuple[str, Row, Row]] = [
    (SEND, MAIL, {**MAIL, "recipient": "TOMAS.Novak@larkfell.example", "subject": "HELLO ", "body": "all well?"}),
    (
        "calendar_create_event",
        {"event_name": "A", "participant_email": "a@b.example", "event_start": "2025-10-20 09:00:00", "duration": 30},
        {"event_name": "a", "participant_email": "a@b.example", "event_start": "2025-10-20T09:00", "duration": "30"},
    ),
    (
        UPDATE,
        {"task_id": "pt-0001", "field": "due_date", "new_value": "2025-12-01"},
        {"task_id": " pt-0001", "field": "due_date", "new_value": "20251201"},
    ),
]


@pytest.mark.parametrize(("name", "wanted", "given"), SAME)
def test_case_spaces_and_the_form_of_dates_do_not_matter(name: str, wanted: Row, given: Row) -> None:
    assert verdict(task((name, wanted)), [item(name, given)])["reward"] == 1.0


def test_extra_side_effects_fail_and_are_named() -> None:
    found = verdict(
        task((SEND, MAIL)), [item(SEND, MAIL), item("email_delete_email", {"email_id": "em-0007"}), item(SEND, OTHER)]
    )
    assert found["reward"] == 0.0
    assert found["tables_differ"] == ["email"]
    assert (found["missing_calls"], found["extra_calls"], found["failed_calls"]) == (0, 2, 0)
    assert "email: unexpected: em-0007 deleted" in found["differences"]
    assert found["differences_in_all"] == 2


def test_what_is_taken_back_passes_but_is_counted() -> None:
    wrong = {"task_id": "pt-0001", "field": "due_date", "new_value": "2025-12-02"}
    right = {**wrong, "new_value": "2025-12-01"}
    found = verdict(task((UPDATE, right)), [item(UPDATE, wrong), item(UPDATE, right)])
    assert (found["reward"], found["missing_calls"], found["extra_calls"], found["differences"]) == (1.0, 0, 1, [])


def test_two_fields_of_one_record_may_be_set_in_any_order() -> None:
    one = {"task_id": "pt-0001", "field": "due_date", "new_value": "2025-12-02"}
    two = {"task_id": "pt-0001", "field": "task_name", "new_value": "Else"}
    found = verdict(task((UPDATE, one), (UPDATE, two)), [item(UPDATE, two), item(UPDATE, one)])
    assert (found["reward"], found["missing_calls"], found["extra_calls"]) == (1.0, 0, 0)


def test_differences_say_what_is_and_what_should_be() -> None:
    row = task((UPDATE, {"task_id": "pt-0001", "field": "due_date", "new_value": "2025-12-01"}))
    found = verdict(row, [item(UPDATE, {"task_id": "pt-0001", "field": "due_date", "new_value": "2025-12-02"})])
    assert found["differences"] == [
        "project_management: missing: pt-0001 changed to due_date='2025-12-01'",
        "project_management: unexpected: pt-0001 changed to due_date='2025-12-02'",
    ]


def test_many_differences_are_cut_but_counted() -> None:
    found = verdict(task(), [item("email_delete_email", {"email_id": f"em-{number:04d}"}) for number in range(1, 31)])
    assert (len(found["differences"]), found["differences_in_all"], found["extra_calls"]) == (10, 30, 30)


IGNORED: list[Any] = [
    item("no_such_tool", {}),
    item("verify", {}),
    item("__init__", {"name": "x"}),
    item("use", {"name": SEND, "arguments": MAIL}),
    item(SEND, "{not json"),
    item(SEND, "[]"),
    item(SEND, "null"),
    item(SEND, ""),
    item(SEND, {**MAIL, "recipient": 5}),
    item(SEND, {**MAIL, "recipient": "nobody"}),
    item(SEND, {**MAIL, "state": {}}),
    item(SEND, "[" * 100_000),
    {**item(SEND, MAIL), "name": None},
    {**item(SEND, MAIL), "name": ["list"]},
    {**item(SEND, MAIL), "arguments": 7},
    {"type": "function_call"},
]


@pytest.mark.parametrize("bad", IGNORED, ids=lambda value: str(value)[:60])
def test_calls_that_cannot_run_are_skipped_and_counted(bad: Any) -> None:
    found = verdict(task((SEND, MAIL)), [bad, item(SEND, MAIL), bad])
    assert (found["reward"], found["failed_calls"], found["extra_calls"]) == (1.0, 2, 0)


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"output": None},
        {"output": "text"},
        {"output": [None, 3, "x", {"type": "message"}, {"type": "reasoning", "name": SEND, "arguments": "{}"}]},
    ],
)
def test_a_response_without_calls_does_nothing(response: Row) -> None:
    assert server().verify(None, task(), response)["reward"] == 1.0
    assert server().verify(None, task((SEND, MAIL)), response)["reward"] == 0.0


@pytest.mark.parametrize(
    "row", [row for row in rows() if row["family"] == "customer_reassign_namesake"], ids=lambda row: str(row["id"])
)
def test_a_name_that_is_never_resolved_reassigns_the_wrong_customers(row: Row) -> None:
    """The seed's first finding: the first name alone also fits a namesake."""
    update = "customer_relationship_manager_update_customer"
    ids = [json.loads(call["arguments"])["customer_id"] for call in row["ground_truth"]]
    target = json.loads(row["ground_truth"][0]["arguments"])["new_value"]
    owner, status = base(CUSTOMERS)[ids[0]]["assigned_to_email"], base(CUSTOMERS)[ids[0]]["status"]
    product = next((word for word in PRODUCTS if f"interested in {word}" in request(row)), "")
    filters = {"assigned_to_email": owner.split(".")[0], "status": status, "product_interest": product, "page_size": 25}
    found = use(Workplace(), "customer_relationship_manager_search_customers", **filters)["customers"]
    given = [
        item(update, {"customer_id": one["customer_id"], "field": "assigned_to_email", "new_value": target}) for one in found
    ]
    judged = verdict(row, given)
    assert (judged["reward"], judged["missing_calls"], judged["extra_calls"]) == (0.0, 0, len(given) - len(ids))


def test_a_guessed_address_belongs_to_somebody_else() -> None:
    row = row_of("across_meet_or_write", "Noor Haddad from Sales")
    assert "noor.haddad2@larkfell.example" in row["ground_truth"][0]["arguments"]
    guessed = [item(call["name"], call["arguments"].replace("haddad2", "haddad")) for call in row["ground_truth"]]
    assert verdict(row, guessed)["tables_differ"] == ["calendar"]


def test_a_borderline_record_that_is_dropped_fails_one_table() -> None:
    """The seed's second finding: dates filtered in the head lose the record on the very day."""
    row = row_of("customer_close_quiet", "35 days ago or longer")
    border = next(
        call
        for call in row["ground_truth"]
        if base(CUSTOMERS)[json.loads(call["arguments"])["customer_id"]]["last_contact_date"] == "2025-09-09"
    )
    kept = [call for call in expected(row) if call["arguments"] != border["arguments"]]
    found = verdict(row, kept)
    assert (found["reward"], found["missing_calls"], found["tables_differ"]) == (0.0, 1, ["customer_relationship_manager"])
    assert found["differences"] == [
        f"customer_relationship_manager: missing: {json.loads(border['arguments'])['customer_id']} changed to status='Lost'"
    ]


def test_status_list_and_board_are_compared_exactly() -> None:
    """The tools take these words in one spelling only, so a wrong one is refused and the change is missing."""
    row = row_of("customer_close_quiet")
    lower = [item(call["name"], call["arguments"].replace("Lost", "lost")) for call in row["ground_truth"]]
    found = verdict(row, lower)
    assert (found["reward"], found["failed_calls"]) == (0.0, len(lower))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({}, "the row has no ground_truth"),
        ({"ground_truth": "[]"}, "the row has no ground_truth"),
        (task(("email_delete_email", {"email_id": "em-9999"})), "an expected call cannot run"),
        (task(("email_burn", {})), "an expected call cannot run"),
    ],
)
def test_a_task_that_cannot_be_graded_gets_no_verdict(row: Row, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        verdict(row, [])


def test_a_verdict_does_not_depend_on_the_session_or_the_row_around_it() -> None:
    row = row_of("email_delete_period")
    state = server().seed_session(row)
    use(state, "email_send_email", **MAIL)
    assert server().verify(state, row, {"output": expected(row)}) == verdict(row, expected(row))
    assert type(server()).reverify_mode == "stateless"


def test_reading_is_free() -> None:
    for row in rows()[::9]:
        reads = [call for call in do(request(row)) if "search" in call["name"] or "find" in call["name"]]
        assert verdict(row, reads + expected(row) + reads)["reward"] == 1.0


def test_metrics_are_pass_rates_by_category() -> None:
    def rollouts(category: str, *rewards: float) -> list[Row]:
        return [{"category": category, "reward": reward} for reward in rewards]

    tasks = [rollouts("a", 1.0, 0.0), rollouts("a", 1.0), rollouts("b", 0.0), [{"reward": 1.0}], []]
    assert server().compute_metrics(tasks) == {"a/pass_rate": 75.0, "b/pass_rate": 0.0}
    assert len(tools_of(type(server()))) == 27
