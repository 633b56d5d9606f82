"""Wrong arguments over the repeats of a task: the same one every time (KG), or another each time (UK).

One wrong value may have any cause. The same wrong value in nearly every repeat, from a process that was clean until it first appeared
(no error, nothing skipped that siblings looked up), is what not knowing a rule looks like. A value that wavers between
right and wrong under the same clean process is what knowing it unreliably looks like.

The wrong values themselves are reward-blind (the signal `action_wrong_argument`); these findings look at failing repeats only, so
no gain is estimated from them: take it from the signal.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from math import ceil, floor
from typing import Final, NamedTuple

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import (
    asked_before,
    breakdown,
    error_before,
    guessed,
    identifies,
    is_lookup,
    leaf_values,
    values_of,
)
from blade.diagnosis.patterns.given import figure
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.procedure import Procedures, lacking, not_usual, request_names
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.signals.behaviour.action_reasons import ANOTHER, NAMED_RECORD, OFFERED, OMITTED
from blade.signals.behaviour.grounding import MIN_CODE
from blade.signals.behaviour.lookups import SPOKEN_OF
from blade.signals.signal import parted
from blade.signals.texts.origins import FROM_OWN, IN_OWN, IN_REQUEST, NOTHING, SEEN_IN_REQUEST

SAME_WRONG: Final = Pattern(
    "same_wrong_argument",
    "KG",
    "the same wrong value of an argument in (nearly) every repeat, from a process that was clean until then",
    0.7,
)
WAVERING: Final = Pattern(
    "wavering_argument",
    "UK",
    "the value of an argument varies from repeat to repeat, right in some, after the same clean process",
    0.5,
)
CHANGED: Final = Pattern(
    "asked_value_changed",
    "BI",
    "the right value was in hand (the request names it, a tool told it, an earlier call gave it) and another one was given: passing repeats keep to it, or the request names that one too, for something else",
    0.6,
)
LEFT_OUT: Final = Pattern(
    "known_value_left_out",
    "BI",
    "a part of an argument was left out that a tool had told before the call, and is expected to be kept",
    0.75,
)
PATTERNS: Final = (SAME_WRONG, WAVERING, CHANGED, LEFT_OUT)
LEFT: Final = "nothing"
"""Said for a value that was not given."""
TOLD: Final = re.compile(r" stood in (?!the )\S+ \(step")
"""Said of an expected value that a tool had told."""
ASKED: Final = IN_REQUEST
"""Said of an expected value that the request names."""
EXPECTS: Final = re.compile(r" expects [^=;]{1,200}=([^;]{2,80}?)(?:;|$)")
"""Said of the value that is expected."""
NONE_EXPECTED: Final = f"={LEFT};"
"""Said of an argument that is expected nowhere."""
COPIED: Final = " was seen in "
"""Said of a wrong value that was seen as it is."""
GIVEN: Final = SEEN_IN_REQUEST
"""Said of a wrong value that the request names too, for something else."""
CONFUSED: Final = 0.8
"""The weight where the request names the right value and the wrong one: nobody needs to know a rule to keep them apart."""
NEARLY_EVERY: Final = 0.75
ONE_SAMPLE: Final = 0.2
MIN_TOLD: Final = 3
"""Characters of a value from which on its standing in an answer means that it was told there."""
MOSTLY_CLEAN: Final = 0.5
"""Share of the repeats with one wrong value whose process was clean: what clean ones give as well, the slips of the others did not cause."""
UNCLEAN: Final = 0.35
ANOTHER_RECORD: Final = 0.45
"""The weight where the wrong value is another record than the right one: that is chosen and not known."""


PICKED: Final = 0.3
"""The weight of wavering between records: one that was listed beside the right one was picked."""


class Wrong(NamedTuple):
    """A wrong argument value in one rollout, and where that value was first used (a failed attempt counts)."""

    rollout: RolloutView
    signal: SignalRow
    value: str
    first: int
    clean: bool


def wrong_arguments(view: TaskView, procedures: Procedures | None = None) -> dict[str, list[Wrong]]:
    """The wrong argument values of a task's failing repeats by `tool.argument`, in order."""
    usual: dict[str, frozenset[str]] = {}
    found: dict[str, list[Wrong]] = defaultdict(list)
    free = _not_compared(view)
    for rollout in view.failing:
        seen = set(free)
        for signal in rollout.signals:
            if signal.code == "action_wrong_argument" and signal.subject and signal.subject not in seen:
                seen.add(signal.subject)
                tool, _ = parted(signal.subject, rollout.tools)
                if tool not in usual:
                    usual[tool] = _usual_lookups(view, tool)
                found[signal.subject].append(_wrong(view, rollout, signal, usual[tool], procedures or {}))
    return dict(found)


def _not_compared(view: TaskView) -> set[str]:
    """The arguments that nobody compares: passing repeats give them too, and nothing is expected there."""
    return {
        signal.subject
        for rollout in view.passing
        for signal in rollout.signals
        if signal.code == "action_wrong_argument" and NONE_EXPECTED in signal.detail and signal.subject
    }


