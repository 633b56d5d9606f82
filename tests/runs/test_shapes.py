from typing import Any

import pytest

from blade.runs.shapes import output_items, prompt_items, step_kind, text_of


def message(role: str, content: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content}


def call(name: str, call_id: str | None = None, arguments: Any = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}


def output(content: str, call_id: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": content, "name": name}


CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}]}
CHAT_OUTPUT = {"role": "tool", "tool_call_id": "c1", "content": "found", "name": "look"}
HELLO = message("assistant", "hello")

OUTPUTS = [
    ("items as they are", {"response": {"output": [HELLO, call("f", "1")]}}, [(0, HELLO), (1, call("f", "1"))]),
    ("lists inside output share their index", {"response": {"output": [[HELLO, call("f")], HELLO]}}, [(0, HELLO), (0, call("f")), (1, HELLO)]),
    ("lists in lists", {"response": {"output": [HELLO, [[HELLO], [HELLO]]]}}, [(0, HELLO), (1, HELLO), (1, HELLO)]),
    ("text among the items", {"response": {"output": ["hello"]}}, [(0, HELLO)]),
    ("what is no item at all", {"response": {"output": [7]}}, [(0, {"type": "unreadable", "content": 7})]),
    ("chat messages in output", {"response": {"output": [CHAT_CALL, CHAT_OUTPUT]}}, [(0, call("look", "c1")), (1, output("found", "c1", "look"))]),
    ("a string response", {"response": "hello"}, [(0, HELLO)]),
    ("a string output", {"response": {"output": "hello"}}, [(0, HELLO)]),
    ("an empty response falls to the next field", {"response": "", "completion": "hello"}, [(0, HELLO)]),
    ("a list as response", {"response": [HELLO]}, [(0, HELLO)]),
    ("a top-level output", {"output": [HELLO]}, [(0, HELLO)]),
    ("a chat completion", {"response": {"choices": [{"message": {"role": "assistant", "content": "hello"}}]}}, [(0, HELLO)]),
    ("a text completion", {"response": {"choices": [{"text": "hello"}]}}, [(0, HELLO)]),
    (
        "a chat completion that calls",
        {"response": {"choices": [{"message": CHAT_CALL | {"content": "hello"}}]}},
        [(0, HELLO), (1, call("look", "c1"))],
    ),
    (
        "a conversation from the first word of the assistant on",
        {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}, CHAT_CALL, CHAT_OUTPUT, {"role": "user", "content": "v"}]},
        [(0, call("look", "c1")), (1, output("found", "c1", "look")), (2, message("user", "v"))],
    ),
    ("a sharegpt conversation", {"conversation": [{"from": "human", "value": "u"}, {"from": "gpt", "value": "hi"}]}, [(0, message("assistant", "hi"))]),
    ("reasoning beside content", {"messages": [{"role": "assistant", "content": "a", "reasoning_content": "r"}]},
     [(0, {"type": "reasoning", "summary": [], "content": "r"}), (1, message("assistant", "a"))]),
    ("a conversation without an answer", {"messages": [{"role": "user", "content": "u"}]}, []),
    ("nothing", {}, []),
    ("a number", {"response": 3}, []),
]  # fmt: skip


@pytest.mark.parametrize(("row", "expected"), [case[1:] for case in OUTPUTS], ids=[case[0] for case in OUTPUTS])
def test_output_is_brought_to_items(row: dict[str, Any], expected: list[tuple[int, dict[str, Any]]]) -> None:
    assert list(output_items(row)) == expected


USER = message("user", "hello")
PROMPTS = [
    ("items", {"responses_create_params": {"input": [USER]}}, [USER]),
    ("a string input", {"responses_create_params": {"input": "hello"}}, [USER]),
    ("nested", {"responses_create_params": {"input": [[USER], USER]}}, [USER, USER]),
    ("a prompt field", {"prompt": "hello"}, [USER]),
    ("a prompt of messages", {"prompt": [{"role": "user", "content": "hello"}]}, [message("user", "hello")]),
    ("a question", {"question": "hello"}, [USER]),
    ("the parameters win over a question", {"responses_create_params": {"input": "hello"}, "question": "other"}, [USER]),
    ("an empty input is an empty prompt", {"responses_create_params": {"input": []}, "question": "other"}, []),
    (
        "a conversation up to the assistant",
        {"messages": [{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}, {"role": "user", "content": "v"}]},
        [message("user", "u")],
    ),
    ("nothing", {}, []),
    ("a number", {"responses_create_params": {"input": 3}}, []),
]


@pytest.mark.parametrize(("row", "expected"), [case[1:] for case in PROMPTS], ids=[case[0] for case in PROMPTS])
def test_the_prompt_is_brought_to_items(row: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert prompt_items(row) == expected


@pytest.mark.parametrize(
    ("item_type", "role", "kind"),
    [
        ("message", "assistant", "message"),
        (None, "user", "message"),
        ("reasoning", None, "reasoning"),
        ("function_call", None, "tool_call"),
        ("custom_tool_call", None, "tool_call"),
        ("mcp_call", None, "tool_call"),
        ("web_search_call", None, "tool_call"),
        ("function_call_output", None, "tool_output"),
        ("local_shell_call_output", None, "tool_output"),
        ("compaction", None, "other"),
        (None, None, "other"),
        (3, "assistant", "other"),
        (["message"], None, "other"),
    ],
)
def test_kinds_of_steps(item_type: Any, role: Any, kind: str) -> None:
    assert step_kind(item_type, role) == kind


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("plain", "plain"),
        ([{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb"),
        ([{"type": "refusal", "refusal": "no"}], "no"),
        ({"content": [{"text": "deep"}]}, "deep"),
        ([{"type": "input_image", "image_url": "data:..."}], "[input_image]"),
        ({"a": 1}, '{"a":1}'),
        (3.5, "3.5"),
        (True, "true"),
        (["a", None, ["b"]], "a\nb"),
    ],
)
def test_text_of_any_content(content: Any, text: str) -> None:
    assert text_of(content) == text
