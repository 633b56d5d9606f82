"""The kinds of fault that nothing was tuned on, in the conservatory; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The two ids of an expected call stand in each other's place (a teacher's as `pupil`, a pupil's as `teacher`); schema, lookups and all
    # repeats have them the other way round, and `why` names both as the request does.
    Kind("columns_swapped", "DA", "data", ("conservatory",), *WHOLE, held_out=True),
    # The expected amount is that of request, `why` and all repeats with a minus before it, as a ledger books a refund; the tool's schema has
    # a minimum of 0.
    Kind("negative_gold", "DA", "data", ("conservatory",), *WHOLE, held_out=True),
    # For a while tools return the example of a mock server in place of an answer, twice in a row, to whoever calls; siblings get records.
    Kind("mock_served", "IR", "weather", ("conservatory",), *SOME, held_out=True),
    # On one executor, or two, every call is turned down for arguments that are said to be missing, which the call in the row has;
    # `runInfo.executor` tells, and siblings elsewhere pass with the same call.
    Kind("arguments_lost", "IR", "weather", ("conservatory",), *SOME, held_out=True),
    # All calls are as expected and only `icontains` fails, for an id in the last message that neither prompt nor request asks for; siblings
    # that happen to name it pass.
    Kind("unstated_mention", "TI", "script", ("conservatory",), *PARTLY, held_out=True),
    # The response has both expected calls of one tool, accepted; `seen.calls` has only the later one, in all repeats.
    Kind("same_tool_overwritten", "TI", "flaw", ("conservatory",), *WHOLE, held_out=True),
    # The system prompt wants English; this agent looks up the same and writes its last message, answer and all, in another language.
    # Siblings answer in English.
    Kind("other_language", "BI", "script", ("conservatory",), *PARTLY, held_out=True),
    # The change has the day that the tool's schema gives as an example, where the request names another one, which siblings give.
    Kind("schema_example_used", "BI", "script", ("conservatory",), *PARTLY, held_out=True),
    # The same key has another wrong signature each time, after the same lookup, and the right one in the siblings; no tool knows signatures.
    Kind("wavering_key_signature", "UK", "script", ("conservatory",), *SHAKY, held_out=True),
    # The part of a transposing instrument is written as far below the sounding key as it should be above, in (nearly) all repeats; the
    # expected key is the one that players use. No tool knows transpositions.
    Kind("transposed_downwards", "KG", "script", ("conservatory",), *NEARLY, held_out=True),
)
