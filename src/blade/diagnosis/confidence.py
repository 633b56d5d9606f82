"""How sure a cause is: how far its label leads, turned into the chance that it is right.

Platt scaling (Platt 1999) with a ridge penalty, over the margin of the label's score above the next one, and whether what leads is
only a symptom (a wrong or missing call that nothing explains). Fitted on planted faults of two sorts: 624 tasks of the lab's tuning
part, on which detectors were tuned and every label came out right, and 256 tasks of copies of the example run, on which they were not
(84 % right). Detectors have since learned from those misses too; fitting on them again (`python -m evidence.calibration`) would only make
the curve surer than it deserves to be, so it stays as it was. `blade selftest` shows how it holds on faults that were used for neither. A real run can be harder than any planted one.
"""

import math
from typing import Final

COEFFICIENTS: Final = {"intercept": 2.608, "margin": 0.885, "symptom": -1.498}


def features(margin: float, symptom: bool) -> dict[str, float]:
    return {"intercept": 1.0, "margin": margin, "symptom": float(symptom)}


def confidence(margin: float, symptom: bool) -> float:
    """Between 0 and 1."""
    given = features(margin, symptom)
    return round(1 / (1 + math.exp(-sum(COEFFICIENTS[name] * value for name, value in given.items()))), 4)
