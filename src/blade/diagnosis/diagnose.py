"""The diagnosis of a run: which tasks failed, why, and what to fix next (`blade.diagnosis/1`).

The way through it: the facts tables give the numbers and every signal's within-task lift; patterns learn what only the whole run
shows; then the tasks stream by one at a time, each failing rollout's findings are weighed, the task gets its cause, and the rollout
votes for a mode. Modes are then measured over all their carriers, and interventions drawn from them. What is said with a number is
a claim (`statements`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from blade.claims.builder import Claims
from blade.claims.estimators import gain_json
from blade.diagnosis import patterns
from blade.diagnosis.decisive.pointing import point_at_steps
from blade.diagnosis.findings import Finding, evidence
from blade.diagnosis.funnel import funnel
from blade.diagnosis.gains import (
    Carriers,
    Effect,
    effects,
    held_out_tasks,
    mode_query,
    ranking_json,
    signal_carriers,
    signal_effects,
)
from blade.diagnosis.health import as_json as health_json
from blade.diagnosis.health import health
from blade.diagnosis.inspection import inspection
from blade.diagnosis.interventions import interventions
from blade.diagnosis.modes import Mode, Modes, any_mode, by_task, is_signature
from blade.diagnosis.patterns.clusters import clusters
from blade.diagnosis.patterns.unbound import UNDER_EMPTY
from blade.diagnosis.patterns.verifier import verifier_health
from blade.diagnosis.reading import Reading, read_run
from blade.diagnosis.skill import Skill, condition, facts_of, skill_problems
from blade.diagnosis.slices import slices
from blade.diagnosis.statements import (
    state_funnel,
    state_modes,
    state_numbers,
    state_slices,
    state_tasks,
    unexplained_query,
)
from blade.diagnosis.weights import MISMATCH, Lift, Weights
from blade.runs.build import Progress
from blade.runs.quoting import literal
from blade.runs.run import Run
from blade.runs.scan import Extractor, Problem
from blade.signals.learned import VOTES_QUERY, Votes, learn
from blade.signals.options import Options
from blade.untrusted.escapes import one_line

SCHEMA: Final = "blade.diagnosis/1"
MOST_TOOLS: Final = 200
MOST_CLAIMED: Final = 10
MOST_MODES: Final = 200
"""Modes in the document; a run can have thousands of signatures, and the smallest are counted."""
MOST_UNSCORED: Final = 50
LOOSE: Final = 0.2
"""Share of the passes with a call that differs from the expected ones, from which on these do not bind."""


def extractors(skill: Skill | None = None) -> tuple[Extractor, ...]:
    """What a run has to be opened with to be diagnosed."""
    from blade.diagnosis.skill.detectors import rules_as_detectors, skill_extractors
    from blade.signals.answer_rows import AnswersExtractor
    from blade.signals.checks import ChecksExtractor
    from blade.signals.expected import ExpectedExtractor, GivenExtractor
    from blade.signals.extractor import CallsExtractor, SignalsExtractor
    from blade.signals.outputs import OutputsExtractor
    from blade.signals.restated import RestatedExtractor

    options = Options() if skill is None else skill.options
    return (
        SignalsExtractor(options, () if skill is None else rules_as_detectors(skill)),
        CallsExtractor(options),
        ExpectedExtractor(options=options),
        GivenExtractor(options),
        AnswersExtractor(options),
        ChecksExtractor(options),
        RestatedExtractor(options),
        OutputsExtractor(options),
        *(() if skill is None else skill_extractors(skill)),
    )


def apply(skill: Skill | None, run: Run) -> None:
    """Let the benchmark's own rule decide what passes, where its skill has one."""
    if skill is not None and skill.pass_when is not None:
        run.pass_by(condition(skill.pass_when, facts_of(run)))


