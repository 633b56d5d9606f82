"""The kinds of fault that came with the conservatory and after it; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

RECENT: Final[tuple[Kind, ...]] = (
    # In the conservatory, where some of the kinds in `later` play as well.
    # The two ids of an expected call stand in each other's place (a teacher's as `pupil`, a pupil's as `teacher`); schema, lookups and all
    # repeats have them the other way round, and `why` names both as the request does.
    Kind("columns_swapped", "DA", "data", ("conservatory",), *WHOLE),
    # The expected amount is that of request, `why` and all repeats with a minus before it, as a ledger books a refund; the tool's schema has
    # a minimum of 0.
    Kind("negative_gold", "DA", "data", ("conservatory",), *WHOLE),
    # For a while tools return the example of a mock server in place of an answer, twice in a row, to whoever calls; siblings get records.
    Kind("mock_served", "IR", "weather", ("conservatory",), *SOME),
    # On one executor, or two, every call is turned down for arguments that are said to be missing, which the call in the row has;
    # `runInfo.executor` tells, and siblings elsewhere pass with the same call.
    Kind("arguments_lost", "IR", "weather", ("conservatory",), *SOME),
    # All calls are as expected and only `icontains` fails, for an id in the last message that neither prompt nor request asks for; siblings
    # that happen to name it pass.
    Kind("unstated_mention", "TI", "script", ("conservatory",), *PARTLY),
    # The response has both expected calls of one tool, accepted; `seen.calls` has only the later one, in all repeats.
    Kind("same_tool_overwritten", "TI", "flaw", ("conservatory",), *WHOLE),
    # The system prompt wants English; this agent looks up the same and writes its last message, answer and all, in another language.
    # Siblings answer in English.
    Kind("other_language", "BI", "script", ("conservatory",), *PARTLY),
    # The change has the day that the tool's schema gives as an example, where the request names another one, which siblings give.
    Kind("schema_example_used", "BI", "script", ("conservatory",), *PARTLY),
    # The same key has another wrong signature each time, after the same lookup, and the right one in the siblings; no tool knows signatures.
    Kind("wavering_key_signature", "UK", "script", ("conservatory",), *SHAKY),
    # The part of a transposing instrument is written as far below the sounding key as it should be above, in (nearly) all repeats; the
    # expected key is the one that players use. No tool knows transpositions.
    Kind("transposed_downwards", "KG", "script", ("conservatory",), *NEARLY),
    # At the mountain rescue, where some of the kinds above play as well.
    # An expected word is German (gesperrt), where the tool's schema lists the English one (closed), and `derivation` and all repeats have
    # that; the schema does not know the German one.
    Kind("untranslated_gold", "DA", "data", ("rescue",), *WHOLE),
    # The request names a weekday and a date that do not go together by the calendar of the year in the prompt; all repeats take the date, and
    # the expected day is the weekday's, beside it. Some agents remark on it.
    Kind("weekday_against_date", "DA", "data", ("rescue",), *WHOLE),
    # For a while tools answer that the request waits in a queue which nobody serves, twice in a row, to whoever calls; siblings get entries.
    Kind("stuck_queue", "IR", "weather", ("rescue",), *SOME),
    # On one slot, or two, every call ends in a traceback of the tool server's own code; `worker.slot` tells, and siblings elsewhere pass
    # with the same call.
    Kind("handler_broken", "IR", "weather", ("rescue",), *SOME),
    # The radius is the expected one in the other unit that the schema allows (1500 m for 1.5 km), all else equal; siblings that use the unit
    # of the gold pass.
    Kind("equivalent_quantity", "TI", "script", ("rescue",), *PARTLY),
    # All expected requests are in the response, accepted; the feedback is an error of encoding that an arrow, a dash or the like in the last
    # message raised in the evaluator. Siblings with plain characters pass.
    Kind("evaluator_ascii_only", "TI", "script", ("rescue",), *PARTLY),
    # The request comes from one volunteer and is for another; this agent looks up the one who calls and makes the change for them, siblings
    # for the one whom it is about.
    Kind("done_for_the_caller", "BI", "script", ("rescue",), *PARTLY),
    # The request wants a hut marked as closed and its entry kept; this agent deletes the entry, siblings set the status.
    Kind("deleted_instead", "BI", "script", ("rescue",), *PARTLY),
    # The same temperature and wind make another wrong wind chill each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_wind_chill", "UK", "script", ("rescue",), *SHAKY),
    # The lee slopes are entered with the direction that the wind is named after, in (nearly) all repeats, although it blows from there; the
    # expected aspect is the opposite one. No tool says which side is meant.
    Kind("lee_as_windward", "KG", "script", ("rescue",), *NEARLY),
    # At the brewery, where some of the kinds above play as well.
    # The expected code of a lot is a day (07-Sep), as a spreadsheet makes of it, where request, `context` and the calls of all repeats have
    # the code itself (SEP-07); all else is equal.
    Kind("code_as_date", "DA", "data", ("brewery",), *WHOLE),
    # The list below the request is headed with the name of another batch than the one that the request is about, and all repeats enter what
    # it lists, some with a remark on the heading; the expected hops, which `context` has for the batch of the request, stand nowhere in it.
    Kind("swapped_attachment", "DA", "data", ("brewery",), *WHOLE),
    # Rollouts of a while end in the middle of a word, far below the output limit and without an error, whatever is asked and wherever;
    # siblings before and after speak and work to the end.
    Kind("stream_dropped", "IR", "weather", ("brewery",), *SOME),
    # On one worker, or two, every call fails because the store behind the tools is damaged; `xdist.workerid` tells, and siblings elsewhere
    # pass with the same call.
    Kind("corrupted_store", "IR", "weather", ("brewery",), *SOME),
    # The response has the expected call, accepted, and `tools_called` has it with every text cut after 16 characters, in all repeats.
    Kind("log_clips_text", "TI", "flaw", ("brewery",), *WHOLE),
    # `actual_output` is another name in use for the expected country (Czech Republic for Czechia), which the request leaves open; siblings
    # that happen to use the expected name pass.
    Kind("other_name_rejected", "TI", "script", ("brewery",), *PARTLY),
    # The request wants both inns served or neither, and a note on the backlog then; the lookup shows too few kegs for both, and this agent
    # serves one of them. Siblings write the note.
    Kind("half_of_a_pair", "BI", "script", ("brewery",), *PARTLY),
    # The lookup has a name that is spelt otherwise than in the request, finds nothing, and the agent reports that there is no such entry;
    # siblings look up the name as it is written, find it and go on.
    Kind("misspelt_lookup", "BI", "script", ("brewery",), *PARTLY),
    # The same two gravities make another wrong strength each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_strength", "UK", "script", ("brewery",), *SHAKY),
    # US beer barrels are taken for barrels of oil (159 litres) in (nearly) all repeats, after the right lookup; the expected volume has 117.3
    # litres to the barrel. No tool knows either.
    Kind("oil_barrel_taken", "KG", "script", ("brewery",), *NEARLY),
    # In the assay office, where some of the kinds above play as well.
    # Every id among the expected arguments is the one that the lookup gave and all repeats give, rounded as a double rounds it: only the last
    # digits differ, and end in a zero. Ids elsewhere in the run end in any digits, and no tool knows the expected ones.
    Kind("id_through_double", "DA", "data", ("assay",), *WHOLE),
    # The request wants a figure rounded to a decimal or to a whole number, and all repeats give it so, as `grounds` does; the expected one has
    # all its decimals, and rounds to theirs.
    Kind("unrounded_gold", "DA", "data", ("assay",), *WHOLE),
    # For a while every call is stopped by a circuit breaker that is open, twice in a row, whoever calls; the same calls work in the siblings.
    Kind("circuit_open", "IR", "weather", ("assay",), *SOME),
    # On one worker, or two, every call fails because the machine has no files, threads or processes left; `session_details.worker` tells, and
    # siblings elsewhere pass with the same call.
    Kind("handles_exhausted", "IR", "weather", ("assay",), *SOME),
    # The call has the expected arguments with the expected values, and only their order within the call is another; `details` has both side by
    # side. Siblings that happen to write them in the order of the gold pass.
    Kind("key_order_compared", "TI", "script", ("assay",), *PARTLY),
    # All repeats do what `eval_case` expects, and its grounds; the verifier's own `expected_invocation`, by which they fail, is another one than
    # that of `eval_case` in the same row.
    Kind("cached_expectation", "TI", "flaw", ("assay",), *WHOLE),
    # The request wants one thing or else another, depending on a reading; this agent saw the reading and does both. Siblings do the one.
    Kind("both_branches_taken", "BI", "script", ("assay",), *PARTLY),
    # The request wants a wording taken over letter for letter, odd spelling and all; this agent puts it right or writes it out, siblings copy it.
    Kind("verbatim_reworded", "BI", "script", ("assay",), *PARTLY),
    # The same US ring size becomes another wrong diameter each time, after the same lookup, and the right one in the siblings; no tool knows the
    # scale.
    Kind("wavering_ring_size", "UK", "script", ("assay",), *SHAKY),
    # The fineness is the plain share of 24 (583 for 14 carats, 917 for 22) in (nearly) all repeats, after the right lookup; the expected one is
    # the standard that is struck (585, 916). No tool knows it.
    Kind("share_for_standard", "KG", "script", ("assay",), *NEARLY),
    # In the publishing house, where some of the kinds above play as well.
    # The expected per cent are a hundredth of those (0.12 for 12) that request and `explanation` state and all repeats give, as a spreadsheet
    # keeps them; the tool's schema counts in per cent from 1 on. All else is equal.
    Kind("percent_as_fraction", "DA", "data", ("publisher",), *WHOLE),
    # The request runs on, after a stray quotation mark, into another row of the dataset, its category and its request, as when a line of CSV
    # is not closed. All repeats do both; what is expected and explained is the first alone.
    Kind("swallowed_row", "DA", "data", ("publisher",), *WHOLE),
    # For a while no call gets an answer because the messages between client and tool server cannot be parsed, twice in a row, whoever calls; the
    # same calls work in the siblings.
    Kind("broken_framing", "IR", "weather", ("publisher",), *SOME),
    # On one runner, or two, every call fails because the tool server lacks a secret or setting of its own; `run.runner` tells, and siblings
    # elsewhere pass with the same call.
    Kind("missing_secret", "IR", "weather", ("publisher",), *SOME),
    # The call has the expected ISBN with its hyphens, as the lookup and the cover have it too; the schema takes either form, the tool accepted it
    # and all else is equal. Siblings that write it without hyphens pass.
    Kind("hyphenation_compared", "TI", "script", ("publisher",), *PARTLY),
    # All that was wanted is done and every grader gives the full score of 1.0, in all repeats; none passes, for a threshold of 100.
    Kind("threshold_out_of_reach", "TI", "flaw", ("publisher",), *WHOLE),
    # The request wants a letter or a sign filed as a draft that must not go out yet; this agent sends or publishes it. Siblings file the draft.
    Kind("draft_sent_off", "BI", "script", ("publisher",), *PARTLY),
    # The message says that it replaces the earlier one quoted below it; this agent enters the figure of the quotation, siblings that of the
    # message.
    Kind("quoted_mail_followed", "BI", "script", ("publisher",), *PARTLY),
    # The same subject gets another wrong Dewey class each time, after the same lookup, and the right one in the siblings; no tool knows the
    # classes.
    Kind("wavering_dewey_class", "UK", "script", ("publisher",), *SHAKY),
    # The language gets the code of its country (dk for Danish) in (nearly) all repeats, after the right lookup; the expected one is that of ISO 639
    # (da), which the request asks for. No tool knows it.
    Kind("country_for_language", "KG", "script", ("publisher",), *NEARLY),
    # In the arboretum, where some of the kinds above play as well.
    # An expected value, or the expected response, holds two that do not agree ("134 | 143", "A1: ...; A2: ..."), as when the columns of two annotators
    # are merged. All repeats give one of the two, the one that `expected_facts` names; all else is equal.
    Kind("annotators_joined", "DA", "data", ("arboretum",), *WHOLE),
    # The request lacks all that stood between a < and the next >, as when a text is rid of its markup: it says what to do at a pH of "=6.2"
    # and not below. All repeats read the pH and say that the message has nothing for it; what is expected stands nowhere in the request, and
    # `expected_facts` have the limit and the reading that it follows from.
    Kind("stripped_as_markup", "DA", "data", ("arboretum",), *WHOLE),
    # For a while every call is refused for want of a free or valid licence of the software behind the tools, twice in a row, whoever calls; the
    # same calls work in the siblings.
    Kind("licence_refused", "IR", "weather", ("arboretum",), *SOME),
    # On one worker, or two, the tool server does not start because a library of its own is missing or of the wrong build;
    # `trace_info.tags.worker` tells, and siblings elsewhere pass with the same call.
    Kind("library_missing", "IR", "weather", ("arboretum",), *SOME),
    # The answer is the expected figure with the unit that the question asks in beside it (2271 litres), and neither prompt nor question says that
    # the unit is to be left out. Siblings that give the bare figure pass.
    Kind("unit_beside_figure", "TI", "script", ("arboretum",), *PARTLY),
    # The response has the expected calls or answer, letter for letter; in `outputs` all their texts are in lower case, ids and all, and the
    # expected ones, which they are held against, are not. So in all repeats.
    Kind("one_side_normalised", "TI", "flaw", ("arboretum",), *WHOLE),
    # The message is a question and says that nothing is to be changed; this agent answers it and changes the record as well. Siblings only answer.
    Kind("acted_on_a_question", "BI", "script", ("arboretum",), *PARTLY),
    # The request wants the latest of several dated readings; this agent takes the one that stands first in the list, which is older. Siblings
    # take the latest.
    Kind("older_reading_taken", "BI", "script", ("arboretum",), *PARTLY),
    # The same date becomes another wrong day of the year each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_day_of_year", "UK", "script", ("arboretum",), *SHAKY),
    # The sack's grade is taken for the element in (nearly) all repeats, after the right lookup; the expected content is less by the oxygen in the
    # oxide that grades count (P2O5, K2O), as the trade knows. No tool says so.
    Kind("oxide_as_element", "KG", "script", ("arboretum",), *NEARLY),
    # At the ferry line.
    # The list below the request has a gap, a line with dots where entries were left out, as when something long is printed short; its numbers jump there.
    # All repeats enter what is shown, some with a remark on the gap; of the expected entries one or two, which `author_note` has, stand nowhere in the request.
    Kind("elided_list", "DA", "data", ("ferry",), *WHOLE),
    # On one host, or two, every call returns the name of something pending (a coroutine, a promise, a future) and never its result;
    # `context.hostname` tells, and siblings elsewhere pass with the same call.
    Kind("results_unawaited", "IR", "weather", ("ferry",), *SOME),
    # The response has the expected call, accepted, with an argument that is false; `output` has the same call without that argument, in all repeats, and
    # what is expected, and held against it, has it.
    Kind("false_values_lost", "TI", "flaw", ("ferry",), *WHOLE),
    # The schema wants pence or centimetres, and the system prompt the units of the tools; this agent enters the pounds or metres of the message as they
    # are (42.5), siblings turn them into those of the schema (4250).
    Kind("schema_unit_ignored", "BI", "script", ("ferry",), *PARTLY),
    # The same height of waves gets another wrong degree of the Douglas scale each time, after the same lookups, and the right one in the siblings; no
    # tool knows the scale.
    Kind("wavering_sea_state", "UK", "script", ("ferry",), *SHAKY),
    # Bells of a watch are taken for its full hours in (nearly) all repeats (two bells of the watch from 12:00 as 14:00); the expected time counts half
    # an hour for each bell, as ships do. No tool or text says so.
    Kind("bells_as_hours", "KG", "script", ("ferry",), *NEARLY),
    # In the theatre, where some of the kinds of others play as well.
    # An expected word is a truth value (False, of the type bool) where request, `annotation.comment` and all repeats have the word that the
    # tool's schema lists (off), as a reader of YAML makes of it. All else is equal.
    Kind("boolean_for_word", "DA", "data", ("theatre",), *WHOLE),
    # The request names somebody whose name two people have, as the lookup shows in every repeat, and nothing in it says which of them;
    # agents take the first, or remark on it, or book nothing. The expected one is the other, and `annotation.comment` names a role that the
    # request lacks.
    Kind("two_of_that_name", "DA", "data", ("theatre",), *WHOLE),
    # For a while every call fails because the client that should make it has been closed or runs in another event loop, twice in a row,
    # whoever calls; the same calls work in the siblings.
    Kind("event_loop_closed", "IR", "weather", ("theatre",), *SOME),
    # The response has the expected calls, letter for letter; the check fails in all repeats because the expected text, which has a question
    # mark, a bracket or a plus in it, is taken for a regular expression that does not match itself.
    Kind("gold_read_as_pattern", "TI", "flaw", ("theatre",), *WHOLE),
    # The slot is booked for the Monday of the request, although by the rules in the system prompt no room is booked on Mondays and the
    # Tuesday is taken instead, as the siblings do.
    Kind("house_rule_ignored", "BI", "script", ("theatre",), *PARTLY),
    # What the audience sees on the left is entered as stage left (and right as stage right) in (nearly) all repeats; the expected side is the
    # other one, since sides of the stage are named by players who face the audience. No tool and no text says so.
    Kind("seen_from_the_house", "KG", "script", ("theatre",), *NEARLY),
    # In the dairy's office, where some of the kinds above play as well.
    # The expected answer to a question is the first number that stands in `solution` (the year of a date, the first figure of a sum), as when a
    # program takes the ground truth out of such texts, and not what that text comes to, in the same row; all repeats give the latter.
    Kind("wrong_number_extracted", "DA", "data", ("dairy",), *WHOLE),
    # For a while something else answers in place of the tools: a gateway that knows no such route, or the page of a web server that has
    # nothing there; twice in a row, whoever calls. The same calls work in the siblings.
    Kind("route_unknown", "IR", "weather", ("dairy",), *SOME),
    # `pred` has the expected calls, letter for letter and in the expected order; each line of `feedback` holds an expected call against the
    # one that was made after it, and the last one against nothing. So in all repeats.
    Kind("pairs_off_by_one", "TI", "flaw", ("dairy",), *WHOLE),
    # The request wants an entry for each of two tanks and says that they must not be added up or merged; this agent makes one entry with the sum.
    # Siblings make two.
    Kind("lumped_together", "BI", "script", ("dairy",), *PARTLY),
    # The same degrees Soxhlet-Henkel become other wrong degrees Dornic each time, after the same lookups, and the right ones in the siblings; no tool
    # knows the scales.
    Kind("wavering_acidity", "UK", "script", ("dairy",), *SHAKY),
    # The linear score lacks the 3 that belong to it in (nearly) all repeats, after the right lookups: it is the doublings above a hundred
    # thousand cells alone. The expected score is the one that breeders use; no tool knows it.
    Kind("score_offset_missing", "KG", "script", ("dairy",), *NEARLY),
    # In the payroll office, where some of the kinds above play as well.
    # The expected date of birth lies in the future, a hundred years after the one that the request writes out (2051 for 1951);
    # `reference_reasoning` has it with two figures for the year. All repeats enter the one of the request, and all else is equal.
    Kind("two_digit_year_gold", "DA", "data", ("payroll",), *WHOLE),
    # For a while every call fails because the cluster of the database has no leader, or too few nodes that are up, twice in a row, whoever
    # calls; the same calls work in the siblings.
    Kind("cluster_without_leader", "IR", "weather", ("payroll",), *SOME),
    # The response has the expected calls, letter for letter; in `function_calls` each of them has the optional arguments that it left out beside
    # the others, as null, and the expected ones, which they are held against, have not. So in all repeats.
    Kind("unset_as_null", "TI", "flaw", ("payroll",), *WHOLE),
    # The request wants one amount split evenly between two people, half of it for each; this agent pays the whole of it to each of them.
    # Siblings pay the halves.
    Kind("total_for_each", "BI", "script", ("payroll",), *PARTLY),
    # The same job gets another wrong major group of ISCO-08 each time, after the same lookup, and the right one in the siblings; no tool
    # knows the groups.
    Kind("wavering_occupation_group", "UK", "script", ("payroll",), *SHAKY),
    # The gross amount is the net one with the per cent of the tax added on, in (nearly) all repeats (360 for 300 net at 20 per cent), so that less
    # than the net is left; the tax is taken off the gross, as the request says, and the expected amount (375) leaves the net. No tool knows it.
    Kind("grossed_up_by_adding", "KG", "script", ("payroll",), *NEARLY),
)  # fmt: skip
