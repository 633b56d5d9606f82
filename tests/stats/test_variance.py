import numpy as np
import pandas
import pytest
from hypothesis import given
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from blade.stats import binary_variances, rate_variance_split, variance_split, within_variance

from .runs import Counts, runs


def outcomes(successes: list[int], attempts: list[int]) -> list[list[int]]:
    return [[1] * c + [0] * (n - c) for c, n in zip(successes, attempts, strict=True)]


@given(run=runs())
def test_binary_variances_are_the_sample_variances_of_the_outcomes(run: Counts) -> None:
    for variance, scores in zip(binary_variances(*run), outcomes(*run), strict=True):
        if len(scores) > 1:
            assert variance == pytest.approx(np.var(scores, ddof=1))
        else:
            assert np.isnan(variance)


@pytest.mark.parametrize("repeats", [2, 4, 8])
def test_equal_repeats_give_the_one_way_anova_split(repeats: int) -> None:
    """Mean squares of a fitted one-way model: within = MSW, between = (MSB - MSW)/K."""
    rng = np.random.default_rng(repeats)
    passed = rng.binomial(repeats, rng.beta(0.4, 0.6, 30))
    rows = [(task, score) for task, scores in enumerate(outcomes(passed.tolist(), [repeats] * 30)) for score in scores]
    table = anova_lm(ols("score ~ C(task)", pandas.DataFrame(rows, columns=["task", "score"])).fit())
    between_ms, within_ms = table["mean_sq"]
    split = rate_variance_split(passed, [repeats] * 30)
    assert split is not None
    assert split.within == pytest.approx(within_ms)
    assert split.between == pytest.approx((between_ms - within_ms) / repeats)
    assert split.icc == pytest.approx((between_ms - within_ms) / (between_ms + (repeats - 1) * within_ms))


def test_unequal_repeats_recover_the_truth() -> None:
    """Beta(1, 1) tasks: between 1/12, within 1/6, ICC 1/3, whatever the repeats are, as long as they do not follow the task."""
    rng = np.random.default_rng(11)
    tried = rng.integers(1, 9, 200_000)
    split = rate_variance_split(rng.binomial(tried, rng.random(200_000)), tried)
    assert split is not None
    assert (split.within, split.between, split.icc) == pytest.approx((1 / 6, 1 / 12, 1 / 3), abs=3e-3)


def test_rewards_split_like_passes() -> None:
    means, variances = [0.1, 0.6, 0.8], [0.02, float("nan"), 0.04]
    split = variance_split(means, variances, [4, 1, 4])
    assert split is not None
    assert split.within == pytest.approx(0.03)
    assert split.between == pytest.approx(np.var(means, ddof=1) - 0.03 * (1 / 4 + 1 + 1 / 4) / 3)


@given(run=runs(min_tasks=2, min_attempts=2))
def test_the_share_between_tasks_is_a_share(run: Counts) -> None:
    split = rate_variance_split(*run)
    assert split is not None
    assert split.icc is None or 0 <= split.icc <= 1


@pytest.mark.parametrize(
    ("run", "icc"),
    [
        (([4, 4, 0], [4, 4, 4]), 1.0),  # repeats always agree
        (([2, 2, 2], [4, 4, 4]), 0.0),  # tasks are alike
        (([4, 4, 4], [4, 4, 4]), None),  # nothing varies
    ],
)
def test_the_ends_of_the_scale(run: Counts, icc: float | None) -> None:
    split = rate_variance_split(*run)
    assert split is not None
    assert split.icc == icc


def test_equal_means_that_are_not_exact_in_binary_show_no_variance() -> None:
    split = variance_split([0.1] * 7, [0.0] * 7, [3] * 7)
    assert split is not None
    assert split.icc is None


@pytest.mark.parametrize("run", [([1, 0, 1], [1, 1, 1]), ([2], [4]), ([], [])])
def test_without_repeats_or_a_second_task_there_is_no_split(run: Counts) -> None:
    assert rate_variance_split(*run) is None
    assert within_variance(binary_variances([1, 0], [1, 1])) is None
