"""The same short conversation in the dialects that tools log: a question, a call, its output, an answer."""

import json
from typing import Any

import pytest

from blade.runs.shapes import output_items, prompt_items
from blade.runs.steps import trajectory

ASKED = {"role": "user", "content": "u"}
DIALECTS = [
    ("chat completions", [ASKED, {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": '{"at":1}'}}]},
                          {"role": "tool", "tool_call_id": "1", "content": "found"}, {"role": "assistant", "content": "a"}]),
    ("a function that is a name", [ASKED, {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": "look", "arguments": {"at": 1}}]},
                                   {"role": "tool", "tool_call_id": "1", "function": "look", "content": "found"}, {"role": "assistant", "content": "a"}]),
    ("types for roles", [{"type": "human", "content": "u"}, {"type": "ai", "content": "", "tool_calls": [{"name": "look", "args": {"at": 1}, "id": "1"}]},
                         {"type": "tool", "content": "found", "tool_call_id": "1"}, {"type": "ai", "content": "a", "tool_calls": []}]),
    ("messages in envelopes", [{"type": "human", "data": {"content": "u"}}, {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "look", "args": {"at": 1}, "id": "1"}]}},
                               {"type": "tool", "data": {"content": "found", "tool_call_id": "1"}}, {"type": "ai", "data": {"content": "a"}}]),
    ("content blocks", [ASKED, {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "look", "input": {"at": 1}}]},
                        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "found"}]}]},
                        {"role": "assistant", "content": [{"type": "text", "text": "a"}]}]),
    ("blocks of Converse", [ASKED, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "look", "input": {"at": 1}}}]},
                            {"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": [{"text": "found"}]}}]},
                            {"role": "assistant", "content": [{"text": "a"}]}]),
    ("parts", [{"role": "user", "parts": [{"text": "u"}]}, {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"at": 1}}}]},
               {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"result": "found"}}}]}, {"role": "model", "parts": [{"text": "a"}]}]),
    ("the old function call", [ASKED, {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": '{"at":1}'}},
                               {"role": "function", "name": "look", "content": "found"}, {"role": "assistant", "content": "a"}]),
    ("tags in the text", [ASKED, {"role": "assistant", "content": '<tool_call>\n{"name": "look", "arguments": {"at": 1}}\n</tool_call>'},
                          {"role": "user", "content": "<tool_response>\nfound\n</tool_response>"}, {"role": "assistant", "content": "a"}]),
    ("ReAct", [ASKED, {"role": "assistant", "content": 'Action: look\nAction Input: {"at": 1}'}, {"role": "user", "content": "Observation: found"},
               {"role": "assistant", "content": "a"}]),
]  # fmt: skip


@pytest.mark.parametrize("messages", [case[1] for case in DIALECTS], ids=[case[0] for case in DIALECTS])
@pytest.mark.parametrize("written", [lambda told: told, json.dumps], ids=["as a list", "as text"])
def test_dialects_say_the_same(messages: list[Any], written: Any) -> None:
    path = trajectory(json.dumps({"messages": written(messages)}).encode())
    assert [(step.role, step.text) for step in path.prompt] == [("user", "u")]
    (made, answer), *others = path.calls_with_outputs()
    assert not others
    assert (made.name, json.loads(made.arguments or "")) == ("look", {"at": 1})
    assert answer is not None
    assert answer.text == "found"
    assert [(step.role, step.text) for step in path.output if step.kind == "message"] == [("assistant", "a")]


def test_a_written_call_that_nobody_answers_is_what_was_said() -> None:
    said = '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    row = {"messages": [ASKED, {"role": "assistant", "content": said}, {"role": "user", "content": "And?"}]}
    assert [item["type"] for _, item in output_items(row)] == ["message", "message"]


def test_outputs_without_ids_answer_the_calls_of_their_names() -> None:
    calls = {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in ("one", "two")]}
    answers = {
        "role": "user",
        "parts": [{"functionResponse": {"name": name, "response": {"result": name}}} for name in ("two", "one")],
    }
    path = trajectory(json.dumps({"contents": [{"role": "user", "parts": [{"text": "u"}]}, calls, answers]}).encode())
    assert [(made.name, answer.text if answer else None) for made, answer in path.calls_with_outputs()] == [
        ("one", "one"),
        ("two", "two"),
    ]


def test_the_words_of_the_system_may_stand_apart() -> None:
    row = {"system": "s", "messages": [ASKED, {"role": "assistant", "content": "a"}]}
    assert [item["role"] for item in prompt_items(row)] == ["system", "user"]


@pytest.mark.parametrize("history", [["2020", "2021"], [{"role": "clerk", "since": 2020}], [{"role": "user", "count": 3}], []])
def test_a_field_of_another_name_is_a_conversation_only_by_its_shape(history: Any) -> None:
    path = trajectory(json.dumps({"prompt": "u", "history": history}).encode())
    assert path.output == ()
    assert path.fields["history"] == history
