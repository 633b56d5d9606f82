"""The diagnosis of a run: which tasks failed, why, and what to fix next (`blade.diagnosis/1`).

The way through it: the facts tables give the numbers and every signal's within-task lift; patterns learn what only the whole run
shows; then the tasks stream by one at a time, each failing rollout's findings are weighed, the task gets its cause, and the rollout
votes for a mode. Modes are then measured over all their carriers, and interventions drawn from them. What is said with a number is
a claim (`statements`).
"""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from blade.claims.builder import Claims
from blade.claims.runner import CannotCompute
from blade.diagnosis import patterns
from blade.diagnosis.decisive.pointing import point_at_steps
from blade.diagnosis.failed_attempts import failed_attempts
from blade.diagnosis.findings import Finding, evidence
from blade.diagnosis.funnel import funnel
from blade.diagnosis.gains import (
    Carriers,
    Effect,
    effects,
    passing_shares,
    signal_carriers,
    signal_effects,
    signal_lifts,
)
from blade.diagnosis.health import as_json as health_json
from blade.diagnosis.health import health
from blade.diagnosis.inspection import inspection
from blade.diagnosis.interventions import interventions
from blade.diagnosis.learned_fields import learned_fields
from blade.diagnosis.limits import limits
from blade.diagnosis.measured_modes import measured_modes, mode_json, state_interventions, unexplained, union_gain
from blade.diagnosis.modes import Mode, Modes, by_task
from blade.diagnosis.opening import PRELOAD, apply, extractors
from blade.diagnosis.packed import opened
from blade.diagnosis.patterns.clusters import clusters
from blade.diagnosis.patterns.conduct import Lookup
from blade.diagnosis.patterns.unbound import UNDER_EMPTY
from blade.diagnosis.patterns.verifier import verifier_health
from blade.diagnosis.reading import Reading, read_run, reading_engine
from blade.diagnosis.skill import Skill, skill_problems
from blade.diagnosis.slices import Slices, slices
from blade.diagnosis.statements import (
    state_failures,
    state_funnel,
    state_modes,
    state_numbers,
    state_slices,
    state_tasks,
    unexplained_query,
)
from blade.diagnosis.weights import MISMATCH, Lift, Weights
from blade.engines.local import LocalEngine
from blade.runs.build import Progress
from blade.runs.quoting import literal
from blade.runs.run import Run
from blade.runs.scan import Problem
from blade.signals.calls.learned import VOTES_QUERY, Votes, learn

SCHEMA: Final = "blade.diagnosis/1"
MOST_TOOLS: Final = 200
MOST_MODES: Final = 200
"""Modes in the document; a run can have thousands of signatures, and the smallest are counted."""
MOST_UNSCORED: Final = 50
LOOSE: Final = 0.2
"""Share of the passes with a call that differs from the expected ones, from which on these do not bind."""


def diagnose(
    run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None
) -> dict[str, Any]:
    """The whole document of a run that was opened with `extractors(skill)`."""
    document = made(run, skill=skill, progress=progress, workers=workers)
    for task in document["tasks"]:
        if "repeats" in task:
            task["repeats"] = opened(task["repeats"])
    return document


def made(run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None) -> dict[str, Any]:
    """The same for who only writes it down: the repeats of its tasks are packed."""
    apply(skill, run)
    with Claims(run.held) as claims, reading_engine(run, workers) as engine, ThreadPoolExecutor(2) as beside:
        return _diagnose(run, claims, engine, beside, skill, progress or Progress(), workers)


def _diagnose(
    run: Run,
    claims: Claims,
    engine: LocalEngine,
    beside: ThreadPoolExecutor,
    skill: Skill | None,
    watch: Progress,
    workers: int | None,
) -> dict[str, Any]:
    """What the database can be asked while Python is busy, it is asked `beside`, on a connection of its own; claims are made in one order all the same."""
    whole = _learned(run, skill, workers)
    run.hold()
    asked = beside.submit(_ask, claims, run.beside(), skill)
    modes = Modes(_skipped(whole.context), frozenset(effect.name for effect in whole.by_code))
    weights = _weights(run, whole, skill)
    reading = _Told()
    watch.start("diagnosing tasks", len(run.outcomes.tasks))
    for one in read_run(run, weights, whole.context, engine):
        reading.add(one)
        modes.add(one.votes)
        watch.advance(1)
    watch.finish()
    found = modes.modes()
    reading.name_modes(found)
    told = asked.result()
    failing = [task["task"] for task in reading.tasks if task["cause"] is not None]
    stated = beside.submit(_state, claims, run.beside(), found, failing)
    pointed = beside.submit(_point, run.beside(), reading.tasks, engine)
    measured = measured_modes(run, found[:MOST_MODES], whole.of_subjects | whole.of_codes)
    document = _document(run, whole, told, reading, found, measured)
    by_id = {mode.id: mode for mode in found}
    document["interventions"] = interventions(
        document, union_gain=lambda ids: union_gain(run, [by_id[id] for id in ids]), skill=skill
    )
    pointed.result()
    stated.result()
    document["unexplained"] = unexplained(claims, run, found, measured)
    state_interventions(claims, run, document["interventions"], by_id)
    document["claims"] = claims.as_json()
    return document


@dataclass(frozen=True)
class _Whole:
    """What the run says as a whole, before any of its tasks is looked at."""

    context: patterns.Context
    of_codes: dict[tuple[str, str], Carriers]
    of_subjects: dict[tuple[str, str], Carriers]
    """The carriers of each code and of each signature."""
    by_code: list[Effect]
    """What each code costs."""
    tools: list[dict[str, Any]]


