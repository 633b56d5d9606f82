"""What a rollout must hold for a detector to find anything in it: a call, an error, an expected call that was made otherwise.

Most detectors find nothing in most rollouts, and for many of them the same test says so at once. They name it (`@signal(…, needs=("error",))`), so each test is
asked once for each rollout, and those that can find nothing are not even started. A need is a shortcut and no rule of its own: without it, the detector finds nothing by itself
either.
"""

from collections.abc import Callable, Iterator, Sequence
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


def over(detectors: Sequence[Detector], rollouts: Sequence[Rollout]) -> Iterator[tuple[Detector, Sequence[int]]]:
    """Each detector with the places of the rollouts in which it may find something, both in their order."""
    everywhere = range(len(rollouts))
    needed = dict.fromkeys(detector.needs for detector in detectors)
    met = {
        need: {place for place in everywhere if is_met(need, rollouts[place])}
        for need in TESTS
        if any(need in needs for needs in needed)
    }
    places = {needs: sorted(set(everywhere).intersection(*(met[need] for need in needs))) for needs in needed}
    for detector in detectors:
        yield detector, places[detector.needs]


def is_met(need: Need, rollout: Rollout) -> bool:
    """Whether a rollout has what is needed; where the test itself fails, the detectors are left to tell of it."""
    try:
        return TESTS[need](rollout)
    except Exception:  # noqa: BLE001 (a bug in what is shared by detectors ends no run)
        return True
