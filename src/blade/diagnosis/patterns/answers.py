"""What the answers of a task's repeats say about its verifier (TI) and about what the model knows (KG, UK).

A verifier is accused only on real equivalence: `blade.answers` names the normalisation, and where the equivalence holds only under a
convention of the task (`assumed`: a unit left out, a rounded digit) that is said and weighs less. Before that, `given.learn_answers` asks
whether the expected answer is what this run's verifier goes by at all: if passing rollouts do not give it, the field means something else.

All findings here are reward-aware: they exist on failing rollouts only (`pass_without_work`: on passing ones), so no gain is estimated
from them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from blade.answers import Verdict, compare
from blade.answers.extraction import SENTENCE
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import breakdown, effective_changes
from blade.diagnosis.patterns.given import (
    CUT_AT,
    AnswerRule,
    Given,
    answer_groups,
    answer_row,
    differs,
    expected_verdict,
    given_answer,
    gives_gold,
    gold_stated,
    judged,
    known_to_differ,
    nothing_taken,
)
from blade.diagnosis.patterns.passing_gold import one_state, with_agreed_answer
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.wrong_working import how_wrong, told_of_working
from blade.diagnosis.views import AnswerRow, RolloutView, SignalRow, TaskView

REJECTED: Final = Pattern(
    "correct_answer_rejected",
    "TI",
    "the answer is the expected one in another form (or the very same), and it was scored as failing",
    0.9,
)
OTHER_REWARD: Final = Pattern(
    "equal_answer_other_reward", "TI", "an equal answer to the same task passed in another repeat and failed here", 0.85
)
WITHOUT_WORK: Final = Pattern("pass_without_work", "TI", "a pass whose output is empty, a refusal or an error", 0.6)
NOT_EXTRACTED: Final = Pattern(
    "answer_not_extracted",
    "TI",
    "the expected answer stands in the final message of a failed rollout, and the verifier extracted none",
    0.9,
)
SAME_WRONG: Final = Pattern(
    "same_wrong_answer", "KG", "(nearly) every repeat gives the same wrong answer after a clean process", 0.65
)
SCATTERED: Final = Pattern(
    "scattered_answers", "UK", "some repeats right, some wrong, each after a clean process and without a difference in it", 0.6
)
NEVER_RIGHT: Final = Pattern(
    "scattered_wrong_answers", "UK", "no repeat is right, and each gives another wrong answer after a clean process", 0.4
)
ONE_SAMPLE: Final = 0.25
"""The weight of a wrong answer that was given once: what is not known and what is known unreliably look alike."""
WRONG_ONCE: Final = Pattern(
    "wrong_answer", "KG", "a wrong answer from a clean process, tried once: never known (KG) or known unreliably (UK)", ONE_SAMPLE
)
PATTERNS: Final = (REJECTED, OTHER_REWARD, WITHOUT_WORK, NOT_EXTRACTED, SAME_WRONG, WRONG_ONCE, SCATTERED, NEVER_RIGHT)

NEARLY_EVERY: Final = 0.75
FORM_LACKS: Final = 0.25
"""The weight of an answer that was not taken because it lacks the form that the prompt asked for."""
IN_A_SENTENCE: Final = 0.75
"""The weight of a right answer that is all a short sentence says: a verifier may want it bare."""
NOT_JUDGED: Final = 0.4
"""The weight of an answer that the verifier did not take and that cannot be told to differ from the expected one."""
_NO_OUTPUT: Final = (
    "empty_completion",
    "garbled_output",
    "message_broken_off",
    "call_not_parsed",
    "cut_below_limit",
    "rollout_error",
    "no_final_answer",
)


def verifier_against_answers(view: TaskView, rule: AnswerRule) -> Iterator[Finding]:
    """TI: right answers that failed, equal answers with other rewards, answers that were not extracted, passes without work."""
    shared = _fail_for_all(view)
    for rollout in view.failing:
        rejected = _rejected(rollout, rule, shared) if rule.decides else None
        if rejected is not None:
            yield rejected
        yield from _not_extracted(rollout)
    yield from _other_reward(view)
    for rollout in view.passing:
        yield from _without_work(rollout, rule)


def _fail_for_all(view: TaskView) -> frozenset[str]:
    """The checks that every repeat of a task fails; none where there is one repeat, or one passes."""
    if view.passing or len(view.rollouts) < 2:
        return frozenset()
    failing = [{check.name for check in rollout.checks if check.passed is False} for rollout in view.rollouts]
    return frozenset(set.intersection(*failing))


def _rejected(rollout: RolloutView, rule: AnswerRule, shared: frozenset[str] = frozenset()) -> Finding | None:
    """The expected answer in a failed rollout: as the verifier extracted it, or as the message states it although it extracted another."""
    row = answer_row(rollout)
    if row is None or not row.expected or effective_changes(rollout):
        return None
    verdict, given = expected_verdict(row), given_answer(row)
    field = row.expected_field or "expected"
    if verdict is not None and verdict.same:
        where, shown = row.extracted_field if row.extracted else "the final message", given.text if given else row.expected
        said = f"{where} says {_cut(shown)}, {field} is {_cut(row.expected)}: {verdict.relation} by {verdict.how}"
    elif row.extracted and row.stated and judged(row, row.stated).same:
        shown, verdict = row.stated, judged(row, row.stated)
        said = f"the message states {_cut(shown)} in the form asked for, {field} is {_cut(row.expected)}, yet {row.extracted_field} is {_cut(row.extracted)}"
    elif row.extracted and (stated := gold_stated(row)) is not None:
        shown, verdict = stated.text, compare(row.expected, stated.text)
        said = f"the message states {_cut(shown)} ({stated.how}), {field} is {_cut(row.expected)}, yet {row.extracted_field} is {_cut(row.extracted)}"
    else:
        return None
    weight = REJECTED.weight
    for lower, doubt in _doubts(rollout, row, verdict, rule, shared):
        weight, said = min(weight, lower), f"{said}; {doubt}"
    return REJECTED.found(rollout, subject=field, step=row.final_step, quote=_cut(shown), detail=said, weight=weight)


def _doubts(
    rollout: RolloutView, row: AnswerRow, verdict: Verdict, rule: AnswerRule, shared: frozenset[str]
) -> Iterator[tuple[float, str]]:
    """What speaks for the verifier after all, with the weight that is left."""
    if verdict.assumed:
        yield 0.6, "only if the task's convention allows it, so the verifier may be strict rather than wrong"
    elif (stated := gold_stated(row)) is not None and stated.how == SENTENCE:
        yield IN_A_SENTENCE, "it is said in a sentence" + (f", and {row.extracted_field} is empty" if nothing_taken(row) else "")
    if not row.extracted and not row.stated and _formless(rollout) is not None:
        yield FORM_LACKS, "but it lacks the form that the prompt asked for"
    failing = [check.name for check in rollout.checks if check.passed is False and not rule.about_answer(check)]
    if failing and set(failing) <= shared:
        yield 0.55, f"but {', '.join(failing[:3])} fails, as in every repeat"
    elif failing:
        yield 0.3, f"but its own checks fail: {', '.join(failing[:3])}"


def _not_extracted(rollout: RolloutView) -> Iterator[Finding]:
    """Where the prompt asked for a form that the answer lacks, the verifier is not at fault for finding none."""
    formless = _formless(rollout)
    for signal in rollout.signals:
        if signal.code == NOT_EXTRACTED.code:
            doubt = f"; but the prompt {formless.detail or 'asked for another form'}" if formless else ""
            yield NOT_EXTRACTED.found(
                rollout,
                subject=signal.subject or "answer",
                step=signal.step,
                quote=signal.quote,
                detail=signal.detail + doubt,
                weight=FORM_LACKS if formless else None,
            )
            return


def _formless(rollout: RolloutView) -> SignalRow | None:
    return next((signal for signal in rollout.signals if signal.code == "wrong_format"), None)


def _other_reward(view: TaskView) -> Iterator[Finding]:
    """Equal answers, one passed and one failed; only where the answer is all that a rollout leaves behind."""
    rollouts = [rollout for rollout in view.rollouts if not effective_changes(rollout)]
    if len({rollout.passed for rollout in rollouts}) < 2 or not one_state(rollouts):
        return
    for members in answer_groups(rollouts):
        passing = [(rollout, given) for rollout, given in members if rollout.passed]
        if not passing:
            continue
        for rollout, given in members:
            if rollout.passed is not False:
                continue
            other, theirs = passing[0]
            same = "the same answer" if theirs.text == given.text else f"{_cut(theirs.text)}, which is the same,"
            bare = not rollout.checks or not (rollout.changes or other.changes)  # nothing but the answer can have been judged
            whole = _whole_output(rollout) == _whole_output(other) is not None
            weight = OTHER_REWARD.weight if (given.marked or whole) and bare else 0.4
            if _formless(rollout) is not None and _formless(other) is None:
                weight = FORM_LACKS  # the passing one kept the form that was asked for
            yield OTHER_REWARD.found(
                rollout,
                subject="answer",
                step=given.step,
                quote=_cut(given.text),
                detail=f"{other.rollout} gives {same} and gets {other.reward:g}; this one gets {rollout.reward:g}",
                weight=weight,
            )


def _whole_output(rollout: RolloutView) -> str | None:
    """All that a rollout left, where that is one message; None where there is more, or the message was cut."""
    row = answer_row(rollout)
    final = "" if row is None else (row.final or "").strip()
    return final if final and len(final) < CUT_AT and not rollout.calls else None


def _without_work(rollout: RolloutView, rule: AnswerRule) -> Iterator[Finding]:
    ended = next((signal for signal in rollout.signals if signal.code in _NO_OUTPUT), None)
    refused = next((signal for signal in rollout.signals if signal.code == "refusal"), None)
    last = max((call.step for call in rollout.calls), default=-1)
    broken = next(
        (s for s in rollout.signals if s.label == "IR" and s.step is not None and s.step > last and s.step >= rollout.steps - 1),
        None,
    )
    if ended is not None:
        yield WITHOUT_WORK.found(
            rollout, step=ended.step, subject=ended.code, quote=ended.quote, detail="passed without an output"
        )
    elif broken is not None:
        yield WITHOUT_WORK.found(
            rollout, step=broken.step, subject=broken.code, quote=broken.quote, detail="passed with an error as output"
        )
    elif refused is not None and not rule.refusals_pass:
        yield WITHOUT_WORK.found(
            rollout, step=refused.step, subject="refusal", quote=refused.quote, detail="passed with a refusal"
        )
    elif (
        rule.outputs_recorded
        and rollout.steps == 0
        and rollout.rollout not in rule.kept_beside
        and not rollout.calls
        and all(not (row.final or "").strip() for row in rollout.answers)
    ):
        yield WITHOUT_WORK.found(rollout, subject="empty_output", quote="no output item", detail="passed without an output")


def knowledge(view: TaskView, rule: AnswerRule, *, told_apart: bool = False) -> Iterator[Finding]:
    """KG and UK: wrong answers after a clean process, the same in every repeat or scattered around the right one.

    `told_apart`: the repeats differ in what they did (a lookup only the passing ones made), which explains wavering better.
    """
    if not rule.decides:
        return
    if all(map(_otherwise_explained, view.failing)):
        return
    view = with_agreed_answer(view)
    passed = {given.text for rollout, given, _ in _judged(view.passing)}
    wrong = [
        (rollout, given)
        for rollout, given, row in _judged(view.failing)
        if not gives_gold(row) and given.text not in passed and (view.passing or known_to_differ(row, given.text))
    ]
    clean = [(rollout, given) for rollout, given in wrong if not _otherwise_explained(rollout)]
    if not clean:
        return
    if len(view.rollouts) == 1:
        yield _single(*clean[0])
        return
    groups = sorted(
        (group for group in answer_groups([rollout for rollout, _ in wrong]) if group),
        key=lambda group: (-len(group), group[0][0].repeat),
    )
    largest = groups[0]
    texts = Counter(given.text for _, given in largest)
    if len(largest) >= NEARLY_EVERY * len(view.rollouts) and len(largest) > 1:
        yield from _same_wrong(view, largest, texts.most_common(1)[0][0], {rollout.rollout for rollout, _ in clean})
    else:
        yield from _scattered(view, clean, len(groups), told_apart)


def _otherwise_explained(rollout: RolloutView) -> bool:
    """Whether the answer is not all that a rollout left behind, or its process went wrong."""
    return bool(effective_changes(rollout)) or breakdown(rollout) is not None


def _judged(rollouts: Sequence[RolloutView]) -> Iterator[tuple[RolloutView, Given, AnswerRow]]:
    """The rollouts with an answer and an expected one."""
    for rollout in rollouts:
        row = answer_row(rollout)
        given = None if row is None else given_answer(row)
        if given is not None and row is not None and row.expected:
            yield rollout, given, row


def _untaken(rollout: RolloutView) -> tuple[str, float]:
    """Words for an answer that the verifier did not take, and the weight that is left: nobody has judged it then."""
    row = answer_row(rollout)
    if row is None or not nothing_taken(row):
        return "", 1.0
    told = differs(row)
    doubt = "" if told else ", and it cannot be told to differ from the expected one"
    return f"; the verifier took no answer ({row.extracted_field} is empty){doubt}", 1.0 if told else NOT_JUDGED


def _single(rollout: RolloutView, given: Given) -> Finding:
    untaken, _ = _untaken(rollout)
    return WRONG_ONCE.found(
        rollout,
        subject=how_wrong([rollout]),
        step=given.step,
        quote=_cut(given.text),
        detail=f"expected {_expected(rollout)}{told_of_working(rollout)}{untaken}",
        weight=ONE_SAMPLE,
    )


def _same_wrong(view: TaskView, group: list[tuple[RolloutView, Given]], text: str, clean: set[str]) -> Iterator[Finding]:
    how = how_wrong([rollout for rollout, _ in group])
    for rollout, given in group:
        if rollout.rollout in clean:
            untaken, most = _untaken(rollout)
            yield SAME_WRONG.found(
                rollout,
                subject=how,
                step=given.step,
                quote=_cut(given.text),
                detail=f"{len(group)} of {len(view.rollouts)} repeats answer {_cut(text)}, expected is {_expected(rollout)}{told_of_working(rollout)}; "
                f"nothing in the process went wrong (if all agree, the expected answer may be the wrong one){untaken}",
                weight=min(SAME_WRONG.weight if len(group) > 2 else 0.55, most),
            )


def _scattered(view: TaskView, clean: list[tuple[RolloutView, Given]], groups: int, told_apart: bool) -> Iterator[Finding]:
    right = len(view.passing)
    pattern = SCATTERED if right else NEVER_RIGHT
    process = "but passing repeats looked up what these did not" if told_apart else "nothing in the process went wrong"
    how = how_wrong([rollout for rollout, _ in clean])
    for rollout, given in clean:
        untaken, most = _untaken(rollout)
        said = f"{right} of {len(view.rollouts)} repeats are right, the wrong ones give {groups} different answer{'s' * (groups > 1)}"
        yield pattern.found(
            rollout,
            subject=how,
            step=given.step,
            quote=_cut(given.text),
            detail=f"{said}; expected {_expected(rollout)}{told_of_working(rollout)}; {process}{untaken}",
            weight=min(0.25 if told_apart else pattern.weight, most),
        )


def _expected(rollout: RolloutView) -> str:
    row = answer_row(rollout)
    return _cut(row.expected or "") if row is not None else ""


def _cut(text: str, limit: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
