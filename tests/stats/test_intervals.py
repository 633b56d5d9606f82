import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from blade.stats import clustered_standard_error, mean_interval, rate_interval, task_means
from blade.stats.intervals import effective_wilson, rate_statistics

from .runs import Counts, runs


def by_the_definition(successes: list[int], attempts: list[int]) -> tuple[float, float]:
    """The effective-sample Wilson interval word by word from its definition; statsmodels has Wilson, scipy.stats has t."""
    m = [c / n for c, n in zip(successes, attempts, strict=True)]
    tasks = len(m)
    p = math.fsum(m) / tasks
    k = tasks / math.fsum(1 / n for n in attempts)
    v = math.fsum((x - p) ** 2 for x in m) / tasks**2
    deff = k if p in (0, 1) else min(max(tasks * k * v / (p * (1 - p)), 1), k)
    rho = 1 if k == 1 else (deff - 1) / (k - 1)
    e = min(sum(x > 0 for x in m), sum(x < 1 for x in m))
    shrunken = (4 + e * rho) / (4 + e)
    size = tasks * k / (1 + (k - 1) * shrunken)
    t = scipy.stats.t.ppf(0.975, tasks - 1)
    low, high = proportion_confint(p * size, size, alpha=2 * scipy.stats.norm.sf(t), method="wilson")
    return float(low), float(high)


@given(run=runs(min_tasks=5))
def test_rate_interval_follows_its_definition(run: Counts) -> None:
    interval = rate_interval(*run)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(by_the_definition(*run), abs=1e-9)


@given(run=runs(min_tasks=2))
def test_rate_interval_holds_the_rate_and_stays_within_0_and_1(run: Counts) -> None:
    interval = rate_interval(*run)
    assert interval is not None
    rate = float(np.mean(task_means(*run)))
    assert 0 <= interval.low <= rate <= interval.high <= 1


@given(run=runs(min_tasks=2))
def test_rate_interval_mirrors_when_passes_and_failures_swap(run: Counts) -> None:
    there, back = rate_interval(*run), rate_interval([n - c for c, n in zip(*run, strict=True)], run[1])
    assert there is not None
    assert back is not None
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-12)


@given(run=runs(min_tasks=2), seed=st.integers(0, 1000))
def test_rate_interval_does_not_depend_on_the_order_of_the_tasks(run: Counts, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(run[0]))
    shuffled = rate_interval(np.array(run[0])[order], np.array(run[1])[order])
    straight = rate_interval(*run)
    assert shuffled is not None
    assert straight is not None
    assert (shuffled.low, shuffled.high) == pytest.approx((straight.low, straight.high), abs=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_one_repeat_is_wilson_on_the_tasks_with_t(level: float) -> None:
    t = scipy.stats.t.ppf((1 + level) / 2, 39)
    low, high = proportion_confint(13, 40, alpha=2 * scipy.stats.norm.sf(t), method="wilson")
    interval = rate_interval([1] * 13 + [0] * 27, [1] * 40, level)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert (interval.method, interval.approximate) == ("effective_wilson", False)


@pytest.mark.parametrize("repeats", [1, 4])
@pytest.mark.parametrize("tasks", [2, 3, 50])
def test_all_pass_and_all_fail_still_leave_doubt(tasks: int, repeats: int) -> None:
    """Repeats that agree everywhere count once: n* = T."""
    passing, failing = rate_interval([repeats] * tasks, [repeats] * tasks), rate_interval([0] * tasks, [repeats] * tasks)
    t = scipy.stats.t.ppf(0.975, tasks - 1)
    assert passing is not None
    assert failing is not None
    assert (passing.low, passing.high) == pytest.approx((tasks / (tasks + t**2), 1.0))
    assert (failing.low, failing.high) == pytest.approx((0.0, t**2 / (tasks + t**2)))


@pytest.mark.parametrize("run", [([3], [4]), ([], []), ([0, 2, 0], [0, 4, 0])])
def test_one_task_has_no_interval(run: Counts) -> None:
    assert rate_interval(*run) is None


def test_more_agreement_within_tasks_means_a_wider_interval() -> None:
    scattered, agreeing = rate_interval([2] * 40, [4] * 40), rate_interval([4] * 20 + [0] * 20, [4] * 40)
    assert scattered is not None
    assert agreeing is not None
    assert agreeing.high - agreeing.low > 1.5 * (scattered.high - scattered.low)


def test_many_runs_at_once_are_the_same_as_one_by_one() -> None:
    rng = np.random.default_rng(7)
    passed = rng.binomial(4, rng.beta(0.5, 0.5, (25, 30)))
    low, high = effective_wilson(rate_statistics(passed, np.full(30, 4)))
    alone = [rate_interval(row, np.full(30, 4)) for row in passed]
    assert [interval.low for interval in alone if interval] == pytest.approx(low.tolist(), abs=1e-14)
    assert [interval.high for interval in alone if interval] == pytest.approx(high.tolist(), abs=1e-14)


def test_a_million_tasks_agree_with_the_normal_interval() -> None:
    rng = np.random.default_rng(3)
    passed = rng.binomial(4, rng.beta(1.0, 2.0, 1_000_000))
    interval = rate_interval(passed, np.full(1_000_000, 4))
    means = passed / 4
    assert interval is not None
    half = 1.959964 * means.std() / 1_000
    assert (interval.low, interval.high) == pytest.approx((means.mean() - half, means.mean() + half), abs=1e-6)


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95])
@pytest.mark.parametrize("tasks", [10, 20, 50, 100, 200, 500])
def test_exact_coverage_of_one_repeat_meets_the_bounds(tasks: int, rate: float) -> None:
    """With one repeat the passes are binomial, so the coverage is a finite sum: no simulation needed."""
    passed = np.arange(tasks + 1)
    runs_by_passes = (np.arange(tasks) < passed[:, None]).astype(np.int64)
    low, high = effective_wilson(rate_statistics(runs_by_passes, np.ones(tasks, dtype=np.int64)))
    covered = scipy.stats.binom.pmf(passed, tasks, rate)[(low <= rate) & (rate <= high)].sum()
    assert covered >= 0.925
    if tasks >= 200 or (tasks >= 50 and rate in (0.3, 0.5)):
        assert covered <= 0.98


@given(means=st.lists(st.integers(-1000, 1000).map(lambda hundredths: hundredths / 100), min_size=2, max_size=80))
def test_mean_interval_is_students(means: list[float]) -> None:
    interval = mean_interval(means)
    assert interval is not None
    if len(set(means)) == 1:
        assert (interval.low, interval.high) == pytest.approx((means[0], means[0]))
        assert interval.approximate
        return
    low, high = scipy.stats.t.interval(0.95, len(means) - 1, loc=np.mean(means), scale=scipy.stats.sem(means))
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    assert interval.approximate == (len(means) < 50)
    assert interval.method == "student_t"


@pytest.mark.parametrize("means", [[], [0.4]])
def test_below_two_tasks_there_is_neither_error_nor_interval(means: list[float]) -> None:
    assert mean_interval(means) is None
    assert clustered_standard_error(means) is None


def test_clustered_standard_error_shows_no_spread_where_there_is_none() -> None:
    assert clustered_standard_error([0.1] * 7) == 0.0
    assert clustered_standard_error([0.0, 0.5, 1.0]) == pytest.approx(0.5 / math.sqrt(3))
