"""Patterns: what needs siblings or the whole run, as findings in the shape that signals have.

`learn(run)` asks the database once what the run says of itself (which lookups go with passing, whether the expected answer is what the
verifier goes by, which checks bind, which tasks share a prompt); `task_findings(view, context)` then judges one task at a time, always-pass tasks
too (a pass may be lucky or empty); `run_findings(run)` holds what belongs to no task's view. Luck is kept apart
(`luck.lucky_passes`): it explains no failure.

Rooms: `answers` and `results` (TI, KG, UK), `arguments` (KG, UK), `lookups`, `procedure`, `other_record`, `left_out`, `last_step`, `unattempted`, `handing_in` and `constant` (BI), `misuse` (KG), `luck`, `verifier` and `rejected` (TI), `attributed` (IR, BI), `data`, `gold`, `gold_forms`, `gold_units`, `misadded`, `empty_gold`, `extra_calls` (BI too), `stale_gold`, `requests` and `unknown_record` (DA), `outages` with `habits`, `served`, `unclosed`, `replayed` and `clusters` (IR);
`unbound` says where an empty list of expected calls does not bind, `conduct` how a rollout went about its work, `work` what it left behind, `given` what it answered, `row_texts` what the texts of its row say, `named` which records its calls name, `exact` holds the tests.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns import (
    answers,
    arguments,
    attributed,
    constant,
    data,
    empty_gold,
    extra_calls,
    gold,
    gold_forms,
    gold_units,
    handing_in,
    last_step,
    left_out,
    lookups,
    luck,
    misadded,
    misplaced,
    misuse,
    other_record,
    outages,
    outcomes,
    procedure,
    rejected,
    replayed,
    requests,
    results,
    served,
    stale_gold,
    unattempted,
    unclosed,
    unknown_record,
    verifier,
)
from blade.diagnosis.patterns.conduct import Lookup
from blade.diagnosis.patterns.constant import Constant, learn_constant
from blade.diagnosis.patterns.data import Contested
from blade.diagnosis.patterns.given import AnswerRule, learn_answers
from blade.diagnosis.patterns.gold_forms import Forms, learn_value_forms
from blade.diagnosis.patterns.handing_in import HandingIn
from blade.diagnosis.patterns.lookups import RunLookup, learn_given, learn_lookups
from blade.diagnosis.patterns.misplaced import Other, learn_misplaced
from blade.diagnosis.patterns.openings import SharedPrompt
from blade.diagnosis.patterns.outages import Outages, learn_outages
from blade.diagnosis.patterns.outcomes import Contradiction, learn_outcomes
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.procedure import Procedures, learn_procedures
from blade.diagnosis.patterns.replayed import learn_replayed
from blade.diagnosis.patterns.served import Served, learn_served
from blade.diagnosis.patterns.stale_gold import Sources, learn_sources
from blade.diagnosis.patterns.unbound import learn_unbound
from blade.diagnosis.patterns.verifier import CheckRule, Slice, learn_checks, learn_lonely
from blade.diagnosis.views import TaskView
from blade.engines.cpus import usable_cpus
from blade.runs.run import Run

PATTERNS: Final[tuple[Pattern, ...]] = (
    *data.PATTERNS,
    *gold.PATTERNS,
    *gold_forms.PATTERNS,
    *misadded.PATTERNS,
    *gold_units.PATTERNS,
    *empty_gold.PATTERNS,
    *extra_calls.PATTERNS,
    *misplaced.PATTERNS,
    *stale_gold.PATTERNS,
    *requests.PATTERNS,
    *unknown_record.PATTERNS,
    *outages.PATTERNS,
    *served.PATTERNS,
    *unclosed.PATTERNS,
    *replayed.PATTERNS,
    *attributed.PATTERNS,
    *verifier.PATTERNS,
    *outcomes.PATTERNS,
    *results.PATTERNS,
    *rejected.PATTERNS,
    *answers.PATTERNS,
    *constant.PATTERNS,
    *arguments.PATTERNS,
    *left_out.PATTERNS,
    *last_step.PATTERNS,
    *other_record.PATTERNS,
    *lookups.PATTERNS,
    *unattempted.PATTERNS,
    *handing_in.PATTERNS,
    *misuse.PATTERNS,
    *luck.PATTERNS,
)
"""All patterns, for the reference."""


@dataclass(frozen=True)
class Context:
    """What the run as a whole says, which a single task is judged by. Empty is a fair context: then a task speaks for itself."""

    decides: bool = True
    """Whether there is a pass rule; without one nothing here is found."""
    dialogue: bool = False
    """Whether users speak inside the rollouts."""
    lookups: Mapping[Lookup, RunLookup] = field(default_factory=dict)
    answers: AnswerRule = field(default_factory=AnswerRule)
    constant: Constant | None = None
    """The one answer that the run gives to everything."""
    checks: CheckRule = field(default_factory=CheckRule)
    lonely: Mapping[str, Slice] = field(default_factory=dict)
    shared_prompts: Mapping[str, SharedPrompt] = field(default_factory=dict)
    contested: Mapping[str, Contested] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    """Odd gold that rollouts pass with, by code."""
    given: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By task: arguments of its expected calls, each with the read tool that gave the value in most repeats that saw it."""
    procedures: Procedures = field(default_factory=dict)
    accepted_forms: frozenset[str] = frozenset()
    """Shapes in which passing rollouts told what had to be told, other than as it is written."""
    outages: Outages = field(default_factory=Outages)
    outcomes: Mapping[str, Contradiction] = field(default_factory=dict)
    """By rollout: a verdict of the verifier's own that its reward contradicts."""
    served: Mapping[str, Served] = field(default_factory=dict)
    """By rollout: the setting with which it was served otherwise than the run, where such rollouts fail."""
    unclosed: Mapping[str, str] = field(default_factory=dict)
    """By rollout: how rollouts fare whose last message does not close its sentence, where that tells."""
    replayed: Mapping[str, str] = field(default_factory=dict)
    """By rollout: which other tasks got the very same response."""
    misplaced: Mapping[str, Other] = field(default_factory=dict)
    sources: Sources = field(default_factory=Sources)
    value_forms: Forms = field(default_factory=dict)
    """By argument: the form of its expected values."""
    open_requests_tell: bool = True
    """Whether a request that is not closed says something: passing rollouts hardly have one."""
    calls_listed: bool = False
    """Whether the tasks list the calls they expect, so that a task without any expects none."""
    handing_in: HandingIn | None = None
    """The tool with which all passing rollouts hand their work in."""
    work_usual: bool = False
    """Whether (nearly) all passing rollouts leave some work behind."""
    unbound: frozenset[str] = frozenset()
    """Tools of which an empty list of expected calls says nothing."""
    expected_tools: frozenset[str] = frozenset()
    """Tools that tasks of the run expect and pass with."""
    empty: frozenset[str] = frozenset()
    """Tasks that list no expected call although the tasks of this run do."""

    def of(self, tasks: Collection[str]) -> "Context":
        """The same, with what is kept by task cut down to some tasks."""
        return replace(self, **self.by_task(tasks))

    def by_task(self, tasks: Collection[str]) -> dict[str, Any]:
        """What is kept by task or by rollout, for some tasks: what has to be known of them beside the rest."""
        wanted = frozenset(tasks)
        cut = {name: _cut(getattr(self, name), tasks) for name in ("lonely", "shared_prompts", "given", "misplaced")}
        return cut | {
            name: {rollout: said for rollout, said in getattr(self, name).items() if rollout.rpartition(":")[0] in wanted}
            for name in ("outcomes", "served", "unclosed", "replayed", "contested")
        }


