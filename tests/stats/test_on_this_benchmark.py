from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import given

from blade.stats import OnThisBenchmark, means_on_this_benchmark, rates_on_this_benchmark

from .pairs import Pair, pairs, reordered, swapped


def by_dealing(pair: Pair) -> float:
    """Every way to deal the rollouts of each task between the two runs."""
    deals = []
    for a, n_a, b, n_b in zip(*pair, strict=True):
        pooled = [1] * (a + b) + [0] * (n_a + n_b - a - b)
        chosen = [sum(pooled[i] for i in places) for places in combinations(range(n_a + n_b), n_b)]
        deals.append([x / n_b - (a + b - x) / n_a for x in chosen])
    away = abs(sum(b / n_b - a / n_a for a, n_a, b, n_b in zip(*pair, strict=True)))
    sums = [abs(sum(one)) for one in product(*deals)]
    return sum(total >= away - 1e-9 for total in sums) / len(sums)


@given(pair=pairs(min_tasks=2, max_tasks=3, max_attempts=3))
def test_the_test_deals_the_rollouts_of_each_task_anew(pair: Pair) -> None:
    found = rates_on_this_benchmark(*pair)
    if found is None:
        assert min(sum(n >= 2 for n in attempts) for attempts in (pair[1], pair[3])) < 2
        return
    assert found.p_value == pytest.approx(by_dealing(pair), abs=1e-9 if found.test == "exact" else 0.025)
    assert 0 < found.p_value <= 1


@given(pair=pairs(min_tasks=2, max_tasks=12))
def test_it_mirrors_with_the_runs_and_does_not_know_the_order(pair: Pair) -> None:
    there, back, turned = (rates_on_this_benchmark(*one) for one in (pair, swapped(pair), reordered(pair)))
    if there is None or back is None or turned is None:
        assert there == back == turned
        return
    assert (there.interval.low, there.interval.high) == pytest.approx((-back.interval.high, -back.interval.low))
    assert there.p_value == pytest.approx(back.p_value, abs=0.03)
    assert turned.p_value == pytest.approx(there.p_value, abs=1e-12)


def test_the_interval_knows_only_the_noise_within_tasks() -> None:
    a, b, n = np.array([1, 3, 0, 4] * 10), np.array([2, 2, 0, 4] * 10), np.full(40, 4)
    noise = sum(np.var([1] * x + [0] * (4 - x), ddof=1) / 4 for x in (*a, *b)) + 2 / 4
    half = scipy.stats.t.ppf(0.975, 39) * sqrt(noise) / 42
    found = rates_on_this_benchmark(a, n, b, n)
    assert found is not None
    centre = (b - a).sum() / 4 / 42
    assert (found.interval.low, found.interval.high) == pytest.approx((centre - half, centre + half))


def test_tasks_that_moved_apart_for_good_are_certain_here_and_doubtful_elsewhere() -> None:
    """Half the tasks went from never to always, nearly half the other way: on this very set the change is beyond noise."""
    a, b, n = [0] * 20 + [8] * 14, [8] * 20 + [0] * 14, [8] * 34
    found = rates_on_this_benchmark(a, n, b, n)
    assert found is not None
    assert found.p_value < 0.001
    assert found.interval.low > 0


@pytest.mark.parametrize("tasks", [40, 300])
def test_unequal_repeats_are_drawn_or_normal_with_the_right_variance(tasks: int) -> None:
    rng = np.random.default_rng(5)
    n_a, n_b = rng.integers(2, 6, tasks), rng.integers(2, 6, tasks)
    p = rng.beta(1, 1, tasks)
    a, b = rng.binomial(n_a, p), rng.binomial(n_b, p)
    found = rates_on_this_benchmark(a, n_a, b, n_b)
    dealt = rng.hypergeometric(a + b, n_a + n_b - a - b, n_b, (20_000, tasks))
    sums = (dealt / n_b - (a + b - dealt) / n_a).sum(axis=1)
    oracle = np.mean(np.abs(sums) >= abs((b / n_b - a / n_a).sum()) - 1e-9)
    assert found is not None
    assert found.test == ("monte_carlo" if tasks == 40 else "normal")
    assert found.p_value == pytest.approx(oracle, abs=0.015)


def test_rewards_have_the_figures_of_passes() -> None:
    rng = np.random.default_rng(6)
    n = np.full(400, 4)
    a, b = rng.binomial(4, 0.5, 400), rng.binomial(4, 0.53, 400)
    means = a / 4, b / 4
    variances = tuple(m * (1 - m) * 4 / 3 for m in means)
    rates, rewards = rates_on_this_benchmark(a, n, b, n), means_on_this_benchmark(means, (variances[0], variances[1]), (n, n))
    assert rates is not None
    assert rewards is not None
    assert (rates.interval.low, rates.interval.high) == pytest.approx((rewards.interval.low, rewards.interval.high))
    assert rates.p_value == pytest.approx(rewards.p_value, abs=0.03)