def diagnose(
    run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None
) -> dict[str, Any]:
    """The whole document of a run that was opened with `extractors(skill)`."""
    watch = progress or Progress()
    run.hold()
    apply(skill, run)
    of_codes, of_subjects = signal_carriers(run, by_subject=False), signal_carriers(run)
    by_code = signal_effects(run, carriers=of_codes)
    context = patterns.learn(run)
    modes = Modes(_lookup_conditions(context), frozenset(effect.name for effect in by_code))
    lifts = _lifts([*by_code, *signal_effects(run, intervals=False, carriers=of_subjects), *_mismatch(run, context.unbound)])
    weights = Weights(
        lifts,
        between=_between(run, by_code),
        own=frozenset(label.code for label in skill.labels) if skill is not None else frozenset(),
    )
    reading = _Told()
    watch.start("diagnosing tasks", len(run.outcomes.tasks))
    for one in read_run(run, weights, context, workers):
        reading.add(one)
        modes.add(one.votes)
        watch.advance(1)
    watch.finish()
    found = modes.modes()
    reading.name_modes(found)
    point_at_steps(run, reading.tasks)
    measured = _measured(run, found[:MOST_MODES], of_subjects | of_codes)
    sliced = slices(run, () if skill is None else skill.slices)
    stages = funnel(run, skill)
    unknown = [] if skill is None else skill_problems(skill, run)
    with Claims(run) as claims:
        state_numbers(claims, run)
        state_funnel(claims, stages)
        state_slices(claims, run, sliced.slices)
        state_modes(claims, run, found)
        state_tasks(claims, run, (task["task"] for task in reading.tasks if task["cause"] is not None))
        unexplained = _unexplained(claims, run, found, measured)
        document = inspection(run, unknown) | {
            "schema": SCHEMA,
            "health": health_json(run, health(run, reading.verifier)),
            "funnel": stages,
            "buckets": _buckets(run, reading),
            "slices": sliced.slices,
            "slice_tests": sliced.tests,
            "signals": _signals(run, by_code),
            "modes": [_mode(mode, measured.get(mode.id)) for mode in found[:MOST_MODES]],
            "modes_not_listed": max(len(found) - MOST_MODES, 0),
            "tasks": reading.tasks,
            "contrasts": reading.contrasts,
            "luck": _luck(run, reading.luck, by_code),
            "clusters": clusters(run),
            "verifier_health": verifier_health(reading.verifier, run.denominator.scored),
            "tools": _tools(run, {} if skill is None else dict(skill.tools)),
            "unexplained": unexplained,
            "unscored": [
                evidence(one.rollout, one.step, one.quote) | {"detail": one.detail}
                for one in patterns.run_findings(run)[:MOST_UNSCORED]
            ],
            "limits": _limits(run, unknown, reading) + [f"slice {field}: {reason}" for field, reason in sliced.refused.items()],
            "against": [],
        }
        by_id = {mode.id: mode for mode in found}
        document["interventions"] = interventions(
            document, union_gain=lambda ids: _union_gain(run, [by_id[id] for id in ids]), skill=skill
        )
        _state_interventions(claims, run, document["interventions"], by_id)
        document["claims"] = claims.as_json()
        return document


def _lookup_conditions(context: patterns.Context) -> dict[tuple[str, str], str]:
    return {
        (code, str(kind)): found.condition
        for kind, found in context.lookups.items()
        for code in ("skipped_lookup", "filtered_in_reasoning")
    }


def _mismatch(run: Run, unbound: Collection[str]) -> list[Effect]:
    """Any difference from the expected calls, as one signal; changes that an empty list does not forbid are none."""
    allowed = f" AND NOT ({UNDER_EMPTY} AND subject IN ({', '.join(map(literal, sorted(unbound)))}))" if unbound else ""
    return effects(
        run, {MISMATCH: f"r.rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND code LIKE '{MISMATCH}%'{allowed})"}
    )


def _measured(run: Run, modes: Sequence[Mode], signatures: Mapping[tuple[str, str], Carriers]) -> dict[str, Effect]:
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


def _buckets(run: Run, reading: "_Told") -> dict[str, list[str] | None]:
    """The tasks by bucket; null where no rule says what passes."""
    decides = run.pass_rule.decides
    return {name: tasks if decides else None for name, tasks in reading.buckets.items()} | {"missing": _missing(run)}


def _missing(run: Run) -> list[str]:
    return [task for task, scored in zip(run.outcomes.tasks, run.outcomes.scored, strict=True) if scored == 0]


def _unexplained(claims: Claims, run: Run, modes: Sequence[Mode], measured: Mapping[str, Effect]) -> dict[str, Any]:
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


def is_backed(mode: Mode, effect: Effect) -> bool:
    """Whether a mode rests on more than its presence: the expected calls contradict the rollout, or its lift excludes none."""
    interval = None if effect.lift is None else effect.lift.interval
    return mode.code.startswith("action_") or (interval is not None and interval.low > 0)


@dataclass
class _Told:
    """What the readings of all tasks add up to."""

    tasks: list[dict[str, Any]] = field(default_factory=list)
    buckets: dict[str, list[str]] = field(default_factory=lambda: {"always": [], "sometimes": [], "never": [], "missing": []})
    contrasts: list[dict[str, Any]] = field(default_factory=list)
    luck: list[dict[str, Any]] = field(default_factory=list)
    verifier: list[Finding] = field(default_factory=list)
    repeats: int = 0

    def add(self, reading: Reading) -> None:
        self.tasks.append(reading.task)
        if reading.bucket is not None:
            self.buckets[reading.bucket].append(reading.task["task"])
        self.contrasts += [] if reading.contrast is None else [reading.contrast]
        self.luck += reading.luck
        self.verifier += reading.verifier
        self.repeats = max(self.repeats, reading.repeats)

    def name_modes(self, modes: Sequence[Mode]) -> None:
        named = by_task(modes)
        for task in self.tasks:
            task["modes"] = named.get(task["task"], [])


def _luck(run: Run, luck: list[dict[str, Any]], measured: Sequence[Effect]) -> list[dict[str, Any]]:
    """Passes by luck; without wrong actions where so many passes have one that the verifier plainly does not go by them."""
    passed = run.denominator.passed or 0
    loose = any(effect.name.startswith(MISMATCH) and (effect.passed or 0) > LOOSE * passed for effect in measured)
    return [one for one in luck if not (loose and one["code"] == "passed_despite_wrong_action")]


