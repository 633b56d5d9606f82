"""How the differences of a pair's tasks vary: Var(d) = τ² + (w_A + w_B)/K, the spread τ² of the true changes and the noise w of one rollout.

Repeats take off noise only. Where τ² alone is too wide for a change to be found, nothing but more tasks helps.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from blade.comparison.pairing import Pairing, Side
from blade.stats.counts import BoolArray, FloatArray
from blade.stats.detectable import FEWEST_MOVED, minimum_detectable_effect
from blade.stats.planning import MOST_TASKS
from blade.stats.shrinkage import within_variances

ENDLESS: Final = 1_000_000
TWO_SIDED: Final = 1.96


@dataclass(frozen=True)
class Spread:
    """How the differences of the tasks vary, on a scale of width `span`."""

    between: float
    """τ²: variance of the true changes."""
    within: float
    """w_A + w_B: variance of one rollout, summed over the two runs."""
    span: float = 1.0
    least_between: float | None = None
    """What is left of τ² when its own error is taken off; None where it is known."""
    worst_case: bool = False
    """No repeats show the noise of a rollout: it is taken to be all that the scores of the tasks differ by."""

    def effect(self, tasks: int, repeats: float) -> float | None:
        """The change that so many tasks and repeats find with 80 % power; None where not even the whole scale would be."""
        if tasks < FEWEST_MOVED:
            return None
        sd = sqrt(self.between + self.within / repeats) / self.span
        found = max(minimum_detectable_effect(sd, tasks, repeats), FEWEST_MOVED / (tasks * repeats))
        return self.span * found if found <= 1 else None

    def finds(self, target: float, tasks: int, repeats: float) -> bool:
        effect = self.effect(tasks, repeats)
        return effect is not None and effect <= target

    def never_finds(self, target: float, tasks: int) -> bool:
        """Whether repeats without end would not do, even if the true changes vary no more than they surely do."""
        least = self.between if self.least_between is None else self.least_between
        return not Spread(least, self.within, self.span).finds(target, tasks, ENDLESS)

    def tasks_needed(self, target: float, repeats: int) -> int | None:
        """The fewest tasks, by bisection; None beyond `MOST_TASKS`."""
        low, high = FEWEST_MOVED - 1, FEWEST_MOVED
        while not self.finds(target, high, repeats):
            if high >= MOST_TASKS:
                return None
            low, high = high, min(2 * high, MOST_TASKS)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.finds(target, middle, repeats) else (middle, high)
        return high


def spread_of(pairing: Pairing) -> Spread:
    """What a pair shows. With one repeat each, noise and true change cannot be told apart, and all of it is taken for noise."""
    keys = pairing.paired
    d = pairing.differences
    seen = float(d.var(ddof=1)) if d.size > 1 else 0.0
    if not d.size:
        return Spread(0.0, 0.0, pairing.judging.span)
    sides = (pairing.a, pairing.b)
    noise = [noise_of(side, keys, pairing.binary) for side in sides]
    of_means = sum(float((of_run / side.scored[keys]).mean()) for side, of_run in zip(sides, noise, strict=True))
    if max(pairing.a.scored[keys].max(), pairing.b.scored[keys].max()) < 2:
        return Spread(0.0, seen, pairing.judging.span)
    error = TWO_SIDED * seen * sqrt(2 / (d.size - 1)) if d.size > 1 else seen
    within = float(noise[0].mean() + noise[1].mean())
    return Spread(max(0.0, seen - of_means), within, pairing.judging.span, max(0.0, seen - error - of_means))


def spread_of_one(pairing: Pairing) -> Spread:
    """Of two runs like A: no change, and A's noise twice over.

    Where fewer than two tasks have repeats that noise is not seen, and is at most the variance of the tasks' scores, as
    `stats.detectable_mean` has it.
    """
    keys, span = pairing.paired, pairing.judging.span
    if int(np.isfinite(pairing.a.variances[keys]).sum()) >= 2:
        return Spread(0.0, 2 * float(noise_of(pairing.a, keys, pairing.binary).mean()), span)
    means = pairing.a.means[keys]
    return Spread(0.0, 2 * float(means.var(ddof=1)) if means.size > 1 else 0.0, span, worst_case=True)


def noise_of(side: Side, keys: BoolArray, binary: bool) -> FloatArray:
    """The variance of one rollout of each task: shrunken for rates; for rewards the sample's, or the mean of those where there is none."""
    if binary:
        return within_variances(np.rint(side.total[keys]).astype(np.int64), side.scored[keys])
    variances = np.asarray(side.variances[keys], dtype=np.float64)
    known = variances[np.isfinite(variances)]
    fallback = float(known.mean()) if known.size else float(np.var(side.means[keys])) if keys.any() else 0.0
    return np.where(np.isfinite(variances), variances, fallback)
