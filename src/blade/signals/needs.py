"""What a rollout must hold for a detector to find anything in it: a call, an error, an expected call that was made otherwise.

Most detectors find nothing in most rollouts, and for many of them the same test says so at once. They name it (`@signal(…, needs=("error",))`), so each test is
asked once for a rollout, and those that can find nothing are not even started. A need is a shortcut and no rule of its own: without it, the detector finds nothing by itself
either.
"""

from collections.abc import Callable, Sequence
from typing import Final

from blade.signals.rollout import Rollout
from blade.signals.signal import Detector, Need
from blade.signals.wanted.comparison import MADE, WRONG, comparison_of


def _departs(rollout: Rollout) -> bool:
    compared = comparison_of(rollout)
    return compared is not None and (bool(compared.extra) or any(match.outcome != MADE for match in compared.counted))


def _has_wrong_argument(rollout: Rollout) -> bool:
    compared = comparison_of(rollout)
    return compared is not None and any(match.outcome == WRONG for match in compared.counted)


TESTS: Final[dict[Need, Callable[[Rollout], bool]]] = {
    "call": lambda rollout: bool(rollout.calls),
    "error": lambda rollout: bool(rollout.errors or rollout.recorded),
    "dialogue": lambda rollout: rollout.has_dialogue,
    "one_turn": lambda rollout: not rollout.has_dialogue,
    "expected_call": lambda rollout: rollout.expectation is not None,
    "departure": _departs,
    "wrong_argument": _has_wrong_argument,
}
"""Nobody else speaks in a rollout of one turn; any call that is missing, beside the expected ones or otherwise than expected is a departure."""


class ByNeeds:
    """Detectors in their order, and which of them may find something in a rollout."""

    def __init__(self, detectors: Sequence[Detector]) -> None:
        self._detectors = tuple(detectors)
        self._asked = tuple(need for need in TESTS if any(need in detector.needs for detector in detectors))
        self._chosen: dict[tuple[bool, ...], tuple[Detector, ...]] = {}  # at most one entry for each outcome of the tests

    def that_may_find(self, rollout: Rollout) -> tuple[Detector, ...]:
        met = tuple([is_met(need, rollout) for need in self._asked])
        chosen = self._chosen.get(met)
        if chosen is None:
            lacking = {need for need, held in zip(self._asked, met, strict=True) if not held}
            chosen = tuple(detector for detector in self._detectors if lacking.isdisjoint(detector.needs))
            self._chosen[met] = chosen
        return chosen


def is_met(need: Need, rollout: Rollout) -> bool:
    """Whether a rollout has what is needed; where the test itself fails, the detectors are left to tell of it."""
    try:
        return TESTS[need](rollout)
    except Exception:  # noqa: BLE001 (a bug in what is shared by detectors ends no run)
        return True
