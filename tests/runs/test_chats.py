"""The same short conversation in the dialects that tools log: a question, a call, its output, an answer."""

import json
import time
from typing import Any

import pytest

from blade.runs.shapes import output_items, prompt_items
from blade.runs.steps import trajectory
from blade.signals.calls.tools import declared_in

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


@pytest.mark.parametrize(
    ("told", "is_said"),
    [
        ("You are helpful.", True),
        ("你是一个乐于助人的助手。", True),
        ({"parts": [{"text": "You are helpful."}]}, True),
        ("baseline-v2", False),
        (["baseline"], False),
    ],
)
def test_the_words_of_the_system_may_stand_apart(told: Any, is_said: bool) -> None:
    row = {"system": told, "messages": [ASKED, {"role": "assistant", "content": "a"}]}
    assert [item["role"] for item in prompt_items(row)] == ["system"] * is_said + ["user"]


@pytest.mark.parametrize("history", [["2020", "2021"], [{"role": "clerk", "since": 2020}], [{"role": "user", "count": 3}], []])
def test_a_field_of_another_name_is_a_conversation_only_by_its_shape(history: Any) -> None:
    path = trajectory(json.dumps({"prompt": "u", "history": history}).encode())
    assert path.output == ()
    assert path.fields["history"] == history


CALL = '<tool_call>{"name": "look", "arguments": {"at": 1}}</tool_call>'
RESPONSE = {"role": "user", "content": "<tool_response>found</tool_response>"}


def said(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def told(messages: list[Any]) -> list[tuple[str, str]]:
    """What happened, as kinds with texts."""
    path = trajectory(json.dumps({"messages": [ASKED, *messages]}).encode())
    return [(step.kind, step.text or step.arguments or "") for step in path.output]


def paired(output: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    path = trajectory(json.dumps(output).encode())
    return [(made.arguments, answer.text if answer else None) for made, answer in path.calls_with_outputs()]


LONG = [
    ("an answer that is not closed", [said(CALL), {"role": "user", "content": "<tool_response>" + "\n" * 200_000 + "[output truncated]"}]),
    ("many answers that are not closed", [said(CALL), {"role": "user", "content": "<tool_response>\n" * 20_000}]),
    ("blank lines after an action", [said("Action: a" + " \n" * 100_000 + "Action Input: none"), {"role": "user", "content": "Observation: x"}]),
    ("blank lines before an action", [said("\n " * 100_000 + "Action Input: none"), {"role": "user", "content": "Observation: x"}]),
    ("many calls that are not closed", [said('<tool_call>\n{"name": "a"\n' * 50_000), {"role": "tool", "content": "x"}]),
    ("many calls closed once", [said('<tool_call>\n{"name": "a"\n' * 50_000 + "</tool_call>"), {"role": "tool", "content": "x"}]),
    ("blank lines after a tag", [said("<tool_call>" + "\n" * 200_000), {"role": "tool", "content": "x"}]),
]  # fmt: skip


@pytest.mark.parametrize("messages", [case[1] for case in LONG], ids=[case[0] for case in LONG])
def test_long_texts_are_read_once(messages: list[Any]) -> None:
    begun = time.process_time()
    assert told(messages)[0] == ("message", messages[0]["content"])
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "entry",
    [
        {"type": {"a": 1}, "content": "x"},
        {"type": ["a"], "data": {"content": "x", "type": {"a": 1}}},
        {"role": {"a": 1}, "content": "x"},
        {"type": "constructor", "id": [{"a": 1}], "kwargs": {"content": "x"}},
    ],
)
def test_a_type_may_be_anything(entry: Any) -> None:
    assert ("message", "x") in told([said("a"), entry])
    for name in ("history", "contents"):
        trajectory(json.dumps({name: [ASKED, entry], "response": {"output": [said("a"), entry, "b"]}}).encode())


def test_half_a_surrogate_pair_is_read() -> None:
    answer = {"functionResponse": {"name": "look", "response": {"a": "\ud800", "b": 2**70}}}
    messages = [
        {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"at": "\ud800"}}}]},
        {"role": "user", "parts": [answer]},
    ]
    assert told(messages) == [("tool_call", '{"at":"?"}'), ("tool_output", '{"a":"?","b":1180591620717411303424}')]


