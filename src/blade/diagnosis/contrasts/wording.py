"""A divergence in words: who did what at which step, and what the other side did instead."""

from typing import Final, NamedTuple

from blade.diagnosis.contrasts.separation import Separating
from blade.diagnosis.contrasts.traits import Kind, Spot
from blade.diagnosis.patterns.conduct import effective_changes, leaf_values
from blade.diagnosis.views import CallRow, RolloutView
from blade.sentences import capital
from blade.signals.signal import parted
from blade.untrusted.quotes import quote

CODES: Final = {
    (Kind.CHANGE, "change"): "other_change",
    (Kind.CHANGE, "value"): "other_argument",
    (Kind.LOOKUP, "lookup"): "skipped_lookup",
    (Kind.RECORD, "record"): "record_not_looked_up",
    (Kind.ERROR, "error"): "error_met",
    (Kind.ERROR, "reaction"): "error_handled_otherwise",
    (Kind.ANSWER, "answer"): "other_answer",
    (Kind.CLAIM, "claim"): "other_claim",
}
LABELS: Final = {"other_answer": "UK", "other_claim": "UK"}
"""The cause that a divergence speaks for where it is not behaviour."""


class Told(NamedTuple):
    summary: str
    step_passing: int | None
    step_failing: int | None


def code_of(found: Separating) -> str:
    """The code of a divergence: the signal's own, or the name of the kind of difference."""
    return CODES.get((found.trait.kind, found.trait.code), found.trait.code)


