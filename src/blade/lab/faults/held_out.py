"""The kinds of fault that nothing was tuned on, in environments that nothing was tuned on; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # At the travel agency, where some of the kinds in `recent` and before play as well.
    # An expected list has only the first of the services that request and `annotator_notes` name and all repeats set; all else is equal.
    Kind("first_of_list_kept", "DA", "data", ("travel",), *WHOLE, held_out=True),
    # For a while every call is held back for an approval that nobody gives, or denied for want of somebody to ask, twice in a row, whoever calls;
    # nothing in the prompt speaks of approvals, and the same calls work in the siblings.
    Kind("approval_unanswered", "IR", "weather", ("travel",), *SOME, held_out=True),
    # The response has the expected call, accepted, with numbers in it; `executed_actions` has the same call with each number as a text ("12" for
    # 12), in all repeats, and `ground_truth` has numbers.
    Kind("numbers_read_as_text", "TI", "flaw", ("travel",), *WHOLE, held_out=True),
    # The request names a seat for once, and the prompt puts the message before the profile; this agent takes the position that the profile
    # prefers, as the lookup shows. Siblings take that of the request.
    Kind("profile_over_request", "BI", "script", ("travel",), *PARTLY, held_out=True),
    # The same airport gets another wrong IATA code each time, after the same lookup, and the right one in the siblings; no tool knows the codes.
    Kind("wavering_airport_code", "UK", "script", ("travel",), *SHAKY, held_out=True),
    # The days at the border are the nights between entry and exit in (nearly) all repeats, after the right lookups; the expected number is one more,
    # since the border code counts the day of entry and that of exit. No tool or text says so.
    Kind("entry_day_uncounted", "KG", "script", ("travel",), *NEARLY, held_out=True),
    # The response gives the letter that is in `answer`, and `model_answer` has it; in `mismatches` it is held against the words of that very
    # option, as `options` of the same row has them, and so it fails in all repeats.
    Kind("letter_held_against_text", "TI", "flaw", ("travel",), *WHOLE, held_out=True),
    # The weekday is the one that the same date had a year before, in (nearly) all repeats, after the right lookup, which has the year; the
    # expected one is that of this year's calendar. No tool knows weekdays.
    Kind("weekday_of_last_year", "KG", "script", ("travel",), *NEARLY, held_out=True),
)  # fmt: skip
