"""Lucky passes: passes that came through an error or a guess. The score counts them; the right behaviour was not there.

The model case: a card id is guessed, the tool refuses it, and only that error makes the rollout look the card up. Had the guess been
a valid id, the pass would have been a failure. What looks lucky is said of passing rollouts only (reward-aware), never moves a
score, and tells the reader how far the passes can be trusted as examples of what to do.
"""

from collections.abc import Iterator
from typing import Any, Final

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import effective_changes, is_lookup, lookups, values_of
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView

GUESS_REFUSED: Final = Pattern(
    "guess_refused_then_looked_up",
    "BI",
    "a pass that first acted on a guess; only the tool's error led to the lookup that saved it",
    0.8,
)
GUESS_HELD: Final = Pattern("guess_held", "BI", "a pass whose change used a value that nothing before it gave", 0.6)
ERROR_LED: Final = Pattern(
    "error_led_to_lookup", "BI", "a pass whose first attempt failed; only after the error it looked up what it needed", 0.5
)
ERROR_LED_TO_RETRY: Final = Pattern(
    "error_led_to_retry", "BI", "a pass whose first attempt was refused, and that tried other values until one was taken", 0.3
)
WRONG_ACTION: Final = Pattern(
    "passed_despite_wrong_action", "BI", "a pass with a change that was not expected, or without one that was", 0.6
)
UNWANTED_REFUSED: Final = Pattern(
    "unwanted_change_refused",
    "BI",
    "a pass that tried a change nobody expected; only the tool's refusal kept it from being made",
    0.6,
)
CUT_SHORT: Final = Pattern("passed_cut_short", "BI", "a pass although the rollout was cut off or ran out of steps", 0.4)
PATTERNS: Final = (GUESS_REFUSED, GUESS_HELD, ERROR_LED, ERROR_LED_TO_RETRY, WRONG_ACTION, UNWANTED_REFUSED, CUT_SHORT)
CODES: Final = frozenset(pattern.code for pattern in PATTERNS)

_SAID: Final = {
    "action_extra": "made a change that was not expected",
    "extra_refused": "tried a change that was not expected",
    "action_wrong_argument": "used another value than the expected one",
    "action_missing": "left out an expected change",
    "action_partial": "left out an expected change",
}


def lucky_passes(view: TaskView) -> Iterator[Finding]:
    """What was lucky about each passing repeat of a task, most telling first; at most one finding for each of its calls."""
    for rollout in view.passing:
        yield from _through_errors(rollout)
        yield from _held_guesses(rollout)
        yield from _signals(rollout)


def luck_entry(finding: Finding) -> dict[str, Any]:
    """A finding as the diagnosis document has it under `luck`."""
    return {
        "task": finding.task,
        "rollout": finding.rollout,
        "step": finding.step,
        "code": finding.code,
        "why": finding.detail,
        "quote": finding.quote,
    }


def _through_errors(rollout: RolloutView) -> Iterator[Finding]:
    """State-changing calls that failed and were made good later, by tool: the first failure of each."""
    told: set[str] = set()
    guesses = {signal.step: signal for signal in rollout.signals if signal.code in ("ungrounded_argument", "lookup_skipped")}
    for failed in rollout.changes:
        if failed.error_class is None or failed.name in told:
            continue
        saved = next((call for call in effective_changes(rollout) if call.name == failed.name and call.step > failed.step), None)
        if saved is None:
            continue
        told.add(failed.name)
        changed = _changed(failed, saved)
        asked = _asked_between(rollout, failed.step, saved.step)
        guess = guesses.get(failed.step)
        error = f"{failed.output or failed.error_class}"
        after = f"step {failed.output_step if failed.output_step is not None else failed.step}"
        if guess is not None and asked is not None:
            yield GUESS_REFUSED.found(
                rollout,
                step=failed.step,
                subject=guess.subject or failed.name,
                quote=guess.quote,
                detail=f"guessed {guess.quote} in {failed.name} (step {failed.step}), was refused ({_cut(error)}, {after}), only then called "
                f"{asked.name} (step {asked.step}) and passed with {changed or 'other values'} (step {saved.step})",
            )
        elif asked is not None and changed:
            yield ERROR_LED.found(
                rollout,
                step=failed.step,
                subject=failed.name,
                quote=_cut(error),
                detail=f"{failed.name} was refused (step {failed.step}: {_cut(error)}), only then {asked.name} was called (step {asked.step}); "
                f"passed with {changed} (step {saved.step})",
            )
        elif changed:
            yield ERROR_LED_TO_RETRY.found(
                rollout,
                step=failed.step,
                subject=failed.name,
                quote=_cut(error),
                detail=f"{failed.name} was refused (step {failed.step}: {_cut(error)}) and taken with {changed} (step {saved.step})",
            )


def _asked_between(rollout: RolloutView, after: int, before: int) -> CallRow | None:
    """The first lookup between two steps with a tool that had not been asked before."""
    known = {kind.tool for kind in lookups(rollout, before=after)}
    return next(
        (call for call in rollout.calls if after < call.step < before and is_lookup(call) and call.name not in known), None
    )


def _changed(failed: CallRow, saved: CallRow) -> str:
    """The argument values that differ between the failed call and the one that succeeded."""
    before = set(values_of(failed))
    fresh: dict[str, list[str]] = {}
    for path, value in values_of(saved):
        if (path, value) not in before:
            fresh.setdefault(path, []).append(value)
    # One value says more than a list that grew, so it comes first; of a list the beginning is enough.
    told = sorted(fresh.items(), key=lambda item: len(item[1]))
    return ", ".join(f"{path}={values[0]}{f' and {len(values) - 1} more' if values[1:] else ''}" for path, values in told[:3])


def _held_guesses(rollout: RolloutView) -> Iterator[Finding]:
    steps = {call.step: call for call in effective_changes(rollout)}
    for signal in rollout.signals:
        if signal.code == "ungrounded_argument" and signal.step in steps:
            yield GUESS_HELD.found(
                rollout,
                step=signal.step,
                subject=signal.subject,
                quote=signal.quote,
                detail=f"{signal.quote} of {steps[signal.step].name} (step {signal.step}) rests on nothing seen before, and it was right",
            )


def _signals(rollout: RolloutView) -> Iterator[Finding]:
    wrong = next((signal for signal in rollout.signals if signal.code in _SAID), None)
    if wrong is not None:
        refused = wrong.code == "extra_refused"
        said = (
            "only the tool's refusal kept it from making a change that was not expected"
            if refused
            else f"passed although it {_SAID[wrong.code]}"
        )
        yield (UNWANTED_REFUSED if refused else WRONG_ACTION).found(
            rollout, step=wrong.step, subject=wrong.subject, quote=wrong.quote, detail=f"{said}: {wrong.detail or wrong.quote}"
        )
    cut = next((signal for signal in rollout.signals if signal.code in CUT_OFF), None)
    if cut is not None:
        yield CUT_SHORT.found(
            rollout,
            step=cut.step,
            subject=cut.code,
            quote=cut.quote,
            detail=f"passed although {cut.detail or cut.code.replace('_', ' ')}",
        )


def _cut(text: str, limit: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
