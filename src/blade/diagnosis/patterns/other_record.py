"""Work on another record than the passing repeats work on (BI).

Passing repeats all give one identifier to a state-changing call; a failing repeat gives the same call another one, which it had seen in a
tool's answer: it took the wrong one of several. Where expected calls exist, they say what is wrong (`arguments`); there a rollout counts that
was shown both records by one answer and took the wrong one, or that looked the other record up as well and never asked for the right one:
it did not waver over a value, it worked on something else.
Reward-aware: found on failing rollouts only, so no gain is estimated from it.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import values_of
from blade.diagnosis.patterns.named import MOMENT
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView
from blade.signals.texts.schemes import of_one_scheme

OTHER_RECORD: Final = Pattern(
    "other_record", "BI", "a change is made to another record than the one that all passing repeats change", 0.7
)
PATTERNS: Final = (OTHER_RECORD,)
NEARLY_EVERY: Final = 0.75
_IDENTIFIER: Final = re.compile(r"(?=[^\s]*\d)[\w.:@/#-]{4,60}")
"""One word with a digit in it: the name of a record, and no prose."""


def other_record(view: TaskView) -> Iterator[Finding]:
    if not view.passing:
        return
    usual = _identifiers(view.passing[0])
    for rollout in view.passing[1:]:
        mine = _identifiers(rollout)
        usual = {key: value for key, value in usual.items() if mine.get(key, (None, ""))[1] == value[1]}
    for rollout in view.failing if usual else ():
        for key, (call, value) in _identifiers(rollout).items():
            right = usual[key][1] if key in usual else value
            if (
                value != right
                and _seen(rollout, call, value)
                and (
                    not rollout.expected
                    or _throughout(rollout, call, value, right)
                    or (_listed_together(rollout, call, value, right) and not _by_rule(view, rollout, key, value))
                )
            ):
                tool, argument = key
                yield OTHER_RECORD.found(
                    rollout,
                    subject=f"{tool}.{argument}",
                    step=call.step,
                    quote=f"{argument}={value}",
                    detail=f"all {len(view.passing)} passing repeats give {tool} {argument}={right}; {value} stood in an answer before",
                )
                break


def _identifiers(rollout: RolloutView) -> dict[tuple[str, str], tuple[CallRow, str]]:
    """By tool and argument: the last identifier that a change was given; none where changes of one tool name several."""
    found: dict[tuple[str, str], tuple[CallRow, str]] = {}
    several: set[tuple[str, str]] = set()
    for call in rollout.changes:
        for path, value in values_of(call) if call.error_class is None else ():
            key = (call.name, path)
            if _IDENTIFIER.fullmatch(value) and not MOMENT.fullmatch(value) and not value.replace(".", "").isdigit():
                if key in found and found[key][1] != value:
                    several.add(key)
                found[key] = (call, value)
    return {key: value for key, value in found.items() if key not in several}


def _seen(rollout: RolloutView, change: CallRow, value: str) -> bool:
    return any(call.step < change.step and value in (call.output or "") for call in rollout.calls)


def _listed_together(rollout: RolloutView, change: CallRow, value: str, right: str) -> bool:
    """Whether one answer held both records, in one scheme: the right one was there to be taken."""
    return of_one_scheme(right, value) and any(
        call.step < change.step and value in (call.output or "") and right in (call.output or "") for call in rollout.calls
    )


def _by_rule(view: TaskView, mine: RolloutView, key: tuple[str, str], value: str) -> bool:
    """Whether (nearly) all repeats take the same other record out of what passing ones looked up as well: by a rule that is not the right one (`arguments`)."""
    taking = sum(_identifiers(rollout).get(key, (None, ""))[1] == value for rollout in view.failing)
    usual = {(call.name, call.arguments) for rollout in view.passing for call in rollout.calls if call.mutation != "change"}
    asked = {(call.name, call.arguments) for call in mine.calls if call.mutation != "change" and value in (call.output or "")}
    return taking > 1 and taking >= NEARLY_EVERY * len(view.rollouts) and asked <= usual


def _throughout(rollout: RolloutView, change: CallRow, value: str, right: str) -> bool:
    """Whether a rollout looked up the other record before it changed it, and never asked for the right one."""
    asked = [call.arguments for call in rollout.calls if call.step < change.step and call.mutation != "change"]
    return any(value in given for given in asked) and not any(right in call.arguments for call in rollout.calls)
