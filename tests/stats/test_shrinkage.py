import numpy as np
import pytest
from hypothesis import given
from scipy.stats import betabinom

from blade.stats import rate_prior, within_variances
from blade.stats.shrinkage import CORRELATIONS

from .runs import Counts, runs


@given(run=runs(min_tasks=1))
def test_weights_are_the_fit_of_each_correlation(run: Counts) -> None:
    passed, tried = map(np.array, run)
    mean = ((passed / tried).sum() + 0.5) / (passed.size + 1)
    a, b = mean * (1 / CORRELATIONS - 1), (1 - mean) * (1 / CORRELATIONS - 1)
    logs = betabinom.logpmf(passed[:, None], tried[:, None], a, b).sum(axis=0)
    weights = np.exp(logs - logs.max())
    assert rate_prior(*run).weights.tolist() == pytest.approx((weights / weights.sum()).tolist(), abs=1e-9)


@pytest.mark.parametrize("correlation", [0.2, 0.5, 0.8])
def test_many_tasks_show_their_correlation(correlation: float) -> None:
    rng = np.random.default_rng(3)
    strength = 1 / correlation - 1
    passed = rng.binomial(4, rng.beta(0.6 * strength, 0.4 * strength, 3_000))
    assert rate_prior(passed, np.full(3_000, 4)).correlation == pytest.approx(correlation, abs=0.04)


@given(run=runs(min_tasks=1))
def test_no_task_is_taken_for_certain(run: Counts) -> None:
    variances = within_variances(*run)
    assert ((variances > 0) & (variances <= 0.25)).all()


def test_within_variances_are_right_on_average() -> None:
    rng = np.random.default_rng(4)
    p = rng.beta(0.5, 0.5, 5_000)
    passed = rng.binomial(4, p)
    found = within_variances(passed, np.full(5_000, 4))
    for count in range(5):
        assert found[passed == count].mean() == pytest.approx((p * (1 - p))[passed == count].mean(), abs=0.01)


def test_a_task_without_a_rollout_takes_what_the_others_show() -> None:
    variances = within_variances([2, 2, 0], [4, 4, 0])
    assert 0 < variances[2] < variances[0]
