"""The kinds of fault that nothing was tuned on, in the market office; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The request names a trader whom no lookup finds, in any repeat, and agents say so; `gloss` has another name in the same place, that of
    # the trader whose number is expected. Other names are found all through the run.
    Kind("pseudonym_in_prompt", "DA", "data", ("market",), *WHOLE, held_out=True),
    # An expected day is 23:00 UTC of the day before (2026-06-19T23:00:00.000Z), where request or lookup, `gloss`, schema and all repeats have
    # the day itself (2026-06-20); all else is equal.
    Kind("date_through_utc", "DA", "data", ("market",), *WHOLE, held_out=True),
    # Rollouts of a while consist of the same few characters up to the limit, whatever is asked and wherever; siblings before and after work.
    Kind("garbled_decoding", "IR", "weather", ("market",), *SOME, held_out=True),
    # On one pod, or two, every change is turned down because an earlier session has made it, in rollouts that have only begun;
    # `trace.pod` tells, and siblings elsewhere pass with the same change.
    Kind("unreset_state", "IR", "weather", ("market",), *SOME, held_out=True),
    # All charges that are to be waived are set to 0 with a tool that by both descriptions does the same; siblings with the expected one pass.
    Kind("equivalent_tool", "TI", "script", ("market",), *SOME, held_out=True),
    # The response has the expected calls, accepted; what `assessment.observed` holds stands nowhere in it and is about the records of
    # another task of the run.
    Kind("graded_another_rollout", "TI", "flaw", ("market",), *SOME, held_out=True),
    # After the lookups the last message tells the reader in prose how to make the change, and none is made; siblings make it.
    Kind("told_how_to", "BI", "script", ("market",), *PARTLY, held_out=True),
    # The pitch is let already, which the tool says, and the request says to leave it then and take another; this agent sets `override`,
    # siblings take the other.
    Kind("forced_through", "BI", "script", ("market",), *PARTLY, held_out=True),
    # The same feast of the same year falls on another wrong day each time, after the same lookup, and on the right one in the siblings.
    Kind("wavering_feast", "UK", "script", ("market",), *SHAKY, held_out=True),
    # The notice is posted as many days before the fair as there should be clear days, in (nearly) all repeats; the expected day is one
    # earlier, since clear days count neither the first nor the last. No tool knows the term.
    Kind("clear_days_as_days", "KG", "script", ("market",), *NEARLY, held_out=True),
)
