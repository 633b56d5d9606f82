"""Rows that were flattened into columns, put together again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.signals.wanted.nesting import nested


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"reference.answer": "7", "reference.calls": []}, {"reference": {"answer": "7", "calls": []}}),
        ({"scores/exact": 1, "scores/f1": 0.5}, {"scores": {"exact": 1, "f1": 0.5}}),
        ({"a.b.c": 1, "a.b.d": 2}, {"a": {"b": {"c": 1, "d": 2}}}),
        (
            {"a.b.c.d.step_1.given.seat": 1, "a.b.c.d.step_1.tool": 2},
            {"a": {"b": {"c": {"d": {"step_1": {"given": {"seat": 1}, "tool": 2}}}}}},
        ),
        ({"response.id": 1}, {"response.id": 1}),
        ({"v1.2": 5, "see a.b": 1}, {"v1.2": 5, "see a.b": 1}),
    ],
    ids=["points", "slashes", "deep", "deeper", "what is read elsewhere", "no path"],
)
def test_members_of_one_object_come_together(fields, expected):
    assert nested(fields) == expected


def test_a_name_that_clashes_stays_as_it_is():
    given_object = {"x": 1}
    fields = {"task": given_object, "task.id": 2, "a.b": 3, "a.b.c": 4}
    assert nested(fields) == {"task": {"x": 1}, "task.id": 2, "a": {"b": 3}, "a.b.c": 4}
    assert given_object == {"x": 1}


@given(st.dictionaries(st.text("ab./_", min_size=1, max_size=6), st.integers(), max_size=8))
def test_no_value_is_lost(fields):
    def leaves(value):
        return [leaf for inner in value.values() for leaf in leaves(inner)] if isinstance(value, dict) else [value]

    assert sorted(leaves(nested(fields))) == sorted(fields.values())


def test_rows_without_such_names_are_left_alone():
    fields = {"reward": 1.0, "answer": "7"}
    assert nested(fields) is fields
