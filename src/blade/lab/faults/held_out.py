"""The kinds of fault that nothing was tuned on, in the claims office; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The expected amounts are a hundred times those that the request or the file states and `curator_comment` has with a decimal comma;
    # all repeats enter the stated ones.
    Kind("point_for_comma", "DA", "data", ("insurer",), *WHOLE, held_out=True),
    # An expected argument is the text of a list, quotes and all, where the tool's schema wants a list and all repeats give that very list.
    Kind("list_as_text", "DA", "data", ("insurer",), *WHOLE, held_out=True),
    # For a while lookups return the record of another query, twice in a row, and agents say so; the same lookups are answered in the siblings.
    Kind("crossed_answers", "IR", "weather", ("insurer",), *SOME, held_out=True),
    # On one box, or two, every call is turned down because the client is of an old version; `exec_node` tells, and siblings elsewhere pass.
    Kind("outdated_client", "IR", "weather", ("insurer",), *SOME, held_out=True),
    # The call that is not in the solution got a Fault for the form of its date, which the schema leaves open, and changed nothing; it follows
    # once more, put right, is accepted, and all is as expected.
    Kind("refusal_counted", "TI", "script", ("insurer",), *SOME, held_out=True),
    # All repeats make the calls of `solution`, which count the days from the prompt's today; the verifier's message wants a date that lies as
    # many days after the day of the run.
    Kind("grader_clock", "TI", "flaw", ("insurer",), *WHOLE, held_out=True),
    # The request says which of two changes comes first, and why; this agent makes them the other way round, siblings as asked.
    Kind("order_reversed", "BI", "script", ("insurer",), *PARTLY, held_out=True),
    # The request has an amount for each of two claims; this agent enters the first one for both, siblings each its own.
    Kind("value_carried_over", "BI", "script", ("insurer",), *PARTLY, held_out=True),
    # The same number gets other wrong check digits each time, after the same lookups, and the right ones in the siblings.
    Kind("wavering_check_digits", "UK", "script", ("insurer",), *SHAKY, held_out=True),
    # The policy has an integral franchise, and its amount is taken off in (nearly) all repeats, as an excess would be; the expected payment
    # is the whole estimate, as that term of the trade means.
    Kind("franchise_deducted", "KG", "script", ("insurer",), *NEARLY, held_out=True),
)
