"""What the verifier's checks say where no answer is compared: code and terminal work, judged by tests.

Three readings of a failed check after a clean process. *Equal work, another reward* (TI): the verifier saw the same thing twice and
judged it differently. *The same checks in nearly every repeat* (KG): something is not known; a check that is itself wrong looks the same
unless its message gives it away, and that reading (`verifier.failing_checks`) stays as the alternative. *Some repeats pass, others fail with
other work* (UK): it is known sometimes.

All findings here are reward-aware.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import breakdown
from blade.diagnosis.patterns.given import CUT_AT, answer_row, given_answer, gives_gold, known_to_differ
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.work import last_work, unknown_calls, work
from blade.diagnosis.views import AnswerRow, CheckRow, RolloutView, TaskView
from blade.signals.verifier.run_outcomes import tells_how
from blade.signals.verifier.stated_failures import REASONS
from blade.signals.wanted.checks import MUST_PASS

EQUAL_WORK: Final = Pattern("equal_work_other_reward", "TI", "the same changes passed in another repeat and failed here", 0.8)
SAME_CHECKS: Final = Pattern(
    "same_failed_checks", "KG", "the same checks fail in (nearly) every repeat, each after a clean process", 0.65
)
WAVERING: Final = Pattern(
    "wavering_work", "UK", "some repeats pass the checks and some do not, each after a clean process, with other work", 0.6
)
ONE_SAMPLE: Final = 0.25
CHECKS_ONCE: Final = Pattern(
    "failed_checks",
    "KG",
    "checks failed after a clean process, tried once: never known (KG) or known unreliably (UK)",
    ONE_SAMPLE,
)
DISCLOSED: Final = Pattern(
    "words_not_allowed",
    "BI",
    "the same work as in a passing repeat, and the one check that fails is of what must not be said",
    0.75,
)
UNUSABLE: Final = Pattern(
    "output_unusable",
    "BI",
    "the verifier says that it could use nothing of the output: it is invalid, malformed, or lacks the call or the answer",
    0.6,
)
_UNUSABLE: Final = re.compile(
    r"(?:^|[ _-])(?:invalid|malformed|unpars\w*|parse|parsing|(?:bad|wrong|output|answer|response)[ _-]format|format[ _-](?:error|invalid)|schema[ _-](?:error|violation))(?:$|[ _:-])|(?:^|[ _-])(?:no|missing|empty|without)[ _-](?:\w+[ _-])?(?:answer|output|calls?|response|code|patch|action|submission|result)",
    re.IGNORECASE,
)
"""Reasons that speak of the form of an output, and not of what it says."""
_OF_WORDS: Final = re.compile(
    r"confiden|withh[eo]ld|disclos|privacy|private|leak|secre[ct]|redact|forbidden|taboo|\bpii\b", re.IGNORECASE
)
"""Names of checks that look for what must not be said."""
PATTERNS: Final = (EQUAL_WORK, DISCLOSED, UNUSABLE, SAME_CHECKS, CHECKS_ONCE, WAVERING)

NEARLY_EVERY: Final = 0.75
_EXPLAINED: Final = frozenset(["no_self_check"])
"""Signals beside the breakdowns that account for a failed check in another way."""
MISMATCHES: Final = ("action_", "answer_untold")


def mismatched(rollout: RolloutView) -> bool:
    """Whether the rollout's calls or words differ from what the task expects."""
    return any(signal.code.startswith(MISMATCHES) for signal in rollout.signals)


def equal_work(view: TaskView) -> Iterator[Finding]:
    """TI: the same work, one passed and one failed. Not where what was said counts as well and differs."""
    if not view.failing:
        return
    passing = {made: rollout for rollout in reversed(view.passing) if (made := work(rollout)) is not None}
    for rollout in view.failing if passing else ():
        made = work(rollout)
        other = None if made is None else passing.get(made)
        if other is None or mismatched(rollout) or breakdown(rollout) is not None or not _same_words(rollout, other):
            continue
        if unknown_calls(rollout).keys() - unknown_calls(other).keys():
            continue  # what such a call does is not known: the work may not be the same
        told = _check_of_words(rollout, other)
        if told is not None:
            yield DISCLOSED.found(rollout, subject=told.name, quote=told.detail, detail=f"{other.rollout} leaves the same behind and {told.name} holds there; here it fails, so it is what was said")  # fmt: skip
            continue
        last = last_work(rollout)
        failed = ", ".join(check.name for check in failed_checks(rollout)[:3])
        yield EQUAL_WORK.found(
            rollout,
            subject="work",
            step=None if last is None else last.step,
            quote=f"{last.name}({last.arguments})"[:160] if last else "",
            detail=f"{other.rollout} leaves the same behind and gets {other.reward:g}; this one gets {rollout.reward:g}"
            + (f" ({failed} failed)" if failed else ""),
        )


