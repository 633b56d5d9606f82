"""Changes that nobody expects: a list that lacks a call (DA), or an agent that went further than it was asked to (BI).

Where every repeat of a task makes the very same further change, with values that the request names, all else is as expected, nobody passes, and
this tool is expected elsewhere in the run or named by the request itself, the list of expected calls is short of one. Where passing repeats do without a change of this tool
and no expected call has it, whoever made it took something upon himself, and what else differs follows from it. Reward-aware: found on failing rollouts.
"""

from collections.abc import Collection, Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import effective_changes, leaf_values
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.runs.run import Run
from blade.signals.behaviour.action_reasons import AS_ASKED, BY_NAME, BY_WORD, NOWHERE, UNTOLD
from blade.signals.texts.schemes import RECORD

LACKING: Final = Pattern(
    "gold_lacks_call",
    "DA",
    "all repeats make the same further change, as the request says; this call is not expected, and nobody passes",
    0.75,
)
UNASKED: Final = Pattern(
    "unasked_change",
    "BI",
    "a change by a tool that no expected call has and no passing repeat uses",
    0.75,
)
STRAY: Final = Pattern(
    "gold_stray_call",
    "DA",
    "all repeats make every expected call but one, of which neither the request nor the texts of the row know, or whose record nothing names, and nobody passes",
    0.75,
)
PATTERNS: Final = (LACKING, UNASKED, STRAY)
EXTRA: Final = "action_extra"
_OTHERWISE: Final = ("action_missing", "action_partial", "action_wrong_argument", "answer_untold")


def learn_expected_tools(run: Run) -> frozenset[str]:
    """The tools that tasks expect which some rollout passes."""
    if "expected" not in run.meta["tables"] or not run.pass_rule.decides:
        return frozenset()
    rows = run.query(f"""
        SELECT name FROM expected SEMI JOIN (SELECT DISTINCT task FROM rollouts WHERE class = 'scored' AND {run.passes}) AS t USING (task)
        WHERE class = 'scored' GROUP BY name ORDER BY name""").rows
    return frozenset(row[0] for row in rows)


def extra_calls(view: TaskView, tools: Collection[str], dialogue: bool = False) -> Iterator[Finding]:
    """In dialogues users ask for what is to be refused: there the further call itself is what is told, unless the row names what it is about."""
    if dialogue:
        if not view.passing:
            yield from _lacking(view, None)
        return
    if not view.passing:
        yield from _lacking(view, tools)
        yield from _stray(view)
        return
    usual = {call.name for rollout in view.passing for call in effective_changes(rollout)}
    for rollout in view.failing:
        wanted = {row.name for row in rollout.expected}
        for signal in _extra(rollout):
            if wanted and signal.subject not in wanted | usual:
                yield UNASKED.found(
                    rollout,
                    subject=signal.subject,
                    step=signal.step,
                    quote=signal.quote,
                    detail=f"no expected call is one of {signal.subject}, and none of the {len(view.passing)} passing repeats makes one",
                )
                break


def _lacking(view: TaskView, tools: Collection[str] | None) -> Iterator[Finding]:
    """What all repeats do and nobody expects, although it is asked for: by the request, given the tools that are usual, or by another text of the row."""
    made = [{(signal.subject, signal.quote) for signal in _extra(rollout)} for rollout in view.failing]
    if len(made) < 2 or not made[0] or any(other != made[0] for other in made):
        return
    if any(signal.code in _OTHERWISE for rollout in view.failing for signal in rollout.signals):
        return
    for rollout in view.failing:
        extra = _extra(rollout)
        if not rollout.expected or _made_again(rollout) or not all(_wanted(rollout, signal, tools) for signal in extra):
            continue
        yield LACKING.found(
            rollout,
            subject=extra[0].subject,
            step=extra[0].step,
            quote=extra[0].quote,
            detail=f"all {len(made)} repeats make it ({extra[0].detail}); all expected calls are made",
        )


def _wanted(rollout: RolloutView, signal: SignalRow, tools: Collection[str] | None) -> bool:
    if _is_retold(rollout, signal):
        return True
    usual = {*(tools or ()), *(row.name for row in rollout.expected)}
    return tools is not None and (_is_asked_for(signal, usual) or _of_the_same(rollout, signal))


def _stray(view: TaskView) -> Iterator[Finding]:
    missing = [
        {(one.subject, one.quote): one for one in rollout.signals if one.code == "action_missing"} for rollout in view.failing
    ]
    if len(missing) < 2 or len(missing[0]) != 1 or any(other.keys() != missing[0].keys() for other in missing):
        return
    signals = [next(iter(mine.values())) for mine in missing]
    if not all(NOWHERE in one.detail or UNTOLD in one.detail for one in signals):
        return
    for rollout, signal in zip(view.failing, signals, strict=True):
        others = [one for one in rollout.signals if one.code in ("action_wrong_argument", EXTRA)]
        if len(rollout.expected) > 1 and not others:
            yield STRAY.found(
                rollout,
                subject=signal.subject,
                step=signal.step,
                quote=signal.quote,
                detail=f"{signal.detail}; all else that is expected was done in {len(signals)} of {len(view.rollouts)} repeats",
            )


def _is_asked_for(signal: SignalRow, usual: Collection[str]) -> bool:
    """Whether the request asks for a call: by the name of its tool, or by a value, where it has a word of that name or the tool is expected elsewhere."""
    return BY_NAME in signal.detail or ((signal.subject in usual or BY_WORD in signal.detail) and AS_ASKED in signal.detail)


def _of_the_same(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether a call is for a record that an expected call is for, and has a value that the request says; its word is enough where all its records are."""
    wanted = " ".join(row.arguments for row in rollout.expected)
    known = [value in wanted for value in _records_in(signal)]
    return (AS_ASKED in signal.detail and any(known)) or (BY_WORD in signal.detail and bool(known) and all(known))


def _records_in(signal: SignalRow) -> list[str]:
    return [value for _, value in leaf_values(signal.quote.partition("(")[2].removesuffix(")")) if RECORD.fullmatch(value)]


def _is_retold(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether a text of the row (a solution, a rationale) names the record or the day of a call, which no expected call has."""
    wanted = " ".join(row.arguments for row in rollout.expected)
    return any(value not in wanted and value in str(row.value) for value in _records_in(signal) for row in rollout.restated)


def _made_again(rollout: RolloutView) -> bool:
    """Whether the same change was made more than once: then it is the second one that nobody expects."""
    made = [(call.name, call.arguments) for call in effective_changes(rollout)]
    return len(set(made)) < len(made)


def _extra(rollout: RolloutView) -> list[SignalRow]:
    return [signal for signal in rollout.signals if signal.code == EXTRA]
