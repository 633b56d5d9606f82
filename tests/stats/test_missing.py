from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.stats import ImpossibleCounts, missing_rows, task_means

from .runs import Counts, runs


def test_three_numbers_of_a_small_run() -> None:
    """Tasks: 2 of 4 passed; 1 of 2 passed with two missing; all three missing."""
    result = missing_rows([2, 1, 0], [4, 2, 0], [4, 4, 3])
    assert result.completed_only == pytest.approx((0.5 + 0.5) / 2)
    assert result.missing_as_failed == pytest.approx((0.5 + 0.25 + 0) / 3)
    assert result.bounds == pytest.approx(((0.5 + 0.25 + 0) / 3, (0.5 + 0.75 + 1) / 3))


@given(run=runs(max_tasks=4, max_attempts=3), data=st.data())
def test_bounds_are_the_extremes_over_every_way_the_missing_could_have_ended(run: Counts, data: st.DataObject) -> None:
    gone = [data.draw(st.integers(0, 2)) for _ in run[0]]
    expected = [n + g for n, g in zip(run[1], gone, strict=True)]
    ways = [
        sum((c + more) / e for c, more, e in zip(run[0], ending, expected, strict=True)) / len(expected)
        for ending in product(*(range(g + 1) for g in gone))
    ]
    result = missing_rows(run[0], run[1], expected)
    assert result.bounds == pytest.approx((min(ways), max(ways)))
    assert result.missing_as_failed == pytest.approx(min(ways))


@given(run=runs(), data=st.data())
def test_the_booked_score_lies_within_the_bounds(run: Counts, data: st.DataObject) -> None:
    expected = [n + data.draw(st.integers(0, 3)) for n in run[1]] + [2]
    result = missing_rows([*run[0], 0], [*run[1], 0], expected)
    assert result.completed_only == pytest.approx(float(task_means(*run).mean()))
    assert result.bounds is not None
    assert result.completed_only is not None
    assert result.bounds[0] - 1e-12 <= result.completed_only <= result.bounds[1] + 1e-12


@given(run=runs())
def test_with_nothing_missing_the_numbers_agree(run: Counts) -> None:
    result = missing_rows(*run, run[1])
    assert result.bounds == (result.missing_as_failed, result.missing_as_failed)
    assert result.missing_as_failed == pytest.approx(result.completed_only)


def test_rewards_on_another_scale_fail_with_its_worst() -> None:
    result = missing_rows([0.5], [1], [2], worst=-1.0, best=3.0)
    assert (result.missing_as_failed, result.completed_only, result.bounds) == (-0.25, 0.5, (-0.25, 1.75))


def test_where_there_is_nothing_to_average() -> None:
    all_missing = missing_rows([0], [0], [4])
    assert (all_missing.completed_only, all_missing.bounds) == (None, (0.0, 1.0))
    empty = missing_rows([], [], [])
    assert (empty.missing_as_failed, empty.completed_only, empty.bounds) == (None, None, None)


def test_more_scored_than_expected_is_refused() -> None:
    with pytest.raises(ImpossibleCounts, match="more scored rollouts than expected"):
        missing_rows([1], [3], [2])
    with pytest.raises(ImpossibleCounts):
        missing_rows([1, 1], [3], [3])
