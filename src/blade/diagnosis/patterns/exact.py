"""Exact tests of counts in strata: does something go with passing within tasks, and not because tasks differ?"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

Table = tuple[int, int, int, int]
"""passing with it, passing, failing with it, failing: one task."""

MOST_EXACT: Final = 1_000
"""Informative tasks up to which the law of the sum is worked out exactly."""


def informative(table: Table) -> bool:
    """Whether a task can tell anything: both outcomes, and repeats with and without the thing."""
    with_passing, passing, with_failing, failing = table
    found = with_passing + with_failing
    return passing > 0 and failing > 0 and 0 < found < passing + failing


def stratified_p(tables: Mapping[Table, int] | Iterable[Table]) -> float:
    """One-sided exact p-value that so many passing rollouts have the thing, given each task's margins (Birch 1964).

    Under no association within tasks the passing count of a task is hypergeometric; the sum over tasks has the convolution of
    their laws. It is the exact counterpart of the Mantel–Haenszel test, and becomes that test (a normal law with the same mean
    and variance, corrected for continuity) beyond MOST_EXACT tasks. Tables may be given once each, or with how often they occur.
    """
    strata = sorted((table, times) for table, times in Counter(tables).items() if informative(table))
    observed = sum(table[0] * times for table, times in strata)
    if sum(times for _, times in strata) > MOST_EXACT:
        return _normal_tail(strata, observed)
    law: npt.NDArray[np.float64] = np.ones(1)
    for table, times in strata:
        part, least = _hypergeometric(table)
        observed -= least * times
        for _ in range(times):
            law = np.convolve(law, part)
    return float(min(1.0, law[observed:].sum()))


def _normal_tail(strata: list[tuple[Table, int]], observed: int) -> float:
    from scipy.special import ndtr

    mean = variance = 0.0
    for (with_passing, passing, with_failing, failing), times in strata:
        found, total = with_passing + with_failing, passing + failing
        mean += times * found * passing / total
        variance += times * found * passing * failing * (total - found) / (total**2 * (total - 1))
    return float(ndtr(-(observed - 0.5 - mean) / variance**0.5))


def _hypergeometric(table: Table) -> tuple[npt.NDArray[np.float64], int]:
    """The law of a task's passing count with the thing, from its least possible value on, and that value."""
    from scipy.special import gammaln

    _, passing, with_failing, failing = table
    found, total = table[0] + with_failing, passing + failing
    least, most = max(0, found - failing), min(found, passing)
    counts = np.arange(least, most + 1)

    def ways(n: npt.ArrayLike, k: npt.ArrayLike) -> npt.NDArray[np.float64]:
        chosen = np.asarray(k)
        return np.asarray(gammaln(np.add(n, 1)) - gammaln(chosen + 1) - gammaln(np.subtract(n, chosen) + 1))

    law = np.exp(ways(passing, counts) + ways(failing, found - counts) - ways(total, found))
    return law / law.sum(), least


def mantel_haenszel(tables: Mapping[Table, int] | Iterable[Table]) -> float | None:
    """The pooled difference in pass rate with and without the thing, within tasks (Mantel and Haenszel 1959); None without a mixed task."""
    weighted = weights = 0.0
    for (with_passing, passing, with_failing, failing), times in sorted(Counter(tables).items()):
        present = with_passing + with_failing
        absent = passing + failing - present
        if present and absent:
            weight = times * present * absent / (present + absent)
            weighted += weight * (with_passing / present - (passing - with_passing) / absent)
            weights += weight
    return weighted / weights if weights else None


def fisher_greater(hit: int, of: int, rest_hit: int, rest_of: int) -> float:
    """Fisher's exact one-sided p-value that a part holds so many of all hits."""
    from scipy.stats import hypergeom

    return float(min(1.0, hypergeom.sf(hit - 1, of + rest_of, hit + rest_hit, of)))
