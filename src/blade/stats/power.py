"""Power of a comparison that has not been made yet: so many tasks, repeats and a change, on a benchmark like this one.

The model: a task's rate p is drawn from a beta distribution with mean μ and correlation ρ of its repeats, and the second run
mends every failure with the same chance g = δ/(1−μ), so p' = p + g(1−p) and the mean gains δ (a loss is the same seen from failures).
Then E p(1−p) = μ(1−μ)(1−ρ) is the noise of one rollout, Var(p' − p) = g²ρμ(1−μ) the spread of the true changes. One repeat: exact
McNemar. More: the t formula (Miller 2024, with t for z and a step of the lattice) from 100 tasks on; below, and where rates near 0
or 1 leave little noise, it is off by up to ten points, and the test itself is put to simulated pairs.
"""

from dataclasses import dataclass
from math import comb, log, sqrt

import numpy as np

from .counts import FloatArray
from .detectable import ALPHA, FEWEST_MOVED, POWER
from .detectable_pair import least_effect
from .mcnemar import mcnemar_power
from .paired import ADDED, RULE_OF_THREE, WHOLE_FLIP, interval_from_sums
from .quantiles import student_quantile
from .sign_flip import p_values_from_counts

ENOUGH_TASKS = 100  # for the formula
ENOUGH_NOISE = 15.0  # variance of one rollout, summed over the tasks; with less, differences are too skewed for the formula
DRAWS = 4_000
SEED = 12345
PRECISION = 1e-4
MOST_TASKS_EXACT = 20_000  # beyond, exact McNemar and the formula agree


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The mean rate of a benchmark's tasks and the correlation between repeats of one."""

    mean: float
    correlation: float

    @property
    def between(self) -> float:
        """Variance of the tasks' rates."""
        return self.correlation * self.mean * (1 - self.mean)

    @property
    def within(self) -> float:
        """Variance of one rollout of a task."""
        return (1 - self.correlation) * self.mean * (1 - self.mean)

    @property
    def room(self) -> float:
        """The most that can be gained."""
        return 1 - self.mean

    def mirrored(self) -> "Benchmark":
        """Failures for passes: a loss on the one is a gain on the other."""
        return Benchmark(1 - self.mean, self.correlation)

    def flips(self, gain: float) -> tuple[float, float]:
        """Chances that a task of one repeat flips to pass, and to fail."""
        share = gain / self.room if self.room > 0 else 0.0
        lost = (1 - share) * self.within
        return lost + gain, lost

    def sd_of_differences(self, gain: float, repeats: float) -> float:
        """sd(d_i): the spread of the true changes, and the noise of the repeats before and after."""
        share = gain / self.room if self.room > 0 else 0.0
        after = (1 - share) * (self.within + share * (self.room**2 + self.between))
        return sqrt(share**2 * self.between + (self.within + after) / repeats)


def paired_power(of: Benchmark, tasks: int, repeats: int, gain: float, seed: int = SEED) -> float:
    """Chance that two runs of so many tasks and repeats are told apart, the right way round, when the second gains so much."""
    if gain < 0:
        return paired_power(of.mirrored(), tasks, repeats, -gain, seed)
    if tasks < FEWEST_MOVED or gain == 0:
        return 0.0
    gain = min(gain, of.room)
    if repeats == 1 and tasks <= MOST_TASKS_EXACT:
        return mcnemar_power(tasks, *of.flips(gain), alpha=ALPHA)
    if tasks >= ENOUGH_TASKS and tasks * of.within >= ENOUGH_NOISE:
        return formula_power(of.sd_of_differences(gain, repeats), tasks, repeats, gain)
    return _drawn_power(of, tasks, repeats, gain, seed)


def formula_power(sd: float, tasks: int, repeats: float, gain: float) -> float:
    """The minimum detectable effect solved for its power: Φ((δ − 1/(TK))·√T/sd − t_{.975,T−1})."""
    reach = gain - 1 / (tasks * repeats)
    if sd == 0:
        return float(reach > 0)
    from scipy.special import ndtr

    return float(ndtr(reach * sqrt(tasks) / sd - student_quantile(1 - ALPHA / 2, tasks - 1)))


def paired_effect(of: Benchmark, tasks: int, repeats: int, power: float = POWER, seed: int = SEED) -> float | None:
    """The least gain that is found with this power; None where not even the largest possible one is."""

    def found(gain: float) -> float:
        return paired_power(of, tasks, repeats, gain, seed)

    near = least_effect(lambda gain: formula_power(of.sd_of_differences(gain, repeats), tasks, repeats, gain), of.room, power)
    if near is not None and 2 * near < of.room and found(near / 2) < power <= found(2 * near):
        return least_effect(found, 2 * near, power, PRECISION, low=near / 2)
    return least_effect(found, of.room, power, PRECISION)


