"""Tasks with the project boards: create, move what is overdue, hand over, postpone, balance."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call, spoken
from resources_servers.workplace_assistant.making.people import Person
from resources_servers.workplace_assistant.moments import TODAY
from resources_servers.workplace_assistant.state import Row
from resources_servers.workplace_assistant.tools.projects import BOARDS, LISTS

from .phrases import between, one_of, two_of

AREA = "project_management"
NEW = (
    "Label the spare probes", "Write the release notes", "Order gaskets", "Compare antenna types", "Photograph the new case",
    "Sort the bug reports", "Translate the quick guide", "Check the packing list",
)  # fmt: skip


def create(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        person, name, board = rng.choice(makers(office)), rng.choice(NEW), rng.choice(BOARDS)
        due, in_list = TODAY + timedelta(days=rng.randrange(2, 16)), rng.choice(LISTS[:2])
        who = office.directory.called(person, rng)
        asked = f'Create the task "{name}" on the {board} board for {who}, due on {spoken(due)}, in the list {in_list}.'
        yield Task(asked, (new_task(name, person, in_list, due, board),), {AREA: {"created": 1}})


def move_overdue(office: Office, rng: Random) -> Iterator[Task | None]:
    """A task due today is not overdue, and a task that is done never is; both are near the ones that are."""
    while True:
        person, target = rng.choice(makers(office)), rng.choice(LISTS[:3])
        late = [row for row in office.overdue(person) if row["list_name"] != target]
        nearby = [row for row in of(office, person) if row["due_date"] == str(TODAY) or _late_but_done(row)]
        if not 1 <= len(late) <= 4 or not nearby:
            yield None
            continue
        asked = one_of(
            rng,
            f"Move all overdue tasks of {office.directory.called(person, rng)} to the list {target}.",
            f"Whatever of {office.directory.called(person, rng)}'s work is overdue belongs into {target} now. Please move it there.",
        )
        yield Task(asked, tuple(update(row, "list_name", target) for row in late), {AREA: {"changed": len(late)}})


def hand_over(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        giver, taker = two_of(office, rng, "Engineering")
        board = rng.choice(BOARDS)
        open_ones = [row for row in of(office, giver) if row["board"] == board and row["list_name"] != "Done"]
        if not 2 <= len(open_ones) <= 4:
            yield None
            continue
        old, new = office.directory.called(giver, rng), office.directory.called(taker, rng)
        asked = one_of(
            rng,
            f"{new} takes over from {old} on the {board} board: assign the tasks that {old} has there and that are not done to {new}.",
            f"Please give every unfinished task that {old} has on the {board} board to {new}.",
        )
        yield Task(
            asked, tuple(update(row, "assigned_to_email", taker.email) for row in open_ones), {AREA: {"changed": len(open_ones)}}
        )


def postpone(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        board, in_list = rng.choice(BOARDS), rng.choice(LISTS[:3])
        first = TODAY + timedelta(days=rng.randrange(0, 14))
        period = between(first, first + timedelta(days=rng.randrange(2, 7)), rng)
        there = [row for row in office.tasks if row["board"] == board and row["list_name"] == in_list]
        inside = [row for row in there if row["due_date"] in period]
        if not 2 <= len(inside) <= 4 or not any(period.touched_by(row["due_date"]) for row in inside):
            yield None
            continue
        days = rng.choice((7, 14))
        asked = (
            f"Postpone the tasks in the list {in_list} of the {board} board that are due {period.words} by "
            f"{'one week' if days == 7 else 'two weeks'} each."
        )
        calls = tuple(update(row, "due_date", str(date.fromisoformat(row["due_date"]) + timedelta(days=days))) for row in inside)
        yield Task(asked, calls, {AREA: {"changed": len(inside)}})


def give_to_least_busy(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        name, board, due = rng.choice(NEW), rng.choice(BOARDS), TODAY + timedelta(days=rng.randrange(2, 16))
        there = [row["assigned_to_email"] for row in office.tasks if row["board"] == board and row["list_name"] != "Done"]
        ranked = sorted(office.directory.team("Design"), key=lambda person: there.count(person.email))
        if there.count(ranked[0].email) == there.count(ranked[1].email):
            yield None
            continue
        asked = (
            f'Create the task "{name}" on the {board} board (list Backlog, due on {spoken(due)}) for whoever in the Design team has the '
            f"fewest tasks on that board that are not done."
        )
        yield Task(asked, (new_task(name, ranked[0], "Backlog", due, board),), {AREA: {"created": 1}})


def makers(office: Office) -> list[Person]:
    return office.directory.team("Engineering") + office.directory.team("Design")


def of(office: Office, person: Person) -> list[Row]:
    return [row for row in office.tasks if row["assigned_to_email"] == person.email]


def update(row: Row, field: str, value: str) -> Call:
    return call("project_management_update_task", task_id=row["task_id"], field=field, new_value=value)


def new_task(name: str, person: Person, in_list: str, due: date, board: str) -> Call:
    return call(
        "project_management_create_task",
        task_name=name,
        assigned_to_email=person.email,
        list_name=in_list,
        due_date=str(due),
        board=board,
    )


def _late_but_done(row: Row) -> bool:
    return row["due_date"] < str(TODAY) and row["list_name"] == "Done"


FAMILIES = (
    Family("project_create", AREA, 5, create),
    Family("project_move_overdue", AREA, 7, move_overdue),
    Family("project_hand_over", AREA, 7, hand_over),
    Family("project_postpone", AREA, 6, postpone),
    Family("project_give_to_least_busy", AREA, 4, give_to_least_busy),
)
