"""Is a difference between two runs more than chance? The sign-flip test over tasks (Fisher 1935).

If nothing changed, each d_i could as well have come out with the other sign, and all 2^T signings are equally likely; the
p-value is the share of them whose sum is at least as far from 0. It is exact for two runs of the same system and speaks of tasks
like these. With one repeat each it is the exact McNemar test. Pass rates lie on a lattice, d_i = k_i/L with L the least common multiple
of the repeats, and the distribution of Σ ±k_i is found exactly from its characteristic function Π cos(k_i ω), which is a convolution
of all tasks at once. Rewards off a lattice are enumerated where few tasks moved, and drawn at random (Monte Carlo with +1, Davison
and Hinkley 1997) where many did.
"""

from dataclasses import dataclass
from math import erfc, lcm, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray
from .paired import rate_differences

DRAWS = 9_999
SEED = 12345
NEGLIGIBLE = 1e-12  # the least p-value that is told apart from 0
REACH = 9.0  # standard deviations; Hoeffding (1963) leaves less than 1e-17 beyond
MOST_TERMS = 50_000_000  # distinct sizes of d_i times frequencies: about a second
MOST_CELLS = 4_000_000
MOST_MOVED_LISTED = 14
MOST_MOVED_DRAWN = 20_000
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SignFlipTest:
    """The p-value and how it was found: exact_mcnemar, exact_sign_flip, monte_carlo_sign_flip or normal_sign_flip."""

    p_value: float
    method: str


def sign_flip_rates(
    successes_a: ArrayLike, attempts_a: ArrayLike, successes_b: ArrayLike, attempts_b: ArrayLike
) -> SignFlipTest | None:
    """The test for pass rates, on the tasks that both runs scored; None where there is none."""
    differences, tried_a, tried_b = rate_differences(successes_a, attempts_a, successes_b, attempts_b)
    if not differences.size:
        return None
    steps = lcm(*np.unique(np.concatenate((tried_a, tried_b))).tolist())
    if steps == 1:
        return SignFlipTest(mcnemar_p_value(int((differences > 0).sum()), int((differences < 0).sum())), "exact_mcnemar")
    if steps < 2**31 and _terms(differences, steps) <= MOST_TERMS:
        counted = np.rint(differences * steps).astype(np.int64)
        return SignFlipTest(float(sign_flip_p_values(counted[None, :])[0]), "exact_sign_flip")
    return sign_flip_test(differences)


def sign_flip_test(differences: ArrayLike, seed: int = SEED) -> SignFlipTest | None:
    """The test for differences of any kind; None without a task. The order of the tasks makes no difference."""
    values = np.asarray(differences, dtype=np.float64)
    if not values.size:
        return None
    total = abs(float(values.sum()))
    scale = float(np.abs(values).max(initial=0.0))
    slack = ROUNDING * scale
    moved = np.sort(np.abs(values[np.abs(values) > slack]))
    if not moved.size or total <= slack:
        return SignFlipTest(1.0, "exact_sign_flip")
    if moved.size <= MOST_MOVED_LISTED:
        sums = np.zeros(1)
        for size in moved:
            sums = np.concatenate((sums - size, sums + size))
        return SignFlipTest(float((np.abs(sums) >= total - slack).mean()), "exact_sign_flip")
    if moved.size > MOST_MOVED_DRAWN:
        spread = sqrt(2 * float(np.square(moved).sum()))
        return SignFlipTest(max(erfc(total / spread), NEGLIGIBLE), "normal_sign_flip")
    as_far = int((np.abs(_drawn_sums(moved, seed)) >= total - slack).sum())
    return SignFlipTest((1 + as_far) / (1 + DRAWS), "monte_carlo_sign_flip")


def mcnemar_p_value(gained: int, lost: int) -> float:
    """Exact two-sided McNemar test (1947): the binomial test of one half among the tasks that flipped."""
    if gained == lost:
        return 1.0
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(gained, lost), gained + lost, 0.5)))


