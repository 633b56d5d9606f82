"""What fixing a mode could add, against a run in which it is fixed rollout by rollout."""

from statistics import fmean

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings

from blade.stats import Gain, ImpossibleCounts, Interval, Split, gain, oracle_gain, rankings, resample, shrunken, split

from .splits import TENDENCY, Task, as_split, binary, brute_gain, graded, simulated, tasks


def mixed(run: list[Task]) -> int:
    return sum(0 < sum(carries for carries, _ in task) < len(task) for task in run)


@settings(max_examples=60)
@given(run=tasks(graded, min_size=8, max_size=30))
def test_the_estimate_is_the_score_with_every_affected_rollout_at_its_target(run: list[Task]) -> None:
    found = gain(as_split(run))
    lost = fmean(sum(1.0 - reward for carries, reward in task if carries) / len(task) for task in run)
    assert (found.lower, found.upper) == (0.0, pytest.approx(lost))
    if mixed(run) < 10:
        assert found.estimate is found.interval is None
    else:
        assert found.estimate == pytest.approx(brute_gain(run))
        assert found.estimate is not None
        assert found.estimate <= found.upper + 1e-12
        assert found.interval is not None
        assert found.interval.low <= found.estimate <= found.interval.high


@settings(max_examples=30)
@given(run=tasks(binary, min_size=12, max_size=20))
def test_no_estimate_for_what_exists_on_failing_rows_only(run: list[Task]) -> None:
    found = gain(as_split(run), failing_only=True)
    assert (found.estimate, found.interval, found.upper) == (None, None, gain(as_split(run)).upper)


def test_a_wholly_affected_task_gains_the_lift_and_not_beyond_full_reward() -> None:
    """Ten mixed tasks lose everything with the signal; of two others, one could gain all, one only what it lacks."""
    given = split([1] * 10 + [2, 4], [0] * 10 + [0, 3], [1] * 10 + [0, 0], [1] * 10 + [0, 0])
    assert gain(given).estimate == pytest.approx((10 * 0.5 + 1.0 + 0.25) / 12)
    assert gain(given).upper == pytest.approx((10 * 0.5 + 1.0 + 0.25) / 12)


def test_rewards_on_another_scale_are_clipped_to_it() -> None:
    given = split([1] * 10 + [2], [-1] * 10 + [1], [1] * 10 + [0], [1] * 10 + [0])
    assert gain(given, low=-1.0, high=1.0).estimate == pytest.approx((10 * 1.0 + 0.5) / 11)


def test_tasks_without_the_signal_dilute_the_gain() -> None:
    given = simulated(np.random.default_rng(3), 100, 4, effect=0.3)
    half, whole = gain(given, tasks=200), gain(given)
    assert half.estimate == pytest.approx((whole.estimate or 0) / 2)
    assert half.upper == pytest.approx(whole.upper / 2)
    with pytest.raises(ImpossibleCounts):
        gain(given, tasks=10)


def test_the_interval_is_the_bootstrap_of_tasks_drawn_one_by_one() -> None:
    given = simulated(np.random.default_rng(8), 90, 4, effect=0.3)
    rng = np.random.default_rng(99)
    gains = []
    for _ in range(1_500):
        drawn = rng.integers(0, 90, 90)
        again = Split(given.affected[drawn], given.affected_sum[drawn], given.unaffected[drawn], given.unaffected_sum[drawn])
        gains.append(gain(again, resampled=resample(again, 90, 0, 1, draws=2)).estimate)
    found = gain(given)
    assert found.interval is not None
    half = scipy.stats.t.ppf(0.975, given.mixed.sum() - 1) * np.std(gains, ddof=1)
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half, rel=0.08)


@pytest.mark.parametrize("effect", [0.0, 0.25])
def test_a_harmless_signal_gains_nothing_and_a_real_one_is_recovered(effect: float) -> None:
    """300 runs of 80 tasks × 4: no bias, and intervals at about the nominal rate."""
    rng = np.random.default_rng(17)
    found = [gain(simulated(rng, 80, 4, effect)) for _ in range(300)]
    truth = effect * TENDENCY
    assert np.mean([each.estimate for each in found if each.estimate is not None]) == pytest.approx(truth, abs=0.006)
    covered = np.mean([each.interval.low <= truth <= each.interval.high for each in found if each.interval is not None])
    assert 0.91 <= covered <= 0.985


