"""Which single tasks probably changed: a ranking, never a test.

With 4 repeats even 0 of 4 against 4 of 4 has p = .029, which survives no correction over two tasks; and the largest of many
differences are mostly luck. So each task is read in the light of all others (two groups, Efron 2008): with chance 1 − π a task did
not change and has one rate in both runs; with chance π its two rates are drawn apart; rates come from one beta distribution of the
pooled mean with correlation ρ. The counts weigh every (ρ, π) of a grid. P(p_B > p_A) is the posterior chance that the task is better
in B, with half the chance that it is equal: 1/2 says that nothing is known, and swapping the runs mirrors it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, task_counts
from .errors import ImpossibleCounts
from .shrinkage import CORRELATIONS, betas, log_beta_binomial, mean_rate, normalised

CHANGED: FloatArray = np.array([0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
NODES = 401
TAIL_SPREADS, TAIL_LOG = 10.0, 37.0
MOST_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Flips:
    """One entry per task: shrunken rates in A and B, P(p_B > p_A), and the posterior chance that the task changed at all."""

    rate_a: FloatArray
    rate_b: FloatArray
    probability_b_better: FloatArray
    probability_changed: FloatArray


def flips(successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike) -> Flips:
    """For tasks that both runs scored; the caller ranks and joins the names."""
    (passed_a, tried_a), (passed_b, tried_b) = task_counts(successes_a, attempts_a), task_counts(successes_b, attempts_b)
    if tried_a.shape != tried_b.shape:
        raise ImpossibleCounts(f"{tried_a.size} tasks of one run against {tried_b.size} of the other")
    if bool(((tried_a == 0) | (tried_b == 0)).any()):
        raise ImpossibleCounts("a task without a scored rollout in both runs has no flip")
    if not tried_a.size:
        return Flips(*(np.zeros(0) for _ in range(4)))
    rows, place, counts = np.unique(
        np.stack((passed_a, tried_a, passed_b, tried_b), axis=1), axis=0, return_inverse=True, return_counts=True
    )
    pooled = np.concatenate((passed_a / tried_a, passed_b / tried_b))
    found = _posterior(rows, counts.astype(np.float64), mean_rate(pooled))
    return Flips(*(column[place.ravel()] for column in found))


def _posterior(rows: IntArray, counts: FloatArray, mean: float) -> tuple[FloatArray, ...]:
    """The four columns of `Flips` for each distinct task."""
    c_a, n_a, c_b, n_b = (column[:, None] for column in rows.T)
    a, b = betas(mean)
    one_rate = log_beta_binomial(c_a + c_b, n_a + n_b, a, b)
    two_rates = log_beta_binomial(c_a, n_a, a, b) + log_beta_binomial(c_b, n_b, a, b)
    joint = np.logaddexp(one_rate[..., None] + np.log1p(-CHANGED), two_rates[..., None] + np.log(CHANGED))
    weights = normalised(np.tensordot(counts, joint, axes=1))
    changed = np.exp(two_rates[..., None] + np.log(CHANGED) - joint) * weights  # rows × ρ × π, weighted
    moved, alike = changed.sum(axis=2), (weights - changed).sum(axis=2)
    together = (a + c_a + c_b) / (a + b + n_a + n_b)
    rate_a = (moved * (a + c_a) / (a + b + n_a) + alike * together).sum(axis=1)
    rate_b = (moved * (a + c_b) / (a + b + n_b) + alike * together).sum(axis=1)
    better = np.full(rows.shape[0], 0.5)
    for place in np.flatnonzero(weights.sum(axis=1) > 1e-6 / CORRELATIONS.size):
        ahead = probability_above(
            (a[place] + c_b[:, 0], b[place] + (n_b - c_b)[:, 0]), (a[place] + c_a[:, 0], b[place] + (n_a - c_a)[:, 0])
        )
        better += moved[:, place] * (ahead - 0.5)
    return rate_a, rate_b, better, moved.sum(axis=1)


def probability_above(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> FloatArray:
    """P(X > Y) for independent beta-distributed X and Y, by quadrature of their log odds, which have one peak each.

    The nodes crowd (as sinh) around the point between the two peaks and reach to where nothing is left of either; half of each
    node's own mass counts. Right to about 1e-4, for rates piled up at 0 and 1 and for thousands of repeats alike.
    """
    found = np.empty(one[0].size)
    step = max(1, MOST_CELLS // NODES)
    for start in range(0, found.size, step):
        some = slice(start, start + step)
        x, y = (one[0][some], one[1][some]), (other[0][some], other[1][some])
        odds, log_weight = _nodes(x, y)
        log_rate, log_rest = -np.logaddexp(0.0, -odds), -np.logaddexp(0.0, odds)
        above, below = (_mass(shape, log_rate, log_rest, log_weight) for shape in (x, y))
        found[some] = np.einsum("ij,ij->i", above, np.cumsum(below, axis=1) - below / 2)
    return found


def _nodes(*shapes: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Log odds c + w·sinh(s) and the logarithm of their spacing, one row per pair of distributions."""
    from scipy.special import digamma, polygamma

    peaks = np.stack([digamma(a) - digamma(b) for a, b in shapes])
    spreads = np.stack([np.sqrt(polygamma(1, a) + polygamma(1, b)) for a, b in shapes])
    tails = np.stack(
        [np.maximum(TAIL_SPREADS * spread, TAIL_LOG / np.minimum(a, b)) for (a, b), spread in zip(shapes, spreads, strict=True)]
    )
    centre = (peaks / spreads**2).sum(axis=0) / (1 / spreads**2).sum(axis=0)
    width = spreads.min(axis=0)
    reach = np.arcsinh((np.abs(peaks - centre) + tails).max(axis=0) / width)
    s = reach[:, None] * np.linspace(-1.0, 1.0, NODES)
    return centre[:, None] + width[:, None] * np.sinh(s), np.log(np.cosh(s))


def _mass(shape: tuple[FloatArray, FloatArray], log_rate: FloatArray, log_rest: FloatArray, log_weight: FloatArray) -> FloatArray:
    logs = shape[0][:, None] * log_rate + shape[1][:, None] * log_rest + log_weight
    density = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(density / density.sum(axis=1, keepdims=True), dtype=np.float64)
