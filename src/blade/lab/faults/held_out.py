"""The kinds of fault that nothing was tuned on, at the brewery; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The expected code of a lot is a day (07-Sep), as a spreadsheet makes of it, where request, `context` and the calls of all repeats have
    # the code itself (SEP-07); all else is equal.
    Kind("code_as_date", "DA", "data", ("brewery",), *WHOLE, held_out=True),
    # The list below the request is headed with the name of another batch than the one that the request is about, and all repeats enter what
    # it lists, some with a remark on the heading; the expected hops, which `context` has for the batch of the request, stand nowhere in it.
    Kind("swapped_attachment", "DA", "data", ("brewery",), *WHOLE, held_out=True),
    # Rollouts of a while end in the middle of a word, far below the output limit and without an error, whatever is asked and wherever;
    # siblings before and after speak and work to the end.
    Kind("stream_dropped", "IR", "weather", ("brewery",), *SOME, held_out=True),
    # On one worker, or two, every call fails because the store behind the tools is damaged; `xdist.workerid` tells, and siblings elsewhere
    # pass with the same call.
    Kind("corrupted_store", "IR", "weather", ("brewery",), *SOME, held_out=True),
    # The response has the expected call, accepted, and `tools_called` has it with every text cut after 16 characters, in all repeats.
    Kind("log_clips_text", "TI", "flaw", ("brewery",), *WHOLE, held_out=True),
    # `actual_output` is another name in use for the expected country (Czech Republic for Czechia), which the request leaves open; siblings
    # that happen to use the expected name pass.
    Kind("other_name_rejected", "TI", "script", ("brewery",), *PARTLY, held_out=True),
    # The request wants both inns served or neither, and a note on the backlog then; the lookup shows too few kegs for both, and this agent
    # serves one of them. Siblings write the note.
    Kind("half_of_a_pair", "BI", "script", ("brewery",), *PARTLY, held_out=True),
    # The lookup has a name that is spelt otherwise than in the request, finds nothing, and the agent reports that there is no such entry;
    # siblings look up the name as it is written, find it and go on.
    Kind("misspelt_lookup", "BI", "script", ("brewery",), *PARTLY, held_out=True),
    # The same two gravities make another wrong strength each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_strength", "UK", "script", ("brewery",), *SHAKY, held_out=True),
    # US beer barrels are taken for barrels of oil (159 litres) in (nearly) all repeats, after the right lookup; the expected volume has 117.3
    # litres to the barrel. No tool knows either.
    Kind("oil_barrel_taken", "KG", "script", ("brewery",), *NEARLY, held_out=True),
)