def _wrong(view: TaskView, rollout: RolloutView, signal: SignalRow, usual: frozenset[str], procedures: Procedures) -> Wrong:
    value = wrong_value(signal)
    tool, path = parted(signal.subject, rollout.tools)
    right = {row.step for row in rollout.expected if row.outcome == "made"}  # there the same value is another record's
    at = next(
        (
            call
            for call in rollout.calls
            if signal.subject.startswith(call.name or "\0")
            and call.step not in right
            and (path, value) in leaf_values(call.arguments)
        ),
        None,
    )
    first = at.step if at is not None else signal.step or 0
    asked = asked_before(rollout, first)
    clean = error_before(rollout, first) is None and breakdown(rollout, before=first) is None and usual <= asked | {tool}
    clean = (
        clean
        and not (at is not None and lacking(rollout, at, procedures))
        and not _left_unasked(rollout, signal, tool, procedures)
    )
    clean = clean and (_worked_out(view, signal) or not _invented(rollout, signal))
    return Wrong(rollout, signal, value, first, clean)


def _left_unasked(rollout: RolloutView, signal: SignalRow, tool: str, procedures: Procedures) -> bool:
    """Whether a lookup was left out before the call although the request speaks of what it is about, and those who pass may need it."""
    return any(
        other.code == "lookup_skipped"
        and SPOKEN_OF in other.detail
        and other.step == signal.step
        and not not_usual(procedures, tool, other.subject)
        for other in rollout.signals
    )


