from math import sqrt

import numpy as np
import pytest
import scipy.stats

from blade.stats import detectable_difference, detectable_difference_of_rates, mcnemar_power
from blade.stats.detectable_pair import mcnemar_effect


def test_it_follows_its_formula() -> None:
    d = np.random.default_rng(1).integers(-4, 5, 80) / 4
    reach = scipy.stats.t.ppf(0.975, 79) + scipy.stats.norm.ppf(0.8)
    found = detectable_difference(d, 4)
    assert found.value == pytest.approx(reach * d.std(ddof=1) / sqrt(80) + 1 / 320)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low < found.value < found.high
    assert found.method == "paired_t"


def test_repeats_take_the_formula_and_one_repeat_the_exact_test() -> None:
    a, b, n = np.array([0, 4, 2, 3] * 20), np.array([1, 4, 2, 2] * 20), np.full(80, 4)
    assert detectable_difference_of_rates(a, n, b, n) == detectable_difference((b - a) / 4, 4)
    once = detectable_difference_of_rates(a > 2, [1] * 80, b > 1, [1] * 80)
    assert once.method == "exact_mcnemar"


@pytest.mark.parametrize(("flipping", "tasks"), [(0.0, 30), (0.1, 100), (0.3, 100), (0.5, 40), (0.2, 1_000)])
def test_the_gain_it_names_has_80_percent_power(flipping: float, tasks: int) -> None:
    effect = mcnemar_effect(flipping, tasks)
    assert effect is not None
    flips = max(flipping, effect)
    assert mcnemar_power(tasks, (flips + effect) / 2, (flips - effect) / 2) == pytest.approx(0.8, abs=0.002)


def test_more_flips_hide_more() -> None:
    effects = [mcnemar_effect(share, 200) for share in (0.05, 0.2, 0.5)]
    assert effects == sorted(effects, key=lambda effect: effect or 0)


def test_the_range_of_one_repeat_comes_from_the_share_that_flipped() -> None:
    a, b = [0] * 12 + [1] * 8 + [1] * 80, [1] * 12 + [0] * 8 + [1] * 80
    found = detectable_difference_of_rates(a, [1] * 100, b, [1] * 100)
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(mcnemar_effect(0.2, 100))


def test_runs_that_agree_everywhere_promise_no_miracle() -> None:
    found = detectable_difference([0.0] * 50, 4)
    assert found.value == pytest.approx(6 / 200)
    assert found.high is not None
    assert found.high > 6 / 200


def test_a_wider_scale_stretches_it() -> None:
    d = np.random.default_rng(2).normal(0, 0.2, 60)
    plain, stretched = detectable_difference(d, 2), detectable_difference(10 * d, 2, span=10.0)
    assert plain.value is not None
    assert stretched.value == pytest.approx(10 * plain.value)


@pytest.mark.parametrize("tasks", [0, 1, 5])
def test_five_tasks_can_show_nothing(tasks: int) -> None:
    assert detectable_difference_of_rates([0] * tasks, [1] * tasks, [1] * tasks, [1] * tasks).method == "too_few_tasks"