def test_many_tasks_of_their_own_kind_are_linear_or_rounded_and_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    signal = rng.random((1_500, 3)) < np.where(rng.random(1_500) < 0.5, 1.0, 0.1)[:, None]
    rewards = rng.random((1_500, 3)) * (1 - 0.3 * signal)
    given = split(signal.sum(1), (rewards * signal).sum(1), (~signal).sum(1), (rewards * ~signal).sum(1))
    exact = resample(given, 1_500, 0.0, 1.0)
    monkeypatch.setattr("blade.stats.within_task_bootstrap.MOST_TASKS_DRAWN", 1_000)
    monkeypatch.setattr("blade.stats.within_task_bootstrap.MOST_PATTERNS", 700)
    rounded = resample(given, 1_500, 0.0, 1.0)
    monkeypatch.setattr("blade.stats.within_task_bootstrap.MOST_PATTERNS", 10)
    linear = resample(given, 1_500, 0.0, 1.0)
    assert exact.gain_sd is not None
    assert len({exact.gain_sd, rounded.gain_sd, linear.gain_sd}) == 3
    assert rounded.gain_sd == pytest.approx(exact.gain_sd, rel=0.06)
    assert linear.gain_sd == pytest.approx(exact.gain_sd, rel=0.06)


def test_nothing_at_all_gains_nothing() -> None:
    assert gain(split([], [], [], [])) == Gain(0.0, None, 0.0)
    assert gain(split([], [], [], []), tasks=40) == Gain(0.0, None, 0.0)
    assert oracle_gain([], []) is None


def test_the_oracle_is_every_task_at_its_best() -> None:
    found = oracle_gain([1, 1, 0], [0.5, 1.0, 0.0])
    assert found is not None
    assert (found.oracle, found.gain, found.perfect) == pytest.approx((2 / 3, 1 / 6, 0.5))


@pytest.mark.parametrize(
    ("estimates", "deviations", "expected"),
    [
        ([0.1], [0.05], [0.1]),
        ([], [], []),
        ([0.1, 0.1, 0.1], [0.01, 0.05, 0.2], [0.1, 0.1, 0.1]),
        ([0.0, 0.02], [0.1, 0.1], [0.01, 0.01]),  # no more apart than their noise: they are one
        ([0.0, 0.4], [1e-9, 1e-9], [0.0, 0.4]),  # no noise: they stay
    ],
)
def test_estimates_are_drawn_together_as_far_as_their_noise_demands(
    estimates: list[float], deviations: list[float], expected: list[float]
) -> None:
    assert shrunken(estimates, deviations).tolist() == pytest.approx(expected, abs=1e-6)


def test_shrinkage_is_normal_with_the_moment_variance() -> None:
    """Equal noise s²: the variance between is the sample variance less s², and each keeps the share between/(between + s²)."""
    estimates, noise = np.array([0.0, 0.1, 0.2, 0.5]), 0.1
    between = estimates.var(ddof=1) - noise**2
    expected = estimates.mean() + between / (between + noise**2) * (estimates - estimates.mean())
    assert shrunken(estimates, [noise] * 4) == pytest.approx(expected)


def test_shrunken_estimates_are_nearer_the_truth() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(0.05, 0.02, (500, 20))
    seen = truth + rng.normal(0, 0.05, truth.shape)
    drawn = np.array([shrunken(row, np.full(20, 0.05)) for row in seen])
    assert np.square(drawn - truth).mean() < 0.5 * np.square(seen - truth).mean()
    top = seen.argmax(axis=1)
    rows = np.arange(500)
    assert (seen[rows, top] - truth[rows, top]).mean() > 0.04  # the winner's curse
    assert abs((drawn[rows, top] - truth[rows, top]).mean()) < 0.02


def test_modes_are_ranked_by_the_held_out_half_else_by_the_shrunken_value() -> None:
    def made(estimate: float | None, half: float = 0.02) -> Gain:
        around = None if estimate is None else Interval(estimate - half, estimate + half, method="task_bootstrap_t")
        return Gain(0.0, estimate, 0.5, around)

    found = rankings([made(0.1), made(0.2), made(None), made(-0.05)], [30, 30, 0, 30], [made(0.04), None, None, None])
    assert (found[0].value, found[0].by) == (0.04, "held_out")
    assert found[1].by == "shrunken"
    assert 0.1 < (found[1].value or 0) < 0.2
    assert [(rank.value, rank.by) for rank in found[2:]] == [(None, None)] * 2
