"""The kinds of fault that came with the harbour and after it; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind
from blade.lab.faults.recent import RECENT

LATER: Final[tuple[Kind, ...]] = (
    # At the harbour office.
    # All repeats give the name as request and manifest have it; the expected one is its UTF-8 read in another code page (Ã… for Å).
    Kind("mangled_encoding", "DA", "data", ("harbour",), *WHOLE),
    # All repeats take the day that the request writes out in words; the expected time has that day's number as the month.
    Kind("day_month_swapped", "DA", "data", ("harbour",), *WHOLE),
    # Every longer text among the expected arguments ends after ten characters; outputs and all repeats have it whole.
    Kind("clipped_values", "DA", "data", ("harbour",), *WHOLE),
    # Every expected call is listed twice, the request asks once, and all repeats make it once.
    Kind("fanned_out_gold", "DA", "data", ("harbour",), *WHOLE),
    # The expected licence is a number (412) where schema, roster and all repeats have four digits ("0412").
    Kind("zeros_stripped", "DA", "data", ("harbour",), *WHOLE),
    # For a while lookups find nothing, for whoever asks, and twice in a row; the same lookups find the record in the siblings.
    Kind("empty_index", "IR", "weather", ("harbour",), *SOME),
    # For a while tools say that the account has no requests or credits left.
    Kind("quota_spent", "IR", "weather", ("harbour",), *SOME),
    # For a while tools say that the token they were called with has expired; nothing in the prompt lets an agent renew it.
    Kind("token_expired", "IR", "weather", ("harbour",), *SOME),
    # For a while tools that the request lists, and that siblings call, are said not to exist.
    Kind("toolset_unmounted", "IR", "weather", ("harbour",), *SOME),
    # On one worker, or two, every call is blocked by a proxy or a policy; `worker_name` tells.
    Kind("egress_blocked", "IR", "weather", ("harbour",), *SOME),
    # All wanted changes are hit, and the one thing in `surplus` is a tool that its description calls read-only.
    Kind("reads_counted", "TI", "script", ("harbour",), *SOME),
    # All is as expected but for the words of a remark that the request tells in indirect speech, and they mean the same.
    Kind("free_text_compared", "TI", "script", ("harbour",), *SOME),
    # The list of services has the expected members in another order, and the schema says that the order is free.
    Kind("set_as_list", "TI", "script", ("harbour",), *SOME),
    # A number is the expected one, written 34.0 for 34, and the schema allows any number.
    Kind("number_spelling", "TI", "script", ("harbour",), *SOME),
    # The last change is in the response, accepted, and as expected; `actions.log` ends before it.
    Kind("late_snapshot", "TI", "flaw", ("harbour",), *SOME),
    # The change is made for a call that the listing shows as cancelled; the request says the expected one, which siblings take.
    Kind("cancelled_record", "BI", "script", ("harbour",), *PARTLY),
    # The request makes the berth depend on its depth, which siblings look up; this agent takes the first one unseen.
    Kind("condition_unchecked", "BI", "script", ("harbour",), *PARTLY),
    # The right change is made and then undone by another one that nobody asked for.
    Kind("rolled_back", "BI", "script", ("harbour",), *SOME),
    # A change is turned down with a word on what to do first; siblings do that and repeat it, this agent stops.
    Kind("hint_not_followed", "BI", "script", ("harbour",), *PARTLY),
    # The last message holds the change and the tool's answer to it, both written by the agent; it was never called.
    Kind("imagined_observation", "BI", "script", ("harbour",), *SOME),
    # A figure is given without a single lookup, while siblings look up what it follows from.
    Kind("answered_unread", "BI", "script", ("harbour",), *PARTLY),
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
    Kind("gold_missing_step", "DA", "data", ("clinic",), *WHOLE),
    # The expected actions name tools and arguments that the row's own list of tools does not have; all repeats use those it has.
    Kind("old_schema_gold", "DA", "data", ("clinic",), *WHOLE),
    # For a while all changes are turned down by a database that says it is locked; reads work, and siblings pass.
    Kind("locked_database", "IR", "weather", ("clinic",), *SOME),
    # Rollouts of a while break off in mid-work, without a last message, and their row has the error of a node that went away.
    Kind("preempted", "IR", "weather", ("clinic",), *SOME),
    # The action has the number of the chip where the expected one has the id; the schema allows either, and the tool names the same animal.
    Kind("alias_identifier", "TI", "script", ("clinic",), *SOME),
    # `parsed_answer` is the expected word in other letters (friday for Friday), and nothing asks for capitals.
    Kind("case_compared", "TI", "script", ("clinic",), *SOME),
    # One file after another is opened, none of them asked for, until the steps run out; siblings act after a few lookups.
    Kind("endless_search", "BI", "script", ("clinic",), *PARTLY),
    # The time is taken and the request says what to do then; this agent cancels the other appointment, siblings do as the request says.
    Kind("cleared_the_way", "BI", "script", ("clinic",), *PARTLY),
    # The same weight and rate are multiplied to another wrong dose each time, and rightly in the siblings.
    Kind("wavering_dose", "UK", "script", ("clinic",), *SHAKY),
    # The same date falls on another wrong weekday each time, and on the right one in the siblings.
    Kind("wavering_weekday", "UK", "script", ("clinic",), *SHAKY),
    # The plan's abbreviation is taken for the same other number or side (q6h for six times) in (nearly) all repeats; no tool explains it.
    Kind("misread_abbreviation", "KG", "script", ("clinic",), *NEARLY),
    # The week is the count of sevens from 1 January in (nearly) all repeats; the request asks for the ISO week, which the gold has.
    Kind("plain_week_number", "KG", "script", ("clinic",), *NEARLY),
    # At the garage, where some of the kinds above play as well.
    # The request speaks of a list below or attached, the prompt has none in any repeat, and agents say so.
    Kind("missing_attachment", "DA", "data", ("garage",), *WHOLE),
    # The expected letter is that of another option than the expected option's text, in the same row; all repeats take the text's letter.
    Kind("shuffled_letter", "DA", "data", ("garage",), *WHOLE),
    # Rollouts of a while have no output, and their row has the error of an inference engine that died (CUDA, NCCL, out of memory).
    Kind("engine_crash", "IR", "weather", ("garage",), *SOME),
    # For a while tools return nothing at all, twice in a row, to whoever calls; the same calls are answered in the siblings.
    Kind("blank_output", "IR", "weather", ("garage",), *SOME),
    # The expected parts are reserved in several calls, which the tool's description allows; siblings with one call pass.
    Kind("split_call", "TI", "script", ("garage",), *SOME),
    # `extracted_answer` is the expected one with asterisks or backticks left on it; the answer line is in the form asked for.
    Kind("markdown_kept", "TI", "script", ("garage",), *SOME),
    # The request takes back a bay or a date in the same breath; this agent enters the one taken back, siblings the one put in its place.
    Kind("correction_missed", "BI", "script", ("garage",), *PARTLY),
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
    # At the rail travel desk, where some of the kinds above play as well.
    # The request counts days from today, which the system prompt names; the expected departure lies before that day, and so many days
    # after the row's `annotated_on`. All repeats count from the day that the prompt names.
    Kind("aged_gold", "DA", "data", ("railway",), *WHOLE),
    # The country in `reference_note` is in none of the options, and the expected letter is that of another; all agents name it and miss it.
    Kind("no_right_option", "DA", "data", ("railway",), *WHOLE),
    # Rollouts of a while have no output, and their row has the error of a model endpoint that knows no such key or deployment.
    Kind("model_key_rejected", "IR", "weather", ("railway",), *SOME),
    # For a while tools return the message of a browser that crashed or was closed, twice in a row; the same calls work in the siblings.
    Kind("browser_crashed", "IR", "weather", ("railway",), *SOME),
    # All expected calls are found and there are no others; one test fails in all repeats, for a time stamp or a running number alone.
    Kind("volatile_fields_compared", "TI", "flaw", ("railway",), *WHOLE),
    # `parsed_answer` is the expected name with no-break blanks or hyphens in place of the plain ones; siblings with plain ones pass.
    Kind("typographic_variant", "TI", "script", ("railway",), *SOME),
    # The order is cancelled and a new one made where the prompt wants ChangeTrain, which the siblings use and pass.
    Kind("cancelled_and_rebooked", "BI", "script", ("railway",), *PARTLY),
    # The request excepts one order from the cancellation, and this agent cancels it with the rest; siblings leave it.
    Kind("exception_overlooked", "BI", "script", ("railway",), *PARTLY),
    # The same delay earns another wrong share each time, and the right one in the siblings; no tool knows the regulation.
    Kind("wavering_compensation", "UK", "script", ("railway",), *SHAKY),
    # Chains are read as hundredths of a mile in (nearly) all repeats, after the right lookup; the expected length has 80 to the mile.
    Kind("chains_as_decimals", "KG", "script", ("railway",), *NEARLY),
    # In the cloud account, where some of the kinds above play as well.
    # A text among the expected inputs has `&amp;` where the request and the calls of all repeats have `&`; all else is equal.
    Kind("html_escaped_gold", "DA", "data", ("cloud",), *WHOLE),
    # An expected input is the name of a template's variable in double braces, where all repeats give the id that the lookup returned.
    Kind("unfilled_gold", "DA", "data", ("cloud",), *WHOLE),
    # On one runner, or two, every call is turned down because the request's time is off; `runner` tells, and siblings elsewhere pass.
    Kind("clock_skew", "IR", "weather", ("cloud",), *SOME),
    # For a while tools say that their database has no connections left, twice in a row; the same calls work in the siblings.
    Kind("pool_exhausted", "IR", "weather", ("cloud",), *SOME),
    # No mutation is missing or unexpected, and the only score of 0 is for a lookup that the request does not ask for; another tool gave
    # the same ids. Siblings that happened to use the one that is insisted on pass.
    Kind("read_required", "TI", "script", ("cloud",), *SOME),
    # The answer has the expected names in another order, and the request says that any order will do.
    Kind("answer_list_order", "TI", "script", ("cloud",), *SOME),
    # The tool's description says that it replaces the whole set, and the request wants the other tags kept; this agent saw them and sends
    # the new one alone, siblings send all.
    Kind("replaced_not_merged", "BI", "script", ("cloud",), *PARTLY),
    # The request names a region; this agent looks without it, finds the namesake of the default region and changes that. Siblings give it.
    Kind("scope_dropped", "BI", "script", ("cloud",), *PARTLY),
    # The same times in words become another wrong cron expression each time, and the right one in the siblings.
    Kind("wavering_schedule", "UK", "script", ("cloud",), *SHAKY),
    # All addresses of the subnet are counted in (nearly) all repeats, after the right lookup; the expected number is two less.
    Kind("network_addresses_counted", "KG", "script", ("cloud",), *NEARLY),
    # In the claims office, where some of the kinds above play as well.
    # The expected amounts are a hundred times those that the request or the file states and `curator_comment` has with a decimal comma;
    # all repeats enter the stated ones.
    Kind("point_for_comma", "DA", "data", ("insurer",), *WHOLE),
    # An expected argument is the text of a list, quotes and all, where the tool's schema wants a list and all repeats give that very list.
    Kind("list_as_text", "DA", "data", ("insurer",), *WHOLE),
    # For a while lookups return the record of another query, twice in a row, and agents say so; the same lookups are answered in the siblings.
    Kind("crossed_answers", "IR", "weather", ("insurer",), *SOME),
    # On one box, or two, every call is turned down because the client is of an old version; `exec_node` tells, and siblings elsewhere pass.
    Kind("outdated_client", "IR", "weather", ("insurer",), *SOME),
    # The call that is not in the solution got a Fault for the form of its date, which the schema leaves open, and changed nothing; it follows
    # once more, put right, is accepted, and all is as expected.
    Kind("refusal_counted", "TI", "script", ("insurer",), *SOME),
    # All repeats make the calls of `solution`, which count the days from the prompt's today; the verifier's message wants a date that lies as
    # many days after the day of the run.
    Kind("grader_clock", "TI", "flaw", ("insurer",), *WHOLE),
    # The request says which of two changes comes first, and why; this agent makes them the other way round, siblings as asked.
    Kind("order_reversed", "BI", "script", ("insurer",), *PARTLY),
    # The request has an amount for each of two claims; this agent enters the first one for both, siblings each its own.
    Kind("value_carried_over", "BI", "script", ("insurer",), *PARTLY),
    # The same number gets other wrong check digits each time, after the same lookups, and the right ones in the siblings.
    Kind("wavering_check_digits", "UK", "script", ("insurer",), *SHAKY),
    # The policy has an integral franchise, and its amount is taken off in (nearly) all repeats, as an excess would be; the expected payment
    # is the whole estimate, as that term of the trade means.
    Kind("franchise_deducted", "KG", "script", ("insurer",), *NEARLY),
    # At the radio station, where some of the kinds above play as well.
    # An expected time is a number, the minutes of 21:30 as 1290, where request, schema and all repeats have HH:MM; all else is equal.
    Kind("sexagesimal_gold", "DA", "data", ("radio",), *WHOLE),
    # An expected id or figure has "(was ...)" after it, with the one that stood there before it was put right; all repeats give the first.
    Kind("edit_trace_in_gold", "DA", "data", ("radio",), *WHOLE),
    # For a while tools return compressed bytes that nobody unpacked, twice in a row, and agents say so; siblings get tables.
    Kind("undecoded_body", "IR", "weather", ("radio",), *SOME),
    # On one lane, or two, every call fails for a shared folder that is stale or not mounted; `sampler.lane` tells, siblings elsewhere pass.
    Kind("lost_mount", "IR", "weather", ("radio",), *SOME),
    # All that was wanted is done and only `no_refusal` is I, for a "sorry" or "apologies" in a last message that refuses nothing; siblings
    # without the word pass.
    Kind("polite_phrase_flagged", "TI", "script", ("radio",), *SOME),
    # All that was wanted is done and only `economy` is I, for a number of calls that neither the prompt nor the tools name; siblings that
    # looked at less pass.
    Kind("unstated_call_limit", "TI", "script", ("radio",), *SOME),
    # The request says "that day only"; this agent moves the programme with `extent` series, siblings with once.
    Kind("series_for_one", "BI", "script", ("radio",), *PARTLY),
    # The request wants the missing spot aired so that the order is complete; this agent lowers the number booked instead, siblings air it.
    Kind("target_moved", "BI", "script", ("radio",), *PARTLY),
    # The same year becomes other wrong Roman numerals each time, after the same lookup, and the right ones in the siblings.
    Kind("wavering_numerals", "UK", "script", ("radio",), *SHAKY),
    # The decibels are twice the right ones in (nearly) all repeats: those of a voltage, where the request speaks of power. No tool knows them.
    Kind("power_as_amplitude", "KG", "script", ("radio",), *NEARLY),
    # At the market office, where some of the kinds above play as well.
    # The request names a trader whom no lookup finds, in any repeat, and agents say so; `gloss` has another name in the same place, that of
    # the trader whose number is expected. Other names are found all through the run.
    Kind("pseudonym_in_prompt", "DA", "data", ("market",), *WHOLE),
    # An expected day is 23:00 UTC of the day before (2026-06-19T23:00:00.000Z), where request or lookup, `gloss`, schema and all repeats have
    # the day itself (2026-06-20); all else is equal.
    Kind("date_through_utc", "DA", "data", ("market",), *WHOLE),
    # Rollouts of a while consist of the same few characters up to the limit, whatever is asked and wherever; siblings before and after work.
    Kind("garbled_decoding", "IR", "weather", ("market",), *SOME),
    # On one pod, or two, every change is turned down because an earlier session has made it, in rollouts that have only begun;
    # `trace.pod` tells, and siblings elsewhere pass with the same change.
    Kind("unreset_state", "IR", "weather", ("market",), *SOME),
    # All charges that are to be waived are set to 0 with a tool that by both descriptions does the same; siblings with the expected one pass.
    Kind("equivalent_tool", "TI", "script", ("market",), *SOME),
    # The response has the expected calls, accepted; what `assessment.observed` holds stands nowhere in it and is about the records of
    # another task of the run.
    Kind("graded_another_rollout", "TI", "flaw", ("market",), *SOME),
    # After the lookups the last message tells the reader in prose how to make the change, and none is made; siblings make it.
    Kind("told_how_to", "BI", "script", ("market",), *PARTLY),
    # The pitch is let already, which the tool says, and the request says to leave it then and take another; this agent sets `override`,
    # siblings take the other.
    Kind("forced_through", "BI", "script", ("market",), *PARTLY),
    # The same feast of the same year falls on another wrong day each time, after the same lookup, and on the right one in the siblings.
    Kind("wavering_feast", "UK", "script", ("market",), *SHAKY),
    # The notice is posted as many days before the fair as there should be clear days, in (nearly) all repeats; the expected day is one
    # earlier, since clear days count neither the first nor the last. No tool knows the term.
    Kind("clear_days_as_days", "KG", "script", ("market",), *NEARLY),
    *RECENT,
)  # fmt: skip
