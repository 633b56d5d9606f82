"""The kinds of fault that nothing was tuned on, at the mountain rescue; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # An expected word is German (gesperrt), where the tool's schema lists the English one (closed), and `derivation` and all repeats have
    # that; the schema does not know the German one.
    Kind("untranslated_gold", "DA", "data", ("rescue",), *WHOLE, held_out=True),
    # The request names a weekday and a date that do not go together by the calendar of the year in the prompt; all repeats take the date, and
    # the expected day is the weekday's, beside it. Some agents remark on it.
    Kind("weekday_against_date", "DA", "data", ("rescue",), *WHOLE, held_out=True),
    # For a while tools answer that the request waits in a queue which nobody serves, twice in a row, to whoever calls; siblings get entries.
    Kind("stuck_queue", "IR", "weather", ("rescue",), *SOME, held_out=True),
    # On one slot, or two, every call ends in a traceback of the tool server's own code; `worker.slot` tells, and siblings elsewhere pass
    # with the same call.
    Kind("handler_broken", "IR", "weather", ("rescue",), *SOME, held_out=True),
    # The radius is the expected one in the other unit that the schema allows (1500 m for 1.5 km), all else equal; siblings that use the unit
    # of the gold pass.
    Kind("equivalent_quantity", "TI", "script", ("rescue",), *PARTLY, held_out=True),
    # All expected requests are in the response, accepted; the feedback is an error of encoding that an arrow, a dash or the like in the last
    # message raised in the evaluator. Siblings with plain characters pass.
    Kind("evaluator_ascii_only", "TI", "script", ("rescue",), *PARTLY, held_out=True),
    # The request comes from one volunteer and is for another; this agent looks up the one who calls and makes the change for them, siblings
    # for the one whom it is about.
    Kind("done_for_the_caller", "BI", "script", ("rescue",), *PARTLY, held_out=True),
    # The request wants a hut marked as closed and its entry kept; this agent deletes the entry, siblings set the status.
    Kind("deleted_instead", "BI", "script", ("rescue",), *PARTLY, held_out=True),
    # The same temperature and wind make another wrong wind chill each time, after the same lookup, and the right one in the siblings.
    Kind("wavering_wind_chill", "UK", "script", ("rescue",), *SHAKY, held_out=True),
    # The lee slopes are entered with the direction that the wind is named after, in (nearly) all repeats, although it blows from there; the
    # expected aspect is the opposite one. No tool says which side is meant.
    Kind("lee_as_windward", "KG", "script", ("rescue",), *NEARLY, held_out=True),
)
