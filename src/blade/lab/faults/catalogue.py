"""The kinds of fault: name, label, where each fits, how it comes about and how it strikes the repeats of a task.

How a fault comes about (`means`):

- `script`   the agent acts differently, as the environment's task lays down for this kind;
- `bend`     the agent acts differently in a way that any task allows (`bends`);
- `weather`  the machinery fails for whoever meets it, in a burst or on a host (`troubles`);
- `flaw`     the verifier is broken for this task;
- `data`     the dataset or the file is broken (`data`).

Knowledge that is missing strikes all or nearly all repeats; knowledge that is shaky strikes some, each time otherwise. Kinds marked
`held_out`, and everything in an environment marked so, take no part in tuning. Once the misses of a held-out part have been looked at,
it joins the tuning part and another takes its place: that happened to `warehouse` with some of the kinds up to `api_misuse`, to
`observatory` with the kinds from `ambiguous_options` to `obsolete_flag`, to `museum` with those from `unfilled_template` to
`wrong_century`, to `payments` with those from `spreadsheet_gold` to `wrong_country_code`, to `harbour` with those from
`mangled_encoding` to `made_up_locode`, to `clinic` with those from `gold_missing_step` to `plain_week_number`, and to `garage` with those
from `missing_attachment` to `vin_year_miscounted`. Beside each kind since `unfilled_template` stands what in a run tells its label.
"""

from __future__ import annotations

from typing import Final

from blade.lab.faults.held_out import HELD_OUT
from blade.lab.faults.kind import ERRANDS, EVERYWHERE, NEARLY, PARTLY, SANDBOXES, SEVERITIES, SHAKY, SOME, TOOLS, WHOLE, Kind

__all__ = ["KIND", "KINDS", "SEVERITIES", "Kind"]