def _check_of_words(rollout: RolloutView, other: RolloutView) -> CheckRow | None:
    """The check of what was said, by its name, that alone fails here and holds in a repeat that left the same behind."""
    failed, held = failed_checks(rollout), {check.name for check in other.checks if check.passed}
    alone = failed[0] if len(failed) == 1 else None
    return alone if alone is not None and alone.name in held and _OF_WORDS.search(alone.name) else None


def _same_words(rollout: RolloutView, other: RolloutView) -> bool:
    """Whether an answer that the task expects is the same in both; true where none is expected."""
    mine, theirs = answer_row(rollout), answer_row(other)
    if mine is None or theirs is None or not mine.expected:
        return True
    one, two = given_answer(mine), given_answer(theirs)
    return one is not None and two is not None and one.text == two.text


def failed_checks(rollout: RolloutView) -> list[CheckRow]:
    """The checks that failed, those first without which nothing passes."""
    failed = [check for check in rollout.checks if check.passed is False]
    return sorted(failed, key=lambda check: not check.detail.startswith(MUST_PASS))


def unusable_outputs(view: TaskView) -> Iterator[Finding]:
    """BI: the failing repeats of whose output the verifier says that it is none."""
    for rollout in view.failing:
        check = _unusable(rollout)
        if check is not None and breakdown(rollout) is None:
            yield UNUSABLE.found(
                rollout,
                subject=check.name,
                step=rollout.steps - 1 if rollout.steps else None,
                quote=check.detail,
                detail=f"in {check.field}",
            )


def _unusable(rollout: RolloutView) -> CheckRow | None:
    return next((check for check in failed_checks(rollout) if check.field in REASONS and _UNUSABLE.search(check.name)), None)


def knowledge_of_checks(view: TaskView, *, told_apart: bool = False) -> Iterator[Finding]:
    """KG and UK from the checks of rollouts that are judged by what they did, not by an answer or by expected calls."""
    judged = [rollout for rollout in view.failing if _by_checks(rollout) and _unusable(rollout) is None]
    clean = [rollout for rollout in judged if clean_process(rollout)]
    if not clean:
        return
    by_set = Counter(_names(rollout) for rollout in judged)
    names, times = min(by_set.items(), key=lambda item: (-item[1], item[0]))
    if len(view.rollouts) == 1:
        yield _found(CHECKS_ONCE, clean[0], "", ONE_SAMPLE)
    elif times > 1 and times >= NEARLY_EVERY * len(view.rollouts):
        said = f"{times} of {len(view.rollouts)} repeats fail {', '.join(names[:3])} and nothing else, after a clean process"
        for rollout in clean:
            if _names(rollout) == names:
                yield _found(SAME_CHECKS, rollout, said, None if times > 2 else 0.5)
    elif view.passing or len(by_set) > 1:
        yield from _wavering(view, clean, len(by_set), told_apart)


def _wavering(view: TaskView, clean: list[RolloutView], kinds: int, told_apart: bool) -> Iterator[Finding]:
    weight = 0.3 if told_apart else WAVERING.weight if view.passing else 0.4
    process = "but passing repeats looked up what these did not" if told_apart else "nothing in the process went wrong"
    said = f"{len(view.passing)} of {len(view.rollouts)} repeats pass, the others fail {kinds} different set{'s' * (kinds > 1)} of checks"
    for rollout in clean:
        yield _found(WAVERING, rollout, f"{said}; {process}", weight)


def _by_checks(rollout: RolloutView) -> bool:
    row = answer_row(rollout)
    return bool(failed_checks(rollout)) and not rollout.expected and (row is None or not _compared(row))


def _compared(row: AnswerRow) -> bool:
    """Whether the answer can be held against the expected one; else what the checks say is all there is."""
    if not row.expected or len(row.expected) >= CUT_AT:
        return False
    given = given_answer(row)
    return gives_gold(row) or (given is not None and known_to_differ(row, given.text))


def clean_process(rollout: RolloutView) -> bool:
    """Whether nothing else accounts for the failure: no breakdown, no missing self-check, no fault of the check's own."""
    return (
        breakdown(rollout) is None
        and not mismatched(rollout)
        and not any(signal.code in _EXPLAINED or signal.label == "TI" for signal in rollout.signals)
    )


def _names(rollout: RolloutView) -> tuple[str, ...]:
    return tuple(sorted(check.name for check in failed_checks(rollout)))


def _found(pattern: Pattern, rollout: RolloutView, detail: str, weight: float | None = None) -> Finding:
    check, last = failed_checks(rollout)[0], last_work(rollout)
    return pattern.found(
        rollout,
        subject=check.name if tells_how(check.name) or check.field in REASONS else check.field,
        step=None if last is None else last.step,
        quote=f"{check.name}: {check.detail}" if check.detail else check.name,
        detail=detail,
        weight=weight,
    )
