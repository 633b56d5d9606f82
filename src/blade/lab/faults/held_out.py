"""The kinds of fault that nothing was tuned on, in the arboretum; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # An expected value, or the expected response, holds two that do not agree ("134 | 143", "A1: ...; A2: ..."), as when the columns of two annotators
    # are merged. All repeats give one of the two, the one that `expected_facts` names; all else is equal.
    Kind("annotators_joined", "DA", "data", ("arboretum",), *WHOLE, held_out=True),
    # The request lacks all that stood between a < and the next >, as when a text is rid of its markup: it says what to do at a pH of "=6.2"
    # and not below. All repeats read the pH and say that the message has nothing for it; what is expected stands nowhere in the request, and
    # `expected_facts` have the limit and the reading that it follows from.
    Kind("stripped_as_markup", "DA", "data", ("arboretum",), *WHOLE, held_out=True),
    # For a while every call is refused for want of a free or valid licence of the software behind the tools, twice in a row, whoever calls; the
    # same calls work in the siblings.
    Kind("licence_refused", "IR", "weather", ("arboretum",), *SOME, held_out=True),
    # On one worker, or two, the tool server does not start because a library of its own is missing or of the wrong build;
    # `trace_info.tags.worker` tells, and siblings elsewhere pass with the same call.
    Kind("library_missing", "IR", "weather", ("arboretum",), *SOME, held_out=True),
    # The answer is the expected figure with the unit that the question asks in beside it (2271 litres), and neither prompt nor question says that
    # the unit is to be left out. Siblings that give the bare figure pass.
    Kind("unit_beside_figure", "TI", "script", ("arboretum",), *PARTLY, held_out=True),
    # The response has the expected calls or answer, letter for letter; in `outputs` all their texts are in lower case, ids and all, and the
    # expected ones, which they are held against, are not. So in all repeats.
    Kind("one_side_normalised", "TI", "flaw", ("arboretum",), *WHOLE, held_out=True),
    # The message is a question and says that nothing is to be changed; this agent answers it and changes the record as well. Siblings only answer.
    Kind("acted_on_a_question", "BI", "script", ("arboretum",), *PARTLY, held_out=True),
    # The request wants the latest of several dated readings; this agent takes the one that stands first in the list, which is older. Siblings
    # take the latest.
    Kind("older_reading_taken", "BI", "script", ("arboretum",), *PARTLY, held_out=True),
    # The same date becomes another wrong day of the year each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_day_of_year", "UK", "script", ("arboretum",), *SHAKY, held_out=True),
    # The sack's grade is taken for the element in (nearly) all repeats, after the right lookup; the expected content is less by the oxygen in the
    # oxide that grades count (P2O5, K2O), as the trade knows. No tool says so.
    Kind("oxide_as_element", "KG", "script", ("arboretum",), *NEARLY, held_out=True),
)  # fmt: skip