Kept = TypeVar("Kept")


def _cut(by_task: Mapping[str, Kept], tasks: Collection[str]) -> dict[str, Kept]:
    return {task: by_task[task] for task in tasks if task in by_task}


def _learn_dialogue(run: Run) -> bool:
    spoken = "SELECT coalesce(avg(CAST(user_turns > 0 AS INTEGER)), 0) > 0.5 FROM rollouts WHERE class = 'scored'"
    return bool(run.query(spoken).rows[0][0])


LEARNERS: Final[Mapping[str, Callable[[Run], Any]]] = {
    "outages": learn_outages,  # takes longest
    "dialogue": _learn_dialogue,
    "lookups": learn_lookups,
    "answers": learn_answers,
    "constant": learn_constant,
    "checks": learn_checks,
    "lonely": learn_lonely,
    "shared_prompts": data.learn_shared_prompts,
    "contested": data.learn_contested,
    "harmless": data.learn_harmless,
    "given": learn_given,
    "procedures": learn_procedures,
    "outcomes": learn_outcomes,
    "served": learn_served,
    "unclosed": unclosed.learn_unclosed,
    "replayed": learn_replayed,
    "misplaced": learn_misplaced,
    "sources": learn_sources,
    "value_forms": learn_value_forms,
    "open_requests_tell": requests.learn_requests,
    "accepted_forms": rejected.learn_forms,
    "calls_listed": rejected.learn_expectation,
    "work_usual": unattempted.learn_work,
    "handing_in": handing_in.learn_handing_in,
    "unbound": learn_unbound,
    "expected_tools": extra_calls.learn_expected_tools,
    "empty": empty_gold.learn_empty,
}
"""What asks the run, by the part of the context that it gives. None knows of another, so they can be asked side by side."""


