"""What a rollout itself shows to have cost it nothing, or to say nothing against it, and therefore weighs little.

A value that a tool refused and that was right when the call was made again decided nothing. Looking the same thing up a second time
costs a step; going round in a loop costs the rollout. Where the harness ended a rollout before the agent's turn, for an error that
nothing shows, what had not been done by then cannot be laid on the agent: it may have been about to do it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from blade.diagnosis.findings import Finding
from blade.diagnosis.views import RolloutView
from blade.signals.behaviour.ending import ITS_TURN
from blade.signals.behaviour.lookups import NEVER_CALLED, PUT_RIGHT

EXCUSED: Final = 0.1
SHARED: Final = 0.05
"""What passing repeats show as well keeps, which is too little to stand for a rollout."""
A_LOOP: Final = 2
"""How often a lookup has to be repeated before it is more than a second look."""
UNDONE: Final = frozenset([
    "action_declined", "action_missing", "action_partial", "answer_untold", "answer_withheld", "stopped_before_work", "question_back", "not_handed_in",
    "skipped_lookup", "gave_up", "no_self_check", "error_not_retried",
])  # fmt: skip
"""Codes of what a rollout left undone, which only a rollout that was let to its end can have left."""
_MAY_BE_EXCUSED: Final = UNDONE | {"lookup_skipped", "repeated_call"}


def excused(rollout: RolloutView, found: Sequence[Finding]) -> list[Finding]:
    """The findings of a rollout, with little weight for what it has not failed for."""
    if _MAY_BE_EXCUSED.isdisjoint([one.code for one in found]):
        return list(found)
    cut_off = any(signal.code == "ended_as_error" and ITS_TURN in signal.detail for signal in rollout.signals)
    times = Counter((one.code, one.subject) for one in found if one.code == "repeated_call")
    read = {call.step for call in rollout.calls if call.mutation == "read"}
    told = []
    for one in found:
        undone = one.code in UNDONE or (one.code == "lookup_skipped" and NEVER_CALLED in one.detail)
        mended = one.code == "lookup_skipped" and PUT_RIGHT in one.detail
        second_look = one.code == "repeated_call" and one.step in read and times[one.signature] < A_LOOP
        costless = (cut_off and undone) or mended or second_look
        told.append(replace(one, weight=EXCUSED * one.weight) if costless else one)
    return told
