from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.config.merge import deep_merge, dotted, leaves, reach, split_path

LEAVES = st.integers() | st.text(max_size=3) | st.none() | st.lists(st.integers(), max_size=2)
TREES = st.recursive(
    st.dictionaries(st.sampled_from("abc"), LEAVES, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner | LEAVES, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("under", "over", "merged"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, {"a": {"x": 1, "y": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"x": 1}}, {"a": None}, {"a": None}),
        ({"a": 1}, {"a": {"x": 1}}, {"a": {"x": 1}}),
    ],
)
def test_mappings_are_merged_and_the_rest_replaced(under: Any, over: Any, merged: Any) -> None:
    assert deep_merge(under, over) == merged


@given(TREES)
def test_nothing_over_a_tree_or_a_tree_over_itself_is_the_tree(tree: Any) -> None:
    assert deep_merge(tree, {}) == tree
    assert deep_merge({}, tree) == tree
    assert deep_merge(tree, tree) == tree


@given(TREES, TREES, TREES)
def test_mappings_merge_in_any_grouping(first: Any, second: Any, third: Any) -> None:
    def kinds_agree(one: Any, other: Any) -> bool:
        return all(
            isinstance(one[key], dict) == isinstance(other[key], dict)
            and (not isinstance(one[key], dict) or kinds_agree(one[key], other[key]))
            for key in set(one) & set(other)
        )

    if kinds_agree(first, second) and kinds_agree(second, third) and kinds_agree(first, third):
        assert deep_merge(deep_merge(first, second), third) == deep_merge(first, deep_merge(second, third))


@given(TREES, TREES)
def test_the_upper_leaves_win_and_the_arguments_stay(under: Any, over: Any) -> None:
    before = repr(under), repr(over)
    merged = deep_merge(under, over)
    assert (repr(under), repr(over)) == before
    for path, value in leaves(over):
        if path and value != {}:
            assert reach(merged, tuple(map(str, path))) == value
    for key, value in merged.items():
        if isinstance(value, dict | list):
            assert value is not under.get(key)
            assert value is not over.get(key)


def test_paths_are_written_and_read() -> None:
    assert dotted(("a", 0, "b")) == "a[0].b"
    assert split_path("a[0].b") == ("a", "0", "b")
