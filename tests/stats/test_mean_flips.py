"""Tasks that probably changed, by rewards: shrunken differences, against numerical integration."""

import numpy as np
import pytest
from scipy import integrate
from scipy import stats as scipy_stats

from blade.stats import probability_mean_better

NAN = float("nan")


def test_it_is_the_posterior_of_a_normal_prior_around_no_change() -> None:
    means = (np.array([0.2, 0.5, 0.9, 0.1]), np.array([0.9, 0.5, 0.2, 0.3]))
    variances = (np.full(4, 0.04), np.full(4, 0.02))
    attempts = (np.array([4, 4, 4, 2]), np.array([4, 8, 4, 4]))
    found = probability_mean_better(means, variances, attempts)
    assert found is not None
    differences, noise = means[1] - means[0], 0.03 * (1 / attempts[0] + 1 / attempts[1])
    true = float(np.mean(differences**2) - np.mean(noise))
    for place, chance in enumerate(found):

        def weight(change: float, place: int = place) -> float:
            prior = scipy_stats.norm.pdf(change, 0, np.sqrt(true))
            return float(prior * scipy_stats.norm.pdf(differences[place], change, np.sqrt(noise[place])))

        above, below = integrate.quad(weight, 0, 6)[0], integrate.quad(weight, -6, 0)[0]
        assert chance == pytest.approx(above / (above + below), abs=1e-6)


def test_swapping_the_runs_mirrors_it() -> None:
    rng = np.random.default_rng(3)
    means = rng.random(30), rng.random(30)
    variances = rng.random(30) / 50, rng.random(30) / 50
    attempts = rng.integers(2, 9, 30), rng.integers(2, 9, 30)
    ours = probability_mean_better(means, variances, attempts)
    theirs = probability_mean_better(means[::-1], variances[::-1], attempts[::-1])
    assert ours is not None
    assert theirs is not None
    assert ours == pytest.approx(1 - theirs)


def test_differences_that_noise_explains_tell_nothing() -> None:
    found = probability_mean_better(
        (np.array([0.4, 0.6]), np.array([0.5, 0.5])), (np.full(2, 0.5), np.full(2, 0.5)), (np.full(2, 2), np.full(2, 2))
    )
    assert found is not None
    assert found.tolist() == [0.5, 0.5]


def test_without_a_task_of_two_attempts_nothing_is_known_of_the_noise() -> None:
    assert (
        probability_mean_better(
            (np.array([0.1]), np.array([0.9])), (np.array([NAN]), np.array([NAN])), (np.array([1]), np.array([1]))
        )
        is None
    )


def test_rewards_that_never_vary_are_sure() -> None:
    found = probability_mean_better(
        (np.array([0.1, 0.2]), np.array([0.9, 0.2])), (np.zeros(2), np.zeros(2)), (np.full(2, 2), np.full(2, 2))
    )
    assert found is not None
    assert found.tolist() == [1.0, 0.5]
