"""A request about a record that does not exist (DA): every repeat asks for it, and every time the tools know of none.

One repeat may mistype an id. Where all of them ask for the same one, which no answer ever showed, they have it from the request; and
where the tools answer that there is none, while the expected calls are about another id of the same scheme, the request is wrong. A tool
that fails for reasons of its own says nothing of what there is.
Reward-aware: found where every repeat fails.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import leaf_values
from blade.diagnosis.patterns.named import PROPER_NAME, asked_for, ids_in, told_none
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import RolloutView, TaskView
from blade.signals.texts.schemes import RECORD, of_one_scheme

UNKNOWN_RECORD: Final = Pattern(
    "unknown_record", "DA", "every repeat asks for the record that the request names, the tools know of none, and another is expected", 0.9
)  # fmt: skip
PATTERNS: Final = (UNKNOWN_RECORD,)
_NOTHING: Final = re.compile(
    r"\b(?:no|not|none|nothing|nobody|unknown|unanswerable|n/?a|0|null|does(?:n't| not))\b", re.IGNORECASE
)
"""Words of an answer that says that there is none."""
BY_NAME: Final = 0.7
"""The weight for a name: a backend that lost its data knows nobody either, and tells so in other tasks."""


def unknown_records(view: TaskView) -> Iterator[Finding]:
    if view.passing or len(view.failing) < 2:
        return
    wanted = {value for rollout in view.rollouts for row in rollout.expected for _, value in leaf_values(row.arguments)}
    shared = set.intersection(*(_unknown(rollout) for rollout in view.failing)) - wanted
    for value in sorted(value for value in shared if not _known(view, value)):
        instead = next((other for other in sorted(wanted) if of_one_scheme(value, other) and not _shown(view, other)), None)
        if instead is not None:
            yield from (_found(rollout, value, instead, len(view.failing)) for rollout in view.failing)
            return
    yield from _unknown_names(view, wanted)


def _unknown_names(view: TaskView, wanted: set[str]) -> Iterator[Finding]:
    """The same for a person or a thing by its name: no repeat finds it, and nobody was shown what is expected."""
    records = [value for value in wanted if RECORD.fullmatch(value)] or ([] if wanted or _searched_on(view) else _answers(view))
    if not records or any(_shown(view, value) for value in records):
        return
    asked = {
        call.arguments for rollout in view.rollouts for call in rollout.calls if call.error_class is None and not told_none(call)
    }
    shared = set.intersection(*(_names_denied(rollout) for rollout in view.failing))
    for name in sorted(name for name in shared if not any(name in arguments for arguments in asked))[:1]:
        yield from (_found(rollout, name, min(records), len(view.failing), BY_NAME) for rollout in view.failing)


def _searched_on(view: TaskView) -> bool:
    """Whether a tool that knew of nothing gave an answer to something else: a search that found nothing goes on with other words."""
    denying = {call.name for rollout in view.failing for call in rollout.calls if told_none(call)}
    return any(
        call.name in denying and call.error_class is None and not told_none(call)
        for rollout in view.rollouts
        for call in rollout.calls
    )


def _answers(view: TaskView) -> list[str]:
    """What a question expects to hear, where that is not that there is nothing."""
    told = [{row.expected for row in rollout.answers if row.expected} for rollout in view.failing]
    return sorted(value for value in set.intersection(*told) if not _NOTHING.search(value))


def _names_denied(rollout: RolloutView) -> set[str]:
    """The names that a rollout asked for and was told that there is none; an empty answer denies nobody."""
    return {
        value
        for call in rollout.calls
        if told_none(call) and (call.output or "").strip()
        for _, value in leaf_values(call.arguments)
        if PROPER_NAME.fullmatch(value)
    }


def _found(rollout: RolloutView, value: str, instead: str, repeats: int, weight: float | None = None) -> Finding:
    call = next(call for call in rollout.calls if told_none(call) and value in call.arguments)
    return UNKNOWN_RECORD.found(
        rollout,
        subject=value,
        step=call.step,
        quote=(call.output or "")[:200],
        detail=f"all {repeats} repeats ask for {value} and are told that there is none; {instead} is expected, which nobody was shown",
        weight=weight,
    )


def _unknown(rollout: RolloutView) -> set[str]:
    """The records that a rollout asked for and was told that there is none."""
    return ids_in(call.arguments for call in rollout.calls if told_none(call))


def _known(view: TaskView, value: str) -> bool:
    """Whether any answer but that there is none was about a record, or showed it."""
    return any(
        call.error_class is None
        and not told_none(call)
        and call.output
        and (value in call.output or value in asked_for(call.arguments))
        for rollout in view.rollouts
        for call in rollout.calls
    )


def _shown(view: TaskView, value: str) -> bool:
    return any(value in (call.output or "") or value in call.arguments for rollout in view.rollouts for call in rollout.calls)
