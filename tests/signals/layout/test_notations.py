"""Calls as people write them down."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.signals.example import call, tool
from blade.signals.layout.notations import call_entries, noted_call
from tests.signals.layout.support import layout, row


def test_texts_that_nest_end_somewhere():
    assert noted_call("expect(" + "expect," * 560 + "x)") is None


def test_yaml_is_read_as_it_is_written():
    text = "- op: reserve\n  day: 2026-06-22\n  time: 14:30\n  flag: no\n  1: x\n  n: 5\n"
    assert list(call_entries(text)) == [{"op": "reserve", "day": "2026-06-22", "time": "14:30", "flag": "no", "1": "x", "n": 5}]


GIVEN = {"seat": "12A", "note": "two words", "n": 2}


@pytest.mark.parametrize(
    ("entry", "arguments"),
    [
        ('book(seat="12A", note="two words", n=2)', GIVEN),
        ('book {"seat": "12A", "note": "two words", "n": 2}', GIVEN),
        ('book: {"seat": "12A", "note": "two words", "n": 2}', GIVEN),
        ('book({seat: "12A", note: "two words", n: 2})', GIVEN),
        ('book --seat 12A --note "two words" --n 2', GIVEN),
        ("book --seat=12A --note 'two words' --n=2", GIVEN),
        ("book seat=12A, note=two words, n=2", GIVEN),
        ("book seat=12A note=two words n=2;", GIVEN),
        ("book(seat: 12A, note: two words, n: 2)", GIVEN),
        ('3. book(seat="12A")', {"seat": "12A"}),
        ("- book days=[1, 2] cron='5 */6 * * *'", {"days": [1, 2], "cron": "5 */6 * * *"}),
        ("book --vip", {"vip": True}),
        ('book note="meet at gate, row=3" n=2', {"note": "meet at gate, row=3", "n": 2}),
        ('book --note "a --b c"', {"note": "a --b c"}),
        ("book v=(1,2)", {"v": "(1,2)"}),
        (
            "book seat=..., path='C:\\dir', tags=['a', 'b'], ok=True",
            {"seat": "...", "path": "C:\\dir", "tags": ["a", "b"], "ok": True},
        ),
        (["book", "12A", 2], {"arg0": "12A", "arg1": 2}),
    ],
)
def test_notations(entry, arguments):
    read = noted_call(entry)
    assert read is not None
    assert (read.name, read.arguments) == ("book", arguments)


@pytest.mark.parametrize("entry", ["The answer is: 12", "Rome", "x + y = 4", "", ["Rome"], [1, 2], {"book": 1}, None])
def test_what_is_no_call(entry):
    assert noted_call(entry) is None


def test_lines_of_a_text_are_calls():
    assert len(list(call_entries('book(seat="1A")\n\nbook(seat="2A")\n'))) == 2
    assert list(call_entries('{"tool": "book", "args": {}}\n{"tool": "pay", "args": {}}')) == [
        {"tool": "book", "args": {}},
        {"tool": "pay", "args": {}},
    ]


@pytest.mark.parametrize(
    ("value", "calls"),
    [
        ({"2": "b", "1": "a", "3": "c"}, ["a", "b", "c"]),
        ({"step_0": "a", "step_1": "b"}, ["a", "b"]),
        ({"step_1": "a", "turn_2": "b"}, None),
        ({"1": "a", "3": "b"}, None),
        ({"2024": "a", "2025": "b"}, None),
        ({"tools": ["book", "pay"], "arguments": [{"seat": "1A"}]}, None),
        ({"tools": ["book"], "arguments": ["1A"]}, None),
    ],
)
def test_keys_that_count_and_lists_side_by_side(value, calls):
    assert list(call_entries(value)) == (calls or [value])


@given(st.text() | st.lists(st.text()) | st.recursive(st.none() | st.integers() | st.text(), st.lists))
def test_any_value_is_gone_through(value):
    for entry in call_entries(value):
        noted_call(entry)


def written(seat, number):
    return {
        "pair": [["book", {"seat": seat, "n": number}]],
        "by place": [["book", seat, number]],
        "options": [f"book --seat {seat} --n {number}"],
        "pairs": [f"book seat={seat} n={number}"],
        "object": [f'book: {{"seat": "{seat}", "n": {number}}}'],
        "lines": f"book(seat={seat!r}, n={number})\nbook(seat='0Z', n=1)",
        "side by side": {"with": [{"seat": seat, "n": number}], "fn": ["book"]},
        "side by side, as text": {"fn": ["book"], "with": [json.dumps({"seat": seat, "n": number})], "by": "hand"},
        "numbered": {"step_1": {"fn": "book", "with": {"seat": seat, "n": number}}},
        "json lines": json.dumps({"fn": "book", "with": {"seat": seat, "n": number}}),
    }


@pytest.mark.parametrize("notation", written("", 0))
def test_a_run_whose_expected_calls_are_written_so(notation):
    rows = []
    for task in range(6):
        seat = f"{task + 10}A"
        for repeat in range(2):
            items = call("book", "ok", seat=seat if not repeat else "99Z", n=task)
            items += call("book", "ok", seat="0Z", n=1) if notation == "lines" else []
            tools = (tool("book", seat="string", n="integer"),)
            rows.append(row(task, repeat, not repeat, *items, tools=tools, zeta=written(seat, task)[notation]))
    assert [field.path for field in layout(rows).calls] == [("zeta",)]
