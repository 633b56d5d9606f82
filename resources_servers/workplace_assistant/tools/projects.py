"""The boards of the projects: tasks in lists, each assigned to a colleague and due on a day."""

from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.moments import first_day, last_day
from resources_servers.workplace_assistant.state import PROJECTS, Row, Workplace

from .values import Page, PageSize, answer, choice, colleague, day, has, known, page_of, text

LISTS = ("Backlog", "In progress", "In review", "Done")
BOARDS = ("Field app", "Web shop", "Sensor firmware", "Test bench")

TaskId = Annotated[str, "Id of the task, such as pt-0001"]
ListName = Annotated[str, f"One of {', '.join(LISTS)}"]
Board = Annotated[str, f"One of {', '.join(BOARDS)}"]


def list_name(value: str, name: str) -> str:
    return choice(value, name, LISTS)


def board(value: str, name: str) -> str:
    return choice(value, name, BOARDS)


CHECKS = {"task_name": text, "assigned_to_email": colleague, "list_name": list_name, "due_date": day, "board": board}


class ProjectTools:
    @tool
    def project_management_get_task_information_by_id(
        self, state: Workplace, task_id: TaskId, field: Annotated[str, "One field only; all of them when left out"] = ""
    ) -> Row:
        """Read one task: task_name, assigned_to_email, list_name, due_date, board."""
        return answer(state.get(PROJECTS, task_id), field)

    @tool
    def project_management_search_tasks(
        self,
        state: Workplace,
        task_name: Annotated[str, "Part of the task's name"] = "",
        assigned_to_email: Annotated[str, "Email address of the assignee, or part of it"] = "",
        list_name: ListName = "",
        board: Board = "",
        due_date_min: Annotated[str, "Due on this day or later"] = "",
        due_date_max: Annotated[str, "Due on this day or earlier"] = "",
        page: Page = 1,
        page_size: PageSize = 5,
    ) -> dict[str, Any]:
        """Search tasks by any of these, earliest due date first."""
        first, last = first_day(due_date_min, "due_date_min"), last_day(due_date_max, "due_date_max")
        in_list = choice(list_name, "list_name", (*LISTS, ""))
        on_board = choice(board, "board", (*BOARDS, ""))
        found = [
            row
            for row in state.rows(PROJECTS)
            if first <= row["due_date"] <= last
            and in_list in ("", row["list_name"])
            and on_board in ("", row["board"])
            and has(row, "task_name", task_name)
            and has(row, "assigned_to_email", assigned_to_email)
        ]
        found.sort(key=lambda row: (row["due_date"], row["task_id"]))
        return page_of("tasks", found, page, page_size)

    @tool
    def project_management_create_task(
        self,
        state: Workplace,
        task_name: Annotated[str, "Name of the task"],
        assigned_to_email: Annotated[str, "Email address of the assignee"],
        list_name: ListName,
        due_date: Annotated[str, "Day it is due, as 2025-10-14"],
        board: Board,
    ) -> dict[str, str]:
        """Create a task."""
        given = {
            "task_name": task_name,
            "assigned_to_email": assigned_to_email,
            "list_name": list_name,
            "due_date": due_date,
            "board": board,
        }
        return {"created": state.create(PROJECTS, {column: CHECKS[column](value, column) for column, value in given.items()})}

    @tool
    def project_management_delete_task(self, state: Workplace, task_id: TaskId) -> dict[str, str]:
        """Delete a task."""
        state.delete(PROJECTS, task_id)
        return {"deleted": task_id.strip()}

    @tool
    def project_management_update_task(
        self,
        state: Workplace,
        task_id: TaskId,
        field: Annotated[str, "task_name, assigned_to_email, list_name, due_date or board"],
        new_value: Annotated[str, "The new value"],
    ) -> dict[str, str]:
        """Change one field of a task."""
        column = known(field, CHECKS)
        state.update(PROJECTS, task_id.strip(), column, CHECKS[column](new_value, "new_value"))
        return {"updated": task_id.strip()}
