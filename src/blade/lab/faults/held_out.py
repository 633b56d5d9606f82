"""The kinds of fault that nothing was tuned on, in environments that nothing was tuned on; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
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
)  # fmt: skip
