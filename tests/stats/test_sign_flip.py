from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from blade.stats import mcnemar_p_value, sign_flip_rates, sign_flip_test
from blade.stats.sign_flip import p_values_from_counts, sign_flip_p_values

from .pairs import Pair, pairs, reordered, swapped


def by_listing(d: list[Fraction]) -> float:
    """Every one of the 2^T signings, in exact arithmetic."""
    away = abs(sum(d))
    sums = [abs(sum(sign * x for sign, x in zip(signs, d, strict=True))) for signs in product((-1, 1), repeat=len(d))]
    return sum(total >= away for total in sums) / len(sums)


def fractions(pair: Pair) -> list[Fraction]:
    return [Fraction(b, n_b) - Fraction(a, n_a) for a, n_a, b, n_b in zip(*pair, strict=True)]


@given(pair=pairs())
def test_it_is_the_share_of_signings_that_are_as_far_from_0(pair: Pair) -> None:
    exact = by_listing(fractions(pair))
    found = sign_flip_rates(*pair)
    assert found is not None
    assert found.p_value == pytest.approx(exact, abs=1e-9)
    assert found.method.startswith("exact")
    listed = sign_flip_test([float(x) for x in fractions(pair)])
    assert listed is not None
    assert listed.p_value == pytest.approx(exact, abs=1e-12)


@given(pair=pairs(max_tasks=30, max_attempts=8))
def test_it_knows_neither_the_order_of_the_tasks_nor_which_run_came_first(pair: Pair) -> None:
    results = [sign_flip_rates(*one) for one in (pair, swapped(pair), reordered(pair))]
    p_values = [result.p_value for result in results if result]
    assert p_values == pytest.approx([p_values[0]] * 3, abs=1e-9)
    assert 0 < p_values[0] <= 1


@given(pair=pairs(max_tasks=30))
def test_a_run_against_itself_has_p_1(pair: Pair) -> None:
    found = sign_flip_rates(pair[0], pair[1], pair[0], pair[1])
    assert found is not None
    assert found.p_value == 1.0


@given(gained=st.integers(0, 60), lost=st.integers(0, 60))
def test_one_repeat_is_the_exact_mcnemar_test(gained: int, lost: int) -> None:
    p = mcnemar_p_value(gained, lost)
    if gained + lost:
        assert p == pytest.approx(mcnemar([[5, gained], [lost, 5]], exact=True).pvalue, abs=1e-12)
        assert p == pytest.approx(scipy.stats.binomtest(gained, gained + lost).pvalue, rel=1e-9)
    passed_a, passed_b = [0] * gained + [1] * lost + [1], [1] * gained + [0] * lost + [1]
    found = sign_flip_rates(passed_a, [1] * len(passed_a), passed_b, [1] * len(passed_b))
    assert found is not None
    assert (found.p_value, found.method) == (p, "exact_mcnemar")
    steps = np.array(passed_b) - np.array(passed_a)
    assert sign_flip_p_values(steps[None])[0] == pytest.approx(p, abs=1e-11)


def test_many_pairs_at_once_are_the_same_as_one_by_one() -> None:
    steps = np.random.default_rng(1).integers(-8, 9, (40, 200))
    together = sign_flip_p_values(steps)
    assert together.tolist() == pytest.approx([float(sign_flip_p_values(row[None])[0]) for row in steps], abs=1e-12)
    sizes = np.arange(9)
    counts = np.array([np.bincount(np.abs(row), minlength=9) for row in steps], dtype=float)
    assert p_values_from_counts(sizes, counts, np.abs(steps.sum(axis=1))).tolist() == pytest.approx(together.tolist(), abs=1e-12)


def test_the_inversion_is_a_convolution_of_all_tasks() -> None:
    """500 tasks of 8 repeats, the distribution built task by task."""
    steps = np.random.default_rng(4).integers(-8, 9, 500)
    chances = np.ones(1)
    for size in np.abs(steps):
        one = np.zeros(2 * size + 1)
        one[0] += 0.5
        one[-1] += 0.5
        chances = np.convolve(chances, one)
    sums = np.arange(chances.size) - chances.size // 2
    exact = chances[np.abs(sums) >= abs(steps.sum())].sum()
    assert sign_flip_p_values(steps[None])[0] == pytest.approx(exact, abs=1e-12)


def test_ten_thousand_tasks_are_exact_and_near_the_normal() -> None:
    rng = np.random.default_rng(2)
    tried = np.full(10_000, 8)
    a, b = rng.binomial(8, 0.5, 10_000), rng.binomial(8, 0.503, 10_000)
    found = sign_flip_rates(a, tried, b, tried)
    assert found is not None
    assert found.method == "exact_sign_flip"
    z = abs(int((b - a).sum())) / np.sqrt(np.square(b - a).sum())
    assert found.p_value == pytest.approx(2 * scipy.stats.norm.sf(z), rel=0.02)


def test_all_tasks_one_way_is_as_certain_as_it_gets() -> None:
    found = sign_flip_rates([0] * 200, [4] * 200, [4] * 200, [4] * 200)
    assert found is not None
    assert 0 < found.p_value <= 1e-12


def test_rewards_off_the_lattice_are_drawn_and_agree_with_scipy() -> None:
    d = np.random.default_rng(7).normal(0.3, 1.0, 60)
    found = sign_flip_test(d)
    oracle = scipy.stats.permutation_test(
        (d,), np.sum, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(3)
    )
    assert found is not None
    assert found.method == "monte_carlo_sign_flip"
    assert found.p_value == pytest.approx(oracle.pvalue, abs=0.01)
    assert sign_flip_test(d[::-1]) == found
    mirrored = sign_flip_test(-d)
    assert mirrored == found


def test_few_distinct_sizes_are_drawn_together() -> None:
    d = np.repeat([0.1, -0.25, 1 / 3], [40, 25, 30])
    found, listed = sign_flip_test(d), sign_flip_p_values(np.rint(d * 60).astype(np.int64)[None])[0]
    assert found is not None
    assert found.p_value == pytest.approx(listed, abs=0.015)


def test_nothing_moved_and_nothing_there() -> None:
    still = sign_flip_test([0.0] * 30)
    assert still is not None
    assert still.p_value == 1.0
    assert sign_flip_test([]) is None
    assert sign_flip_rates([], [], [], []) is None
    assert sign_flip_rates([1], [1], [0], [0]) is None


def test_beyond_any_draw_the_sum_is_normal() -> None:
    d = np.random.default_rng(1).normal(0.01, 1, 25_000)
    found = sign_flip_test(d)
    assert found is not None
    assert found.method == "normal_sign_flip"
    assert found.p_value == pytest.approx(scipy.stats.ttest_1samp(d, 0).pvalue, abs=1e-3)
