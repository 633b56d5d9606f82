"""Write the data of this environment: `python -m resources_servers.workplace_assistant.generate` from the root of the repository.

Everything follows from one seed, so the files come out the same every time; a test compares them with what is stored.
"""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

from blade.gym.servers import tool_schemas

from .app import WorkplaceAssistant
from .making.office import Office, make_office
from .making.rows import all_rows, example_rows
from .state import CALENDAR, CUSTOMERS, EMAIL, PROJECTS, Row

DATA = Path(__file__).parent / "data"


def files() -> dict[str, str]:
    """Every file under `data/` by its path, as text."""
    office = make_office()
    rows = all_rows(office, tool_schemas(WorkplaceAssistant))
    tables = {f"tables/{name}.csv": _as_csv(table) for name, table in _tables(office).items()}
    return {**tables, "validation.jsonl": _as_lines(rows), "example.jsonl": _as_lines(example_rows(rows))}


def _tables(office: Office) -> dict[str, list[Row]]:
    return {
        EMAIL.name: office.emails,
        CALENDAR.name: office.events,
        PROJECTS.name: office.tasks,
        CUSTOMERS.name: office.customers,
        "company_directory": [asdict(person) for person in office.directory.people],
        "visits": office.visits,
    }


def _as_csv(rows: list[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _as_lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n" for row in rows)


def main() -> None:
    for name, text in files().items():
        path = DATA / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
