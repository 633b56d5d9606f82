"""From families to the rows of a data set: every row is complete, with the rules, the request, all tools and the calls that are expected."""

from typing import Any

from resources_servers.workplace_assistant.moments import NOW

from .families import across, analytics, calendar, customers, email, nothing, projects
from .office import Family, Office, Task, as_ground_truth
from .people import COMPANY, ME

FAMILIES: tuple[Family, ...] = (
    *email.FAMILIES,
    *calendar.FAMILIES,
    *analytics.FAMILIES,
    *projects.FAMILIES,
    *customers.FAMILIES,
    *across.FAMILIES,
    *nothing.FAMILIES,
)
EXAMPLES = {
    "customer_reassign_namesake": "Noor",
    "customer_close_quiet": "35 days ago or longer",
    "email_delete_period": "both days included",
    "calendar_book_first_free": "as early as",
    "across_hand_over_if_fell": "of the Engineering lead",
}
"""Families that give an example, and words in it: in the first a name must be looked up, in the next two a record lies on the border."""

RULES = f"""You are the assistant of {ME.name} ({ME.email}), {ME.title.lower()} at {COMPANY}. The mailbox and the calendar are hers. \
It is {NOW:%A}, {NOW:%Y-%m-%d}, {NOW:%H:%M}.
Dates: a week runs from Monday to Sunday; periods include both their first and their last day; "the last N days" are the N days before today \
and today; "since" a day includes that day and runs until today. A task is overdue when it was due before today and is not in the list Done.
Meetings begin on the full or half hour, not before 9:00, and end by 17:30; they may touch but not overlap.
Do what is asked with the tools, without asking for confirmation, and change nothing else. If a name fits several people and the request does \
not say which of them is meant, change nothing and ask."""


def all_tasks(office: Office) -> list[tuple[Family, Task]]:
    return [(family, task) for family in FAMILIES for task in family.tasks(office)]


def all_rows(office: Office, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [_row(number, family, task, tools) for number, (family, task) in enumerate(all_tasks(office))]


def example_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each, the task with these words that has the most to do."""
    return [_most_to_do(rows, family, words) for family, words in EXAMPLES.items()]


def _most_to_do(rows: list[dict[str, Any]], family: str, words: str) -> dict[str, Any]:
    fitting = [row for row in rows if row["family"] == family and words in row["responses_create_params"]["input"][1]["content"]]
    return max(fitting, key=lambda row: len(row["ground_truth"]))


def _row(number: int, family: Family, task: Task, tools: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": number,
        "responses_create_params": {
            "input": [{"role": "system", "content": RULES}, {"role": "user", "content": task.request}],
            "tools": tools,
            "parallel_tool_calls": True,
            "temperature": 1.0,
        },
        "ground_truth": as_ground_truth(task.calls),
        "category": f"workplace_assistant_{family.area}",
        "family": family.name,
        "environment_name": "workplace_assistant",
    }