def sign_flip_p_values(steps: IntArray) -> FloatArray:
    """Exact p-values of many pairs at once: whole numbers k_i, one pair per row with its tasks along the last axis.

    P(|S| ≥ s) = 1 − (1/N) Σ φ(ω) sin((s−1)ω)/sin(ω) over ω = πj/N, j = 0 … N−1: the inversion of the characteristic function of S,
    whose values are all even or all odd, summed over |S| < s (Dirichlet's kernel). Right to about 1e-13.
    """
    sizes = np.abs(steps)
    distinct, place = np.unique(sizes, return_inverse=True)
    rows = sizes.shape[0]
    cells = place.reshape(sizes.shape) + np.arange(rows)[:, None] * distinct.size
    counts = np.bincount(cells.ravel(), minlength=rows * distinct.size).reshape(rows, distinct.size)
    return p_values_from_counts(distinct, counts.astype(np.float64), np.abs(steps.sum(axis=-1)))


def p_values_from_counts(sizes: IntArray, counts: FloatArray, totals: IntArray) -> FloatArray:
    """The same from how many tasks of each pair (row) moved by each of the `sizes` ≥ 0, and the size of each pair's sum."""
    spread = np.sqrt(counts @ np.square(sizes, dtype=np.float64))
    reach = np.minimum(REACH * spread + 2, counts @ sizes)
    p_values = np.where(totals > REACH * spread + 2, NEGLIGIBLE, 1.0)
    asked = np.flatnonzero((totals > 0) & (p_values == 1.0))
    if asked.size:
        frequencies = int(((reach + totals)[asked].max() + 4) // 4)
        block = max(1, MOST_CELLS // frequencies)
        for start in range(0, asked.size, block):
            some = asked[start : start + block]
            p_values[some] = _inverted(counts[some], sizes, totals[some], frequencies)
    return p_values


def _inverted(counts: FloatArray, distinct: IntArray, totals: IntArray, frequencies: int) -> FloatArray:
    """The sum over ω = πj/N for N = 2·`frequencies` + 1, whose terms j and N − j are equal."""
    size = 2 * frequencies + 1
    omega = np.pi * np.arange(1, frequencies + 1) / size
    exponent = np.zeros((counts.shape[0], frequencies))
    odd = np.zeros((counts.shape[0], frequencies))
    step = max(1, MOST_CELLS // frequencies)
    for start in range(0, distinct.size, step):
        some = slice(start, start + step)
        cosine = np.cos(distinct[some, None] * omega)
        exponent += counts[:, some] @ np.log(np.maximum(np.abs(cosine), 1e-300))
        odd += (counts[:, some] % 2) @ (cosine < 0)
    characteristic = np.exp(exponent) * (1 - 2 * (odd % 2))
    kernel = np.sin((totals[:, None] - 1) * omega) / np.sin(omega)
    inside = ((totals - 1) + 2 * np.einsum("ij,ij->i", characteristic, kernel)) / size
    clipped: FloatArray = np.clip(1 - inside, NEGLIGIBLE, 1.0)
    return clipped


def _terms(differences: FloatArray, steps: int) -> float:
    counted = np.rint(np.abs(differences) * steps)
    reach = min(REACH * sqrt(float(np.square(counted).sum())), float(counted.sum()))
    return np.unique(counted).size * (reach + abs(float((differences * steps).sum()))) / 4


def _drawn_sums(moved: FloatArray, seed: int) -> FloatArray:
    """Random signings. Tasks that moved equally far are drawn together: the number of them with a plus is binomial."""
    rng = np.random.default_rng(seed)
    sizes, counts = np.unique(moved, return_counts=True)
    if sizes.size <= moved.size // 8:
        plus = rng.binomial(counts, 0.5, (DRAWS, sizes.size))
        return np.asarray((2 * plus - counts) @ sizes, dtype=np.float64)
    sums = np.empty(DRAWS)
    block = max(1, MOST_CELLS // moved.size)
    for start in range(0, DRAWS, block):
        stop = min(start + block, DRAWS)
        bits = np.frombuffer(rng.bytes((stop - start) * (-(-moved.size // 8))), dtype=np.uint8).reshape(stop - start, -1)
        signs = np.unpackbits(bits, axis=1, count=moved.size).astype(np.float64)
        sums[start:stop] = 2 * (signs @ moved) - moved.sum()
    return sums