def answers_of(run: Run, questions: Mapping[str, Callable[[Run], Any]], workers: int | None = 1) -> dict[str, Any]:
    """What each of several questions about a run is answered, asked side by side.

    The database does most of it, outside Python's lock, so several workers (None: as many as there are CPUs) are threads here.
    """
    asked = [(ask, run.beside()) for ask in questions.values()]
    with ThreadPoolExecutor(workers or usable_cpus()) as pool:
        return dict(zip(questions, pool.map(lambda pair: pair[0](pair[1]), asked), strict=True))


def learned(run: Run, parts: Mapping[str, Any]) -> Context:
    """The context of a run that was opened with the extractors, from what its `LEARNERS` were answered; a missing table leaves its part empty."""
    return Context(decides=run.pass_rule.decides, **{name: parts[name] for name in LEARNERS})


def learn(run: Run, workers: int | None = 1) -> Context:
    return learned(run, answers_of(run, LEARNERS, workers))


def task_findings(view: TaskView, context: Context) -> list[Finding]:
    """What the repeats of one task show together, in the order of suspicion: data, verifier, behaviour, knowledge."""
    return list(_task_findings(view, context))


def _task_findings(view: TaskView, context: Context) -> Iterator[Finding]:
    if not context.decides:
        return
    yield from data.data_findings(view, context.shared_prompts, context.contested, context.harmless)
    yield from gold.contradicted_gold(view)
    yield from misadded.misadded(view)
    yield from gold_forms.gold_in_other_form(view, context.value_forms)
    yield from gold_units.gold_in_other_unit(view)
    yield from empty_gold.empty_gold(view, context.empty)
    yield from extra_calls.extra_calls(view, context.expected_tools, context.dialogue)
    yield from misplaced.misplaced_gold(view, context.misplaced)
    yield from stale_gold.gold_for_other_values(view)
    yield from stale_gold.gold_of_another(view)
    yield from stale_gold.stale_gold(view, context.sources)
    yield from stale_gold.gold_against_record(view, context.sources)
    yield from requests.unusable_requests(view, context.open_requests_tell)
    yield from requests.contradicting_instructions(view)
    yield from unknown_record.unknown_records(view)
    yield from outages.outages(view, context.outages)
    yield from served.served_otherwise(view, context.served)
    yield from unclosed.lost_streams(view, context.unclosed)
    yield from replayed.replayed(view, context.replayed)
    yield from attributed.attributed(view)
    yield from verifier.contradictions(view, context.checks)
    yield from outcomes.contradicted_outcomes(view, context.outcomes)
    yield from verifier.failing_checks(view, context.checks)
    yield from verifier.lonely(view, context.lonely)
    equal = list(results.equal_work(view))
    yield from equal
    yield from rejected.rejected_work(view, {finding.rollout for finding in equal}, context.accepted_forms, context.calls_listed)
    yield from answers.verifier_against_answers(view, context.answers)
    separating = lookups.separations(view, context.lookups)
    yield from lookups.skipped_lookups(view, separating)
    yield from lookups.resolved_lookups(view, context.given.get(view.task, ()))
    yield from procedure.skipped_procedures(view, context.procedures, {str(each.lookup) for each in separating})
    yield from unattempted.unattempted(view, context.work_usual)
    yield from handing_in.not_handed_in(view, context.handing_in)
    yield from misuse.same_misuse(view)
    yield from arguments.repeated_arguments(view, context.procedures)
    yield from left_out.pieces_left_out(view)
    yield from last_step.stopped_short(view)
    yield from other_record.other_record(view)
    told_apart = any(each.complete and each.weight >= 0.5 for each in separating)
    yield from results.unusable_outputs(view)
    yield from results.knowledge_of_checks(view, told_apart=told_apart)
    same = list(constant.constant_answers(view, context.constant)) if context.answers.decides else []
    yield from same
    if len(same) < len(view.failing):
        yield from answers.knowledge(view, context.answers, told_apart=told_apart)


def run_findings(run: Run) -> list[Finding]:
    """What stands in no task's view: rows that could not be scored and do not say why."""
    return list(data.invalid_rewards(run))


__all__ = ["LEARNERS", "PATTERNS", "Context", "Pattern", "answers_of", "learn", "learned", "run_findings", "task_findings"]
