from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.stats import TaskMean, TooFewAttempts, pass_at_k, pass_hat_k

from .runs import Counts, runs


def every_choice(successes: list[int], attempts: list[int], k: int) -> tuple[float, float, int]:
    """pass@k and pass^k by listing every choice of k rollouts of every task that has k."""
    some: list[float] = []
    full: list[float] = []
    for c, n in zip(successes, attempts, strict=True):
        choices = list(combinations([1] * c + [0] * (n - c), k))
        if choices:
            some.append(sum(map(any, choices)) / len(choices))
            full.append(sum(map(all, choices)) / len(choices))
    return sum(some) / len(some), sum(full) / len(full), len(some)


@given(run=runs(), data=st.data())
def test_both_equal_the_mean_over_every_choice_of_k(run: Counts, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, max(run[1])))
    some, full, tasks = every_choice(*run, k)
    assert pass_at_k(*run, k).value == pytest.approx(some, abs=1e-12)
    assert pass_hat_k(*run, k).value == pytest.approx(full, abs=1e-12)
    assert pass_at_k(*run, k).tasks == pass_hat_k(*run, k).tasks == tasks


@given(run=runs(min_attempts=7, max_attempts=7), k=st.integers(1, 6))
def test_with_equal_repeats_more_attempts_help_any_and_hurt_all(run: Counts, k: int) -> None:
    at = [pass_at_k(*run, j).value for j in (k, k + 1)]
    hat = [pass_hat_k(*run, j).value for j in (k, k + 1)]
    assert at[0] <= at[1] + 1e-12
    assert hat[0] >= hat[1] - 1e-12
    assert hat[0] <= at[0] + 1e-12


@given(run=runs(), data=st.data())
def test_any_fails_is_not_all_pass(run: Counts, data: st.DataObject) -> None:
    """Swapping passes and failures turns pass@k into 1 - pass^k."""
    k = data.draw(st.integers(1, max(run[1])))
    failures = [n - c for c, n in zip(*run, strict=True)]
    assert pass_at_k(failures, run[1], k).value == pytest.approx(1 - pass_hat_k(*run, k).value, abs=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(5_000, 37, 100), (5_000, 4_990, 2_500), (3_000, 1_500, 1_500), (10_000, 1, 9_999)])
def test_thousands_of_repeats_are_exact(n: int, c: int, k: int) -> None:
    assert pass_at_k([c], [n], k).value == pytest.approx(float(1 - Fraction(comb(n - c, k), comb(n, k))), rel=1e-11)
    assert pass_hat_k([c], [n], k).value == pytest.approx(float(Fraction(comb(c, k), comb(n, k))), rel=1e-11)


def test_tasks_with_fewer_than_k_attempts_are_left_out_and_counted() -> None:
    result = pass_at_k([0, 4, 1], [1, 4, 4], 2)
    assert (result.value, result.tasks) == (0.75, 2)


@pytest.mark.parametrize("k", [-1, 0, 5])
@pytest.mark.parametrize("metric", [pass_at_k, pass_hat_k])
def test_k_beyond_the_attempts_is_refused_with_what_there_is(metric: Callable[..., TaskMean], k: int) -> None:
    with pytest.raises(TooFewAttempts, match="most any task has is 4") as refused:
        metric([1, 2], [3, 4], k)
    assert (refused.value.k, refused.value.most) == (k, 4)


def test_a_run_without_tasks_is_refused() -> None:
    with pytest.raises(TooFewAttempts):
        pass_at_k([], [], 1)
