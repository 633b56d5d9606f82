"""The kinds of fault that nothing was tuned on, at the rail travel desk; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The request counts days from today, which the system prompt names; the expected departure lies before that day, and so many days
    # after the row's `annotated_on`. All repeats count from the day that the prompt names.
    Kind("aged_gold", "DA", "data", ("railway",), *WHOLE, held_out=True),
    # The country in `reference_note` is in none of the options, and the expected letter is that of another; all agents name it and miss it.
    Kind("no_right_option", "DA", "data", ("railway",), *WHOLE, held_out=True),
    # Rollouts of a while have no output, and their row has the error of a model endpoint that knows no such key or deployment.
    Kind("model_key_rejected", "IR", "weather", ("railway",), *SOME, held_out=True),
    # For a while tools return the message of a browser that crashed or was closed, twice in a row; the same calls work in the siblings.
    Kind("browser_crashed", "IR", "weather", ("railway",), *SOME, held_out=True),
    # All expected calls are found and there are no others; one test fails in all repeats, for a time stamp or a running number alone.
    Kind("volatile_fields_compared", "TI", "flaw", ("railway",), *WHOLE, held_out=True),
    # `parsed_answer` is the expected name with no-break blanks or hyphens in place of the plain ones; siblings with plain ones pass.
    Kind("typographic_variant", "TI", "script", ("railway",), *SOME, held_out=True),
    # The order is cancelled and a new one made where the prompt wants ChangeTrain, which the siblings use and pass.
    Kind("cancelled_and_rebooked", "BI", "script", ("railway",), *PARTLY, held_out=True),
    # The request excepts one order from the cancellation, and this agent cancels it with the rest; siblings leave it.
    Kind("exception_overlooked", "BI", "script", ("railway",), *PARTLY, held_out=True),
    # The same delay earns another wrong share each time, and the right one in the siblings; no tool knows the regulation.
    Kind("wavering_compensation", "UK", "script", ("railway",), *SHAKY, held_out=True),
    # Chains are read as hundredths of a mile in (nearly) all repeats, after the right lookup; the expected length has 80 to the mile.
    Kind("chains_as_decimals", "KG", "script", ("railway",), *NEARLY, held_out=True),
)
