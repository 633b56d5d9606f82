"""The kinds of fault that nothing was tuned on, in the publishing house; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
    # The expected per cent are a hundredth of those (0.12 for 12) that request and `explanation` state and all repeats give, as a spreadsheet
    # keeps them; the tool's schema counts in per cent from 1 on. All else is equal.
    Kind("percent_as_fraction", "DA", "data", ("publisher",), *WHOLE, held_out=True),
    # The request runs on, after a stray quotation mark, into another row of the dataset, its category and its request, as when a line of CSV
    # is not closed. All repeats do both; what is expected and explained is the first alone.
    Kind("swallowed_row", "DA", "data", ("publisher",), *WHOLE, held_out=True),
    # For a while no call gets an answer because the messages between client and tool server cannot be parsed, twice in a row, whoever calls; the
    # same calls work in the siblings.
    Kind("broken_framing", "IR", "weather", ("publisher",), *SOME, held_out=True),
    # On one runner, or two, every call fails because the tool server lacks a secret or setting of its own; `run.runner` tells, and siblings
    # elsewhere pass with the same call.
    Kind("missing_secret", "IR", "weather", ("publisher",), *SOME, held_out=True),
    # The call has the expected ISBN with its hyphens, as the lookup and the cover have it too; the schema takes either form, the tool accepted it
    # and all else is equal. Siblings that write it without hyphens pass.
    Kind("hyphenation_compared", "TI", "script", ("publisher",), *PARTLY, held_out=True),
    # All that was wanted is done and every grader gives the full score of 1.0, in all repeats; none passes, for a threshold of 100.
    Kind("threshold_out_of_reach", "TI", "flaw", ("publisher",), *WHOLE, held_out=True),
    # The request wants a letter filed as a draft that must not go out yet; this agent sends it. Siblings file the draft.
    Kind("draft_sent_off", "BI", "script", ("publisher",), *PARTLY, held_out=True),
    # The message says that it replaces the earlier one quoted below it; this agent enters the figure of the quotation, siblings that of the
    # message.
    Kind("quoted_mail_followed", "BI", "script", ("publisher",), *PARTLY, held_out=True),
    # The same subject gets another wrong Dewey class each time, after the same lookup, and the right one in the siblings; no tool knows the
    # classes.
    Kind("wavering_dewey_class", "UK", "script", ("publisher",), *SHAKY, held_out=True),
    # The language gets the code of its country (dk for Danish) in (nearly) all repeats, after the right lookup; the expected one is that of ISO 639
    # (da), which the request asks for. No tool knows it.
    Kind("country_for_language", "KG", "script", ("publisher",), *NEARLY, held_out=True),
)  # fmt: skip
