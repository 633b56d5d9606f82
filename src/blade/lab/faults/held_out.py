"""The kinds of fault that nothing was tuned on, in environments that nothing was tuned on; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # At the ferry line.
    # The list below the request has a gap, a line with dots where entries were left out, as when something long is printed short; its numbers jump there.
    # All repeats enter what is shown, some with a remark on the gap; of the expected entries one or two, which `author_note` has, stand nowhere in the request.
    Kind("elided_list", "DA", "data", ("ferry",), *WHOLE, held_out=True),
    # On one host, or two, every call returns the name of something pending (a coroutine, a promise, a future) and never its result;
    # `context.hostname` tells, and siblings elsewhere pass with the same call.
    Kind("results_unawaited", "IR", "weather", ("ferry",), *SOME, held_out=True),
    # The response has the expected call, accepted, with an argument that is false; `output` has the same call without that argument, in all repeats, and
    # what is expected, and held against it, has it.
    Kind("false_values_lost", "TI", "flaw", ("ferry",), *WHOLE, held_out=True),
    # The schema wants pence or centimetres, and the system prompt the units of the tools; this agent enters the pounds or metres of the message as they
    # are (42.5), siblings turn them into those of the schema (4250).
    Kind("schema_unit_ignored", "BI", "script", ("ferry",), *PARTLY, held_out=True),
    # The same height of waves gets another wrong degree of the Douglas scale each time, after the same lookups, and the right one in the siblings; no
    # tool knows the scale.
    Kind("wavering_sea_state", "UK", "script", ("ferry",), *SHAKY, held_out=True),
    # Bells of a watch are taken for its full hours in (nearly) all repeats (two bells of the watch from 12:00 as 14:00); the expected time counts half
    # an hour for each bell, as ships do. No tool or text says so.
    Kind("bells_as_hours", "KG", "script", ("ferry",), *NEARLY, held_out=True),
    # In the theatre, where some of the kinds of others play as well.
    # An expected word is a truth value (False, of the type bool) where request, `annotation.comment` and all repeats have the word that the
    # tool's schema lists (off), as a reader of YAML makes of it. All else is equal.
    Kind("boolean_for_word", "DA", "data", ("theatre",), *WHOLE, held_out=True),
    # The request names somebody whose name two people have, as the lookup shows in every repeat, and nothing in it says which of them;
    # agents take the first, or remark on it, or book nothing. The expected one is the other, and `annotation.comment` names a role that the
    # request lacks.
    Kind("two_of_that_name", "DA", "data", ("theatre",), *WHOLE, held_out=True),
    # For a while every call fails because the client that should make it has been closed or runs in another event loop, twice in a row,
    # whoever calls; the same calls work in the siblings.
    Kind("event_loop_closed", "IR", "weather", ("theatre",), *SOME, held_out=True),
    # The response has the expected calls, letter for letter; the check fails in all repeats because the expected text, which has a question
    # mark, a bracket or a plus in it, is taken for a regular expression that does not match itself.
    Kind("gold_read_as_pattern", "TI", "flaw", ("theatre",), *WHOLE, held_out=True),
    # The slot is booked for the Monday of the request, although by the rules in the system prompt no room is booked on Mondays and the
    # Tuesday is taken instead, as the siblings do.
    Kind("house_rule_ignored", "BI", "script", ("theatre",), *PARTLY, held_out=True),
    # What the audience sees on the left is entered as stage left (and right as stage right) in (nearly) all repeats; the expected side is the
    # other one, since sides of the stage are named by players who face the audience. No tool and no text says so.
    Kind("seen_from_the_house", "KG", "script", ("theatre",), *NEARLY, held_out=True),
    # In the dairy's office, where some of the kinds in `recent` and before play as well.
    # The expected answer to a question is the first number that stands in `solution` (the year of a date, the first figure of a sum), as when a
    # program takes the ground truth out of such texts, and not what that text comes to, in the same row; all repeats give the latter.
    Kind("wrong_number_extracted", "DA", "data", ("dairy",), *WHOLE, held_out=True),
    # For a while something else answers in place of the tools: a gateway that knows no such route, or the page of a web server that has
    # nothing there; twice in a row, whoever calls. The same calls work in the siblings.
    Kind("route_unknown", "IR", "weather", ("dairy",), *SOME, held_out=True),
    # `pred` has the expected calls, letter for letter and in the expected order; each line of `feedback` holds an expected call against the
    # one that was made after it, and the last one against nothing. So in all repeats.
    Kind("pairs_off_by_one", "TI", "flaw", ("dairy",), *WHOLE, held_out=True),
    # The request wants an entry for each of two tanks and says that they must not be added up or merged; this agent makes one entry with the sum.
    # Siblings make two.
    Kind("lumped_together", "BI", "script", ("dairy",), *PARTLY, held_out=True),
    # The same degrees Soxhlet-Henkel become other wrong degrees Dornic each time, after the same lookups, and the right ones in the siblings; no tool
    # knows the scales.
    Kind("wavering_acidity", "UK", "script", ("dairy",), *SHAKY, held_out=True),
    # The linear score lacks the 3 that belong to it in (nearly) all repeats, after the right lookups: it is the doublings above a hundred
    # thousand cells alone. The expected score is the one that breeders use; no tool knows it.
    Kind("score_offset_missing", "KG", "script", ("dairy",), *NEARLY, held_out=True),
    # In the payroll office, where some of the kinds in `recent` and before play as well.
    # The expected date of birth lies in the future, a hundred years after the one that the request writes out (2051 for 1951);
    # `reference_reasoning` has it with two figures for the year. All repeats enter the one of the request, and all else is equal.
    Kind("two_digit_year_gold", "DA", "data", ("payroll",), *WHOLE, held_out=True),
    # For a while every call fails because the cluster of the database has no leader, or too few nodes that are up, twice in a row, whoever
    # calls; the same calls work in the siblings.
    Kind("cluster_without_leader", "IR", "weather", ("payroll",), *SOME, held_out=True),
    # The response has the expected calls, letter for letter; in `function_calls` each of them has the optional arguments that it left out beside
    # the others, as null, and the expected ones, which they are held against, have not. So in all repeats.
    Kind("unset_as_null", "TI", "flaw", ("payroll",), *WHOLE, held_out=True),
    # The request wants one amount split evenly between two people, half of it for each; this agent pays the whole of it to each of them.
    # Siblings pay the halves.
    Kind("total_for_each", "BI", "script", ("payroll",), *PARTLY, held_out=True),
    # The same job gets another wrong major group of ISCO-08 each time, after the same lookup, and the right one in the siblings; no tool
    # knows the groups.
    Kind("wavering_occupation_group", "UK", "script", ("payroll",), *SHAKY, held_out=True),
    # The gross amount is the net one with the per cent of the tax added on, in (nearly) all repeats (360 for 300 net at 20 per cent), so that less
    # than the net is left; the tax is taken off the gross, as the request says, and the expected amount (375) leaves the net. No tool knows it.
    Kind("grossed_up_by_adding", "KG", "script", ("payroll",), *NEARLY, held_out=True),
)  # fmt: skip