def told(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    match found.trait.kind:
        case Kind.ACTION:
            return _action(found, passing, failing)
        case Kind.CHANGE:
            return _change(found, passing, failing)
        case Kind.LOOKUP | Kind.RECORD:
            return _lookup(found, passing, failing)
        case Kind.ERROR | Kind.ENDING:
            return _event(found, passing, failing)
        case _:
            return _saying(found, passing, failing)


def _steps(spots: dict[str, Spot]) -> str:
    return ", ".join(f"{name} step {spot.step}" if spot.step is not None else name for name, spot in list(spots.items())[:6])


def _counterpart(rollout: RolloutView, tool: str) -> tuple[int | None, str]:
    """The call of a tool that changed something, as the other side of a comparison; else how the rollout ended."""
    for call in effective_changes(rollout):
        if call.name == tool:
            return call.step, f"{rollout.rollout} makes it at step {call.step}"
    return _ending(rollout)


def _ending(rollout: RolloutView) -> tuple[int | None, str]:
    if rollout.calls and (last := rollout.calls[-1]).mutation == "unknown":
        return last.step, f"{rollout.rollout} ends with {last.name} (step {last.step})"
    changes = effective_changes(rollout)
    done = ", ".join(dict.fromkeys(call.name for call in changes)) or "nothing"
    return (changes[-1].step if changes else None), f"{rollout.rollout} changes {done}"


def _action(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    spot = found.failing.get(failing.rollout) or next(iter(found.failing.values()))
    tool, argument = parted(found.trait.subject, failing.tools | passing.tools)
    step_passing, instead = _counterpart(passing, tool)
    where = _steps(dict(found.failing))
    if found.trait.code == "action_wrong_argument":
        made = next((call for call in failing.calls if call.step == spot.step), None)
        counterpart = _likest(passing, tool, made, argument)
        right = "" if counterpart is None else _value(counterpart, argument)
        step_passing = step_passing if counterpart is None else counterpart.step
        alike = len({other.quote for other in found.failing.values()}) == 1
        given = spot.quote if alike else f"another {argument} each ({failing.rollout}: {spot.quote})"
        value = f" with {given}" + (f", where {passing.rollout} has {right} (step {step_passing})" if right else f"; {instead}")
        text = f"failing repeats call {tool}{value} ({where})"
    elif found.trait.code == "action_missing":
        text = f"failing repeats never make the expected call of {tool} ({where}); {instead}"
    else:
        text = f"failing repeats call {tool}, which is not expected: {quote(spot.quote, 160)} ({where}); {instead}"
    return Told(f"{text}. {capital(spot.detail)}" if spot.detail else text, step_passing, spot.step)


def _likest(rollout: RolloutView, tool: str, made: CallRow | None, besides: str) -> CallRow | None:
    """The change with a tool that a call of another repeat is held against: the one that shares most of its values besides one, the first of them."""
    given = set() if made is None else {(path, value) for path, value in leaf_values(made.arguments) if path != besides}
    calls = [call for call in effective_changes(rollout) if call.name == tool]
    return max(calls, key=lambda call: len(given & set(leaf_values(call.arguments))), default=None)


def _value(call: CallRow, path: str) -> str:
    return quote(", ".join(dict.fromkeys(value for at, value in leaf_values(call.arguments) if at == path)), 120)


def _change(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    tool, argument = parted(found.trait.subject, failing.tools | passing.tools)
    spots = dict(found.failing if found.in_failing else found.passing)
    side, other = ("failing", passing) if found.in_failing else ("passing", failing)
    step, instead = _counterpart(other, tool)
    spot = next(iter(spots.values()))
    if found.trait.code == "change":
        text = f"{side} repeats call {tool} ({_steps(spots)}), the others do not; {instead}"
    else:
        counterpart = _likest(other, tool, None, argument)
        theirs = "" if counterpart is None else _value(counterpart, argument)
        rest = f"{other.rollout} has {theirs or 'no such value'}" + (f" (step {step})" if theirs and step is not None else "")
        text = f"{side} repeats call {tool} with {argument}={found.trait.value} ({_steps(spots)}); {rest}"
    return Told(text, *((step, spot.step) if found.in_failing else (spot.step, step)))


def _lookup(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    spot = found.passing.get(passing.rollout) or next(iter(found.passing.values()))
    what = found.trait.subject if found.trait.kind is Kind.LOOKUP else f"{found.trait.subject}={found.trait.value}"
    verb = "call" if found.trait.kind is Kind.LOOKUP else "look up"
    step, ended = _ending(failing)
    hardly = "the failing ones never do" if not found.failing else f"{len(found.failing)} of {found.of_failing} failing ones do"
    text = f"passing repeats {verb} {what} before they decide ({_steps(dict(found.passing))}), {hardly}; {ended}"
    return Told(text, spot.step, step)


def _event(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    spots = dict(found.failing if found.in_failing else found.passing)
    side = "failing" if found.in_failing else "passing"
    spot = next(iter(spots.values()))
    if found.trait.code == "reaction":
        text = f"after an error of {found.trait.subject}, {side} repeats {found.trait.value} ({_steps(spots)}); the others do not"
    elif found.trait.code == "error":
        text = f"{side} repeats meet an error of {found.trait.subject} ({found.trait.value}: {spot.quote}; {_steps(spots)}), the others do not"
    else:
        about = f" ({found.trait.subject})" if found.trait.subject else ""
        text = (
            f"{side} repeats show {found.trait.code.replace('_', ' ')}{about}: {spot.quote} ({_steps(spots)}); the others do not"
        )
    step, _ = _ending(passing if found.in_failing else failing)
    return Told(text, *((step, spot.step) if found.in_failing else (spot.step, step)))


def _saying(found: Separating, passing: RolloutView, failing: RolloutView) -> Told:
    spots = dict(found.failing if found.in_failing else found.passing)
    side, other = ("failing", passing) if found.in_failing else ("passing", failing)
    spot = next(iter(spots.values()))
    row = next(iter(other.answers), None)
    theirs = "" if row is None else f"; {other.rollout}: {' '.join((row.extracted or row.final or '').split())[-160:]}"
    what = f"answer {found.trait.value}" if found.trait.kind is Kind.ANSWER else f"close with {found.trait.value}: “{spot.quote}”"
    text = f"{side} repeats {what} ({_steps(spots)}){theirs}"
    step = None if row is None else row.final_step
    return Told(text, *((step, spot.step) if found.in_failing else (spot.step, step)))
