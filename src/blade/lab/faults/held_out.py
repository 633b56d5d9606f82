"""The kinds of fault that nothing was tuned on, at the radio station; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # An expected time is a number, the minutes of 21:30 as 1290, where request, schema and all repeats have HH:MM; all else is equal.
    Kind("sexagesimal_gold", "DA", "data", ("radio",), *WHOLE, held_out=True),
    # An expected id or figure has "(was ...)" after it, with the one that stood there before it was put right; all repeats give the first.
    Kind("edit_trace_in_gold", "DA", "data", ("radio",), *WHOLE, held_out=True),
    # For a while tools return compressed bytes that nobody unpacked, twice in a row, and agents say so; siblings get tables.
    Kind("undecoded_body", "IR", "weather", ("radio",), *SOME, held_out=True),
    # On one lane, or two, every call fails for a shared folder that is stale or not mounted; `sampler.lane` tells, siblings elsewhere pass.
    Kind("lost_mount", "IR", "weather", ("radio",), *SOME, held_out=True),
    # All that was wanted is done and only `no_refusal` is I, for a "sorry" or "apologies" in a last message that refuses nothing; siblings
    # without the word pass.
    Kind("polite_phrase_flagged", "TI", "script", ("radio",), *SOME, held_out=True),
    # All that was wanted is done and only `economy` is I, for a number of calls that neither the prompt nor the tools name; siblings that
    # looked at less pass.
    Kind("unstated_call_limit", "TI", "script", ("radio",), *SOME, held_out=True),
    # The request says "that day only"; this agent moves the programme with `extent` series, siblings with once.
    Kind("series_for_one", "BI", "script", ("radio",), *PARTLY, held_out=True),
    # The request wants the missing spot aired so that the order is complete; this agent lowers the number booked instead, siblings air it.
    Kind("target_moved", "BI", "script", ("radio",), *PARTLY, held_out=True),
    # The same year becomes other wrong Roman numerals each time, after the same lookup, and the right ones in the siblings.
    Kind("wavering_numerals", "UK", "script", ("radio",), *SHAKY, held_out=True),
    # The decibels are twice the right ones in (nearly) all repeats: those of a voltage, where the request speaks of power. No tool knows them.
    Kind("power_as_amplitude", "KG", "script", ("radio",), *NEARLY, held_out=True),
)
