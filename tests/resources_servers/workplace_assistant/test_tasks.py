"""The tasks: they are what the generator makes, every expected call does what its task says, and the requests alone suffice to solve them."""

from collections import Counter

import pytest

from blade.gym.servers import tool_schemas
from resources_servers.workplace_assistant.generate import DATA, files
from resources_servers.workplace_assistant.making.office import make_office
from resources_servers.workplace_assistant.making.rows import all_tasks
from resources_servers.workplace_assistant.replay import net_changes, replay

from .perfect_solutions import do
from .playing import Row, expected, request, rows, server, verdict

WORDS = {"new": "created", "now": "changed", "gone": "deleted"}
AREAS = {"email", "calendar", "analytics", "project_management", "customer_relationship_manager", "multi_area"}


def test_the_stored_files_are_what_the_generator_writes() -> None:
    for name, text in files().items():
        assert (DATA / name).read_text(encoding="utf-8") == text, f"{name} is out of date: run the generator"
    assert {path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file()} == set(files())


def test_the_rows_are_complete_and_small() -> None:
    keys = {"id", "responses_create_params", "ground_truth", "category", "family", "environment_name"}
    tools = tool_schemas(type(server()))
    assert len(tools) == 27
    for number, row in enumerate(rows()):
        assert set(row) == keys
        assert row["id"] == number
        assert row["responses_create_params"]["tools"] == tools
        assert row["environment_name"] == "workplace_assistant"
    assert len({request(row) for row in rows()}) == len(rows()) >= 120
    assert (DATA / "validation.jsonl").stat().st_size < 4_000_000


def test_the_families_cover_every_area() -> None:
    assert len({row["family"] for row in rows()}) >= 12
    assert {row["category"].removeprefix("workplace_assistant_") for row in rows()} == AREAS
    assert sum(not row["ground_truth"] for row in rows()) >= 15


def test_every_expected_call_does_what_its_task_says() -> None:
    for row, (family, task) in zip(rows(), all_tasks(make_office()), strict=True):
        done = replay(server().use, row["ground_truth"])
        counted = {
            name: dict(Counter(WORDS[record[0]] for record in records.elements()))
            for name, records in net_changes(done.workplace).items()
        }
        assert (row["family"], done.failed, counted) == (family.name, (), task.changes)
        assert len(done.workplace.effects) == len(row["ground_truth"]), "a call that changes nothing is not needed"


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['id']}-{row['family']}")
def test_the_request_and_the_tools_suffice(row: Row) -> None:
    found = verdict(row, do(request(row)))
    assert (found["reward"], found["missing_calls"], found["extra_calls"], found["failed_calls"]) == (1.0, 0, 0, 0)


def test_doing_nothing_passes_only_where_nothing_is_to_be_done() -> None:
    for row in rows():
        assert verdict(row, [])["reward"] == float(not row["ground_truth"])


def test_every_expected_call_is_needed() -> None:
    for row in rows():
        calls = expected(row)
        for left_out in range(len(calls)):
            found = verdict(row, calls[:left_out] + calls[left_out + 1 :])
            assert (found["reward"], found["missing_calls"]) == (0.0, 1)


def test_periods_have_records_on_their_border() -> None:
    """Where dates are filtered, a filter that is one day too narrow loses a record."""
    border = {
        "email_delete_period",
        "calendar_cancel_period",
        "project_postpone",
        "customer_close_quiet",
        "customer_plan_follow_up",
    }
    assert border <= {row["family"] for row in rows()}
    for row in rows():
        if row["family"] == "customer_close_quiet" and "days ago" in request(row):
            days = int(request(row).split(" days ago")[0].split()[-1])
            narrower = request(row).replace(f"{days} days", f"{days + 1} days")
            assert verdict(row, do(narrower))["reward"] == 0.0
