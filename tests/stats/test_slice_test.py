"""A slice against the rest, against scipy's permutation test."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.stats import ImpossibleCounts, slice_test


def every_deal(means: np.ndarray, inside: np.ndarray) -> float:
    def apart(chosen: tuple[int, ...]) -> float:
        mask = np.isin(np.arange(means.size), chosen)
        return abs(float(means[mask].mean() - means[~mask].mean()))

    seen = apart(tuple(np.flatnonzero(inside)))
    return float(np.mean([apart(deal) >= seen - 1e-9 for deal in combinations(range(means.size), int(inside.sum()))]))


def permuted(means: np.ndarray, inside: np.ndarray) -> float:
    found = scipy.stats.permutation_test(
        (means[inside], means[~inside]),
        lambda one, other, axis: np.abs(one.mean(axis=axis) - other.mean(axis=axis)),
        vectorized=True,
        n_resamples=4_000,
        alternative="greater",
        rng=np.random.default_rng(3),
    )
    return float(found.pvalue)


@settings(max_examples=25)
@given(quarters=st.lists(st.integers(0, 4), min_size=4, max_size=10), data=st.data())
def test_the_p_value_is_that_of_dealing_tasks_to_the_slice(quarters: list[int], data: st.DataObject) -> None:
    means = np.array(quarters) / 4
    inside = np.array(data.draw(st.lists(st.booleans(), min_size=means.size, max_size=means.size)))
    found = slice_test(means, inside)
    if inside.all() or not inside.any():
        assert found is None
        return
    assert found is not None
    assert (found.mean, found.rest) == pytest.approx((means[inside].mean(), means[~inside].mean()))
    expected = every_deal(means, inside)
    assert found.p_value == pytest.approx(expected, abs=5 * (expected * (1 - expected) / 9_999) ** 0.5 + 2e-4)


@pytest.mark.parametrize(
    ("tasks", "graded", "method"),
    [(200, True, "permutation"), (900, True, "permutation_normal"), (4_000, False, "permutation_normal")],
)
def test_other_sizes_agree_too(tasks: int, graded: bool, method: str) -> None:
    rng = np.random.default_rng(tasks)
    means = rng.random(tasks) if graded else rng.integers(0, 5, tasks) / 4
    inside = rng.random(tasks) < 0.3
    means = means + 0.03 * inside
    found = slice_test(means, inside)
    assert found is not None
    assert found.method == method
    assert found.p_value == pytest.approx(permuted(means, inside), abs=0.03)


def test_it_keeps_its_level() -> None:
    rng = np.random.default_rng(12)
    tests = [slice_test(rng.binomial(4, 0.3, 60) / 4, np.arange(60) < 12) for _ in range(400)]
    assert 0.02 <= np.mean([test.p_value <= 0.05 for test in tests if test]) <= 0.08


def test_tasks_that_all_score_the_same_show_nothing() -> None:
    found = slice_test([0.5] * 20, [True] * 8 + [False] * 12)
    assert found is not None
    assert found.p_value == 1.0


def test_masks_of_another_length_are_refused() -> None:
    with pytest.raises(ImpossibleCounts):
        slice_test([0.5, 1.0], [True])
