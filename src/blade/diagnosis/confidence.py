"""How sure a cause is: how far its label leads and what it rests on, turned into the chance that it is right.

Platt scaling (Platt 1999) with a ridge penalty. A cause can be wrong in two ways. Something else may explain the failure nearly as well:
that is the margin of the label's score above the next one, and whether what leads is only a symptom. Or a fault that no detector knows
may look like it: plumbing that breaks in a new way shows as its consequences, a rollout that *ended* without a result, or *knowledge* and
lookups that only the gold says are wrong, and hardly ever the other way round. So what a cause rests on counts beside its margin.

Fitted (`python -m evidence.calibration`) on planted faults of two sorts: 1,227 tasks of two environments that detectors had not seen when
they judged them, for which a cause was claimed (84 % right), and 676 of the lab's tuning part (99 % right). With each kind left out in turn
the calibration error is .051, with each environment .048. A world that nobody has seen can be harder, and so can a real run.
"""

import math
from typing import Final

COEFFICIENTS: Final = {
    "intercept": 0.892,
    "margin": 2.068,
    "symptom": -1.22,
    "left_over": 0.4,
    "ended": -0.485,
    "plumbing": 0.983,
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
