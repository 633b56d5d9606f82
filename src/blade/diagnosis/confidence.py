"""How sure a cause is: how far its label leads and what it rests on, turned into the chance that it is right.

Platt scaling (Platt 1999) with a ridge penalty. A cause can be wrong in two ways. Something else may explain the failure nearly as well:
that is the margin of the label's score above the next one, and whether what leads is only a symptom. Or a fault that no detector knows
may look like it: plumbing that breaks in a new way shows as its consequences, a rollout that *ended* without a result, or *knowledge* and
lookups that only the gold says are wrong, and never the other way round. So causes that are left over when nothing is found are less
sure than those that something was found for, however large their margin.

Fitted (`python -m evidence.calibration`) on planted faults of two sorts: 856 tasks of kinds that detectors had not seen when they judged
them (76 % right where a cause was claimed) and 688 of the lab's tuning part (97 % right), which count twice. With each kind left out in
turn the calibration error is .037, with each environment .035. A curve fitted without the environment payments was off by .12 on its
first, blind judgement: a new world can be harder, and so can a real run.
"""

import math
from typing import Final

COEFFICIENTS: Final = {
    "intercept": 2.478,
    "margin": 1.727,
    "symptom": -1.347,
    "left_over": -1.881,
    "ended": -3.346,
    "plumbing": 1.69,
}
LEFT_OVER: Final = frozenset(
    [
        "scattered_answers",
        "scattered_wrong_answers",
        "same_wrong_answer",
        "wrong_answer",
        "same_failed_checks",
        "wavering_work",
        "failed_checks",
        "same_wrong_argument",
        "wavering_argument",
        "lookup_skipped",
        "never_passes_in_passing_slice",
    ]
)
"""Codes that say what the model does not know, or did not look up, because the gold says so and nothing else was found."""
ENDED: Final = frozenset(
    ["gave_up", "answer_withheld", "stopped_before_work", "error_not_retried", "question_back", "no_final_answer"]
)
"""Codes of an end without a result, which a fault of the plumbing leads to as well."""


def features(margin: float, symptom: bool, label: str = "", code: str | None = None) -> dict[str, float]:
    """What a confidence is computed from; `label` is the cause's first one, `code` what leads it."""
    return {
        "intercept": 1.0,
        "margin": margin,
        "symptom": float(symptom),
        "left_over": float(code in LEFT_OVER),
        "ended": float(code in ENDED),
        "plumbing": float(label in ("DA", "IR", "TI")),
    }


def confidence(margin: float, symptom: bool, label: str = "", code: str | None = None) -> float:
    """Between 0 and 1."""
    given = features(margin, symptom, label, code)
    return round(1 / (1 + math.exp(-sum(COEFFICIENTS[name] * value for name, value in given.items()))), 4)
