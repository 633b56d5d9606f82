"""What another finding of the same rollout explains, or what the task itself excuses, and therefore weighs little.

A failed self-test after a misused interface, a failed check after a refusal, a check that fails for everyone because everyone gave up:
these are real and stay in the evidence, but they follow from something else. Where the gold is at fault, nobody skipped a lookup for it and
nobody lacks its rule. A made-up number or date that is the same (or wavers) over
the repeats is a rule that is not (or not reliably) known, and the finding about the repeats says it better; a made-up *identifier* is
behaviour whatever the repeats do. A made-up value that is the expected one has cost nothing.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from blade.diagnosis.excuses import EXCUSED as EXCUSED
from blade.diagnosis.excuses import SHARED as SHARED
from blade.diagnosis.excuses import excused
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import INVENTED, identifies, right_anyway
from blade.diagnosis.patterns.procedure import Procedures, not_usual
from blade.diagnosis.views import RolloutView, TaskView
from blade.signals.behaviour.lookups import SPOKEN_OF
from blade.signals.signal import parted

EXPLAINED: Final = 0.3
"""The part of its weight that a consequence keeps beside its cause."""
HABITS: Final = frozenset(
    ["no_self_check", "error_not_retried", "error_ignored", "repeated_call", "thrashing", "api_misuse_repeated"]
)
BORNE: Final = 0.2
"""The weight above which an infrastructure error is one that a rollout did not get over (`weights.GOT_OVER`, `WENT_ON`)."""
STRONG: Final = 0.5
"""The weight from which on a finding explains others."""

_KNOWLEDGE: Final = (
    "same_wrong_answer",
    "scattered_answers",
    "scattered_wrong_answers",
    "same_failed_checks",
    "wavering_work",
    "check_fails_for_all",
)
_ENDED: Final = frozenset([*_KNOWLEDGE, "no_self_check", "self_check_failed"])
_STOPPED: Final = frozenset([
    "gave_up", "error_not_retried", "answer_withheld", "stopped_before_work", "question_back", "skipped_lookup", "lookup_skipped",
])  # fmt: skip
_MISUSED: Final = frozenset([
    "self_check_failed", "no_self_check", "error_not_retried", "feedback_misread", "thrashing", "repeated_call", "check_fails_for_all",
    "same_failed_checks", "wavering_work", "api_misuse_repeated",
])  # fmt: skip
_WRONG_GOLD: Final = frozenset(["lookup_skipped", "same_wrong_argument", "same_wrong_answer", "check_fails_for_all"])
_WRONG_LIST: Final = _WRONG_GOLD | {
    "action_declined",
    "action_missing",
    "action_partial",
    "action_extra",
    "action_wrong_argument",
}
"""What follows from a list of expected calls that nobody can or should make."""
EXPLAINS: Final[Mapping[str, frozenset[str]]] = {
    "unusable_gold": _WRONG_GOLD,
    "gold_refuses": _WRONG_GOLD,
    "gold_damaged": _WRONG_GOLD | {"correct_answer_rejected", "expected_work_rejected"},
    "gold_breaks_form": _WRONG_GOLD | {"correct_answer_rejected"},
    "gold_is_example": _WRONG_LIST | {"skipped_lookup", "unasked_change", "unasked_call", "record_left_out"},
    "gold_of_other_data": _WRONG_LIST | {"unasked_change", "unasked_call"},
    "gold_unconverted": _WRONG_LIST,
    "gold_misjudged": _WRONG_LIST | {"unasked_change", "unasked_call", "asked_value_changed"},
    "working_does_not_hold": _WRONG_GOLD | {"scattered_wrong_answers"},
    "listed_answer": _WRONG_GOLD | {"scattered_answers", "scattered_wrong_answers"},
    "gold_other_language": _WRONG_GOLD | _ENDED,
    "other_language": _WRONG_GOLD | _ENDED,
    "own_result_not_given": _WRONG_GOLD | _ENDED,
    "result_not_marked": _WRONG_GOLD
    | _ENDED
    | {"scattered_answers", "scattered_wrong_answers", "correct_answer_rejected", "answer_not_extracted"},
    "hedged_answer": _WRONG_GOLD | _ENDED | {"scattered_answers", "scattered_wrong_answers", "correct_answer_rejected"},
    "gold_stray_call": _WRONG_LIST | {"skipped_lookup"},
    "request_reversed": _WRONG_LIST | {"wavering_argument", "asked_value_changed", "scattered_answers"},
    "gold_of_other_record": _WRONG_LIST,
    "request_names_two": _WRONG_LIST | _STOPPED | {"wavering_argument", "asked_value_changed", "unbacked_claim"},
    "gold_of_other_kind": _WRONG_GOLD | {"scattered_answers", "scattered_wrong_answers"},
    "request_contradicts_itself": _WRONG_LIST | {"wavering_argument", "asked_value_changed", "scattered_answers"},
    "instructions_contradict": _WRONG_GOLD
    | {"scattered_answers", "scattered_wrong_answers", "correct_answer_rejected", "wrong_format"},
    "made_in_portions": _WRONG_LIST | {"wavering_argument", "record_left_out"},
    "equal_notation": _WRONG_LIST | {"wavering_argument", "asked_value_changed", "ungrounded_argument"},
    "options_not_shown": _WRONG_GOLD
    | {"correct_answer_rejected", "question_back", "answer_withheld", "scattered_answers", "scattered_wrong_answers"},
    "equal_quantity": _WRONG_LIST | {"wavering_argument", "asked_value_changed", "ungrounded_argument"},
    "equal_tool": _WRONG_LIST | {"unasked_change", "unasked_call"},
    "superseded_value": frozenset(["same_wrong_argument", "wavering_argument"]),
    "older_entry_taken": frozenset(
        ["same_wrong_argument", "wavering_argument", "same_wrong_answer", "scattered_answers", "scattered_wrong_answers"]
    ),
    "entries_merged": frozenset(["same_wrong_argument", "wavering_argument", "action_partial"]),
    "name_misspelt": _WRONG_LIST | _STOPPED | {"refusal", "answer_withheld", "question_back", "gave_up"},
    "whole_for_each": frozenset(["same_wrong_argument", "wavering_argument"]),
    "unit_not_converted": frozenset(["same_wrong_argument", "wavering_argument"]),
    "gold_aged": _WRONG_LIST,
    "gold_reordered": _WRONG_LIST | {"expected_work_rejected"},
    "gold_doubled": _WRONG_LIST | {"record_left_out"},
    "gold_other_form": _WRONG_GOLD,
    "schema_example_used": frozenset(["same_wrong_argument", "wavering_argument"]),
    "consent_not_awaited": frozenset(["same_wrong_argument", "wavering_argument"]),
    "piece_left_out": frozenset(["equal_work_other_reward", "expected_work_rejected"]),
    "forbidden_said": frozenset(["equal_work_other_reward", "expected_work_rejected"]),
    "user_simulator_failed": _STOPPED | _ENDED | {"action_missing", "action_partial"},
    "left_with_yes": _STOPPED | _ENDED | {"action_missing", "action_partial", "answer_untold"},
    "user_withheld": _STOPPED
    | _ENDED
    | {"action_missing", "action_partial", "action_declined", "handed_over", "answer_untold", "refusal"},
    "user_off_script": frozenset(
        [
            "action_wrong_argument",
            "action_extra",
            "same_wrong_argument",
            "wavering_argument",
            "asked_value_changed",
            "ungrounded_argument",
        ]
    ),
    "action_declined": frozenset(["action_missing", "action_partial", "handed_over", "gave_up", "refusal"]),
    "user_left": _STOPPED | _ENDED | {"action_missing", "action_partial", "answer_untold", "refusal"},
    "window_too_small": _STOPPED | _ENDED | {"action_missing", "action_partial", "context_overflow"},
    "gold_empty": _WRONG_LIST,
    "gold_lacks_call": _WRONG_LIST | {"record_left_out"},
    "gold_impossible": _WRONG_LIST,
    "gold_already_true": _WRONG_LIST | {"same_failed_checks", "expected_work_rejected", "equal_work_other_reward"},
    "unknown_record": _WRONG_LIST | _STOPPED | {"refusal", "handed_over", "answer_withheld", "question_back", "gave_up"},
    "stale_gold": _WRONG_GOLD,
    "gold_not_asked": _WRONG_GOLD,
    "gold_for_other_values": _WRONG_GOLD,
    "request_unusable": frozenset([*_KNOWLEDGE, "action_missing", "action_partial"]),
    "tool_outage": _STOPPED,
    "garbled_output": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format", "output_truncated"},
    "stream_lost": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format", "skipped_lookup"},
    "message_broken_off": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format"},
    "repeats_itself": _STOPPED
    | _ENDED
    | {
        "output_truncated",
        "no_final_answer",
        "wrong_answer",
        "failed_checks",
        "wrong_format",
        "action_missing",
        "action_partial",
    },
    "endless_loop": _STOPPED | _ENDED | {"action_missing", "action_partial", "repeated_call", "thrashing", "feedback_misread"},
    "stopped_short": frozenset(_KNOWLEDGE),
    "other_expectation": _WRONG_LIST
    | _ENDED
    | {"gold_contradicted", "scattered_answers", "answer_untold", "correct_answer_rejected", "expected_work_rejected"},
    "exception_given": frozenset(["same_wrong_argument", "wavering_argument"]),
    "closed_day_given": frozenset(["same_wrong_argument", "wavering_argument"]),
    "response_replayed": _STOPPED
    | _ENDED
    | _WRONG_LIST
    | {"unasked_change", "unasked_call", "ungrounded_argument", "wrong_format"},
    "cut_below_limit": _STOPPED
    | _ENDED
    | {"action_missing", "action_partial", "wrong_format", "output_truncated", "no_final_answer"},
    "tools_withheld": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format", "refusal"},
    "call_malformed": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format", "not_handed_in"},
    "tools_undeclared": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format", "refusal", "output_unusable"},
    "call_not_parsed": _STOPPED | _ENDED | {"action_missing", "action_partial", "wrong_format"},
    "unasked_change": frozenset(["same_wrong_argument", "wavering_argument", "lookup_skipped"]),
    "same_misuse": _MISUSED,
    "program_never_run": _ENDED | {"failed_checks"},
    "program_not_taken": _ENDED | {"failed_checks"},
    "no_program": _ENDED | {"failed_checks"},
    "refusal": _ENDED,
    "gave_up": _ENDED,
    "question_back": _ENDED,
    "answer_withheld": _ENDED,
    "not_handed_in": _ENDED | {"answer_withheld", "correct_answer_rejected", "answer_not_extracted", "wrong_answer"},
    "stopped_before_work": _ENDED,
}
"""By code: what it explains in the same rollout."""
_UNWANTED: Final = ("action_extra", "extra_refused")
_ABOUT_A_CALL: Final = ("feedback_misread", "error_not_retried", "repeated_call", "thrashing")
"""How a call was made, which matters little where it should not have been made at all."""
SAME: Final = "same_wrong_argument"
_CODE: Final = re.compile(r"[^=]*code=(?:\d+|[A-Za-z]+)", re.IGNORECASE)
"""A code of a scheme that one knows by heart or not: figures alone or letters alone, as countries and currencies have them."""
_RULES: Final = (SAME, "wavering_argument")


def weighed(
    view: TaskView, findings: Mapping[str, Sequence[Finding]], procedures: Procedures | None = None
) -> dict[str, list[Finding]]:
    """The findings by rollout, with less weight for what another one explains, and for lookups that those who pass do without."""
    passing = {
        (signal.subject, signal.quote) for rollout in view.passing for signal in rollout.signals if signal.code in INVENTED
    }
    found = {
        rollout.rollout: _weighed(
            rollout, excused(rollout, _needed(rollout, findings[rollout.rollout], procedures or {})), passing
        )
        for rollout in view.rollouts
    }
    if not view.passing:
        return found
    found = _without_shared(view, found)
    called = {call.name for rollout in view.passing for call in rollout.calls} | {""}
    return {
        rollout: [
            replace(one, weight=EXCUSED * one.weight) if one.code == "lookup_skipped" and one.subject not in called else one
            for one in mine
        ]
        for rollout, mine in found.items()
    }


def _needed(rollout: RolloutView, found: Sequence[Finding], procedures: Procedures) -> list[Finding]:
    """The findings, with little weight for a lookup that was left out by the words of the request alone, where those who pass do without it."""
    if "lookup_skipped" not in [one.code for one in found]:
        return list(found)
    made = {call.step: call.name for call in rollout.calls}
    return [
        replace(one, weight=EXCUSED * one.weight)
        if one.code == "lookup_skipped"
        and SPOKEN_OF in one.detail
        and not_usual(procedures, made.get(-1 if one.step is None else one.step, ""), one.subject)
        else one
        for one in found
    ]


def _without_shared(view: TaskView, found: Mapping[str, list[Finding]]) -> dict[str, list[Finding]]:
    """The findings, with next to no weight for what passing repeats of the task show as well.

    An infrastructure error that a passing repeat did not get over either has not kept it from passing; a habit that is as common among the
    passing repeats as among the failing ones does not tell them apart. A guess is no habit: it may have been a lucky one.
    """
    borne = {
        finding.signature
        for rollout in view.passing
        for finding in found[rollout.rollout]
        if finding.label == "IR" and finding.weight > BORNE
    }
    shares = [
        Counter(signature for rollout in side for signature in {one.signature for one in found[rollout.rollout]})
        for side in (view.passing, view.failing)
    ]
    passing, failing = shares
    habits = {
        signature
        for signature, times in passing.items()
        if signature[0] in HABITS and times * len(view.failing) >= failing[signature] * len(view.passing)
    }
    shared = borne | habits
    return {
        rollout: [replace(one, weight=SHARED * one.weight) if one.signature in shared else one for one in mine]
        for rollout, mine in found.items()
    }


def _weighed(rollout: RolloutView, found: Sequence[Finding], passing: set[tuple[str, str]]) -> list[Finding]:
    explained = {code for finding in found if finding.weight >= STRONG for code in EXPLAINS.get(finding.code, ())}
    rules = {finding.subject for finding in found if finding.code in _RULES}
    # The same in (nearly) all repeats: a code that is known wrongly is no id that somebody made up.
    known = {finding.subject for finding in found if finding.code == SAME and finding.weight >= STRONG}
    unwanted = {finding.subject for finding in found if finding.code in _UNWANTED}
    told = []
    for finding in found:
        share = 1.0
        if finding.label == "BI" and not rollout.steps:
            share = SHARED  # nobody did anything there
        elif finding.code in explained or (
            finding.code in _ABOUT_A_CALL and parted(finding.subject, rollout.tools)[0] in unwanted
        ):
            share = EXPLAINED
        elif finding.code in INVENTED:
            if right_anyway(rollout, finding.subject, finding.quote) or (finding.subject, finding.quote) in passing:
                share = EXCUSED
            elif (
                finding.code == "ungrounded_argument"
                and finding.subject in rules
                and (
                    not identifies(rollout, finding.step, finding.quote)
                    or (finding.subject in known and _CODE.fullmatch(finding.quote))
                )
            ):
                share = EXPLAINED
        told.append(finding if share == 1.0 else replace(finding, weight=share * finding.weight))
    return told