def _between(run: Run, measured: Sequence[Effect]) -> dict[tuple[str, str], Lift]:
    """How much more often rollouts with a signal fail than those without it, over the whole run."""
    failed, scored = run.denominator.failed, run.denominator.scored
    found = {}
    for effect in measured:
        if failed is None or effect.failed is None or not 0 < effect.rollouts < scored:
            continue
        rest = (failed - effect.failed) / (scored - effect.rollouts)
        found[effect.name, ""] = Lift(effect.failed / effect.rollouts - rest, effect.tasks)
    return found


def _lifts(measured: Sequence[Effect]) -> dict[tuple[str, str], Lift]:
    return {
        (effect.name, effect.subject): Lift(effect.lift.value, effect.lift.tasks)
        for effect in measured
        if effect.lift is not None
    }


def _signals(run: Run, measured: Sequence[Effect]) -> list[dict[str, Any]]:
    """The signals of the run, those that cost most within tasks first."""
    labels = dict(run.query("SELECT code, min(label) FROM signals GROUP BY code").rows)
    told = [
        {
            "code": effect.name,
            "label": labels[effect.name],
            "rollouts": effect.rollouts,
            "tasks": effect.tasks,
            "in_failed": effect.failed,
            "in_passed": effect.passed,
            "lift": None if effect.lift is None else effect.lift.value,
            "p_adjusted": effect.p_adjusted,
        }
        for effect in measured
    ]
    return sorted(told, key=lambda signal: (-(signal["lift"] or 0.0), -signal["rollouts"], signal["code"]))


def _tools(run: Run, known: Mapping[str, str]) -> list[dict[str, Any]]:
    """What each tool was taken for and why: a change, a lookup, or unknown. Most calls first."""
    votes = [Votes(*row) for row in run.query(VOTES_QUERY).rows]
    learnt = learn(votes, known)
    told = [
        {
            "name": vote.name,
            "kind": learnt[vote.name].kind,
            "reason": learnt[vote.name].reason,
            "calls": vote.calls,
            "errors": vote.errors,
        }
        for vote in sorted(votes, key=lambda vote: (-vote.calls, vote.name))
    ]
    return told[:MOST_TOOLS]


def _union(run: Run, modes: Sequence[Mode]) -> tuple[str, bool]:
    """The condition of several modes at once, and whether it was made without the reward."""
    return any_mode(modes), all(mode.reward_blind for mode in modes)


def _union_gain(run: Run, modes: Sequence[Mode]) -> dict[str, Any]:
    """The gain of fixing several modes at once, and what to rank it by."""
    together, blind = _union(run, modes)
    found = effects(run, {"union": together}, () if blind else ("union",))[0]
    held_out = held_out_tasks(run)
    apart = all(found_apart(mode, held_out) for mode in modes)
    return gain_json(found.gain) | {"ranking": ranking_json(found.ranking if apart else None)}


def _state_interventions(claims: Claims, run: Run, told: Sequence[Mapping[str, Any]], modes: Mapping[str, Mode]) -> None:
    for one in told[:MOST_CLAIMED]:
        together, blind = _union(run, [modes[id] for id in one["modes"]])
        if one["modes"]:
            claims.add(
                f"what the score could gain at most: {one['title']}",
                mode_query(run, together),
                "gain" if blind else "gain_bounds",
                id=f"intervention.{one['id']}.gain",
            )


def _limits(run: Run, unknown: Sequence[Problem], reading: _Told) -> list[str]:
    """What this diagnosis could not tell, and why."""
    found = []
    if not run.pass_rule.decides:
        found.append("no pass rule fits these rewards, so no rollout is called failed: give --pass-threshold X")
    models = run.query(
        "SELECT list(DISTINCT model ORDER BY model) FROM rollouts WHERE class = 'scored' AND model IS NOT NULL"
    ).rows[0][0]
    if models and len(models) > 1:
        named = ", ".join(one_line(model, 60) for model in models[:4])
        found.append(f"rows of {len(models)} models ({named}) are taken as repeats of one another: diagnose them one by one")
    if reading.repeats <= 1:
        found.append("one repeat of each task: unreliable knowledge cannot be told from a knowledge gap, nor luck from skill")
    if not run.query("SELECT count(*) FROM expected").rows[0][0]:
        found.append("the rows hold no expected calls, so a wrong action is found only where a tool or a sibling shows it")
    if not run.query("SELECT count(expected) FROM answers").rows[0][0]:
        found.append("the rows hold no expected answer, so the verifier's judgement of answers is not checked")
    found += [f"{one.path}:{one.line}: {one.message}: what the skill says of it holds nowhere" for one in unknown]
    found.append("a cause is an association in these artifacts; only a re-run with the fix settles it")
    return found


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


def _mode(mode: Mode, effect: Effect | None) -> dict[str, Any]:
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
