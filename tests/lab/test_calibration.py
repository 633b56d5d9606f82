"""Calibration: the error by hand, bins of equal mass, and a curve that is found again from draws of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blade.lab.calibration import calibration, expected_calibration_error, fit_calibration, left_out_error, platt, reliability
from blade.lab.judging import Judged


def test_the_error_is_the_mean_gap_over_bins_of_equal_mass() -> None:
    confidence = [0.1, 0.1, 0.6, 0.6, 0.9, 0.9]
    right = [0, 0, 1, 0, 1, 1]
    assert reliability(confidence, right, 3) == [(2, 0.1, 0.0), (2, 0.6, 0.5), (2, 0.9, 1.0)]
    assert expected_calibration_error(confidence, right, 3) == pytest.approx((0.1 + 0.1 + 0.1) / 3)
    assert expected_calibration_error([], []) is None
    assert expected_calibration_error([0.8], [1]) == pytest.approx(0.2)


def test_uneven_numbers_fill_the_first_bins_first() -> None:
    assert [size for size, _, _ in reliability(np.linspace(0, 1, 23), np.ones(23))] == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2]


def judged(truth: str, predicted: str, confidence: float, kind: str, **features: float) -> Judged:
    return Judged("records", kind, "mild", 1, "0", truth, predicted, "never", confidence, features=features)


def test_only_claimed_causes_of_planted_tasks_are_calibrated() -> None:
    some = [
        judged("BI", "BI", 0.9, "a"),
        judged("BI", "KG", 0.7, "b"),
        judged("BI", "unknown", 0.0, "b"),
        judged("", "BI", 0.9, ""),
    ]
    found = calibration(some)
    assert (found["n"], found["kinds"], found["accuracy"]) == (2, 2, 0.5)
    assert found["ece"] == pytest.approx((0.1 + 0.7) / 2)
    assert found["ci"] is not None


def test_the_interval_resamples_kinds_and_is_the_same_each_time() -> None:
    rng = np.random.default_rng(4)
    some = [judged("BI", "BI" if rng.random() < 0.8 else "KG", 0.8, f"k{number % 6}") for number in range(120)]
    one, two = calibration(some), calibration(some)
    assert one == two
    assert one["bins"] == [{"n": 120, "confidence": pytest.approx(0.8), "accuracy": one["accuracy"]}]  # ties are one bin
    interval = one["ci"]
    assert isinstance(interval, list)
    assert 0.0 <= interval[0] < interval[1] < 0.3


def test_the_curve_is_found_again() -> None:
    rng = np.random.default_rng(7)
    scores = rng.uniform(-2, 2, 20_000)
    right = rng.random(20_000) < 1 / (1 + np.exp(-(0.4 + 1.5 * scores)))
    found = platt([{"intercept": 1.0, "score": float(value)} for value in scores], right.tolist(), ridge=1.0)
    assert found["intercept"] == pytest.approx(0.4, abs=0.06)
    assert found["score"] == pytest.approx(1.5, abs=0.06)


def test_the_penalty_shrinks_the_slope_and_leaves_the_intercept() -> None:
    features = [{"intercept": 1.0, "score": value} for value in (0.0, 0.0, 1.0, 1.0)]
    right = [False, True, True, True]
    loose, tight = platt(features, right, ridge=0.01), platt(features, right, ridge=1_000.0)
    assert abs(tight["score"]) < 0.01 < loose["score"]
    smoothed = (3 * (4 / 5) + 1 / 3) / 4  # Platt's targets: (positives + 1) / (positives + 2) and 1 / (negatives + 2)
    assert tight["intercept"] == pytest.approx(math.log(smoothed / (1 - smoothed)), abs=0.02)


def test_fitting_needs_a_planted_task_with_features() -> None:
    with pytest.raises(ValueError, match="no planted task"):
        fit_calibration([judged("", "BI", 0.9, "", intercept=1.0)])
    coefficients = fit_calibration(
        [judged("BI", "BI", 0.9, "a", intercept=1.0, score=0.5), judged("BI", "KG", 0.9, "a", intercept=1.0, score=0.1)]
    )
    assert set(coefficients) == {"intercept", "score"}


def test_a_kind_that_was_left_out_shows_what_the_others_could_not_tell() -> None:
    seen = [judged("BI", "BI", 0.9, kind, intercept=1.0) for kind in "abcd" for _ in range(20)]
    unseen = [judged("BI", "KG", 0.9, "e", intercept=1.0) for _ in range(20)]
    assert (left_out_error(seen, lambda one: one.kind) or 0.0) < 0.1
    assert (left_out_error([*seen, *unseen], lambda one: one.kind) or 0.0) > 0.3
    assert left_out_error(seen[:20], lambda one: one.kind) is None  # nothing to fit on
