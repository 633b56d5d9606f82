"""How confidence matches accuracy, and the curve that makes it match.

Platt scaling (Platt 1999): a logistic curve over the features of a cause, fitted on planted faults with a ridge penalty on everything
but the intercept. The expected calibration error (Naeini et al. 2015) is taken over ten bins of equal mass; its interval resamples
kinds of fault, since causes of one kind stand or fall together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from blade.lab.judging import Judged

BINS = 10
DRAWS = 2_000
RIDGE = 1.0
FloatArray = npt.NDArray[np.float64]


def expected_calibration_error(confidence: npt.ArrayLike, right: npt.ArrayLike, bins: int = BINS) -> float | None:
    """Mean gap between confidence and accuracy over bins of equal mass, weighted by their size; None without cases."""
    found = reliability(confidence, right, bins)
    total = sum(size for size, _, _ in found)
    return sum(size * abs(told - true) for size, told, true in found) / total if total else None


def reliability(confidence: npt.ArrayLike, right: npt.ArrayLike, bins: int = BINS) -> list[tuple[int, float, float]]:
    """(size, mean confidence, accuracy) of bins of equal mass, from the least confident on.

    Equal confidences are never split: which of them fell into which bin would be chance, and would show as an error.
    """
    told, true = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    order = np.argsort(told, kind="stable")
    told, true = told[order], true[order]
    sizes = [part.size for part in np.array_split(order, min(bins, max(1, told.size)))]
    wanted = np.cumsum(sizes)[:-1]
    cuts = np.unique(np.searchsorted(told, told[wanted - 1], side="right")) if told.size else np.array([], dtype=np.int64)
    parts = zip(np.split(told, cuts), np.split(true, cuts), strict=True)
    return [(said.size, float(said.mean()), float(was.mean())) for said, was in parts if said.size]


def calibration(judged: Sequence[Judged]) -> dict[str, object]:
    """The error with its interval, and the bins, over the planted tasks for which a cause was claimed."""
    claimed = [one for one in judged if one.truth not in ("", "noise") and one.predicted not in ("", "unknown")]
    confidence = np.array([one.confidence for one in claimed])
    right = np.array([one.right for one in claimed], dtype=np.float64)
    kinds = sorted({one.kind for one in claimed})
    error = expected_calibration_error(confidence, right)
    return {
        "ece": error,
        "ci": _resampled(confidence, right, [one.kind for one in claimed], kinds) if len(kinds) > 1 else None,
        "n": len(claimed),
        "kinds": len(kinds),
        "accuracy": float(right.mean()) if claimed else None,
        "bins": [{"n": size, "confidence": told, "accuracy": true} for size, told, true in reliability(confidence, right)]
        if claimed
        else [],
    }


def _resampled(confidence: FloatArray, right: FloatArray, kind_of: Sequence[str], kinds: Sequence[str]) -> list[float]:
    members = [np.flatnonzero([kind == name for kind in kind_of]) for name in kinds]
    rng = np.random.default_rng(12345)
    errors = []
    for drawn in rng.integers(0, len(kinds), (DRAWS, len(kinds))):
        chosen = np.concatenate([members[number] for number in drawn])
        error = expected_calibration_error(confidence[chosen], right[chosen])
        errors.append(0.0 if error is None else error)
    low, high = np.percentile(errors, [2.5, 97.5])
    return [float(low), float(high)]


def fit_calibration(judged: Sequence[Judged], ridge: float = RIDGE) -> dict[str, float]:
    """Coefficients of the logistic curve from a cause's features to the chance that its label is right."""
    claimed = [one for one in judged if one.truth not in ("", "noise") and one.features]
    if not claimed:
        raise ValueError("no planted task has a cause with features to fit on")
    return platt([one.features for one in claimed], [one.right for one in claimed], ridge)


def left_out_error(judged: Sequence[Judged], by: Callable[[Judged], str], ridge: float = RIDGE) -> float | None:
    """The calibration error on kinds (or environments) that the curve was not fitted on: each is left out in turn.

    A curve that is fitted and judged on the same kinds is surer than it may be, because causes of one kind stand or fall together.
    """
    claimed = [one for one in judged if one.truth not in ("", "noise") and one.features]
    told: list[float] = []
    right: list[bool] = []
    for group in sorted({by(one) for one in claimed}):
        others = [one for one in claimed if by(one) != group]
        if not others:
            return None
        curve = platt([one.features for one in others], [one.right for one in others], ridge)
        for one in claimed:
            if by(one) == group:
                told.append(1 / (1 + float(np.exp(-sum(curve[name] * value for name, value in one.features.items())))))
                right.append(one.right)
    return expected_calibration_error(told, right)


def platt(features: Sequence[Mapping[str, float]], right: Sequence[bool], ridge: float = RIDGE) -> dict[str, float]:
    """Ridge-penalised logistic regression by Newton's method, with Platt's smoothed targets; the intercept is not penalised."""
    names = list(features[0])
    given = np.array([[row[name] for name in names] for row in features])
    positive = int(sum(right))
    negative = len(right) - positive
    target = np.where(np.asarray(right), (positive + 1) / (positive + 2), 1 / (negative + 2))
    penalty = np.array([0.0 if name == "intercept" else ridge for name in names])
    weights = np.zeros(len(names))
    for _ in range(100):
        chance = 1 / (1 + np.exp(-given @ weights))
        gradient = given.T @ (chance - target) + penalty * weights
        curvature = (given.T * (chance * (1 - chance))) @ given + np.diag(penalty + 1e-9)
        move = np.linalg.solve(curvature, gradient)
        weights -= move
        if float(np.abs(move).max()) < 1e-10:
            break
    return dict(zip(names, (float(weight) for weight in weights), strict=True))
