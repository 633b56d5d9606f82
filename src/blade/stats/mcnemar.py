"""Power of the exact McNemar test (1947): two runs of one repeat each, compared on the tasks where they disagree."""

import numpy as np

from .counts import FloatArray, IntArray
from .errors import ImpossibleCounts


def mcnemar_power(tasks: int, gained: float, lost: float, alpha: float = 0.05) -> float:
    """Chance that the exact two-sided test finds the gain when a task flips to pass with chance `gained`, to fail with `lost`.

    Sums over the number of tasks that flip, as far as 10 standard deviations, beyond which nothing is left. A significant loss
    does not count.
    """
    if min(gained, lost) < 0 or gained + lost > 1 + 1e-12:
        raise ImpossibleCounts(f"flip probabilities {gained} and {lost} do not add up to at most 1")
    flip = min(gained + lost, 1.0)
    if flip == 0:
        return 0.0
    from scipy.special import bdtr

    reach = 10 * np.sqrt(tasks * flip * (1 - flip)) + 10
    flips = np.arange(max(0, int(tasks * flip - reach)), min(tasks, int(tasks * flip + reach)) + 1)
    allowed = _most_losses(flips, alpha)
    found = np.where(allowed >= 0, bdtr(np.maximum(allowed, 0).astype(np.float64), flips, lost / flip), 0.0)
    return float(np.dot(_binomial(flips, tasks, flip), found))


def _most_losses(flips: IntArray, alpha: float) -> IntArray:
    """The most losses among so many flips at which the test is still significant; -1 where it never is."""
    from scipy.special import bdtr

    def significant(losses: IntArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        tail = bdtr(np.clip(losses, 0, flips).astype(np.float64), flips, 0.5)
        return (losses < 0) | ((2 * tail <= alpha) & (losses <= flips))

    losses = np.maximum(np.floor(flips / 2 - np.sqrt(flips)).astype(np.int64), -1)
    while not (fits := significant(losses)).all():
        losses = losses - ~fits
    while (more := significant(losses + 1)).any():
        losses = losses + more
    return losses


def _binomial(counts: IntArray, size: int, rate: float) -> FloatArray:
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(size + 1) - gammaln(counts + 1) - gammaln(size - counts + 1)
    chances: FloatArray = np.exp(ways + xlogy(counts, rate) + xlog1py(size - counts, -rate))
    return chances
