"""The smallest change that a second run like this one would probably find: the minimum detectable effect (MDE) at 80 % power.

Said before there is a second run: two runs of this size, paired on their tasks, whose rates differ by the same amount on
every task. Their difference on a task then varies only by the repeats, with variance 2 within/K. With one repeat that
variance cannot be seen; it is at most the whole variance of the scores, and at least nothing, so the answer is the worst case
with the range below it.
"""

from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, IntArray, scored_counts, whole_numbers
from .mcnemar import mcnemar_power
from .quantiles import normal_quantile, student_quantile
from .variance import binary_variances, harmonic_repeats, known_variances

POWER = 0.80
ALPHA = 0.05
MOST_TASKS_FOR_EXACT = 100_000  # beyond, exact power and the formula agree and only the time differs
FEWEST_MOVED = ceil(log2(2 / ALPHA))  # a sign-flip test needs so many tasks that all move one way


@dataclass(frozen=True, slots=True)
class Detectable:
    """The effect in score units and the range its parameters leave; None where not even the full scale would be found."""

    value: float | None
    low: float | None
    high: float | None
    method: str


TOO_FEW_TASKS = Detectable(None, None, None, method="too_few_tasks")


def minimum_detectable_effect(sd_difference: float, tasks: int, repeats: float, power: float = POWER) -> float:
    """(t_{.975,T-1} + z_power) sd(d)/sqrt(T) + 1/(T K): the MDE of a paired t test (Miller 2024, with t for z).

    The last term is one step of the score lattice, for counts that are discrete. The plain z formula promises too much power
    for few tasks.
    """
    reach = student_quantile(1 - ALPHA / 2, tasks - 1) + normal_quantile(power)
    return reach * sd_difference / sqrt(tasks) + 1 / (tasks * repeats)


def detectable_rate(successes: ArrayLike, attempts: ArrayLike) -> Detectable:
    """The detectable change of a pass rate, from one run's scored tasks."""
    passed, tried = scored_counts(successes, attempts)
    known = known_variances(binary_variances(passed, tried))
    if tried.size < FEWEST_MOVED:
        return TOO_FEW_TASKS
    if known.size >= 2:
        return _from_repeats(known, tried, span=1.0)
    rate = float(np.mean(passed / tried))
    if tried.size <= MOST_TASKS_FOR_EXACT:
        worst = _mcnemar_effect(rate, tried.size)
        return Detectable(worst, _mcnemar_effect(0.0, tried.size), worst, method="exact_mcnemar_worst_case")
    return _worst_case(rate * (1 - rate), tried.size, span=1.0)


def detectable_mean(means: ArrayLike, variances: ArrayLike, attempts: ArrayLike, span: float = 1.0) -> Detectable:
    """The detectable change of a mean reward on a scale of width `span`.

    Takes each scored task's mean, sample variance (ddof 1, NaN for one attempt) and attempts.
    """
    centres, tried = np.asarray(means, dtype=np.float64), whole_numbers(attempts, "attempts")
    known = known_variances(variances)
    if tried.size < FEWEST_MOVED:
        return TOO_FEW_TASKS
    if known.size >= 2:
        return _from_repeats(known, tried, span)
    return _worst_case(float(centres.var(ddof=1)), tried.size, span)


def _from_repeats(known: FloatArray, attempts: IntArray, span: float) -> Detectable:
    """The formula with the variance that the repeats show, and with the ends of that variance's own t interval."""
    repeats = harmonic_repeats(attempts)
    doubt = student_quantile(1 - ALPHA / 2, known.size - 1) * float(known.std(ddof=1)) / sqrt(known.size)
    within = float(known.mean())
    value, low, high = (_effect(max(0.0, w), attempts.size, repeats, span) for w in (within, within - doubt, within + doubt))
    return Detectable(value, low, high, method="paired_t")


def _worst_case(variance: float, tasks: int, span: float) -> Detectable:
    worst = _effect(variance, tasks, 1.0, span)
    return Detectable(worst, _effect(0.0, tasks, 1.0, span), worst, method="paired_t_worst_case")


def _effect(within: float, tasks: int, repeats: float, span: float) -> float | None:
    """The formula on a scale of width `span`, but at least `FEWEST_MOVED` steps of the lattice: fewer are never significant."""
    step = 1 / (tasks * repeats)
    effect = span * max(minimum_detectable_effect(sqrt(2 * within / repeats) / span, tasks, repeats), FEWEST_MOVED * step)
    return effect if effect <= span else None


def _mcnemar_effect(rate: float, tasks: int) -> float | None:
    """The change towards 1/2, the noisier way, that exact McNemar finds with 80 % power when all tasks are alike."""
    rate = min(rate, 1 - rate)

    def power(effect: float) -> float:
        return mcnemar_power(tasks, gained=(1 - rate) * (rate + effect), lost=rate * max(0.0, 1 - rate - effect), alpha=ALPHA)

    low, high = 0.0, 1 - rate
    if power(high) < POWER:
        return None
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high
