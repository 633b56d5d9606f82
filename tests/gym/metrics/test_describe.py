"""Group statistics against the statistics module, group by group."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.metrics.describe import STATS, describe

VALUES = st.one_of(st.just(math.nan), st.integers(-1000, 1000).map(float), st.floats(-1e6, 1e6, allow_subnormal=False))
ROWS = st.lists(st.tuples(st.integers(0, 4), VALUES, VALUES), max_size=40)


def by_hand(column: list[float], rows: int, all_undefined: bool) -> dict[str, float]:
    known = [value for value in column if not math.isnan(value)]
    if not known:
        return {}
    found = {"mean": statistics.fmean(known), "max": max(known), "min": min(known), "median": statistics.median(known)}
    if len(known) > 1:
        found["std"] = statistics.stdev(known)
    elif all_undefined and len(known) == rows:
        found["std"] = 0.0
    return found


@given(ROWS)
def test_every_group_is_described_as_by_hand(rows: list[tuple[int, float, float]]) -> None:
    group = np.array([row[0] for row in rows], dtype=np.int64)
    columns = [np.array([row[number] for row in rows], dtype=np.float64) for number in (1, 2)]
    described = describe(columns, group, 5)
    for number in range(5):
        members = [row for row in rows if row[0] == number]
        spread = any(sum(not math.isnan(row[column]) for row in members) > 1 for column in (1, 2))
        for column in (1, 2):
            expected = by_hand([row[column] for row in members], len(members), not spread)
            found = {stat: described[number, position, column - 1] for position, stat in enumerate(STATS)}
            assert {stat for stat, value in found.items() if not math.isnan(value)} == set(expected)
            for stat, value in expected.items():
                assert found[stat] == pytest.approx(value, rel=1e-9, abs=1e-6 if stat == "std" else 1e-9)


def test_equal_values_have_no_spread() -> None:
    described = describe([np.full(7, 0.1)], np.zeros(7, dtype=np.int64), 1)
    assert described[0, :, 0].tolist() == [0.1, 0.1, 0.1, 0.1, 0.0]


def test_a_single_rollout_with_a_missing_field() -> None:
    described = describe([np.array([3.0]), np.array([math.nan])], np.zeros(1, dtype=np.int64), 1)
    assert described[0, 4, 0] == 0.0
    assert np.isnan(described[0, :, 1]).all()


def test_an_undefined_deviation_beside_a_defined_one_is_left_out() -> None:
    described = describe([np.array([1.0, 3.0]), np.array([5.0, math.nan])], np.zeros(2, dtype=np.int64), 1)
    assert described[0, 4, 0] == pytest.approx(math.sqrt(2))
    assert described[0, 0, 1] == 5.0
    assert math.isnan(described[0, 4, 1])