def _invented(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether the value is an identifier out of nowhere; a number or an option out of nowhere is what a rule not known looks like."""
    return guessed(rollout, signal.subject, signal.step) and (
        "@" in signal.quote or identifies(rollout, signal.step, signal.quote)
    )


def _worked_out(view: TaskView, signal: SignalRow) -> bool:
    """Whether passing repeats give a value that no answer told them: it is worked out, and a wrong one is no id that somebody made up.

    Where none passes, a code too short to name one record is taken to be worked out if nobody was told it.
    """
    told = EXPECTS.search(signal.detail)
    if told is None or not (view.passing or sum(map(str.isalnum, told[1])) < MIN_CODE):
        return False
    return not any(told[1] in (call.output or "") for rollout in view.passing or view.rollouts for call in rollout.calls)


def wrong_value(signal: SignalRow) -> str:
    """The value in a quote such as `nonfree_baggages=1`; the quote itself where it has another form."""
    name, equals, value = signal.quote.partition("=")
    return (
        value.strip()
        if equals and name.strip().replace("_", "").replace(".", "").replace("[", "").replace("]", "").isalnum()
        else signal.quote
    )


def _usual_lookups(view: TaskView, tool: str) -> frozenset[str]:
    """The tools that (nearly) all passing repeats ask before they call the given one (all repeats, where none passes): a clean one asks them too.

    What they ask later is for something else. What a single passing repeat asks may be a habit: it counts where most repeats ask it as
    well, or where it gave a value that is expected.
    """
    models = view.passing if len(view.passing) > 1 else view.rollouts
    counts: dict[str, int] = defaultdict(int)
    for rollout in models:
        for asked in asked_before(rollout, _first_call(rollout, tool)):
            counts[asked] += 1
    usual = {asked for asked, count in counts.items() if count >= NEARLY_EVERY * len(models)}
    if len(view.passing) == 1:
        wanted = {
            value
            for row in view.passing[0].expected
            if row.name == tool
            for _, value in leaf_values(row.arguments)
            if len(value) >= MIN_TOLD
        }
        usual |= {
            call.name
            for call in view.passing[0].calls
            if is_lookup(call) and any(value in (call.output or "") for value in wanted)
        }
    return frozenset(usual)


def _first_call(rollout: RolloutView, tool: str) -> int | None:
    return next((call.step for call in rollout.calls if call.name == tool), None)


def repeated_arguments(view: TaskView, procedures: Procedures | None = None) -> Iterator[Finding]:
    """KG where one wrong value stands in (nearly) every repeat, UK where values waver after a clean process."""
    for subject, wrong in wrong_arguments(view, procedures).items():
        if "." in parted(subject, wrong[0].rollout.tools)[1] and all(
            each.value == LEFT and TOLD.search(each.signal.detail) for each in wrong
        ):
            yield from (_left_out(subject, each) for each in wrong)
            continue
        values: dict[str, list[Wrong]] = defaultdict(list)
        for each in wrong:
            values[each.value].append(each)
        value, members = max(values.items(), key=lambda item: (len(item[1]), item[0]))
        if len(view.rollouts) == 1:
            yield from _single(subject, members)
        elif len(members) >= NEARLY_EVERY * len(view.rollouts) and len(members) > 1:
            yield from _same(view, subject, value, members)
        elif view.passing or len(values) > 1:
            yield from _wavering(view, subject, wrong, len(values))
            yield from (
                _changed(view, subject, each)
                for each in wrong
                if view.passing and each.clean and (_in_hand(each.signal) or _carried(each))
            )


def _in_hand(signal: SignalRow) -> bool:
    """Whether a rollout had the right value before it gave a wrong one: the request names it, a tool told it, or a call of its own gave it.

    What stands in the request as one of those to choose from is not in hand: which one it is has to be known.
    """
    if OFFERED in signal.detail:
        return False
    return ASKED in signal.detail or IN_OWN in signal.detail or TOLD.search(signal.detail) is not None


def _carried(wrong: Wrong) -> bool:
    """Whether a wrong value is the one that the rollout had given for something else: it was carried over, and no rule says so."""
    if FROM_OWN in wrong.signal.detail and len(wrong.value) >= MIN_TOLD:
        return True
    tool, path = parted(wrong.signal.subject, wrong.rollout.tools)
    return ASKED in wrong.signal.detail and any(
        call.name == tool and call.step < (wrong.signal.step or 0) and (path, wrong.value) in values_of(call)
        for call in wrong.rollout.calls
    )


def _rounded(wrong: Wrong) -> bool:
    """Whether a wrong value is the expected figure with fewer decimals: nobody needs to know a rule to write a figure as it stands."""
    told = EXPECTS.search(wrong.signal.detail)
    wanted, given = (None if text is None else figure(text) for text in (told and told[1], wrong.value))
    if wanted is None or given is None or wanted == given:
        return False
    return any(abs(given - rounded) < 1e-9 for rounded in (round(wanted), floor(wanted), ceil(wanted), round(wanted, 1)))


def _copied(signal: SignalRow) -> bool:
    """Whether a wrong value stood somewhere as it is; one that was worked out may follow a wrong rule."""
    return COPIED in signal.detail or FROM_OWN in signal.detail


def _unasked(signal: SignalRow) -> bool:
    """Whether the request names the right value and the wrong one stands nowhere: nobody needs to know a rule to write what was asked for."""
    return request_names(signal) and NOTHING in signal.detail


def _single(subject: str, members: list[Wrong]) -> Iterator[Finding]:
    for each in members:
        if each.clean:
            yield SAME_WRONG.found(
                each.rollout,
                subject=subject,
                step=each.first,
                quote=each.signal.quote,
                detail="one repeat only: whether the rule is never known (KG) or known unreliably (UK) cannot be told",
                weight=ONE_SAMPLE,
            )


def _same(view: TaskView, subject: str, value: str, members: list[Wrong]) -> Iterator[Finding]:
    kept = bool(view.passing) and all(
        (_carried(each) or (_in_hand(each.signal) and _copied(each.signal)) or _unasked(each.signal)) and each.clean
        for each in members
    )
    if kept or all(
        request_names(each.signal) and (GIVEN in each.signal.detail or OMITTED in each.signal.detail or _rounded(each))
        for each in members
    ):
        yield from (_changed(view, subject, each, CONFUSED) for each in members)
        return
    if all(NAMED_RECORD in each.signal.detail and each.clean for each in members):
        yield from (_changed(view, subject, each) for each in members)
        return
    clean = sum(each.clean for each in members)
    weight = SAME_WRONG.weight if clean >= MOSTLY_CLEAN * len(members) and clean > 1 else UNCLEAN
    process = "clean until then" if clean == len(members) else f"clean until then in {clean} of {len(members)}"
    if all(ANOTHER in each.signal.detail for each in members):
        weight = min(weight, ANOTHER_RECORD)
    steps = ", ".join(f"{each.rollout.rollout} step {each.first}" for each in members[:6])
    for each in members:
        detail = f"{value} in {len(members)} of {len(view.rollouts)} repeats ({steps}), the process {process}"
        yield SAME_WRONG.found(
            each.rollout,
            subject=subject,
            step=each.first,
            quote=each.signal.quote,
            detail=f"{detail}; {each.signal.detail}" if each.signal.detail else detail,
            weight=weight,
        )


def _left_out(subject: str, each: Wrong) -> Finding:
    return LEFT_OUT.found(each.rollout, subject=subject, step=each.first, quote=each.signal.quote, detail=each.signal.detail)


def _changed(view: TaskView, subject: str, each: Wrong, weight: float | None = None) -> Finding:
    return CHANGED.found(
        each.rollout,
        subject=subject,
        step=each.first,
        quote=each.signal.quote,
        detail=f"{each.signal.detail}; {len(view.passing)} of {len(view.rollouts)} repeats pass",
        weight=weight,
    )


def _wavering(view: TaskView, subject: str, wrong: list[Wrong], values: int) -> Iterator[Finding]:
    for each in wrong:
        if each.clean:
            yield WAVERING.found(
                each.rollout,
                subject=subject,
                step=each.first,
                quote=each.signal.quote,
                detail=f"{values} wrong value{'s' * (values > 1)} in {len(wrong)} of {len(view.rollouts)} repeats, "
                f"{len(view.passing)} pass; the process was clean until then",
                weight=PICKED
                if ANOTHER in each.signal.detail or _in_hand(each.signal) or _carried(each)
                else WAVERING.weight
                if view.passing
                else 0.35,
            )
