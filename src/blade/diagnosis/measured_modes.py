"""The failure modes of a run, measured: counts, lift and gain over all carriers, what explains nothing, and what fixing several gives.

Modes are found by votes (`modes`); what is said of them in numbers is said here, each number by the condition of the mode.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from blade.claims.builder import Claims
from blade.claims.estimators import gain_json
from blade.diagnosis.findings import evidence
from blade.diagnosis.gains import Carriers, Effect, effects, held_out_tasks, mode_query, ranking_json
from blade.diagnosis.modes import Mode, any_mode, is_signature
from blade.diagnosis.statements import unexplained_query
from blade.runs.run import Run

MOST_CLAIMED: Final = 10
NOT_MEASURED: Final[dict[str, Any]] = {
    "passed_rollouts": None,
    "share_of_loss": None,
    "lift": None,
    "lift_ci": None,
    "lift_tasks": 0,
    "p_value": None,
    "p_adjusted": None,
    "gain": {"lower": None, "estimate": None, "upper": None, "ci": None},
    "ranking": {"value": None, "by": None},
}
"""A mode of a pattern with more rollouts than a condition can list: its votes are all that is known."""


def measured_modes(run: Run, modes: Sequence[Mode], signatures: Mapping[tuple[str, str], Carriers]) -> dict[str, Effect]:
    """The modes that have a condition, by id. Sums of rewards other than 0 and 1 depend on their order, so those are asked for anew."""
    conditions = {mode.id: mode.condition for mode in modes if mode.condition is not None}
    counted = {mode.id: (mode.code, mode.subject) for mode in modes if is_signature(mode)} if run.pass_rule.decides else {}
    known = {id: signatures[key] for id, key in counted.items() if key in signatures}
    failing_only = [mode.id for mode in modes if not mode.reward_blind]
    held_out = held_out_tasks(run)
    apart = {mode.id for mode in modes if found_apart(mode, held_out)}
    return {
        effect.name: effect if effect.name in apart else replace(effect, ranking=None)
        for effect in effects(run, conditions, failing_only, known)
    }


def found_apart(mode: Mode, held_out: Collection[str]) -> bool:
    """Whether a mode was found without the held-out tasks, so that its estimate on them was not chosen for being large."""
    return any(task not in held_out for task in mode.tasks)


def is_backed(mode: Mode, effect: Effect) -> bool:
    """Whether a mode rests on more than its presence: the expected calls contradict the rollout, or its lift excludes none."""
    interval = None if effect.lift is None else effect.lift.interval
    return mode.code.startswith("action_") or (interval is not None and interval.low > 0)


def unexplained(claims: Claims, run: Run, modes: Sequence[Mode], measured: Mapping[str, Effect]) -> dict[str, Any]:
    """Failed rollouts in no mode; and those in a mode that is backed by an action mismatch or by a lift that excludes none."""
    if not run.pass_rule.decides:
        return {"rollouts": None, "share": None, "backed_rollouts": None, "backed_share": None}
    failed = run.denominator.failed or 0
    none = claims.add("failed rollouts that are in no failure mode", unexplained_query(run, modes), id="unexplained")
    backed = [mode for mode in modes if mode.id in measured and is_backed(mode, measured[mode.id])]
    rest = claims.add(
        "failed rollouts that are in no mode backed by an action mismatch or a lift",
        unexplained_query(run, backed),
        id="unbacked",
    )
    known = failed and none is not None and rest is not None
    return {
        "rollouts": none,
        "share": none / failed if known else None,
        "backed_rollouts": failed - rest if rest is not None else None,
        "backed_share": (failed - rest) / failed if known else None,
    }


def _together(run: Run, modes: Sequence[Mode]) -> tuple[str, bool]:
    """The condition of several modes at once, and whether it was made without the reward."""
    return any_mode(modes), all(mode.reward_blind for mode in modes)


def union_gain(run: Run, modes: Sequence[Mode]) -> dict[str, Any]:
    """The gain of fixing several modes at once, and what to rank it by."""
    together, blind = _together(run, modes)
    found = effects(run, {"union": together}, () if blind else ("union",))[0]
    held_out = held_out_tasks(run)
    apart = all(found_apart(mode, held_out) for mode in modes)
    return gain_json(found.gain) | {"ranking": ranking_json(found.ranking if apart else None)}


def state_interventions(claims: Claims, run: Run, told: Sequence[Mapping[str, Any]], modes: Mapping[str, Mode]) -> None:
    for one in told[:MOST_CLAIMED]:
        together, blind = _together(run, [modes[id] for id in one["modes"]])
        if one["modes"]:
            claims.add(
                f"what the score could gain at most: {one['title']}",
                mode_query(run, together),
                "gain" if blind else "gain_bounds",
                id=f"intervention.{one['id']}.gain",
            )


def mode_json(mode: Mode, effect: Effect | None) -> dict[str, Any]:
    counts = {"rollouts": mode.votes, "tasks": len(mode.tasks), "failed_rollouts": mode.votes}
    return {
        "id": mode.id,
        "title": mode.title,
        "label": mode.label,
        "signal": mode.code,
        **(counts | NOT_MEASURED if effect is None else effect.as_json()),
        "code": mode.code,
        "subject": mode.subject,
        "votes": mode.votes,
        "condition": mode.condition,
        "reward_blind": mode.reward_blind,
        "backed": effect is not None and is_backed(mode, effect),
        "tasks_listed": list(mode.tasks),
        "examples": [
            evidence(example.rollout, example.step, example.quote) | {"detail": example.detail} for example in mode.examples
        ],
    }
