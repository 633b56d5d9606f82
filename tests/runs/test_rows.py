"""Rows through the scan that reads them: what is forgiven, what is counted as bad, and that no shape loses a field."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs.rows import BadRow, parse_leniently

from .support import facts, row, scan

GOOD = row(7, 1, 0.5, note="n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"{", "malformed"),
        (b'{"reward": 1,}', "malformed"),
        (b"reward: 1", "malformed"),
        (b"[1, 2]", "not_an_object"),
        (b"3", "not_an_object"),
        (b"null", "not_an_object"),
        (b"\0\0\0", "nul_bytes"),
        (b'{"a": ' + b"[" * 10_000, "too_deep"),
        (b'{"reward": 1} {"reward": 0}', "malformed"),
    ],
)
def test_a_line_that_holds_no_row_is_counted_with_its_place_and_the_rest_is_read(text: bytes, code: str) -> None:
    part = scan([GOOD, text, GOOD])
    assert (part.lines, part.malformed, part.blank) == (3, 1, 0)
    [problem] = part.problems
    assert (problem.code, problem.line, problem.offset) == (code, 2, len(json.dumps(GOOD)) + 1)
    assert len(facts(GOOD, text, GOOD)) == 2


@pytest.mark.parametrize(
    ("text", "reward", "oddities"),
    [
        (b'{"reward": NaN, "x": 1}', None, ["non_finite_number"]),
        (b'{"reward": 1, "x": Infinity}', 1.0, ["non_finite_number"]),
        (b'{"reward": 1, "x": "a\xffb"}', 1.0, ["invalid_utf8"]),
        (b'{"reward": 1, "\xff": 2}', 1.0, ["invalid_utf8"]),
        (b'{"reward": 1, "response": {"output": [{"type": "message", "content": "\xff"}]}}', 1.0, ["invalid_utf8"]),
        (b'{"reward": 1, "x": "a\tb"}', 1.0, []),
        (b'{"reward": 1}\r', 1.0, []),
        (b'{"reward": 1}\0\0', 1.0, []),
        (b'{"reward": 1, "reward": 0}', 0.0, []),
        (b'{"reward": 1, "x": "\\ud800"}', 1.0, []),
        (b'{"reward": 1, "x": 123456789012345678901234567890}', 1.0, []),
    ],
)
def test_odd_rows_are_read_and_what_was_odd_is_said(text: bytes, reward: float | None, oddities: list[str]) -> None:
    part = scan([text])
    assert [problem.code for problem in part.problems] == oddities
    assert part.malformed == 0
    assert [found["reward"] for found in facts(text)] == [reward]


@pytest.mark.parametrize(
    "name", ["note", "ground_truth", "agent_ref", "_ng_failure_class", "response", "responses_create_params", "task_id", "reward"]
)
@pytest.mark.parametrize(
    "value", [b"1e400", b"-1e999", b'"\\ud800"', b"[1e400]", b'{"a": 1e400, "output": [], "input": "x"}', b'{"b": "\\udfff"}']
)
def test_a_value_that_no_decoder_takes_costs_no_row_wherever_it_stands(name: str, value: bytes) -> None:
    part = scan([b'{"%s": %s, "other": 5}' % (name.encode(), value)])
    assert (part.lines, part.malformed) == (1, 0)
    assert part.table is not None


def test_a_bom_belongs_to_the_file_and_not_to_its_first_row() -> None:
    part = scan([b'\xef\xbb\xbf{"reward": 1, "task_id": "a"}'])
    assert (part.malformed, part.problems) == (0, [])
    assert facts(b'\xef\xbb\xbf{"reward": 1, "task_id": "a"}')[0]["own:task_id"] == "a"


names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=5).filter(
    lambda name: name not in ("messages", "reward", "id")
)
scalars = st.one_of(
    st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
)


@settings(max_examples=30)
@given(rows=st.lists(st.dictionaries(names, values, max_size=5), min_size=1, max_size=4))
def test_every_scalar_field_of_every_row_becomes_a_fact_whatever_rows_came_before(rows: list[dict[str, Any]]) -> None:
    found = facts(*({"reward": 1.0} | fields for fields in rows))
    assert [made["reward"] for made in found] == [1.0] * len(rows)
    for fields, made in zip(rows, found, strict=True):
        for name, value in fields.items():
            found_value = made[f"own:{name}"] if isinstance(value, bool | int | float | str) else None
            if isinstance(value, bool):
                assert str(found_value).lower() == str(value).lower()
            elif isinstance(value, int | float):
                assert float(found_value) == float(value)
            elif isinstance(value, str) and value:
                assert isinstance(found_value, str)


@given(value=st.recursive(st.none() | scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_the_lenient_reader_reads_what_the_strict_one_reads(value: Any) -> None:
    oddities: list[str] = []
    assert parse_leniently(json.dumps(value).encode(), oddities) == value
    assert oddities == []


@pytest.mark.parametrize(
    ("text", "value", "oddities"),
    [
        (b"[NaN, -Infinity, Infinity]", [None, None, None], ["non_finite_number"]),
        (b"[1e999]", [None], ["non_finite_number"]),
        (b'"\xff\xfe"', "\ufffd\ufffd", ["invalid_utf8"]),
        (b"9" * 400, None, ["non_finite_number"]),
        (b"9" * 305, float("9" * 305), []),
        (b'\xef\xbb\xbf "x" \0', "x", []),
    ],
)
def test_what_the_lenient_reader_forgives(text: bytes, value: Any, oddities: list[str]) -> None:
    found: list[str] = []
    assert parse_leniently(text, found) == value
    assert found == oddities


@given(text=st.binary(max_size=40))
def test_no_bytes_raise_anything_but_a_bad_row(text: bytes) -> None:
    text = text.replace(b"\n", b"")
    with suppress(BadRow):
        parse_leniently(text, [])
    part = scan([text])
    assert part.lines == 1
    assert part.blank + part.malformed + len(facts(text)) == 1
