"""The same task, passing and failing, side by side: the first decisive divergence, named, or that none was found.

`contrast(view)` takes a sometimes-pass task. What is compared are *traits* (`traits`), read without the reward; what is said is the
most decisive trait that sets failing repeats apart from passing ones (`separation`), with both steps, the counts on either side and
what chance could do. Where a wrong value goes with a lookup that only the passing repeats made, the lookup is the cause and the value the
symptom, and both are told. Contrasts look at rewards; no gain is estimated from them.
"""

from collections.abc import Mapping
from typing import Any, Final

from blade.diagnosis.contrasts.separation import Separating, separating
from blade.diagnosis.contrasts.traits import Kind, is_difference
from blade.diagnosis.contrasts.wording import LABELS, code_of, told
from blade.diagnosis.findings import evidence
from blade.diagnosis.patterns import Context
from blade.diagnosis.patterns.conduct import Lookup, effective_changes, leaf_values, lookups
from blade.diagnosis.patterns.lookups import RunLookup
from blade.diagnosis.views import RolloutView, TaskView

MOST_ALSO: Final = 4
RARE: Final = 0.1
"""Chance below which a complete separation is strong by itself."""


def contrast(view: TaskView, context: Context | None = None) -> dict[str, Any] | None:
    """The contrast of a task in the contract's shape; None for a task that does not both pass and fail."""
    if not view.passing or not view.failing:
        return None
    context = context or Context()
    found = separating(view)
    if not found:
        return _none(view)
    main = found[0]
    passing, failing = _pair(view, main)
    lookup = _explaining_lookup(view, main, found, context)
    return _entry(view, main, lookup, found[1:], passing, failing, context.lookups)


def _pair(view: TaskView, main: Separating) -> tuple[RolloutView, RolloutView]:
    """The repeats that show the divergence best: the first failing and the first passing one on their side of it."""
    failing = [rollout for rollout in view.failing if (rollout.rollout in main.failing) == main.in_failing]
    passing = [rollout for rollout in view.passing if (rollout.rollout in main.passing) != main.in_failing]
    return (passing or list(view.passing))[0], (failing or list(view.failing))[0]


def _explaining_lookup(view: TaskView, main: Separating, found: list[Separating], context: Context) -> Separating | None:
    """The lookup that explains a wrong or missing change: made by all passing repeats and no failing one, and linked to the change.

    Linked: it is where the expected values come from (the table `given`), a failing repeat is known to have skipped it
    (`lookup_skipped`), or its answer in a passing repeat told a value that the passing repeat's change then used and no failing one did.
    """
    if main.trait.kind not in (Kind.ACTION, Kind.CHANGE):
        return None
    complete = [each for each in found if each.trait.kind is Kind.LOOKUP and each.complete]
    given = {tool for argument, tool in context.given.get(view.task, ()) if argument.startswith(main.trait.subject)}
    skipped = {signal.subject for rollout in view.failing for signal in rollout.signals if signal.code == "lookup_skipped"}
    for linked in (given, skipped):
        for each in complete:
            if each.trait.subject in linked:
                return each
    used = {value for rollout in view.failing for call in effective_changes(rollout) for value in _long_values(call.arguments)}
    for each in complete:
        for rollout in view.passing:
            asked = [call for call in rollout.calls if call.name == each.trait.subject]
            fresh = {value for call in effective_changes(rollout) for value in _long_values(call.arguments)} - used
            if any(value in (call.output or "") and value not in call.arguments for value in sorted(fresh) for call in asked):
                return each
    return None


def _long_values(arguments: str) -> set[str]:
    return {value for _, value in leaf_values(arguments) if len(value) >= 4}


