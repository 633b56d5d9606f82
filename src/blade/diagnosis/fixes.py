"""The catalogue of fixes: for every code that a mode can have, who has to change what.

The one place where a finding becomes advice. Sentences take names from the modes they answer: {tool}, {argument} and `{subject}`
from their subjects, `{target}` (the argument that a lookup was for), `{value}` (a command, a package, an error class), `{limit}` and
`{at}` from the run's sampling. Codes that share a fix (`name`, and the same `{…}` it is told apart by) become one intervention.
"""

from typing import Final, NamedTuple

RERUN: Final = "rerun"
REVERIFY: Final = "reverify"
REJUDGE: Final = "rejudge"
INSPECT: Final = "inspect"


class Fix(NamedTuple):
    name: str
    family: str  # data, verifier, prompt, harness, training, infrastructure
    title: str
    detail: str
    by: str = ""
    """What tells two of these fixes apart: tool, subject, value; empty where one change serves all."""
    confirm: str = RERUN


_LOOKUP: Final = Fix(
    "look_up_first",
    "prompt",
    "Require {tool} before the agent decides",
    "Add the rule to the system prompt, or have the harness refuse a change, and an end without one, until it holds: take {target} from an output of {tool}, never from "
    "the user's words, an earlier record or a guess.",
    "tool",
)
LOOK_UP_WHAT_IS_NEEDED: Final = Fix(
    "look_up_what_is_needed",
    "prompt",
    "Have every value that a change needs looked up first",
    "The right value was never seen in these rollouts, and neither they nor their siblings show which lookup gives it: read one, find the tool, and "
    "require it before the change.",
)
_GROUND: Final = Fix(
    "reject_ungrounded",
    "harness",
    "Have {tool} reject a {argument} that nothing gave",
    "Check {argument} against what the rollout has seen before {tool} runs, and answer with the lookup that gives it; in the prompt: take "
    "{argument} from a tool's output, ask for it or derive it in the open.",
    "subject",
)
_TELL: Final = Fix(
    "tell_what_was_asked",
    "prompt",
    "Have the last message state every figure that was asked for",
    "What `{subject}` wants told is in no message of the assistant: ask for the figures by name in the closing message, and read the task's list for "
    "items that only one way of working would ever mention.",
)
REPEAT: Final = Fix(
    "repeat_first",
    "harness",
    "Run the failed tasks several times before anything is trained on them",
    "Each was tried once: what is never known and what is known unreliably look alike, and need different remedies. Four repeats of the failed "
    "tasks tell them apart.",
)
_SIMULATION: Final = Fix(
    "mend_simulation",
    "infrastructure",
    "Mend {subject}, on which the rows' own judge lays these failures",
    "They say nothing about the assistant: read the judge's reasons, mend the simulator or the tool that they name, and run these tasks again.",
    "subject",
)
_TURN: Final = Fix(
    "mend_turn",
    "prompt",
    "Change what the assistant does in the turns that the judge finds wrong",
    "The rows' own judge names the turn and its reason: read the reasons together, and write the rule that they have in common into the instructions.",
    "",
)
_FRESH_GOLD: Final = Fix(
    "refresh_gold",
    "data",
    "Make the expected {subject} anew from the data that the tools answer from",
    "All repeats follow the request to a record, and the expected one stands in nothing that the tools return: the gold comes from another copy of the data. Generate it from the copy that is served, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_GOLD_BY_REQUEST: Final = Fix(
    "gold_by_request",
    "data",
    "Correct the expected {subject} by the request",
    "The request names what all repeats gave, and the expected value stands nowhere: one of the two was changed. Have a person decide, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_ONE_DRAW: Final = Fix(
    "refill_template",
    "data",
    "Fill request and gold of a task from the same values",
    "The row's {subject} is not what its request says, so the gold answers another request: make both from one draw, and collect these tasks again.",
    "subject",
)
_REQUESTS: Final = Fix(
    "repair_requests",
    "data",
    "Restore the requests that are broken off or lack what they speak of",
    "The text of these requests ends too early, holds an unfilled gap or speaks of something that is not there, and the rollouts say so: restore "
    "them from the source, and check the export for a limit on length.",
)
_RETRY: Final = Fix(
    "retry_services",
    "infrastructure",
    "Retry {value}, and collect the hit rollouts again",
    "Retry with backoff in the model and tool clients; what still fails belongs in the failures sidecar, not in the score as a 0.",
)
_TOKENS: Final = Fix(
    "raise_output_limit",
    "harness",
    "Raise max_output_tokens{limit}",
    "The output limit{at} ended these rollouts before they had answered: raise it, or ask for shorter reasoning, and compare at the same limit.",
)
_ROOM: Final = Fix(
    "trim_context",
    "harness",
    "Keep the conversation within the context",
    "Cut or summarise long tool outputs before they enter the conversation, or serve the model with a longer context.",
)
_STEPS: Final = Fix(
    "raise_step_limit",
    "harness",
    "Raise the step limit, and tell the model how many steps are left",
    "These rollouts were still at work with {tool} when the steps ran out: raise the limit, or make the listing calls return more at a time.",
)
_LOOPS: Final = Fix(
    "break_loops",
    "harness",
    "Break loops over the same calls",
    "When a call repeats with the same answer, return that fact instead of the answer, and end the rollout after a few more: the agent goes round with {tool}, and more steps would only be more rounds.",
)
_INTERFACE: Final = Fix(
    "document_tool",
    "prompt",
    "State the interface of {tool} where it is declared",
    "Put an example call and the allowed values of its arguments into the description of {tool}, and let its error name the argument that is wrong.",
    "tool",
)
_PROCEED: Final = Fix(
    "finish_in_one_go",
    "prompt",
    "Have the agent go on with what it has",
    "These rollouts stopped or asked back where others went on: state in the system prompt that the request is to be carried out with what is given and can "
    "be looked up, what to assume where it is silent and, where no one replies, that no one does.",
)
_GUARD: Final = Fix(
    "guard_change",
    "harness",
    "Have {tool} confirm its condition before it runs",
    "It is called where the task wants no such call, whether the request speaks of it or not: state in its description when it may be called, and have it "
    "return what would change for confirmation first.",
    "tool",
)
_EXPECTED: Final = Fix(
    "do_every_part",
    "prompt",
    "Have the agent check off what was asked before it ends ({tool})",
    "Expected and not called, or not for every record: {tool}. Ask for a list of what was requested beside what was done before the last message, "
    "and let the harness ask once more where an item is open.",
)
_RULE: Final = Fix(
    "state_the_rule",
    "training",
    "Teach the rule behind {argument} of {tool}",
    "The value is wrong in the same way again and again: put the rule that decides {argument} into the description of {tool} (or have the tool "
    "compute it), and add training data for it.",
    "subject",
)
_CHECKS: Final = Fix(
    "repair_check",
    "verifier",
    "Repair the check {subject} of the verifier",
    "Run it on a rollout whose other checks pass: it fails for everyone, so it measures itself. Fix or drop it, then verify the same outputs again.",
    "subject",
    REVERIFY,
)
_ANSWERS: Final = Fix(
    "compare_normalised",
    "verifier",
    "Compare answers after normalising them",
    "Let the verifier accept the expected answer in another form (separators, units, LaTeX, case, option letters) and take it from the final message "
    "where its extraction finds none; then verify the same outputs again.",
    "",
    REVERIFY,
)
_STABLE: Final = Fix(
    "make_verifier_repeatable",
    "verifier",
    "Make the verifier give equal answers equal rewards",
    "Fix its seed, time limit or judge so that the same output scores the same twice; then verify the same outputs again and compare.",
    "",
    REVERIFY,
)
_TEST: Final = Fix(
    "test_before_end",
    "prompt",
    "Ask for a test run after the last edit, and for another try while it fails",
    "State that the work ends with a passing run of the tests, and let the harness return a failing one to the model instead of ending.",
)
_HONEST: Final = Fix(
    "report_only_done",
    "harness",
    "Check the final report against the calls that were made",
    "Before the rollout ends, compare what the message reports as done with the state-changing calls that succeeded, and return the difference to the model.",
)

