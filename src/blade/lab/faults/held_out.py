"""The kinds of fault that nothing was tuned on, in environments that nothing was tuned on; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # In the dairy's office, where some of the kinds in `recent` and before play as well.
    # The expected answer to a question is the first number that stands in `solution` (the year of a date, the first figure of a sum), as when a
    # program takes the ground truth out of such texts, and not what that text comes to, in the same row; all repeats give the latter.
    Kind("wrong_number_extracted", "DA", "data", ("dairy",), *WHOLE, held_out=True),
    # For a while something else answers in place of the tools: a gateway that knows no such route, or the page of a web server that has
    # nothing there; twice in a row, whoever calls. The same calls work in the siblings.
    Kind("route_unknown", "IR", "weather", ("dairy",), *SOME, held_out=True),
    # `pred` has the expected calls, letter for letter and in the expected order; each line of `feedback` holds an expected call against the
    # one that was made after it, and the last one against nothing. So in all repeats.
    Kind("pairs_off_by_one", "TI", "flaw", ("dairy",), *WHOLE, held_out=True),
    # The request wants an entry for each of two tanks and says that they must not be added up or merged; this agent makes one entry with the sum.
    # Siblings make two.
    Kind("lumped_together", "BI", "script", ("dairy",), *PARTLY, held_out=True),
    # The same degrees Soxhlet-Henkel become other wrong degrees Dornic each time, after the same lookups, and the right ones in the siblings; no tool
    # knows the scales.
    Kind("wavering_acidity", "UK", "script", ("dairy",), *SHAKY, held_out=True),
    # The linear score lacks the 3 that belong to it in (nearly) all repeats, after the right lookups: it is the doublings above a hundred
    # thousand cells alone. The expected score is the one that breeders use; no tool knows it.
    Kind("score_offset_missing", "KG", "script", ("dairy",), *NEARLY, held_out=True),
)  # fmt: skip
