"""Any sequence of calls: the server stands, and tables compared by their changes are tables compared in full."""

import json
import pickle
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from blade.gym.servers.tools import InvalidArguments, tool_schemas, tools_of
from resources_servers.workplace_assistant.replay import net_changes, replay
from resources_servers.workplace_assistant.state import DATABASES, Kind, Workplace

from .playing import expected, item, rows, server, verdict

SCHEMAS = {schema["name"]: schema["parameters"] for schema in tool_schemas(type(server()))}
READING = [name for name in SCHEMAS if any(word in name for word in ("_get_", "_search_", "_count", "_find_"))]
LIKELY = (
    *(f"{prefix}-{number:04d}" for prefix in ("em", "ev", "pt", "cu", "vi") for number in (1, 2, 3, 170, 331)),
    "", "2025-10-14", "2025-10-01 09:00", "2025-13-01", "9999-12-31", "0001-01-01", "noor", "tomas.novak@larkfell.example", "a@b.example", "Lead",
    "Won", "Backlog", "Done", "Web shop", "Probes", "status", "due_date", "event_start", "duration", "bar", "total_visits", "search", "\ud800", "\0", "30",
)  # fmt: skip
TEXTS = st.sampled_from(LIKELY) | st.text(max_size=30)
VALUES = TEXTS | st.integers(-(10**20), 10**20) | st.none() | st.booleans() | st.floats() | st.lists(TEXTS, max_size=2)


@st.composite
def calls(draw: st.DrawFn, names: list[str] | None = None) -> tuple[str, dict[str, Any]]:
    """A call of a real tool, mostly with arguments of the right types."""
    name = draw(st.sampled_from(names or list(SCHEMAS)))
    parameters = SCHEMAS[name]
    arguments: dict[str, Any] = {}
    for argument, schema in parameters["properties"].items():
        if argument in parameters.get("required", ()) or draw(st.booleans()):
            likely = st.integers(0, 60) if schema.get("type") == "integer" else TEXTS
            arguments[argument] = draw(likely) if draw(st.integers(0, 19)) else draw(VALUES)
    return name, arguments


def full_tables(state: Workplace, started_with: Workplace) -> list[Counter[tuple[str, ...]]]:
    """All five tables as verification sees them, the slow and plain way."""
    return [Counter(_shown(kind, row, started_with) for row in state.rows(kind)) for kind in DATABASES]


def _shown(kind: Kind, row: dict[str, str], started_with: Workplace) -> tuple[str, ...]:
    key = row[kind.key] if started_with.find(kind, row[kind.key]) else "new"
    rest = [
        value if column in ("status", "list_name", "board") else value.lower()
        for column, value in row.items()
        if column != kind.key
    ]
    return (key, *rest)


@settings(max_examples=150)
@given(st.lists(calls(), max_size=12))
def test_any_calls_leave_a_server_that_stands(played: list[tuple[str, dict[str, Any]]]) -> None:
    state, ran = Workplace(), []
    for name, arguments in played:
        before = net_changes(state)
        try:
            answer = server().use(state, name, arguments)
        except (ValueError, InvalidArguments) as refused:
            str(refused).encode()
            assert net_changes(state) == before
        else:
            ran.append({"name": name, "arguments": json.dumps(arguments)})
            json.dumps(answer).encode()
            json.dumps(answer, ensure_ascii=False).encode()
        if name in READING:
            assert net_changes(state) == before
    assert net_changes(pickle.loads(pickle.dumps(state))) == net_changes(state)
    found = verdict({"ground_truth": ran}, [item(name, json.dumps(arguments)) for name, arguments in played])
    assert (found["reward"], found["failed_calls"]) == (1.0, len(played) - len(ran))


@settings(max_examples=100)
@given(st.lists(calls(), max_size=6), st.lists(calls(), max_size=6), st.booleans())
def test_equal_changes_are_equal_tables(one: list[Any], other: list[Any], same: bool) -> None:
    states = []
    for played in (one, list(reversed(one)) if same else other):
        done = replay(server().use, [{"name": name, "arguments": arguments} for name, arguments in played])
        states.append(done.workplace)
    fresh = Workplace()
    tables = [full_tables(state, fresh) for state in states]
    assert (tables[0] == tables[1]) == (net_changes(states[0]) == net_changes(states[1]))


@settings(max_examples=150)
@given(st.sampled_from(rows()), st.data())
def test_reading_in_between_never_matters(row: dict[str, Any], data: st.DataObject) -> None:
    mixed: list[Any] = []
    for call in [*data.draw(st.permutations(expected(row))), None]:
        mixed += [item(name, json.dumps(arguments)) for name, arguments in data.draw(st.lists(calls(READING), max_size=3))]
        mixed += [call] if call else []
    assert verdict(row, mixed)["reward"] == 1.0


def test_the_reading_tools_are_the_ones_that_change_nothing() -> None:
    assert len(READING) == 13
    assert set(tools_of(type(server()))) == set(SCHEMAS)
