from math import sqrt

import numpy as np
import pytest
import scipy.stats

from blade.stats import detectable_mean, detectable_rate, mcnemar_power, minimum_detectable_effect
from blade.stats.errors import ImpossibleCounts


def power_by_listing(tasks: int, gained: float, lost: float) -> float:
    """Every outcome (gains, losses) with its multinomial chance and its exact p-value."""
    found = 0.0
    for gains in range(tasks + 1):
        for losses in range(tasks + 1 - gains):
            if gains > losses and scipy.stats.binomtest(losses, gains + losses).pvalue <= 0.05:
                counts = [gains, losses, tasks - gains - losses]
                found += scipy.stats.multinomial.pmf(counts, tasks, [gained, lost, 1 - gained - lost])
    return found


@pytest.mark.parametrize(
    ("tasks", "gained", "lost"), [(5, 0.9, 0.0), (6, 0.9, 0.0), (12, 0.5, 0.1), (20, 0.4, 0.05), (30, 0.6, 0.4)]
)
def test_mcnemar_power_is_the_sum_over_every_outcome(tasks: int, gained: float, lost: float) -> None:
    assert mcnemar_power(tasks, gained, lost) == pytest.approx(power_by_listing(tasks, gained, lost), abs=1e-9)


def test_mcnemar_power_of_many_tasks_nears_the_normal_one() -> None:
    gained, lost, tasks = 0.12, 0.10, 20_000
    shift = sqrt(tasks) * (gained - lost)
    spread = sqrt(gained + lost - (gained - lost) ** 2)
    normal = scipy.stats.norm.sf((1.96 * sqrt(gained + lost) - shift) / spread)
    assert mcnemar_power(tasks, gained, lost) == pytest.approx(normal, abs=5e-3)


def test_mcnemar_power_knows_its_edges() -> None:
    assert mcnemar_power(100, 0.0, 0.0) == 0.0
    assert mcnemar_power(5, 1.0, 0.0) == 0.0  # five flips of five: p = .0625
    assert mcnemar_power(6, 1.0, 0.0) == pytest.approx(1.0)
    with pytest.raises(ImpossibleCounts):
        mcnemar_power(10, 0.7, 0.4)


def test_minimum_detectable_effect_follows_its_formula() -> None:
    reach = scipy.stats.t.ppf(0.975, 49) + scipy.stats.norm.ppf(0.8)
    assert minimum_detectable_effect(0.3, 50, 4) == pytest.approx(reach * 0.3 / sqrt(50) + 1 / 200)


def test_repeats_show_the_noise_of_a_second_run() -> None:
    passed, tried = np.array([4, 0, 2, 1, 3] * 20), np.full(100, 4)
    within = np.mean([0, 0, 1 / 3, 1 / 4, 1 / 4])
    result = detectable_rate(passed, tried)
    assert result.method == "paired_t"
    assert result.value == pytest.approx(minimum_detectable_effect(sqrt(2 * within / 4), 100, 4))
    assert result.value is not None
    assert result.low is not None
    assert result.high is not None
    assert result.low < result.value < result.high


def test_the_effect_it_names_is_found_four_times_in_five() -> None:
    """200 tasks of 4 coin flips, and a second run that is better by the named effect on every task: a paired t test finds it."""
    effect = minimum_detectable_effect(sqrt(2 * 0.25 / 4), 200, 4)
    rng = np.random.default_rng(5)
    before, after = (rng.binomial(4, rate, (4_000, 200)) / 4 for rate in (0.5, 0.5 + effect))
    found = scipy.stats.ttest_rel(after, before, axis=1).pvalue <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("tasks", [20, 100, 1_000])
def test_one_repeat_names_the_worst_case_and_the_best(tasks: int, rate: float) -> None:
    passes = round(rate * tasks)
    result = detectable_rate([1] * passes + [0] * (tasks - passes), [1] * tasks)
    assert result.method == "exact_mcnemar_worst_case"
    assert result.value is not None
    assert result.low is not None
    assert result.low <= result.value == result.high
    p = min(rate, 1 - rate)
    power = [
        mcnemar_power(tasks, (1 - p) * (p + effect), p * (1 - p - effect)) for effect in (result.value, result.value - 0.005)
    ]
    assert power[0] >= 0.8 > power[1]
    assert mcnemar_power(tasks, result.low, 0.0) == pytest.approx(0.8, abs=0.01)


def test_beyond_the_exact_reach_the_formula_takes_over_smoothly() -> None:
    exact, formula = (detectable_rate(np.arange(tasks) % 2, np.ones(tasks)) for tasks in (100_000, 100_002))
    assert (exact.method, formula.method) == ("exact_mcnemar_worst_case", "paired_t_worst_case")
    assert exact.value == pytest.approx(formula.value, rel=0.01)


def test_a_deterministic_run_still_needs_six_tasks_to_move() -> None:
    result = detectable_rate([4] * 30 + [0] * 20, [4] * 50)
    assert result.value == pytest.approx(6 / 200)


@pytest.mark.parametrize(
    ("run", "method"), [(([1] * 5, [2] * 5), "too_few_tasks"), (([1] * 5 + [0] * 5, [1] * 10), "exact_mcnemar_worst_case")]
)
def test_where_nothing_could_be_found_the_effect_is_unknown(run: tuple[list[int], list[int]], method: str) -> None:
    result = detectable_rate(*run)
    assert (result.value, result.method) == (None, method)


def test_rewards_with_repeats_match_passes() -> None:
    passed, tried = np.array([4, 0, 2, 1, 3] * 20), np.full(100, 4)
    rates = passed / tried
    rewards = detectable_mean(rates, rates * (1 - rates) * 4 / 3, tried)
    assert rewards.value == pytest.approx(detectable_rate(passed, tried).value)


def test_rewards_scale_with_their_span() -> None:
    rng = np.random.default_rng(2)
    means = rng.random(60)
    single = detectable_mean(means, np.full(60, np.nan), np.ones(60))
    stretched = detectable_mean(means * 10, np.full(60, np.nan), np.ones(60), span=10.0)
    assert single.method == stretched.method == "paired_t_worst_case"
    assert single.value is not None
    assert stretched.value == pytest.approx(10 * single.value)
    assert single.value == pytest.approx(minimum_detectable_effect(sqrt(2) * means.std(ddof=1), 60, 1))
