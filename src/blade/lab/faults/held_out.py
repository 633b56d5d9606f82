"""The kinds of fault that nothing was tuned on, in the assay office; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # Every id among the expected arguments is the one that the lookup gave and all repeats give, rounded as a double rounds it: only the last
    # digits differ, and end in a zero. Ids elsewhere in the run end in any digits, and no tool knows the expected ones.
    Kind("id_through_double", "DA", "data", ("assay",), *WHOLE, held_out=True),
    # The request wants a figure rounded to a decimal or to a whole number, and all repeats give it so, as `grounds` does; the expected one has
    # all its decimals, and rounds to theirs.
    Kind("unrounded_gold", "DA", "data", ("assay",), *WHOLE, held_out=True),
    # For a while every call is stopped by a circuit breaker that is open, twice in a row, whoever calls; the same calls work in the siblings.
    Kind("circuit_open", "IR", "weather", ("assay",), *SOME, held_out=True),
    # On one worker, or two, every call fails because the machine has no files, threads or processes left; `session_details.worker` tells, and
    # siblings elsewhere pass with the same call.
    Kind("handles_exhausted", "IR", "weather", ("assay",), *SOME, held_out=True),
    # The call has the expected arguments with the expected values, and only their order within the call is another; `details` has both side by
    # side. Siblings that happen to write them in the order of the gold pass.
    Kind("key_order_compared", "TI", "script", ("assay",), *PARTLY, held_out=True),
    # All repeats do what `eval_case` expects, and its grounds; the verifier's own `expected_invocation`, by which they fail, is another one than
    # that of `eval_case` in the same row.
    Kind("cached_expectation", "TI", "flaw", ("assay",), *WHOLE, held_out=True),
    # The request wants one thing or else another, depending on a reading; this agent saw the reading and does both. Siblings do the one.
    Kind("both_branches_taken", "BI", "script", ("assay",), *PARTLY, held_out=True),
    # The request wants a wording taken over letter for letter, odd spelling and all; this agent puts it right or writes it out, siblings copy it.
    Kind("verbatim_reworded", "BI", "script", ("assay",), *PARTLY, held_out=True),
    # The same US ring size becomes another wrong diameter each time, after the same lookup, and the right one in the siblings; no tool knows the
    # scale.
    Kind("wavering_ring_size", "UK", "script", ("assay",), *SHAKY, held_out=True),
    # The fineness is the plain share of 24 (583 for 14 carats, 917 for 22) in (nearly) all repeats, after the right lookup; the expected one is
    # the standard that is struck (585, 916). No tool knows it.
    Kind("share_for_standard", "KG", "script", ("assay",), *NEARLY, held_out=True),
)  # fmt: skip
