import numpy as np
import pytest

from blade.stats import ImpossibleCounts, rate_interval
from blade.stats.counts import scored_counts, task_counts


@pytest.mark.parametrize(
    ("successes", "attempts"),
    [
        ([2], [1]),  # more passes than attempts
        ([-1], [1]),
        ([0.5], [1]),
        ([float("nan")], [1]),
        ([1.0], [float("inf")]),
        ([1, 1], [1]),  # lengths differ
        (["1"], [1]),
    ],
)
def test_counts_that_no_run_can_have_are_refused(successes: list[float], attempts: list[float]) -> None:
    with pytest.raises(ImpossibleCounts):
        task_counts(successes, attempts)


def test_sums_that_a_database_returns_as_floats_are_counts() -> None:
    passed, tried = task_counts(np.array([1.0, 2.0]), np.array([2, 2], dtype=np.uint8))
    assert passed.tolist() == [1, 2]
    assert passed.dtype == tried.dtype == np.int64


def test_tasks_without_a_scored_rollout_are_left_out() -> None:
    passed, tried = scored_counts([1, 0, 3], [2, 0, 4])
    assert (passed.tolist(), tried.tolist()) == ([1, 3], [2, 4])
    assert rate_interval([1, 0, 3], [2, 0, 4]) == rate_interval([1, 3], [2, 4])
