"""Everything that is said of the difference of two runs on their common tasks, computed once, with its verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from blade.stats import (
    Detectable,
    Interval,
    OnThisBenchmark,
    bootstrap_interval,
    clustered_standard_error,
    detectable_difference,
    detectable_difference_of_rates,
    equivalence_interval,
    means_on_this_benchmark,
    pair_repeats,
    paired_interval,
    rate_differences,
    rates_on_this_benchmark,
    sign_flip_rates,
    sign_flip_test,
)
from blade.stats.counts import FloatArray
from blade.stats.sign_flip import SignFlipTest

from .letters import SECOND
from .units import POINTS, REWARDS, Units
from .verdict import DEFAULT_MARGIN, Verdict, verdict

WIDEST: Final = 1e100
"""The widest scale of rewards that is computed with: squares of differences, and their sums, stay numbers."""
BEYOND_RANGE: Final = "the rewards are so far apart that their differences cannot be computed with"


@dataclass(frozen=True, slots=True)
class PairedTests:
    """`delta` is B minus A over the common tasks; None of the figures exists without a common task, intervals need two.

    `interval` is the one to report, `equivalence` the more careful one that the margin is held against.
    """

    tasks: int
    delta: float | None
    standard_error: float | None
    interval: Interval | None
    bootstrap: Interval | None
    equivalence: Interval | None
    p_value: float | None
    test: str | None
    on_this_benchmark: OnThisBenchmark | None
    detectable: Detectable
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the verdict is told besides the figures, see `verdict`."""

    margin: float
    units: Units
    span: float = 1.0
    letter: str = SECOND
    common: int = 0
    redefined: int = 0


def compare_rates(
    successes_a: ArrayLike,
    attempts_a: ArrayLike,
    successes_b: ArrayLike,
    attempts_b: ArrayLike,
    margin: float = DEFAULT_MARGIN,
    *,
    letter: str = SECOND,
    common: int = 0,
    redefined: int = 0,
) -> PairedTests:
    """Pass rates, from the counts of each task in A and in B; tasks that a run did not score (attempts 0) are left out."""
    counts = successes_a, attempts_a, successes_b, attempts_b
    differences, tried_a, tried_b = rate_differences(*counts)
    return _tests(
        differences,
        pair_repeats(tried_a, tried_b) if differences.size else 1.0,
        sign_flip_rates(*counts),
        rates_on_this_benchmark(*counts),
        detectable_difference_of_rates(*counts),
        _Asked(margin, POINTS, letter=letter, common=common, redefined=redefined),
    )


def compare_means(
    means: tuple[ArrayLike, ArrayLike],
    variances: tuple[ArrayLike, ArrayLike],
    attempts: tuple[ArrayLike, ArrayLike],
    margin: float = DEFAULT_MARGIN,
    span: float = 1.0,
    *,
    rewards: tuple[Sequence[ArrayLike], Sequence[ArrayLike]] | None = None,
    letter: str = SECOND,
    common: int = 0,
    redefined: int = 0,
) -> PairedTests:
    """Mean rewards, from each common task's mean, sample variance (ddof 1, NaN for one attempt) and attempts in A and in B.

    `rewards` of every task in A and in B are for the test on this very task set, which is approximate without them.
    """
    centres = [np.asarray(of_run, dtype=np.float64) for of_run in means]
    if span > WIDEST:
        return _beyond_range(centres[0].size, margin)
    differences: FloatArray = centres[1] - centres[0]
    repeats = pair_repeats(*attempts) if differences.size else 1.0
    return _tests(
        differences,
        repeats,
        sign_flip_test(differences),
        means_on_this_benchmark(means, variances, attempts, span, rewards) if differences.size else None,
        detectable_difference(differences, repeats, span),
        _Asked(margin, REWARDS, span, letter, common, redefined),
    )


def _beyond_range(tasks: int, margin: float) -> PairedTests:
    """Rewards whose squares and sums no number holds: nothing is computed that would be rounding."""
    said = Verdict("not_comparable", f"Not comparable: {BEYOND_RANGE}.", margin, None)
    none = Detectable(None, None, None, "beyond_range")
    return PairedTests(tasks, None, None, None, None, None, None, None, None, none, said)


def _tests(
    differences: FloatArray,
    repeats: float,
    tested: SignFlipTest | None,
    here: OnThisBenchmark | None,
    detectable: Detectable,
    asked: _Asked,
) -> PairedTests:
    tasks, span = differences.size, asked.span
    delta = float(differences.mean()) if tasks else None
    interval, strict = paired_interval(differences, repeats, span=span), equivalence_interval(differences, span)
    p_value = tested.p_value if tested else None
    return PairedTests(
        tasks=tasks,
        delta=delta,
        standard_error=clustered_standard_error(differences),
        interval=interval,
        bootstrap=bootstrap_interval(differences),
        equivalence=strict,
        p_value=p_value,
        test=tested.method if tested else None,
        on_this_benchmark=here,
        detectable=detectable,
        verdict=verdict(
            tasks,
            delta,
            interval,
            strict,
            p_value,
            detectable,
            asked.margin,
            span=span,
            units=asked.units,
            letter=asked.letter,
            common=asked.common,
            redefined=asked.redefined,
        ),
    )
