"""The within-task lift against brute force, its test against every way to deal the signal, its interval against simulation."""

import sys
from itertools import combinations, product
from math import erfc, sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

from blade.stats import ImpossibleCounts, lift, mantel_haenszel, resample, split, within_task_test
from blade.stats.within_task_bootstrap import _linear

from .splits import Task, as_split, binary, brute_lift, graded, simulated, tasks


def every_deal(run: list[Task]) -> float | None:
    """The share of deals of the signal within tasks whose lift is at least as far from 0."""
    mixed = [task for task in run if 0 < sum(carries for carries, _ in task) < len(task)]
    if not mixed:
        return None
    ways = [list(combinations(range(len(task)), sum(carries for carries, _ in task))) for task in mixed]
    lifts = []
    for deal in product(*ways):
        dealt = [
            [(place in chosen, task[place][1]) for place in range(len(task))] for task, chosen in zip(mixed, deal, strict=True)
        ]
        lifts.append(abs(brute_lift(dealt) or 0.0))
    return float(np.mean(np.array(lifts) >= abs(brute_lift(mixed) or 0.0) - 1e-9))


@given(run=tasks(graded))
def test_the_lift_is_the_weighted_difference_within_mixed_tasks(run: list[Task]) -> None:
    assert mantel_haenszel(as_split(run)) == pytest.approx(brute_lift(run))


@settings(max_examples=40)
@given(run=tasks(binary, max_size=4))
def test_with_passes_and_failures_the_test_is_over_every_deal(run: list[Task]) -> None:
    found = within_task_test(as_split(run))
    assert (None if found is None else found.p_value) == pytest.approx(every_deal(run))
    assert found is None or found.method == "exact"


@settings(max_examples=40)
@given(run=tasks(graded, max_size=4))
def test_with_graded_rewards_too_where_the_deals_can_be_listed(run: list[Task]) -> None:
    found = within_task_test(as_split(run), [[reward for _, reward in task] for task in run])
    assert (None if found is None else found.p_value) == pytest.approx(every_deal(run))


def test_many_deals_are_drawn_and_agree_with_the_exact_distribution() -> None:
    """0/1 rewards handed over as graded ones take the other way, and must say the same."""
    rng = np.random.default_rng(5)
    rewards = (rng.random((60, 6)) < 0.5).astype(float)
    signal = rng.random((60, 6)) < 0.4
    given = split(signal.sum(1), (rewards * signal).sum(1), (~signal).sum(1), (rewards * ~signal).sum(1))
    exact, drawn = within_task_test(given), within_task_test(given, list(rewards))
    assert exact is not None
    assert drawn is not None
    assert (exact.method, drawn.method) == ("exact", "monte_carlo")
    assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * sqrt(exact.p_value / 9_999))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_run_is_cochran_mantel_haenszel_with_correction(seed: int) -> None:
    given = simulated(np.random.default_rng(seed), 20_000, 8, effect=0.004)
    mixed = given.where(given.mixed)
    tables = [
        [[int(sf), int(f - sf)], [int(su), int(u - su)]]
        for f, sf, u, su in zip(mixed.affected, mixed.affected_sum, mixed.unaffected, mixed.unaffected_sum, strict=True)
    ]
    found = within_task_test(given)
    assert found is not None
    assert found.method == "normal"
    oracle = StratifiedTable([np.array(table) for table in tables]).test_null_odds(correction=True)
    assert found.p_value == pytest.approx(oracle.pvalue, rel=1e-6)


def test_the_normal_takes_over_where_it_agrees_with_the_exact_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    given = simulated(np.random.default_rng(11), 20_000, 8, effect=0.006)
    near = within_task_test(given)
    monkeypatch.setattr(sys.modules["blade.stats.within_task_test"], "MOST_VARIANCE_EXACT", 1e9)
    exact = within_task_test(given)
    assert near is not None
    assert exact is not None
    assert (near.method, exact.method) == ("normal", "exact")
    assert near.p_value == pytest.approx(exact.p_value, rel=0.02)


def test_graded_rewards_of_a_long_run_are_normal_with_the_variance_of_dealing() -> None:
    rng = np.random.default_rng(2)
    rewards, signal = rng.random((1_000, 4)), rng.random((1_000, 4)) < 0.3
    given = split(signal.sum(1), (rewards * signal).sum(1), (~signal).sum(1), (rewards * ~signal).sum(1))
    found = within_task_test(given, list(rewards))
    assert found is not None
    mixed = given.mixed
    affected, unaffected = signal.sum(1)[mixed], (~signal).sum(1)[mixed]
    variance = (affected * unaffected / 4 * rewards[mixed].var(axis=1, ddof=1)).sum()
    away = abs(((rewards * signal).sum(1)[mixed] - affected * rewards[mixed].mean(axis=1)).sum())
    assert (found.p_value, found.method) == (pytest.approx(erfc(away / sqrt(2 * variance))), "normal")


def test_two_rollouts_a_task_is_the_sign_test() -> None:
    """One rollout with the signal and one without: with 0/1 rewards only discordant tasks tell, and each is a coin."""
    lost, won, ties = 9, 2, 30
    given = split([1] * 41, [0] * lost + [1] * won + [1] * ties, [1] * 41, [1] * lost + [0] * won + [1] * ties)
    found = within_task_test(given)
    assert found is not None
    assert found.p_value == pytest.approx(scipy.stats.binomtest(won, lost + won).pvalue)


