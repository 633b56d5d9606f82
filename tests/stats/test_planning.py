from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.stats import Benchmark, benchmark_like, options, paired_power, tasks_needed, within_variances
from blade.stats.planning import greedy_allocation


@given(
    variances=st.lists(st.floats(0.01, 0.25), min_size=1, max_size=4),
    tried=st.lists(st.integers(1, 4), min_size=4, max_size=4),
    rollouts=st.integers(0, 5),
)
def test_greedy_is_as_good_as_every_other_way(variances: list[float], tried: list[int], rollouts: int) -> None:
    v, n = np.array(variances), np.array(tried[: len(variances)])
    extra = greedy_allocation(v, n, rollouts)
    ways = (np.array(way) for way in product(range(rollouts + 1), repeat=v.size) if sum(way) == rollouts)
    assert extra.sum() == rollouts
    assert (v / (n + extra)).sum() == pytest.approx(min((v / (n + way)).sum() for way in ways))


def test_rollouts_go_where_the_doubt_is() -> None:
    passed, tried = np.array([2, 4, 0, 0, 3]), np.array([4, 4, 4, 0, 4])
    extra = greedy_allocation(within_variances(passed, tried), tried, 3)
    assert extra[3] >= 1
    assert extra[0] >= extra[1]
    assert extra[1] == extra[2] == 0


def test_no_task_needs_nothing() -> None:
    assert greedy_allocation(np.zeros(0), [], 10).size == 0


@pytest.mark.parametrize(("of", "target", "repeats"), [(Benchmark(0.5, 0.5), 0.05, 4), (Benchmark(0.9, 0.7), 0.05, 1)])
def test_the_tasks_it_asks_for_are_enough_and_hardly_more(of: Benchmark, target: float, repeats: int) -> None:
    needed = tasks_needed(of, target, repeats)
    noisier = of if of.mean <= 0.5 else of.mirrored()
    assert needed is not None
    assert paired_power(noisier, needed, repeats, target) >= 0.8
    assert paired_power(noisier, int(0.93 * needed), repeats, target) < 0.8


def test_options_are_sorted_by_what_they_cost_and_say_what_they_find() -> None:
    found = options(Benchmark(0.5, 0.4), 0.05, 100, repeats=(1, 4))
    assert [one.rollouts for one in found] == sorted(one.rollouts for one in found)
    assert {one.tasks for one in found if one.repeats == 4} >= {100}
    assert not next(one for one in found if (one.tasks, one.repeats) == (100, 1)).finds(0.05)
    assert all(one.finds(0.05) for one in found if one.tasks != 100)


def test_more_repeats_cannot_find_what_the_scale_does_not_hold() -> None:
    assert tasks_needed(Benchmark(0.02, 0.5), 0.99, 4) is None


def test_a_run_tells_what_its_benchmark_is_like() -> None:
    rng = np.random.default_rng(2)
    of = benchmark_like(rng.binomial(4, rng.beta(0.7, 0.3, 2_000)), np.full(2_000, 4))
    assert (of.mean, of.correlation) == pytest.approx((0.7, 0.5), abs=0.04)
    assert benchmark_like([1, 0] * 20, [1] * 40).correlation == pytest.approx(0.5, abs=0.01)  # nothing to see it by