KINDS: Final[tuple[Kind, ...]] = (
    # DA: the data are at fault.
    Kind("same_prompt_other_gold", "DA", "data", (*EVERYWHERE, "clinic"), *WHOLE),
    Kind("leaked_gold", "DA", "data", ("questions", "warehouse", "observatory", "museum"), (1, 2), (2, 3)),
    Kind("empty_prompt", "DA", "data", ("records", "code", "questions", "terminal", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("wrong_gold", "DA", "data", ("records", "questions", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *WHOLE),
    Kind("gold_outside_options", "DA", "data", ("questions", "warehouse", "observatory", "museum", "clinic"), *WHOLE),
    Kind("conflicting_rows", "DA", "data", EVERYWHERE, (1, 2), (2, 4)),
    # IR: the machinery is at fault.
    Kind("tool_5xx", "IR", "weather", (*TOOLS, "clinic", "garage"), *SOME),
    Kind("tool_timeout", "IR", "weather", (*TOOLS, "clinic", "railway"), *SOME),
    Kind("tool_rate_limit", "IR", "weather", (*TOOLS, "garage"), *SOME),
    Kind("model_connection", "IR", "weather", (*EVERYWHERE, "clinic"), *SOME),
    Kind("sandbox_start", "IR", "weather", SANDBOXES, *SOME),
    Kind("missing_command", "IR", "weather", SANDBOXES, *SOME),
    Kind("judge_down", "IR", "weather", ("questions", "dialogue", "warehouse", "observatory"), *SOME),
    Kind("empty_completion", "IR", "weather", EVERYWHERE, *SOME),
    Kind("failed_install", "IR", "weather", SANDBOXES, *SOME),
    # TI: the task or its verifier is at fault.
    Kind("format_rejected", "TI", "script", ("questions", "dialogue", "warehouse", "observatory", "museum", "clinic"), *SOME),
    Kind("verifier_timeout", "TI", "flaw", (*EVERYWHERE, "clinic", "garage", "railway"), *SOME),
    Kind("answer_not_extracted", "TI", "script", ("questions", "warehouse"), *SOME),
    Kind("broken_test", "TI", "flaw", ("code", "terminal", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("flaky_verifier", "TI", "flaw", (*EVERYWHERE, "clinic"), (1, 1), (2, 2)),
    Kind("reward_contradicts_checks", "TI", "flaw", (*EVERYWHERE, "clinic", "railway"), *SOME),
    Kind("inverted_verifier", "TI", "flaw", ("questions", "warehouse", "observatory", "museum"), (2, 3), (2, 3)),
    # BI: able, but it did not do what it should.
    Kind("skipped_lookup", "BI", "script", (*ERRANDS, "clinic", "garage", "railway"), *SOME),
    Kind("unresolved_name", "BI", "script", ("records",), (2, 3), WHOLE[1]),
    Kind("dropped_record", "BI", "script", ("records", "warehouse"), *SOME),
    Kind("invented_id", "BI", "script", ERRANDS, *SOME),
    Kind("partial_update", "BI", "script", (*ERRANDS, "clinic", "garage", "railway"), *SOME),
    Kind("extra_change", "BI", "script", ERRANDS, *SOME),
    Kind("error_ignored", "BI", "script", TOOLS, *SOME),
    Kind("unbacked_claim", "BI", "bend", (*ERRANDS, "clinic", "railway"), *SOME),
    Kind("call_loop", "BI", "bend", (*TOOLS, "railway"), *SOME),
    Kind("truncated", "BI", "bend", (*EVERYWHERE, "garage"), *SOME),
    Kind("question_back", "BI", "bend", ("records", "questions", "terminal", "warehouse", "museum"), *SOME),
    Kind("wrong_format", "BI", "script", ("questions", "warehouse", "observatory", "museum"), *SOME),
    Kind("no_self_check", "BI", "script", SANDBOXES, *SOME),
    Kind("believed_claim", "BI", "script", ("dialogue",), *SOME),
    Kind("gave_up", "BI", "bend", (*EVERYWHERE, "clinic"), *SOME),
    Kind("refusal", "BI", "bend", EVERYWHERE, *SOME),
    Kind("early_handover", "BI", "script", ("dialogue", "warehouse", "observatory", "museum"), *SOME),
    # UK: sometimes known, sometimes not, without a difference in behaviour.
    Kind("scattered_numbers", "UK", "script", ("questions", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *SHAKY),
    Kind("wrong_option", "UK", "script", ("questions", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *SHAKY),
    Kind("wavering_argument", "UK", "script", ("records", "dialogue", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *SHAKY),
    Kind("wavering_code", "UK", "script", ("code", "terminal"), *SHAKY),
    Kind("wavering_fact", "UK", "script", ("questions",), *SHAKY),
    # KG: not known, every time in the same way.
    Kind("wrong_rule", "KG", "script", ("records", "dialogue", "warehouse", "museum", "railway"), *NEARLY),
    Kind("wrong_unit", "KG", "script", ("questions", "warehouse", "clinic", "garage"), *NEARLY),
    Kind("wrong_fact", "KG", "script", ("questions", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *NEARLY),
    Kind("wrong_algorithm", "KG", "script", ("code", "terminal"), *NEARLY),
    Kind("api_misuse", "KG", "script", SANDBOXES, *NEARLY),
    # Held out once, since looked at.
    Kind("ambiguous_options", "DA", "data", ("questions", "observatory", "museum"), (1, 2), (2, 3)),
    Kind("prompt_cut", "DA", "data", ("records", "questions", "terminal", "warehouse", "observatory", "museum", "railway"), *WHOLE),
    Kind("gold_other_unit", "DA", "data", ("observatory",), *WHOLE),
    Kind("tool_dns", "IR", "weather", TOOLS, *SOME),
    Kind("tool_certificate", "IR", "weather", ERRANDS, *SOME),
    Kind("stale_session", "IR", "weather", (*TOOLS, "railway"), *SOME),
    Kind("model_overloaded", "IR", "weather", (*EVERYWHERE, "railway"), *SOME),
    Kind("disk_full", "IR", "weather", ("code", "terminal", "observatory"), *SOME),
    Kind("tool_killed", "IR", "weather", SANDBOXES, *SOME),
    Kind("last_line_only", "TI", "script", ("observatory",), *SOME),
    Kind("tight_tolerance", "TI", "flaw", ("observatory",), (2, 3), WHOLE[1]),
    Kind("misweighted_checks", "TI", "flaw", ("observatory",), *WHOLE),
    Kind("judge_crash", "TI", "flaw", ("questions", "dialogue", "observatory"), *SOME),
    Kind("first_hit", "BI", "script", ("observatory", "museum"), *SOME),
    Kind("first_page_only", "BI", "script", ("observatory",), *SOME),
    Kind("limit_ignored", "BI", "script", ("observatory",), *SOME),
    Kind("sub_request_dropped", "BI", "script", ("observatory", "museum"), *SOME),
    Kind("duplicate_change", "BI", "bend", ERRANDS, *SOME),
    Kind("endless_confirmation", "BI", "bend", ("dialogue", "observatory"), *SOME),
    Kind("alternating_unit", "UK", "script", ("observatory", "museum"), *SHAKY),
    Kind("wavering_order", "UK", "script", ("observatory",), *SHAKY),
    Kind("wrong_zone", "KG", "script", ("observatory", "railway"), *NEARLY),
    Kind("wrong_rounding", "KG", "script", ("observatory",), *NEARLY),
    Kind("obsolete_flag", "KG", "script", ("observatory",), *NEARLY),
    # At the museum, and wherever else they fit.
    # The prompt has a bare placeholder, in all repeats, and agents say so.
    Kind("unfilled_template", "DA", "data", ("records", "questions", "warehouse", "observatory", "museum"), *WHOLE),
    # The expected calls are about other records than the request: about those that another task of the run asks for.
    Kind("neighbours_gold", "DA", "data", ("records", "warehouse", "observatory", "museum", "clinic", "garage", "railway"), *WHOLE),
    # All writes are turned down for a while by a store that says it is read-only, for whoever comes; reads work, siblings pass.
    Kind("readonly_store", "IR", "weather", (*ERRANDS, "railway"), *SOME),
    # Outputs of lookups end in mid-line or mid-JSON, twice in a row, for a while; the same lookups are whole in the siblings.
    Kind("half_answers", "IR", "weather", ERRANDS, *SOME),
    # The calls made are those expected, in an order that the request leaves open; the assertion complains of a position.
    Kind("order_sensitive", "TI", "script", ("museum",), *SOME),
    # The request leaves the choice among the free slots, the slot taken was listed as free, and only one of them is expected.
    Kind("valid_alternative", "TI", "script", ("museum",), *SOME),
    # The last line is the expected answer in the form asked for, and `parsed` is something that stood further up.
    Kind("first_match_graded", "TI", "script", ("museum",), *SOME),
    # The change stands in the last message as a block of text and was never called, after lookups that were.
    Kind("call_as_text", "BI", "bend", TOOLS, *SOME),
    # A change that nobody asked for, which a remark in a record orders; siblings read the remark and leave it.
    Kind("followed_note", "BI", "script", ("museum",), *SOME),
    # The request limits the words, the saved text has more, and the verifier's count agrees.
    Kind("length_overrun", "BI", "script", ("museum",), *SOME),
    # The set of letters differs from the expected one by a member or two, otherwise each time, while siblings have it right.
    Kind("wavering_set", "UK", "script", ("museum",), *SHAKY),
    # After the same lookups the label dates the same year otherwise each time, and rightly in the siblings.
    Kind("wavering_period", "UK", "script", ("museum",), *SHAKY),
    # The same lookups, then height and width the wrong way round in (nearly) all repeats; the expected order is the trade's.
    Kind("swapped_axes", "KG", "script", ("museum",), *NEARLY),
    # The label takes the sixteen-hundreds for the 16th century in (nearly) all repeats; the expected period fits the year.
    Kind("wrong_century", "KG", "script", ("museum",), *NEARLY),
    # At the payments desk.
    # All repeats do the same sensible work; the long ids (or the answer) expected read like 4.82101E+16.
    Kind("spreadsheet_gold", "DA", "flaw", ("payments",), *WHOLE),
    # All repeats act on the record that the listing shows for the name; the expected id stands in no output of the whole run.
    Kind("other_snapshot_gold", "DA", "flaw", ("payments",), *WHOLE),
    # An expected argument is NaN, or the expected answer is "nan", as pandas leaves an empty cell.
    Kind("lost_column", "DA", "flaw", ("payments",), *WHOLE),
    # The request says one amount, span or customer, `metadata.values` and the gold another; all repeats do what the request says.
    Kind("drifted_values", "DA", "flaw", ("payments",), *WHOLE),
    # For a while tools return a sign-in page in HTML in place of JSON, twice in a row, to whoever calls; siblings get their JSON.
    Kind("sign_in_page", "IR", "weather", ("payments",), *SOME),
    # For a while tools say that the database has no tables or no fixtures; the same lookups work in the siblings.
    Kind("unseeded_backend", "IR", "weather", ("payments",), *SOME),
    # For a while all tools give a notice of maintenance, without any status code, and agents stop.
    Kind("maintenance_window", "IR", "weather", ("payments",), *SOME),
    # The call is the expected one plus an optional argument at the default that the tool's schema states; siblings that omit it pass.
    Kind("default_spelled_out", "TI", "script", ("payments", "garage", "railway"), *SOME),
    # The call's time is the expected instant in another notation (+00:00 or .000Z for Z, seconds or none), all else equal; siblings pass.
    Kind("equivalent_timestamp", "TI", "script", ("payments", "railway"), *SOME),
    # The response has the expected call, accepted, or the expected answer line; the verifier lists no call and extracts no answer.
    Kind("calls_not_collected", "TI", "flaw", ("payments",), *SOME),
    # The answer line has the expected figure with a separator for thousands, and `extracted_answer` stops at the comma.
    Kind("separator_split", "TI", "script", ("payments",), *SOME),
    # The system prompt demands an approval for old payments, the listing shows the age, siblings ask for it, this rollout does not.
    Kind("approval_skipped", "BI", "script", ("payments",), *SOME),
    # The only change was a trial (dry_run true), the tool said that nothing was changed, and the agent reports it as done.
    Kind("dry_run_left_on", "BI", "script", ("payments",), *SOME),
    # The last message says what the agent will do next, and it never does it; siblings do.
    Kind("announced_not_done", "BI", "script", ("payments",), *SOME),
    # The change carries a stand-in such as <payment_id> for an id that was not looked up, is turned down, and is reported as done.
    Kind("placeholder_argument", "BI", "script", ("payments",), *SOME),
    # "So many days from today" becomes another wrong date each time, after the same lookups, and the right one in the siblings.
    Kind("wavering_due_date", "UK", "script", ("payments",), *SHAKY),
    # The same code, which no tool explains, is filed under another wrong category each time, and rightly in the siblings.
    Kind("wavering_reason_code", "UK", "script", ("payments",), *SHAKY),
    # The same listing is added up to another wrong sum each time, and rightly in the siblings.
    Kind("wavering_total", "UK", "script", ("payments", "railway"), *SHAKY),
    # Yen, won and dinar are taken to have two decimals in (nearly) all repeats: the amount is off by 100 or by 10, lookups are in order.
    Kind("minor_unit_blindness", "KG", "script", ("payments",), *NEARLY),
    # A network's reason code is taken for the same other category in (nearly) all repeats.
    Kind("misread_reason_code", "KG", "script", ("payments",), *NEARLY),
    # The country's code is the same invented one (SW for Switzerland) in (nearly) all repeats; the expected one is ISO's.
    Kind("wrong_country_code", "KG", "script", ("payments",), *NEARLY),
    # At the harbour office.
    # All repeats give the name as request and manifest have it; the expected one is its UTF-8 read in another code page (Ã… for Å).
    Kind("mangled_encoding", "DA", "data", ("harbour",), *WHOLE),
    # All repeats take the day that the request writes out in words; the expected time has that day's number as the month.
    Kind("day_month_swapped", "DA", "data", ("harbour", "railway"), *WHOLE),
    # Every longer text among the expected arguments ends after ten characters; outputs and all repeats have it whole.
    Kind("clipped_values", "DA", "data", ("harbour",), *WHOLE),
    # Every expected call is listed twice, the request asks once, and all repeats make it once.
    Kind("fanned_out_gold", "DA", "data", ("harbour", "garage"), *WHOLE),
    # The expected licence is a number (412) where schema, roster and all repeats have four digits ("0412").
    Kind("zeros_stripped", "DA", "data", ("harbour",), *WHOLE),
    # For a while lookups find nothing, for whoever asks, and twice in a row; the same lookups find the record in the siblings.
    Kind("empty_index", "IR", "weather", ("harbour",), *SOME),
    # For a while tools say that the account has no requests or credits left.
    Kind("quota_spent", "IR", "weather", ("harbour",), *SOME),
    # For a while tools say that the token they were called with has expired; nothing in the prompt lets an agent renew it.
    Kind("token_expired", "IR", "weather", ("harbour", "garage"), *SOME),
    # For a while tools that the request lists, and that siblings call, are said not to exist.
    Kind("toolset_unmounted", "IR", "weather", ("harbour", "railway"), *SOME),
    # On one worker, or two, every call is blocked by a proxy or a policy; `worker_name` tells.
    Kind("egress_blocked", "IR", "weather", ("harbour",), *SOME),
    # All wanted changes are hit, and the one thing in `surplus` is a tool that its description calls read-only.
    Kind("reads_counted", "TI", "script", ("harbour",), *SOME),
    # All is as expected but for the words of a remark that the request tells in indirect speech, and they mean the same.
    Kind("free_text_compared", "TI", "script", ("harbour",), *SOME),
    # The list of services has the expected members in another order, and the schema says that the order is free.
    Kind("set_as_list", "TI", "script", ("harbour", "railway"), *SOME),
    # A number is the expected one, written 34.0 for 34, and the schema allows any number.
    Kind("number_spelling", "TI", "script", ("harbour",), *SOME),
    # The last change is in the response, accepted, and as expected; `actions.log` ends before it.
    Kind("late_snapshot", "TI", "flaw", ("harbour",), *SOME),
    # The change is made for a call that the listing shows as cancelled; the request says the expected one, which siblings take.
    Kind("cancelled_record", "BI", "script", ("harbour",), *PARTLY),
    # The request makes the berth depend on its depth, which siblings look up; this agent takes the first one unseen.
    Kind("condition_unchecked", "BI", "script", ("harbour", "garage", "railway"), *PARTLY),
    # The right change is made and then undone by another one that nobody asked for.
    Kind("rolled_back", "BI", "script", ("harbour",), *SOME),
    # A change is turned down with a word on what to do first; siblings do that and repeat it, this agent stops.
    Kind("hint_not_followed", "BI", "script", ("harbour",), *PARTLY),
    # The last message holds the change and the tool's answer to it, both written by the agent; it was never called.
    Kind("imagined_observation", "BI", "script", ("harbour",), *SOME),
    # A figure is given without a single lookup, while siblings look up what it follows from.
    Kind("answered_unread", "BI", "script", ("harbour", "railway"), *PARTLY),
    # The same UN number, which no tool explains, is declared under another wrong class each time, and rightly in the siblings.
    Kind("wavering_hazard_class", "UK", "script", ("harbour",), *SHAKY),
    # The same force of wind becomes another wrong speed each time, and the right one in the siblings.
    Kind("wavering_force", "UK", "script", ("harbour",), *SHAKY),
    # The same tonnage and rate are multiplied to another wrong amount each time, and rightly in the siblings.
    Kind("wavering_dues", "UK", "script", ("harbour",), *SHAKY),
    # The same depth, tide and draught come to another wrong clearance each time, and to the right one in the siblings.
    Kind("wavering_clearance", "UK", "script", ("harbour",), *SHAKY),
    # The UN number is declared under the same wrong class in (nearly) all repeats; the expected one is that of the regulations.
    Kind("wrong_hazard_class", "KG", "script", ("harbour",), *NEARLY),
    # The speed is that of the force above or below in (nearly) all repeats; the expected one is the Beaufort scale's.
    Kind("force_off_by_one", "KG", "script", ("harbour",), *NEARLY),
    # Boxes of forty feet are counted once in (nearly) all repeats: the figure is the number of lines in the manifest.
    Kind("teu_as_boxes", "KG", "script", ("harbour",), *NEARLY),
    # The next port has the same invented code (NLROT for Rotterdam) in (nearly) all repeats; the expected one is the UN's.
    Kind("made_up_locode", "KG", "script", ("harbour",), *NEARLY),
    # At the clinic, where some of the kinds above play as well.
    # The request asks for two things, all repeats do both, and the expected actions have the first alone.
    Kind("gold_missing_step", "DA", "data", ("clinic", "garage", "railway"), *WHOLE),
    # The expected actions name tools and arguments that the row's own list of tools does not have; all repeats use those it has.
    Kind("old_schema_gold", "DA", "data", ("clinic",), *WHOLE),
    # For a while all changes are turned down by a database that says it is locked; reads work, and siblings pass.
    Kind("locked_database", "IR", "weather", ("clinic",), *SOME),
    # Rollouts of a while break off in mid-work, without a last message, and their row has the error of a node that went away.
    Kind("preempted", "IR", "weather", ("clinic", "garage"), *SOME),
    # The action has the number of the chip where the expected one has the id; the schema allows either, and the tool names the same animal.
    Kind("alias_identifier", "TI", "script", ("clinic",), *SOME),
    # `parsed_answer` is the expected word in other letters (friday for Friday), and nothing asks for capitals.
    Kind("case_compared", "TI", "script", ("clinic", "garage", "railway"), *SOME),
    # One file after another is opened, none of them asked for, until the steps run out; siblings act after a few lookups.
    Kind("endless_search", "BI", "script", ("clinic",), *PARTLY),
    # The time is taken and the request says what to do then; this agent cancels the other appointment, siblings do as the request says.
    Kind("cleared_the_way", "BI", "script", ("clinic",), *PARTLY),
    # The same weight and rate are multiplied to another wrong dose each time, and rightly in the siblings.
    Kind("wavering_dose", "UK", "script", ("clinic",), *SHAKY),
    # The same date falls on another wrong weekday each time, and on the right one in the siblings.
    Kind("wavering_weekday", "UK", "script", ("clinic", "garage", "railway"), *SHAKY),
    # The plan's abbreviation is taken for the same other number or side (q6h for six times) in (nearly) all repeats; no tool explains it.
    Kind("misread_abbreviation", "KG", "script", ("clinic",), *NEARLY),
    # The week is the count of sevens from 1 January in (nearly) all repeats; the request asks for the ISO week, which the gold has.
    Kind("plain_week_number", "KG", "script", ("clinic", "garage", "railway"), *NEARLY),
    # At the garage, where some of the kinds above play as well.
    # The request speaks of a list below or attached, the prompt has none in any repeat, and agents say so.
    Kind("missing_attachment", "DA", "data", ("garage", "railway"), *WHOLE),
    # The expected letter is that of another option than the expected option's text, in the same row; all repeats take the text's letter.
    Kind("shuffled_letter", "DA", "data", ("garage",), *WHOLE),
    # Rollouts of a while have no output, and their row has the error of an inference engine that died (CUDA, NCCL, out of memory).
    Kind("engine_crash", "IR", "weather", ("garage", "railway"), *SOME),
    # For a while tools return nothing at all, twice in a row, to whoever calls; the same calls are answered in the siblings.
    Kind("blank_output", "IR", "weather", ("garage",), *SOME),
    # The expected parts are reserved in several calls, which the tool's description allows; siblings with one call pass.
    Kind("split_call", "TI", "script", ("garage",), *SOME),
    # `extracted_answer` is the expected one with asterisks or backticks left on it; the answer line is in the form asked for.
    Kind("markdown_kept", "TI", "script", ("garage",), *SOME),
    # The request takes back a bay or a date in the same breath; this agent enters the one taken back, siblings the one put in its place.
    Kind("correction_missed", "BI", "script", ("garage", "railway"), *PARTLY),
    # A date is turned down with a word on its form, and the call is made again unchanged until the agent stops; siblings use the form.
    Kind("refused_again", "BI", "script", ("garage",), *PARTLY),
    # The same pressure is converted to another wrong figure each time, and rightly in the siblings.
    Kind("wavering_conversion", "UK", "script", ("garage",), *SHAKY),
    # The same fault code, which no tool explains, is logged under another wrong system each time, and rightly in the siblings.
    Kind("wavering_fault_code", "UK", "script", ("garage",), *SHAKY),
    # The fault code is logged under the same wrong system in (nearly) all repeats; the expected one is that of the standard.
    Kind("misread_fault_code", "KG", "script", ("garage",), *NEARLY),
    # The model year counts letters that a VIN never has, in (nearly) all repeats; the expected one is that of the standard.
    Kind("vin_year_miscounted", "KG", "script", ("garage",), *NEARLY),
    *HELD_OUT,
)  # fmt: skip
KIND: Final = {kind.name: kind for kind in KINDS}