def equivalence_chance(of: Benchmark, tasks: int, repeats: float, margin: float) -> float:
    """Chance that two runs of the same system are called equivalent within ±margin: often 0, and then a plan should say so."""
    if tasks * margin < RULE_OF_THREE - 1e-9:
        return 0.0
    sd = of.sd_of_differences(0.0, repeats)
    half = student_quantile(1 - ALPHA / 2, tasks - 1) * sqrt(sd**2 * tasks + ADDED * WHOLE_FLIP**2) / (tasks + ADDED)
    if half >= margin:
        return 0.0
    from scipy.special import ndtr

    return 1.0 if sd == 0 else float(2 * ndtr((margin - half) * (tasks + ADDED) / (sd * sqrt(tasks))) - 1)


def _drawn_power(of: Benchmark, tasks: int, repeats: int, gain: float, seed: int) -> float:
    """How many of `DRAWS` simulated pairs the paired interval and the sign-flip test both call improved.

    Tasks are alike before they are drawn, so how many of them move by each step is multinomial.
    """
    moves = np.arange(-repeats, repeats + 1)
    counts = np.random.default_rng(seed).multinomial(tasks, difference_chances(of, repeats, gain), DRAWS)
    totals, squares = counts @ moves, counts @ np.square(moves)
    low, _ = interval_from_sums(totals / repeats, squares / repeats**2, tasks, 1 / sqrt(repeats))
    improved = low > 0
    far = totals > sqrt(2 * log(2 / ALPHA)) * np.sqrt(squares)  # significant without asking, by Hoeffding's bound (1963)
    told = improved & ~far
    sizes = counts[told, repeats:].astype(np.float64)
    sizes[:, 1:] += counts[told, repeats - 1 :: -1]
    asked = p_values_from_counts(moves[repeats:], sizes, totals[told]) <= ALPHA
    return float((improved & far).sum() + asked.sum()) / DRAWS


def difference_chances(of: Benchmark, repeats: int, gain: float) -> FloatArray:
    """Chances that a task passes −K … K times more in the second run: exact, because they are polynomials in its rate p.

    Gauss–Jacobi quadrature with K+1 nodes integrates those over a beta distribution without error.
    """
    rates, weights = _rate_nodes(of, repeats + 1)
    share = gain / of.room if of.room > 0 else 0.0
    before, after = (_binomial(repeats, p) for p in (rates, np.minimum(rates + share * (1 - rates), 1.0)))
    chances = sum(weight * np.convolve(b, a[::-1]) for weight, a, b in zip(weights, before, after, strict=True))
    positive = np.maximum(np.asarray(chances, dtype=np.float64), 0.0)
    return np.asarray(positive / positive.sum(), dtype=np.float64)


def _rate_nodes(of: Benchmark, nodes: int) -> tuple[FloatArray, FloatArray]:
    if of.correlation >= 1 or of.mean in (0, 1):
        return np.array([0.0, 1.0]), np.array([1 - of.mean, of.mean])
    if of.correlation <= 0:
        return np.array([of.mean]), np.ones(1)
    from scipy.special import roots_jacobi

    strength = 1 / of.correlation - 1
    with np.errstate(invalid="ignore", divide="ignore"):  # at ρ = 1/2 scipy divides by 0 in a branch that it then drops
        x, weights = roots_jacobi(nodes, (1 - of.mean) * strength - 1, of.mean * strength - 1)
    return np.clip((1 + x) / 2, 0.0, 1.0), np.asarray(weights / weights.sum(), dtype=np.float64)


def _binomial(repeats: int, rates: FloatArray) -> FloatArray:
    passes = np.arange(repeats + 1)
    ways = np.array([comb(repeats, k) for k in passes], dtype=np.float64)
    return np.asarray(ways * rates[:, None] ** passes * (1 - rates[:, None]) ** (repeats - passes), dtype=np.float64)


def task_rates(of: Benchmark, shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    """Rates of tasks drawn from the benchmark's beta distribution; with full correlation tasks that always or never pass."""
    if of.correlation >= 1 or of.mean in (0, 1):
        return (rng.random(shape) < of.mean).astype(np.float64)
    if of.correlation <= 0:
        return np.full(shape, of.mean)
    strength = 1 / of.correlation - 1
    return rng.beta(of.mean * strength, (1 - of.mean) * strength, shape)