@pytest.mark.parametrize("pair", [([1, 0], [1, 1], [1, 1], [1, 1]), ([], [], [], []), ([2], [4], [3], [4])])
def test_without_repeats_nothing_is_said(pair: Pair) -> None:
    assert rates_on_this_benchmark(*pair) is None


Rewards = list[list[float]]


def rewards_here(a: Rewards, b: Rewards) -> OnThisBenchmark:
    means = [np.array([np.mean(task) for task in run]) for run in (a, b)]
    variances = [np.array([np.var(task, ddof=1) if len(task) > 1 else np.nan for task in run]) for run in (a, b)]
    sizes = [[len(task) for task in run] for run in (a, b)]
    found = means_on_this_benchmark((means[0], means[1]), (variances[0], variances[1]), (sizes[0], sizes[1]), 10.0, (a, b))
    assert found is not None
    return found


def by_dealing_rewards(a: Rewards, b: Rewards) -> float:
    deals = []
    for of_a, of_b in zip(a, b, strict=True):
        pooled = of_a + of_b
        ways = [set(places) for places in combinations(range(len(pooled)), len(of_b))]
        deals.append(
            [
                sum(pooled[i] for i in way) / len(of_b) - sum(pooled[i] for i in range(len(pooled)) if i not in way) / len(of_a)
                for way in ways
            ]
        )
    away = abs(sum(sum(of_b) / len(of_b) - sum(of_a) / len(of_a) for of_a, of_b in zip(a, b, strict=True)))
    sums = [abs(sum(one)) for one in product(*deals)]
    return sum(total >= away - 1e-9 for total in sums) / len(sums)


@pytest.mark.parametrize(
    ("a", "b", "p_value"),
    [
        (
            [[0.1, 0.2], [1.0, 1.5]],
            [[0.4, 0.9], [3.0, 2.0]],
            2 / 36,
        ),  # B is above A throughout: 1 of 6 ways in each task, and its mirror
        ([[0.1, 0.9], [1.0, 3.0]], [[0.4, 0.2], [2.0, 1.5]], None),
        ([[0.1, 0.9, 0.3], [1.0, 3.0]], [[0.4, 0.2], [2.0, 9.5, 4.0]], None),  # unequal repeats
        ([[5.0, 5.0], [2.0, 2.0]], [[5.0, 5.0], [2.0, 2.0]], 1.0),
        ([[1e150, 0.0], [1e150, 0.0]], [[0.0, 0.0], [1e150, 1e150]], None),
    ],
)
def test_rewards_are_dealt_anew_within_tasks(a: Rewards, b: Rewards, p_value: float | None) -> None:
    found = rewards_here(a, b)
    assert found.test == "exact"
    assert found.p_value == pytest.approx(by_dealing_rewards(a, b) if p_value is None else p_value)


def drawn(tasks: int, repeats: int, seed: int = 7) -> tuple[Rewards, Rewards]:
    rng = np.random.default_rng(seed)
    level = rng.normal(0, 3, tasks)
    return tuple((rng.exponential(1, (tasks, repeats)) + level[:, None] + shift).tolist() for shift in (0.0, 0.15))  # type: ignore[return-value]


def test_many_ways_to_deal_are_drawn_and_the_order_of_rows_and_tasks_is_nothing() -> None:
    a, b = drawn(30, 4)
    found = rewards_here(a, b)
    rng = np.random.default_rng(1)
    pooled = np.concatenate((a, b), axis=1)
    sums = [abs((rng.permuted(pooled, axis=1) * np.repeat([-1, 1], 4)).sum()) for _ in range(20_000)]
    oracle = np.mean(np.array(sums) >= abs((pooled * np.repeat([-1, 1], 4)).sum()) - 1e-9)
    assert found.test == "monte_carlo"
    assert found.p_value == pytest.approx(oracle, abs=0.015)
    turned = rewards_here([task[::-1] for task in reversed(a)], [task[::-1] for task in reversed(b)])
    assert turned.p_value == found.p_value


@pytest.mark.parametrize(("tasks", "repeats"), [(600, 2), (40, 60)])
def test_more_rewards_than_can_be_dealt_are_taken_as_normal(tasks: int, repeats: int) -> None:
    assert rewards_here(*drawn(tasks, repeats)).test == "normal"