def _entry(
    view: TaskView,
    main: Separating,
    lookup: Separating | None,
    others: list[Separating],
    passing: RolloutView,
    failing: RolloutView,
    learned: Mapping[Lookup, RunLookup],
) -> dict[str, Any]:
    words = told(main, passing, failing)
    summary, code, subject = words.summary, code_of(main), main.trait.subject
    label = LABELS.get(code, "BI")
    spots = [evidence(name, spot.step, spot.quote) for name, spot in list(main.failing.items())[:3]]
    spots += [evidence(name, spot.step, spot.quote) for name, spot in list(main.passing.items())[:2]]
    summary += _other_ways(view, main)
    if lookup is not None:
        code, label, subject = "skipped_lookup", "BI", lookup.trait.subject
        made = ", ".join(f"{name} step {spot.step}" for name, spot in lookup.passing.items())
        summary += f". Behind it: the passing repeats call {subject} before they decide ({made}), the failing ones never do"
        spots += [evidence(name, spot.step, spot.quote) for name, spot in list(lookup.passing.items())[:2]]
    rivals = [each for each in others if each.complete and each.trait.kind <= main.trait.kind]
    strong = (
        _differs_always(view)
        if main.trait.kind is Kind.ACTION
        else main.complete and (main.chance <= RARE or _known(main, learned))
    )
    return {
        "task": view.task,
        "passing": passing.rollout,
        "failing": failing.rollout,
        "divergence": {"step_passing": words.step_passing, "step_failing": words.step_failing, "summary": summary},
        "code": code,
        "label": label,
        "subject": subject,
        "strength": "strong" if strong else "weak",
        "chance": None if main.trait.kind is Kind.ACTION else main.chance,
        "note": _note(main, len(rivals)),
        "evidence": spots,
        "passing_all": [rollout.rollout for rollout in view.passing],
        "failing_all": [rollout.rollout for rollout in view.failing],
        "counts": (lookup or main).counts,
        "also": [_also(each, view) for each in _worth_telling(others, lookup)],
    }


def _ways(rollout: RolloutView) -> list[str]:
    """How a repeat differs from the expected calls, in short."""
    return list(
        dict.fromkeys(
            f"{signal.code.replace('_', ' ')} {signal.subject}" for signal in rollout.signals if is_difference(rollout, signal)
        )
    )


def _differs_always(view: TaskView) -> bool:
    """Whether every failing repeat differs from the expected calls in some way, and no passing one does."""
    return all(map(_ways, view.failing)) and not any(map(_ways, view.passing))


def _other_ways(view: TaskView, main: Separating) -> str:
    """What the failing repeats that lack the main difference did instead, where that differs from the expected calls as well."""
    if main.trait.kind is not Kind.ACTION:
        return ""
    rest = [
        f"{rollout.rollout}: {', '.join(ways[:2])}"
        for rollout in view.failing
        if rollout.rollout not in main.failing and (ways := _ways(rollout))
    ]
    return f". Other failing repeats differ in their own way ({'; '.join(rest[:4])})" if rest else ""


def _known(main: Separating, learned: Mapping[Lookup, RunLookup]) -> bool:
    """Whether other tasks confirm it: the lookup goes with passing over the run."""
    return any(found.confirmed and str(kind) == main.trait.subject for kind, found in learned.items())


def _worth_telling(others: list[Separating], lookup: Separating | None) -> list[Separating]:
    kept = [each for each in others if each is not lookup and each.trait.kind is not Kind.CLAIM]
    return (kept or [each for each in others if each is not lookup])[:MOST_ALSO]


def _also(each: Separating, view: TaskView) -> dict[str, Any]:
    words = told(each, *_pair(view, each))
    return {"code": code_of(each), "subject": each.trait.subject, "summary": words.summary, "counts": each.counts}


def _note(main: Separating, rivals: int) -> str:
    """What chance could do, in words; the verifier looks at changes itself, so those need no such caution."""
    said = []
    if not main.complete:
        with_it, of = (len(main.failing), main.of_failing) if main.in_failing else (len(main.passing), main.of_passing)
        said.append(f"seen in {with_it} of {of} {'failing' if main.in_failing else 'passing'} repeats only")
    if main.trait.kind is not Kind.ACTION:
        said.append(f"a difference as wide arises by chance in {100 * main.chance:.0f} % of such splits")
        if rivals:
            said.append(f"{rivals} other{'s' * (rivals > 1)} of this kind separate{'s' * (rivals == 1)} the repeats as well")
    return "; ".join(said)


def _none(view: TaskView) -> dict[str, Any]:
    tools = len({str(kind) for rollout in view.rollouts for kind in lookups(rollout)})
    return {
        "task": view.task,
        "passing": view.passing[0].rollout,
        "failing": view.failing[0].rollout,
        "divergence": {
            "step_passing": None,
            "step_failing": None,
            "summary": "none found: changes, lookups, errors, endings and answers do not set the failing repeats apart",
        },
        "code": None,
        "label": None,
        "subject": "",
        "strength": "none",
        "chance": None,
        "note": f"{tools} kinds of lookup compared",
        "evidence": [],
        "passing_all": [rollout.rollout for rollout in view.passing],
        "failing_all": [rollout.rollout for rollout in view.failing],
        "counts": {"passing_with": 0, "passing": len(view.passing), "failing_with": 0, "failing": len(view.failing)},
        "also": [],
    }


__all__ = ["contrast"]
