"""The kinds of fault that nothing was tuned on, in the cloud account; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # A text among the expected inputs has `&amp;` where the request and the calls of all repeats have `&`; all else is equal.
    Kind("html_escaped_gold", "DA", "data", ("cloud",), *WHOLE, held_out=True),
    # An expected input is the name of a template's variable in double braces, where all repeats give the id that the lookup returned.
    Kind("unfilled_gold", "DA", "data", ("cloud",), *WHOLE, held_out=True),
    # On one runner, or two, every call is turned down because the request's time is off; `runner` tells, and siblings elsewhere pass.
    Kind("clock_skew", "IR", "weather", ("cloud",), *SOME, held_out=True),
    # For a while tools say that their database has no connections left, twice in a row; the same calls work in the siblings.
    Kind("pool_exhausted", "IR", "weather", ("cloud",), *SOME, held_out=True),
    # No mutation is missing or unexpected, and the only score of 0 is for a lookup that the request does not ask for; another tool gave
    # the same ids. Siblings that happened to use the one that is insisted on pass.
    Kind("read_required", "TI", "script", ("cloud",), *SOME, held_out=True),
    # The answer has the expected names in another order, and the request says that any order will do.
    Kind("answer_list_order", "TI", "script", ("cloud",), *SOME, held_out=True),
    # The tool's description says that it replaces the whole set, and the request wants the other tags kept; this agent saw them and sends
    # the new one alone, siblings send all.
    Kind("replaced_not_merged", "BI", "script", ("cloud",), *PARTLY, held_out=True),
    # The request names a region; this agent looks without it, finds the namesake of the default region and changes that. Siblings give it.
    Kind("scope_dropped", "BI", "script", ("cloud",), *PARTLY, held_out=True),
    # The same times in words become another wrong cron expression each time, and the right one in the siblings.
    Kind("wavering_schedule", "UK", "script", ("cloud",), *SHAKY, held_out=True),
    # All addresses of the subnet are counted in (nearly) all repeats, after the right lookup; the expected number is two less.
    Kind("network_addresses_counted", "KG", "script", ("cloud",), *NEARLY, held_out=True),
)
