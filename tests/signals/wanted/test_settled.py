"""What an expected call leaves open, and how the declared tools settle it."""

import pytest

from blade.signals.calls.tools import Tool
from blade.signals.wanted.expectation import find_expectation
from blade.signals.wanted.settled import settled

SEAT, TAGS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
TOOLS = {
    "book": Tool("book", "", {"type": "object", "properties": {"seat": SEAT, "name": SEAT}}),
    "tag": Tool("tag", "", {"type": "object", "properties": {"tags": TAGS}}),
}


@pytest.mark.parametrize(
    ("entry", "call"),
    [
        ({"action": "book", "seat": "12A"}, ("book", {"seat": "12A"})),
        ({"tool": "book", "name": "Ann", "seat": "12A"}, ("book", {"name": "Ann", "seat": "12A"})),
        ({"name": "book", "turn": 3}, ("book", {})),  # no argument of the tool
        ({"name": "unknown", "seat": "12A"}, ("unknown", {})),
        ({"book": {"seat": ["12A"]}}, ("book", {"seat": "12A"})),
        ({"tag": {"tags": [["a", "b"]]}}, ("tag", {"tags": ["a", "b"]})),
        ({"tag": {"tags": ["a"]}}, ("tag", {"tags": ["a"]})),
        ({"book": {"seat": ["12A", "12B"]}}, ("book", {"seat": "12A"})),
        ({"unknown": {"seat": ["12A"]}}, ("unknown", {"seat": "12A"})),
    ],
)
def test_what_the_tools_settle(entry, call):
    found = settled(find_expectation({"expected_calls": [entry]}), TOOLS)
    assert found is not None
    assert [(one.name, one.arguments) for one in found.calls] == [call]


def test_several_right_values_stay_a_choice():
    found = settled(find_expectation({"expected_calls": [{"book": {"seat": ["12A", "12B"]}}]}), TOOLS)
    assert found is not None
    assert found.calls[0].accepted == {"seat": ["12A", "12B"]}


def test_no_expectation_stays_none():
    assert settled(None, TOOLS) is None
