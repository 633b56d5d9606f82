"""Calls that stand in a message as the model wrote them."""

import pytest

from blade.signals.example import Example, call, says, tool
from blade.signals.machinery.unparsed import written_call
from tests.signals.support import steps

WRITTEN = [
    '<tool_call>\n{"name": "find", "arguments": {"at": {"row": 1}}}\n</tool_call>',
    '<|python_tag|>{"type": "function", "name": "find", "parameters": {"id": "A1"}}<|eom_id|>',
    '[TOOL_CALLS] [{"name": "find", "arguments": {}}]',
    '<function=find>{"id": 1}</function>',
    "<function=find>\n<parameter=id>\n1\n</parameter>\n</function>",
    '<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"id": "A1"}<|call|>',
    '<invoke name="find"><parameter name="id">1</parameter></invoke>',
]


@pytest.mark.parametrize("text", WRITTEN)
def test_calls_are_read_in_the_markup_of_many_models(text):
    found = written_call(f"Let me look.\n{text}")
    assert found is not None
    assert found["name"] == "find"
    assert steps("call_not_parsed", Example((says(text),), tools=(tool("find"),))) == [0]


@pytest.mark.parametrize(
    "example",
    [
        Example(
            (says('<tool_call>{"name": "find", "arguments": {</tool_call>'),), tools=(tool("find"),)
        ),  # malformed by the model
        Example((says(WRITTEN[0]),), tools=(tool("search"),)),  # no tool of this rollout
        Example((says(WRITTEN[0]),)),
        Example(
            (says(f"{WRITTEN[0]}\nThe tool says: found, so it is done."),), tools=(tool("find"),)
        ),  # an answer that was made up
        Example((says(WRITTEN[0]), says("Found it.")), tools=(tool("find"),)),
        Example((says(WRITTEN[0]), says(WRITTEN[0])), tools=(tool("find"),)),  # somebody read the first
        Example((says(WRITTEN[0]),), asked="Call tools as <tool_call>{...}</tool_call>.", tools=(tool("find"),)),
        Example((call("find", "ok", id="A1"), says("Done.")), tools=(tool("find"),)),
    ],
)
def test_what_says_nothing_of_the_server(example):
    assert steps("call_not_parsed", example) == []


BROKEN = '<tool_call>{"name": "edit", "arguments": {"edits": [{"old": "a"}}]}</tool_call>'


@pytest.mark.parametrize(
    ("code", "example", "expected"),
    [
        ("call_malformed", Example((says(BROKEN),), tools=(tool("edit"),)), [0]),
        (
            "call_malformed",
            Example((call("read", "text", path="a"), says(BROKEN))),
            [2],
        ),  # no tool is declared, and calls were made
        ("call_malformed", Example((says(BROKEN),)), []),
        ("call_malformed", Example((says(BROKEN),), tools=(tool("read"),)), []),
        ("call_malformed", Example((says(f"{BROKEN} That would do it."),), tools=(tool("edit"),)), []),
        (
            "call_malformed",
            Example((says(BROKEN),), tools=(tool("edit"),), response={"incomplete_details": {"reason": "length"}}),
            [],
        ),
        ("call_malformed", Example((says(WRITTEN[0]),), tools=(tool("find"),)), []),
        ("call_not_parsed", Example((call("read", "text", path="a"), says(WRITTEN[0]))), [2]),
        ("call_not_parsed", Example((says(BROKEN),), tools=(tool("edit"),)), []),
    ],
)
def test_a_call_that_cannot_be_read_is_the_models_own(code, example, expected):
    assert steps(code, example) == expected


@pytest.mark.parametrize(
    "mark", ["<tool_call>", '<tool_call>{"name":"a"', "<|python_tag|>{", '<invoke name="a">', "<function=a>"]
)
def test_hostile_repeats_are_read_in_bounded_time(mark):
    assert written_call(mark * 20_000) is None
