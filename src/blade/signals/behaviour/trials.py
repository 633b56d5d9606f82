"""BI: a trial that was taken for the change.

Tools offer a rehearsal (`dry_run`, `validate_only`, `preview`) that checks a call and changes nothing. A rehearsal before the real call is
good practice; one that no real call follows leaves the work undone, and mostly the answer of the tool said so.
"""

from collections.abc import Iterator
from typing import Any

from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.calls.rehearsal import nothing_done, rehearsal_flag
from blade.signals.calls.sameness import same
from blade.signals.example import Example, call, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted.comparison import comparison_of


@signal(
    "trial_only",
    label="BI",
    needs=("call",),
    meaning="a change was only rehearsed: the flag of a trial run was left on, and no real call followed",
    causal=False,
    example=Example(
        (
            call(
                "create_refund", '{"valid": true, "message": "validated only, nothing was changed"}', order_id="W1", dry_run=True
            ),
            says("The refund is done."),
        )
    ),
)
def trial_only(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.calls:
        if made.reads or made.error is not None or (flag := rehearsal_flag(made)) is None or _meant(rollout, made, flag):
            continue
        if any(other.position > made.position and _carries_out(other, made, flag) for other in rollout.calls):
            continue
        said = nothing_done(made)
        told = f"the tool said: {said}" if said else f"{flag} asks for a trial"
        yield Evidence(made.step, made.short, f"{told}; no real call followed", argument_subject(made.name, flag))
        return


def _carries_out(other: Call, made: Call, flag: str) -> bool:
    """Whether a later call of the same tool went through with the flag the other way, or without it."""
    given: dict[str, Any] = other.arguments or {}
    return other.name == made.name and other.error is None and given.get(flag) is not (made.arguments or {}).get(flag)


def _meant(rollout: Rollout, made: Call, flag: str) -> bool:
    """Whether the trial is what was wanted: an expected call has the flag, or the request names it."""
    compared = comparison_of(rollout)
    wanted = any(
        match.expected.name == made.name and same(match.expected.arguments.get(flag), (made.arguments or {}).get(flag))
        for match in (compared.matches if compared is not None else ())
    )
    return wanted or " ".join(words_of(flag)) in rollout.request.lower().replace("-", " ").replace("_", " ")
