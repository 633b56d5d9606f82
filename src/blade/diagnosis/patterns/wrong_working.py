"""Wrong answers told apart by their working: how most repeats of a task leave the worked solution of its row (`signals.worked`).

That a task's answer is wrong is what the score says already. Which label it gets does not depend on this; the name of its failure mode does.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from blade.diagnosis.catalogue import ANSWER
from blade.diagnosis.views import RolloutView, SignalRow

SLIP: Final = "arithmetic_slip"
DEPARTS: Final = "working_departs"
FALSE_EQUATION: Final = "a false equation"


def how_wrong(rollouts: Sequence[RolloutView]) -> str:
    """The subject of wrong answers: what most of them have in common, or just that they are answers."""
    told = Counter(
        FALSE_EQUATION if found.code == SLIP else found.subject
        for rollout in rollouts
        if (found := _telling(rollout)) is not None
    )
    return min(told, key=lambda how: (-told[how], how)) if told else ANSWER


def told_of_working(rollout: RolloutView) -> str:
    """The same in a sentence, with the figures, as the continuation of one."""
    found = _telling(rollout)
    if found is None:
        return ""
    return f"; its working says {found.quote}, and {found.detail}" if found.code == SLIP else f"; {found.detail}"


def _telling(rollout: RolloutView) -> SignalRow | None:
    """A slip explains whatever follows from it, so it is told first."""
    return next((signal for code in (SLIP, DEPARTS) for signal in rollout.signals if signal.code == code), None)
