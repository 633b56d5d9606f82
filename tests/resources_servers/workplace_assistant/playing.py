"""The server and its data for tests, and a rollout as a list of calls."""

import json
from functools import cache
from typing import Any

from blade.gym.servers import ResourcesSettings
from blade.gym.servers.calls import LocalCalls
from resources_servers.workplace_assistant.app import WorkplaceAssistant
from resources_servers.workplace_assistant.generate import DATA
from resources_servers.workplace_assistant.state import Workplace

Row = dict[str, Any]


@cache
def server() -> WorkplaceAssistant:
    return WorkplaceAssistant("workplace_assistant", ResourcesSettings(domain="agent"), LocalCalls())


@cache
def rows() -> tuple[Row, ...]:
    return tuple(map(json.loads, (DATA / "validation.jsonl").read_text(encoding="utf-8").splitlines()))


def row_of(family: str, words: str = "") -> Row:
    """The first task of a family whose request has the words."""
    return next(row for row in rows() if row["family"] == family and words in request(row))


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][1]["content"])


def item(name: str, arguments: Any) -> Row:
    return {
        "type": "function_call",
        "name": name,
        "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
        "call_id": "call_1",
        "id": "fc_1",
        "status": "completed",
    }


def expected(row: Row) -> list[Row]:
    """The expected calls as the items of a response."""
    return [item(call["name"], call["arguments"]) for call in row["ground_truth"]]


def verdict(row: Row, items: list[Any]) -> Row:
    return server().verify(None, row, {"output": items})


def task(*calls: tuple[str, Row]) -> Row:
    """A row with nothing but expected calls."""
    return {"ground_truth": [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in calls]}


def use(state: Workplace, tool: str, /, **arguments: Any) -> Any:
    return server().use(state, tool, arguments)
