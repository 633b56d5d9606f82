"""Another name of the same record is no other record."""

import json

import pytest

from blade.signals import read_rollout
from blade.signals.example import Example, call, tool
from blade.signals.wanted.comparison import comparison_of

LISTED = json.dumps({"patients": [{"id": "PT-31062", "chip": "935200397774857"}, {"id": "PT-31063", "chip": "935200397774858"}]})


def outcome(given, answer="booked for PT-31062", listed=LISTED, **schema):
    expected = [{"name": "book_visit", "arguments": {"patient": "PT-31062"}}]
    tools = (tool("book_visit", patient={"type": "string", **schema}),)
    made = (call("list_patients", listed), call("book_visit", answer, patient=given))
    compared = comparison_of(read_rollout(Example(made, tools=tools, fields={"expected_calls": expected}).text()))
    return [match.outcome for match in compared.matches]


def test_the_tool_names_the_expected_record():
    assert outcome("935200397774857") == ["made"]


def test_the_schema_takes_either():
    assert outcome("935200397774857", "booked") == ["wrong_argument"]
    assert outcome("935200397774857", "booked", description="Id or number of the chip.") == ["made"]


def test_on_one_line_of_a_listing():
    assert outcome("935200397774857", listed="PT-31062 | Milo | 935200397774857\nPT-31063 | Otto | 935200397774858") == ["made"]


@pytest.mark.parametrize("given", ["935200397774858", "PT-31063"])
def test_another_record_is_another(given):
    assert outcome(given) == ["wrong_argument"]


def test_a_refused_call_names_nothing():
    assert outcome("935200397774857", "Error: no patient PT-31062 with this number") == ["failed"]