_ONE_THING: Final = Fix(
    "mend_instructions",
    "data",
    "Make the request want one thing",
    "Its readers say that it wants two things which exclude each other, and the gold goes by one of them: take the other one out of the request, and run these tasks again.",
)

_REWORKED: Final = Fix(
    "rework_gold",
    "data",
    "Work {subject} out again from the data that the tools have",
    "The row's own working begins with a value that neither the request nor any lookup has, and the repeats, which go by theirs, agree: make the gold from the same data as the tools' answers, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_CONVERTED: Final = Fix(
    "convert_gold",
    "data",
    "Convert {subject} into the unit or the clock that is asked for",
    "The expected figure is the one of the record, and the repeats, which convert it as the request wants, agree: convert the gold as well, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_REJUDGED: Final = Fix(
    "rejudge_condition",
    "data",
    "Decide the condition of the request again by the figures of {subject}",
    "The row's own working has the figure of the lookup and the limit of the request, and its gold is the other branch than the one that they come to: correct the expected calls, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_SAY_WHICH: Final = Fix(
    "say_which",
    "data",
    "Say in the request which of those of one name is meant",
    "The lookup by the name in the request lists several, and {argument} of {tool} is expected from one of them: put what tells them apart into the request; the row's own notes may have it.",
    "subject",
)
_LINE_OFF: Final = Fix(
    "realign_records",
    "data",
    "Take the expected {argument} of {tool} from the record that the request names",
    "All repeats take the record that the request names, and another line of the same listing is expected: look whether the gold is a line off, correct it, and verify the same outputs again.",
    "subject",
    REVERIFY,
)
_WHOLE_STREAMS: Final = Fix(
    "keep_streams_whole",
    "infrastructure",
    "Have a stream that ends without its finish reason fail the attempt, and collect the hit rollouts again",
    "What arrived is the beginning of a message: look at proxies and timeouts between the harness and the endpoint, and retry instead of scoring half of an answer.",
)
FIXES: Final[dict[str, Fix]] = {
    # data
    "empty_prompt": Fix("fill_prompts", "data", "Fill the empty prompts", "Rebuild these rows of the dataset from their source, or take them out of it: they ask nothing."),
    "gold_in_prompt": Fix("remove_gold", "data", "Take the expected answer out of the prompt", "The prompt states {subject} as the answer: rebuild it without, and run these tasks again.", "subject"),
    "contradictory_gold": Fix("repair_gold", "data", "Repair the gold that contradicts itself", "{subject} names an answer outside the row's own options, another option than the row's other fields do, or asserts what cannot all hold: correct it in the dataset.", "subject"),
    "request_unusable": _REQUESTS,
    "prompt_cut": _REQUESTS,
    "prompt_unfinished": _REQUESTS,
    "prompt_questioned": _REQUESTS,
    "prompt_continues": _REQUESTS,
    "comparison_stripped": _REQUESTS,
    "prompt_damaged": Fix("fill_templates", "data", "Fill the templates and mend the encoding of the damaged requests", "These requests hold a gap that was never filled in, or letters that were read in another encoding: build them again from the source."),
    "list_abridged": Fix("restore_list", "data", "Restore the lists that were cut short", "These requests hold a list that ends with how many entries were left out, or has dots in their place, and the expected work needs them: write the lists out in full."),
    "material_missing": Fix("add_material", "data", "Add what the requests speak of", "These requests speak of a table, a list, options or a text that stands nowhere in them: add it to the rows."),
    "material_of_another": Fix("match_material", "data", "Put the right list below each request", "The list below the request is headed with another record than the one that it asks for: join the requests and what lies beside them again by their key."),
    "prompt_differs": Fix("match_prompts", "data", "Match each prompt with its own row", "The row's {subject} asks something else than its prompt: join prompts and rows again by their key.", "subject"),
    "ambiguous_options": Fix("repair_options", "data", "Rewrite the options that say the same", "Two options of these tasks are equal and one of them is expected, so the other is right as well: replace one of them."),
    "gold_refuses": Fix("rewrite_refused_gold", "data", "Write the gold that a model refused to write", "{subject} holds the refusal of whichever model wrote the gold: write it anew, or leave the tasks out.", "subject"),
    "unusable_gold": Fix("fill_gold", "data", "Fill in the expected answers that are placeholders", "{subject} holds a placeholder, which nobody can answer: fill it in or leave the tasks out.", "subject"),
    "request_reversed": Fix("reword_request", "data", "Reword the request so that it says what {subject} goes by", "The request compares with a figure in one direction and the row's own {subject} in the other: have a person decide which was meant, reword the other, and verify again.", "subject"),
    "request_names_two": _SAY_WHICH,
    "record_not_told_apart": _SAY_WHICH,
    "gold_of_other_record": _LINE_OFF,
    "gold_beside": _LINE_OFF,
    "gold_of_other_kind": Fix("rejoin_gold", "data", "Put the answer to this question where {subject} has that to another", "A number alone is asked for and something else is expected: find out with which row this one was mixed up, correct it, and verify the same outputs again.", "subject", REVERIFY),
    "instructions_contradict": _ONE_THING,
    "instructions_questioned": _ONE_THING,
    "request_contradicts_itself": Fix("mend_request", "data", "Make the request say one thing", "It names two values for one thing, and the gold goes by one of them: correct the request, or take the task out, and run it again.", "subject"),
    "gold_other_language": Fix("translate_gold", "data", "Give {subject} in the language that is asked for", "The answers say the same as the gold, in the language that the request wants: put the gold into that language, or accept both, and verify the same outputs again.", "subject", REVERIFY),
    "gold_stray_call": Fix("remove_stray_call", "data", "Take the call of {subject} out of the gold, or ask for it", "It is for a record that neither the request nor any answer names, and all else is done as expected: look where it comes from (rows joined wrongly, a change left from another task), and verify the same outputs again.", "subject", REVERIFY),
    "gold_damaged": Fix("restore_gold", "data", "Restore {subject}, which was damaged on its way", "The expected value is a damaged copy of what the rollouts found (digits lost as in a spreadsheet, day and month swapped, the century mistaken, cut off, wrongly encoded, the trace of an edit, the ends of a span swapped): export the column again as text from its source, and verify the same outputs again.", "subject", REVERIFY),
    "options_not_shown": Fix("show_options", "data", "Show the options in the prompt", "The row has options and expects one of them, and the prompt does not show them: render them into the prompt, and collect these tasks again."),
    "gold_breaks_form": Fix("reform_gold", "data", "Put {subject} into the form that the prompt asks for", "The prompt says in which form it wants the answer, the rollouts keep to it, and the gold does not: write the gold in that form, and verify the same outputs again.", "subject", REVERIFY),
    "gold_of_other_data": _REWORKED,
    "working_of_other_data": _REWORKED,
    "gold_misjudged": _REJUDGED,
    "condition_misjudged": _REJUDGED,
    "gold_unconverted": _CONVERTED,
    "gold_as_recorded": _CONVERTED,
    "gold_is_example": Fix("fill_example_gold", "data", "Fill in {subject}, which is the example of a tool's description", "The gold has the made-up id that the schema shows, which no tool knows: write the id of the record there that the request is about, and verify the same outputs again.", "subject", REVERIFY),
    "gold_reordered": Fix("restore_order", "data", "Put {subject} of the gold into the order of the request", "The request numbers the entries and the gold has them in another order, as sorting leaves it: restore the order, and verify the same outputs again.", "subject", REVERIFY),
    "gold_doubled": Fix("dedupe_gold", "data", "Take the doubled calls out of the gold", "{subject} is expected more often than the request asks for it, as a join leaves it that found two rows: keep each expected call once, and verify the same outputs again.", "subject", REVERIFY),
    "gold_empty": Fix("fill_expected_calls", "data", "Fill in the expected calls that are missing", "These tasks list no expected call although the others do, and all repeats do the same work, ending in {subject}: write the list again from the source, and verify the same outputs again.", "subject", REVERIFY),
    "gold_aged": Fix("pin_the_day", "data", "Work {argument} of {tool} out from the day that the prompt names", "The request counts from today and the expected value from the day on which the row was made: pin the prompt's day to that day, or compute the expected value from it, and run these tasks again.", "subject"),
    "gold_lacks_call": Fix("complete_gold", "data", "Add {subject} to the expected calls", "The request asks for it, all repeats do it, and the list of expected calls of these tasks lacks it: complete the list, and verify the same outputs again.", "subject", REVERIFY),
    "gold_already_true": Fix("reset_fixture", "data", "Begin the tasks of {subject} before what they ask for is done", "The records that these tasks expect stand there at the first look, so that no change can be seen: restore the fixture to the state before the work, and run these tasks again.", "subject"),
    "gold_impossible": Fix("match_gold_to_tools", "data", "Write the gold for the tools as they are declared", "The expected {subject} is no tool, argument or value that the declared tools have: bring gold and tools to one version, and verify the same outputs again.", "subject", REVERIFY),
    "unknown_record": Fix("name_known_records", "data", "Correct the record that the request names ({subject})", "Every repeat asks for it and the tools know of none, while another one of the same form is expected: correct the request, or load the record it names, and run these tasks again.", "subject"),
    "stale_gold": _FRESH_GOLD,
    "gold_unseen": _FRESH_GOLD,
    "gold_against_record": _FRESH_GOLD,
    "gold_off_record": _FRESH_GOLD,
    "gold_not_asked": _GOLD_BY_REQUEST,
    "gold_not_named": _GOLD_BY_REQUEST,
    "gold_for_other_values": _ONE_DRAW,
    "values_not_asked": _ONE_DRAW,
    "misplaced_gold": Fix("realign_gold", "data", "Put the expected answers back to their own tasks", "The repeats of these tasks agree on what another task expects: rows were swapped or shifted. Join the answers again by their key, and verify the same outputs again.", "", REVERIFY),
    "gold_other_form": Fix("rewrite_gold", "data", "Write the expected {subject} in its usual form", "The expected value has another form than that of all tasks that pass: correct it where the dataset was made, and verify the same outputs again.", "subject", REVERIFY),
    "gold_other_unit": Fix("convert_gold", "data", "Convert {subject} into the unit that is asked for", "The expected figure is in another unit than the one that the question asks for: convert it, or change the question, and verify the same outputs again.", "subject", REVERIFY),
    "working_does_not_hold": Fix("recalculate_gold", "data", "Recalculate the working in {subject}, and what is expected with it", "An equation of the row's own working ({subject}) does not hold, and the repeats agree on another answer: calculate it again, correct the gold, and verify the same outputs again.", "subject", REVERIFY),
    "gold_contradicted": Fix("settle_gold", "data", "Settle what is expected where {subject} says something else", "Another field of the row ({subject}) states what the rollouts gave, and the expected answer is another: have a person decide, correct the wrong field, and verify the same outputs again.", "subject", REVERIFY),
    "same_prompt_other_gold": Fix("one_gold_per_prompt", "data", "Give one prompt one expected answer", "The same prompt stands under several tasks with different gold: decide which is right, correct the others, and drop the copies."),
    "same_prompt": Fix("drop_copies", "data", "Drop the copies of a task", "The same prompt stands under several tasks, which counts it several times: keep one.", "", INSPECT),
    "conflicting_rows": Fix("one_row_per_rollout", "data", "Write each rollout once", "Rows with the same key say different things and only the first counts: find out which writer repeated the key, and collect these rollouts again."),
    "duplicate_rows": Fix("one_row_per_rollout", "data", "Write each rollout once", "Rows stand in the file twice; whoever averages the file counts them twice.", "", INSPECT),
    "invalid_reward": Fix("finite_rewards", "verifier", "Have the verifier give a finite number", "A reward that is missing or no number cannot be scored: return 0 or raise a failure class instead.", "", REVERIFY),
    # infrastructure
    "server_error": _RETRY,
    "served_otherwise": Fix("serve_alike", "infrastructure", "Serve all rollouts with the same {subject}, and collect these again", "These rollouts have another {subject} than the rest of the run and fail far more often: switch fallbacks off or have them fail the attempt, and record the setting with each row.", "subject"),
    "response_replayed": Fix("mend_cache", "infrastructure", "Take the cache out that answers requests with the responses to others, and collect the hit rollouts again", "The same response, by its id and word for word, stands under several tasks: have the cache's key hold the whole request and the sampling seed, or switch it off."),
    "tool_outage": Fix("mend_outage", "infrastructure", "Find out what was wrong with {tool} at that time, and collect the hit rollouts again", "Calls of {tool} got no answer of their own but a text that came back for other calls too, half an answer, or that to another query: retry in the client, and keep what still fails out of the score.", "tool"),
    "service_timeout": _RETRY,
    "connection_failed": _RETRY,
    "empty_completion": _RETRY,
    "user_simulator_failed": Fix("restart_user", "infrastructure", "Have the simulated user's errors end the rollout", "An error of the program that plays the user reached the agent as the user's words: retry it, write such rollouts to the failures sidecar, and collect them again."),
    "window_too_small": Fix("widen_window", "infrastructure", "Serve the model with a window that holds the prompt", "The first request was refused for its length, before the model did anything: raise the deployment's context length (all of them, where only some refuse), and collect these rollouts again."),
    "cut_below_limit": Fix("one_limit", "infrastructure", "Have what serves the model keep to the limit of the request, and collect the hit rollouts again", "These outputs ended by length far below what their request allows: look for a limit of the gateway's or the engine's own, and record it with each row."),
    "tools_undeclared": Fix("declare_tools", "infrastructure", "Declare the tools in the request, and collect the hit rollouts again", "The prompt demands a tool call and the request declares none, so none could be made: look where the data or the harness loses the tools."),
    "tools_withheld": Fix("pass_tools", "infrastructure", "Pass the tools on to the model, and collect the hit rollouts again", "The request lists tools and the response was served without any: look at the gateway that drops them, and have the harness compare both before it scores."),
    "call_not_parsed": Fix("parse_calls", "infrastructure", "Have what serves the model parse its tool calls, and collect the hit rollouts again", "Calls of {tool} reached the harness as text: switch on the parser of this model's calls where these rollouts were served, and have the harness fail an attempt whose last message holds a call."),
    "message_broken_off": _WHOLE_STREAMS,
    "garbled_output": Fix("mend_engine", "infrastructure", "Take the engine that writes noise out of service, and collect the hit rollouts again", "What came back is no text of the model: look at the host, the weights and the cache that served these rollouts, and have such outputs fail the attempt instead of being scored."),
    "rate_limited": Fix("lower_concurrency", "infrastructure", "Lower the concurrency, or raise the rate limit", "Services refused for too many requests: lower `--concurrency`, honour Retry-After, and collect the hit rollouts again."),
    "quota_exhausted": Fix("refill_quota", "infrastructure", "Refill the quota and collect the hit rollouts again", "A plan or credit ran out during the run; nothing after that moment measures the model."),
    "user_left": Fix("let_agent_act", "infrastructure", "Have the simulated user end only after the agent has had its turn", "The word that ends the conversation came before the agent could act on what it was told: allow it only in a turn that asks and grants nothing, or give the agent one more turn after it, and collect these rollouts again."),
    "user_off_script": Fix("brief_user", "verifier", "Tell the simulated user what to answer when it is asked for {argument}, and collect the hit rollouts again", "It made a value up that its instructions do not have, and the agent is scored for having taken it: put the value into its instructions, or have these say that it does not know and that the agent is to look.", "argument"),
    "user_withheld": Fix("user_tells", "verifier", "Tell the simulated user to give the {argument} that it is asked for, and collect the hit rollouts again", "Its instructions have the value, and it said that it does not: have them say in so many words that it knows it and tells it when asked.", "argument"),
    "left_with_yes": Fix("user_stays", "verifier", "Give the agent a turn after a yes of the simulated user, and collect the hit rollouts again", "The simulated user granted what the agent had asked and ended the conversation in the same turn, so that the agent is scored for what it was about to do: have the user's instructions end only once the change has been confirmed, or the harness give one more turn after a yes."),
    "access_denied": Fix("repair_credentials", "infrastructure", "Give the run credentials that are accepted", "A service refused them ({value}): check key, scope and expiry, then collect the hit rollouts again."),
    "sandbox_failed": Fix("repair_sandbox", "infrastructure", "Make sandboxes start, and retry those that do not", "A sandbox, container or kernel died or never started: retry the start before the rollout counts, and watch the host's limits."),
    "out_of_memory": Fix("raise_memory", "infrastructure", "Give the sandbox more memory", "Processes were killed for memory: raise the limit of the container, or run fewer at a time on a host."),
    "store_failed": Fix("mend_store", "infrastructure", "Mend the store behind the tools", "It was locked, read-only, damaged or out of connections: give each rollout a copy of its own or fewer rollouts at a time, and collect the hit ones again."),
    "session_lost": Fix("keep_sessions", "infrastructure", "Keep the tools' sessions alive, and collect the hit rollouts again", "The session behind the tools was gone while the rollout worked: raise its time to live, or open another one when it is lost."),
    "stream_lost": _WHOLE_STREAMS,
    "message_unclosed": _WHOLE_STREAMS,
    "disk_full": Fix("free_disk", "infrastructure", "Give the sandbox more disk", "No space was left: raise the quota, or clean up between rollouts."),
    "missing_command": Fix("install_commands", "infrastructure", "Install {value} in the image", "Rollouts call {value}, which the sandbox does not have: install it, or say in the prompt what is there."),
    "failed_install": Fix("provide_packages", "infrastructure", "Provide {value} in the image", "An install of {value} failed inside the rollout: put it into the image, or give the sandbox a package index that it can reach."),
    "rollout_error": Fix("repair_rollout_error", "infrastructure", "Repair what ended the rollouts: {subject}", "The rows record an error of the harness: fix it, write such rows to the failures sidecar instead of scoring them, and collect them again.", "subject"),
    "laid_on_environment": _SIMULATION,
    "environment_blamed": _SIMULATION,
    "sample_masked": Fix("leave_out_masked", "verifier", "Leave the masked samples out of the score", "Their own rows say that they are not to be counted: take them out of the score, or run them again.", ""),
    "laid_on_agent": _TURN,
    "agent_blamed": _TURN,
    "judge_failed": Fix("rejudge", "infrastructure", "Judge the rollouts again whose judge failed", "Their score says nothing about the model: bring the judge back and verify only these rows again.", "", REJUDGE),
    "content_filtered": Fix("content_filter", "infrastructure", "Turn the provider's content filter off for this evaluation, or count its refusals apart", "The filter and not the model ended these responses."),
    # task and verifier
    "judging_unfinished": Fix("read_judging_log", "verifier", "Read the verifier's log of what it did not finish ({subject})", "A flag says that the judging did not come to an end, and no error with it: what was handed in may not apply or not start, or the verifier may have broken off. Read its log, record the reason in the row, and verify again where it is the verifier's.", "subject", REVERIFY),
    "verifier_error": Fix("repair_verifier", "verifier", "Repair the verifier's own errors ({subject})", "A verifier that fails or times out scores nothing: raise its time limit or fix the error, then verify the same outputs again.", "subject", REVERIFY),
    "answer_not_extracted": _ANSWERS,
    "other_expectation": Fix("fresh_expectation", "verifier", "Have the verifier compare with the row's own expectation ({subject} holds another)", "The result holds another expectation than the case that it is the result of: look for a cache of expectations, or one by a key that is not unique, and verify the same outputs again.", "subject", REVERIFY),
    "program_not_taken": Fix("take_programs", "verifier", "Have the verifier find the program in these messages ({subject} is empty)", "The message holds a program and none was run: look at the fences of the quoted messages (opened twice, never closed, another language), make the extraction accept them, and verify these rollouts again.", "subject"),
    "correct_answer_rejected": _ANSWERS,
    "answer_told": _ANSWERS,
    "equal_answer_other_reward": _STABLE,
    "pass_without_work": Fix("reject_empty_passes", "verifier", "Have the verifier fail an output without work", "Empty, refused or errored outputs pass: require the answer or the change itself before a reward is given. The score will fall to what it should have been.", "", REVERIFY),
    "check_broken": Fix("repair_checks", "verifier", "Give the check {subject} what it needs", "It fails for want of its own means (a file, a fixture, a module, the clock), whatever the work: repair it, then verify the same outputs again.", "subject", REVERIFY),
    "equal_work_other_reward": _STABLE,
    "made_in_portions": Fix("compare_end_state", "verifier", "Compare what {tool} leaves behind, not its calls one by one", "The same parts of {argument} were given in other portions than the verifier expects: compare the state at the end, or the parts of all calls together, and verify the same outputs again.", "subject", REVERIFY),
    "expected_work_rejected": Fix("verify_against_expected", "verifier", "Find out what the verifier holds against work that is as expected", "These rollouts made every expected call and no other: verify the same outputs again; where they fail again, print the state or text that differs, and fix the verifier or the expectation.", "", REVERIFY),
    "equal_notation": Fix("compare_digits", "verifier", "Compare the digits of {subject}", "The same number was given with its digits grouped otherwise: compare it without blanks, brackets and hyphens, or declare the form in the tool's schema, and verify the same outputs again.", "subject", REVERIFY),
    "equal_quantity": Fix("compare_quantities", "verifier", "Compare the quantities of {subject} in one unit", "The same quantity was given in another unit: convert both sides to one unit before they are compared, or say in the tool's description which unit is wanted, and verify the same outputs again.", "subject", REVERIFY),
    "equal_tool": Fix("compare_end_state", "verifier", "Accept every tool that does what {subject} does", "The change that {subject} is expected to make was made with another tool that does the same: compare the state at the end, or accept both tools, and verify the same outputs again.", "subject", REVERIFY),
    "listed_answer": Fix("accept_listed", "verifier", "Have the verifier accept all that {subject} lists", "The row lists these answers as right ({subject}), and the verifier compares with one field alone: let it take any of them, and verify the same outputs again.", "subject", REVERIFY),
    "equal_alternative": Fix("accept_alternatives", "verifier", "Accept every value of {argument} that the request leaves open", "The request leaves {argument} of {tool} open, and the expected value is one of several that are listed alike: let the verifier accept any of them, or name the one that is wanted in the request.", "subject", REVERIFY),
    "check_fails_for_all": _CHECKS,
    "reward_contradicts_outcome": Fix("reward_from_outcome", "verifier", "Compute the reward from {subject}", "{subject} goes with passing in nearly every rollout and says otherwise in these: decide which of the two is meant, and verify the same outputs again.", "subject", REVERIFY),
    "reward_contradicts_checks": Fix("reward_from_checks", "verifier", "Compute the reward from the checks", "The reward says something else than the verifier's own checks ({subject}): decide which is meant, and verify the same outputs again.", "", REVERIFY),
    "never_passes_in_passing_slice": Fix("review_tasks", "data", "Have a person solve the tasks that nobody passes", "Their slice is solved and they never are: check request, gold and tools of each by hand before the model is blamed.", "", INSPECT),
    # behaviour
    "lookup_skipped": _LOOKUP,
    "skipped_lookup": _LOOKUP,
    "unresolved_name": Fix("resolve_names", "prompt", "Resolve names before {tool} is called", "{argument} of {tool} needs an address or id, and the rollout had only a name (or made the address up, or left it out): require the directory lookup for every person whom the request names, pass what it gives as {argument}, and have {tool} reject what is no address or id.", "subject"),
    "filtered_in_reasoning": Fix("filter_in_query", "prompt", "Filter in the query of {tool}, not in the reasoning", "Tell the agent to pass the date or range as arguments of {tool} instead of picking from a full listing; borderline records get lost on the way.", "tool"),
    "filtered_by_hand": Fix("filter_in_query", "prompt", "Filter in the query of {tool}, not in the reasoning", "Tell the agent to pass the date or range as arguments of {tool} instead of picking from a full listing; borderline records get lost on the way.", "tool"),
    "record_left_out": Fix("act_on_every_record", "prompt", "Call {tool} for every record that the listing gave", "Ask for the list of ids before the first {tool}, and compare it with the calls made before the rollout ends.", "tool"),
    "other_record": Fix("confirm_the_record", "prompt", "Compare the record with the request before {tool} is called", "These rollouts gave {tool} another {argument} than the repeats that pass, one that stood in the same listing: have the agent read back what the request says of the record, and let {tool} answer with its name.", "subject"),
    "record_not_acted_on": Fix("act_on_every_record", "prompt", "Call {tool} for every record that the listing gave", "Ask for the list of ids before the first {tool}, and compare it with the calls made before the rollout ends.", "tool"),
    "schema_example_used": Fix("plain_examples", "harness", "Give {argument} of {tool} an example that no call would take", "The value in the tool's own description was passed on as if it were meant: write it so that it cannot be (YYYY-MM-DD), or reject it.", "subject"),
    "words_not_allowed": Fix("withhold_told", "prompt", "Say in the prompt what {subject} does not allow to be told", "The work is the same as in a repeat that passes, and only {subject} fails, which looks at the words: state the rule in the prompt with an example of a reply that keeps to it.", "subject"),
    "result_not_marked": Fix("mark_result", "prompt", "Ask for the final result behind the mark", "The message comes to the right answer and marks an intermediate one: ask for the unit and the result that the question wants to be repeated behind the mark."),
    "hedged_answer": Fix("one_answer", "prompt", "Ask for one answer", "Several answers are given of which one is right: say that one is wanted, and that several count as none."),
    "forbidden_said": Fix("withhold_words", "prompt", "Say in the prompt what must not be told", "A message has words that {subject} forbids: state the rule in the prompt with an example of a reply that keeps to it.", "subject"),
    "forbidden_in_word": Fix("whole_words", "verifier", "Have {subject} looked for as whole words", "The forbidden text stands only inside of longer words, where it means something else: compare whole words, and verify the same outputs again.", "subject", REVERIFY),
    "consent_not_awaited": Fix("await_consent", "harness", "Have {subject} wait for the user's yes", "The prompt wants the user to agree before a change: have the tool refuse until the turn before it is a yes to what it is called with.", "subject"),
    "ungrounded_argument": _GROUND,
    "trial_only": Fix("real_after_trial", "prompt", "Ask for the real call after a trial run", "A call with {subject} only rehearses, and no real one followed: say in the tool's description and in the system prompt that nothing is done until it is called without it.", "subject"),
    "error_ignored": _HONEST,
    "unbacked_claim": _HONEST,
    "output_truncated": _TOKENS,
    "no_final_answer": Fix("record_the_end", "harness", "Find out why the answer is missing after the thinking", "These rollouts end with reasoning and no answer, and no row says that a limit was reached: record the finish reason and the tokens; where it is the limit, raise it, and where it is the parser of the reasoning, repair that."),
    "output_unusable": Fix("usable_output", "prompt", "Show in the prompt what an output has to be like ({subject})", "The verifier says that it could use nothing of these outputs: show one that it takes, and read two of the quoted ones first; where they are what the prompt asks for, the verifier is what has to change.", "subject"),
    "program_never_run": Fix("ask_for_a_program", "prompt", "Say in the prompt that the program is run as it is and has to print its answer", "These programs define what they need and call nothing, so nothing is printed: ask for a program that reads its input and prints, and show the call at its end."),
    "no_program": Fix("demand_program", "prompt", "Ask again where no program is handed in", "The message holds no program, or an empty block: check for it before scoring and sample once more, and look at the tasks on which it comes again."),
    "context_overflow": _ROOM,
    "steps_exhausted": _STEPS,
    "endless_loop": _LOOPS,
    "repeats_itself": Fix("break_repetition", "harness", "Stop a sample that repeats itself, and draw it again", "The output says one passage over and over until it is cut off: a higher limit would only hold more of it. Sample with a repetition penalty or a higher temperature, stop where a passage has come several times, and count how often it happens before the prompt or the model is blamed."),
    "stopped_for_errors": Fix("recover_from_errors", "harness", "Return the agent's errors to it instead of ending the rollout", "The harness stopped after {value}: raise its tolerance, and let the error name what to change."),
    "refusal": Fix("scope_in_prompt", "prompt", "State in the system prompt that the request is in scope", "The model refuses the request as such: say what it is for and what is allowed; where the refusal is right, the task belongs in another set."),
    "not_handed_in": Fix("ask_for_handing_in", "harness", "Ask for {tool} where a rollout ends without it", "Every passing rollout calls {tool}, and these end with a message instead: say in the prompt that only what {tool} is given counts, and answer a last message without it with that sentence.", "tool"),
    "ended_as_error": Fix("record_the_error", "harness", "Record the error that the harness ended these rollouts for", "The row says {value} and nothing shows what went wrong: write the exception into the row before the agent or its endpoint is blamed."),
    "call_malformed": Fix("return_malformed_calls", "harness", "Return a call that cannot be read to the model", "The rollout ended with a call of {tool} whose arguments are no JSON: answer it with the error of the parser and let the model try again, or serve it with guided decoding of calls."),
    "question_back": _PROCEED,
    "gave_up": _PROCEED,
    "answer_withheld": _PROCEED,
    "stopped_before_work": _PROCEED,
    "handed_over": Fix("narrow_handover", "prompt", "Name the cases in which {tool} is right", "The case is handed over before anything was tried: list the conditions for {tool}, and have it refuse while they do not hold.", "tool"),
    "constant_answer": Fix("reach_the_model", "harness", "Find out why the model answers the same whatever is asked, before anything is trained", "(Nearly) every task got one answer although they want different ones. Read the input of two tasks as it was sent: is the question in it, does the chat template keep it, do cache, stub or sampling return one reply? If the questions do arrive, the model has collapsed, and no data about these tasks mends that."),
    "wrong_format": Fix("state_format", "prompt", "Repeat the wanted form of the answer at the end of the prompt: {subject}", "Give one example of {subject} as the last line, and let the verifier accept the answer where its form is the only fault.", "subject"),
    "limit_exceeded": Fix("state_limit", "prompt", "Have the agent count its {subject} before it ends", "The request sets a limit and the text is longer: repeat the limit at the end of the prompt, or let the tool that takes the text refuse what is too long.", "subject"),
    "thrashing": Fix("break_loops", "harness", "Break loops over the same calls", "When a call repeats with the same answer, return that fact instead of the answer: the agent goes round with {tool}."),
    "repeated_call": _LOOPS,
    "feedback_misread": Fix("clearer_errors", "harness", "Let the error of {tool} name {argument} and what it should be", "The agent sends {argument} again after it was refused: its error has to say which argument is wrong, what was expected and which tool gives it.", "subject"),
    "unknown_tool": Fix("list_tools", "harness", "Answer a call of {tool} with the tools that exist", "Offer {tool}, or let the error list the declared tools, with the nearest name first.", "tool"),
    "unparsable_arguments": _INTERFACE,
    "schema_violation": _INTERFACE,
    "failed_call": _INTERFACE,
    "error_not_retried": Fix("retry_in_agent", "prompt", "Ask for a second try with {tool} after an error", "State which errors are worth a retry, or let the harness retry those that are nobody's fault.", "tool"),
    "command_timed_out": Fix("raise_time_limit", "harness", "Raise the time limit of commands, and say what it is", "What the model ran hit the limit: raise it, or tell the model the limit so that it plans for it."),
    "no_self_check": _TEST,
    "self_check_failed": _TEST,
    "self_check_passed": Fix("share_tests", "verifier", "Give the agent tests that ask what the verifier asks", "Its own tests pass and the verifier's do not: add the missing cases to what the agent can run, or check that the verifier asks what the task says."),
    "answer_untold": _TELL,
    "action_declined": Fix("say_when_allowed", "prompt", "Say in the rules when {tool} is allowed, or mend the expectation", "The agent says that it cannot be done, and it is expected: hold what it says against the rules. Where they allow it, state the case beside {tool} with an example; where they forbid it, the expected calls are what is wrong.", "tool"),
    "action_missing": _EXPECTED,
    "action_partial": _EXPECTED,
    "extra_refused": _GUARD,
    "other_language": Fix("name_language", "prompt", "Say in which language the answer is wanted, where the answer is asked for", "The right answer was given in another language than the one asked for: repeat the language in the line that gives the form of the answer."),
    "own_result_not_given": Fix("say_the_result", "prompt", "Have the agent repeat its result before it answers", "Its last thought has the right result and its message another figure: ask for the result on a line of its own, taken from the last step of the working."),
    "unasked_change": _GUARD,
    "unasked_call": _GUARD,
    "action_out_of_order": Fix("state_order", "prompt", "Say why {tool} has its place in the order", "The changes are right and their order is not: repeat in the system prompt that steps are made in the order asked for, or have the tool refuse what comes too early.", "tool"),
    "closed_day_given": Fix("check_closed_days", "prompt", "Have the day checked against the prompt's rules before {tool} is called", "The prompt says on which weekdays nothing is to be had, and one of them was given: ask for the weekday of a date to be worked out and held against the rules before the call, or have the tool refuse such days."),
    "exception_given": Fix("check_exceptions", "prompt", "Have what the request excepts checked before {tool} is called", "The request names what is to be left out, and it was given all the same: ask for the exceptions to be listed before the call, and for a look at the values against them."),
    "forbidden_use": Fix("enforce_prohibition", "harness", "Refuse {subject} where the prompt forbids it", "The prompt forbids it by name and the agent does it all the same: take it out of the schema that this agent gets, or have the tool refuse it, and repeat the rule beside the tool.", "subject"),
    "action_extra": _GUARD,
    "older_entry_taken": Fix("read_to_the_end", "prompt", "Have dated entries compared before one is taken", "The tool lists several dated entries, and {argument} is that of another day than the one asked for: have the tool sort them by day, or ask the agent to name the day of the entry that it goes by."),
    "entries_merged": Fix("one_call_each", "prompt", "Say that {tool} is called once for each entry", "One call has what several entries come to: say in the tool's description that each entry is made by itself, and ask the agent to count the entries asked for.", "tool"),
    "name_misspelt": Fix("look_again", "prompt", "Have names copied from the request, and looked at again where {tool} finds nothing", "The request has the right name, and a mistyped one was looked up: ask the agent to compare what it gave to {tool} with the request before it says that there is nothing.", "subject"),
    "whole_for_each": Fix("work_out_shares", "prompt", "Have shares worked out before {tool} is called", "The request has something shared and each call of {tool} got the whole of it: ask the agent to write down what each one gets, and what that comes to together, before the first of these calls.", "subject"),
    "unit_not_converted": Fix("name_the_unit", "harness", "Have {tool} check the unit of {argument}", "The description names a unit and the figure came in that of the request: put the unit into the argument's name, have the tool refuse figures beyond what is likely in that unit, and repeat in the prompt that values are converted.", "subject"),
    "superseded_value": Fix("last_word_counts", "prompt", "Say that the last word of a request counts", "The request puts {argument} right and the earlier value is given: ask the agent to restate what is wanted, corrections included, before it calls {tool}.", "subject"),
    "known_value_left_out": Fix("merge_before_write", "prompt", "Have {tool} keep what is there", "The call replaces the whole of what it is given, and leaves out {argument}, which a lookup had told: say in the tool's description that it replaces, and ask the agent to send what stays as well.", "subject"),
    "piece_left_out": Fix("check_off_pieces", "prompt", "Have the text for {argument} of {tool} checked against the request before it is sent", "Every passing repeat gives a figure or a name there that these texts lack: ask the agent to list what the text has to hold, and to check the text against the list.", "subject"),
    "stopped_short": Fix("ask_for_last_step", "prompt", "Ask for a check that the answer is of the kind that the question wants", "What {tool} shows is given as the answer, and the step from there to what is asked is missing: have the question restated before the answer, with the kind of thing that it wants (a weekday, a letter, an amount)."),
    "asked_value_changed": Fix("copy_values", "prompt", "Have {argument} of {tool} copied from where it stands", "The right value was there before the call (in the request, in a tool's answer or in an earlier call) and another one is given: ask for the values to be repeated with their source before the call, and to be copied as they stand.", "subject"),
    "action_wrong_argument": Fix("check_argument", "prompt", "State where {argument} of {tool} comes from", "Describe in the schema of {tool} how {argument} is found, and have the tool name it in the error when it contradicts the records.", "subject"),
    "guess_refused_then_looked_up": _GROUND,
    "guess_held": _GROUND,
    "error_led_to_lookup": _LOOKUP,
    "error_led_to_retry": _LOOKUP,
    "passed_despite_wrong_action": Fix("verify_actions", "verifier", "Have the verifier compare the changes that were made", "Passes hold changes that nobody expected: compare the final state, not the answer alone.", "", REVERIFY),
    "passed_cut_short": _TOKENS,
    "unwanted_change_refused": _GUARD,
    # knowledge
    "api_misused": Fix("document_interface", "training", "Document the interface that is misused ({subject})", "An unknown attribute, argument or option was used: put the right usage into the prompt or the tool's description.", "subject"),
    "same_misuse": Fix("document_interface", "training", "Document the interface that is misused ({subject})", "The same kind of error comes back in every repeat: put the right usage into the prompt or the tool's description, and add training data for it.", "subject"),
    "api_misuse_repeated": Fix("document_interface", "training", "Document the interface that is misused ({subject})", "The same kind of error comes back: put the right usage into the prompt or the tool's description, and add training data for it.", "subject"),
    "same_wrong_argument": _RULE,
    "wavering_argument": Fix("settle_argument", "prompt", "Settle how {argument} of {tool} is decided", "The same process gives one value here and another there: write the rule down where the tool is declared, and sample at a lower temperature.", "subject"),
    "working_departs": Fix("teach_steps", "training", "Train on worked solutions of such tasks ({subject})", "The working leaves the worked solution of the row: add data for that step, or have the agent list what is given and what is asked before it calculates.", "subject"),
    "arithmetic_slip": Fix("calculator", "harness", "Give the agent a calculator", "An equation in its working does not hold, and the answer follows from it: let a tool calculate, or have the agent check each equation before it goes on."),
    "wrong_answer": REPEAT,
    "failed_checks": REPEAT,
    "same_wrong_answer": Fix("teach_fact", "training", "Add data for what these tasks ask", "The same wrong answer comes back after a clean process: the model does not know it. Check the gold once; then train on it, let a tool work it out or give it a source to look in."),
    "same_failed_checks": Fix("teach_case", "training", "Add data for the cases that these checks ask ({subject})", "The same checks fail after a clean process: the model does not know the case. Read one check against the task first; if it asks what the task says, train on such cases or spell them out in the task.", "subject"),
    "wavering_work": Fix("vote_or_train", "training", "Vote over several samples, or train on these tasks", "The model knows it sometimes: majority voting or a lower temperature uses what it knows, training makes it reliable."),
    "scattered_wrong_answers": Fix("teach_or_source", "training", "Give these tasks a tool or a source for what they ask, or add data for it", "Every repeat answers otherwise and none is right: the model guesses, so voting over samples cannot help. Check the gold once; then let a tool work out what can be worked out, give it a source for what can be looked up, or train on it."),
    "scattered_answers": Fix("vote_or_train", "training", "Vote over several samples, or train on these tasks", "The model knows it sometimes: majority voting or a lower temperature uses what it knows, training makes it reliable."),
}  # fmt: skip


READINGS: Final = {("action_wrong_argument", "KG"): "same_wrong_argument", ("action_wrong_argument", "UK"): "wavering_argument"}
"""A symptom whose fix depends on the cause that its mode was given."""


def fix_of(code: str, label: str, meaning: str = "") -> Fix:
    """The fix for a code; one that is not listed (a plugin's, a label of a `blade.yaml`) gets the family that its label speaks for."""
    family = {"DA": "data", "IR": "infrastructure", "TI": "verifier", "KG": "training", "UK": "training"}.get(label, "prompt")
    confirm = REVERIFY if family == "verifier" else RERUN
    about = (meaning or code.replace("_", " ")).replace("{", "{{").replace("}", "}}")
    code = READINGS.get((code, label), code)
    return FIXES.get(code) or Fix(
        code, family, f"Address: {about} ({{subject}})", f"{about[:1].upper()}{about[1:]}.", "subject", confirm
    )