def _learned(run: Run, skill: Skill | None, workers: int | None) -> _Whole:
    known = {} if skill is None else dict(skill.tools)
    with run.apart() as apart:
        questions = {"tools": lambda run: _tools(run, known), "carriers": _carriers, **patterns.LEARNERS}
        answers = patterns.answers_of(apart, questions, workers)
    of_codes, of_subjects, by_code = answers["carriers"]
    return _Whole(patterns.learned(run, answers), of_codes, of_subjects, by_code, answers["tools"])


def _weights(run: Run, whole: _Whole, skill: Skill | None) -> Weights:
    """How much each finding explains in this run."""
    by_subject = {key: Lift(*lift) for key, lift in signal_lifts(run, whole.of_subjects).items()}
    return Weights(
        _lifts(whole.by_code) | by_subject | _lifts(_mismatch(run, whole.context.unbound)),
        between=_between(run, whole.by_code),
        passing=passing_shares(run, whole.of_codes) | passing_shares(run, whole.of_subjects),
        own=frozenset(label.code for label in skill.labels) if skill is not None else frozenset(),
    )


def _document(
    run: Run, whole: _Whole, told: "_Asked", reading: "_Told", modes: Sequence[Mode], measured: Mapping[str, Effect]
) -> dict[str, Any]:
    """The document but for what is drawn from it: interventions, what no mode explains, claims."""
    return inspection(run, told.unknown) | {
        "schema": SCHEMA,
        "health": health_json(run, health(run, reading.verifier)),
        "funnel": told.stages,
        "buckets": _buckets(run, reading),
        "slices": told.sliced.slices,
        "slice_tests": told.sliced.tests,
        "signals": _signals(run, whole.by_code),
        "modes": [mode_json(mode, measured.get(mode.id)) for mode in modes[:MOST_MODES]],
        "modes_not_listed": max(len(modes) - MOST_MODES, 0),
        "tasks": reading.tasks,
        "contrasts": reading.contrasts,
        "luck": _luck(run, reading.luck, whole.by_code),
        "clusters": clusters(run),
        "verifier_health": verifier_health(reading.verifier, run.denominator.scored),
        "tools": whole.tools,
        "learned_fields": learned_fields(run),
        "unexplained": None,
        "unscored": [
            evidence(one.rollout, one.step, one.quote) | {"detail": one.detail}
            for one in patterns.run_findings(run)[:MOST_UNSCORED]
        ],
        "limits": limits(run, told.unknown, reading.repeats)
        + [f"slice {field}: {reason}" for field, reason in told.sliced.refused.items()],
        "against": [],
    }


def _carriers(run: Run) -> tuple[dict[tuple[str, str], Carriers], dict[tuple[str, str], Carriers], list[Effect]]:
    """The carriers of each code and of each signature, and what each code costs."""
    of_codes = signal_carriers(run, by_subject=False)
    return of_codes, signal_carriers(run), signal_effects(run, carriers=of_codes)


@dataclass(frozen=True)
class _Asked:
    """What the tables say without a look at the tasks."""

    sliced: Slices
    stages: list[dict[str, Any]]
    unknown: list[Problem]


def _ask(claims: Claims, run: Run, skill: Skill | None) -> _Asked:
    sliced = slices(run, () if skill is None else skill.slices)
    stages = funnel(run, skill)
    state_numbers(claims, run)
    state_failures(claims, failed_attempts(run))
    state_funnel(claims, stages)
    state_slices(claims, run, sliced.slices)
    return _Asked(sliced, stages, [] if skill is None else skill_problems(skill, run))


def _point(run: Run, tasks: Sequence[dict[str, Any]], engine: LocalEngine) -> None:
    with engine:  # which nobody needs any more
        point_at_steps(run, tasks, engine)


def _state(claims: Claims, run: Run, modes: Sequence[Mode], failing: Sequence[str]) -> None:
    state_modes(claims, run, modes)
    state_tasks(claims, run, failing)
    if run.pass_rule.decides:
        with suppress(CannotCompute):
            claims.value(unexplained_query(run, modes))  # takes long, and `unexplained` will want it


def _skipped(context: patterns.Context) -> dict[tuple[str, str], Lookup]:
    """The lookup that a signature says was skipped."""
    return {(code, str(kind)): kind for kind in context.lookups for code in ("skipped_lookup", "filtered_in_reasoning")}


def _mismatch(run: Run, unbound: Collection[str]) -> list[Effect]:
    """Any difference from the expected calls, as one signal; changes that an empty list does not forbid are none."""
    allowed = f" AND NOT ({UNDER_EMPTY} AND subject IN ({', '.join(map(literal, sorted(unbound)))}))" if unbound else ""
    return effects(
        run, {MISMATCH: f"r.rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND code LIKE '{MISMATCH}%'{allowed})"}
    )


def _buckets(run: Run, reading: "_Told") -> dict[str, list[str] | None]:
    """The tasks by bucket; null where no rule says what passes."""
    decides = run.pass_rule.decides
    return {name: tasks if decides else None for name, tasks in reading.buckets.items()} | {"missing": _missing(run)}


def _missing(run: Run) -> list[str]:
    return [task for task, scored in zip(run.outcomes.tasks, run.outcomes.scored, strict=True) if scored == 0]


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


__all__ = ["PRELOAD", "SCHEMA", "apply", "diagnose", "extractors"]
