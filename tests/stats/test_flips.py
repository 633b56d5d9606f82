import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta, betabinom

from blade.stats import flips
from blade.stats.errors import ImpossibleCounts
from blade.stats.flips import CHANGED, probability_above
from blade.stats.shrinkage import CORRELATIONS

from .pairs import Pair, pairs, reordered, swapped


def above_by_integration(one: tuple[float, float], other: tuple[float, float]) -> float:
    """∫ (1 − F_X(y)) dF_Y(y) over the quantiles of Y, adaptively."""
    return float(quad(lambda u: beta.sf(beta.ppf(u, *other), *one), 0, 1, limit=400)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0.3, 0.3), (1.3, 0.3)),
        ((2.0, 5.0), (4.0, 4.0)),
        ((100.0, 200.0), (110.0, 190.0)),
        ((5000.0, 5000.0), (5050.0, 4950.0)),
        ((1.0, 20.0), (0.5, 30.0)),
        ((0.1, 0.4), (64.1, 0.4)),
    ],
)
def test_the_chance_of_one_rate_above_another(one: tuple[float, float], other: tuple[float, float]) -> None:
    def arrays(shape: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        return np.array([shape[0]]), np.array([shape[1]])

    found = probability_above(arrays(one), arrays(other))[0]
    assert found == pytest.approx(above_by_integration(one, other), abs=2e-4)
    assert probability_above(arrays(other), arrays(one))[0] == pytest.approx(1 - found, abs=1e-9)


def test_rates_piled_up_at_the_ends_are_told_apart_by_their_odds() -> None:
    """X is near 0 two times in three, Y one in three; where both are at one end, the odds of being further out are 2 to 1."""
    shapes = (np.array([1e-4]), np.array([2e-4])), (np.array([2e-4]), np.array([1e-4]))
    assert probability_above(*shapes)[0] == pytest.approx(1 / 9 + 4 / 9 / 3, abs=1e-3)


def by_brute_force(pair: Pair, task: int) -> float:
    """The model word by word: every (ρ, π), every task, betas compared by sampling quantiles."""
    pooled = [c / n for c, n in zip(pair[0] + pair[2], pair[1] + pair[3], strict=True)]
    mean = (sum(pooled) + 0.5) / (len(pooled) + 1)
    logs, values = [], []
    for rho in CORRELATIONS:
        a, b = mean * (1 / rho - 1), (1 - mean) * (1 / rho - 1)
        u = (np.arange(4_000) + 0.5) / 4_000
        x = beta.ppf(u, a + pair[2][task], b + pair[3][task] - pair[2][task])
        ahead = beta.cdf(x, a + pair[0][task], b + pair[1][task] - pair[0][task]).mean()
        for changed in CHANGED:
            fit, chance_here = 0.0, 0.0
            for place, (c_a, n_a, c_b, n_b) in enumerate(zip(*pair, strict=True)):
                # the chance of the counts; one rate: the pooled count, dealt to the runs
                apart = betabinom.pmf(c_a, n_a, a, b) * betabinom.pmf(c_b, n_b, a, b)
                ways = betabinom.pmf(c_a, n_a, 1e9, 1e9) * betabinom.pmf(c_b, n_b, 1e9, 1e9) * 2.0 ** (n_a + n_b)
                total = betabinom.pmf(c_a + c_b, n_a + n_b, 1e9, 1e9) * 2.0 ** (n_a + n_b)
                together = betabinom.pmf(c_a + c_b, n_a + n_b, a, b) * ways / total
                fit += np.log((1 - changed) * together + changed * apart)
                if place == task:
                    chance_here = changed * apart / ((1 - changed) * together + changed * apart)
            logs.append(fit)
            values.append(0.5 + chance_here * (ahead - 0.5))
    weights = np.exp(np.array(logs) - max(logs))
    return float(weights @ values / weights.sum())


@pytest.mark.parametrize(
    "pair",
    [
        ([0, 2, 4, 1, 4], [4] * 5, [4, 2, 4, 0, 4], [4] * 5),
        ([0, 1, 1, 0, 0, 1], [1] * 6, [1, 1, 1, 0, 0, 0], [1] * 6),
        ([0, 3, 1], [2, 5, 1], [3, 2, 0], [3, 4, 1]),
    ],
)
def test_the_posterior_is_that_of_the_model(pair: Pair) -> None:
    assert flips(*pair).probability_b_better[0] == pytest.approx(by_brute_force(pair, 0), abs=2e-3)


@settings(max_examples=40)
@given(pair=pairs(max_tasks=8))
def test_swapping_the_runs_mirrors_it_and_the_order_does_not_matter(pair: Pair) -> None:
    there, back, turned = flips(*pair), flips(*swapped(pair)), flips(*reordered(pair))
    assert there.probability_b_better.tolist() == pytest.approx((1 - back.probability_b_better).tolist(), abs=1e-6)
    assert there.rate_a.tolist() == pytest.approx(back.rate_b.tolist(), abs=1e-9)
    assert turned.probability_b_better[::-1].tolist() == pytest.approx(there.probability_b_better.tolist(), abs=1e-9)
    assert ((there.probability_b_better > 0) & (there.probability_b_better < 1)).all()
    assert ((there.rate_a > 0) & (there.rate_a < 1)).all()


@given(pair=pairs(equal=True), extra=st.integers(1, 3))
def test_the_larger_difference_ranks_higher(pair: Pair, extra: int) -> None:
    n = pair[1][0] + extra
    found = flips([0, 0, *pair[0]], [n] * (len(pair[0]) + 2), [n, 0, *pair[2]], [n] * (len(pair[0]) + 2))
    assert found.probability_b_better[0] > found.probability_b_better[1]


@pytest.mark.parametrize("repeats", [1, 4, 8])
def test_where_nothing_changed_the_largest_of_many_differences_is_no_news(repeats: int) -> None:
    rng = np.random.default_rng(repeats)
    p, n = rng.beta(0.5, 0.5, 2_000), np.full(2_000, repeats)
    found = flips(rng.binomial(repeats, p), n, rng.binomial(repeats, p), n)
    assert np.abs(found.probability_b_better - 0.5).max() < 0.35


def test_where_a_third_changed_the_chances_are_about_right() -> None:
    """Of the changed and unchanged tasks alike: those given 80 to 100 % are better in B about that often (ties count half)."""
    rng = np.random.default_rng(12)
    p = rng.beta(0.5, 0.5, 20_000)
    q = np.where(rng.random(20_000) < 0.33, rng.beta(0.5, 0.5, 20_000), p)
    n = np.full(20_000, 4)
    found = flips(rng.binomial(4, p), n, rng.binomial(4, q), n)
    better = (q > p) + 0.5 * (q == p)
    for low, high in ((0.0, 0.2), (0.2, 0.45), (0.55, 0.8), (0.8, 1.0)):
        inside = (found.probability_b_better > low) & (found.probability_b_better <= high)
        assert inside.sum() > 300
        assert better[inside].mean() == pytest.approx(found.probability_b_better[inside].mean(), abs=0.04)


def test_no_task_no_flip() -> None:
    assert flips([], [], [], []).probability_b_better.size == 0
    with pytest.raises(ImpossibleCounts):
        flips([1], [1], [0], [0])
