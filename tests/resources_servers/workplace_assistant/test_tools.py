"""Each tool: what it gives, what it changes, what it refuses."""

from copy import deepcopy
from typing import Any

import pytest

from blade.gym.servers.tools import InvalidArguments, tools_of
from resources_servers.workplace_assistant.replay import net_changes
from resources_servers.workplace_assistant.state import CALENDAR, CUSTOMERS, EMAIL, PROJECTS, Workplace, base, people, visits

from .playing import server, use

PREFIXES = ("company_directory", "email", "calendar", "analytics", "project_management", "customer_relationship_manager")
MARIT = "marit.solheim@larkfell.example"
EVENT = {"event_name": "Talk", "participant_email": MARIT, "event_start": "2025-10-20 09:00", "duration": 30}
TASK = {"task_name": "Sweep", "assigned_to_email": MARIT, "list_name": "Backlog", "due_date": "2025-10-20", "board": "Web shop"}
CUSTOMER = {"customer_name": "Ada", "assigned_to_email": "partner@elsewhere.example", "status": "Lead"}
PLOT = {"time_min": "2025-10-01", "time_max": "2025-10-14", "value_to_plot": "total_visits", "plot_type": "bar"}


def test_there_are_27_tools_in_six_groups() -> None:
    names = list(tools_of(type(server())))
    assert len(names) == 27
    assert names[0] == "company_directory_find_email_address"
    order = [next(place for place, prefix in enumerate(PREFIXES) if name.startswith(f"{prefix}_")) for name in names]
    assert order == sorted(order)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("company_directory_find_email_address", {"name": "Nobody Atall"}, "nobody in the company directory"),
    ("company_directory_find_email_address", {"name": "  "}, "nobody in the company directory"),
    ("email_get_email_information_by_id", {"email_id": "em-9999"}, "there is no email with email_id 'em-9999'"),
    ("email_get_email_information_by_id", {"email_id": "em-0001", "field": "colour"}, "field must be one of email_id, folder"),
    ("email_search_emails", {"date_min": "yesterday"}, "date_min must look like 2025-10-14"),
    ("email_search_emails", {"date_max": "2025-10-14T10:00+02:00"}, "must not name a time zone"),
    ("email_search_emails", {"page": 0}, "page starts at 1"),
    ("email_search_emails", {"page_size": 26}, "page_size must be between 1 and 25"),
    ("email_send_email", {"recipient": "Tomas", "subject": "a", "body": "b"}, "recipient must be an email address"),
    ("email_send_email", {"recipient": MARIT, "subject": " ", "body": "b"}, "subject must not be empty"),
    ("email_send_email", {"recipient": MARIT, "subject": "a", "body": "b" * 20_001}, "longer than 20000"),
    ("email_send_email", {"recipient": MARIT, "subject": "a", "body": "\ud800"}, "cannot be stored"),
    ("email_forward_email", {"email_id": "em-0001", "recipient": "a@b"}, "recipient must be an email address"),
    ("email_reply_email", {"email_id": "1", "body": "b"}, "there is no email"),
    ("email_delete_email", {"email_id": "ev-0001"}, "there is no email"),
    ("calendar_create_event", {**EVENT, "duration": 4}, "between 5 and 600"),
    ("calendar_create_event", {**EVENT, "event_start": "9 am"}, "event_start must look like"),
    ("calendar_update_event", {"event_id": "ev-0001", "field": "event_id", "new_value": "x"}, "field must be one of event_name"),
    ("calendar_update_event", {"event_id": "ev-0001", "field": "duration", "new_value": "long"}, "a number of minutes"),
    ("calendar_delete_event", {"event_id": "ev-9999"}, "there is no event"),
    ("analytics_create_plot", {**PLOT, "time_max": "2025-10-15"}, "no visits after today"),
    ("analytics_create_plot", {**PLOT, "time_max": "2025-09-30"}, "before time_min"),
    ("analytics_create_plot", {**PLOT, "plot_type": "pie"}, "plot_type must be one of bar, line"),
    ("analytics_traffic_source_count", {"traffic_source": "radio"}, "traffic_source must be one of direct"),
    ("analytics_get_visitor_information_by_id", {"visitor_id": "vi-9999"}, "there is no visitor"),
    (
        "project_management_create_task",
        {**TASK, "assigned_to_email": "no.one@larkfell.example"},
        "nobody in the company has the address",
    ),
    ("project_management_create_task", {**TASK, "list_name": "backlog"}, "list_name must be one of Backlog"),
    ("project_management_search_tasks", {"board": "Shop"}, "board must be one of Field app"),
    (
        "project_management_update_task",
        {"task_id": "pt-0001", "field": "due_date", "new_value": "soon"},
        "new_value must look like",
    ),
    ("customer_relationship_manager_add_customer", {**CUSTOMER, "status": "lead"}, "status must be one of Lead"),
    ("customer_relationship_manager_search_customers", {"status": "Open"}, "status must be one of Lead"),
    (
        "customer_relationship_manager_update_customer",
        {"customer_id": "cu-0001", "field": "customer_id", "new_value": "x"},
        "field must be",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "words"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_refused_says_why_and_changes_nothing(tool: str, arguments: dict[str, Any], words: str) -> None:
    state = Workplace()
    with pytest.raises(ValueError) as refused:
        use(state, tool, **arguments)
    assert words in str(refused.value)
    assert net_changes(state) == {}


@pytest.mark.parametrize("arguments", [{}, {"email_id": 5}, {"email_id": "em-0001", "extra": 1}, {"email_id": None}])
def test_arguments_that_do_not_fit_are_refused_before_the_tool_runs(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments):
        use(Workplace(), "email_delete_email", **arguments)


def test_the_directory_finds_names_teams_and_namesakes() -> None:
    find = "company_directory_find_email_address"
    assert [person["team"] for person in use(Workplace(), find, name="noor haddad")["people"]] == ["Finance", "Sales"]
    assert len(use(Workplace(), find, name="Design")["people"]) == 3
    assert len({person["email"] for person in people()}) == len(people())


def test_a_whole_address_finds_only_its_owner() -> None:
    for person in people():
        state, email = Workplace(), person["email"]
        for tool, key in (
            ("project_management_search_tasks", "tasks"),
            ("customer_relationship_manager_search_customers", "customers"),
        ):
            found = use(state, tool, assigned_to_email=email, page_size=25)[key]
            assert {row["assigned_to_email"] for row in found} <= {email}


def test_pages_show_every_result_once() -> None:
    pages = [use(Workplace(), "email_search_emails", query="warehouse", page=page) for page in range(1, 9)]
    total = pages[0]["pagination"]["total"]
    shown = [row["email_id"] for page in pages for row in page["emails"]]
    wanted = [row for row in base(EMAIL).values() if "warehouse" in (row["correspondent"] + row["subject"] + row["body"]).lower()]
    assert total == len(wanted) == len(shown) == len(set(shown)) > 5
    assert pages[0]["pagination"] == {"total": total, "page": 1, "page_size": 5, "total_pages": -(-total // 5)}
    assert use(Workplace(), "email_search_emails", page=10**30)["emails"] == []


def test_filters_include_their_ends_and_a_day_is_all_of_it() -> None:
    late = next(row for row in base(EMAIL).values() if row["sent_at"][11:13] == "23")
    day, state = late["sent_at"][:10], Workplace()
    by_day = use(state, "email_search_emails", date_min=day, date_max=day, page_size=25)["emails"]
    assert late in by_day
    by_moment = use(state, "email_search_emails", date_min=late["sent_at"], date_max=late["sent_at"])["emails"]
    assert by_moment == [late]
    until_midnight = use(state, "email_search_emails", date_min=day, date_max=f"{day} 00:00:00")["emails"]
    assert late not in until_midnight


def test_results_are_ordered() -> None:
    state = Workplace()
    sent = [row["sent_at"] for row in use(state, "email_search_emails", page_size=25)["emails"]]
    starts = [row["event_start"] for row in use(state, "calendar_search_events", page_size=25)["events"]]
    due = [row["due_date"] for row in use(state, "project_management_search_tasks", page_size=25)["tasks"]]
    assert (sent, starts, due) == (sorted(sent, reverse=True), sorted(starts), sorted(due))


def test_mail_is_sent_answered_forwarded_deleted() -> None:
    state, first = Workplace(), base(EMAIL)["em-0001"]
    sent = use(state, "email_send_email", recipient=" Tomas.Novak@larkfell.example ", subject=" Hi ", body="Yes")["sent"]
    assert sent == f"em-{len(base(EMAIL)) + 1:04d}"
    assert use(state, "email_get_email_information_by_id", email_id=sent) == {
        "email_id": sent,
        "folder": "outbox",
        "correspondent": "tomas.novak@larkfell.example",
        "subject": "Hi",
        "sent_at": "2025-10-14 10:30:00",
        "body": "Yes",
    }
    reply = use(state, "email_reply_email", email_id="em-0001", body="Fine")["sent"]
    again = use(state, "email_reply_email", email_id=reply, body="Really")["sent"]
    forward = use(state, "email_forward_email", email_id="em-0001", recipient=MARIT)["sent"]
    written = [use(state, "email_get_email_information_by_id", email_id=key) for key in (reply, again, forward)]
    assert [(mail["correspondent"], mail["subject"], mail["body"]) for mail in written] == [
        (first["correspondent"], f"Re: {first['subject']}", "Fine"),
        (first["correspondent"], f"Re: {first['subject']}", "Really"),
        (MARIT, f"Fwd: {first['subject']}", first["body"]),
    ]
    use(state, "email_delete_email", email_id="em-0001")
    with pytest.raises(ValueError, match="there is no email"):
        use(state, "email_get_email_information_by_id", email_id="em-0001")
    assert use(state, "email_search_emails")["pagination"]["total"] == len(base(EMAIL)) + 3


def test_events_are_created_changed_cancelled() -> None:
    state = Workplace()
    key = use(state, "calendar_create_event", **EVENT)["created"]
    use(state, "calendar_update_event", event_id=key, field="event_start", new_value="2025-10-20T11:00")
    use(state, "calendar_update_event", event_id=key, field="duration", new_value=45)
    read = use(state, "calendar_get_event_information_by_id", event_id=key)
    assert (read["event_start"], read["duration"]) == ("2025-10-20 11:00:00", "45")
    assert (
        read
        in use(state, "calendar_search_events", query="talk marit", time_min="2025-10-20 11:00", time_max="2025-10-20")["events"]
    )
    use(state, "calendar_delete_event", event_id=key)
    assert net_changes(state) == {}
    assert use(state, "calendar_create_event", **EVENT)["created"] != key, "an id is never given twice"
    assert base(CALENDAR).keys().isdisjoint({key})


def test_tasks_are_created_changed_deleted() -> None:
    state = Workplace()
    key = use(state, "project_management_create_task", **TASK)["created"]
    use(state, "project_management_update_task", task_id=key, field="list_name", new_value="Done")
    assert use(state, "project_management_get_task_information_by_id", task_id=key, field="list_name") == {"list_name": "Done"}
    assert [row["task_id"] for row in use(state, "project_management_search_tasks", task_name="SWEEP")["tasks"]] == [key]
    use(state, "project_management_delete_task", task_id="pt-0001")
    assert use(state, "project_management_search_tasks")["pagination"]["total"] == len(base(PROJECTS))


def test_customers_are_added_changed_deleted_and_have_no_date_until_they_get_one() -> None:
    state = Workplace()
    key = use(state, "customer_relationship_manager_add_customer", **CUSTOMER)["created"]
    search = "customer_relationship_manager_search_customers"
    assert use(state, search, customer_name="ada", follow_up_by_max="2099-01-01")["customers"] == []
    use(state, "customer_relationship_manager_update_customer", customer_id=key, field="follow_up_by", new_value="2025-11-01")
    assert [
        row["customer_id"] for row in use(state, search, customer_name="ada", follow_up_by_max="2025-11-01")["customers"]
    ] == [key]
    use(state, "customer_relationship_manager_delete_customer", customer_id="cu-0001")
    assert use(state, search)["pagination"]["total"] == len(base(CUSTOMERS))


def test_figures_are_counted_by_day_and_in_total() -> None:
    state, period = Workplace(), {"time_min": "2025-09-01", "time_max": "2025-09-07"}
    inside = [row for row in visits() if "2025-09-01" <= row["visited_at"][:10] <= "2025-09-07"]
    total = use(state, "analytics_total_visits_count", **period)
    assert total["total"] == len(inside) == sum(total["by_day"].values())
    assert list(total["by_day"]) == [f"2025-09-0{day}" for day in range(1, 8)]
    sources = ("direct", "search", "referral", "newsletter")
    by_source = [use(state, "analytics_traffic_source_count", **period, traffic_source=source)["total"] for source in sources]
    assert sum(by_source) == use(state, "analytics_traffic_source_count", **period)["total"] == len(inside)
    engaged = use(state, "analytics_engaged_users_count", **period)["total"]
    assert engaged == sum(row["engaged"] == "yes" for row in inside)
    average = use(state, "analytics_get_average_session_duration", **period)["average"]
    assert average == pytest.approx(sum(int(row["seconds"]) for row in inside) / len(inside), abs=0.05)
    assert use(state, "analytics_total_visits_count", time_min="2030-01-01") == {"by_day": {}, "total": 0}
    assert use(state, "analytics_get_average_session_duration", time_min="2030-01-01")["average"] is None
    visitor = visits()[0]["visitor_id"]
    assert visits()[0] in use(state, "analytics_get_visitor_information_by_id", visitor_id=visitor)["visits"]


def test_drawing_the_same_plot_again_replaces_it() -> None:
    state = Workplace()
    first = use(state, "analytics_create_plot", **PLOT)
    once = deepcopy(net_changes(state))
    assert use(state, "analytics_create_plot", **{**PLOT, "time_min": "2025-10-01 12:00"}) == first
    assert net_changes(state) == once
    assert first == {"plot": "plots/2025-10-01_2025-10-14_total_visits_bar.png"}


def test_a_changed_record_is_found_once_and_by_its_new_values() -> None:
    state, old = Workplace(), base(PROJECTS)["pt-0001"]
    use(state, "project_management_update_task", task_id="pt-0001", field="task_name", new_value="Polish the lens")
    search = "project_management_search_tasks"
    assert use(state, search)["pagination"]["total"] == len(base(PROJECTS))
    assert use(state, search, task_name="polish")["tasks"] == [{**old, "task_name": "Polish the lens"}]
    assert use(state, search, task_name=old["task_name"])["tasks"] == []


def test_base_data_never_change() -> None:
    before = {kind.name: deepcopy(dict(base(kind))) for kind in (EMAIL, CALENDAR, PROJECTS, CUSTOMERS)}
    state = Workplace()
    use(state, "email_delete_email", email_id="em-0001")
    use(state, "calendar_update_event", event_id="ev-0001", field="event_name", new_value="Other")
    use(state, "project_management_update_task", task_id="pt-0001", field="task_name", new_value="Other")
    use(state, "customer_relationship_manager_update_customer", customer_id="cu-0001", field="notes", new_value="")
    assert {kind.name: dict(base(kind)) for kind in (EMAIL, CALENDAR, PROJECTS, CUSTOMERS)} == before
