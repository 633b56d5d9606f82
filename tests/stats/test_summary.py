import numpy as np
import pytest
from hypothesis import given

from blade.stats import (
    ImpossibleCounts,
    best_reward_oracle,
    buckets,
    consistency,
    coverage,
    modal_repeats,
    oracle,
    pass_at_k,
    pass_hat_k,
    retry_value,
)

from .runs import Counts, runs

RUN = ([4, 2, 0, 0, 1], [4, 4, 4, 0, 1])


def test_buckets_of_a_small_run() -> None:
    sorted_tasks = buckets(*RUN)
    assert np.flatnonzero(sorted_tasks.always).tolist() == [0, 4]
    assert np.flatnonzero(sorted_tasks.sometimes).tolist() == [1]
    assert np.flatnonzero(sorted_tasks.never).tolist() == [2]
    assert np.flatnonzero(sorted_tasks.missing).tolist() == [3]


@given(run=runs(min_attempts=0))
def test_every_task_is_in_one_bucket(run: Counts) -> None:
    found = buckets(*run)
    together = np.stack([found.always, found.sometimes, found.never, found.missing])
    assert together.sum(axis=0).tolist() == [1] * len(run[0])


def test_figures_of_a_small_run() -> None:
    assert consistency(*RUN) == 2 / 4
    assert oracle(*RUN) == 3 / 4
    assert coverage(13, 16) == 13 / 16
    assert best_reward_oracle([0.5, 1.0, -1.0]) == pytest.approx(1 / 6)


def test_retry_value_speaks_of_the_tasks_with_k_rollouts() -> None:
    result = retry_value(*RUN)
    assert result is not None
    assert (result.k, result.tasks) == (4, 3)
    assert result.value == pytest.approx((1 + 1 + 0) / 3 - (1 + 0.5 + 0) / 3)


@given(run=runs(min_attempts=5, max_attempts=5))
def test_with_equal_repeats_they_are_the_ends_of_the_pass_curves(run: Counts) -> None:
    assert consistency(*run) == pytest.approx(pass_hat_k(*run, 5).value)
    assert oracle(*run) == pytest.approx(pass_at_k(*run, 5).value)
    result = retry_value(*run)
    assert result is not None
    assert result.value == pytest.approx(pass_at_k(*run, 5).value - pass_at_k(*run, 1).value)
    assert result.value >= -1e-12


@pytest.mark.parametrize(("attempts", "mode"), [([4, 4, 1], 4), ([3, 4, 4, 3], 3), ([0, 0, 0, 2], 2), ([0], None), ([], None)])
def test_modal_repeats(attempts: list[int], mode: int | None) -> None:
    assert modal_repeats(attempts) == mode


def test_one_repeat_has_nothing_to_retry() -> None:
    result = retry_value([1, 0], [1, 1])
    assert result is not None
    assert (result.value, result.k) == (0.0, 1)


def test_nothing_scored_is_unknown_not_zero() -> None:
    assert (consistency([0], [0]), oracle([0], [0]), retry_value([0], [0])) == (None, None, None)
    assert (coverage(0, 0), best_reward_oracle([])) == (None, None)
    assert coverage(0, 4) == 0.0


def test_more_scored_than_expected_is_refused() -> None:
    with pytest.raises(ImpossibleCounts):
        coverage(5, 4)