@given(run=tasks(binary, min_size=2), seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_the_order_of_the_tasks_does_not_matter(run: list[Task], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(run))
    one, other = lift(as_split(run)), lift(as_split([run[place] for place in order]))
    if one is None or other is None:
        assert one is other
        return
    assert (one.value, one.p_value, one.tasks) == pytest.approx((other.value, other.p_value, other.tasks))
    if one.interval is not None and other.interval is not None:
        assert (one.interval.low, one.interval.high) == pytest.approx((other.interval.low, other.interval.high))


@given(run=tasks(binary, min_size=2))
@settings(max_examples=40)
def test_an_interval_excludes_no_effect_only_where_the_test_rejects(run: list[Task]) -> None:
    found = lift(as_split(run))
    if found is not None and found.interval is not None:
        assert found.interval.low <= found.value <= found.interval.high
        assert found.p_value <= 0.05 or found.interval.low <= 0 <= found.interval.high


def test_agreeing_tasks_leave_doubt_until_there_are_enough_of_them() -> None:
    """Two tasks that lose with the signal and win without it vary by nothing, and prove nothing."""
    few, many = lift(split([1] * 2, [0] * 2, [1] * 2, [1] * 2)), lift(split([1] * 12, [0] * 12, [1] * 12, [1] * 12))
    assert few is not None
    assert many is not None
    assert few.interval is not None
    assert many.interval is not None
    assert (few.value, few.interval.low, few.interval.approximate) == (1.0, 0.0, True)
    assert (many.interval.low, many.interval.approximate) == (1.0, True)
    assert many.p_value == pytest.approx(2 / 2**12)


def test_one_repeat_tells_nothing() -> None:
    assert lift(split([1, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 0])) is None


def test_the_bootstrap_is_that_of_drawing_tasks_one_by_one() -> None:
    given = simulated(np.random.default_rng(8), 120, 4, effect=0.3)
    rng = np.random.default_rng(99)
    lifts = []
    for _ in range(2_000):
        drawn = rng.integers(0, 120, 120)
        lifts.append(
            mantel_haenszel(
                split(given.affected[drawn], given.affected_sum[drawn], given.unaffected[drawn], given.unaffected_sum[drawn])
            )
        )
    assert resample(given, 120, 0.0, 1.0).lift_sd == pytest.approx(
        np.std([lift for lift in lifts if lift is not None], ddof=1), rel=0.08
    )


def test_leaving_unaffected_tasks_out_changes_nothing() -> None:
    given = simulated(np.random.default_rng(4), 200, 4, effect=0.2)
    assert lift(given) == lift(given.where(given.affected > 0), tasks=200)


@pytest.mark.parametrize("effect", [0.0, 0.25])
def test_the_interval_covers_and_the_test_keeps_its_level(effect: float) -> None:
    """400 runs of 80 tasks: coverage within 4 standard errors of 95 %; a harmless signal is accused in at most 5 % and a bit."""
    rng = np.random.default_rng(20)
    covered, rejected, values = [], [], []
    for _ in range(400):
        found = lift(simulated(rng, 80, 4, effect))
        assert found is not None
        assert found.interval is not None
        covered.append(found.interval.low <= effect <= found.interval.high)
        rejected.append(found.p_value <= 0.05)
        values.append(found.value)
    assert np.mean(values) == pytest.approx(effect, abs=0.015)
    assert 0.91 <= np.mean(covered) <= 0.99
    assert np.mean(rejected) <= 0.08 if effect == 0 else np.mean(rejected) >= 0.7


def test_the_linear_deviation_is_that_of_the_bootstrap_in_a_long_run() -> None:
    rng = np.random.default_rng(6)
    signal, rewards = rng.random((3_000, 4)) < rng.beta(0.5, 0.5, 3_000)[:, None], rng.random((3_000, 4))
    given = split(signal.sum(1), (rewards * signal).sum(1), (~signal).sum(1), (rewards * ~signal).sum(1))
    linear, drawn = _linear(given.where(given.affected > 0), 3_000, 0.0, 1.0), resample(given, 3_000, 0.0, 1.0)
    assert linear.lift_sd == pytest.approx(drawn.lift_sd, rel=0.06)
    assert linear.gain_sd == pytest.approx(drawn.gain_sd, rel=0.06)


@pytest.mark.parametrize(
    "arrays",
    [([1], [1, 2], [1], [1]), ([-1], [0], [2], [0]), ([0.5], [0], [1], [0]), ([1], [float("inf")], [1], [0])],
)
def test_impossible_counts_are_refused(arrays: tuple[list[float], ...]) -> None:
    with pytest.raises(ImpossibleCounts):
        split(*arrays)


def test_graded_sums_without_their_rewards_are_refused() -> None:
    with pytest.raises(ImpossibleCounts, match="rewards"):
        within_task_test(split([1], [0.5], [1], [1]))
    with pytest.raises(ImpossibleCounts):
        within_task_test(split([1], [0.5], [1], [1]), [[0.5, 1.0], [1.0]])
    with pytest.raises(ImpossibleCounts):
        within_task_test(split([1], [0.5], [1], [1]), [[0.5]])


@pytest.mark.filterwarnings("error")
def test_rewards_beyond_all_range_have_no_deviation_and_no_warning() -> None:
    given = split([1, 1, 1], [1e308, -1e308, 0.0], [2, 2, 2], [-1e308, 1e308, 0.0])
    with np.errstate(all="ignore"):
        found = resample(given, 40, -1e308, 1e308)
        assert (found.lift_sd, found.gain_sd) == (None, None)
