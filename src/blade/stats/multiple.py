"""Many tests at once: p-values adjusted so that the most striking slice of many is not taken for a finding."""

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray
from .errors import StatsError


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's step-down adjustment (1979): the chance of even one false finding stays below the level. For few, planned tests."""
    given, order = _ordered(p_values)
    factors = np.arange(given.size, 0, -1)
    return _back(np.maximum.accumulate(given[order] * factors), order)


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Benjamini and Hochberg's step-up adjustment (1995): it bounds the share of false findings. For many, exploratory tests."""
    given, order = _ordered(p_values)
    factors = given.size / np.arange(1, given.size + 1)
    return _back(np.minimum.accumulate((given[order] * factors)[::-1])[::-1], order)


def _ordered(p_values: ArrayLike) -> tuple[FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.intp]]]:
    given = np.asarray(p_values, dtype=np.float64)
    if not bool(np.all((given >= 0) & (given <= 1))):
        raise StatsError("p-values must lie between 0 and 1; leave out tests that have none")
    return given, np.argsort(given, kind="stable")


def _back(adjusted: FloatArray, order: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> FloatArray:
    result = np.empty(order.size)
    result[order] = np.minimum(adjusted, 1.0)
    return result