BESIDE = [{"id": "1", "function": {"name": "look", "arguments": '{"at": 1}'}}]
FOUND = {"role": "tool", "tool_call_id": "1", "content": "found"}
CALLED, ANSWERED = ("tool_call", '{"at": 1}'), ("tool_output", "found")
SPELLED = [
    ("a call beside its text", [said(CALL, tool_calls=BESIDE), FOUND], [CALLED, ANSWERED]),
    ("a call beside its text with words", [said("I look. " + CALL, tool_calls=BESIDE), FOUND], [("message", "I look."), CALLED, ANSWERED]),
    ("a call beside a text of another", [said(CALL.replace("look", "see"), tool_calls=BESIDE), FOUND],
     [("message", CALL.replace("look", "see")), CALLED, ANSWERED]),
    ("a call beside an action", [said('Action: look\nAction Input: {"at": 1}', tool_calls=BESIDE), {"role": "user", "content": "Observation: found"}],
     [("message", 'Action: look\nAction Input: {"at": 1}'), CALLED, ("message", "Observation: found")]),
    ("words around calls", [said(f"I use <tool_call> tags. {CALL} and {CALL} and then I am done: 42"), RESPONSE, RESPONSE],
     [("message", "I use <tool_call> tags."), ("tool_call", '{"at":1}'), ("message", "and"), ("tool_call", '{"at":1}'),
      ("message", "and then I am done: 42"), ANSWERED, ANSWERED]),
    ("two actions", [said('Action: a\nAction Input: {"x": 1}\nAction: b\nAction Input: {"x": 2}'), {"role": "user", "content": "Observation: found"}],
     [("message", 'Action: a\nAction Input: {"x": 1}\nAction: b\nAction Input: {"x": 2}'), ("message", "Observation: found")]),
    ("an action that answers itself", [said('Action: a\nAction Input: {"x": 1}\nObservation: {"y": 2}'), {"role": "user", "content": "Observation: found"}],
     [("message", 'Action: a\nAction Input: {"x": 1}\nObservation: {"y": 2}'), ("message", "Observation: found")]),
    ("an action after a thought", [said('Thought: hm\nAction: look\nAction Input: {"at": 1}\n'), {"role": "user", "content": "Observation: found"}],
     [("reasoning", "hm"), CALLED, ANSWERED]),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), [case[1:] for case in SPELLED], ids=[case[0] for case in SPELLED])
def test_calls_that_a_text_spells_out(messages: list[Any], expected: list[tuple[str, str]]) -> None:
    assert told(messages) == expected


@pytest.mark.parametrize(
    "words", ["Observation: the patient has a fever. What is it?", "<tool_response>What is it?</tool_response>"]
)
def test_what_the_user_says_first_is_no_output(words: str) -> None:
    given = [{"role": "user", "content": words}]
    for row in ({"responses_create_params": {"input": given}}, {"messages": [*given, said("Flu.")]}, {"prompt": given}):
        assert [(step.kind, step.text) for step in trajectory(json.dumps(row).encode()).prompt] == [("message", words)]


def calling(at: int) -> dict[str, Any]:
    return said(None, tool_calls=[{"function": {"name": "look", "arguments": str(at)}}])


def answer(text: str) -> dict[str, Any]:
    return {"role": "tool", "content": text}


REASONING = {"type": "reasoning", "summary": []}
PAIRS = [
    ("among items", {"response": {"output": [REASONING, calling(1), answer("1"), calling(2), answer("2")]}}, [("1", "1"), ("2", "2")]),
    ("in lists", {"response": {"output": [[calling(1)], [answer("1"), REASONING], [calling(2)], [answer("2")]]}}, [("1", "1"), ("2", "2")]),
    ("an item that calls", {"response": {"output": [{"type": "function_call", "call_id": "c", "name": "look", "arguments": "1"}, answer("1")]}}, [("1", "1")]),
    ("never answered", {"messages": [ASKED, calling(1), {"role": "user", "content": "no wait"}, calling(2), answer("2")]}, [("1", None), ("2", "2")]),
    ("never answered, among items", {"response": {"output": [REASONING, calling(1), said("no"), calling(2), answer("2")]}}, [("1", None), ("2", "2")]),
    ("two that wait", {"messages": [ASKED, calling(1), calling(2), answer("1"), answer("2"), calling(3), answer("3")]}, [("1", "1"), ("2", "2"), ("3", "3")]),
]  # fmt: skip


@pytest.mark.parametrize(("row", "expected"), [case[1:] for case in PAIRS], ids=[case[0] for case in PAIRS])
def test_outputs_without_ids_find_their_calls(row: dict[str, Any], expected: list[tuple[str, str | None]]) -> None:
    assert paired(row) == expected


def test_a_history_stands_behind_a_question() -> None:
    history = [{"role": "user", "content": "I am Bob"}, said("Hello Bob")]
    row = {"question": "Who am I?", "output": "Bob", "history": history}
    path = trajectory(json.dumps(row).encode())
    assert [step.text for step in (*path.prompt, *path.output)] == ["Who am I?", "Bob"]
    assert path.fields["history"] == history
    path = trajectory(json.dumps({"history": history}).encode())
    assert [step.text for step in (*path.prompt, *path.output)] == ["I am Bob", "Hello Bob"]


@pytest.mark.parametrize(
    "tools", ["[\ud800", [{"name": "look", "description": "\ud800", "parameters": {"type": "object", "properties": {}}}]]
)
def test_half_a_surrogate_pair_among_the_tools_is_read(tools: Any) -> None:
    assert set(declared_in({"tools": tools})[0]) == (set() if isinstance(tools, str) else {"look"})
