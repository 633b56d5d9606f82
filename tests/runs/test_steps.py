import json
from itertools import count
from typing import Any

import pytest

from blade.runs.rows import BadRow
from blade.runs.steps import Step, Trajectory, read_row, trajectory


def read(**row: Any) -> Trajectory:
    return trajectory(json.dumps(row).encode())


def calls(*items: tuple[str, str]) -> Trajectory:
    """A trajectory of calls ("c", id) and outputs ("o", id); the text of an output is its position."""
    output = [
        {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"}
        if kind == "c"
        else {"type": "function_call_output", "call_id": call_id, "output": str(position)}
        for position, (kind, call_id) in enumerate(items)
    ]
    return read(response={"output": output})


def test_prompt_steps_count_back_from_the_newest_and_output_steps_count_up() -> None:
    found = read(
        responses_create_params={"input": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]},
        response={
            "output": [
                {"type": "reasoning", "summary": [{"text": "think"}]},
                {"type": "message", "role": "assistant", "content": "a"},
            ]
        },
    )
    assert [(step.step, step.kind, step.role, step.text) for step in found.prompt] == [
        (-2, "message", "system", "s"),
        (-1, "message", "user", "u"),
    ]
    assert [(step.step, step.kind, step.role, step.text) for step in found.output] == [
        (0, "reasoning", "assistant", "think"),
        (1, "message", "assistant", "a"),
    ]


def test_items_of_a_nested_list_share_the_index_of_their_list() -> None:
    """As aviary-like agents write them: one list per turn."""
    turn = [
        {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "ok"},
    ]
    found = read(response={"output": [turn, [{"type": "message", "role": "assistant", "content": "done"}]]})
    assert [(step.step, step.kind) for step in found.output] == [(0, "tool_call"), (0, "tool_output"), (1, "message")]
    assert [(made.step, answer.text if answer else None) for made, answer in found.calls_with_outputs()] == [(0, "ok")]


ids = count()


def _turns(*turns: str) -> list[list[dict[str, Any]]]:
    """Turns in short: a small letter is a message, a capital the call of that id with its answer."""

    def items(sign: str) -> list[dict[str, Any]]:
        if sign.islower():
            return [{"type": "message", "role": "assistant", "content": sign, "id": f"msg_{next(ids)}"}]
        return [
            {"type": "function_call", "call_id": sign, "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": sign, "output": "ok"},
        ]

    return [[item for sign in turn for item in items(sign)] for turn in turns]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("qA", "qAB", "qABz"), [0, 0, 0, 1, 1, 2]),  # each turn tells the history again
        (("q", "qz"), [0, 1]),
        (("a", "a"), [0, 1]),  # the same word twice
        (("A", "B", "z"), [0, 0, 1, 1, 2]),
        (("A", "A"), [0, 0, 1, 1]),  # an id that is used again
        (("qA", "qAB", "C"), [0, 0, 0, 1, 1, 1, 1, 1, 2, 2]),
    ],
)
def test_a_history_that_each_turn_tells_again_is_kept_once(turns: tuple[str, ...], expected: list[int]) -> None:
    assert [step.step for step in read(response={"output": _turns(*turns)}).output] == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([("c", "a"), ("o", "a")], [(0, "1")]),
        ([("c", "a"), ("c", "b"), ("o", "b"), ("o", "a")], [(0, "3"), (1, "2")]),
        ([("c", "a"), ("o", "a"), ("c", "a"), ("o", "a")], [(0, "1"), (2, "3")]),
        ([("c", "a"), ("c", "a"), ("o", "a")], [(0, None), (1, "2")]),
        ([("c", "a")], [(0, None)]),
        ([("o", "a"), ("c", "a")], [(1, None)]),
        ([("c", "a"), ("o", "b")], [(0, None)]),
        ([("c", "a"), ("o", "a"), ("o", "a")], [(0, "1")]),
    ],
)
def test_an_output_belongs_to_the_nearest_call_before_it_with_its_id(
    items: list[tuple[str, str]], expected: list[tuple[int, str | None]]
) -> None:
    assert [(made.step, answer.text if answer else None) for made, answer in calls(*items).calls_with_outputs()] == expected


def test_chat_messages_give_calls_and_outputs() -> None:
    found = read(
        messages=[
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": "let me see",
                "tool_calls": [{"id": "x", "function": {"name": "look", "arguments": '{"a":1}'}}],
            },
            {"role": "tool", "tool_call_id": "x", "content": "42"},
            {"role": "assistant", "content": "it is 42"},
        ]
    )
    assert found.prompt == (Step(-1, "message", "user", None, None, "q"),)
    assert found.output == (
        Step(0, "message", "assistant", None, None, "let me see"),
        Step(1, "tool_call", "assistant", "look", "x", "", '{"a":1}'),
        Step(2, "tool_output", "tool", None, "x", "42"),
        Step(3, "message", "assistant", None, None, "it is 42"),
    )


@pytest.mark.parametrize(
    ("item", "arguments"),
    [
        ({"type": "function_call", "arguments": '{"a": 1}'}, '{"a": 1}'),
        ({"type": "function_call", "arguments": {"a": 1}}, '{"a":1}'),
        ({"type": "custom_tool_call", "input": "ls"}, "ls"),
        ({"type": "local_shell_call", "action": {"command": ["ls"]}}, '{"command":["ls"]}'),
        ({"type": "function_call"}, None),
        ({"type": "message", "arguments": "no call"}, None),
    ],
)
def test_arguments_of_calls_are_text(item: dict[str, Any], arguments: str | None) -> None:
    assert read(response={"output": [item]}).output[0].arguments == arguments


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ({"type": "reasoning", "summary": [{"text": "s"}], "content": [{"text": "c"}]}, "c\ns"),
        ({"type": "reasoning", "encrypted_content": "xyz"}, "[encrypted]"),
        ({"type": "reasoning"}, ""),
        ({"type": "function_call_output", "output": [{"type": "text", "text": "t"}]}, "t"),
        ({"type": "function_call_output", "output": {"code": 1}}, '{"code":1}'),
        ({"type": "message", "role": "assistant", "text": "t"}, "t"),
        ({"type": "mystery", "content": "kept"}, "kept"),
    ],
)
def test_text_of_steps(item: dict[str, Any], text: str) -> None:
    assert read(response={"output": [item]}).output[0].text == text


def test_fields_are_all_that_is_not_the_conversation() -> None:
    found = read(
        reward=1.0, extracted={"answer": 3}, response={"output": []}, responses_create_params={"input": "q"}, messages=[]
    )
    assert found.fields == {"reward": 1.0, "extracted": {"answer": 3}}


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (b'{"reward": NaN}', {"reward": None}),
        (b'{"a": 1e999, "b": -Infinity}', {"a": None, "b": None}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": "tab\there"}', {"a": "tab\there"}),
        (b'\xef\xbb\xbf{"a": 1}\r', {"a": 1}),
        (b'{"a": 1}\0\0\0', {"a": 1}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_what_the_scan_forgives_can_be_read_back(text: bytes, row: dict[str, Any]) -> None:
    assert read_row(text) == row


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"[1]", "not_an_object"),
        (b'"x"', "not_an_object"),
        (b"{", "malformed"),
        (b"\0\0", "nul_bytes"),
        (b"[" * 10_000, "too_deep"),
    ],
)
def test_what_is_no_row_is_said_to_be_none(text: bytes, code: str) -> None:
    with pytest.raises(BadRow) as caught:
        read_row(text)
    assert caught.value.code == code
