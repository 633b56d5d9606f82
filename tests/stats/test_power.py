from math import sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.stats import Benchmark, equivalence_chance, mcnemar_power, paired_effect, paired_power
from blade.stats.paired import added_tasks_interval
from blade.stats.power import difference_chances, formula_power, task_rates
from blade.stats.sign_flip import sign_flip_p_values

benchmarks = st.builds(Benchmark, st.floats(0.03, 0.97), st.floats(0.02, 0.98))


def simulated(of: Benchmark, tasks: int, repeats: int, gain: float, pairs: int = 4_000) -> np.ndarray:
    """Steps between two runs, task by task and rollout by rollout."""
    rng = np.random.default_rng(99)
    p = task_rates(of, (pairs, tasks), rng)
    q = p + gain / (1 - of.mean) * (1 - p)
    return (rng.random((repeats, pairs, tasks)) < q).sum(axis=0) - (rng.random((repeats, pairs, tasks)) < p).sum(axis=0)


@given(of=benchmarks, share=st.floats(0, 1), repeats=st.integers(1, 16))
def test_the_chances_of_each_step_have_the_moments_of_the_model(of: Benchmark, share: float, repeats: int) -> None:
    gain = share * of.room
    chances, steps = difference_chances(of, repeats, gain), np.arange(-repeats, repeats + 1) / repeats
    assert chances.sum() == pytest.approx(1)
    assert chances @ steps == pytest.approx(gain, abs=1e-7)
    assert sqrt(chances @ steps**2 - gain**2) == pytest.approx(of.sd_of_differences(gain, repeats), abs=1e-5)


@given(of=benchmarks, share=st.floats(0, 1))
def test_one_repeat_flips_by_the_same_chances(of: Benchmark, share: float) -> None:
    lost, _, gained = difference_chances(of, 1, share * of.room)
    assert of.flips(share * of.room) == pytest.approx((gained, lost), abs=1e-9)


def test_the_chances_are_those_of_drawn_tasks() -> None:
    of = Benchmark(0.3, 0.4)
    steps = simulated(of, 100_000, 4, 0.1, pairs=1)
    assert (np.bincount(steps[0] + 4, minlength=9) / 100_000).tolist() == pytest.approx(
        difference_chances(of, 4, 0.1).tolist(), abs=0.006
    )


@pytest.mark.parametrize(
    ("of", "tasks", "repeats", "gain"),
    [
        (Benchmark(0.5, 0.5), 20, 4, 0.2),
        (Benchmark(0.9, 0.7), 50, 8, 0.06),
        (Benchmark(0.05, 0.7), 100, 8, 0.02),
        (Benchmark(0.5, 0.3), 150, 4, 0.06),
        (Benchmark(0.3, 0.3), 60, 1, 0.2),
    ],
)
def test_the_power_it_promises_is_the_power_found(of: Benchmark, tasks: int, repeats: int, gain: float) -> None:
    steps = simulated(of, tasks, repeats, gain)
    low, _ = added_tasks_interval(steps / repeats, 1 / sqrt(repeats))
    found = (low > 0) & (sign_flip_p_values(steps) <= 0.05)
    assert found.mean() == pytest.approx(paired_power(of, tasks, repeats, gain), abs=0.04)


def test_formula_and_effect_are_each_others_inverse() -> None:
    of = Benchmark(0.5, 0.5)
    effect = paired_effect(of, 400, 4)
    assert effect is not None
    sd = of.sd_of_differences(effect, 4)
    reach = scipy.stats.t.ppf(0.975, 399) + scipy.stats.norm.ppf(0.8)
    assert effect == pytest.approx(reach * sd / 20 + 1 / 1_600, abs=2e-4)
    assert formula_power(sd, 400, 4, effect) == pytest.approx(0.8, abs=0.005)
    assert paired_power(of, 60, 1, 0.2) == mcnemar_power(60, *of.flips(0.2))


@settings(max_examples=25)
@given(of=benchmarks)
def test_a_loss_is_a_gain_of_failures(of: Benchmark) -> None:
    assert paired_power(of, 200, 2, -0.4 * of.mean) == paired_power(of.mirrored(), 200, 2, 0.4 * of.mean)
    assert paired_power(of, 200, 2, 0.0) == 0.0


@pytest.mark.parametrize("repeats", [1, 4])
def test_tasks_without_noise_and_tasks_without_difference(repeats: int) -> None:
    deterministic, alike = Benchmark(0.5, 1.0), Benchmark(0.5, 0.0)
    assert paired_power(deterministic, 50, repeats, 0.5) > 0.99
    assert 0.2 < paired_power(alike, 50, repeats, 0.15) <= 1.0
    assert paired_power(deterministic, 5, repeats, 0.5) == 0.0
    assert paired_effect(deterministic, 5, repeats) is None


def test_equivalence_at_two_points_is_rarely_reachable_with_200_tasks_of_4() -> None:
    of = Benchmark(0.5, 0.5)
    assert equivalence_chance(of, 200, 4, 0.02) == 0.0
    assert equivalence_chance(of, 100, 64, 0.02) == 0.0  # 3/margin tasks are needed
    steps = simulated(of, 1_000, 8, 0.0, 1_000)
    low, high = added_tasks_interval(steps / 8, 1.0)
    reached = (np.maximum(np.abs(low), np.abs(high)) <= 0.02).mean()
    assert equivalence_chance(of, 1_000, 8, 0.02) == pytest.approx(reached, abs=0.05)
    assert equivalence_chance(Benchmark(0.5, 1.0), 150, 4, 0.02) == 1.0
