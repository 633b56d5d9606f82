"""Requests that cannot be worked on (DA): what the text shows, what its readers say, and what they leave undone, held together.

Each alone is weak: many benchmarks never close their sentences, an agent may complain of a request that is whole, and repeats give up for
many reasons. Together they are not: a request that breaks off and whose readers say so, or of which no repeat makes a start, is broken.
Reward-aware: found on failing rollouts only.
"""

from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import effective_changes
from blade.diagnosis.patterns.given import answer_row, given_answer
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.work import work_calls
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.runs.run import Run

UNUSABLE: Final = Pattern(
    "request_unusable",
    "DA",
    "the request is broken off or lacks something: its text, its readers and what they leave undone agree",
    0.9,
)
TWO_WAYS: Final = Pattern(
    "instructions_contradict",
    "DA",
    "several repeats say that the request wants two things that exclude each other, and those that took the other one fail",
    0.85,
)
PATTERNS: Final = (UNUSABLE, TWO_WAYS)
USUAL: Final = 0.1
"""Share of passing rollouts with an unclosed request from which on that is the benchmark's way of writing."""
CONTINUES: Final = "prompt_continues"
ABRIDGED: Final = "list_abridged"
SHOWN: Final = (
    "prompt_cut",
    "prompt_unfinished",
    "prompt_damaged",
    "material_missing",
    "comparison_stripped",
    CONTINUES,
    ABRIDGED,
)
SAYS_SO: Final = "prompt_questioned"
SAYS_TWO: Final = "instructions_questioned"
NOT_BEGUN: Final = 0.7
"""The weight where the text is open and no repeat makes a start, but none says why."""
SAID_BY_ALL: Final = 0.65
SAID_BY_MANY: Final = 0.5


def learn_requests(run: Run) -> bool:
    """Whether an unclosed request says something here: passing rollouts hardly have one."""
    if not run.pass_rule.decides or "signals" not in run.meta["tables"] or not run.denominator.passed:
        return True
    hit = run.query(f"""
        SELECT count(DISTINCT rollout) FROM signals SEMI JOIN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}) USING (rollout)
        WHERE class = 'scored' AND code = 'prompt_unfinished'""").rows[0][0]
    return bool(hit <= USUAL * run.denominator.passed)


def unusable_requests(view: TaskView, open_tells: bool) -> Iterator[Finding]:
    if not view.failing:
        return
    shown = next((signal for rollout in view.failing for signal in rollout.signals if _shows(signal, open_tells)), None)
    saying = {rollout.rollout: signal for rollout in view.failing for signal in rollout.signals if signal.code == SAYS_SO}
    weight = _weight(view, shown, len(saying))
    if weight is None:
        return
    said = f"{len(saying)} of {len(view.failing)} failing repeats say that the request is incomplete"
    for rollout in view.failing:
        mine = saying.get(rollout.rollout)
        where = mine or shown or next(iter(saying.values()))
        yield UNUSABLE.found(
            rollout,
            subject="prompt",
            step=None if mine is None else mine.step,
            quote=where.quote,
            detail=said if shown is None else f"{shown.detail}: {shown.quote[-60:]}; {said}",
            weight=weight,
        )


def contradicting_instructions(view: TaskView) -> Iterator[Finding]:
    """Requests that no answer does justice to, by what their readers say, passing ones too: nobody parts from the others in having noticed it."""
    said = {rollout.rollout: signal for rollout in view.rollouts for signal in rollout.signals if signal.code == SAYS_TWO}
    failing = sum(rollout.rollout in said for rollout in view.failing)
    if len(said) < max(2, len(view.rollouts) / 2) or not failing:
        return
    detail = f"{len(said)} of {len(view.rollouts)} repeats say that the request contradicts itself"
    for rollout in view.failing:
        where = said.get(rollout.rollout) or next(iter(said.values()))
        yield TWO_WAYS.found(
            rollout,
            subject="prompt",
            step=where.step if rollout.rollout in said else None,
            quote=where.quote,
            detail=detail,
        )


def _shows(signal: SignalRow, open_tells: bool) -> bool:
    return signal.code in SHOWN and (open_tells or signal.code != "prompt_unfinished")


def _weight(view: TaskView, shown: SignalRow | None, saying: int) -> float | None:
    if shown is not None and shown.code == ABRIDGED and not view.passing:  # one who passes found the rest somewhere
        return UNUSABLE.weight
    if shown is not None and saying:
        return UNUSABLE.weight if 2 * saying >= len(view.failing) else SAID_BY_MANY
    if (
        shown is not None
        and shown.code != CONTINUES  # what it goes on from may be found with a tool, and all may have looked in the wrong place
        and not view.passing
        and len(view.failing) > 1
        and not any(map(_begun, view.failing))
        and not any(
            signal.label == "IR" for rollout in view.failing for signal in rollout.signals
        )  # the machinery may have stopped them
    ):
        return NOT_BEGUN
    if saying > 1 and saying == len(view.failing) and not view.passing:
        return SAID_BY_ALL
    return SAID_BY_MANY if saying > 1 and 2 * saying >= len(view.failing) and not view.passing else None


def _begun(rollout: RolloutView) -> bool:
    """Whether a rollout changed something, left work, or stated an answer."""
    row = answer_row(rollout)
    given = None if row is None or not row.expected else given_answer(row)
    return bool(effective_changes(rollout) or work_calls(rollout)) or (given is not None and given.marked)
