import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.claims.values import difference, json_value

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(value=values)
def test_a_value_agrees_with_itself_and_with_its_json(value: Any) -> None:
    assert difference(value, value, 0.0) is None
    assert difference(json_value(value), value, 0.0) is None


@pytest.mark.parametrize(
    ("claimed", "found", "same"),
    [
        (1, 1.0, True),
        (0.1 + 0.2, 0.3, True),
        (0.42, 0.43, False),
        (1e12, 1e12 + 1, True),  # relative to what was found
        (math.nan, None, True),
        (math.inf, None, True),
        (0, None, False),
        (True, 1, False),
        ("0.5", 0.5, False),
        ("a", "a", True),
        ("a", "A", False),
        ([1, 2], [1, 2], True),
        ((1, 2), [1, 2], True),
        ([1, 2], [1, 2, 3], False),
        ({"a": [0.5, None]}, {"a": [0.5 + 1e-12, None]}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, [1], False),
    ],
)
def test_numbers_agree_within_the_tolerance_all_else_exactly(claimed: Any, found: Any, same: bool) -> None:
    assert (difference(claimed, found, 1e-9) is None) == same


def test_a_difference_says_where_it_is() -> None:
    claimed = {"value": 0.5, "ci": [0.4, 0.61]}
    assert difference(claimed, {"value": 0.5, "ci": [0.4, 0.6]}, 1e-9) == "value.ci[1]: 0.61 claimed, 0.6 found"
    assert difference(None, True, 0) == "value: null claimed, true found"


def test_numbers_of_numpy_are_numbers() -> None:
    assert json_value({"a": np.float64(0.5), "b": np.arange(2), "c": (np.int64(3), np.bool_(True))}) == {
        "a": 0.5,
        "b": [0, 1],
        "c": [3, True],
    }
