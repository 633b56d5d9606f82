"""What each code means for a cause: how decisive it is before any data is seen, and how a mode of it is called.

*Rank* tells causes from symptoms. A wrong argument is a symptom: why it was wrong (a lookup that was skipped, a rule that is not
known) is the cause, and only where nothing explains it does the symptom speak for itself. *Weight* is the prior belief that a failing
rollout with this finding failed because of it; the within-task lift of the run at hand is shrunk towards it (`weights`).

Titles take `{tool}`, `{argument}` and `{subject}` from the finding's subject. A code that is not listed (a plugin's, a rule's) gets
the middle weight and its own name.
"""

from typing import Final, NamedTuple

from blade.signals.signal import parted

CAUSE: Final = "cause"
SYMPTOM: Final = "symptom"
NOT_MADE: Final = ("action_missing", "action_partial")
"""Codes whose quote is the expected call, not something the rollout did."""
CONTEXT: Final = "context"
"""Said in the evidence, but never the reason of a failure on its own."""
CUT_OFF: Final = ("output_truncated", "context_overflow", "steps_exhausted", "endless_loop", "repeats_itself")
"""The codes of rollouts that a limit stopped, or that were at it to no end."""


class Entry(NamedTuple):
    weight: float
    rank: str
    title: str


_INFRASTRUCTURE: Final = {
    "server_error": Entry(0.8, CAUSE, "service answers with a server error ({subject})"),
    "rate_limited": Entry(0.8, CAUSE, "service refuses for too many requests ({subject})"),
    "quota_exhausted": Entry(0.9, CAUSE, "quota ran out ({subject})"),
    "service_timeout": Entry(0.8, CAUSE, "service does not answer in time ({subject})"),
    "connection_failed": Entry(0.9, CAUSE, "connection failed ({subject})"),
    "access_denied": Entry(0.7, CAUSE, "credentials refused ({subject})"),
    "sandbox_failed": Entry(0.9, CAUSE, "sandbox failed ({subject})"),
    "out_of_memory": Entry(0.8, CAUSE, "out of memory ({subject})"),
    "store_failed": Entry(0.8, CAUSE, "the store behind the tools failed ({subject})"),
    "session_lost": Entry(0.75, CAUSE, "a tool's session was lost ({subject})"),
    "disk_full": Entry(0.8, CAUSE, "disk full ({subject})"),
    "missing_command": Entry(0.6, CAUSE, "command not installed ({subject})"),
    "failed_install": Entry(0.6, CAUSE, "package could not be installed ({subject})"),
    "rollout_error": Entry(0.9, CAUSE, "rollout ended by an error ({subject})"),
    "served_otherwise": Entry(0.7, CAUSE, "served with another `{subject}` than the rest of the run"),
    "response_replayed": Entry(0.9, CAUSE, "the response to another request, from a cache"),
    "tool_outage": Entry(0.75, CAUSE, "`{tool}` got no answer of its own"),
    "environment_blamed": Entry(0.1, CONTEXT, "the row lays the failure on {subject}"),
    "laid_on_environment": Entry(0.85, CAUSE, "the row's own judge lays the failure on {subject}"),
    "judge_failed": Entry(0.95, CAUSE, "the judge failed ({subject})"),
    "window_too_small": Entry(0.95, CAUSE, "prompt longer than the window that the model was served with"),
    "user_simulator_failed": Entry(0.9, CAUSE, "the simulated user failed ({subject})"),
    "user_left": Entry(0.8, CAUSE, "the simulated user ended it with work open ({subject})"),
    "empty_completion": Entry(0.9, CAUSE, "empty completion from the model's endpoint"),
    "garbled_output": Entry(0.95, CAUSE, "noise from the model's endpoint"),
    "cut_below_limit": Entry(0.9, CAUSE, "output cut far below the limit of its request"),
    "tools_withheld": Entry(0.9, CAUSE, "the model was served without its tools"),
    "tools_undeclared": Entry(0.85, CAUSE, "a tool call is demanded, and no tool is declared"),
    "call_not_parsed": Entry(0.9, CAUSE, "a call of `{tool}` was left in the message as text"),
    "message_unclosed": Entry(0.05, CONTEXT, "the last message does not close its sentence"),
    "message_broken_off": Entry(0.85, CAUSE, "last message broken off in mid-sentence, no limit near"),
    "content_filtered": Entry(0.8, CAUSE, "content filter ended the response"),
}
_VERIFIER: Final = {
    "verifier_error": Entry(0.95, CAUSE, "the verifier failed ({subject})"),
    "judging_unfinished": Entry(0.5, SYMPTOM, "the judging did not come to an end, for no reason told ({subject})"),
    "other_expectation": Entry(0.9, CAUSE, "the verifier compared with another expectation than the row's own"),
    "program_not_taken": Entry(0.8, CAUSE, "a program was written, and the verifier took none"),
    "answer_not_extracted": Entry(0.9, CAUSE, "right answer given, but the verifier extracted none"),
    "correct_answer_rejected": Entry(0.95, CAUSE, "right answer in another form, scored as wrong"),
    "equal_answer_other_reward": Entry(0.85, CAUSE, "equal answers, different rewards"),
    "pass_without_work": Entry(0.6, CAUSE, "pass without any work"),
    "check_broken": Entry(0.85, CAUSE, "check `{subject}` fails by its own fault"),
    "equal_work_other_reward": Entry(0.8, CAUSE, "equal work, different rewards"),
    "listed_answer": Entry(0.85, CAUSE, "an answer that `{subject}` lists as right, scored as wrong"),
    "equal_alternative": Entry(
        0.85, CAUSE, "one of several values of `{argument}` that the request leaves open, scored as wrong"
    ),
    "made_in_portions": Entry(0.85, CAUSE, "the parts of `{argument}` in other portions than the verifier expects"),
    "equal_notation": Entry(0.85, CAUSE, "`{subject}` with the same digits in another grouping, scored as wrong"),
    "equal_quantity": Entry(0.85, CAUSE, "`{subject}` with the same quantity in another unit, scored as wrong"),
    "equal_tool": Entry(0.85, CAUSE, "made with a tool that does the same as the expected `{subject}`, scored as wrong"),
    "expected_work_rejected": Entry(0.8, CAUSE, "did what was expected and was scored as failing"),
    "check_fails_for_all": Entry(0.85, CAUSE, "check `{subject}` fails for everyone"),
    "forbidden_in_word": Entry(0.85, CAUSE, "a forbidden word is found inside of another (`{subject}`)"),
    "left_with_yes": Entry(0.85, CAUSE, "the simulated user said yes and left before the agent could act ({subject})"),
    "user_withheld": Entry(0.85, CAUSE, "the simulated user kept back the `{argument}` of `{tool}` that its instructions have"),
    "user_off_script": Entry(0.85, CAUSE, "the simulated user made up a value for `{argument}` of `{tool}`"),
    "sample_masked": Entry(0.05, CONTEXT, "the row says that its score is not to be counted"),
    "reward_contradicts_checks": Entry(0.9, CAUSE, "the reward contradicts the verifier's own checks"),
    "reward_contradicts_outcome": Entry(0.75, CAUSE, "the reward contradicts the verifier's own `{subject}`"),
    "never_passes_in_passing_slice": Entry(0.2, CAUSE, "never passes although its slice does"),
}
_DATA: Final = {
    "empty_prompt": Entry(0.95, CAUSE, "the task asks nothing"),
    "request_unusable": Entry(0.9, CAUSE, "the request is broken off, damaged or lacks what it speaks of"),
    "prompt_cut": Entry(0.5, CAUSE, "the request breaks off"),
    "prompt_damaged": Entry(0.6, CAUSE, "the request holds an unfilled gap or unreadable letters"),
    "list_abridged": Entry(0.5, CAUSE, "a list in the request was cut short"),
    "material_missing": Entry(0.5, CAUSE, "the request speaks of something that it does not hold"),
    "prompt_unfinished": Entry(0.05, CONTEXT, "the request's last sentence is not closed"),
    "material_of_another": Entry(0.1, CONTEXT, "the list below the request is headed with another record"),
    "prompt_continues": Entry(0.1, CONTEXT, "the request goes on from something that is not there"),
    "comparison_stripped": Entry(0.1, CONTEXT, "a comparison in the request lacks what stands before it"),
    "instructions_contradict": Entry(0.85, CAUSE, "the request wants two things that exclude each other"),
    "instructions_questioned": Entry(0.1, CONTEXT, "the assistant says that the request contradicts itself"),
    "prompt_questioned": Entry(0.1, CONTEXT, "the assistant says that the request is incomplete"),
    "ambiguous_options": Entry(0.8, CAUSE, "two options say the same"),
    "gold_refuses": Entry(0.9, CAUSE, "the expected `{subject}` is a model's refusal"),
    "unusable_gold": Entry(0.8, CAUSE, "the expected answer is a placeholder (`{subject}`)"),
    "misplaced_gold": Entry(0.85, CAUSE, "the expected answer belongs to another task"),
    "request_reversed": Entry(0.85, CAUSE, "the request turns round what the row's own `{subject}` goes by"),
    "gold_beside": Entry(0.05, CONTEXT, "another record of the listing is expected than the one that the request names"),
    "gold_of_other_record": Entry(
        0.7, CAUSE, "`{argument}` of `{tool}` is expected from another record than the one that the request names"
    ),
    "record_not_told_apart": Entry(0.1, CONTEXT, "there are two of the name in the request, which does not say which is meant"),
    "request_names_two": Entry(0.85, CAUSE, "the request names somebody or something of which there are two, and not which"),
    "gold_off_record": Entry(0.1, CONTEXT, "the expected `{subject}` is not what the tools' record of it says"),
    "gold_against_record": Entry(0.85, CAUSE, "the expected `{argument}` of `{tool}` contradicts the tools' own record"),
    "gold_of_other_kind": Entry(0.85, CAUSE, "a number alone is asked for, and something else is expected"),
    "request_contradicts_itself": Entry(0.85, CAUSE, "the request contradicts itself, and the gold goes by one half of it"),
    "gold_other_language": Entry(0.85, CAUSE, "the expected `{subject}` is in another language than the one asked for"),
    "gold_stray_call": Entry(0.75, CAUSE, "the gold has a call of `{subject}` that nothing asks for"),
    "gold_damaged": Entry(0.9, CAUSE, "the expected `{subject}` is a damaged copy of what was given"),
    "options_not_shown": Entry(0.92, CAUSE, "the prompt does not show the options that the row has"),
    "gold_breaks_form": Entry(0.9, CAUSE, "the expected `{subject}` is not in the form that the prompt asks for"),
    "working_of_other_data": Entry(0.1, CONTEXT, "the row's own working begins with what nothing shows"),
    "gold_of_other_data": Entry(
        0.85, CAUSE, "the expected `{subject}` was worked out from other data than the request and the tools have"
    ),
    "gold_as_recorded": Entry(0.1, CONTEXT, "the expected figure is the record's own, and was converted"),
    "gold_unconverted": Entry(
        0.85, CAUSE, "the expected `{subject}` is the record's own figure, and not what it comes to as asked"
    ),
    "condition_misjudged": Entry(
        0.1, CONTEXT, "what is expected is the other branch than the one that the row's own figures come to"
    ),
    "gold_misjudged": Entry(
        0.85, CAUSE, "the expected calls take the wrong branch of the request's condition, by the figures of `{subject}`"
    ),
    "gold_is_example": Entry(0.9, CAUSE, "the expected `{subject}` is the example of a tool's description"),
    "gold_reordered": Entry(0.85, CAUSE, "`{subject}` is expected in another order than the request numbers it"),
    "gold_doubled": Entry(0.85, CAUSE, "`{subject}` is expected more often than it is asked for"),
    "gold_empty": Entry(0.8, CAUSE, "nothing is expected although all repeats do the same work (`{subject}`)"),
    "gold_aged": Entry(0.85, CAUSE, "`{argument}` counts from another day than the prompt"),
    "gold_already_true": Entry(0.85, CAUSE, "what `{subject}` expects was so before the work began"),
    "gold_lacks_call": Entry(0.75, CAUSE, "`{subject}` is asked for and not expected"),
    "gold_impossible": Entry(0.85, CAUSE, "the expected `{subject}` is nothing that the declared tools take"),
    "gold_unseen": Entry(0.1, CONTEXT, "the expected `{subject}` stands nowhere, and the request leads to another"),
    "gold_not_named": Entry(0.1, CONTEXT, "the expected `{subject}` stands nowhere, and the request names another"),
    "gold_not_asked": Entry(0.85, CAUSE, "the expected `{subject}` is not the one that the request names"),
    "unknown_record": Entry(0.9, CAUSE, "the request names `{subject}`, of which the tools know nothing"),
    "stale_gold": Entry(0.85, CAUSE, "the expected `{subject}` is none that the tools know"),
    "values_not_asked": Entry(0.1, CONTEXT, "the row's own `{subject}` does not stand in the request"),
    "gold_for_other_values": Entry(0.85, CAUSE, "the gold is for another `{subject}` than the request names"),
    "prompt_differs": Entry(0.6, CAUSE, "the prompt is not the row's own `{subject}`"),
    "gold_other_form": Entry(0.8, CAUSE, "the expected `{subject}` has another form than in all tasks that pass"),
    "gold_other_unit": Entry(0.85, CAUSE, "the expected figure is in another unit than the one asked for"),
    "gold_in_prompt": Entry(0.6, CAUSE, "the prompt gives the answer away"),
    "contradictory_gold": Entry(0.95, CAUSE, "the gold answer contradicts its own row"),
    "working_does_not_hold": Entry(0.85, CAUSE, "an equation in the row's own `{subject}` does not hold"),
    "gold_contradicted": Entry(0.9, CAUSE, "the expected answer contradicts the row's own `{subject}`"),
    "same_prompt_other_gold": Entry(0.9, CAUSE, "one prompt, two gold answers"),
    "same_prompt": Entry(0.15, CAUSE, "one prompt under several tasks"),
    "conflicting_rows": Entry(0.7, CAUSE, "rows of one rollout contradict each other"),
    "duplicate_rows": Entry(0.1, CAUSE, "rows written twice"),
    "invalid_reward": Entry(0.6, CAUSE, "reward that is no number"),
}
_BEHAVIOUR: Final = {
    "agent_blamed": Entry(0.1, CONTEXT, "the row lays the failure on {subject}"),
    "laid_on_agent": Entry(0.7, CAUSE, "the row's own judge finds a turn of the assistant wrong"),
    "lookup_skipped": Entry(0.9, CAUSE, "the value that `{tool}` gives was not looked up"),
    "skipped_lookup": Entry(0.8, CAUSE, "skips a lookup with `{tool}` that other rollouts make"),
    "unresolved_name": Entry(0.9, CAUSE, "uses a name that was never resolved ({subject})"),
    "filtered_in_reasoning": Entry(0.85, CAUSE, "filters in its reasoning instead of in the query ({subject})"),
    "filtered_by_hand": Entry(0.85, CAUSE, "filters dates in its reasoning instead of in the query of `{tool}`"),
    "record_left_out": Entry(0.7, CAUSE, "leaves out a record that it had seen ({subject})"),
    "schema_example_used": Entry(0.85, CAUSE, "passes the example of the tool's description on as `{argument}` of `{tool}`"),
    "words_not_allowed": Entry(0.75, CAUSE, "says what {subject} does not allow"),
    "result_not_marked": Entry(0.85, CAUSE, "comes to the right answer and marks another one"),
    "hedged_answer": Entry(0.85, CAUSE, "gives several answers where one is asked for"),
    "forbidden_said": Entry(0.8, CAUSE, "says what must not be said (`{subject}`)"),
    "consent_not_awaited": Entry(0.6, CAUSE, "calls `{subject}` before the user agreed"),
    "ungrounded_argument": Entry(0.8, CAUSE, "invents `{argument}` of `{tool}`"),
    "trial_only": Entry(0.9, CAUSE, "a trial run taken for the change (`{subject}`)"),
    "error_ignored": Entry(0.9, CAUSE, "error of `{tool}` passed over, success reported"),
    "unbacked_claim": Entry(0.85, CAUSE, "claims success without the action"),
    "output_truncated": Entry(0.9, CAUSE, "output cut off by the token limit"),
    "context_overflow": Entry(0.9, CAUSE, "conversation grew beyond the context"),
    "steps_exhausted": Entry(0.8, CAUSE, "ran out of steps"),
    "endless_loop": Entry(0.85, CAUSE, "goes round with the same call of `{tool}` to the end"),
    "repeats_itself": Entry(0.85, CAUSE, "repeats one passage until it is cut off"),
    "stopped_for_errors": Entry(0.8, CAUSE, "stopped by the harness for its errors ({subject})"),
    "output_unusable": Entry(0.6, CAUSE, "the verifier could use nothing of the output ({subject})"),
    "program_never_run": Entry(0.9, CAUSE, "the program defines functions and runs none of them"),
    "no_program": Entry(0.85, CAUSE, "no program was handed in"),
    "call_malformed": Entry(0.85, CAUSE, "ends with a call of `{tool}` as text that cannot be read"),
    "no_final_answer": Entry(0.8, CAUSE, "never answered"),
    "refusal": Entry(0.9, CAUSE, "refused the request"),
    "question_back": Entry(0.9, CAUSE, "asked back where nobody answers"),
    "gave_up": Entry(0.75, CAUSE, "gave up without having changed anything"),
    "answer_withheld": Entry(0.8, CAUSE, "ends without giving an answer"),
    "stopped_before_work": Entry(0.8, CAUSE, "ends before any work was done"),
    "not_handed_in": Entry(0.75, CAUSE, "ends without `{tool}`, which every passing rollout calls"),
    "constant_answer": Entry(0.9, CAUSE, "one and the same answer, whatever is asked ({subject})"),
    "wrong_format": Entry(0.8, CAUSE, "answer lacks the form that was asked for"),
    "limit_exceeded": Entry(0.8, CAUSE, "more {subject} than the request allows"),
    "other_record": Entry(0.7, CAUSE, "works on another record than passing repeats (`{argument}` of `{tool}`)"),
    "handed_over": Entry(0.4, CAUSE, "handed the case over before changing anything"),
    "thrashing": Entry(0.5, CAUSE, "goes back and forth with `{tool}`"),
    "feedback_misread": Entry(0.6, CAUSE, "repeats what `{tool}` had refused"),
    "repeated_call": Entry(0.25, CAUSE, "repeats the same call of `{tool}`"),
    "unknown_tool": Entry(0.4, CAUSE, "calls `{tool}`, which does not exist"),
    "unparsable_arguments": Entry(0.4, CAUSE, "arguments of `{tool}` that do not parse"),
    "schema_violation": Entry(0.4, CAUSE, "arguments that `{tool}` does not take"),
    "error_not_retried": Entry(0.45, CAUSE, "error of `{tool}` never retried"),
    "command_timed_out": Entry(0.4, CAUSE, "what it ran hit the time limit"),
    "self_check_failed": Entry(0.5, CAUSE, "stopped although its own test failed"),
    "no_self_check": Entry(0.3, CAUSE, "nothing was run after the last edit"),
    "older_entry_taken": Entry(0.8, CAUSE, "takes `{argument}` from an entry of another day than the one asked for"),
    "name_misspelt": Entry(0.8, CAUSE, "mistypes a name of the request in `{argument}` of `{tool}`"),
    "whole_for_each": Entry(0.8, CAUSE, "gives each call of `{tool}` the whole `{argument}`, which is to be shared"),
    "entries_merged": Entry(0.8, CAUSE, "makes one call of `{tool}` with what several entries come to"),
    "unit_not_converted": Entry(0.8, CAUSE, "`{argument}` in the unit of the request, where `{tool}` names another"),
    "superseded_value": Entry(0.8, CAUSE, "`{argument}` as it was before the request put it right"),
    "known_value_left_out": Entry(0.75, CAUSE, "`{argument}` left out although a tool had told it"),
    "stopped_short": Entry(0.8, CAUSE, "answers what `{tool}` showed, and not what was asked of it"),
    "asked_value_changed": Entry(0.6, CAUSE, "gives another `{argument}` to `{tool}` than the one in hand"),
    "other_language": Entry(0.8, CAUSE, "answers in another language than the one asked for"),
    "own_result_not_given": Entry(0.8, CAUSE, "comes to the expected answer and gives another one"),
    "unasked_change": Entry(0.75, CAUSE, "changes something with `{tool}` that is not expected and that no passing repeat does"),
    "action_out_of_order": Entry(0.8, CAUSE, "makes the changes in another order than expected: `{tool}` out of its place"),
    "closed_day_given": Entry(0.8, CAUSE, "gives a day to `{tool}` that the prompt's rules close, in `{argument}`"),
    "exception_given": Entry(0.8, CAUSE, "gives what the request excepts, in `{argument}` of `{tool}`"),
    "forbidden_use": Entry(0.75, CAUSE, "does what the prompt forbids: `{subject}`"),
    "piece_left_out": Entry(0.6, CAUSE, "leaves out of `{argument}` of `{tool}` what passing repeats give there"),
    "unasked_call": Entry(0.6, CAUSE, "calls `{tool}`, which nobody expected and no passing repeat does"),
    "ended_as_error": Entry(0.1, CONTEXT, "the harness says `{subject}`, and no error of the agent is to be seen"),
    "failed_call": Entry(0.1, CONTEXT, "`{tool}` answers with an error"),
    "extra_refused": Entry(0.1, CONTEXT, "tries a change that nobody expected: `{tool}`"),
    "self_check_passed": Entry(0.05, CONTEXT, "its own test passed"),
    "answer_told": Entry(0.05, CONTEXT, "told what had to be told"),
    "action_partial": Entry(0.8, SYMPTOM, "does only part of the changes: `{tool}` is missing"),
    "action_missing": Entry(0.8, SYMPTOM, "expected call of `{tool}` never made"),
    "action_declined": Entry(0.8, CAUSE, "says that the expected `{tool}` cannot be done"),
    "action_extra": Entry(0.8, SYMPTOM, "change that nobody expected: `{tool}`"),
    "answer_untold": Entry(0.7, SYMPTOM, "what the task wants told is never said (`{subject}`)"),
    "action_wrong_argument": Entry(0.8, SYMPTOM, "wrong `{argument}` in `{tool}`"),
}
_KNOWLEDGE: Final = {
    "api_misuse_repeated": Entry(0.6, CAUSE, "keeps misusing an interface ({subject})"),
    "api_misused": Entry(0.1, CONTEXT, "an interface misused ({subject})"),
    "same_misuse": Entry(0.75, CAUSE, "the same interface misused in repeat after repeat ({subject})"),
    "same_wrong_argument": Entry(0.75, CAUSE, "the same wrong `{argument}` in `{tool}`"),
    "working_departs": Entry(0.05, CONTEXT, "its working leaves the worked solution ({subject})"),
    "arithmetic_slip": Entry(0.05, CONTEXT, "an equation in its working does not hold"),
    "wrong_answer": Entry(0.25, CAUSE, "wrong answer, tried once ({subject})"),
    "failed_checks": Entry(0.25, CAUSE, "failed checks, tried once ({subject})"),
    "same_wrong_answer": Entry(0.75, CAUSE, "the same wrong answer ({subject})"),
    "scattered_answers": Entry(0.7, CAUSE, "right and wrong answers from the same process ({subject})"),
    "scattered_wrong_answers": Entry(0.4, CAUSE, "a different wrong answer each time, never the right one ({subject})"),
    "same_failed_checks": Entry(0.7, CAUSE, "the same checks fail, repeat after repeat ({subject})"),
    "wavering_work": Entry(0.65, CAUSE, "work that passes the checks in some repeats and not in others ({subject})"),
    "wavering_argument": Entry(0.7, CAUSE, "`{argument}` of `{tool}` varies from repeat to repeat"),
}
ENTRIES: Final = _INFRASTRUCTURE | _VERIFIER | _DATA | _BEHAVIOUR | _KNOWLEDGE
ANSWER: Final = "answer"
"""The subject of a finding about an answer of which no more is known; a title that has said so need not repeat it."""
_DEFAULT_WEIGHT: Final = 0.5
_WITHOUT_SUBJECT: Final = {
    "lookup_skipped": "the value that was needed was never looked up",
    "action_missing": "an expected change is never made",
    "action_extra": "a change that nobody expected",
    "repeated_call": "repeats the same call",
    "thrashing": "goes back and forth",
    "error_not_retried": "an error is never retried",
    "error_ignored": "an error is passed over, success reported",
}


def entry(code: str) -> Entry:
    known = ENTRIES.get(code)
    if known is not None:
        return known
    name = code.replace("_", " ").replace("{", "{{").replace("}", "}}")
    return Entry(_DEFAULT_WEIGHT, CAUSE, f"{name} ({{subject}})")


_OF_ARGUMENTS: Final = ("schema_violation", "feedback_misread")
"""Codes whose subject is an argument, although their titles name the tool alone."""


def title(code: str, subject: str) -> str:
    """What a mode of this code and subject is called."""
    subject = "" if subject in (code, ANSWER) else subject.replace("`", "'")  # a title sets names in backticks
    template = entry(code).title
    tool, argument = parted(subject, () if "{argument}" in template or code in _OF_ARGUMENTS else (subject,))
    if not subject and code in _WITHOUT_SUBJECT:
        return _WITHOUT_SUBJECT[code]
    text = template.format(subject=subject, tool=tool or "a tool", argument=argument or subject or "an argument")
    return text.replace(" ()", "").replace("``", "`?`")
