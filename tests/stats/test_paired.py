import math
import tracemalloc

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from blade.stats import bootstrap_interval, equivalence_interval, pair_repeats, paired_interval, rate_differences
from blade.stats.errors import ImpossibleCounts
from blade.stats.paired import added_tasks_interval, interval_from_sums

from .pairs import Pair, pairs, reordered, swapped

hundredths = st.integers(-100, 100).map(lambda value: value / 100)


def by_the_definition(d: list[float], c: float) -> tuple[float, float]:
    """Student's interval, with variance over n, of the differences and the two added ones."""
    tasks, values = len(d), [*d, c, -c]
    n = len(values)
    mean = math.fsum(values) / n
    variance = math.fsum(x * x for x in values) / n - mean**2
    half = scipy.stats.t.ppf(0.975, tasks - 1) * math.sqrt(max(variance, 0) / n)
    return max(mean - half, -1.0), min(mean + half, 1.0)


@given(d=st.lists(hundredths, min_size=2, max_size=60), repeats=st.sampled_from([1.0, 1.7, 4.0, 8.0]))
def test_the_interval_follows_its_definition(d: list[float], repeats: float) -> None:
    interval, strict = paired_interval(d, repeats), equivalence_interval(d)
    assert interval is not None
    assert strict is not None
    assert (interval.low, interval.high) == pytest.approx(by_the_definition(d, 1 / math.sqrt(repeats)), abs=1e-9)
    assert (strict.low, strict.high) == pytest.approx(by_the_definition(d, 1.0), abs=1e-9)


@given(d=st.lists(hundredths, min_size=2, max_size=60), repeats=st.integers(1, 8))
def test_it_holds_the_mean_and_mirrors_with_the_runs(d: list[float], repeats: int) -> None:
    there, back = paired_interval(d, repeats), paired_interval([-x for x in d], repeats)
    assert there is not None
    assert back is not None
    assert there.low - 1e-12 <= np.mean(d) <= there.high + 1e-12
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-12)


@given(d=st.lists(hundredths, min_size=2, max_size=40), span=st.sampled_from([2.0, 10.0]))
def test_a_wider_scale_stretches_it(d: list[float], span: float) -> None:
    plain, stretched = paired_interval(d, 4), paired_interval([span * x for x in d], 4, span=span)
    assert plain is not None
    assert stretched is not None
    assert (stretched.low, stretched.high) == pytest.approx((span * plain.low, span * plain.high), abs=1e-9)


def test_many_pairs_at_once_are_the_same_as_one_by_one() -> None:
    d = np.random.default_rng(3).integers(-4, 5, (20, 30)) / 4
    low, high = added_tasks_interval(d, 0.5)
    alone = [paired_interval(row, 4) for row in d]
    assert [one.low for one in alone if one] == pytest.approx(low.tolist())
    assert [one.high for one in alone if one] == pytest.approx(high.tolist())
    sums = interval_from_sums(d.sum(axis=1), (d**2).sum(axis=1), 30, 0.5)
    assert sums[0].tolist() == pytest.approx(low.tolist())


@pytest.mark.parametrize("d", [[], [0.5]])
def test_one_task_tells_nothing_of_others(d: list[float]) -> None:
    assert paired_interval(d) is None
    assert equivalence_interval(d) is None
    assert bootstrap_interval(d) is None


@given(pair=pairs(equal=True, min_tasks=2))
def test_equal_repeats_are_their_own_mean(pair: Pair) -> None:
    assert pair_repeats(pair[1], pair[3]) == pytest.approx(pair[1][0])


def test_differences_are_of_tasks_that_both_runs_scored() -> None:
    d, tried_a, tried_b = rate_differences([1, 0, 2], [2, 0, 2], [4, 1, 0], [4, 1, 0])
    assert d.tolist() == [0.5]
    assert (tried_a.tolist(), tried_b.tolist()) == ([2], [4])
    with pytest.raises(ImpossibleCounts):
        rate_differences([1], [1], [1, 1], [1, 1])


@given(pair=pairs())
def test_differences_change_sign_with_the_runs(pair: Pair) -> None:
    assert rate_differences(*pair)[0].tolist() == pytest.approx((-rate_differences(*swapped(pair))[0]).tolist())
    assert rate_differences(*reordered(pair))[0].tolist() == rate_differences(*pair)[0].tolist()[::-1]


@pytest.mark.parametrize("tasks", [2, 7, 115, 401])
def test_the_bootstrap_makes_the_draws_of_one_call(tasks: int) -> None:
    d = np.random.default_rng(tasks).normal(size=tasks)
    drawn = np.random.default_rng(12345).integers(0, tasks, (10_000, tasks))
    interval = bootstrap_interval(d)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(np.percentile(d[drawn].mean(axis=1), [2.5, 97.5]).tolist(), abs=1e-12)


def test_the_bootstrap_of_a_long_run_is_quick_small_and_the_same() -> None:
    d = np.random.default_rng(1).integers(-4, 5, 100_000) / 4
    tracemalloc.start()
    interval = bootstrap_interval(d)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert interval is not None
    assert peak < 100e6
    half = 1.96 * d.std() / math.sqrt(100_000)
    assert (interval.low, interval.high) == pytest.approx((d.mean() - half, d.mean() + half), abs=half / 20)
