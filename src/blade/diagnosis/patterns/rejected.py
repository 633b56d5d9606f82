"""Work that is what the task expects, and was scored as failing (TI).

Where a task lists the calls it expects, and what is to be told, a rollout that made them all, made no other, and told everything has
done its work; a failing reward then speaks against the verifier, the more so where such a repeat passed. Silent where the process broke
down in a way that no passing repeat shares, because then something else was different. Equal work without an expectation is found
by `results`. Reward-aware: found on failing rollouts only.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.answers import REJECTED
from blade.diagnosis.patterns.conduct import BREAKDOWNS, effective_changes, excused, short
from blade.diagnosis.patterns.left_out import free_texts
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.results import mismatched
from blade.diagnosis.patterns.work import unknown_calls
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.runs.run import Run
from blade.signals.behaviour.reported import OTHERWISE

AS_EXPECTED: Final = Pattern(
    "expected_work_rejected",
    "TI",
    "every expected change was made, none besides, and all told that had to be; it was scored as failing",
    0.8,
)
UNASKED: Final = Pattern(
    "unasked_call",
    "BI",
    "a call of a tool that no expected call has and no passing repeat makes, which may have changed something",
    0.6,
)
PATTERNS: Final = (AS_EXPECTED, UNASKED)

SAMPLE: Final = 1_000
_FORM: Final = re.compile(r"(?:^|, )(.{1,80}?) for ")
LOOPS: Final = 3
"""Repeated calls from which on a rollout went round in circles, whatever passing repeats do now and then."""
_AGAIN: Final = ("repeated_call", "thrashing")
LISTED: Final = 0.5
"""Share of the rollouts with expected calls from which on a task without them expects none."""
ALONE: Final = 0.5
"""The weight where no such repeat passes, or none with the same texts: the verifier may look at more than the expected calls."""


def learn_forms(run: Run) -> frozenset[str]:
    """The shapes (`9,9` for 1,286) in which passing rollouts told what had to be told: this run's verifier reads them."""
    if not run.pass_rule.decides or "signals" not in run.meta["tables"]:
        return frozenset()
    rows = run.query(f"""
        SELECT DISTINCT detail FROM signals SEMI JOIN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}) USING (rollout)
        WHERE class = 'scored' AND code = 'answer_told' AND starts_with(detail, '{OTHERWISE}') ORDER BY detail LIMIT {SAMPLE}""").rows
    return frozenset(shape for row in rows for shape in _shapes(row[0]))


def _shapes(detail: str) -> list[str]:
    """The shape of each form that a detail tells: digits are 9 and letters a, however many."""
    forms = _FORM.findall(detail.removeprefix(OTHERWISE))
    return [re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", form)) for form in forms]


def learn_expectation(run: Run) -> bool:
    """Whether the run's tasks list the calls they expect, so that a task without any expects none."""
    if "expected" not in run.meta["tables"]:
        return False
    told = run.query(
        "SELECT count(DISTINCT rollout) / (SELECT count(*) FROM rollouts WHERE class = 'scored') FROM expected WHERE class = 'scored'"
    )
    return bool((told.rows[0][0] or 0.0) >= LISTED)


def rejected_work(
    view: TaskView, known: Collection[str] = (), accepted: Collection[str] = (), listed: bool = False
) -> Iterator[Finding]:
    """The failing repeats whose work is as expected.

    `known` are rollouts of which a sibling has already shown it, `accepted` the forms that the verifier reads: they are no reason.
    `listed` says that the run's tasks list the calls they expect, so that an empty list expects nothing.
    """
    shared = {signal.code for rollout in view.passing for signal in rollout.signals}
    usual = {name for other in view.passing for name in unknown_calls(other)}
    for rollout in view.failing:
        if mismatched(rollout) or _broke_down(rollout, shared):
            continue
        if (extra := _unasked(rollout, usual)) is not None:
            yield extra
            continue
        told = next((signal for signal in rollout.signals if signal.code == "answer_told"), None)
        made = sum(row.outcome == "made" and row.mutation != "read" for row in rollout.expected)
        if told is not None and told.detail.startswith(OTHERWISE) and not set(_shapes(told.detail)) <= set(accepted):
            yield _said_otherwise(rollout, told)
        elif (told is not None or made or _idle_like_a_pass(view, rollout, listed)) and rollout.rollout not in known:
            yield _as_expected(view, rollout, told, made)


def _unasked(rollout: RolloutView, usual: Collection[str]) -> Finding | None:
    """A call that nobody expected, of a tool of which nobody knows what it does."""
    wanted = {row.name for row in rollout.expected}
    call = next((call for name, call in unknown_calls(rollout).items() if name not in wanted and name not in usual), None)
    if call is None or not wanted:
        return None
    return UNASKED.found(
        rollout,
        subject=call.name,
        step=call.step,
        quote=short(call),
        detail=f"no expected call is one of {call.name}, no passing repeat makes one, and it succeeded",
    )


def _idle_like_a_pass(view: TaskView, rollout: RolloutView, listed: bool) -> bool:
    """Whether a task that expects lookups at most was left unchanged, as a repeat that passed left it; what was said may differ."""
    return (
        not rollout.answers
        and not rollout.checks
        and _expects_nothing(rollout, listed)
        and not effective_changes(rollout)
        and any(not effective_changes(other) for other in view.passing)
    )


def _expects_nothing(rollout: RolloutView, listed: bool) -> bool:
    return (listed or bool(rollout.expected)) and all(row.mutation != "change" for row in rollout.expected)


def _broke_down(rollout: RolloutView, shared: Collection[str]) -> bool:
    """Whether something went wrong in the process that went wrong in no passing repeat, or the row itself says what failed."""
    if sum(signal.code in _AGAIN for signal in rollout.signals) >= LOOPS:
        return True
    return any(
        (signal.code in BREAKDOWNS and signal.code not in shared and not excused(rollout, signal))
        or signal.label in ("IR", "DA", "TI")
        for signal in rollout.signals
    )


def _said_otherwise(rollout: RolloutView, told: SignalRow) -> Finding:
    return REJECTED.found(
        rollout,
        subject=told.subject,
        step=told.step,
        quote=told.quote,
        detail=f"the message says {told.detail.removeprefix(OTHERWISE)}, and no expected change is missing or wrong",
    )


def _as_expected(view: TaskView, rollout: RolloutView, told: SignalRow | None, made: int) -> Finding:
    done = f"all {made} expected changes were made and none besides" if made else "nothing had to be changed and nothing was"
    if told is not None:
        done += "; what had to be told was told"
    texts = {text for _, _, text in free_texts(rollout)}
    equal = next(
        (other for other in view.passing if not mismatched(other) and texts <= {text for _, _, text in free_texts(other)}), None
    )
    beside = "" if equal is None else f", and {equal.rollout}, which did the same, gets {equal.reward:g}"
    last = max((row.step for row in rollout.expected if row.step is not None), default=None)
    return AS_EXPECTED.found(
        rollout,
        subject="expected calls" if made else "expected words",
        step=last if told is None else told.step,
        quote=f"{done}; reward {rollout.reward:g}",
        detail=f"{done}; the reward is {rollout.reward:g}{beside}",
        weight=AS_EXPECTED.weight if equal is not None else ALONE,
    )
